"""What stands in a text word for word: values of the master record and answers of the bootstrap."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.planning.evidence_edits import states_evidence
from phasergun_desktop.planning.form_words import without_form_words
from phasergun_desktop.planning.model import PlannedNeed, PlannedPoint, PointKind
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.references.model import (
    QuestionAnswer,
    ReferenceKind,
    Resolution,
    SourceValue,
)
from phasergun_desktop.retrieval.model import Passage

# A pair belongs to the need that it resembles most; below this it belongs to none of them.
_MIN_PAIR_SIMILARITY = 0.1


def pairs_of(
    resolution: Resolution, needs: Sequence[Need], embedder: Embedder
) -> dict[str, list[QuestionAnswer]]:
    """Return the answers that the prompt refers to, each at the need that it resembles most."""
    pairs = [
        pair
        for reference in resolution.references
        if reference.kind is ReferenceKind.BOOTSTRAP
        for pair in reference.pairs
    ]
    open_needs = [need for need in needs if need.value is None]
    if not pairs or not open_needs:
        return {}
    topics = embedder.embed([need.heading or need.query for need in open_needs])
    found: dict[str, list[QuestionAnswer]] = {}
    for pair in pairs:
        vector = embedder.embed([f"{pair.question} {pair.answer.text}"])[0]
        similarity = topics @ vector
        best = int(similarity.argmax())
        if float(similarity[best]) >= _MIN_PAIR_SIMILARITY:
            found.setdefault(open_needs[best].need_id, []).append(pair)
    return found


def without_pairs_documents(
    request: Request, pairs: Mapping[str, Sequence[QuestionAnswer]]
) -> Request:
    """Return ``request`` without the documents whose answers stand in the text word for word."""
    files = frozenset(pair.answer.file for of_need in pairs.values() for pair in of_need)
    needs = tuple(
        replace(need, scope=replace(need.scope, excluded=need.scope.excluded | files))
        for need in request.needs
    )
    return replace(request, needs=needs)


def without_unstated(
    needs: Sequence[PlannedNeed], points: Sequence[PlannedPoint]
) -> tuple[PlannedNeed, ...]:
    """Return ``needs`` with nothing selected but what stands in the text word for word where no
    point states more: the master record answers."""
    stated = {p.need_id for p in points if states_evidence(p)}
    made = []
    for need in needs:
        if need.need.need_id in stated:
            made.append(need)
            continue
        own = [p for p in points if p.need_id == need.need.need_id]
        values = [p.value for p in own if p.value is not None]
        units = [(unit, any(_holds(unit.passage, v) for v in values)) for unit in need.units]
        made.append(
            replace(need, units=tuple(replace(u, selected=has, is_cell=has) for u, has in units))
        )
    return tuple(made)


def _holds(passage: Passage, value: SourceValue) -> bool:
    is_there = passage.start <= value.start and value.end <= passage.end
    return passage.file == value.file and is_there


def value_point(need: Need, point: PlannedPoint) -> PlannedPoint:
    """Return ``point`` as one that states the value of ``need`` word for word."""
    name = without_form_words(need.label)
    return replace(
        point,
        kind=PointKind.VERBATIM,
        instruction=f"{name[:1].upper()}{name[1:]}:",
        value=need.value,
        passages=(),
        evidence=(),
    )
