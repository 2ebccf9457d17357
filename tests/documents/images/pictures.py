"""Draws small pages of text for the tests of this room."""

from __future__ import annotations

import io
import shutil
from collections.abc import Sequence
from typing import Any

import pytest
from PIL import Image, ImageDraw, ImageFont

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.document_reader import ReadingOptions

TESSERACT = shutil.which("tesseract") or ""
needs_tesseract = pytest.mark.skipif(not TESSERACT, reason="tesseract is not installed")
LINES = (
    "The meter measures glucose in fresh capillary blood",
    "from the fingertip. It is meant for self-testing by",
    "people at home. Strips of lot 26F11 were used, and",
    "the largest mean bias was 7.8 percent at 50 mg/dL.",
    "All other conditions were within 5.1 percent, and",
    "the acceptance limit of ten percent is met.",
)


def page_of(
    lines: Sequence[str] = LINES,
    size: tuple[int, int] = (1500, 900),
    *,
    letters: int = 44,
    ink: int = 0,
    paper: int = 255,
) -> Image.Image:
    """Draw ``lines`` on a page (mode L) of ``size`` pixels, meant for 300 dpi."""
    image = Image.new("L", size, paper)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(letters)
    for number, text in enumerate(lines):
        draw.text((120, 120 + number * letters * 1.6), text, font=font, fill=ink)
    return image


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    """Return ``image`` as a file of the format ``kind``."""
    buffer = io.BytesIO()
    image.save(buffer, format=kind, **options)
    return buffer.getvalue()


def reading_with(tesseract: str = TESSERACT, languages: str = "eng") -> Reading:
    """Return a reading into a new document."""
    return Reading(DocumentBuilder(), ReadingOptions(languages=languages), tesseract)
