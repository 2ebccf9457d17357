"""The text of a draft as its paragraphs, tables and runs, whether it was edited or not."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.drafts.draft_html import from_html
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Run,
    Table,
    rekeyed,
    row_of_unit,
    runs_of_unit,
)
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.grounding.rendering import GroupKind, group_units, paragraphs_of

_KIND_OF = {GroupKind.HEADING: ParagraphKind.HEADING, GroupKind.LIST: ParagraphKind.LIST_ITEM}


def shape_of(draft: Draft) -> DraftShape:
    """Return what stands on the page: ``unit`` of a run is its place in ``draft.units``,
    ``footnote`` its number. What the writer made bold, and where in a sentence a mark stands, is
    in an edited draft only."""
    edited = from_html(draft.edited_html)
    if edited:
        there = range(len(draft.units))
        return rekeyed(edited, lambda at: at if at in there else NO_UNIT, lambda number: number)
    return shape_of_units(draft.units)


def shape_of_units(units: Sequence[DraftSentence]) -> DraftShape:
    """Return units as they were written: see ``shape_of``."""
    pieces: list[Paragraph | Table] = []
    numbers = {number: number for one in units for number in one.cited}
    at = 0
    for group in group_units(units):
        if group.kind is GroupKind.TABLE:
            keyed = enumerate(group.units, start=at)
            pieces.append(Table(tuple(row_of_unit(one, key, numbers) for key, one in keyed)))
            at += len(group.units)
            continue
        for paragraph in paragraphs_of(group):
            runs: list[Run] = []
            for one in paragraph:
                runs += [*([Run(" ")] if runs else []), *runs_of_unit(one, at, numbers)]
                at += 1
            kind = _KIND_OF.get(group.kind, ParagraphKind.TEXT)
            level = paragraph[0].level or (2 if group.kind is GroupKind.HEADING else 0)
            pieces.append(Paragraph(kind, tuple(runs), level))
    return tuple(pieces)
