"""Writes small Word files, part by part, for the tests of this room."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import Block, BlockKind
from phasergun_desktop.documents.word.word_format import read_docx

W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NAMESPACES = (
    f'xmlns:w="{W}"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
    ' xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
    ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
    ' xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart"'
    ' xmlns:v="urn:schemas-microsoft-com:vml"'
)
_RELATIONS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def part(root: str, content: str) -> str:
    """Return the XML of a part whose outermost element is ``w:root`` (or has a prefix)."""
    name = root if ":" in root else f"w:{root}"
    return f'<?xml version="1.0" encoding="UTF-8"?><{name} {_NAMESPACES}>{content}</{name}>'


def relations(targets: Mapping[str, tuple[str, str]]) -> str:
    """Return a relationships part: id to (kind, target)."""
    items = "".join(
        f'<Relationship Id="{key}" Type="{_RELATIONS}/{kind}" Target="{target}"/>'
        for key, (kind, target) in targets.items()
    )
    namespace = "http://schemas.openxmlformats.org/package/2006/relationships"
    return f'<Relationships xmlns="{namespace}">{items}</Relationships>'


def packed(parts: Mapping[str, str | bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Return an archive of ``parts``."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def word_bytes(body: str, parts: Mapping[str, str | bytes] | None = None) -> bytes:
    """Return a Word file with ``body`` and further parts by their full names."""
    document = part("document", f"<w:body>{body}</w:body>")
    return packed({"word/document.xml": document, **(parts or {})})


def paragraph(text: str, properties: str = "") -> str:
    """Return a ``w:p`` with one run."""
    stated = f"<w:pPr>{properties}</w:pPr>" if properties else ""
    return f'<w:p>{stated}<w:r><w:t xml:space="preserve">{text}</w:t></w:r></w:p>'


def table(*rows: str) -> str:
    """Return a ``w:tbl`` of rows."""
    return f"<w:tbl>{''.join(f'<w:tr>{row}</w:tr>' for row in rows)}</w:tbl>"


def cell(text: str, properties: str = "") -> str:
    """Return a ``w:tc`` with one paragraph."""
    stated = f"<w:tcPr>{properties}</w:tcPr>" if properties else ""
    return f"<w:tc>{stated}{paragraph(text)}</w:tc>"


class Read:
    """What came out of a Word file."""

    def __init__(self, data: bytes) -> None:
        self.builder = DocumentBuilder()
        self.properties: FileProperties = read_docx(data, self.builder)

    @property
    def blocks(self) -> tuple[Block, ...]:
        return self.builder.blocks

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.builder.warnings

    def text(self, block: Block) -> str:
        return self.builder.text[block.start : block.end]

    def texts(self, kind: BlockKind | None = None) -> list[str]:
        return [self.text(block) for block in self.blocks if kind in (None, block.kind)]


def read(body: str, parts: Mapping[str, str | bytes] | None = None) -> Read:
    """Return what comes out of a Word file with ``body``."""
    return Read(word_bytes(body, parts))
