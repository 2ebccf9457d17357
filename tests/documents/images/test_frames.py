"""Opening pictures: colour modes, orientation, resolution, pages, damage, bombs."""

from __future__ import annotations

import struct
import zlib

import pytest
from PIL import Image

from phasergun_desktop.documents.images.frames import open_picture, resolution
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.images.pictures import page_of, saved

# A dark square at the left of the top on a light ground.
SIZE = (120, 80)


def marked(mode: str) -> Image.Image:
    image = Image.new("L", SIZE, 255)
    image.paste(0, (0, 0, 30, 20))
    return image.convert(mode)


def corner_is_dark(image: Image.Image) -> bool:
    dark, *_, light = image.convert("L").crop((5, 5, image.width - 5, image.height - 5)).tobytes()
    return dark < 60 and light > 200


@pytest.mark.parametrize(
    ("kind", "mode"),
    [
        ("PNG", "1"),
        ("PNG", "L"),
        ("PNG", "P"),
        ("PNG", "RGBA"),
        ("PNG", "LA"),
        ("PNG", "I;16"),
        ("JPEG", "L"),
        ("JPEG", "RGB"),
        ("JPEG", "CMYK"),
        ("GIF", "P"),
        ("BMP", "1"),
        ("BMP", "RGB"),
        ("TIFF", "1"),
        ("TIFF", "CMYK"),
        ("TIFF", "F"),
        ("TIFF", "RGB"),
    ],
)
def test_every_kind_of_pixel_ends_as_grey_or_colour(kind: str, mode: str) -> None:
    image = marked("L")
    if mode == "I;16":
        image = Image.frombytes("I;16", SIZE, b"".join(bytes((v, v)) for v in image.tobytes()))
    else:
        image = image.convert(mode)
    frame = open_picture(saved(image, kind)).frame(0)
    assert frame.image.mode in ("L", "RGB")
    assert frame.image.size == SIZE
    assert corner_is_dark(frame.image)
    assert not frame.is_cut_off


def test_what_is_transparent_is_white() -> None:
    image = Image.new("RGBA", SIZE, (0, 0, 0, 0))
    image.paste((0, 0, 0, 255), (0, 0, 30, 20))
    assert corner_is_dark(open_picture(saved(image, "PNG")).frame(0).image)
    palette = marked("P")
    palette.info["transparency"] = 255
    assert corner_is_dark(open_picture(saved(palette, "GIF", transparency=255)).frame(0).image)


@pytest.mark.parametrize("kind", ["JPEG", "TIFF", "PNG"])
@pytest.mark.parametrize("orientation", [1, 3, 6, 8])
def test_a_picture_is_set_upright(kind: str, orientation: int) -> None:
    ways = {
        1: None,
        3: Image.Transpose.ROTATE_180,
        6: Image.Transpose.ROTATE_90,
        8: Image.Transpose.ROTATE_270,
    }
    way = ways[orientation]
    stored = marked("L").transpose(way) if way is not None else marked("L")
    exif = Image.Exif()
    exif[274] = orientation
    frame = open_picture(saved(stored, kind, exif=exif)).frame(0)
    assert frame.image.size == SIZE
    assert corner_is_dark(frame.image)


@pytest.mark.parametrize(
    ("stated", "size", "expected"),
    [
        ((300, 300), (2480, 3508), 300.0),
        ((72, 72), (600, 800), 72.0),
        # A camera's 72 dpi would be a page of more than a metre.
        ((72, 72), (3000, 4000), 4000 / 11.69),
        ((1, 1), (1169, 800), 100.0),
        (None, (400, 300), 72.0),
        (None, (9000, 9000), 600.0),
        ((float("nan"), 300), (1169, 800), 100.0),
        ((0, 0), (1169, 800), 100.0),
        (("x", 2), (1169, 800), 100.0),
        ((100_000, 100_000), (1169, 800), 100.0),
    ],
)
def test_a_resolution_is_believed_where_it_makes_sense(
    stated: object, size: tuple[int, int], expected: float
) -> None:
    across, down = resolution(stated, size)
    assert across == down == pytest.approx(expected, rel=0.001)


def test_a_fax_page_gets_square_pixels() -> None:
    fax = Image.new("1", (1728, 1145), 1)
    frame = open_picture(saved(fax, "TIFF", dpi=(204, 98))).frame(0)
    assert frame.dpi == pytest.approx(204)
    assert frame.image.size == (1728, round(1145 * 204 / 98))
    width, height = frame.size_points
    assert width == pytest.approx(1728 / 204 * 72)
    assert height == pytest.approx(1145 / 98 * 72, abs=0.5)


def test_the_pages_of_a_tiff_are_frames_and_those_of_a_gif_are_not() -> None:
    pages = [Image.new("L", (40 + number, 30), 255) for number in range(3)]
    tiff = open_picture(saved(pages[0], "TIFF", save_all=True, append_images=pages[1:]))
    assert (tiff.frame_count, tiff.is_animated, tiff.has_more_frames) == (3, False, False)
    assert [tiff.frame(number).image.width for number in (2, 0, 1)] == [42, 40, 41]
    shown = [marked("L"), Image.new("L", SIZE, 9)]
    gif = open_picture(saved(shown[0], "GIF", save_all=True, append_images=shown[1:]))
    assert (gif.frame_count, gif.is_animated) == (1, True)
    assert corner_is_dark(gif.frame(0).image)


def test_only_so_many_pages_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("phasergun_desktop.documents.images.frames.MAX_FRAMES", 2)
    page = Image.new("L", (8, 8), 255)
    picture = open_picture(saved(page, "TIFF", save_all=True, append_images=[page] * 2))
    assert (picture.frame_count, picture.has_more_frames) == (2, True)
    picture = open_picture(saved(page, "TIFF", save_all=True, append_images=[page]))
    assert (picture.frame_count, picture.has_more_frames) == (2, False)


def test_a_chain_of_pages_that_bites_its_tail_ends() -> None:
    page = Image.new("L", (8, 8), 255)
    data = bytearray(saved(page, "TIFF"))
    start = struct.unpack_from("<I", data, 4)[0]
    entries = struct.unpack_from("<H", data, start)[0]
    struct.pack_into("<I", data, start + 2 + 12 * entries, start)
    assert open_picture(bytes(data)).frame_count == 1
    struct.pack_into("<I", data, start + 2 + 12 * entries, len(data) + 1000)
    assert open_picture(bytes(data)).frame_count == 1


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "TIFF", "BMP"])
def test_a_file_that_is_cut_off_gives_what_is_left(kind: str) -> None:
    data = saved(page_of(size=(600, 400)), kind)
    frame = open_picture(data[: len(data) * 2 // 3]).frame(0)
    assert frame.is_cut_off
    assert frame.image.size == (600, 400)


@pytest.mark.parametrize(
    "data",
    [
        b"\x89PNG\r\n\x1a\n",
        b"\xff\xd8\xff\xe0" + b"\0" * 40,
        b"GIF89a",
        b"BM" + b"\xff" * 60,
        b"II*\x00" + b"\xff" * 60,
        b"MM\x00*\0\0\0\x08\0\0",
        b"%PDF-1.4 not a picture",
    ],
)
def test_damage_is_called_damage(data: bytes) -> None:
    with pytest.raises(DocumentError) as caught:
        open_picture(data).frame(0)
    assert caught.value.problem is DocumentProblem.DAMAGED
    assert caught.value.remedy


def png_of(width: int, height: int) -> bytes:
    """A PNG that claims to be so large and holds almost nothing."""

    def chunk(name: bytes, body: bytes) -> bytes:
        check = zlib.crc32(name + body)
        return struct.pack(">I", len(body)) + name + body + struct.pack(">I", check)

    head = struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", head)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("size", [(60_000, 60_000), (13_000, 12_000), (40_000, 20)])
def test_a_bomb_is_refused_before_it_is_unpacked(size: tuple[int, int]) -> None:
    with pytest.raises(DocumentError) as caught:
        open_picture(png_of(*size))
    assert caught.value.problem is DocumentProblem.TOO_LARGE


def test_texts_of_the_file_are_its_properties() -> None:
    exif = Image.Exif()
    exif[270] = "Test report"
    exif[315] = "A. Author"
    exif[306] = "2024:05:01 10:00:00"
    properties = open_picture(saved(marked("L"), "TIFF", exif=exif)).properties
    assert (properties[270], properties[315]) == ("Test report", "A. Author")
