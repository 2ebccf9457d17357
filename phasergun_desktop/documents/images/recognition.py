"""Recognises the text of a picture: words with rectangles and confidence."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.images.page_analysis import PageLook, look_at
from phasergun_desktop.documents.images.preparation import (
    Prepared,
    prepared,
    turned,
    unprepared,
)
from phasergun_desktop.documents.images.table_rows import in_rows
from phasergun_desktop.documents.images.tesseract import RecognisedWord, Tesseract, TooSlow
from phasergun_desktop.errors import DocumentError, DocumentProblem

if TYPE_CHECKING:
    from PIL.Image import Image

# All attempts at one page together; the reader grants a recognised page a minute.
PAGE_SECONDS = 50.0
_FIRST_ATTEMPT_S = 30.0
# An attempt is good, and the last, where its words are sure.
_SURE = 0.90
# Below this the page may stand on its head.
_UNSURE = 0.60
# A paragraph below this is guesses and left out: another script, handwriting, a logo.
_ILLEGIBLE = 0.40
# Below this a mark without a letter or a digit is dirt.
_DIRT = 0.30
# Another attempt must be this much better than the page as it is.
_BETTER = 1.01
# A word counts for its letters times its confidence above this: what is guessed counts against.
_WORTHLESS = 0.5
_SKEWED_DEGREES = 0.5
_SHADED = 0.6
_FAINT = 0.5


@dataclass(frozen=True, slots=True)
class RecognisedLine:
    """A line of words, placed in points; lines with the same ``paragraph`` belong together."""

    words: tuple[RecognisedWord, ...]
    paragraph: int


@dataclass(frozen=True, slots=True)
class RecognisedPage:
    """The lines of a page in reading order.

    ``confidence`` is the mean over the words weighted by their length, 0 to 1; 0 without words.
    ``problem`` is a sentence where text was seen and could not be recognised (well).
    """

    lines: tuple[RecognisedLine, ...]
    confidence: float
    problem: str = ""


class Recogniser:
    """Recognises pictures of text with the languages of the project's settings."""

    def __init__(self, reading: Reading) -> None:
        self._builder = reading.builder
        self._tesseract = Tesseract(reading.tesseract, reading.options.languages)

    @property
    def read_with(self) -> str:
        """The program that recognises, with its version. Raises DocumentError as below."""
        return self._tesseract.name

    def recognise(self, image: Image, dpi: float) -> RecognisedPage:
        """Return the text of ``image``, a page of ``dpi`` pixels per inch.

        The page is recognised as it is, and prepared (evenly lit, smooth, straight, upright)
        where the first attempt is unsure; the best attempt counts. A page
        that is seen to be skewed, noisy, blurred, faint or shaded is prepared first. Paragraphs
        that are mere guesses are left out; where little else is found, the builder is warned.
        Rectangles are in points of the page as given, origin at the top left. Raises
        DocumentError: tesseract or a language of it is not installed, or the page took longer
        than ``PAGE_SECONDS``.
        """
        self._tesseract.check()
        page = _PageAttempts(self._tesseract, unprepared(image, dpi))
        best = page.best()
        if best is None:
            raise DocumentError(
                "Too slow to recognise",
                f"Recognising the text of a page took more than {PAGE_SECONDS:.0f} seconds.",
                "Scan it again at 300 dpi.",
                DocumentProblem.TOO_SLOW,
            )
        found = _page(best, dpi, _problem(best, page.script))
        if found.problem:
            self._builder.warn(found.problem)
        return found


class _PageAttempts:
    """The attempts at one page, until one is good or the time is over.

    An attempt is the words that one way of preparing the page gave, in pixels of the page as
    given.
    """

    def __init__(self, tesseract: Tesseract, page: Prepared) -> None:
        self._tesseract = tesseract
        self._page = page
        self._deadline = time.monotonic() + PAGE_SECONDS
        self._best: tuple[RecognisedWord, ...] | None = None
        self.script = ""
        self._look = look_at(page.image.convert("L"))

    def best(self) -> tuple[RecognisedWord, ...] | None:
        """Return the best attempt; None where none came to an end in time."""
        if self._look.is_mere_grain:
            # Tesseract would search the grain of the paper for letters, for minutes.
            return ()
        for page in self._ways():
            left = self._seconds_left()
            if left < 1:
                break
            self._try(page, left if self._best is not None else min(left, _FIRST_ATTEMPT_S))
            if self._best is not None and mean_confidence(self._best) >= _SURE:
                break
        return self._best

    def _ways(self) -> Iterator[Prepared]:
        """Yield the page as it is and prepared, each made when it is asked for."""
        if self._look.is_on_its_side:
            yield from self._upright_ways()
        if self._look.is_blank:
            yield self._page
            return
        is_spoiled = _is_spoiled(self._look)
        if not is_spoiled:
            yield self._page
        yield prepared(self._page, self._look)
        if is_spoiled:
            yield self._page
        is_unsure = self._best is not None and mean_confidence(self._best) < _UNSURE
        if not self._look.is_on_its_side and is_unsure:
            yield from self._upright_ways()

    def _upright_ways(self) -> Iterator[Prepared]:
        ready = prepared(self._page, self._look).image
        found = self._tesseract.orientation(ready, self._seconds_left())
        turns = [1, 3] if self._look.is_on_its_side else [2]
        if found is not None:
            turns, self.script = [found[0]], found[1]
        for number in filter(None, turns):
            upright = turned(self._page, number)
            yield prepared(upright, look_at(upright.image.convert("L")))

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def _try(self, page: Prepared, timeout_s: float) -> None:
        try:
            found = self._tesseract.words(page.image, page.dpi, timeout_s)
        except TooSlow:
            return
        ordered = in_rows(tuple(word for word in found if not _is_dirt(word)))
        words = tuple(word.mapped(page.placing) for word in ordered)
        if self._best is None or _worth(words) > _BETTER * max(0.0, _worth(self._best)):
            self._best = words


def _worth(words: tuple[RecognisedWord, ...]) -> float:
    return sum(len(word.text) * (word.confidence - _WORTHLESS) for word in words)


def _problem(words: tuple[RecognisedWord, ...], script: str) -> str:
    """Return what the reader should know of a page of which too little was recognised."""
    confidence = mean_confidence(words)
    if words and confidence < _UNSURE and script not in ("", "Latin"):
        return (
            f"The writing of a page seems to be {script} and could not be recognised well with"
            " the languages that are chosen for the project."
        )
    if words and confidence < _ILLEGIBLE:
        return (
            "The text of a page could not be recognised; it is illegible, or in another language"
            " than those that are chosen for the project."
        )
    return ""


def _is_dirt(word: RecognisedWord) -> bool:
    return word.confidence < _DIRT and not any(character.isalnum() for character in word.text)


def _is_spoiled(look: PageLook) -> bool:
    """Whether the page is better prepared before the first attempt."""
    return (
        abs(look.skew_degrees) > _SKEWED_DEGREES
        or look.is_noisy
        or look.is_blurred
        or look.shade < _SHADED
        or look.darkest > _FAINT
        or look.is_negative
    )


def _page(words: tuple[RecognisedWord, ...], dpi: float, problem: str) -> RecognisedPage:
    lines: list[RecognisedLine] = []
    to_points = Affine(a=72 / dpi, e=72 / dpi)
    paragraphs = groupby(words, key=lambda word: (word.block, word.paragraph))
    for number, (_, members) in enumerate(paragraphs):
        paragraph = tuple(word.mapped(to_points) for word in members)
        if mean_confidence(paragraph) >= _ILLEGIBLE:
            in_lines = groupby(paragraph, key=lambda word: word.line)
            lines.extend(RecognisedLine(tuple(line), number) for _, line in in_lines)
    legible = [word for line in lines for word in line.words]
    return RecognisedPage(tuple(lines), mean_confidence(legible), problem)


def mean_confidence(words: Sequence[RecognisedWord]) -> float:
    """Return the confidence of ``words``, each weighted by its length; 0 without any."""
    characters = sum(len(word.text) for word in words)
    sure = sum(len(word.text) * word.confidence for word in words)
    return sure / characters if characters else 0.0
