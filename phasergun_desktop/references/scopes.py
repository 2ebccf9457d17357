"""@scopes: the documents that each of them means."""

from __future__ import annotations

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.labels import LAYER_OF_SCOPE, SCOPE_WORDS
from phasergun_desktop.references.notation import ScopeName
from phasergun_desktop.references.outcome import Outcome, Place

_LAYERS: dict[ScopeName, frozenset[Layer]] = {
    **{scope: frozenset({layer}) for scope, layer in LAYER_OF_SCOPE.items()},
    ScopeName.COMPANY_PROCESSES: PROCEDURES,
}


def resolve_scope(
    scope: ScopeName, place: Place, catalog: DocumentCatalog, named_bootstraps: frozenset[str]
) -> Outcome:
    """Resolve an ``@scope``; ``named_bootstraps`` are the files that brackets of the prompt name.

    A scope without documents resolves: it allows nothing, which is reported as thin.
    """
    label = SCOPE_WORDS[scope]
    layers = _LAYERS.get(scope)
    if layers is not None:
        return place.restriction(label, catalog.in_layers(layers), layers)
    return place.restriction(label, _by_kind(scope, catalog, named_bootstraps))


def _by_kind(
    scope: ScopeName, catalog: DocumentCatalog, named_bootstraps: frozenset[str]
) -> tuple[DocumentRecord, ...]:
    if scope is ScopeName.DOCUMENT_BOOTSTRAPS:
        return tuple(each for each in catalog.documents if each.file in named_bootstraps)
    if scope is ScopeName.US_REGULATIONS:
        return catalog.us_regulations()
    return catalog.standards()
