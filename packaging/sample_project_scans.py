"""Draw the scanned pages of the sample project from their text sources.

The face is the one that Pillow brings, so that every machine draws the same page; a little
skew and, for the photograph, noise make the pages look as if they came from a scanner.
"""

from __future__ import annotations

import io
import math
import random

from PIL import Image, ImageChops, ImageDraw, ImageFont
from sample_project_source import Part, PartKind, Source

PAGE_BREAK = "==="
_DPI = 200
_MARGIN = 110
_WIDTH = 1165  # A5 at 200 dpi
_HEIGHT = 1654
_INK = 40
_PAPER = 250


def scan_bytes(source: Source, suffix: str) -> bytes:
    """Return the picture of a source text as ``suffix`` wants it (``.png``, ``.tiff``, …)."""
    pages = [_page(source, parts, number) for number, parts in enumerate(_split(source), start=1)]
    buffer = io.BytesIO()
    first = pages[0]
    match suffix:
        case ".png":
            first.quantize(8).save(buffer, "PNG", dpi=(_DPI, _DPI), optimize=True)
        case ".jpg":
            _with_noise(first).save(buffer, "JPEG", dpi=(_DPI, _DPI), quality=55)
        case ".gif":
            first.quantize(4).save(buffer, "GIF")
        case ".bmp":
            _ink_only(first).save(buffer, "BMP", dpi=(_DPI, _DPI))
        case ".tiff":
            rest = [_ink_only(page) for page in pages[1:]]
            _ink_only(first).save(
                buffer,
                "TIFF",
                compression="group4",
                dpi=(_DPI, _DPI),
                save_all=True,
                append_images=rest,
            )
        case _:
            raise ValueError(f"no picture format {suffix}")
    return buffer.getvalue()


def _split(source: Source) -> list[list[Part]]:
    pages: list[list[Part]] = [[]]
    for part in source.parts:
        if part.text == PAGE_BREAK:
            pages.append([])
        else:
            pages[-1].append(part)
    return pages


def _page(source: Source, parts: list[Part], number: int) -> Image.Image:
    page = Image.new("L", (_WIDTH, _HEIGHT), _PAPER)
    draw = ImageDraw.Draw(page)
    y = _MARGIN
    if number == 1:
        y = _write(draw, source.title, 44, y)
        heading = f"{source.number}, revision {source.revision}, {source.date}"
        y = _write(draw, heading, 27, y + 6)
        draw.line((_MARGIN, y + 8, _WIDTH - _MARGIN, y + 8), fill=_INK, width=2)
        y += 36
    for part in parts:
        if part.kind is PartKind.HEADING:
            y = _write(draw, part.text, 33, y + 20)
        else:
            y = _write(draw, part.text, 28, y + 4)
    # A label or a printout is as high as its text.
    is_whole_page = any(part.kind is PartKind.HEADING for part in parts)
    bottom = _HEIGHT if is_whole_page else y + 90
    if is_whole_page:
        _write(draw, f"{source.footer}, page {number}", 21, _HEIGHT - _MARGIN)
    angle = random.Random(source.number).uniform(-0.8, 0.8)  # noqa: S311 - not a secret
    turned = page.rotate(angle, Image.Resampling.BICUBIC, fillcolor=_PAPER)
    return turned if bottom == _HEIGHT else turned.crop((0, 0, _WIDTH, bottom))


def _write(draw: ImageDraw.ImageDraw, text: str, size: int, y: int) -> int:
    """Write ``text`` in lines that fit; return where the next one may begin."""
    font = ImageFont.load_default(size)
    line = ""
    for word in [*text.split(), ""]:
        longer = f"{line} {word}".strip()
        if word and draw.textlength(longer, font=font) <= _WIDTH - 2 * _MARGIN:
            line = longer
            continue
        draw.text((_MARGIN, y), line, font=font, fill=_INK)
        y += math.ceil(size * 1.4)
        line = word
    return y


def _ink_only(page: Image.Image) -> Image.Image:
    return page.point(lambda value: 255 if value > 150 else 0).convert(
        "1", dither=Image.Dither.NONE
    )


def _with_noise(page: Image.Image) -> Image.Image:
    """Add what a photograph has: grain, and light that falls off to one side."""
    grain = random.Random(page.size[0])  # noqa: S311 - not a secret
    noise = Image.frombytes("L", page.size, grain.randbytes(page.size[0] * page.size[1]))
    softened = noise.point(lambda value: value // 12)
    shade = Image.linear_gradient("L").rotate(90).resize(page.size).point(lambda v: v // 8)
    return ImageChops.subtract(ImageChops.subtract(page, softened), shade)
