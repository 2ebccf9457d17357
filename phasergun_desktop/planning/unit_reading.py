"""Units of the index read together with a query by the cross-encoder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from phasergun_desktop.embedding.cross_encoder import UnitRun
from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.unit_table import UnitTable
from phasergun_desktop.planning.features import Column, Rows
from phasergun_desktop.planning.pair_reading import PairModel, pair_text, title_of
from phasergun_desktop.text.other_names import NamesNow, OtherNames

_Read = TypeVar("_Read")

_BY_SELECTOR = "What answers was chosen by a weaker rule, which refuses and errs more often."


class UnitReader:
    """Reads the units at rows of a table of ``units``, which are of ``documents``, as far as
    ``model``, the cross-encoder, can be used; a query also with the project's other names of its
    things (``names``, as they are now), of which what reads best counts. ``warnings`` say that the
    cross-encoder could not be used the last time, and why."""

    def __init__(self, units: UnitIndex, model: PairModel, names: NamesNow = OtherNames) -> None:
        self._units = units
        self._model = model
        self._names = names
        self.warnings: tuple[str, ...] = ()

    def belonging(
        self,
        prompt: str,
        table: UnitTable,
        rows: Sequence[int],
        documents: Sequence[DocumentRecord],
    ) -> Column | None:
        """Return the log odds that each unit, read among its neighbours, belongs into what
        ``prompt`` asks for, shape (rows,); None where there are none or the cross-encoder cannot be
        used."""
        read = self.belonging_around(prompt, table, rows, documents)
        if read is None:
            return None
        together, odds = read
        return odds[np.searchsorted(together, np.asarray(rows, dtype=np.int64))]

    def belonging_around(
        self,
        prompt: str,
        table: UnitTable,
        rows: Sequence[int],
        documents: Sequence[DocumentRecord],
    ) -> tuple[Rows, Column] | None:
        """Return the units at ``rows`` and their neighbours, as rising rows, with the log odds that
        each belongs into what ``prompt`` asks for; None where there are none or the cross-encoder
        cannot be used."""
        if not len(rows):
            return None
        together = with_neighbours(table, np.asarray(rows, dtype=np.int64))
        texts = self._units.texts(table, together.tolist())
        titles = {each.document_id: title_of(each.file) for each in documents}
        # A run ends where another document begins or the next unit is not read.
        parted = (np.diff(together) != 1) | (np.diff(table.documents[together]) != 0)
        ends = [*(np.flatnonzero(parted) + 1).tolist(), len(together)]
        runs = [
            UnitRun(titles[int(table.documents[together[start]])], tuple(texts[start:end]))
            for start, end in zip([0, *ends], ends, strict=False)
        ]
        read = self._best_of_names(self._model.belonging, prompt, runs)
        return (together, read) if read is not None else None

    def answering(
        self,
        question: str,
        table: UnitTable,
        rows: Sequence[int],
        documents: Sequence[DocumentRecord],
    ) -> Column | None:
        """Return the log odds that each unit answers ``question``, shape (rows,); None where there
        are none or the cross-encoder cannot be used."""
        if not len(rows):
            return None
        files = {each.document_id: each.file for each in documents}
        of_rows = [files[document] for document in table.documents[[*rows]].tolist()]
        texts = self._units.texts(table, rows)
        given = [pair_text(file, *text) for file, text in zip(of_rows, texts, strict=True)]
        return self._best_of_names(self._model.answering, question, given)

    def _best_of_names(
        self,
        read_with: Callable[[str, Sequence[_Read]], Column],
        query: str,
        given: Sequence[_Read],
    ) -> Column | None:
        try:
            variants = self._names().own_variants(query)
            read: Column = np.max([read_with(each, given) for each in variants], axis=0)
        except ModelError as error:
            self.warnings = (f"{_BY_SELECTOR} {error.message} {error.remedy}",)
            return None
        self.warnings = ()
        return read


def with_neighbours(table: UnitTable, rows: Rows) -> Rows:
    """Return ``rows`` of ``table`` and those of the units before and behind each in its document,
    rising."""
    near = rows[:, None] + np.arange(-1, 2)
    inside = near.clip(0, len(table) - 1)
    is_own = (near == inside) & (table.documents[inside] == table.documents[rows][:, None])
    return np.unique(inside[is_own])
