"""The laws of chunks, for every chunker."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given, settings

from phasergun_desktop.chunking.model import Chunker
from phasergun_desktop.chunking.paragraphs import ParagraphChunker
from phasergun_desktop.chunking.sections import SectionChunker
from phasergun_desktop.chunking.separators import SeparatorChunker
from phasergun_desktop.documents.model import ParsedDocument
from tests.chunking.test_windows import DOCUMENT
from tests.fakes.paragraph_reader import parse_paragraphs

CHUNKERS: dict[str, tuple[Chunker, int]] = {
    "sections": (SectionChunker(100, 300), 300),
    "paragraphs": (ParagraphChunker(200, 60, 300), 300),
    "separators": (SeparatorChunker(120, 20), 120),
}


@pytest.mark.parametrize("name", CHUNKERS)
@given(document=DOCUMENT)
@settings(max_examples=60, deadline=None)
def test_chunks_cover_the_body_in_order_and_within_their_size(
    name: str, document: ParsedDocument
) -> None:
    chunker, longest = CHUNKERS[name]
    chunks = chunker.chunk(document)
    covered: set[int] = set()
    for chunk in chunks:
        assert 0 <= chunk.start < chunk.end <= len(document.text)
        assert chunk.end - chunk.start <= longest
        text = document.text[chunk.start : chunk.end]
        assert text == text.strip()
        first = document.blocks[chunk.first_block]
        last = document.blocks[chunk.last_block]
        assert first.start <= chunk.start < first.end
        assert last.start < chunk.end <= last.end or not last.end < chunk.start
        covered.update(range(chunk.start, chunk.end))
    for block in document.blocks:
        if block.kind.is_body:
            missing = set(range(block.start, block.end)) - covered
            assert not "".join(document.text[each] for each in sorted(missing)).strip()
    starts = [chunk.start for chunk in chunks]
    ends = [chunk.end for chunk in chunks]
    assert starts == sorted(set(starts))
    assert ends == sorted(set(ends))


def test_small_sections_are_joined_and_keep_their_common_path() -> None:
    document = parse_paragraphs("# Top\n\n## A\n\none\n\n## B\n\ntwo")
    (chunk,) = SectionChunker().chunk(document)
    assert chunk.heading_path == ("# Top",)
    assert document.text[chunk.start : chunk.end] == document.text


def test_a_split_section_repeats_its_heading_outside_its_offsets() -> None:
    document = parse_paragraphs("# Records\n\n" + "\n\n".join(["word " * 40] * 10))
    first, *rest = SectionChunker(500, 900).chunk(document)
    assert first.prefix == ""
    assert {chunk.prefix for chunk in rest} == {"# Records"}
    assert all("Records" not in document.text[each.start : each.end] for each in rest)


def test_paragraph_chunks_overlap_by_whole_sentences() -> None:
    document = parse_paragraphs("\n\n".join(f"Sentence {n} is here. " * 8 for n in range(40)))
    chunks = ParagraphChunker().chunk(document)
    assert len(chunks) > 1
    for before, after in pairwise(chunks):
        shared = before.end - after.start
        assert 0 < shared <= 400
        assert document.text[after.start :].startswith("Sentence")


def test_a_separator_chunker_has_no_shrinking_tail() -> None:
    document = parse_paragraphs("alpha beta gamma " * 200)
    chunks = SeparatorChunker().chunk(document)
    assert chunks[-1].end == len(document.text.rstrip())
    assert sum(each.end == chunks[-1].end for each in chunks) == 1
