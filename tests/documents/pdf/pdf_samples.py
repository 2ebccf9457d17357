"""Writes small PDFs with pictures, passwords and comments, and a recogniser that is no program."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from fpdf import FPDF
from PIL import Image, ImageDraw

from phasergun_desktop.documents.images.recognition import (
    RecognisedLine,
    RecognisedPage,
)
from phasergun_desktop.documents.images.tesseract import RecognisedWord
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.errors import DocumentError, DocumentProblem

PROSE = (
    "The meter measures the glucose concentration in fresh capillary whole blood drawn from the"
    " fingertip, and it is meant for self-testing by people at home, as an aid to monitoring the"
    " control of diabetes over time."
)


def new_pdf() -> FPDF:
    """Return a PDF in points on Letter paper, without a page."""
    pdf = FPDF(unit="pt", format="letter")
    pdf.set_font("helvetica", size=11)
    return pdf


def add_text_page(pdf: FPDF, text: str = PROSE) -> None:
    pdf.add_page()
    pdf.multi_cell(400, 14, text)


def add_picture_page(pdf: FPDF, *, ink: bool = True, size: tuple[int, int] = (612, 792)) -> None:
    """Add a page that is a picture: black bars on white, or nothing but paper."""
    picture = Image.new("L", size, 250)
    if ink:
        draw = ImageDraw.Draw(picture)
        for line in range(10):
            draw.rectangle((80, 100 + 20 * line, 500, 108 + 20 * line), fill=10)
    pdf.add_page()
    pdf.image(picture, x=0, y=0, w=size[0], h=size[1])


def shifted(text: str) -> str:
    """Return ``text`` as glyph numbers of a TrueType font look when taken for characters."""
    return "".join(chr(ord(char) - 29) if char.islower() else char for char in text)


@dataclass
class FakeRecogniser:
    """Finds the same words on every page, and remembers what it was given."""

    text: str = "Words of the picture"
    error: DocumentError | None = None
    seen: list[tuple[tuple[int, int], float]] = field(default_factory=list)

    def __call__(self, reading: Any) -> FakeRecogniser:
        del reading
        return self

    def recognise(self, image: Image.Image, dpi: float) -> RecognisedPage:
        self.seen.append((image.size, dpi))
        if self.error is not None:
            raise self.error
        words = tuple(
            RecognisedWord(text, Rect(72 + 50 * index, 100, 115 + 50 * index, 112), 0.9)
            for index, text in enumerate(self.text.split())
        )
        return RecognisedPage((RecognisedLine(words, 0),) if words else (), 0.9 if words else 0.0)


def missing_program() -> DocumentError:
    return DocumentError(
        "Missing", "Not found.", "Install tesseract.", DocumentProblem.PROGRAM_MISSING
    )
