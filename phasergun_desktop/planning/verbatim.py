"""Spans of a source that stand in a draft word for word: as a sentence, an item or a row."""

from __future__ import annotations

import re

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidate_spans import (
    CandidateSpan,
    first_of_table,
    is_of_a_third_device,
    part_of,
)
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.planning.model import Table
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import without_leading_address, without_list_mark

# What a document says of its own paper: its date, who wrote it.
_OF_THE_PAPER = frozenset(listed("papers", "fields"))
# The line at the foot of a page that a reader of the PDF file could not tell from its text.
_PAGE_NUMBER = re.compile(
    r"\b(?:page|seite|página|pagina)\s+\d+(?:\s+\w+\s+\d+)?\W*$", re.IGNORECASE
)
_LONGEST_OF_THE_PAPER = 12
_PLACE_IN_FORM = re.compile(r"\{[A-Z][A-Z_ ]*\}|_{3,}")
_ENUMERATED = re.compile(r"\s*\((?:\d{1,2}|[a-z]|[ivxl]{1,6})\)\s+\S")
_ENDS = (".", "!", "?")
# What joins an item to the next one; the bullet of the next item may stand on the same line.
_TRAILING = ";, ·•▪‣"


def as_written(span: CandidateSpan) -> tuple[str, UnitKind]:
    """Return the text of ``span`` on one line without the number of its item, and what it is.

    ``""`` for a lead-in (it states nothing without its list or section), a form with a place to be
    filled in, what a predicate's document says of its own predicate, and for text that is aimed at
    the program.
    """
    text = without_list_mark(" ".join(span.text.split())).rstrip(_TRAILING)
    text = without_leading_address(text)
    if (
        text.endswith(":")
        or _PLACE_IN_FORM.search(text)
        or is_of_a_third_device(span)
        or is_instruction_like(text)
    ):
        return "", UnitKind.SENTENCE
    is_whole = text.endswith(_ENDS) and text[:1].isupper() and not is_item(span)
    return text, UnitKind.SENTENCE if is_whole else UnitKind.LIST_ITEM


def is_item(span: CandidateSpan) -> bool:
    """Whether ``span`` is an item of a list in its document: a bullet, or numbered "(1) …"."""
    return span.block.kind is BlockKind.LIST_ITEM or bool(_ENUMERATED.match(span.text))


def heads_paper(text: str) -> bool:
    """Whether ``text`` is a line from the head of a document ("Date: … Chair: …") or the foot of a
    page ("… Page 2")."""
    if len(text.split()) > _LONGEST_OF_THE_PAPER:
        return False
    field, _, value = without_list_mark(text).partition(":")
    is_field = bool(value.strip()) and field.strip().casefold() in _OF_THE_PAPER
    return is_field or bool(_PAGE_NUMBER.search(text))


def without_its_head(span: CandidateSpan) -> CandidateSpan:
    """Return ``span`` without the lines at its beginning that are of the letter or the paper
    ("From: …", a rule), where something follows them."""
    start = 0
    lines = span.text.splitlines(keepends=True)
    for line in lines[:-1]:
        if any(map(str.isalnum, line)) and not heads_paper(line):
            break
        start += len(line)
    return part_of(span, start, len(span.text))


def is_statement(span: CandidateSpan) -> bool:
    """Whether ``span`` can stand in a text: it is more than two words without a number, a question,
    a lone cell or a line that heads a paper. Of 112 lines of two words ("Battery claim.") that were
    judged for the prompts of twelve projects none belongs.

    Nothing else is asked of it. Of what lines without three words in lower case ("Decided: 125 kg
    everywhere.", a name) add to the drafts of 261 judged prompts on six small projects 0.49
    belongs, of everything that is stated 0.58.
    """
    text, _ = as_written(span)
    if span.block.kind is BlockKind.TABLE_ROW:
        return bool(text) and sum(bool(cell.strip()) for _, cell in span.block.cells) > 1
    tells = len(text.split()) > 2 or any(map(str.isdigit, text))
    return tells and not text.endswith("?") and not heads_paper(text)


def table_of(file: str, row: Block, document: ParsedDocument) -> Table | None:
    """Return the table that the block ``row`` of ``document`` stands in, if it is a row: a row has
    no cell where it says nothing, so that its own cells do not tell."""
    if row.kind is not BlockKind.TABLE_ROW:
        return None
    first = first_of_table(row, document)
    header = tuple(cell for _, cell in first.cells) if first.is_table_header else first.ordinal
    return file, row.heading_path, header


def word_for_word(span: CandidateSpan) -> Binding:
    """Return the binding of a span that stands in the draft as it is."""
    return Binding((span,), Support.SUPPORTED, 1.0, ())
