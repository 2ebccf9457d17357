"""The law of offsets: a block's text is exactly its slice of the document's text."""

from __future__ import annotations

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.document_codec import from_bytes, to_bytes
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    LineLocator,
    PageLocator,
    ParsedDocument,
    Rect,
    Segment,
)
from phasergun_desktop.errors import DocumentError

KINDS = st.sampled_from(
    [BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW]
)
TEXTS = st.text(max_size=40)


@settings(deadline=None)
@given(st.lists(st.tuples(KINDS, TEXTS, st.integers(1, 4), st.integers(0, 2)), max_size=20))
def test_every_block_is_its_slice(items: list[tuple[BlockKind, str, int, int]]) -> None:
    builder = DocumentBuilder()
    for kind, text, level, group in items:
        mark = Segment(0, len(text), 1, Rect(0, 0, 1, 1))
        builder.add(kind, text, LineLocator(1), level=level, group=group, marks=(mark,))
    text = builder.text
    text.encode("utf-8")
    position = 0
    for index, block in enumerate(builder.blocks):
        assert block.ordinal == index
        gap = text[position : block.start]
        assert gap in (("",) if index == 0 else ("\n", "\n\n"))
        body = text[block.start : block.end]
        assert body
        assert body == body.strip()
        for segment in block.segments:
            assert block.start <= segment.start < segment.end <= block.end
        position = block.end
    assert position == len(text)


@settings(deadline=None)
@given(st.lists(st.tuples(KINDS, TEXTS), max_size=8))
def test_a_document_survives_json(items: list[tuple[BlockKind, str]]) -> None:
    builder = DocumentBuilder()
    for kind, text in items:
        locator = PageLocator(2, (Rect(1.5, 2.25, 3.0, 4.0),))
        builder.add(kind, text, locator, level=1, cells=(("a", text),))
    document = ParsedDocument(
        "txt", "text/plain", builder.text, builder.blocks, DocumentMetadata("t"), "1"
    )
    assert from_bytes(to_bytes(document)) == document


def test_heading_path_leaves_out_closed_headings() -> None:
    builder = DocumentBuilder()
    for level, text in ((1, "A"), (2, "B"), (3, "C"), (2, "D")):
        builder.add(BlockKind.HEADING, text, LineLocator(1), level=level)
    block = builder.add(BlockKind.PARAGRAPH, "x", LineLocator(5))
    assert block is not None
    assert block.heading_path == ("A", "D")
    assert builder.blocks[3].heading_path == ("A",)


def test_a_document_beyond_its_limit_is_an_error() -> None:
    builder = DocumentBuilder(max_characters=10)
    builder.add(BlockKind.PARAGRAPH, "12345678", LineLocator(1))
    with pytest.raises(DocumentError, match="more than 10 characters"):
        builder.add(BlockKind.PARAGRAPH, "12345678", LineLocator(2))


def test_json_from_a_taken_over_child_is_refused() -> None:
    data = json.loads(to_bytes(ParsedDocument("txt", "", "short", (), DocumentMetadata(), "1")))
    data["blocks"] = [
        {
            "ordinal": 0,
            "kind": "paragraph",
            "start": 0,
            "end": 99,
            "locator": {"type": "line", "line": 1},
        }
    ]
    with pytest.raises(ValueError, match="outside of the text"):
        from_bytes(json.dumps(data).encode())


def test_files_inside_are_named_in_one_sentence() -> None:
    builder = DocumentBuilder()
    for names in ([], [f"part {number}\x00.xml" for number in range(7)]):
        builder.warn_of_inner_files(names)
    sentence = " ".join(builder.warnings)
    assert sentence.startswith("Files inside of this one were not read: part 0 .xml, part 1 .xml,")
    assert sentence.endswith("part 4 .xml and 2 more.")
    assert sentence.count("Files") == 1
