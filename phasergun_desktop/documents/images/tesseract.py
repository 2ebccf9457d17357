"""Runs the program tesseract on one picture and returns its words."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.errors import DocumentError, DocumentProblem

if TYPE_CHECKING:
    from PIL.Image import Image

# pytesseract lists only languages whose names look like this.
_LISTED_NAME = re.compile(r"^[a-z_]+$")
# Tesseract's worker threads slow each other down on pages of text.
_THREADS = "OMP_THREAD_LIMIT"
# Tesseract's own measure, from 0; a page of text reaches 20 and more, a few words about 1.
_CERTAIN_SCRIPT = 0.6
_WORD_LEVEL = "5"
_COLUMNS = 12


@dataclass(frozen=True, slots=True)
class RecognisedWord:
    """A word and its rectangle; ``confidence`` is 0 to 1.

    The rectangle is in pixels of the picture given to tesseract, in those of the page as it was
    given, or in points of the page, in the order in which a word gets there. ``block``,
    ``paragraph`` and ``line`` number its place in tesseract's reading order.
    """

    text: str
    rect: Rect
    confidence: float
    block: int = 0
    paragraph: int = 0
    line: int = 0

    def mapped(self, map_: Affine) -> RecognisedWord:
        """Return the word where ``map_`` puts it."""
        rect = self.rect
        return replace(self, rect=map_.rect(rect.x0, rect.y0, rect.x1, rect.y1))


def around(words: Sequence[RecognisedWord]) -> Rect:
    """Return the rectangle around ``words`` (at least one)."""
    return Rect(
        min(word.rect.x0 for word in words),
        min(word.rect.y0 for word in words),
        max(word.rect.x1 for word in words),
        max(word.rect.y1 for word in words),
    )


class TooSlow(Exception):  # noqa: N818 - what happened to one picture, not an error of ours
    """Tesseract did not finish in the time it was given."""


class Tesseract:
    """The program at one place with one choice of languages."""

    def __init__(self, program: str, languages: str) -> None:
        self._program = program
        self._languages = languages or "eng"
        self._is_checked = False

    @property
    def name(self) -> str:
        """The program with its version: ``tesseract 5.3.0``. Raises as ``words`` does."""
        with self._started() as pytesseract:
            return f"tesseract {pytesseract.get_tesseract_version(cached=True)}"

    def words(self, picture: Image, dpi: float, timeout_s: float) -> tuple[RecognisedWord, ...]:
        """Recognise ``picture`` of ``dpi`` pixels per inch; words in reading order.

        Raises TooSlow after ``timeout_s`` seconds, and DocumentError where the program or a
        language is absent or the program fails.
        """
        self.check()
        with self._started() as pytesseract:
            table = pytesseract.image_to_data(
                _portable(picture),
                lang=self._languages,
                config=f"--dpi {round(min(2400.0, max(70.0, dpi)))}",
                timeout=timeout_s,
            )
        return tuple(_parsed(table))

    def orientation(self, picture: Image, timeout_s: float) -> tuple[int, str] | None:
        """Return how many quarter turns to the right set ``picture`` upright, 0 to 3, and its
        script: Latin, Cyrillic, Han, Hebrew, …; empty where tesseract guesses.

        None where tesseract cannot tell: too little text, no time, or its data for this (osd) is
        not installed.
        """
        if timeout_s < 1:
            return None
        try:
            with self._started() as pytesseract:
                found = pytesseract.image_to_osd(
                    _portable(picture), timeout=timeout_s, output_type=pytesseract.Output.DICT
                )
        except (DocumentError, TooSlow):
            return None
        rotate = found.get("rotate")
        if not isinstance(rotate, int):
            return None
        certainty = found.get("script_conf")
        is_known = isinstance(certainty, float) and certainty >= _CERTAIN_SCRIPT
        return rotate // 90 % 4, str(found.get("script", "")) if is_known else ""

    def check(self) -> None:
        """Raise DocumentError where the program or one of the languages is not installed."""
        if self._is_checked:
            return
        if not self._program:
            raise _missing_program()
        with self._started() as pytesseract:
            installed = set(pytesseract.get_languages())
        missing = [
            name
            for name in self._languages.split("+")
            if _LISTED_NAME.match(name) and name not in installed
        ]
        if missing:
            names = " and ".join(missing)
            packages = " ".join(f"tesseract-ocr-{name.replace('_', '-')}" for name in missing)
            raise DocumentError(
                "Language not installed",
                f"The text is in a picture, and tesseract has no data for {names}.",
                f"Install it (Debian and Ubuntu: {packages}; macOS: tesseract-lang; Windows: tick"
                " the language in tesseract's installer), or choose other languages in Project ›"
                " Recognition language, then index again.",
                DocumentProblem.PROGRAM_MISSING,
            )
        self._is_checked = True

    @contextmanager
    def _started(self) -> Iterator[Any]:
        """Give pytesseract, set to our program, and turn what it raises into our errors."""
        import pytesseract  # noqa: PLC0415

        pytesseract.pytesseract.tesseract_cmd = self._program
        before = os.environ.get(_THREADS)
        os.environ[_THREADS] = "1"
        try:
            yield pytesseract
        except pytesseract.TesseractError as error:
            raise DocumentError(
                "Text recognition failed",
                "Tesseract could not read the picture.",
                "Open the picture and save it again; if it is fine, reinstall tesseract.",
            ) from error
        except RuntimeError as error:
            # TesseractError above is one too; what is left is the time limit.
            raise TooSlow from error
        except (OSError, SystemExit) as error:
            # pytesseract ends the process where the program's version makes no sense to it.
            raise _missing_program() from error
        finally:
            if before is None:
                os.environ.pop(_THREADS, None)
            else:
                os.environ[_THREADS] = before


def _missing_program() -> DocumentError:
    return DocumentError(
        "Text recognition is not installed",
        "The text is in a picture, and the program tesseract that recognises it was not found.",
        "Install it (Debian and Ubuntu: tesseract-ocr; macOS: brew install tesseract; Windows:"
        " the installer of UB Mannheim), then index again.",
        DocumentProblem.PROGRAM_MISSING,
    )


def _portable(picture: Image) -> Image:
    """Return a picture that pytesseract writes uncompressed, which is far quicker than PNG."""
    copy = picture.convert("L" if picture.mode in ("1", "L") else "RGB")
    copy.format = "PPM"
    return copy


def _parsed(table: str) -> Iterator[RecognisedWord]:
    for row in table.splitlines():
        columns = row.split("\t")
        if len(columns) != _COLUMNS or columns[0] != _WORD_LEVEL:
            continue
        text = "".join(columns[11].split())
        if not text:
            continue
        left, top, width, height = map(int, columns[6:10])
        block, paragraph, line = map(int, columns[2:5])
        yield RecognisedWord(
            text,
            Rect(left, top, left + width, top + height),
            min(1.0, max(0.0, float(columns[10]) / 100)),
            block,
            paragraph,
            line,
        )
