"""Renders a page of a PDF to a PNG; this runs in the child process."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.formats import Format, detect_format
from phasergun_desktop.documents.pdf.format import open_pdf
from phasergun_desktop.documents.protocol import PageImage
from phasergun_desktop.errors import DocumentError

# Larger pages are rendered at a smaller scale, so that no page can exhaust the memory.
MAX_PIXELS = 24_000_000
MAX_SCALE = 12.0
_MAX_SIDE = 16_000


def render_page_image(path: Path, page: int, scale: float) -> PageImage:
    """Render page ``page`` (from 1) at ``scale`` pixels per point (1.0 is 72 dpi).

    Raises DocumentError where the file is no PDF, has no such page or cannot be rendered.
    """
    import pypdfium2  # noqa: PLC0415

    try:
        found = detect_format(path)
        data = path.read_bytes() if found.format is Format.PDF else b""
    except OSError as error:
        raise DocumentError(
            "Unreadable file",
            "The file cannot be opened any more.",
            "Check that it exists and that you may read it.",
        ) from error
    if not data:
        raise DocumentError("No page image", "Only PDF files have page images.", "")
    if not math.isfinite(scale) or scale <= 0:
        raise DocumentError("No page image", "The scale must be a positive number.", "")
    pdf = open_pdf(data)
    try:
        if not 1 <= page <= len(pdf):
            raise DocumentError("No such page", f"The PDF has no page {page}.", "")
        return _render(pdf[page - 1], scale)
    except pypdfium2.PdfiumError as error:
        raise DocumentError(
            "No page image", f"Page {page} is damaged and cannot be rendered.", ""
        ) from error
    finally:
        pdf.close()


def _render(page: Any, scale: float) -> PageImage:
    width, height = page.get_size()
    allowed = min(
        scale,
        MAX_SCALE,
        math.sqrt(MAX_PIXELS / max(1.0, width * height)),
        _MAX_SIDE / max(1.0, width, height),
    )
    bitmap = page.render(scale=allowed)
    buffer = io.BytesIO()
    # A low level of compression: the image is shown once, not kept.
    bitmap.to_pil().convert("RGB").save(buffer, format="PNG", compress_level=1)
    return PageImage(buffer.getvalue(), float(width), float(height))
