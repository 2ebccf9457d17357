"""How evidence stands on the page: what is a list, where a paragraph begins, what introduces it.

These are the joints that a rule can make: they add no word that is not the source's.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import groupby

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import CandidateSpan, part_of, table_around
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.planning.verbatim import as_written, heads_paper, is_item
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.sentences import (
    sentences_with_topics,
    without_heading_number,
    without_list_mark,
)

_ENDS = (".", "!", "?")
_CLOSING = "\"'”’)]"
# What one section states in so many lines or more stands under its heading.
_FEWEST_UNDER_A_HEADING = 2
# A longer lead-in, or heading, states more than what it stands above.
_LONGEST_LEAD_IN = 30
# A row has the place of its table instead, from 0.
_PROSE, _LIST = -1, -2


@dataclass(frozen=True, slots=True)
class Arranged:
    """A span with its place: ``is_listed``: it is of one of several items; ``opens``: a paragraph
    begins with it. ``of`` names the predicate's document that it is from where it stands among
    others (``""``: not so). ``columns`` are those of its table. ``leads`` are the heading and the
    lead-in that it stands under, ``topic`` what it stands behind in its paragraph."""

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
    topics = _Topics(parsed)
    placed: list[Arranged] = []
    before, is_below = 0, False
    for (file, _), group in groupby(spans, key=_section):
        run = list(group)
        document = parsed(run[0].passage.document_id)
        made = _listed(run, document) if is_answer else topics.of(_listed(run, document))
        heading = _heading_above(run[0], document)
        is_other_file = not placed or placed[-1].span.passage.file != file
        opens = is_other_file or max(before, len(run)) > 1
        before = len(run)
        is_several = len(run) >= _FEWEST_UNDER_A_HEADING and not is_answer
        is_headed = any(not e.leads and (is_several or _is_line(e)) for e in made)
        if heading is not None and is_headed:
            made = [replace(each, leads=(heading, *each.leads)) for each in made]
            is_below = True
        elif heading is not None and is_below and not is_answer and not made[0].leads:
            opens = True
            made[0] = replace(made[0], topic=made[0].topic or heading)
        made[0] = replace(made[0], opens=opens or made[0].opens)
        placed += [
            replace(e, of=document_name(e.span)) if is_mixed and e.opens else e for e in made
        ]
    return placed


def _listed(run: Sequence[CandidateSpan], document: ParsedDocument) -> list[Arranged]:
    """Return what is a list and what a table of a ``run`` of one section, with its lead-ins."""
    made: list[Arranged] = []
    for (form, every), part in groupby(run, key=partial(_form, document=document)):
        alike = list(part)
        if form == _PROSE:
            made += [Arranged(span, is_listed=False, opens=False) for span in alike]
            continue
        leads = [_lead_in(span, document) for span in alike]
        is_led = is_item(alike[0]) and (leads[0] or _heading_above(alike[0], document)) is not None
        is_several = len({span.block.ordinal for span in alike}) > 1
        is_listed = form == _LIST and (is_several or is_led)
        is_bare = form == _LIST and not is_listed
        named = {name for span in alike for name, _ in span.block.cells}
        columns = tuple(name for name in every if name in named)
        made += [
            Arranged(
                span,
                is_listed,
                opens=False,
                columns=columns,
                leads=() if lead is None or is_bare else (lead,),
            )
            for span, lead in zip(alike, leads, strict=True)
        ]
    return made


def _is_line(placed: Arranged) -> bool:
    return placed.is_listed or _is_row(placed.span.block)


class _Topics:
    """What paragraphs are on, by their places in the documents that are ``parsed``."""

    def __init__(self, parsed: Callable[[int], ParsedDocument]) -> None:
        self._parsed = parsed
        self._known: dict[tuple[int, int], dict[int, tuple[int, int]]] = {}

    def of(self, run: Sequence[Arranged]) -> list[Arranged]:
        """Return ``run`` with the topics: what is on another one than what stands before it opens a
        paragraph, but for the items of a list."""
        made: list[Arranged] = []
        before: tuple[int, int] | None = None
        for placed in run:
            topic = self._topic(placed.span)
            at = (placed.span.block.start, topic.start) if topic is not None else None
            opens = placed.opens or (at != before and not placed.is_listed)
            before = at
            is_other = topic is not None and topic.start < placed.span.start
            made.append(replace(placed, opens=opens, topic=topic if is_other else None))
        return made

    def _topic(self, span: CandidateSpan) -> CandidateSpan | None:
        """Return the sentence of the paragraph of ``span`` that says what it is on, which it may be
        itself."""
        if _is_row(span.block):
            return None
        text = self._parsed(span.passage.document_id).block_text(span.block)
        block = span.passage.document_id, span.block.start
        if block not in self._known:
            found = list(sentences_with_topics(text))
            topics = {topic[0]: topic for _, topic in found if topic is not None}
            topics |= {start: topic for (start, _), topic in found if topic is not None}
            self._known[block] = topics
        place = self._known[block].get(span.start - span.block.start)
        if place is None:
            return None
        topic = part_of(replace(span, start=span.block.start, text=text), *place)
        return topic if as_written(topic)[0] and not heads_paper(topic.text) else None


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
    above = reversed(document.blocks[: span.block.ordinal])
    block = next((each for each in above if each.kind is BlockKind.HEADING), None)
    if block is None:
        return None
    is_its = span.block.heading_path[-1:] == (" ".join(document.block_text(block).split()),)
    return _as_lead(span, block, document) if is_its else None


def _lead_in(span: CandidateSpan, document: ParsedDocument) -> CandidateSpan | None:
    """Return what leads to the list or the table of ``span`` ("The kit contains:")."""
    above = reversed(document.blocks[: span.block.ordinal])
    leading = (BlockKind.HEADING, BlockKind.PARAGRAPH)
    block = next((each for each in above if each.kind in leading), None)
    if block is None or block.kind is BlockKind.HEADING:
        return None
    is_found = document.block_text(block).endswith(":")
    return _as_lead(span, block, document) if is_found else None


def _as_lead(span: CandidateSpan, block: Block, document: ParsedDocument) -> CandidateSpan | None:
    text = document.block_text(block)
    is_short = any(map(str.isalnum, text)) and len(text.split()) <= _LONGEST_LEAD_IN
    if not is_short or is_instruction_like(text):
        return None
    return CandidateSpan(span.passage, block, block.start, block.end, text, span.context)


def columns_of(span: CandidateSpan, document: ParsedDocument) -> tuple[int, tuple[str, ...]]:
    """Return the place of the table of ``span``, a row, in its ``document``, and the columns that
    any of its rows has, in order: a row has no cell where it says nothing. Rows whose columns
    share a name are tables by themselves."""
    rows = table_around(span.block, document)
    columns: dict[str, None] = {}
    for row in rows:
        names = [cell if row.is_table_header else name for name, cell in row.cells]
        if len(set(names)) < len(names):
            return span.block.ordinal, ()
        columns.update(dict.fromkeys(names))
    return rows[0].ordinal, tuple(columns)


def _is_row(block: Block) -> bool:
    return block.kind is BlockKind.TABLE_ROW


def alone(span: CandidateSpan) -> str:
    """Return a line of a list or a form as a sentence."""
    text, _ = as_written(span)
    is_ended = text.rstrip(_CLOSING).endswith(_ENDS)
    return text if not text or is_ended else f"{text[:1].upper()}{text[1:]}."


def label(span: CandidateSpan) -> str:
    """Return a heading, a lead-in or what a paragraph is on as what stands before others: with a
    colon, unless it asks or has one already ("Convention: shall binds.")."""
    text = without_list_mark(" ".join(span.text.split()))
    is_heading = span.block.kind is BlockKind.HEADING
    if is_heading:
        text = without_heading_number(text)
    is_whole = text.endswith(("?", ":")) or (":" in text and not is_heading)
    return text if is_whole else f"{text.rstrip('. ')}:"


def _section(span: CandidateSpan) -> tuple[str, tuple[str, ...]]:
    return span.passage.file, span.block.heading_path
