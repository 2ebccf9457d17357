"""A step that its procedure writes as a list stands in the draft as that list, word for word.

Measured on two procedures: told to make sentences of list items, a model of 1.5 billion parameters
joined steps that have nothing to do with each other and left records out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.text_units import without_heading_number
from phasergun_desktop.retrieval.model import Passage

_LISTED = (BlockKind.LIST_ITEM, BlockKind.TABLE_ROW)
_MIN_ITEMS = 2
_MOST_BLOCKS = 20
_LISTED_SHARE = 0.7


@dataclass(frozen=True, slots=True)
class ListedStep:
    """The blocks of a step in order, each as a span; ``heading`` is the one above them."""

    heading: CandidateSpan | None
    spans: tuple[CandidateSpan, ...]

    @property
    def title(self) -> str:
        """The words of the heading without its number, ``""`` without one."""
        if self.heading is None:
            return ""
        return without_heading_number(" ".join(self.heading.text.split()))


def listed_step(
    passages: Sequence[Passage], parsed: Callable[[int], ParsedDocument]
) -> ListedStep | None:
    """Return the step where nearly all of its only passage is list items, rows and the lines
    that lead to them; None where it is prose."""
    if len(passages) != 1:
        return None
    passage = passages[0]
    document = parsed(passage.document_id)
    inside = [
        block
        for block in document.blocks
        if passage.start <= block.start and block.end <= passage.end
        if block.kind.is_body and block.kind is not BlockKind.HEADING and not block.is_table_header
    ]
    spans = tuple(_span(passage, document, block) for block in inside)
    listed = sum(block.kind in _LISTED for block in inside)
    leads = sum(is_lead_in(span) for span in spans)
    if not listed >= _MIN_ITEMS or len(inside) > _MOST_BLOCKS:
        return None
    if listed + leads < _LISTED_SHARE * len(inside):
        return None
    if any(is_instruction_like(span.text) for span in spans):
        return None
    above = [b for b in document.blocks[: inside[0].ordinal] if b.kind is BlockKind.HEADING]
    heading = _span(passage, document, above[-1]) if above else None
    return ListedStep(heading, spans)


def is_lead_in(span: CandidateSpan) -> bool:
    """Whether ``span`` is a line that leads to a list."""
    return span.block.kind not in _LISTED and span.text.rstrip().endswith(":")


def _span(passage: Passage, document: ParsedDocument, block: Block) -> CandidateSpan:
    text = document.text[block.start : block.end]
    context = " ".join((passage.title, *block.heading_path))
    return CandidateSpan(passage, block, block.start, block.end, text, context)
