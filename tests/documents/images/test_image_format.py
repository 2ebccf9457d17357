"""Picture files as documents: pages, places, errors, and the page as it is shown."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image

from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.documents.images.image_format import read_image
from phasergun_desktop.documents.model import PageLocator, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.pdf.page_rendering import render_page_image
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.images.pictures import (
    TESSERACT,
    needs_tesseract,
    page_of,
    reading_with,
    saved,
)


def parsed(path: Path, data: bytes) -> ParsedDocument:
    path.write_bytes(data)
    return parse_file(path, tesseract=TESSERACT)


@needs_tesseract
@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "BMP", "TIFF"])
def test_a_picture_is_a_page_of_words_with_places(kind: str, tmp_path: Path) -> None:
    options = {} if kind == "GIF" else {"dpi": (300, 300)}
    image = page_of(("Strip lot 26F11 passed.",), (900, 350))
    document = parsed(tmp_path / f"a.{kind.lower()}", saved(image, kind, **options))
    assert document.format == "image"
    assert document.mime == f"image/{kind.lower()}"
    assert document.text == "Strip lot 26F11 passed."
    assert document.metadata.pages == 1
    assert document.metadata.read_with.startswith("tesseract ")
    page = document.pages[0]
    assert page.ocr_confidence is not None
    assert page.ocr_confidence > 0.8
    if kind != "GIF":
        assert (page.width, page.height) == pytest.approx((216, 84), abs=0.1)
    block = document.blocks[0]
    assert isinstance(block.locator, PageLocator)
    assert block.ocr_confidence == page.ocr_confidence
    assert [document.text[s.start : s.end] for s in block.segments] == [
        "Strip",
        "lot",
        "26F11",
        "passed.",
    ]
    for segment in block.segments:
        assert 0 <= segment.rect.x0 < segment.rect.x1 <= page.width
        assert 0 <= segment.rect.y0 < segment.rect.y1 <= page.height


@needs_tesseract
def test_every_page_of_a_tiff_is_read_and_reported(tmp_path: Path) -> None:
    del tmp_path
    pages = [page_of((f"Report number {number}",), (800, 300)) for number in (11, 22)]
    pages.insert(1, Image.new("L", (800, 300), 255))
    data = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], dpi=(300, 300))
    heard: list[ReadingProgress] = []
    plain = reading_with()
    reading = Reading(plain.builder, plain.options, plain.tesseract, heard.append)
    properties, found = read_image(data, reading)
    assert properties.pages == len(found) == 3
    assert found[1].ocr_confidence is None
    assert [
        block.locator.page
        for block in reading.builder.blocks
        if isinstance(block.locator, PageLocator)
    ] == [1, 3]
    assert "22" in reading.builder.text
    assert heard == [ReadingProgress(page, 3, recognised=True) for page in (1, 2, 3)]


@needs_tesseract
def test_a_damaged_page_does_not_take_the_others_with_it() -> None:
    pages = [page_of((f"Report number {number}",), (800, 300)) for number in (11, 22)]
    data = saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], compression="tiff_lzw")
    damaged = bytearray(data)
    start = data.index(b"\x80", 100)
    damaged[start : start + 400] = b"\xff" * 400
    reading = reading_with()
    _, found = read_image(bytes(damaged), reading)
    assert len(found) == 2
    assert "22" in reading.builder.text
    assert reading.builder.warnings


@needs_tesseract
def test_a_picture_without_text_says_so(tmp_path: Path) -> None:
    image = Image.linear_gradient("L").resize((500, 400))
    with pytest.raises(DocumentError, match="No text was recognised in the picture") as caught:
        parsed(tmp_path / "a.png", saved(image, "PNG"))
    assert caught.value.problem is DocumentProblem.ILLEGIBLE
    assert caught.value.remedy


@needs_tesseract
def test_only_the_first_image_of_an_animation_is_read(tmp_path: Path) -> None:
    shown = [page_of(("First image",), (600, 300)), page_of(("Second image",), (600, 300))]
    document = parsed(
        tmp_path / "a.gif", saved(shown[0], "GIF", save_all=True, append_images=shown[1:])
    )
    assert document.text == "First image"
    assert "only its first image" in document.warnings[0]


def test_a_picture_needs_the_program(tmp_path: Path) -> None:
    path = tmp_path / "a.png"
    path.write_bytes(saved(page_of(), "PNG"))
    with pytest.raises(DocumentError) as caught:
        parse_file(path)
    assert caught.value.problem is DocumentProblem.PROGRAM_MISSING


def test_a_page_is_shown_upright_at_the_scale_asked_for(tmp_path: Path) -> None:
    stored = Image.new("RGBA", (300, 600), (0, 0, 0, 0))
    stored.paste((200, 0, 0, 255), (0, 0, 150, 150))
    exif = Image.Exif()
    exif[274] = 6
    path = tmp_path / "a.png"
    path.write_bytes(saved(stored, "PNG", exif=exif, dpi=(150, 150)))
    shown = render_page_image(path, 1, 2.0)
    assert (shown.width, shown.height) == pytest.approx((288, 144), abs=0.1)
    image = Image.open(io.BytesIO(shown.png))
    assert image.size == (576, 288)
    # Turned to the right: what was at the left of the top is at the right of it.
    assert image.getpixel((570, 5)) == (200, 0, 0)
    assert image.getpixel((5, 5)) == (255, 255, 255)
    with pytest.raises(DocumentError, match="no page 2"):
        render_page_image(path, 2, 1.0)


@needs_tesseract
def test_the_nasty_pictures_end_with_text_or_a_sentence(test_data: Path) -> None:
    folder = test_data / "nasty" / "images"
    if not folder.is_dir():
        folder = test_data / "nasty" / "open" / "images"
    small = [path for path in sorted(folder.iterdir()) if path.stat().st_size < 30_000]
    assert small
    for path in small:
        problem: DocumentError | None = None
        document: ParsedDocument | None = None
        try:
            document = parse_file(path, tesseract=TESSERACT)
        except DocumentError as error:
            problem = error
        if problem is not None:
            assert problem.message.endswith("."), path.name
            assert problem.remedy.endswith("."), path.name
        else:
            assert document is not None
            assert document.blocks, path.name
