"""Which units of a draft are written again together, and the draft with what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.renumbering import renumbered
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind

REWRITTEN = (UnitKind.SENTENCE, UnitKind.LIST_ITEM, UnitKind.TODO)


@dataclass(frozen=True, slots=True)
class RewrittenGroup:
    """Neighbouring units (their places in the draft as it was) and what stands there instead:
    ``units`` with the footnotes they add, or none and ``why_kept`` in a sentence. ``lost`` are
    values and names that the old ones stated and the new ones do not."""

    indices: tuple[int, ...]
    units: tuple[DraftSentence, ...] = ()
    footnotes: tuple[Footnote, ...] = ()
    why_kept: str = ""
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Regeneration:
    """The draft with what was rewritten, footnotes numbered by first use, and each group;
    ``warning`` says why nothing was kept of it."""

    draft: Draft
    groups: tuple[RewrittenGroup, ...]
    warning: str = ""


def with_edits(draft: Draft, edits: Sequence[Edit]) -> Draft:
    """Return the draft with ``edits`` behind those it has."""
    return replace(draft, edits=(*draft.edits, *edits))


def now() -> str:
    """Return the time as drafts keep it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def groups_of(draft: Draft, indices: Sequence[int]) -> list[tuple[int, ...]]:
    """Return the rewritable units among ``indices``, neighbours of one point and paragraph
    together."""
    groups: list[list[int]] = []
    for index in sorted(set(indices)):
        unit = draft.units[index]
        if unit.kind not in REWRITTEN or unit.is_header:
            continue
        last = groups[-1][-1] if groups else -2
        joins = (
            last == index - 1
            and not unit.starts_paragraph
            and unit.kind is UnitKind.SENTENCE
            and draft.units[last].kind is UnitKind.SENTENCE
            and draft.units[last].point == unit.point
        )
        if joins:
            groups[-1].append(index)
        else:
            groups.append([index])
    return [tuple(group) for group in groups]


def with_groups(draft: Draft, groups: Sequence[RewrittenGroup]) -> Draft:
    """Return the draft with the new units of ``groups``, footnotes numbered by first use."""
    first = {group.indices[0]: group for group in groups if group.units}
    gone = {index for group in first.values() for index in group.indices}
    units: list[DraftSentence] = []
    for index, unit in enumerate(draft.units):
        if index in first:
            units.extend(first[index].units)
        elif index not in gone:
            units.append(unit)
    notes = (*draft.footnotes, *(note for group in first.values() for note in group.footnotes))
    made, kept = renumbered(units, notes)
    edits = [
        Edit(
            now(),
            EditKind.REGENERATED,
            " ".join(draft.units[index].text for index in group.indices),
            " ".join(unit.text for unit in group.units),
        )
        for group in first.values()
    ]
    if not first:
        return draft
    # The editor's own form is of the text before; it is made again when the draft is opened.
    return with_edits(replace(draft, units=made, footnotes=kept, edited_html=""), edits)
