"""The product's own reading, in the process of the test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
    reading_version,
)
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from tests.fakes.paragraph_reader import ParagraphReader


class ProductReader(ParagraphReader):
    """Reads as the product does, without its child process; a text ``!crash`` fails."""

    def __init__(self) -> None:
        super().__init__(reading_version(ReadingOptions(), ""))

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``."""
        if path.read_bytes().startswith(b"!crash"):
            raise ZeroDivisionError
        self.parsed.append(path.name)
        return parse_file(path, options, report=on_progress)
