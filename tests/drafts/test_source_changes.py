"""What became of a quote when its file changed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState, place_now
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.projects.layers import Layer

FILE = "Context/Ongoing/report.md"
ALARM = "The alarm sounds at 42.5 °C with 78 dB at a distance of one metre."
OTHERS = (
    "The outlet temperature stays within 1.5 °C of the set point.",
    "The leakage current measured 12 µA in normal condition.",
)


def built(made: DocumentBuilder) -> ParsedDocument:
    return ParsedDocument("md", "text/markdown", made.text, made.blocks, DocumentMetadata(), "v1")


def document(*paragraphs: str, heading: str = "Alarm behaviour") -> ParsedDocument:
    made = DocumentBuilder()
    made.add(BlockKind.HEADING, heading, LineLocator(1), level=1)
    for line, text in enumerate(paragraphs, start=2):
        made.add(BlockKind.PARAGRAPH, text, LineLocator(line))
    return built(made)


def record(sha256: str = "new") -> DocumentRecord:
    return DocumentRecord(
        7, FILE, Layer.ONGOING, sha256, "md", "Report", "", "", (), "", DocumentMetadata()
    )


def cited(source: ParsedDocument, quote: str) -> Footnote:
    start = source.text.index(quote)
    block = next(b for b in source.blocks if b.start <= start < b.end)
    return Footnote(
        3, "context", f"[3] Context: {FILE}, line 2", "Report", FILE, "old", Layer.ONGOING,
        ChunkId("c-old"), block.block_id, 0.9, block.heading_path, block.locator, quote,
        start, start + len(quote), revision="B",
    )  # fmt: skip


def now(note: Footnote, source: ParsedDocument) -> SourceChange:
    return place_now(note, record(), source, lambda _id, _start, _end: ChunkId("c-new"))


NOTE = cited(document(ALARM, *OTHERS), ALARM)


def test_a_quote_that_stands_word_for_word_moved_silently() -> None:
    changed = document("A new first paragraph.", *OTHERS, ALARM)
    found = now(NOTE, changed)
    assert found.state is SourceState.MOVED
    place = found.place
    assert place is not None
    assert (place.quote, changed.text[place.start : place.end]) == (ALARM, ALARM)
    assert (place.sha256, place.number, place.chunk_id) == ("new", 3, "c-new")
    assert place.block_id != NOTE.block_id
    assert place.rendered == f"[3] Context: {FILE}, Alarm behaviour, line 5"
    assert (place.kind, place.layer, place.revision) == ("context", Layer.ONGOING, "B")


def test_other_line_breaks_are_no_other_words() -> None:
    changed = document(ALARM.replace(" with ", "\nwith  "))
    found = now(NOTE, changed)
    assert found.state is SourceState.MOVED
    assert found.place is not None
    assert found.place.quote == changed.text[found.place.start : found.place.end]
    assert found.place.quote.split() == ALARM.split()


def test_of_several_places_the_one_in_its_section_is_taken() -> None:
    made = DocumentBuilder()
    for heading in ("Summary", "Alarm behaviour", "Annex"):
        made.add(BlockKind.HEADING, heading, LineLocator(1), level=1)
        made.add(BlockKind.PARAGRAPH, ALARM, LineLocator(2))
    changed = built(made)
    place = now(NOTE, changed).place
    assert place is not None
    assert place.heading_path == ("Alarm behaviour",)


@pytest.mark.parametrize(
    "text",
    [
        ALARM.replace("42.5", "41.0"),
        ALARM.replace("42.5", "142.5"),
        ALARM.replace("sounds", "does not sound"),
        "Since revision C, the over-temperature alarm sounds at 41.0 °C with 78 dB at one metre.",
        ALARM.replace("with 78 dB ", ""),
    ],
)
def test_other_words_at_its_place_are_found(text: str) -> None:
    changed = document(OTHERS[0], text, OTHERS[1])
    found = now(NOTE, changed)
    assert found.state is SourceState.CHANGED
    assert found.place is not None
    assert found.place.quote == text


def test_a_quote_of_one_sentence_is_followed_among_its_neighbours() -> None:
    before = document(f"{OTHERS[0]} {ALARM} {OTHERS[1]}")
    after = document(f"{OTHERS[0]} {ALARM.replace('42.5', '41.0')} {OTHERS[1]}")
    found = now(cited(before, ALARM), after)
    assert found.place is not None
    assert found.place.quote == ALARM.replace("42.5", "41.0")


@pytest.mark.parametrize("texts", [OTHERS, ("Nothing of it is left.",), ()])
def test_what_is_no_longer_there_is_gone(texts: tuple[str, ...]) -> None:
    found = now(NOTE, document(*texts))
    assert (found.state, found.place) == (SourceState.GONE, None)


def test_a_row_of_a_table_is_followed_as_a_row() -> None:
    def table(value: str) -> ParsedDocument:
        made = DocumentBuilder()
        for line, cells in enumerate((("Attribute", "Value"), ("Weight", value)), start=1):
            pairs = tuple(zip(("Attribute", "Value"), cells, strict=True))
            text = " | ".join(f"{h}: {c}" for h, c in pairs)
            made.add(
                BlockKind.TABLE_ROW, text, LineLocator(line), cells=pairs, is_table_header=line == 1
            )
        return built(made)

    note = cited(table("3.2 kg"), "Attribute: Weight | Value: 3.2 kg")
    note = replace(note, heading_path=())
    found = now(note, table("3.4 kg"))
    assert found.state is SourceState.CHANGED
    assert found.place is not None
    assert found.place.quote == "Attribute: Weight | Value: 3.4 kg"
