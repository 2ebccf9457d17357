"""Reads files that a Word file embeds as a part of its text (``w:altChunk``)."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decode_text, looks_like_text
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.plain.html_tables import read_html
from phasergun_desktop.documents.table_blocks import TableRow, add_table

MAX_EMBEDDED_BYTES = 50_000_000
NOT_READ = "Content that is embedded as another file was not read."
_HTML_SUFFIXES = (".html", ".htm", ".xhtml")
_SAMPLE = 4096


def add_embedded(builder: DocumentBuilder, name: str, data: bytes) -> bool:
    """Append the text of an embedded HTML or text file; False where it is something else."""
    if not looks_like_text(data[:_SAMPLE]) or data.startswith(b"{\\rtf"):
        return False
    text = decode_text(data).text
    locator = ParagraphLocator(builder.heading_path)
    if name.lower().endswith(_HTML_SUFFIXES) or "<html" in text[:_SAMPLE].lower():
        for index, part in enumerate(read_html(text)):
            rows = [
                TableRow(
                    tuple(row.cells),
                    locator,
                    spanning=row.spanning,
                    marked_header=row.is_header,
                )
                for row in part.rows
            ]
            if rows:
                add_table(builder, rows, group=("embedded", name, index))
            elif part.level:
                builder.add(BlockKind.HEADING, part.text, locator, level=part.level)
            else:
                _add_paragraphs(builder, part.text.split("\n"), locator)
    else:
        _add_paragraphs(builder, text.split("\n\n"), locator)
    return True


def _add_paragraphs(builder: DocumentBuilder, texts: list[str], locator: ParagraphLocator) -> None:
    for text in texts:
        builder.add(BlockKind.PARAGRAPH, text, locator)
