"""Chunks of transcripts: turns together, never across a long pause."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from phasergun_desktop.chunking.model import Chunker, ChunkSpan
from phasergun_desktop.chunking.pieces import Piece, common_path, pieces_of
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument, TimeLocator

# A silence after which people speak of something else. Chunks take theirs from the profile,
# windows (which all profiles share) this one.
LONG_PAUSE_S = 8.0


def pause_s(previous: Block, block: Block) -> float:
    """Return the silence between two cues in seconds; 0 for blocks without times."""
    before, after = previous.locator, block.locator
    if isinstance(before, TimeLocator) and isinstance(after, TimeLocator):
        return max(0.0, after.start_s - before.end_s)
    return 0.0


def speakers_path(blocks: Iterable[Block]) -> tuple[str, ...]:
    """Return what stands for the heading of a stretch of a transcript: who speaks in it.

    One text with the names in the order of their first words, or nothing.
    """
    names = dict.fromkeys(
        block.locator.speaker
        for block in blocks
        if isinstance(block.locator, TimeLocator) and block.locator.speaker
    )
    return (", ".join(names),) if names else ()


def stretch(blocks: list[Block]) -> TimeLocator | None:
    """Return the first and last time of ``blocks``, with the speaker if there is just one."""
    places = [block.locator for block in blocks if isinstance(block.locator, TimeLocator)]
    if not places:
        return None
    speakers = {place.speaker for place in places}
    speaker = speakers.pop() if len(speakers) == 1 else None
    return TimeLocator(places[0].start_s, max(place.end_s for place in places), speaker)


@dataclass(frozen=True, slots=True)
class TranscriptChunker:
    """Joins cues to ``target_chars`` and on to the end of the turn, at most ``max_chars``.

    A chunk ends at a silence of more than ``pause_s`` seconds. Its heading path is who speaks.
    """

    target_chars: int = 3000
    max_chars: int = 4000
    pause_s: float = 30.0

    @property
    def identity(self) -> str:
        """Strategy, version and sizes."""
        return f"transcripts-1({self.target_chars},{self.max_chars},{self.pause_s:g})"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        chunks: list[ChunkSpan] = []
        group: list[Piece] = []
        for piece in pieces_of(document, self.max_chars):
            if group and self._ends(document, group, piece):
                chunks.append(_chunk(document, group))
                group = []
            group.append(piece)
        if group:
            chunks.append(_chunk(document, group))
        return tuple(chunks)

    def _ends(self, document: ParsedDocument, group: list[Piece], piece: Piece) -> bool:
        last, following = document.blocks[group[-1].block], document.blocks[piece.block]
        if pause_s(last, following) > self.pause_s or piece.end - group[0].start > self.max_chars:
            return True
        is_full = group[-1].end - group[0].start >= self.target_chars
        return is_full and speakers_path([last]) != speakers_path([following])


@dataclass(frozen=True, slots=True)
class ByKindChunker:
    """Cuts transcripts with ``transcripts`` and everything else with ``usual``."""

    usual: Chunker
    transcripts: Chunker

    @property
    def identity(self) -> str:
        """Those of both chunkers."""
        return f"{self.usual.identity}+{self.transcripts.identity}"

    def chunk(self, document: ParsedDocument) -> tuple[ChunkSpan, ...]:
        """Return the chunks in reading order. Together they cover every body block."""
        is_transcript = any(block.kind is BlockKind.CUE for block in document.blocks)
        return (self.transcripts if is_transcript else self.usual).chunk(document)


def _chunk(document: ParsedDocument, group: list[Piece]) -> ChunkSpan:
    blocks = document.blocks[group[0].block : group[-1].block + 1]
    path = speakers_path(blocks) or common_path([piece.path for piece in group])
    return ChunkSpan(group[0].start, group[-1].end, group[0].block, group[-1].block, path)
