"""The passages of a kept draft as they stand in the index now."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.drafts.kept_plan import KeptPassage
from phasergun_desktop.drafts.source_changes import SourceChange, SourceState, place_now
from phasergun_desktop.grounding.candidate_spans import block_before
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.retrieval.model import Passage


class PassagesNow:
    """Reads the index; safe on any thread that may do so."""

    def __init__(self, documents: IndexedDocuments) -> None:
        self._documents = documents

    def changes(self, footnotes: Sequence[Footnote]) -> tuple[SourceChange, ...]:
        """Return what became of every cited passage whose file is not what it was."""
        records = {record.file: record for record in self._documents.documents()}
        changes = []
        for note in footnotes:
            if not note.file:
                continue
            record = records.get(note.file)
            if record is not None and record.sha256 == note.sha256:
                continue
            if record is None:
                # A file that was only renamed or moved has the content that was cited.
                record = next((r for r in records.values() if r.sha256 == note.sha256), None)
            changes.append(self._place_now(note, record))
        return tuple(changes)

    def _place_now(self, note: Footnote, record: DocumentRecord | None) -> SourceChange:
        if record is None:
            return SourceChange(note, SourceState.MISSING)
        document = self._documents.parsed(record.document_id)
        return place_now(note, record, document, self._chunk_at)

    def _record(self, file: str) -> DocumentRecord | None:
        return next((r for r in self._documents.documents() if r.file == file), None)

    def cited(self, note: Footnote) -> Passage | None:
        """Return the block around the quote as it stands now; None where it is not there."""
        record = self._record(note.file) if note.file else None
        if record is None:
            return None
        document = self._documents.parsed(record.document_id)
        at = note
        if record.sha256 != note.sha256:
            change = self._place_now(note, record)
            if change.state is not SourceState.MOVED or change.place is None:
                return None
            at = change.place
        if document.text[at.start : at.end] != at.quote:
            return None
        block = block_before(document, at.start)
        start, end = min(block.start, at.start), max(block.end, at.end)
        chunk = self._chunk_at(record.document_id, at.start, at.end)
        text = document.text[start:end]
        return Passage.of(record, start, end, text, block.heading_path, chunk, note.score)

    def unchanged(self, kept: Sequence[KeptPassage]) -> list[Passage] | None:
        """Return the passages as they stand in the index, None where one is not as it was."""
        found = []
        for one in kept:
            record = self._record(one.file)
            if record is None or (one.sha256 and record.sha256 != one.sha256):
                return None
            text = self._documents.parsed(record.document_id).text[one.start : one.end]
            if text != one.text:
                return None
            chunk = ChunkId(one.chunk_id or "")
            found.append(Passage.of(record, one.start, one.end, text, one.heading_path, chunk))
        return found

    def _chunk_at(self, document_id: int, start: int, end: int) -> ChunkId | None:
        for chunk in self._documents.chunks(document_id):
            if chunk.start <= start and end <= chunk.end:
                return chunk.chunk_id
        return None

    def widened(self, passages: Sequence[Passage]) -> tuple[Passage, ...]:
        """Return the passages from the chunk before each to the one behind it: what was read may
        be used up, and verbatim spans cost no reading."""
        found: list[Passage] = []
        for passage in passages:
            chunks = self._documents.chunks(passage.document_id)
            at = [
                place
                for place, one in enumerate(chunks)
                if one.start < passage.end and passage.start < one.end
            ]
            near = chunks[max(0, at[0] - 1) : at[-1] + 2] if at else ()
            start = min([passage.start, *(one.start for one in near)])
            end = max([passage.end, *(one.end for one in near)])
            text = self._documents.parsed(passage.document_id).text[start:end]
            wide = replace(passage, start=start, end=end, text=text)
            if wide not in found:
                found.append(wide)
        return tuple(found)
