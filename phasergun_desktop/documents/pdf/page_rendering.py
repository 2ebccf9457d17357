"""Renders a page of a PDF or a picture to a PNG; this runs in the child process."""

from __future__ import annotations

import io
import math
from pathlib import Path
from typing import Any

from phasergun_desktop.documents.document_reader import PageImage
from phasergun_desktop.documents.formats import Format, detect_format
from phasergun_desktop.documents.images.frames import open_picture
from phasergun_desktop.documents.pdf.opening import open_pdf, scale_within, unreadable
from phasergun_desktop.errors import DocumentError

# Larger pages are rendered at a smaller scale, so that no page can exhaust the memory.
MAX_PIXELS = 24_000_000
MAX_SCALE = 12.0


def render_page_image(
    path: Path, page: int, scale: float, passwords: tuple[str, ...] = ()
) -> PageImage:
    """Render page ``page`` (from 1) at ``scale`` pixels per point (1.0 is 72 dpi).

    Each of ``passwords`` is tried on a PDF that is protected. Raises DocumentError where the
    file is no PDF or picture, has no such page or cannot be rendered.
    """
    import pypdfium2  # noqa: PLC0415

    try:
        found = detect_format(path)
        data = path.read_bytes() if found.format is Format.IMAGE else b""
    except OSError as error:
        raise unreadable() from error
    if found.format not in (Format.PDF, Format.IMAGE):
        raise DocumentError("No page image", "Only PDF files and pictures have page images.", "")
    if not math.isfinite(scale) or scale <= 0:
        raise DocumentError("No page image", "The scale must be a positive number.", "")
    if found.format is Format.IMAGE:
        return _render_frame(data, page, scale)
    pdf = open_pdf(path, passwords)
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
    bitmap = page.render(scale=scale_within(min(scale, MAX_SCALE), MAX_PIXELS, width, height))
    return PageImage(_png(bitmap.to_pil()), float(width), float(height))


def _render_frame(data: bytes, page: int, scale: float) -> PageImage:
    """Render a page of a picture, upright and on white as its text was recognised."""
    picture = open_picture(data)
    if not 1 <= page <= picture.frame_count:
        raise DocumentError("No such page", f"The picture has no page {page}.", "")
    frame = picture.frame(page - 1)
    width, height = frame.size_points
    allowed = scale_within(min(scale, MAX_SCALE), MAX_PIXELS, width, height)
    size = (max(1, round(width * allowed)), max(1, round(height * allowed)))
    return PageImage(_png(frame.image.resize(size)), width, height)


def _png(image: Any) -> bytes:
    buffer = io.BytesIO()
    # A low level of compression: the image is shown once, not kept.
    image.convert("RGB").save(buffer, format="PNG", compress_level=1)
    return buffer.getvalue()
