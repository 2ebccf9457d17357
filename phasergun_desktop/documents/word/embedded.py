"""Reads files that a Word file embeds as a part of its text (``w:altChunk``)."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decode_text, looks_like_text
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.plain.html_pages import add_html

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
        add_html(builder, text, lambda _line: locator)
    else:
        for paragraph in text.split("\n\n"):
            builder.add(BlockKind.PARAGRAPH, paragraph, locator)
    return True
