"""A project's documents in memory, written as a few lines of Markdown-like text each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.categories import Categories
from phasergun_desktop.projects.convention import FolderConvention, classify


def fake_document(lines: Iterable[str], modified: str = "") -> ParsedDocument:
    """Make a document of ``lines``: ``# `` begins a heading, ``a | b`` is a table row."""
    text = ""
    blocks: list[Block] = []
    path: tuple[str, ...] = ()
    for ordinal, line in enumerate(lines):
        kind, level = BlockKind.PARAGRAPH, 0
        content = line.removeprefix("# ")
        cells: tuple[tuple[str, str], ...] = ()
        if line.startswith("# "):
            kind, level = BlockKind.HEADING, 1
        elif " | " in line:
            kind = BlockKind.TABLE_ROW
            cells = tuple(("", cell) for cell in line.split(" | "))
        start = len(text)
        text += content
        heading_path = () if kind is BlockKind.HEADING else path
        blocks.append(
            Block(
                ordinal,
                kind,
                start,
                len(text),
                LineLocator(ordinal + 1),
                heading_path,
                level,
                cells,
            )
        )
        text += "\n\n"
        if kind is BlockKind.HEADING:
            path = (content,)
    title = next(
        (text[each.start : each.end] for each in blocks if each.kind is BlockKind.HEADING), ""
    )
    metadata = DocumentMetadata(title=title, modified=modified, words=len(text.split()))
    return ParsedDocument("docx", "text/plain", text, tuple(blocks), metadata, "fake")


class FakeDocuments:
    """A ``DocumentSource`` of parsed documents, placed by the folder convention."""

    def __init__(
        self, files: dict[str, ParsedDocument], categories: Categories | None = None
    ) -> None:
        self._parsed = list(files.values())
        known = categories or Categories()
        self._records = [
            _record(number, file, document, known)
            for number, (file, document) in enumerate(files.items())
        ]
        self.parse_calls = 0

    def documents(self) -> Sequence[DocumentRecord]:
        return self._records

    def parsed(self, document_id: int) -> ParsedDocument:
        self.parse_calls += 1
        return self._parsed[document_id]

    def text(self, document_id: int) -> str:
        return self._parsed[document_id].text


def _record(
    number: int, file: str, document: ParsedDocument, categories: Categories
) -> DocumentRecord:
    layer = classify(PurePosixPath(file), FolderConvention.TREE).layer
    assert layer is not None, file
    headings = [
        document.block_text(each) for each in document.blocks if each.kind is BlockKind.HEADING
    ]
    title = document.metadata.title or PurePosixPath(file).stem
    entry = categories.describe(file, title, headings, document.metadata.front_matter)
    return DocumentRecord(
        document_id=number,
        file=file,
        layer=layer,
        sha256=f"{number:064x}",
        format=document.format,
        title=title,
        category=entry.category,
        kind=entry.kind,
        tags=entry.tags,
        confidentiality=entry.confidentiality,
        metadata=document.metadata,
    )
