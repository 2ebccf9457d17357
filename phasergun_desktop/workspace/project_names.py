"""The names of things in one project: the user's, and the abbreviations of its documents."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.abbreviations import Abbreviation, agreed
from phasergun_desktop.text.other_names import NamesNow, OtherNames

# What concerns every device has abbreviations of its own for other things.
_LEFT_OUT = frozenset({Layer.GENERAL, Layer.REGULATORY_STRATEGY})


class ProjectNames:
    """Gives the names as ``users`` gives them now, with the abbreviations that the documents of
    ``store`` define alike. Safe to use from several threads."""

    def __init__(self, store: IndexStore, users: NamesNow) -> None:
        self._store = store
        self._users = users
        self._read: tuple[Sequence[DocumentRecord], tuple[Abbreviation, ...]] | None = None

    def __call__(self) -> OtherNames:
        """Return the names; the documents are looked at anew when the index has other ones."""
        documents, read = self._store.documents(), self._read
        if read is None or read[0] is not documents:
            defined = (
                each
                for record in documents
                if record.layer not in _LEFT_OUT
                for each in record.metadata.abbreviations
            )
            read = self._read = (documents, agreed(defined))
        return replace(self._users(), abbreviations=read[1])
