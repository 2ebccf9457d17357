"""Recognises the text of a picture: words with rectangles and confidence."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import TYPE_CHECKING

from phasergun_desktop.documents.affine import Affine
from phasergun_desktop.documents.images.ink_coverage import coverage
from phasergun_desktop.documents.images.page_analysis import PageLook, look_at
from phasergun_desktop.documents.images.preparation import (
    Prepared,
    prepared,
    turned,
    unprepared,
)
from phasergun_desktop.documents.images.table_rows import in_rows
from phasergun_desktop.documents.images.tesseract import RecognisedWord, Tesseract, TooSlow
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.errors import DocumentError, DocumentProblem

if TYPE_CHECKING:
    from PIL.Image import Image

# All attempts at one page together; the reader grants a recognised page a minute.
PAGE_SECONDS = 50.0
_FIRST_ATTEMPT_S = 30.0
# An attempt is good, and the last, where its words are sure and leave no text uncovered.
_SURE = 0.90
_COVERED = 0.96
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


@dataclass(frozen=True, slots=True)
class _Attempt:
    """What one way of preparing the page gave; words are in pixels of the page as given."""

    words: tuple[RecognisedWord, ...]
    confidence: float
    covered: float

    @property
    def is_good(self) -> bool:
        return self.confidence >= _SURE and self.covered >= _COVERED

    @property
    def worth(self) -> float:
        return sum(len(word.text) * (word.confidence - _WORTHLESS) for word in self.words)


class Recogniser:
    """Recognises pictures of text with the languages of the project's settings."""

    def __init__(self, reading: Reading) -> None:
        self._builder = reading.builder
        self._tesseract = Tesseract(reading.tools.tesseract, reading.options.languages)

    @property
    def read_with(self) -> str:
        """The program that recognises, with its version. Raises DocumentError as below."""
        return self._tesseract.name

    def recognise(self, image: Image, dpi: float) -> RecognisedPage:
        """Return the text of ``image``, a page of ``dpi`` pixels per inch.

        The page is recognised as it is, and prepared (evenly lit, smooth, straight, upright)
        where the first attempt is unsure or leaves text out; the best attempt counts. A page
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
    """The attempts at one page, until one is good or the time is over."""

    def __init__(self, tesseract: Tesseract, page: Prepared) -> None:
        self._tesseract = tesseract
        self._page = page
        self._deadline = time.monotonic() + PAGE_SECONDS
        self._best: _Attempt | None = None
        self.script = ""
        self._look = look_at(page.image.convert("L"))

    def best(self) -> _Attempt | None:
        """Return the best attempt; None where none came to an end in time."""
        if self._look.is_mere_grain:
            # Tesseract would search the grain of the paper for letters, for minutes.
            return _Attempt((), 0.0, 1.0)
        for make in self._ways():
            self._try(make)
            if self._best is not None and self._best.is_good:
                break
        return self._best

    def _ways(self) -> Iterator[Callable[[], Prepared]]:
        if self._look.is_on_its_side:
            yield from self._upright_ways()
        plain = partial(_as_it_is, self._page)
        ready = partial(prepared, self._page, self._look)
        if self._look.is_blank:
            yield plain
            return
        yield from (ready, plain) if _is_spoiled(self._look) else (plain, ready)
        if not self._look.is_on_its_side and self._is_unsure():
            yield from self._upright_ways()

    def _upright_ways(self) -> Iterator[Callable[[], Prepared]]:
        ready = prepared(self._page, self._look).image
        found = self._tesseract.orientation(ready, self._seconds_left())
        turns: tuple[int, ...]
        if found is not None:
            self.script = found.script
            turns = (found.quarter_turns,) if found.quarter_turns else ()
        else:
            turns = (1, 3) if self._look.is_on_its_side else (2,)
        for number in turns:
            yield partial(_turned_and_prepared, self._page, number)

    def _is_unsure(self) -> bool:
        return self._best is not None and self._best.confidence < _UNSURE

    def _seconds_left(self) -> float:
        return self._deadline - time.monotonic()

    def _try(self, make: Callable[[], Prepared]) -> None:
        left = self._seconds_left()
        if left < 1:
            return
        if self._best is None:
            left = min(left, _FIRST_ATTEMPT_S)
        page = make()
        try:
            found = self._tesseract.words(page.image, page.dpi, left)
        except TooSlow:
            return
        attempt = self._attempt(page, found)
        if self._best is None or attempt.worth > _BETTER * max(0.0, self._best.worth):
            self._best = attempt

    def _attempt(self, page: Prepared, found: tuple[RecognisedWord, ...]) -> _Attempt:
        found = in_rows(tuple(word for word in found if not _is_dirt(word)))
        words = tuple(word.mapped(page.placing) for word in found)
        characters = sum(len(word.text) for word in found)
        sure = sum(len(word.text) * word.confidence for word in found)
        return _Attempt(
            words,
            sure / characters if characters else 0.0,
            coverage(self._look, (word.rect for word in words), 1 / self._page.placing.a),
        )


def _as_it_is(page: Prepared) -> Prepared:
    return page


def _turned_and_prepared(page: Prepared, quarter_turns: int) -> Prepared:
    upright = turned(page, quarter_turns)
    look = look_at(upright.image.convert("L"))
    return prepared(upright, look)


def _problem(found: _Attempt, script: str) -> str:
    """Return what the reader should know of a page of which too little was recognised."""
    if found.words and found.confidence < _UNSURE and script not in ("", "Latin"):
        return (
            f"The writing of a page seems to be {script} and could not be recognised well with"
            " the languages of the project's settings."
        )
    if found.words and found.confidence < _ILLEGIBLE:
        return (
            "The text of a page could not be recognised; it is illegible, or in another language"
            " than those of the project's settings."
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


def _page(found: _Attempt, dpi: float, problem: str) -> RecognisedPage:
    lines: list[RecognisedLine] = []
    paragraphs: dict[tuple[int, int], int] = {}
    to_points = Affine(a=72 / dpi, e=72 / dpi)
    for (block, paragraph, _), group in groupby(
        found.words, key=lambda word: (word.block, word.paragraph, word.line)
    ):
        number = paragraphs.setdefault((block, paragraph), len(paragraphs))
        lines.append(RecognisedLine(tuple(word.mapped(to_points) for word in group), number))
    legible = tuple(
        line
        for _, group in groupby(lines, key=lambda line: line.paragraph)
        for paragraph in [tuple(group)]
        if mean_confidence(paragraph) >= _ILLEGIBLE
        for line in paragraph
    )
    return RecognisedPage(legible, mean_confidence(legible), problem)


def mean_confidence(lines: tuple[RecognisedLine, ...]) -> float:
    """Return the confidence of ``lines``, each word weighted by its length; 0 without words."""
    weighted = [(len(word.text), word.confidence) for line in lines for word in line.words]
    characters = sum(weight for weight, _ in weighted)
    return sum(w * c for w, c in weighted) / characters if characters else 0.0
