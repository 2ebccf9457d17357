"""Search: the scope is law, the order is stable, every slice is exact."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.documents.model import LineLocator
from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.profiles.model import RerankSettings, SectionWeight
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer
from phasergun_desktop.retrieval.model import SearchResult, SearchScope
from phasergun_desktop.retrieval.reranking import ShouldStop
from phasergun_desktop.retrieval.retriever import Retriever
from tests.fakes.profiles import small_profile
from tests.fakes.small_project import SmallProject

EVERYWHERE = SearchScope(layers=frozenset(Layer))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path_factory.mktemp("retrieval"))
    made.write(
        "Procedures/SOPs/change.md",
        "# Change control\n\nA major change is approved by the review board.\n\n"
        "# Records\n\nChange records are kept for five years.",
    )
    made.write("Context/General/old.md", "# Old\n\nA major change needs the review board.")
    made.write("Context/Initiation/device.md", "# Device\n\nThe control solution is GT2-310.")
    made.write("Context/Initiation/other.md", "# Device\n\nThe lancet is GT2-311.")
    for number in range(30):
        made.write(f"Context/General/noise{number}.md", "# Noise\n\nreview board " * 20)
    made.sync()
    yield made
    made.close()


@pytest.fixture
def retriever(project: SmallProject) -> Retriever:
    return Retriever(project.store, project.vectors(), project.embedder, small_profile())


def files(result: SearchResult) -> list[str]:
    return [hit.file for hit in result.hits]


def test_on_demand_layers_are_never_searched_unasked(retriever: Retriever) -> None:
    found = retriever.search("major change review board", SearchScope(), 10)
    assert files(found)[0] == "Procedures/SOPs/change.md"
    assert {hit.layer for hit in found.hits} <= ALWAYS_SEARCHED
    named = SearchScope(layers=frozenset(), files=frozenset({"Context/General/old.md"}))
    assert files(retriever.search("major change", named, 10)) == ["Context/General/old.md"]


def test_the_scope_applies_before_the_candidates_are_counted(project: SmallProject) -> None:
    scope = SearchScope(layers=frozenset({Layer.INITIATION}))
    profile = small_profile()
    few = replace(profile.retrieval, keyword_candidates=3, vector_candidates=3)
    retriever = Retriever(
        project.store, project.vectors(), project.embedder, replace(profile, retrieval=few)
    )
    found = retriever.search("review board", scope, 10)
    assert set(files(found)) == {"Context/Initiation/device.md", "Context/Initiation/other.md"}


def test_excluded_and_within_are_kept_to(retriever: Retriever) -> None:
    excluded = SearchScope(excluded=frozenset({"Procedures/SOPs/change.md"}))
    assert "Procedures/SOPs/change.md" not in files(retriever.search("change", excluded, 10))
    within = SearchScope(within=frozenset({"Context/Initiation/other.md"}))
    assert files(retriever.search("GT2-310", within, 10)) == ["Context/Initiation/other.md"]


def test_an_identifier_finds_its_own_document_first(retriever: Retriever) -> None:
    assert files(retriever.search("GT2-310", SearchScope(), 5))[0].endswith("device.md")
    assert files(retriever.search("GT2-311", SearchScope(), 5))[0].endswith("other.md")


def test_hits_are_exact_slices_with_the_place_of_their_best_window(
    project: SmallProject, retriever: Retriever
) -> None:
    found = retriever.search("how long are change records kept", SearchScope(), 5)
    hit = found.hits[0]
    text = project.store.text(hit.document_id)
    assert hit.text == text[hit.start : hit.end]
    best = hit.windows[0]
    assert "five years" in text[best.start : best.end]
    assert hit.heading_path == ("# Records",)
    assert hit.locator == LineLocator(5)
    assert len(hit.windows) == 2
    assert [span.score for span in hit.windows] == sorted(
        (span.score for span in hit.windows), reverse=True
    )
    assert 0 <= hit.score <= 1
    assert hit.similarity is not None
    assert hit.bm25 is not None
    assert found.timings.total_ms >= found.timings.embed_ms


def test_the_same_question_gives_the_same_answer_and_embeds_once(
    project: SmallProject, retriever: Retriever
) -> None:
    first = retriever.search("review board", EVERYWHERE, 20)
    count = len(project.embedder.embedded)
    assert retriever.search("review board", EVERYWHERE, 20).hits == first.hits
    assert len(project.embedder.embedded) == count
    again = Retriever(project.store, project.vectors(), project.embedder, small_profile())
    assert again.search("review board", EVERYWHERE, 20).hits == first.hits
    assert [hit.rank for hit in first.hits] == list(range(1, len(first.hits) + 1))


def test_equal_scores_prefer_the_master_record(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    for file in ("Context/Ongoing/a.md", "Context/Project-Master-Record.docx", "Context/z.md"):
        project.write(file, "The intended use is at home.")
    project.sync()
    profile = small_profile(keyword_weight=0.0)
    retriever = Retriever(project.store, project.vectors(), project.embedder, profile)
    hits = retriever.search("intended use", SearchScope(), 3).hits
    project.close()
    assert len({hit.score for hit in hits}) == 1
    assert hits[0].layer is Layer.MASTER_RECORD
    others = [hit.chunk_id for hit in hits[1:]]
    assert others == sorted(others)


def test_threshold_and_section_weights_of_the_profile_hold(project: SmallProject) -> None:
    profile = small_profile(threshold=0.99)
    strict = Retriever(project.store, project.vectors(), project.embedder, profile)
    assert strict.search("something unheard of", SearchScope(), 5).hits == ()
    weighted = small_profile(section_weights=(SectionWeight("change control", 0.1),))
    light = Retriever(project.store, project.vectors(), project.embedder, weighted)
    query = "major change review board"
    plain = Retriever(project.store, project.vectors(), project.embedder, small_profile())
    before = plain.search(query, SearchScope(), 1).hits[0]
    after = {hit.chunk_id: hit for hit in light.search(query, SearchScope(), 9).hits}
    assert after[before.chunk_id].score < before.score


@pytest.mark.parametrize("query", ["", "   ", '"', "the of and", "?" * 5000])
def test_no_query_is_an_error(retriever: Retriever, query: str) -> None:
    retriever.search(query, SearchScope(), 3)


def test_many_threads_may_search_while_one_indexes(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    project.write("Context/a.md", "The intended use is at home.")
    project.sync()
    retriever = Retriever(project.store, project.vectors(), project.embedder, small_profile())
    stop = threading.Event()
    problems: list[Exception] = []

    def ask(number: int) -> None:
        while not stop.is_set():
            try:
                hits = retriever.search(f"intended use {number}", SearchScope(), 5).hits
                if not hits:
                    problems.append(AssertionError("nothing found"))
            except Exception as problem:  # noqa: BLE001
                problems.append(problem)
                return

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for number in range(8):
        project.write(f"Context/n{number}.md", f"Number {number} has an intended use.")
        project.sync()
    stop.set()
    for thread in threads:
        thread.join()
    project.close()
    assert problems == []


class _Reversing:
    """Puts the passages in the opposite order, or fails; keeps what it was given."""

    def __init__(self, error: ModelError | None = None) -> None:
        self.error = error
        self.identity = "reversing"
        self.asked: list[tuple[str, int]] = []

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        if should_stop is not None and should_stop():
            raise Cancelled
        self.asked.append((query, len(texts)))
        if self.error is not None:
            raise self.error
        return [float(at) for at in range(len(texts))]


def _reranked_by(project: SmallProject, reranker: _Reversing) -> Retriever:
    profile = small_profile()
    rules = RerankSettings(enabled=True, candidates=4, keep=4, weight=1.0)
    profile = replace(profile, retrieval=replace(profile.retrieval, rerank=rules))
    return Retriever(project.store, project.vectors(), project.embedder, profile, reranker=reranker)


def test_another_reranker_orders_where_it_is_wanted(project: SmallProject) -> None:
    reranker = _Reversing()
    retriever = _reranked_by(project, reranker)
    usual = retriever.search("major change review board", EVERYWHERE, 4)
    assert reranker.asked == []
    again = retriever.search("major change review board", EVERYWHERE, 4, reranks=True)
    assert files(again) == files(usual)[::-1]
    assert reranker.asked == [("major change review board", 4)]
    # Kept, but not for another reranker.
    retriever.search("major change review board", EVERYWHERE, 4, reranks=True)
    assert len(reranker.asked) == 1
    reranker.identity = "another"
    retriever.search("major change review board", EVERYWHERE, 4, reranks=True)
    assert len(reranker.asked) == 2


def test_where_the_reranker_fails_the_first_order_stays_and_it_says_so(
    project: SmallProject,
) -> None:
    reranker = _Reversing(ModelError("Gone", "The model is gone.", "Choose another."))
    retriever = _reranked_by(project, reranker)
    usual = retriever.search("review board", EVERYWHERE, 4)
    found = retriever.search("review board", EVERYWHERE, 4, reranks=True)
    assert files(found) == files(usual)
    [told] = found.warnings
    assert told == ("The passages are in their first order: The model is gone. Choose another.")
    # It is tried again: what was wrong may be mended.
    reranker.error = None
    assert retriever.search("review board", EVERYWHERE, 4, reranks=True).warnings == ()
    # A stop is no failure.
    with pytest.raises(Cancelled):
        retriever.search("major", EVERYWHERE, 4, reranks=True, should_stop=lambda: True)
