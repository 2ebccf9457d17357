"""Whose device a document speaks of: what another one's documents state is never the device's."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.needs import Request
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer


def of_the_device(request: Request, documents: Sequence[DocumentRecord]) -> Request:
    """Return ``request`` without the documents on predicates, where the prompt speaks of none of
    them, neither by the word nor by a number; what it names itself stays allowed."""
    predicates = [record for record in documents if record.layer is Layer.PREDICATES]
    topic = request.topic.casefold()
    numbers = [r.metadata.k_number.casefold() for r in predicates if r.metadata.k_number]
    if "predicate" in topic or any(number in topic for number in numbers):
        return request
    files = frozenset(record.file for record in predicates)
    needs = tuple(
        replace(need, scope=replace(need.scope, excluded=need.scope.excluded | files))
        if need.scope.layers >= ALWAYS_SEARCHED
        else need
        for need in request.needs
    )
    return replace(request, needs=needs)
