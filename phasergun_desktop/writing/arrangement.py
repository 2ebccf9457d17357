"""How evidence stands on the page: what is a list, where a paragraph begins, what introduces it.

These are the joints that a rule can make: they add no word that is not the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby, takewhile

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, part_of
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.planning.verbatim import as_written, is_item
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.sentences import (
    sentences_with_topics,
    without_heading_number,
    without_list_mark,
)

_ENDS = (".", "!", "?")
_CLOSING = "\"'”’)]"
_AT_THE_END = ":. "
# What one section states in so many lines or more stands under its heading.
_FEWEST_UNDER_A_HEADING = 2
# A longer lead-in states more than what its list is about.
_LONGEST_LEAD_IN = 30
# A row has the place of its table instead, from 0.
_PROSE, _LIST = -1, -2


@dataclass(frozen=True, slots=True)
class Arranged:
    """A span with its place: ``is_listed``: it is of one of several items; ``opens``: a paragraph
    begins with it. ``of`` names the predicate's document that it is from where it stands among
    others (``""``: not so). ``columns`` are those of its table. ``leads`` stand above what begins
    with it (a heading, a lead-in), ``topic`` before it in its paragraph, unless they stand there
    already."""

    span: CandidateSpan
    is_listed: bool
    opens: bool
    of: str = ""
    columns: tuple[str, ...] = ()
    leads: tuple[CandidateSpan, ...] = ()
    topic: CandidateSpan | None = None


def arranged(
    spans: Sequence[CandidateSpan],
    parsed: Callable[[int], ParsedDocument],
    *,
    is_answer: bool = False,
) -> list[Arranged]:
    """Return ``spans``, in their order, with their places on the page; ``parsed`` gives a document
    by its id. ``is_answer``: they answer a question, which says what they are on.

    Items of one section that follow each other are a list; so is one alone that something
    introduces: "You have a pacemaker" is false without its "Do not use it if:". Rows of one table
    are a table of the columns that any of them has. A paragraph is what one section states; single
    sentences of one document share theirs. What one section states in several lines stands under
    its heading, and what another states in one behind its own: it would seem to be of the section
    above. What is taken from the middle of a paragraph stands behind what that says first
    that it is on ("Age of children. …"), and what is taken of one item in one item. A reader must
    see whose statement it is: what a predicate's document says among others says which one.
    """
    is_mixed = len({span.passage.layer is Layer.PREDICATES for span in spans}) > 1
    placed: list[Arranged] = []
    before = 0
    is_below = False
    for (file, _), group in groupby(spans, key=_section):
        run = list(group)
        document = parsed(run[0].passage.document_id)
        heading = _heading_above(run[0], document)
        is_other_file = not placed or placed[-1].span.passage.file != file
        opens = is_other_file or max(before, len(run)) > 1
        before = len(run)
        is_headed = not is_answer and len(run) >= _FEWEST_UNDER_A_HEADING
        topic_at: int | None = None
        of_run: list[Arranged] = []
        for (form, every), part in groupby(run, key=partial(_form, document=document)):
            alike = list(part)
            lead_ins = [None if form == _PROSE else _lead_in(span, document) for span in alike]
            may_stand_alone = is_item(alike[0]) and (lead_ins[0] or heading) is not None
            is_several = len({span.block.ordinal for span in alike}) > 1
            is_listed = form == _LIST and (is_several or may_stand_alone)
            is_led = is_listed or form not in (_PROSE, _LIST)
            is_headed |= is_led and None in lead_ins
            named = {name for span in alike for name, _ in span.block.cells}
            columns = tuple(name for name in every if name in named)
            for span, lead_in in zip(alike, lead_ins, strict=True):
                topic = None if is_answer else _topic(span, document)
                before_it, topic_at = topic_at, topic.start if topic is not None else None
                opens |= not is_listed and before_it != topic_at
                of_run.append(
                    Arranged(
                        span,
                        is_listed,
                        opens,
                        of=document_name(span) if is_mixed and opens else "",
                        columns=columns,
                        leads=(lead_in,) if lead_in is not None and is_led else (),
                        topic=topic if topic is not None and topic.start < span.start else None,
                    )
                )
                opens = False
        if is_headed and heading is not None:
            of_run = [replace(each, leads=(heading, *each.leads)) for each in of_run]
        elif is_below and not is_answer and heading is not None:
            first = of_run[0]
            of_run[0] = replace(first, opens=True, topic=first.topic or heading)
        is_below = is_below or (is_headed and heading is not None)
        placed += of_run
    return placed


def _form(span: CandidateSpan, document: ParsedDocument) -> tuple[int, tuple[str, ...]]:
    """Return whether ``span`` is prose, an item or a row (then of which table), and the columns."""
    if span.block.kind is BlockKind.TABLE_ROW:
        return columns_of(span, document)
    return (_LIST if is_item(span) or as_written(span)[1] is UnitKind.LIST_ITEM else _PROSE), ()


def document_name(span: CandidateSpan) -> str:
    """Return the title of the predicate's document of ``span``; ``""`` for any other document."""
    return span.passage.title if span.passage.layer is Layer.PREDICATES else ""


def _heading_above(span: CandidateSpan, document: ParsedDocument) -> CandidateSpan | None:
    """Return the heading of the section of ``span``."""
    above = reversed([each for each in document.blocks if each.start < span.block.start])
    block = next((each for each in above if each.kind is BlockKind.HEADING), None)
    if block is None:
        return None
    is_its = span.block.heading_path[-1:] == (" ".join(document.block_text(block).split()),)
    return _as_lead(span, block, document) if is_its else None


def _lead_in(first: CandidateSpan, document: ParsedDocument) -> CandidateSpan | None:
    """Return what leads to the list or the table of ``first`` ("The kit contains:")."""
    above = reversed([each for each in document.blocks if each.start < first.block.start])
    leading = (BlockKind.HEADING, BlockKind.PARAGRAPH)
    block = next((each for each in above if each.kind in leading), None)
    if block is None or block.kind is BlockKind.HEADING:
        return None
    text = document.block_text(block)
    is_found = text.endswith(":") and len(text.split()) <= _LONGEST_LEAD_IN
    return _as_lead(first, block, document) if is_found else None


def _as_lead(span: CandidateSpan, block: Block, document: ParsedDocument) -> CandidateSpan | None:
    text = document.block_text(block)
    if is_instruction_like(text):
        return None
    return CandidateSpan(span.passage, block, block.start, block.end, text, span.context)


def _topic(span: CandidateSpan, document: ParsedDocument) -> CandidateSpan | None:
    """Return the sentence of the paragraph of ``span`` that says what it is on, which it may be
    itself."""
    if _is_row(span.block):
        return None
    text, base = document.block_text(span.block), span.block.start
    own = span.start - base
    found = list(sentences_with_topics(text))
    topic = next((topic for (start, _), topic in found if start == own), None)
    topic = topic or next((each for _, each in found if each and each[0] == own), None)
    if topic is None or is_instruction_like(text[slice(*topic)]):
        return None
    return part_of(replace(span, start=base, text=text), *topic)


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
    is_ended = text.rstrip(_CLOSING).endswith(_ENDS)
    return text if not text or is_ended else f"{text[:1].upper()}{text[1:]}."


def label(span: CandidateSpan) -> str:
    """Return a heading, a lead-in or what a paragraph is on as what stands before others."""
    text = without_list_mark(" ".join(span.text.split()))
    if span.block.kind is BlockKind.HEADING:
        text = without_heading_number(text)
    return text if text.endswith("?") else f"{text.rstrip(_AT_THE_END)}:"


def _section(span: CandidateSpan) -> tuple[str, tuple[str, ...]]:
    return span.passage.file, span.block.heading_path
