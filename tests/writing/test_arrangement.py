"""Where evidence stands on the page: the laws of paragraphs, lists, lead-ins and headings."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import Block, BlockKind, LineLocator
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.arrangement import alone, arranged, lead_in


def _span(
    text: str,
    *,
    at: int = 0,
    path: tuple[str, ...] = ("Pump", "1 Alarm"),
    kind: BlockKind = BlockKind.PARAGRAPH,
    file: str = "a.md",
    layer: Layer = Layer.ONGOING,
) -> CandidateSpan:
    title = file.partition(".")[0]
    end = at + len(text)
    passage = Passage(1, file, "", title, layer, ChunkId("c"), at, end, text, path, 1.0)
    block = Block(at, kind, at, end, LineLocator(1), heading_path=path)
    return CandidateSpan(passage, block, at, end, text, title)


def _item(text: str, at: int = 0) -> CandidateSpan:
    return _span(text, at=at, kind=BlockKind.LIST_ITEM)


def test_items_that_follow_each_other_are_a_list_and_one_alone_is_none() -> None:
    two = arranged([_item("- The hub", 0), _item("- The cuff", 20)])
    assert [each.is_listed for each in two] == [True, True]
    [one] = arranged([_item("- The hub is white", 0)])
    assert not one.is_listed


def test_a_paragraph_is_what_one_section_states() -> None:
    other = ("Pump", "2 Weight")
    spans = [
        _span("It sounds.", at=0),
        _span("It lasts.", at=20),
        _span("It is light.", at=40, path=other),
        _span("It floats.", at=60, path=("Pump", "3 Water")),
        _span("It is red.", at=0, file="b.md", path=other),
    ]
    assert [each.opens for each in arranged(spans)] == [True, False, True, False, True]


def test_sections_that_state_much_have_their_headings_where_there_may_be_some() -> None:
    spans = [
        _span(f"It sounds {at}.", at=at, path=("Pump", path))
        for path, first in (("1 Alarm", 0), ("2 Weight", 100))
        for at in range(first, first + 30, 10)
    ]
    headings = [each.heading for each in arranged(spans, may_head=True)]
    assert headings == ["Alarm", "", "", "Weight", "", ""]
    assert not any(each.heading for each in arranged(spans))
    assert not any(each.heading for each in arranged(spans[:4], may_head=True))


def test_what_a_predicate_states_among_others_says_whose_it_is() -> None:
    own = _span("It sounds.")
    predicate = _span("It sounds at 81 dB.", file="K111222.md", layer=Layer.PREDICATES)
    assert [each.of for each in arranged([own, predicate])] == ["", "K111222"]
    assert [each.of for each in arranged([predicate])] == [""]


def test_a_line_of_a_list_alone_is_a_sentence() -> None:
    assert alone(_item("- about 78 dB at one metre")) == "About 78 dB at one metre."
    assert alone(_span("The alarm sounds.")) == "The alarm sounds."


def test_a_list_is_introduced_as_in_its_document() -> None:
    builder = DocumentBuilder()
    for number, (kind, text) in enumerate(
        [
            (BlockKind.PARAGRAPH, "The kit contains:"),
            (BlockKind.LIST_ITEM, "a hub"),
            (BlockKind.LIST_ITEM, "a cuff"),
            (BlockKind.PARAGRAPH, "It is sterile."),
            (BlockKind.LIST_ITEM, "a lid"),
        ],
        start=1,
    ):
        builder.add(kind, text, LineLocator(number))
    blocks, text = builder.blocks, builder.text

    def of(block: Block) -> CandidateSpan:
        span = _span(text[block.start : block.end], at=block.start)
        return replace(span, block=block)

    found = lead_in(of(blocks[2]), blocks, text)
    assert found is not None
    assert found.text == "The kit contains:"
    assert lead_in(of(blocks[4]), blocks, text) is None
