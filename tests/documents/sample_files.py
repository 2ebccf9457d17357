"""Writes small PDF and Word files for the tests of this room."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

W_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"


@dataclass(frozen=True)
class Page:
    """Lines of text (x, y from the top, size, bold, text) and rulings (x0, y0, x1, y1)."""

    texts: Sequence[tuple[float, float, float, bool, str]] = ()
    rulings: Sequence[tuple[float, float, float, float]] = ()
    rotate: int = 0


@dataclass
class PdfFile:
    """Writes a PDF with Helvetica, as plain as the format allows."""

    pages: list[Page] = field(default_factory=list)

    def to_bytes(self, trailer: str = "") -> bytes:
        objects = [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"",
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica/Encoding/WinAnsiEncoding>>",
            b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica-Bold/Encoding/WinAnsiEncoding>>",
        ]
        kids = []
        for page in self.pages:
            stream = self._content(page).encode("cp1252")
            objects.append(b"<</Length %d>>stream\n%s\nendstream" % (len(stream), stream))
            objects.append(
                b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Rotate %d/Contents %d 0 R"
                b"/Resources<</Font<</F1 3 0 R/F2 4 0 R>>>>>>" % (page.rotate, len(objects))
            )
            kids.append(b"%d 0 R" % len(objects))
        objects[1] = b"<</Type/Pages/Kids[%s]/Count %d>>" % (b" ".join(kids), len(kids))
        out = io.BytesIO()
        out.write(b"%PDF-1.4\n")
        offsets = []
        for number, body in enumerate(objects, start=1):
            offsets.append(out.tell())
            out.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        start = out.tell()
        out.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1))
        for offset in offsets:
            out.write(b"%010d 00000 n \n" % offset)
        out.write(
            b"trailer<</Size %d/Root 1 0 R%s>>\nstartxref\n%d\n%%%%EOF"
            % (len(objects) + 1, trailer.encode(), start)
        )
        return out.getvalue()

    def save(self, path: Path, trailer: str = "") -> Path:
        path.write_bytes(self.to_bytes(trailer))
        return path

    @staticmethod
    def _content(page: Page) -> str:
        parts = []
        for x, y, size, bold, text in page.texts:
            escaped = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
            font = "F2" if bold else "F1"
            parts.append(f"BT /{font} {size} Tf {x} {792 - y} Td ({escaped}) Tj ET")
        for x0, y0, x1, y1 in page.rulings:
            parts.append(f"0.5 w {x0} {792 - y0} m {x1} {792 - y1} l S")
        return "\n".join(parts)


def paragraph_lines(
    lines: Sequence[str], x: float = 72, y: float = 100, size: float = 11, pitch: float = 14
) -> list[tuple[float, float, float, bool, str]]:
    """Return lines of running text one below the other."""
    return [(x, y + index * pitch, size, False, text) for index, text in enumerate(lines)]


def word_file(path: Path, body: str, **parts: str) -> Path:
    """Write a Word file with the given body XML and further parts (name without .xml)."""
    content_types = (
        '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
        '<Default Extension="xml" ContentType="application/xml"/></Types>'
    )
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", content_types)
        archive.writestr(
            "word/document.xml",
            f'<w:document xmlns:w="{W_NAMESPACE}"><w:body>{body}</w:body></w:document>',
        )
        for name, xml in parts.items():
            archive.writestr(f"word/{name}.xml", xml.replace("@W", f'xmlns:w="{W_NAMESPACE}"'))
    return path
