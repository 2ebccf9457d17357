"""Sentences of the real documents with the passage around them, in two halves by file name."""

from __future__ import annotations

import hashlib
import random
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans, without_list_mark

SAMPLE_SEED = 20261
_SUFFIXES = frozenset({".md", ".docx", ".txt", ".pdf", ".doc"})
_LARGEST_PDF_BYTES = 700_000
_A_DOCUMENT = 12
_AROUND_BLOCKS = 3
_PASSAGE_CHARACTERS = 2500
_STATING = (BlockKind.PARAGRAPH, BlockKind.LIST_ITEM, BlockKind.TABLE_ROW)
_WORD = re.compile(r"[A-Za-z]{2,}")
# Material without a licence, or for non-commercial use, or in another language.
_LEFT_OUT = re.compile(
    r"qms_mdn|QP-0021|templates_openregulatory_NC|lab_sops|DE Richtlinie|forms_office"
)


@dataclass(frozen=True, slots=True)
class Stated:
    """A sentence as its document states it. ``file`` is relative to the folder of test data."""

    file: str
    text: str
    passage: Passage

    @property
    def is_reported(self) -> bool:
        """Whether its document belongs to the half that is reported, never tuned on."""
        return is_reported(self.file)


def is_reported(file: str) -> bool:
    """Whether the document belongs to the reported half: by a hash of its name."""
    return hashlib.sha256(Path(file).name.encode()).digest()[0] % 2 == 1


def source_files(data: Path) -> list[str]:
    """Return the files of the project and of the regulatory folder, sorted, each name once."""
    seen: set[str] = set()
    files: list[str] = []
    for folder in ("project-glucose", "regulatory"):
        for path in sorted((data / folder).rglob("*")):
            name = path.relative_to(data).as_posix()
            if path.suffix not in _SUFFIXES or "/Prompt/" in name or _LEFT_OUT.search(name):
                continue
            if path.suffix == ".pdf" and path.stat().st_size > _LARGEST_PDF_BYTES:
                continue
            if path.name not in seen:
                seen.add(path.name)
                files.append(name)
    return files


@cache
def parsed(path: Path) -> ParsedDocument | None:
    """Return the document, or None where it cannot be read."""
    try:
        return parse_file(path)
    except DocumentError:
        return None


def stated_sentences(data: Path, files: Sequence[str] | None = None) -> list[Stated]:
    """Return up to twelve sentences a document, drawn with a fixed seed."""
    found: list[Stated] = []
    for number, file in enumerate(files if files is not None else source_files(data)):
        document = parsed(data / file)
        if document is None:
            continue
        places = _places(document)
        # The draw of one document does not depend on the others.
        random.Random(f"{SAMPLE_SEED} {file}").shuffle(places)
        found.extend(
            Stated(file, text, _passage(number, file, document, at))
            for at, text in places[:_A_DOCUMENT]
        )
    return found


def _places(document: ParsedDocument) -> list[tuple[int, str]]:
    places: list[tuple[int, str]] = []
    for at, block in enumerate(document.blocks):
        if block.kind not in _STATING or block.is_table_header:
            continue
        text = document.block_text(block)
        if block.kind is BlockKind.TABLE_ROW:
            pieces = [text] if block.cells and all(cell for _, cell in block.cells) else []
        else:
            pieces = [text[start:end] for start, end in sentence_spans(text)]
        for piece in pieces:
            sentence = without_list_mark(" ".join(piece.split()))
            if _is_usable(sentence):
                places.append((at, sentence))
    return places


def _is_usable(sentence: str) -> bool:
    words = _WORD.findall(sentence)
    return (
        40 <= len(sentence) <= 320
        and len(words) >= 6
        and sentence[0].isupper()
        and sentence.isprintable()
        and not re.search(r"\[[A-Z ]+\]|\.{4}|_{3}|[|{}\\]|https?:", sentence)
    )


def _passage(number: int, file: str, document: ParsedDocument, at: int) -> Passage:
    """Return a few paragraphs around the block, as a passage of the document's text."""
    blocks: tuple[Block, ...] = document.blocks
    first = last = at
    for _ in range(_AROUND_BLOCKS):
        if first > 0 and blocks[last].end - blocks[first - 1].start <= _PASSAGE_CHARACTERS:
            first -= 1
        if last + 1 < len(blocks) and (
            blocks[last + 1].end - blocks[first].start <= _PASSAGE_CHARACTERS
        ):
            last += 1
    start, end = blocks[first].start, blocks[last].end
    return Passage(
        document_id=number,
        file=file,
        sha256="",
        title=document.metadata.title or Path(file).stem,
        layer=Layer.GENERAL,
        chunk_id=ChunkId(f"{number}-{at}"),
        start=start,
        end=end,
        text=document.text[start:end],
        heading_path=blocks[at].heading_path,
        score=1.0,
    )
