"""Units: the smallest pieces of a document that can be cited."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.chunking.pieces import body_blocks
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.text.sentences import sentences_with_topics

UNITS_VERSION = "units-5"

_HEADINGS = 3
_MAX_CONTEXT_CHARS = 240
# Without an end a table of one row or a list without stops would be one unit however long.
_MAX_UNIT_CHARS = 1200
# Fewer words ("Table 1.", "Tasks:", a page number) state nothing, unless they are an item of a
# list: "Haemophilia" among the contraindications.
_FEWEST_WORDS = 3
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class UnitSpan:
    """Code points ``start``..``end`` of a document's text, inside the block ``block``.

    ``context`` is what a reader knows before reading it: the innermost headings, for an item of a
    list the sentence that introduces the list, and what the paragraph says first that it is on.
    ``text`` is the unit on one line, the cells of a table row each with its header.
    """

    start: int
    end: int
    block: int
    context: str
    text: str

    @property
    def embedded_text(self) -> str:
        """What the embedder reads."""
        return f"{self.context} : {self.text}" if self.context else self.text


def split_units(document: ParsedDocument) -> tuple[UnitSpan, ...]:
    """Return the sentences, list items, table rows and cues of ``document`` in reading order.

    Headings and header rows are no units: they stand in the context and the cells of others.
    """
    units: list[UnitSpan] = []
    lead_in = ""
    for block in body_blocks(document):
        if block.kind is BlockKind.HEADING or block.is_table_header:
            lead_in = ""
            continue
        is_item = block.kind is BlockKind.LIST_ITEM
        units.extend(
            UnitSpan(
                start,
                end,
                block.ordinal,
                _context(block, lead_in if is_item else "", topic),
                _line(document, block, start, end),
            )
            for start, end, topic in _spans(document, block)
        )
        text = document.block_text(block).rstrip()
        if text.endswith(":"):
            lead_in = " ".join(text.split())
        elif not is_item:
            lead_in = ""
    return tuple(units)


def _spans(document: ParsedDocument, block: Block) -> Iterator[tuple[int, int, str]]:
    if block.kind is BlockKind.TABLE_ROW and block.end - block.start <= _MAX_UNIT_CHARS:
        yield block.start, block.end, ""
        return
    text = document.text[block.start : block.end]
    for (start, end), topic in sentences_with_topics(text):
        if _states(text[start:end], is_item=block.kind is BlockKind.LIST_ITEM):
            yield block.start + start, block.start + end, text[slice(*topic)] if topic else ""


def _states(text: str, *, is_item: bool) -> bool:
    if len(_WORD.findall(text)) >= _FEWEST_WORDS:
        return True
    return is_item and any(map(str.isalpha, text)) and not text.endswith(":")


def _line(document: ParsedDocument, block: Block, start: int, end: int) -> str:
    if block.cells and (start, end) == (block.start, block.end):
        cells = (f"{name}: {cell}" if name else cell for name, cell in block.cells)
        return " ".join(" | ".join(cells).split())
    return " ".join(document.text[start:end].split())


def _context(block: Block, lead_in: str, topic: str) -> str:
    parts = [*block.heading_path[-_HEADINGS:], lead_in, topic]
    return " > ".join(" ".join(part.split()) for part in parts if part)[-_MAX_CONTEXT_CHARS:]
