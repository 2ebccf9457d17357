"""Units of the index read together with a query by the cross-encoder."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.unit_table import UnitTable
from phasergun_desktop.planning.features import Column
from phasergun_desktop.planning.pair_reading import PairReader, pair_text


class UnitReader:
    """Reads the units at rows of a table of ``units``, which are of ``documents``."""

    def __init__(self, units: UnitIndex, reader: PairReader) -> None:
        self._units = units
        self._reader = reader

    @property
    def warnings(self) -> tuple[str, ...]:
        """Why the cross-encoder could not be used the last time, and what follows."""
        return self._reader.warnings

    def belonging(
        self,
        prompt: str,
        table: UnitTable,
        rows: Sequence[int],
        documents: Sequence[DocumentRecord],
    ) -> Column | None:
        """Return the log odds that each unit belongs into what ``prompt`` asks for, shape (rows,);
        None where there are none or the cross-encoder cannot be used."""
        texts = self._texts(table, rows, documents)
        return self._reader.belonging(prompt, texts) if texts else None

    def answering(
        self,
        question: str,
        table: UnitTable,
        rows: Sequence[int],
        documents: Sequence[DocumentRecord],
    ) -> Column | None:
        """Return the log odds that each unit answers ``question``, shape (rows,); None where there
        are none or the cross-encoder cannot be used."""
        texts = self._texts(table, rows, documents)
        return self._reader.answering(question, texts) if texts else None

    def _texts(
        self, table: UnitTable, rows: Sequence[int], documents: Sequence[DocumentRecord]
    ) -> list[str]:
        files = {each.document_id: each.file for each in documents}
        of_rows = [files[document] for document in table.documents[[*rows]].tolist()]
        texts = self._units.texts(table, rows)
        return [pair_text(file, *text) for file, text in zip(of_rows, texts, strict=True)]
