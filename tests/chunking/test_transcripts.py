"""Transcripts are cut at pauses and turns, and say when and who."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.chunking.paragraphs import ParagraphChunker
from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.chunking.transcripts import ByKindChunker, TranscriptChunker
from phasergun_desktop.chunking.windows import pack_windows
from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import (
    BlockKind,
    DocumentMetadata,
    ParsedDocument,
    TimeLocator,
)
from phasergun_desktop.profiles.model import ChunkingSettings, ChunkRules, ChunkStrategy, TextUnit
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.paragraph_reader import parse_paragraphs

Cue = tuple[float, float, str | None, str]
CUES = st.lists(
    st.tuples(
        st.floats(0, 40, allow_nan=False),
        st.floats(0.1, 9, allow_nan=False),
        st.sampled_from([None, "Ann", "Bob"]),
        st.text("abc. ", min_size=1, max_size=90).filter(str.strip),
    ),
    max_size=25,
)


def transcript(cues: list[Cue]) -> ParsedDocument:
    builder = DocumentBuilder()
    turn = 0
    for before, cue in pairwise([None, *cues]):
        if cue is None:
            continue
        start, end, speaker, text = cue
        turn += before is not None and before[2] != speaker
        builder.add(BlockKind.CUE, text, TimeLocator(start, end, speaker), group=turn)
    return ParsedDocument(
        "transcript", "text/vtt", builder.text, builder.blocks, DocumentMetadata(), "1"
    )


def talk(*lines: tuple[str | None, str], pauses: tuple[int, ...] = ()) -> ParsedDocument:
    """One cue a second, with 60 s of silence before those whose place is in ``pauses``."""
    clock = 0.0
    cues: list[Cue] = []
    for number, (speaker, text) in enumerate(lines):
        clock += 60 if number in pauses else 0
        cues.append((clock, clock + 1, speaker, text))
        clock += 1
    return transcript(cues)


@given(CUES)
@settings(max_examples=80, deadline=None)
def test_chunks_cover_every_cue_and_cross_no_pause(
    raw: list[tuple[float, float, str | None, str]],
) -> None:
    clock = 0.0
    cues: list[Cue] = []
    for gap, length, speaker, text in raw:
        clock += gap
        cues.append((clock, clock + length, speaker, text))
        clock += length
    document = transcript(cues)
    chunks = TranscriptChunker(120, 200, 20.0).chunk(document)
    covered = [0] * len(document.text)
    for chunk in chunks:
        assert chunk.end - chunk.start <= 200
        for place in range(chunk.start, chunk.end):
            covered[place] += 1
        inside = document.blocks[chunk.first_block : chunk.last_block + 1]
        for before, after in pairwise(inside):
            assert isinstance(before.locator, TimeLocator)
            assert isinstance(after.locator, TimeLocator)
            assert after.locator.start_s - before.locator.end_s <= 20.0
    for block in document.blocks:
        text = document.text[block.start : block.end]
        for offset, letter in enumerate(text):
            assert letter.isspace() or covered[block.start + offset] == 1


def test_a_chunk_goes_on_to_the_end_of_the_turn() -> None:
    document = talk(("Ann", "a" * 60), ("Ann", "b" * 60), ("Ann", "c" * 20), ("Bob", "d" * 60))
    chunks = TranscriptChunker(100, 200).chunk(document)
    assert [(chunk.first_block, chunk.last_block) for chunk in chunks] == [(0, 2), (3, 3)]
    assert [chunk.heading_path for chunk in chunks] == [("Ann",), ("Bob",)]


def test_a_chunk_names_its_speakers_in_order() -> None:
    document = talk(("Bob", "one"), ("Ann", "two"), (None, "three"), ("Bob", "four"))
    (chunk,) = TranscriptChunker().chunk(document)
    assert chunk.heading_path == ("Bob, Ann",)


def test_a_long_pause_parts_chunks_and_windows() -> None:
    document = talk(("Ann", "before"), ("Ann", "still"), ("Ann", "after"), pauses=(2,))
    assert len(TranscriptChunker().chunk(document)) == 2
    assert len(TranscriptChunker(pause_s=90).chunk(document)) == 1
    windows = pack_windows(document, HashEmbedder(), 254)
    assert [window.stretch for window in windows] == [
        TimeLocator(0, 2, "Ann"),
        TimeLocator(62, 63, "Ann"),
    ]


def test_windows_carry_times_and_speakers() -> None:
    document = talk(("Ann", "We tested it."), ("Bob", "Yes."))
    (window,) = pack_windows(document, HashEmbedder(), 254)
    assert window.stretch == TimeLocator(0, 2, None)
    assert window.heading_path == ("Ann, Bob",)
    assert window.embedded_text(document.text) == "Ann, Bob\nWe tested it.\n\nYes."


def test_no_window_of_a_transcript_is_too_long() -> None:
    lines = [(f"Speaker {n % 7}", f"word{n} " * (n % 23 + 1)) for n in range(60)]
    document = talk(*lines, ("Ann", "word " * 300))
    embedder = HashEmbedder()
    windows = pack_windows(document, embedder, 60)
    for window in windows:
        assert embedder.count_tokens(window.embedded_text(document.text)) <= 60
    joined = " ".join(document.text[window.start : window.end] for window in windows)
    assert joined.split() == document.text.split()


@pytest.mark.parametrize("is_procedure", [True, False])
def test_every_profile_cuts_transcripts_alike_and_nothing_else(is_procedure: bool) -> None:
    usual = ChunkRules(ChunkStrategy.PARAGRAPHS, 200, 0, 300, 60)
    spoken = ChunkRules(ChunkStrategy.TRANSCRIPTS, 20, 0, 40, unit=TextUnit.TOKENS, pause_s=12)
    chunking = chunking_for(ChunkingSettings(usual, usual, spoken))
    chunker = chunking.for_document(is_procedure=is_procedure)
    expected = TranscriptChunker(80, 160, 12)
    assert chunker == ByKindChunker(ParagraphChunker(200, 60, 300), expected)
    assert chunker.identity == f"{ParagraphChunker(200, 60, 300).identity}+{expected.identity}"
    talked = talk(*[("Ann", "word " * 9)] * 9)
    assert chunker.chunk(talked) == expected.chunk(talked)
    written = parse_paragraphs("\n\n".join(["word " * 30] * 9))
    assert chunker.chunk(written) == ParagraphChunker(200, 60, 300).chunk(written)
