"""Every benchmark by name, in the order in which they run."""

from __future__ import annotations

from functools import partial

from phasergun_desktop.evaluation.wanted_facts import Half
from tests.benchmarks.cell_figures import cell_figures
from tests.benchmarks.comparison_figures import comparison_columns
from tests.benchmarks.confidence.confidence_figures import confidence
from tests.benchmarks.desk_figures import desk_speed
from tests.benchmarks.draft_figures import changed_prompt, drafts
from tests.benchmarks.edits.edit_figures import edited_sentences
from tests.benchmarks.edits.paraphrase_figures import reworded_claims, rewritten_sentences
from tests.benchmarks.embedding_figures import embedding_speed
from tests.benchmarks.evidence.evidence_figures import evidence_figures
from tests.benchmarks.evidence.unanswerable import PROJECTS
from tests.benchmarks.follow_up_figures import cached_tokens, follow_up_figures
from tests.benchmarks.frame import Benchmark
from tests.benchmarks.glucose import GlucoseProject
from tests.benchmarks.grounding_figures import grounding_figures
from tests.benchmarks.growth_figures import growth
from tests.benchmarks.hostile.obedience import hostile
from tests.benchmarks.index_figures import index_from_nothing
from tests.benchmarks.lane_figures import all_cores
from tests.benchmarks.language_model_figures import against_plain, same_prompt_again
from tests.benchmarks.misspelling_figures import misspelling_figures
from tests.benchmarks.near_miss_figures import near_miss_figures
from tests.benchmarks.profile_figures import profile_figures
from tests.benchmarks.project_figures import project_figures
from tests.benchmarks.question_figures import (
    answers,
    plain_answers,
    question_recall,
    verbatim_answers,
)
from tests.benchmarks.reading.against_others import comparison_figures
from tests.benchmarks.reading.fidelity import fidelity_figures
from tests.benchmarks.reading.locators import locator_figures
from tests.benchmarks.reading.outcome_tables import outcome_figures
from tests.benchmarks.reading.reading_speed import speed_figures
from tests.benchmarks.readings import reading_figures
from tests.benchmarks.recognition_figures import recognition
from tests.benchmarks.response_figures import stopping
from tests.benchmarks.retrieval_figures import retrieval_steps
from tests.benchmarks.save_figures import save_to_searchable
from tests.benchmarks.scan_figures import following
from tests.benchmarks.search_figures import open_index, search_speed
from tests.benchmarks.storage_figures import work_database
from tests.benchmarks.window_figures import memory_without_model, window_start


def _all_benchmarks() -> tuple[Benchmark, ...]:
    project = GlucoseProject()
    return (
        Benchmark(
            "columns",
            "columns of comparison tables of FDA summaries by their role",
            comparison_columns,
        ),
        Benchmark("storage", "log, autosave and export of a draft", work_database),
        Benchmark(
            "index",
            "project-glucose from nothing, and each stage",
            partial(index_from_nothing, project),
        ),
        Benchmark(
            "open",
            "opening the index of project-glucose",
            partial(open_index, project),
        ),
        Benchmark(
            "search",
            "searching project-glucose with more than a hundred questions",
            partial(search_speed, project),
        ),
        Benchmark(
            "growth",
            "opening, searching and planning at 1,000 to 100,000 windows (minutes; only when "
            "named)",
            growth,
            only_when_named=True,
        ),
        Benchmark(
            "following",
            "scans of 10,000 files, and one saved while others wait (minutes; only when named)",
            following,
            only_when_named=True,
        ),
        Benchmark(
            "window",
            "the window from the start of its process until it can be used",
            partial(window_start, project),
        ),
        Benchmark(
            "desk",
            "typing, opening, scrolling and what holds the window up (minutes; only when named)",
            partial(desk_speed, project),
            only_when_named=True,
        ),
        Benchmark(
            "memory",
            "resident memory without a language model",
            partial(memory_without_model, project),
        ),
        Benchmark(
            "save",
            "a saved Word file of twenty pages until a search finds it",
            partial(save_to_searchable, project),
        ),
        Benchmark(
            "embedding",
            "embedding against sentence-transformers",
            partial(embedding_speed, project),
        ),
        Benchmark(
            "lanes",
            "embedding documents of project-glucose on all cores beside one thread",
            partial(all_cores, project),
        ),
        Benchmark(
            "recall",
            "search for the files that answer the questions",
            partial(question_recall, project),
        ),
        Benchmark(
            "recognition",
            "text of spoiled pages beside plain tesseract (minutes; only when named)",
            recognition,
            only_when_named=True,
        ),
        Benchmark("llama", "reading and writing against plain llama.cpp", against_plain),
        Benchmark("prefix", "first token of a prompt with a changed last line", same_prompt_again),
        Benchmark(
            "redraft",
            "first word of a draft whose prompt has a changed last line",
            partial(changed_prompt, project),
        ),
        Benchmark(
            "evidence",
            "what is chosen for prompts: facts, noise, abstention (minutes; only when named)",
            evidence_figures,
            only_when_named=True,
        ),
        Benchmark(
            "projects",
            "drafts of three projects that nothing was learnt of (only when named)",
            project_figures,
            only_when_named=True,
        ),
        Benchmark(
            "near_misses",
            "what 519 judged prompts are told that are answered, nearly or not (minutes; only when "
            "named)",
            near_miss_figures,
            only_when_named=True,
        ),
        Benchmark(
            "misspellings",
            "what judged prompts with wrong letters find (minutes; only when named)",
            misspelling_figures,
            only_when_named=True,
        ),
        Benchmark("stop", "Stop in each phase of a draft", partial(stopping, project)),
        Benchmark(
            "drafts", "the five prompts of project-glucose, drafted", partial(drafts, project)
        ),
        Benchmark("readings", "generated sentences as a person judged them", reading_figures),
        Benchmark(
            "answers",
            "the questions on project-glucose, asked (minutes; only when named)",
            partial(answers, project),
            only_when_named=True,
        ),
        Benchmark(
            "verbatim_answers",
            "the questions on both projects, asked without a model (minutes; only when named)",
            partial(verbatim_answers, [GlucoseProject(name) for name in PROJECTS]),
            only_when_named=True,
        ),
        Benchmark(
            "plain_answers",
            "120 plain questions on three projects, asked without a model (only when named)",
            plain_answers,
            only_when_named=True,
        ),
        Benchmark(
            "profiles",
            "questions answered with each profile, without a model (minutes; only when named)",
            partial(profile_figures, [(GlucoseProject(PROJECTS[0]), Half.ODD), (project, None)]),
            only_when_named=True,
        ),
        Benchmark(
            "retrieval_steps",
            "each step of search on the odd questions of ObliQA (minutes; only when named)",
            retrieval_steps,
            only_when_named=True,
            has_questions=True,
        ),
        Benchmark(
            "follow_ups",
            "questions that go on from another, in a conversation and whole (only when named)",
            follow_up_figures,
            only_when_named=True,
        ),
        Benchmark(
            "conversation",
            "tokens kept in a conversation of twelve turns (minutes; only when named)",
            partial(cached_tokens, project),
            only_when_named=True,
        ),
        Benchmark(
            "confidence",
            "243 questions on 23 projects, and the confidence (minutes; only when named)",
            confidence,
            only_when_named=True,
        ),
        Benchmark(
            "edits",
            "seeded edits and untouched sentences, marked or not (minutes; only when named)",
            edited_sentences,
            only_when_named=True,
        ),
        Benchmark(
            "paraphrases",
            "faithful and unfaithful paraphrases, marked or not",
            rewritten_sentences,
        ),
        Benchmark(
            "claims",
            "2,200 claims on units of twelve small projects, marked or not (only when named)",
            reworded_claims,
            only_when_named=True,
        ),
        Benchmark(
            "outcomes",
            "how every file of the test data ends (minutes; only when named)",
            outcome_figures,
            only_when_named=True,
        ),
        Benchmark(
            "elsewhere",
            "the nasty files beside other programs (minutes; only when named)",
            comparison_figures,
            only_when_named=True,
        ),
        Benchmark(
            "fidelity",
            "words, order and cells against other extractors (minutes; only when named)",
            fidelity_figures,
            only_when_named=True,
        ),
        Benchmark(
            "locators",
            "200 blocks a format, read again at their locators (minutes; only when named)",
            locator_figures,
            only_when_named=True,
        ),
        Benchmark(
            "reading_speed",
            "pages a second on one core, memory of a long PDF (minutes; only when named)",
            speed_figures,
            only_when_named=True,
        ),
        Benchmark(
            "comparison_cells",
            "tables of thirty small projects: rows, and cells filled right (only when named)",
            cell_figures,
            only_when_named=True,
        ),
        Benchmark(
            "grounding",
            "the support check on published claims, cross-validated (minutes; only when named)",
            grounding_figures,
            only_when_named=True,
        ),
        Benchmark(
            "hostile",
            "twenty orders hidden in sources, how many are obeyed (minutes; only when named)",
            hostile,
            only_when_named=True,
        ),
    )


BENCHMARKS: tuple[Benchmark, ...] = _all_benchmarks()
