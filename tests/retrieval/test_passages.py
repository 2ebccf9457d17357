"""What is read of the hits."""

from __future__ import annotations

from phasergun_desktop.documents.model import LineLocator
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Hit, Span
from phasergun_desktop.retrieval.passages import select_passages

SENTENCES = [
    f"Sentence number {number:02d} of the document says something." for number in range(20)
]
TEXT = "\n\n".join(SENTENCES)


def at(first: int, last: int) -> tuple[int, int]:
    """The span from sentence ``first`` to ``last``."""
    return TEXT.index(SENTENCES[first]), TEXT.index(SENTENCES[last]) + len(SENTENCES[last])


def hit(
    name: str, first: int, last: int, *spans: tuple[int, int, float], document_id: int = 1
) -> Hit:
    start, end = at(first, last)
    return Hit(
        rank=1,
        score=1.0,
        chunk_id=ChunkId(name),
        document_id=document_id,
        file=f"{document_id}.md",
        sha256="",
        title="",
        layer=Layer.GENERAL,
        start=start,
        end=end,
        text=TEXT[start:end],
        heading_path=(),
        locator=LineLocator(1),
        block_id="b0",
        windows=tuple(Span(*at(a, b), score, (f"path {a}",)) for a, b, score in spans),
    )


def test_neighbouring_windows_become_one_passage_in_reading_order() -> None:
    (passage,) = select_passages([hit("a", 0, 9, (4, 5, 0.9), (2, 3, 0.5))], 10_000)
    assert passage.text == TEXT[slice(*at(2, 5))]
    assert (passage.score, passage.heading_path) == (0.9, ("path 4",))


def test_windows_apart_stay_apart() -> None:
    passages = select_passages([hit("a", 0, 9, (6, 7, 0.9), (0, 1, 0.5))], 10_000)
    assert [each.text for each in passages] == [TEXT[slice(*at(0, 1))], TEXT[slice(*at(6, 7))]]


def test_the_best_window_of_each_hit_comes_before_any_second() -> None:
    hits = [
        hit("a", 0, 9, (0, 0, 0.9), (5, 5, 0.8)),
        hit("b", 10, 19, (10, 10, 0.4), (15, 15, 0.3)),
    ]
    budget = 2 * len(SENTENCES[0])
    assert [each.text for each in select_passages(hits, budget)] == [SENTENCES[0], SENTENCES[10]]


def test_overlapping_chunks_are_not_read_twice() -> None:
    hits = [hit("a", 0, 9, (4, 7, 0.9)), hit("b", 5, 14, (6, 9, 0.8))]
    passages = select_passages(hits, 10_000)
    assert [each.text for each in passages] == [
        TEXT[slice(*at(4, 7))],
        TEXT[slice(*at(8, 9))],
    ]
    same_place = hit("c", 0, 9, (4, 7, 0.7), document_id=2)
    assert len(select_passages([*hits, same_place], 10_000)) == 3


def test_a_window_is_cut_after_a_sentence_when_the_budget_ends() -> None:
    (passage,) = select_passages([hit("a", 0, 9, (0, 4, 0.9))], 130)
    assert passage.text == TEXT[slice(*at(0, 1))]
    assert select_passages([hit("a", 0, 9, (0, 4, 0.9))], 10) == ()


def test_the_budget_may_count_tokens() -> None:
    (passage,) = select_passages(
        [hit("a", 0, 9, (0, 4, 0.9))], 16, measure=lambda text: len(text.split())
    )
    assert passage.text == TEXT[slice(*at(0, 1))]


def test_unscored_windows_are_no_evidence() -> None:
    (passage,) = select_passages([hit("a", 0, 9, (0, 0, 0.9), (5, 5, 0.0))], 10_000)
    assert passage.text == SENTENCES[0]
