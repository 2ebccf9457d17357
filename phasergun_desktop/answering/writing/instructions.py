"""Every word of instruction that a model gets for one step, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from phasergun_desktop.answering.model import DocumentSummary, Plan, PlannedPoint, PointKind
from phasergun_desktop.answering.writing.grammars import NOT_FOUND
from phasergun_desktop.answering.writing.output_language import is_other_language, language_to_write
from phasergun_desktop.language_models.protocol import ModelPrompt
from phasergun_desktop.retrieval.model import Passage

__all__ = [
    "NOT_FOUND",
    "Task",
    "again_prompt",
    "language_warnings",
    "pair_prompt",
    "passages_text",
    "step_prompt",
    "step_task",
    "task_of",
]

# A small model that may answer NOT FOUND does so also where a passage plainly answers: only
# questions offer it. What a description lacks shows in its bindings and in the gaps.
_DESCRIBE = (
    "Write the part “{part}”{section}. State the facts in the passages above that belong to this "
    "part, one after another, in full sentences copied closely from the passages. Keep every "
    "number, unit, name and part number exactly. Add nothing that the passages do not say. No "
    "headings, no lists."
)
# Offered NOT FOUND, the model took it for most questions that a passage answers; so it answers,
# and the answer is kept only if its span, its values and the question agree (Page.answers).
_VALUE = "Answer this from the passages above: {part}\nWrite one full sentence."
_PAIR = (
    "Write one sentence that answers the question “{question}”. The sentence must contain exactly "
    "these words, unchanged: “{answer}”. Write the sentence only."
)

_AUDIT = (
    "These sentences were written from the passages above:\n{sentences}\nCompare each sentence "
    "with the passages, its numbers, units and names above all. Give a verdict on each by its "
    "number: OK where the passages state all of it; NOT STATED where they do not; WRONG VALUE or "
    "CONTRADICTED where they say otherwise, with the words of the passage that do."
)
_REVISE = (
    "This sentence was written from the passages above and is not right: “{sentence}”\n{message}\n"
    "Write it again as one full sentence on the same subject that says only what the passages "
    "state, copied closely from them, with every number, unit and name exactly as it stands "
    "there. If the passages do not state it, reply exactly: NOT FOUND"
)

_ONE_AGAIN = (
    "Write one full sentence for the part “{part}”{section}, copied closely from the passages "
    "above. Keep every number, unit, name and part number exactly. Add nothing that the passages "
    "do not say. Write the sentence only."
)
_DIFFERENTLY = (
    "\nIt takes the place of the following text, which it must not repeat word for word; word it "
    "differently: “{old}”"
)
_LONGEST_OLD = 900
_LANGUAGE = "Write in {language}; keep names, numbers and identifiers as they stand."
_SUMMARIES = "What the documents are about (for orientation only; take no fact from here):"
_PASSAGES = "Passages from the project's documents:"


@dataclass(frozen=True, slots=True)
class Task:
    """What holds for every step of a draft: the section's ``title`` (``""``: none), the
    ``language`` to write in (``""``: English), whether the sources are in another one
    (``is_translation``), and the ``summaries`` of the documents that the plan reads."""

    title: str = ""
    language: str = ""
    is_translation: bool = False
    summaries: tuple[DocumentSummary, ...] = ()


def task_of(plan: Plan) -> Task:
    """Return what holds for every step of ``plan``."""
    language = language_to_write(plan.task)
    sources = " ".join(passage.text for passage in plan.passages)
    is_translation = is_other_language(language, sources)
    return Task(plan.title, language, is_translation, plan.summaries)


def language_warnings(task: Task) -> tuple[str, ...]:
    """Return what the writer must know of a text in another language than its sources."""
    if not task.is_translation:
        return ()
    text = (
        f"The text is in {task.language}, the sources are not: its sentences could not be "
        "compared with the sources word for word, only their values. Check each against its "
        "passage."
    )
    return (text,)


def passages_text(
    passages: tuple[Passage, ...], summaries: tuple[DocumentSummary, ...] = ()
) -> str:
    """Return tier 2: the summaries, then the passages under their file and heading, exactly as
    they stand. The summaries are the same for every step, so that they are read once."""
    parts = []
    if summaries:
        about = (
            f"- {each.title or each.file}: {' '.join(each.text.split())}" for each in summaries
        )
        parts.append("\n".join((_SUMMARIES, *about)))
    parts.append(_PASSAGES)
    for where, group in groupby(passages, key=_where):
        text = "\n".join(passage.text for passage in group)
        parts.append(f"--- {where} ---\n{text}")
    parts.append("--- end of the passages ---")
    return "\n\n".join(parts)


def _where(passage: Passage) -> str:
    return " › ".join((passage.title or passage.file, *passage.heading_path))


def step_prompt(system: str, point: PlannedPoint, task: Task) -> ModelPrompt:
    """Return the three tiers of one step; every passage of the point is in it word for word."""
    shared = passages_text(point.passages, task.summaries)
    prompt = ModelPrompt(system, shared, step_task(point, task.title, task.language))
    for passage in point.passages:
        if passage.text not in prompt.shared:
            raise AssertionError(f"a passage of {passage.file} is not in the prompt")
    return prompt


def step_task(point: PlannedPoint, title: str, language: str = "") -> str:
    """Return tier 3 of one step."""
    part, _, extra = point.instruction.partition(". ")
    section = f" of the section “{title}”" if title else ""
    if point.kind is PointKind.VALUE:
        task, extra = _VALUE.format(part=_as_request(point.instruction)), ""
    else:
        task = _DESCRIBE.format(part=part, section=section)
    in_language = _LANGUAGE.format(language=language) if language else ""
    return "\n".join(line for line in (task, extra, in_language) if line)


def pair_prompt(system: str, question: str, answer: str) -> ModelPrompt:
    """Return the prompt that puts a bootstrap answer into a sentence."""
    return ModelPrompt(system, "", _PAIR.format(question=question, answer=answer.rstrip(".")))


def audit_prompt(
    system: str, passages: tuple[Passage, ...], texts: Sequence[str], task: Task
) -> ModelPrompt:
    """Return the prompt that reads written sentences beside the passages of their step; its
    stable part is that of the step, so that it is not read again."""
    numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(texts, start=1))
    shared = passages_text(passages, task.summaries)
    return ModelPrompt(system, shared, _AUDIT.format(sentences=numbered))


def revision_prompt(
    system: str, passages: tuple[Passage, ...], sentence: str, message: str, task: Task
) -> ModelPrompt:
    """Return the prompt that corrects one sentence from the passages of its step."""
    text = _REVISE.format(sentence=sentence, message=message)
    if task.language:
        text += "\n" + _LANGUAGE.format(language=task.language)
    return ModelPrompt(system, passages_text(passages, task.summaries), text)


def again_prompt(
    system: str, point: PlannedPoint, task: Task, old: str, *, is_one: bool
) -> ModelPrompt:
    """Return the prompt that has one sentence (``is_one``) or the whole point written again,
    differently from ``old`` (``""`` where there was only a gap)."""
    prompt = step_prompt(system, point, task)
    asked = prompt.task
    if is_one:
        part = point.instruction.partition(". ")[0]
        section = f" of the section “{task.title}”" if task.title else ""
        asked = _ONE_AGAIN.format(part=part, section=section)
    if old:
        asked += _DIFFERENTLY.format(old=old[:_LONGEST_OLD])
    return ModelPrompt(prompt.system, prompt.shared, asked)


def _as_request(text: str) -> str:
    return text if text.rstrip().endswith("?") else f"State {text.rstrip('.')}."
