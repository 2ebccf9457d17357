"""A reader without a child process: paragraphs and ``#`` headings of text files."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.documents.document_reader import PageImage, ReadingOptions, ReadingProgress
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    ParsedDocument,
)
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError, DocumentProblem

_PARAGRAPH = re.compile(r"\S(?:.|\n(?!\s*\n))*")


def parse_paragraphs(text: str, version: str = "1") -> ParsedDocument:
    """Make a document of ``text``; ``~ `` begins a footer, ``| `` a table row, ``- `` an item."""
    blocks: list[Block] = []
    path: list[tuple[int, str]] = []
    for match in _PARAGRAPH.finditer(text):
        content = match.group().rstrip()
        kind, level = BlockKind.PARAGRAPH, 0
        heading_path = tuple(name for _, name in path)
        if content.startswith("#"):
            kind, level = BlockKind.HEADING, len(content) - len(content.lstrip("#"))
            path = [each for each in path if each[0] < level]
            heading_path = tuple(name for _, name in path)
            path.append((level, " ".join(content.split())))
        elif content.startswith("~ "):
            kind = BlockKind.HEADER_FOOTER
        elif content.startswith("| "):
            kind = BlockKind.TABLE_ROW
        elif content.startswith("- "):
            kind = BlockKind.LIST_ITEM
        line = text.count("\n", 0, match.start()) + 1
        end = match.start() + len(content)
        blocks.append(
            Block(
                len(blocks), kind, match.start(), end, LineLocator(line), heading_path, level=level
            )
        )
    metadata = DocumentMetadata(title=next(iter(_titles(blocks, text)), ""))
    return ParsedDocument("md", "text/markdown", text, tuple(blocks), metadata, version)


def _titles(blocks: list[Block], text: str) -> list[str]:
    headings = [block for block in blocks if block.kind is BlockKind.HEADING]
    return [text[block.start : block.end].lstrip("# ") for block in headings]


class ParagraphReader:
    """Reads text files. ``!encrypted`` is refused, ``!other`` is no document, ``!crash`` fails
    as a bug of ours would, ``!locked WORD`` wants WORD as password, ``!scan`` has two pages to be
    recognised; where ``gate`` is set, it is waited for between them."""

    def __init__(self, version: str = "1") -> None:
        self.version = version
        self.parsed: list[str] = []
        self.gate: threading.Event | None = None

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``."""
        self.parsed.append(path.name)
        text = path.read_text("utf-8")
        if text.startswith("!locked"):
            word = text.split()[1]
            if options is None or word not in options.passwords:
                raise DocumentError(
                    "Locked", "It has a password.", "Enter it.", DocumentProblem.PASSWORD
                )
        if text.startswith("!scan") and on_progress is not None:
            on_progress(ReadingProgress(1, 2, recognised=True))
            if self.gate is not None:
                self.gate.wait(10)
            on_progress(ReadingProgress(2, 2, recognised=False))
        if text.startswith("!encrypted"):
            raise DocumentError("Encrypted", "The file is encrypted.", "Remove the password.")
        if text.startswith("!other"):
            raise DocumentError("Format not read", "It is a drawing.", "", DocumentProblem.FORMAT)
        if text.startswith("!crash"):
            raise ZeroDivisionError("secret words")
        return parse_paragraphs(text, self.version)

    def render_page(
        self, path: Path, page: int, scale: float, options: ReadingOptions | None = None
    ) -> PageImage:
        """Text files have no pages."""
        del options
        raise DocumentError("No pages", f"{path.name} has no page {page} at {scale}.", "")

    def warm(self) -> None:
        """Nothing is started."""

    def close(self) -> None:
        """Nothing is open."""


class MarkdownReader(ParagraphReader):
    """Reads Markdown as the product does, without its child process, and the rest as above."""

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``."""
        if path.suffix != ".md":
            return super().parse(path, options, on_progress)
        self.parsed.append(path.name)
        return parse_file(path)
