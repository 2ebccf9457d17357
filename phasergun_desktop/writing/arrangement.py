"""How evidence stands on the page: what is a list, where a paragraph begins, what introduces it.

These are the joints that a rule can make: they add no word that is not the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby, takewhile

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.planning.verbatim import as_written, is_item
from phasergun_desktop.projects.layers import Layer

_ENDS = (".", "!", "?")
# A longer lead-in states more than what its list is about.
_LONGEST_LEAD_IN = 30
# A row has the place of its table instead, from 0.
_PROSE, _LIST = -1, -2


@dataclass(frozen=True, slots=True)
class Arranged:
    """A span with its place: ``is_listed``: it is one of several items; ``opens``: a paragraph
    begins with it, ``begins``: a list or a table. ``of`` names the predicate's document that it
    is from where it stands among others (``""``: not so). ``columns`` are those of its table."""

    span: CandidateSpan
    is_listed: bool
    opens: bool
    begins: bool = False
    of: str = ""
    columns: tuple[str, ...] = ()


def arranged(
    spans: Sequence[CandidateSpan], parsed: Callable[[int], ParsedDocument]
) -> list[Arranged]:
    """Return ``spans``, in their order, with their places on the page; ``parsed`` gives a document
    by its id.

    Items of one section that follow each other are a list; so is one alone that something
    introduces: "You have a pacemaker" is false without its "Do not use it if:". Rows of one table
    are a table of the columns that any of them has. A paragraph is what one section states; single
    sentences of one document share theirs. A reader must see whose statement it is: what a
    predicate's document says among others says which one.
    """
    is_mixed = len({span.passage.layer is Layer.PREDICATES for span in spans}) > 1
    placed: list[Arranged] = []
    before = 0
    for (file, _), group in groupby(spans, key=_section):
        run = list(group)
        is_other_file = not placed or placed[-1].span.passage.file != file
        opens = is_other_file or max(before, len(run)) > 1
        before = len(run)
        document = parsed(run[0].passage.document_id)
        for (form, every), part in groupby(run, key=partial(_form, document=document)):
            alike = list(part)
            is_listed = form == _LIST and (len(alike) > 1 or _is_led(alike[0], document))
            begins = is_listed or form not in (_PROSE, _LIST)
            named = {name for span in alike for name, _ in span.block.cells}
            columns = tuple(name for name in every if name in named)
            for span in alike:
                of = document_name(span) if is_mixed and opens else ""
                placed.append(Arranged(span, is_listed, opens, begins, of, columns))
                opens = begins = False
    return placed


def _is_led(span: CandidateSpan, document: ParsedDocument) -> bool:
    return is_item(span) and introduction(span, document) is not None


def _form(span: CandidateSpan, document: ParsedDocument) -> tuple[int, tuple[str, ...]]:
    """Return whether ``span`` is prose, an item or a row (then of which table), and the columns."""
    if span.block.kind is BlockKind.TABLE_ROW:
        return columns_of(span, document)
    return (_LIST if is_item(span) or as_written(span)[1] is UnitKind.LIST_ITEM else _PROSE), ()


def document_name(span: CandidateSpan) -> str:
    """Return the title of the predicate's document of ``span``; ``""`` for any other document."""
    return span.passage.title if span.passage.layer is Layer.PREDICATES else ""


def introduction(first: CandidateSpan, document: ParsedDocument) -> CandidateSpan | None:
    """Return what introduces the list or the table of ``first`` in its ``document``: the lead-in
    before it ("The kit contains:"), else the heading above it that is not the document's title."""
    may_lead = True
    for block in reversed([each for each in document.blocks if each.start < first.block.start]):
        text = document.block_text(block)
        is_heading = block.kind is BlockKind.HEADING
        if is_heading:
            is_found = first.block.heading_path[-1:] == (" ".join(text.split()),)
            is_found = is_found and text != first.passage.title
        elif not may_lead or block.kind is not BlockKind.PARAGRAPH:
            continue
        else:
            may_lead = False
            is_found = text.endswith(":") and len(text.split()) <= _LONGEST_LEAD_IN
        if is_found and not is_instruction_like(text):
            start, end = block.start, block.end
            return CandidateSpan(first.passage, block, start, end, text, first.context)
        if is_heading:
            break
    return None


def columns_of(span: CandidateSpan, document: ParsedDocument) -> tuple[int, tuple[str, ...]]:
    """Return the place of the table of ``span``, a row, in its ``document``, and the columns that
    any of its rows has, in order: a row has no cell where it says nothing. Rows whose columns
    share a name are tables by themselves."""
    blocks = document.blocks
    at = span.block.ordinal
    while at and _is_row(blocks[at - 1]) and not blocks[at].is_table_header:
        at -= 1
    rows = takewhile(lambda each: _is_row(each) and not each.is_table_header, blocks[at + 1 :])
    columns: dict[str, None] = {}
    for row in (blocks[at], *rows):
        names = [cell if row.is_table_header else name for name, cell in row.cells]
        if len(set(names)) < len(names):
            return span.block.ordinal, ()
        columns.update(dict.fromkeys(names))
    return at, tuple(columns)


def _is_row(block: Block) -> bool:
    return block.kind is BlockKind.TABLE_ROW


def alone(span: CandidateSpan) -> str:
    """Return a line of a list or a form as a sentence."""
    text, _ = as_written(span)
    return text if not text or text.endswith(_ENDS) else f"{text[:1].upper()}{text[1:]}."


def _section(span: CandidateSpan) -> tuple[str, tuple[str, ...]]:
    return span.passage.file, span.block.heading_path
