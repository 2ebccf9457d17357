"""Which chunker a profile uses for which documents."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.chunking.model import Chunker
from phasergun_desktop.chunking.paragraphs import ParagraphChunker
from phasergun_desktop.chunking.sections import SectionChunker
from phasergun_desktop.chunking.separators import SeparatorChunker
from phasergun_desktop.chunking.transcripts import ByKindChunker, TranscriptChunker
from phasergun_desktop.profiles.model import ChunkingSettings, ChunkRules, ChunkStrategy, TextUnit

# English regulatory text has 4 to 5 characters a word piece; the lower figure keeps a chunk
# below its size in tokens.
_CHARS_PER_TOKEN = 4


@dataclass(frozen=True, slots=True)
class Chunking:
    """The chunkers of a profile: one for procedures, one for everything else.

    Both cut transcripts in the same way.
    """

    procedures: Chunker
    context: Chunker

    def for_document(self, *, is_procedure: bool) -> Chunker:
        """Return the chunker for a document."""
        return self.procedures if is_procedure else self.context


def chunking_for(settings: ChunkingSettings) -> Chunking:
    """Return the chunkers that a profile's settings ask for."""
    transcripts = _chunker(settings.transcripts)
    return Chunking(
        ByKindChunker(_chunker(settings.procedures), transcripts),
        ByKindChunker(_chunker(settings.context), transcripts),
    )


def _chunker(rules: ChunkRules) -> Chunker:
    factor = _CHARS_PER_TOKEN if rules.unit is TextUnit.TOKENS else 1
    minimum, target, maximum, overlap = (
        size * factor for size in (rules.minimum, rules.target, rules.maximum, rules.overlap)
    )
    match rules.strategy:
        case ChunkStrategy.SECTIONS:
            return SectionChunker(minimum, maximum, overlap)
        case ChunkStrategy.SEPARATORS:
            return SeparatorChunker(target, overlap, rules.separators, rules.search_share)
        case ChunkStrategy.PARAGRAPHS:
            return ParagraphChunker(target, overlap, maximum)
        case ChunkStrategy.TRANSCRIPTS:
            return TranscriptChunker(target, maximum, rules.pause_s)
