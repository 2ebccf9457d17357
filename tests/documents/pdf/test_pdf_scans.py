"""PDF pages that are pictures or garbage: recognised in page order, and what is said of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.model import Page, PageLocator
from phasergun_desktop.documents.pdf import scans
from phasergun_desktop.documents.pdf.pdf_format import read_pdf
from phasergun_desktop.documents.pdf.scans import has_ink, pages_named
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.pdf.pdf_samples import (
    PROSE,
    FakeRecogniser,
    add_picture_page,
    add_text_page,
    missing_program,
    new_pdf,
    shifted,
)


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> FakeRecogniser:
    recogniser = FakeRecogniser()
    monkeypatch.setattr(scans, "Recogniser", recogniser)
    return recogniser


def read(
    pdf: FPDF, report: Callable[[ReadingProgress], None] = lambda progress: None
) -> tuple[DocumentBuilder, tuple[Page, ...]]:
    builder = DocumentBuilder()
    _, pages = read_pdf(bytes(pdf.output()), Reading(builder, ReadingOptions(), "", report))
    return builder, pages


def test_pictures_are_recognised_in_page_order(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_picture_page(pdf)
    add_text_page(pdf)
    add_picture_page(pdf)
    add_picture_page(pdf)
    heard: list[ReadingProgress] = []
    builder, pages = read(pdf, heard.append)
    assert [block.locator.page for block in builder.blocks] == [1, 2, 3, 4]  # type: ignore[union-attr]
    assert [page.ocr_confidence for page in pages] == [0.9, None, 0.9, 0.9]
    assert heard == [ReadingProgress(number, 4, True) for number in (1, 3, 4)]
    size, dpi = fake.seen[0]
    assert dpi == 300
    assert size == pytest.approx((2550, 3300), abs=1)
    assert builder.blocks[0].ocr_confidence == pytest.approx(0.9)
    assert builder.blocks[0].locator == PageLocator(1, builder.blocks[0].locator.rects)  # type: ignore[union-attr]
    assert builder.blocks[1].ocr_confidence is None
    assert builder.warnings == ("The text of pages 1, 3 and 4 was recognised from their pictures.",)


def test_blank_pages_are_left_alone(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_text_page(pdf)
    pdf.add_page()
    add_picture_page(pdf, ink=False)
    builder, pages = read(pdf)
    assert not fake.seen
    assert len(pages) == 3
    assert builder.warnings == ()


def test_garbage_is_recognised_and_text_is_not(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_text_page(pdf, shifted(PROSE))
    add_text_page(pdf, PROSE)
    builder, _ = read(pdf)
    assert builder.text.startswith("Words of the picture\n\nThe meter measures")
    assert len(fake.seen) == 1


def test_a_stamp_on_a_scan_does_not_hide_it(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_picture_page(pdf)
    pdf.text(280, 770, "Page 1 of 3")
    builder, _ = read(pdf)
    assert builder.text == "Words of the picture"


def test_a_scan_with_its_own_text_layer_keeps_it(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_picture_page(pdf)
    pdf.text_mode = 3  # invisible
    pdf.set_xy(72, 72)
    pdf.multi_cell(400, 14, PROSE)
    builder, pages = read(pdf)
    assert not fake.seen
    assert builder.text.startswith("The meter measures")
    assert pages[0].ocr_confidence is None


def test_a_small_picture_on_a_page_of_text_is_not_recognised(fake: FakeRecogniser) -> None:
    pdf = new_pdf()
    add_text_page(pdf)
    picture = Image.new("L", (200, 200), 0)
    pdf.image(picture, x=100, y=300, w=200, h=200)
    assert not read(pdf)[1][0].ocr_confidence
    assert not fake.seen


def test_without_the_program_the_rest_is_read(fake: FakeRecogniser) -> None:
    fake.error = missing_program()
    pdf = new_pdf()
    add_text_page(pdf)
    add_picture_page(pdf)
    add_picture_page(pdf)
    builder, _ = read(pdf)
    assert builder.text.startswith("The meter measures")
    assert builder.warnings == ("Pages 2 and 3 are pictures and were not read. Install tesseract.",)
    assert len(fake.seen) == 1


@pytest.mark.parametrize("garbled", [False, True])
def test_without_the_program_and_without_text_the_file_fails(
    fake: FakeRecogniser, garbled: bool
) -> None:
    fake.error = missing_program()
    pdf = new_pdf()
    if garbled:
        add_text_page(pdf, shifted(PROSE))
    else:
        add_picture_page(pdf)
    with pytest.raises(DocumentError, match="Not found") as caught:
        read(pdf)
    assert caught.value.problem is DocumentProblem.PROGRAM_MISSING


def test_one_page_that_fails_costs_no_other(fake: FakeRecogniser) -> None:
    fake.error = DocumentError("Slow", "It took too long.", "", DocumentProblem.TOO_SLOW)
    pdf = new_pdf()
    add_text_page(pdf)
    add_picture_page(pdf)
    assert read(pdf)[0].warnings == ("Page 2 was not read: It took too long.",)


def test_recognised_pages_are_limited(
    fake: FakeRecogniser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scans, "MAX_RECOGNISED", 2)
    pdf = new_pdf()
    for _ in range(4):
        add_picture_page(pdf)
    builder, _ = read(pdf)
    assert len(fake.seen) == 2
    assert any("pages 3 and 4 were not read" in warning for warning in builder.warnings)


def test_nothing_found_ends_with_a_sentence(fake: FakeRecogniser) -> None:
    fake.text = ""
    pdf = new_pdf()
    add_picture_page(pdf)
    with pytest.raises(DocumentError, match="No text was recognised") as caught:
        read(pdf)
    assert caught.value.remedy


def test_empty_pages_end_with_a_sentence() -> None:
    pdf = new_pdf()
    pdf.add_page()
    with pytest.raises(DocumentError, match="no text on the pages") as caught:
        read(pdf)
    assert caught.value.problem is DocumentProblem.EMPTY


def test_a_huge_page_is_rendered_small(fake: FakeRecogniser) -> None:
    pdf = FPDF(unit="pt", format=(7000, 7000))
    add_picture_page(pdf, size=(7000, 7000))
    read(pdf)
    (width, height), dpi = fake.seen[0]
    assert width * height <= 40_500_000
    assert dpi == pytest.approx(72 * width / 7000, rel=0.01)


def test_ink_is_told_from_the_noise_of_paper() -> None:
    paper = Image.effect_noise((1700, 2200), 20)
    assert not has_ink(paper)
    ImageDraw.Draw(paper).text((800, 2100), "- 12 -", fill=0, font_size=40)
    assert has_ink(paper)


@pytest.mark.parametrize(
    ("pages", "named"),
    [
        ([3], "page 3"),
        ([3, 4], "pages 3 and 4"),
        ([1, 2, 3, 7, 9], "pages 1-3, 7 and 9"),
    ],
)
def test_pages_are_named(pages: list[int], named: str) -> None:
    assert pages_named(pages) == named


def test_many_ranges_are_cut_short() -> None:
    assert pages_named(range(1, 80, 2)).endswith("23 and others")


def test_a_scan_of_the_sample_data(test_data: Path) -> None:
    path = test_data / "nasty" / "pdf" / "scanned__graph_ocred.pdf"
    builder = DocumentBuilder()
    read_pdf(path, Reading(builder))
    assert builder.blocks
    assert not builder.warnings
