"""Recognition with the real program: as good as plain tesseract, better on spoiled pages."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from phasergun_desktop.documents.images.recognition import RecognisedPage, Recogniser
from phasergun_desktop.documents.images.tesseract import RecognisedWord, Tesseract, TooSlow
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.benchmarks.recognition_figures import plain_text
from tests.benchmarks.recognition_pages import (
    KnownPage,
    character_error_rate,
    faded,
    skewed,
    unevenly_lit,
)
from tests.documents.images.pictures import (
    LINES,
    TESSERACT,
    needs_tesseract,
    page_of,
    reading_with,
)

TEXT = "\n".join(LINES)


def text_of(page: RecognisedPage) -> str:
    return " ".join(word.text for line in page.lines for word in line.words)


def recognised(image: Image.Image, dpi: float = 300) -> RecognisedPage:
    return Recogniser(reading_with()).recognise(image, dpi)


def errors(image: Image.Image) -> tuple[float, float]:
    """Character error rates of plain tesseract and of ours, 0 to 1."""
    plain = character_error_rate(plain_text(KnownPage("", image, TEXT)), TEXT)
    return plain, character_error_rate(text_of(recognised(image)), TEXT)


@needs_tesseract
def test_a_clean_page_is_as_good_as_with_plain_tesseract() -> None:
    plain, ours = errors(page_of())
    assert ours <= plain + 0.005
    assert ours < 0.01


@needs_tesseract
def test_a_skewed_and_faint_page_is_better_than_with_plain_tesseract() -> None:
    page = faded(skewed(page_of(), 4.0), np.random.default_rng(3))
    plain, ours = errors(page)
    assert ours < plain
    assert ours < 0.02


@needs_tesseract
def test_an_unevenly_lit_page_is_better_than_with_plain_tesseract() -> None:
    page = unevenly_lit(page_of(size=(1500, 900)), np.random.default_rng(5))
    plain, ours = errors(page)
    assert ours <= plain + 0.005
    assert ours < 0.02


@needs_tesseract
def test_rectangles_lie_on_the_words_of_the_page_as_given() -> None:
    page = page_of()
    found = recognised(page)
    assert found.confidence > 0.9
    words = {word.text: word.rect for line in found.lines for word in line.words}
    # 120 pixels from the left at 300 dpi.
    assert words["The"].x0 == pytest.approx(120 * 72 / 300, abs=1.5)
    assert len({line.paragraph for line in found.lines}) == 1
    turned = recognised(page.transpose(Image.Transpose.ROTATE_180))
    there = {word.text: word.rect for line in turned.lines for word in line.words}
    for name in ("fingertip.", "capillary", "26F11"):
        assert there[name].x0 == pytest.approx(1500 * 0.24 - words[name].x1, abs=1)
        assert there[name].y1 == pytest.approx(900 * 0.24 - words[name].y0, abs=1)
    level = recognised(page.rotate(5.0, Image.Resampling.BICUBIC, fillcolor=255))
    angle = np.deg2rad(5.0)
    for line in level.lines:
        for word in line.words:
            if word.text in ("fingertip.", "26F11", "percent."):
                x = (word.rect.x0 + word.rect.x1) / 2 - 180
                y = (word.rect.y0 + word.rect.y1) / 2 - 108
                home = words[word.text]
                assert x * np.cos(angle) - y * np.sin(angle) + 180 == pytest.approx(
                    (home.x0 + home.x1) / 2, abs=2
                )
                assert x * np.sin(angle) + y * np.cos(angle) + 108 == pytest.approx(
                    (home.y0 + home.y1) / 2, abs=2
                )


@needs_tesseract
@pytest.mark.parametrize("way", [Image.Transpose.ROTATE_90, Image.Transpose.ROTATE_180])
def test_a_turned_page_is_read(way: Image.Transpose) -> None:
    assert character_error_rate(text_of(recognised(page_of().transpose(way))), TEXT) < 0.02


@needs_tesseract
def test_a_page_of_dark_ground_and_a_blank_one() -> None:
    assert "capillary" in text_of(recognised(page_of(ink=240, paper=30)))
    assert recognised(Image.new("L", (900, 600), 250)).lines == ()
    # Very light letters, but clean: as plain tesseract reads them.
    assert "capillary" in text_of(recognised(page_of(ink=249)))


def test_the_grain_of_blank_paper_is_not_searched_for_letters() -> None:
    random = np.random.default_rng(2)
    grain = Image.fromarray(random.normal(235, 4, (1200, 900)).clip(0, 255).astype(np.uint8))
    recogniser, tesseract = scripted()
    assert recogniser.recognise(grain, 150).lines == ()
    assert tesseract.sizes == []


def test_a_huge_page_is_covered_where_it_is() -> None:
    page = page_of().resize((9_000, 5_400), Image.Resampling.NEAREST)
    # The page is shrunk to 25 million pixels: 4.3 for each of the one that was drawn.
    found = tuple(
        RecognisedWord("sure", Rect(430, 473 + 301 * row, 6_230, 774 + 301 * row), 0.95, 1, 1, row)
        for row in range(6)
    )
    recogniser, tesseract = scripted(found, found)
    recogniser.recognise(page, 300)
    assert len(tesseract.sizes) == 1
    assert tesseract.sizes[0] == pytest.approx((6_455, 3_873), abs=2)


@needs_tesseract
def test_nothing_is_left_in_the_temporary_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    recognised(page_of())
    with pytest.raises(TooSlow):
        Tesseract(TESSERACT, "eng").words(page_of(size=(3000, 3000)), 300, 0.01)
    assert list(tmp_path.iterdir()) == []


@needs_tesseract
def test_a_missing_language_says_how_to_install_it() -> None:
    with pytest.raises(DocumentError) as caught:
        Recogniser(reading_with(languages="eng+xyz")).recognise(page_of(), 300)
    assert caught.value.problem is DocumentProblem.PROGRAM_MISSING
    assert "xyz" in caught.value.message
    assert "tesseract-ocr-xyz" in caught.value.remedy
    assert "eng" not in caught.value.message.replace("xyz", "")


@pytest.mark.parametrize("program", ["", "/no/such/tesseract"])
def test_without_the_program_the_sentence_says_how_to_install_it(program: str) -> None:
    with pytest.raises(DocumentError) as caught:
        Recogniser(reading_with(program)).recognise(page_of(), 300)
    assert caught.value.problem is DocumentProblem.PROGRAM_MISSING
    assert "tesseract-ocr" in caught.value.remedy


class ScriptedTesseract:
    """Answers one attempt after the other, and notes what it was given."""

    def __init__(self, *answers: tuple[RecognisedWord, ...] | None) -> None:
        self.answers = list(answers)
        self.sizes: list[tuple[int, int]] = []

    def check(self) -> None:
        """Everything is installed."""

    def words(
        self, picture: Image.Image, dpi: float, timeout_s: float
    ) -> tuple[RecognisedWord, ...]:
        """Give the next answer; None is too slow."""
        assert dpi > 0
        assert timeout_s > 0
        self.sizes.append(picture.size)
        answer = self.answers.pop(0)
        if answer is None:
            raise TooSlow
        return answer

    def orientation(self, picture: Image.Image, timeout_s: float) -> None:
        """Cannot tell."""
        del picture, timeout_s


def scripted(*answers: tuple[RecognisedWord, ...] | None) -> tuple[Recogniser, ScriptedTesseract]:
    recogniser = Recogniser(reading_with("/somewhere"))
    tesseract = ScriptedTesseract(*answers)
    recogniser._tesseract = tesseract  # type: ignore[assignment]
    return recogniser, tesseract


def words(text: str, confidence: float, *, lines: int = 6) -> tuple[RecognisedWord, ...]:
    """``text`` as one word on each line of the page that ``page_of`` draws."""
    return tuple(
        RecognisedWord(text, Rect(100, 110 + 70 * row, 1450, 180 + 70 * row), confidence, 1, 1, row)
        for row in range(lines)
    )


def test_a_sure_first_attempt_is_the_last() -> None:
    recogniser, tesseract = scripted(words("sure", 0.95))
    assert recogniser.recognise(page_of(), 300).confidence == pytest.approx(0.95)
    assert len(tesseract.sizes) == 1


def test_the_better_of_two_attempts_counts() -> None:
    recogniser, _ = scripted(words("unsure", 0.7), words("better", 0.8))
    assert "better" in text_of(recogniser.recognise(page_of(), 300))
    recogniser, _ = scripted(words("plain", 0.8), words("worse", 0.7))
    assert "plain" in text_of(recogniser.recognise(page_of(), 300))


def test_a_skewed_page_is_prepared_first() -> None:
    page = skewed(page_of(), 4.0)
    recogniser, tesseract = scripted(words("sure", 0.95), words("again", 0.95))
    recogniser.recognise(page, 300)
    assert tesseract.sizes[0][0] > page.width


def test_guesses_and_dirt_are_left_out() -> None:
    guess = words("guess", 0.2)
    recogniser, _ = scripted(guess, guess, guess)
    found = recogniser.recognise(page_of(), 300)
    assert found.lines == ()
    assert "could not be recognised" in found.problem
    dirt = RecognisedWord("|~", Rect(10, 10, 15, 30), 0.1, 1, 1, 0)
    recogniser, _ = scripted((dirt, *words("sure", 0.95)))
    assert "|~" not in text_of(recogniser.recognise(page_of(), 300))


def test_an_attempt_without_an_end_is_given_up() -> None:
    recogniser, _ = scripted(None, words("second", 0.95))
    assert "second" in text_of(recogniser.recognise(page_of(), 300))
    recogniser, _ = scripted(None, None)
    with pytest.raises(DocumentError) as caught:
        recogniser.recognise(page_of(), 300)
    assert caught.value.problem is DocumentProblem.TOO_SLOW
