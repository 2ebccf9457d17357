"""What the index keeps and the child sends has names that later versions can still read."""

from __future__ import annotations

import json

import pytest

from phasergun_desktop.documents.document_codec import (
    decoded,
    from_bytes,
    locator_from_json,
    locator_to_json,
    to_bytes,
)
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    Locator,
    Page,
    PageLocator,
    ParagraphLocator,
    ParsedDocument,
    Rect,
    RowLocator,
    Segment,
    SlideLocator,
    TimeLocator,
)

LOCATORS: list[tuple[Locator, str]] = [
    (
        PageLocator(2, (Rect(1.5, 2.25, 3.0, 4.0),)),
        '{"type":"page","page":2,"rects":[[1.5,2.25,3.0,4.0]]}',
    ),
    (PageLocator(1), '{"type":"page","page":1,"rects":[]}'),
    (ParagraphLocator(paragraph=3), '{"type":"paragraph","heading_path":[],"paragraph":3}'),
    (
        ParagraphLocator(("A",), None, 1, 2, 3),
        '{"type":"paragraph","heading_path":["A"],"table":1,"row":2,"column":3}',
    ),
    (SlideLocator(4), '{"type":"slide","slide":4,"shape":null}'),
    (LineLocator(5), '{"type":"line","line":5}'),
    (RowLocator(6), '{"type":"row","row":6}'),
    (
        TimeLocator(1.0, 2.5, None),
        '{"type":"time","start_s":1.0,"end_s":2.5,"speaker":null}',
    ),
]
DOCUMENT = ParsedDocument(
    "pdf",
    "application/pdf",
    "Zeile eins",
    (
        Block(
            0,
            BlockKind.TABLE_ROW,
            0,
            10,
            LineLocator(1),
            ("A", "B"),
            2,
            (("h", "c"),),
            True,
            (Segment(0, 5, 1, Rect(1.0, 2.0, 3.0, 4.0)),),
            0.5,
        ),
        Block(1, BlockKind.PARAGRAPH, 10, 10, LineLocator(2)),
    ),
    DocumentMetadata("t", pages=1, words=2, authors=("X",), front_matter=(("k", "v"),)),
    "6 ocr:eng",
    (Page(595.0, 842.0), Page(10.0, 20.0, 0.5)),
    ("A warning.",),
)
# As it was written before there was this codec.
STORED = (
    '{"format":"pdf","mime":"application/pdf","text":"Zeile eins","blocks":[{"ordinal":0,'
    '"kind":"table_row","start":0,"end":10,"locator":{"type":"line","line":1},"heading_path":'
    '["A","B"],"level":2,"cells":[["h","c"]],"is_table_header":true,"segments":[[0,5,1,[1.0,2.0,'
    '3.0,4.0]]],"ocr_confidence":0.5},{"ordinal":1,"kind":"paragraph","start":10,"end":10,'
    '"locator":{"type":"line","line":2}}],"metadata":{"title":"t","author":"","created":"",'
    '"modified":"","pages":1,"words":2,"language":"","document_number":"","revision":"",'
    '"journal":"","authors":["X"],"published":"","doi":"","pmid":"","pmcid":"","k_number":"",'
    '"read_with":"","front_matter":[["k","v"]]},"parser_version":"6 ocr:eng","pages":[[595.0,'
    '842.0],[10.0,20.0,0.5]],"warnings":["A warning."]}'
)


@pytest.mark.parametrize(("locator", "written"), LOCATORS)
def test_a_locator_has_these_names(locator: Locator, written: str) -> None:
    assert locator_to_json(locator) == json.loads(written)
    assert locator_from_json(json.loads(written)) == locator


def test_a_stored_document_is_read_and_has_the_same_names_again() -> None:
    assert from_bytes(STORED.encode()) == DOCUMENT
    stored, written = json.loads(STORED), json.loads(to_bytes(DOCUMENT))
    # Since then a page that was not recognised says so, and there are abbreviations.
    stored["pages"][0].append(None)
    stored["metadata"]["abbreviations"] = []
    assert written == stored


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ('"page', '"pag'),
        ('"ordinal":1', '"ordinal":"1"'),
        ('"ordinal":1,', ""),
        ('"kind":"paragraph"', '"kind":"poem"'),
        ('"type":"line","line":2', '"type":"verse","line":2'),
        ('"level":2', '"level":true'),
        ("3.0,4.0]", "3.0]"),
        ('["h","c"]', '["h"]'),
        ('"end":10', '"end":11'),
        ('"Zeile eins"', "null"),
    ],
)
def test_anything_else_is_refused(before: str, after: str) -> None:
    assert before in STORED
    changed = STORED.replace(before, after)
    if before == '"page':  # a name that nothing knows is passed over
        assert from_bytes(changed.encode()).pages == ()
        return
    with pytest.raises(ValueError, match=r"\S"):
        from_bytes(changed.encode())


def test_pages_that_are_none_are_refused() -> None:
    for wrong in ([[1.0]], [[1.0, True]], [None], "x", None):
        with pytest.raises(ValueError, match=r"\S"):
            decoded(wrong, tuple[Page, ...])
