"""How evidence stands on the page: what is a list, where a paragraph begins, what introduces it.

These are the joints that a rule can make: they add no word that is not the source's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from phasergun_desktop.documents.model import Block, BlockKind
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.planning.verbatim import as_written, is_item
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.sentences import without_heading_number

_ENDS = (".", "!", "?")
# A longer lead-in states more than what its list is about.
_LONGEST_LEAD_IN = 30
# So many statements a section, in the mean, are not overlooked without its heading.
_UNDER_HEADING = 3


@dataclass(frozen=True, slots=True)
class Arranged:
    """A span with its place: ``is_listed``: it is one of several items; ``opens``: a paragraph
    begins with it, under ``heading`` (``""``: none). ``of`` names the predicate's document that it
    is from where it stands among others (``""``: not so)."""

    span: CandidateSpan
    is_listed: bool
    opens: bool
    heading: str = ""
    of: str = ""


def arranged(spans: Sequence[CandidateSpan], *, may_head: bool = False) -> list[Arranged]:
    """Return ``spans``, in their order, with their places on the page.

    Items of one section that follow each other are a list; one alone is none. A paragraph is what
    one section states; single sentences of one document share theirs. Where each section states
    much, it has its heading, if there ``may`` be one. A reader must see whose statement it is:
    what a predicate's document says among others says which one.
    """
    runs = [(section, list(run)) for section, run in groupby(spans, key=_section)]
    has_headings = (
        may_head
        and len(runs) > 1
        and len(spans) >= _UNDER_HEADING * len(runs)
        and all(path for (_, path), _ in runs)
    )
    is_mixed = len({span.passage.layer is Layer.PREDICATES for span in spans}) > 1
    placed: list[Arranged] = []
    before = 0
    for (file, path), run in runs:
        is_other_file = not placed or placed[-1].span.passage.file != file
        opens = has_headings or is_other_file or max(before, len(run)) > 1
        heading = without_heading_number(path[-1]) if has_headings else ""
        before = len(run)
        for is_line, group in groupby(run, key=_is_line):
            lines = list(group)
            for span in lines:
                of = document_name(span) if is_mixed and opens else ""
                placed.append(Arranged(span, is_line and len(lines) > 1, opens, heading, of))
                opens, heading = False, ""
    return placed


def document_name(span: CandidateSpan) -> str:
    """Return the title of the predicate's document of ``span``; ``""`` for any other document."""
    return span.passage.title if span.passage.layer is Layer.PREDICATES else ""


def lead_in(first: CandidateSpan, blocks: Sequence[Block], document: str) -> CandidateSpan | None:
    """Return what introduces the list of ``first`` among the ``blocks`` of its document, whose
    text is ``document`` ("The kit contains:")."""
    for block in reversed([each for each in blocks if each.start < first.block.start]):
        if block.heading_path != first.block.heading_path:
            return None
        if block.kind is BlockKind.LIST_ITEM:
            continue
        text = document[block.start : block.end].strip()
        is_lead = text.endswith(":") and len(text.split()) <= _LONGEST_LEAD_IN
        if block.kind is not BlockKind.PARAGRAPH or not is_lead or is_instruction_like(text):
            return None
        start = document.index(text, block.start)
        return CandidateSpan(first.passage, block, start, start + len(text), text, first.context)
    return None


def alone(span: CandidateSpan) -> str:
    """Return a line of a list or a form as a sentence."""
    text, _ = as_written(span)
    return text if not text or text.endswith(_ENDS) else f"{text[:1].upper()}{text[1:]}."


def _section(span: CandidateSpan) -> tuple[str, tuple[str, ...]]:
    return span.passage.file, span.block.heading_path


def _is_line(span: CandidateSpan) -> bool:
    if span.block.kind is BlockKind.TABLE_ROW:
        return False
    return is_item(span) or as_written(span)[1] is UnitKind.LIST_ITEM
