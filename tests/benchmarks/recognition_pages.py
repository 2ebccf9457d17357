"""Pages with known text for the recognition benchmark, and the ways in which they are spoiled."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pypdfium2
from docx import Document
from PIL import Image, ImageDraw, ImageFilter, ImageFont

DPI = 300
_A4 = (2480, 3508)
_MARGIN = 300
_WHITE = 255


@dataclass(frozen=True, slots=True)
class KnownPage:
    """A page as grey picture of ``dpi`` pixels per inch, and what it says."""

    name: str
    image: Image.Image
    text: str
    dpi: int = DPI


@dataclass(frozen=True, slots=True)
class PdfPage:
    """A page (from 1) of a PDF with text, below the folder of test data."""

    file: str
    page: int


# The thresholds of the recogniser were chosen on these, with the seeds of ``TUNING_SEED``.
TUNING_PAGES = (
    PdfPage("regulatory/eu_guidance_pdf/Clinical evaluation Guide for manufacturers*.pdf", 5),
    PdfPage("regulatory/fda_pdf/Q8_R2_Pharmaceutical_71535.pdf", 7),
    PdfPage("regulatory/fda_pdf/2002d-0389-gdl0002.pdf", 9),
    PdfPage("regulatory/qms_mdn/privcy.pdf", 1),
    PdfPage("project-glucose/Context/Predicates/K231192_REVIEW.pdf", 7),
    PdfPage("project-glucose/Procedures/SOPs/SOP-017-computer-system-validation.pdf", 2),
)
TUNING_TEXTS = (("project-glucose/Context/Predicates/K231476_REVIEW.md", 40),)
TUNING_SEED = 1_000
# The figures are those of these pages.
REPORTED_PAGES = (
    PdfPage("regulatory/510k_pdf/K231652.pdf", 4),
    PdfPage("regulatory/510k_pdf/K230640.pdf", 6),
    PdfPage("regulatory/fda_pdf/Target_Product_Profile_A_72566.pdf", 7),
    PdfPage("regulatory/fda_pdf/ANDA_Submissions_Guidance_102360.pdf", 9),
    PdfPage("regulatory/eu_guidance_pdf/Questions and answers*.pdf", 4),
    PdfPage("regulatory/eu_guidance_pdf/Guidance on safety reporting*.pdf", 9),
    PdfPage("regulatory/eu_guidance_pdf/Supply of Instructions For Use*.pdf", 2),
    PdfPage("project-glucose/Procedures/SOPs/QP-0021_Medical_Device_Reporting*.pdf", 3),
)
# File and the line from which a page of it is drawn.
REPORTED_TEXTS = (
    ("project-glucose/Context/Initiation/Device-Description.docx", 0),
    ("project-glucose/Procedures/SOPs/SOP-001-document-control.md", 20),
    ("project-glucose/Context/General/21CFR_part-820.md", 60),
)
REPORTED_SEED = 0
SCAN = "project-glucose/Context/Ongoing/TR-0147-scan.png"
# Typed from the picture.
SCAN_TEXT = """TEST REPORT TR-0147
Haematocrit interference, GlucoTrace G2, strip lot 26F11
Date: 2026-09-28 Laboratory: Northfield Diagnostics, room 2.14
Method. Venous blood from 12 donors was adjusted to five haematocrit
levels: 20, 30, 42, 55 and 65 percent. Each level was tested at 50, 120
and 350 mg/dL with 10 strips per condition.
Result. The largest mean bias against the 42 percent level was 7.8
percent, at 65 percent haematocrit and 50 mg/dL. All other conditions
were within 5.1 percent. The acceptance limit is 10 percent.
Conclusion. The requirement of DI-022 is met. Action A-17 is closed."""


def known_pages(
    data: Path, pages: tuple[PdfPage, ...], texts: tuple[tuple[str, int], ...]
) -> Iterator[KnownPage]:
    """Render ``pages`` and draw ``texts`` of the folder ``data`` at 300 dpi."""
    for page in pages:
        yield _rendered(data, page)
    for name, first_line in texts:
        yield drawn_page(Path(name).stem, _lines_of(data / name)[first_line:])


def scan_page(data: Path) -> KnownPage:
    """Return the scanned test report of project-glucose."""
    with Image.open(data / SCAN) as image:
        dpi = round(float(image.info.get("dpi", (150, 150))[0]))
        return KnownPage("TR-0147-scan", image.convert("L"), SCAN_TEXT, dpi)


def _rendered(data: Path, page: PdfPage) -> KnownPage:
    folder, _, pattern = page.file.rpartition("/")
    path = next(iter(sorted((data / folder).glob(pattern))))
    pdf = pypdfium2.PdfDocument(path)
    try:
        opened = pdf[page.page - 1]
        text = opened.get_textpage().get_text_range()
        image = opened.render(scale=DPI / 72).to_pil().convert("L")
    finally:
        pdf.close()
    # pdfium writes the hyphen at a line's end as a character of its own.
    text = re.sub("[\x02\ufffe\xad]", "-", text)
    return KnownPage(f"{path.stem[:24]} p{page.page}", image, text)


def _lines_of(path: Path) -> list[str]:
    if path.suffix == ".docx":
        paragraphs = [paragraph.text for paragraph in Document(str(path)).paragraphs]
    else:
        paragraphs = path.read_text("utf-8").splitlines()
    plain = [re.sub(r"[*_#|`>]+", " ", paragraph) for paragraph in paragraphs]
    return [line for paragraph in plain for line in textwrap.wrap(" ".join(paragraph.split()), 78)]


def drawn_page(name: str, lines: list[str], size: int = 46) -> KnownPage:
    """Draw as many ``lines`` as fit on a page of A4 at 300 dpi; ``size`` in pixels."""
    image = Image.new("L", _A4, _WHITE)
    draw = ImageDraw.Draw(image)
    font = ImageFont.load_default(size)
    pitch = round(size * 1.5)
    shown = lines[: (_A4[1] - 2 * _MARGIN) // pitch]
    for number, line in enumerate(shown):
        draw.text((_MARGIN, _MARGIN + number * pitch), line, font=font, fill=20)
    return KnownPage(name, image, "\n".join(shown))


# ---------------------------------------------------------------- spoiling

Grey = npt.NDArray[np.float32]
Spoiling = Callable[[Image.Image, np.random.Generator], Image.Image]


def _pixels(image: Image.Image) -> Grey:
    return np.asarray(image, dtype=np.float32)


def _picture(pixels: Grey) -> Image.Image:
    return Image.fromarray(pixels.clip(0, 255).astype(np.uint8))


def skewed(image: Image.Image, degrees: float) -> Image.Image:
    """Turn the page, anticlockwise for positive ``degrees``, on a sheet that holds all of it."""
    return image.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=_WHITE)


def faded(image: Image.Image, random: np.random.Generator, ink: float = 218.0) -> Image.Image:
    """Print the page with hardly any toner: ink of grey ``ink`` on paper of grey 235."""
    pixels = ink + (235.0 - ink) * _pixels(image) / 255.0
    return _picture(pixels + random.normal(0, 4, pixels.shape).astype(np.float32))


def blurred(image: Image.Image, radius: float = 3.0) -> Image.Image:
    """Put the page out of focus."""
    return image.filter(ImageFilter.GaussianBlur(radius))


def noisy(image: Image.Image, random: np.random.Generator, sigma: float = 50.0) -> Image.Image:
    """Add noise, and dirt on one pixel of fifty."""
    pixels = _pixels(image) + random.normal(0, sigma, (image.height, image.width))
    dirt = random.random((image.height, image.width)) < 0.02
    pixels = np.where(dirt, 255 * random.integers(0, 2, pixels.shape), pixels)
    return _picture(pixels.astype(np.float32))


def small(image: Image.Image, dpi: int) -> Image.Image:
    """Scan the page at ``dpi`` instead of 300."""
    size = (round(image.width * dpi / DPI), round(image.height * dpi / DPI))
    return image.resize(size, Image.Resampling.BOX)


def unevenly_lit(image: Image.Image, random: np.random.Generator) -> Image.Image:
    """Photograph the page by one lamp: one corner bright, the other in the shade."""
    height, width = image.height, image.width
    down, across = np.mgrid[0:height, 0:width].astype(np.float32)
    turn = random.uniform(0, 2 * np.pi)
    along = np.cos(turn) * (across / width - 0.5) + np.sin(turn) * (down / height - 0.5)
    light = 0.62 + 0.75 * along
    light = np.clip(light, 0.16, 1.0)
    pixels = _pixels(image) * 0.85 + 20
    return _picture(pixels * light + random.normal(0, 3, pixels.shape).astype(np.float32))


def _angle(random: np.random.Generator, low: float, high: float) -> float:
    return float(random.uniform(low, high) * random.choice((-1.0, 1.0)))


SPOILINGS: dict[str, Spoiling] = {
    "clean": lambda image, random: image,
    "skew 1-2°": lambda image, random: skewed(image, _angle(random, 1, 2)),
    "skew 3-5°": lambda image, random: skewed(image, _angle(random, 3, 5)),
    "skew 8-12°": lambda image, random: skewed(image, _angle(random, 8, 12)),
    "faded": faded,
    "blurred": lambda image, random: blurred(image),
    "noisy": noisy,
    "150 dpi": lambda image, random: small(image, 150),
    "100 dpi": lambda image, random: small(image, 100),
    "uneven light": unevenly_lit,
    "skewed, faded": lambda image, random: faded(skewed(image, _angle(random, 2, 5)), random),
    "skewed, uneven light": lambda image, random: unevenly_lit(
        skewed(image, _angle(random, 2, 5)), random
    ),
    "150 dpi, faded, noisy": lambda image, random: noisy(
        faded(small(image, 150), random, ink=150.0), random, sigma=15.0
    ),
    "skewed, blurred, noisy": lambda image, random: noisy(
        blurred(skewed(image, _angle(random, 1, 4)), 2.0), random, sigma=40.0
    ),
    "on its side": lambda image, random: image.transpose(
        Image.Transpose.ROTATE_90 if random.random() < 0.5 else Image.Transpose.ROTATE_270
    ),
}
_DPI_OF = {"150 dpi": 150, "150 dpi, faded, noisy": 150, "100 dpi": 100}


def spoiled(page: KnownPage, spoiling: str, seed: int) -> KnownPage:
    """Return ``page`` spoiled in the named way; the same ``seed`` spoils it alike."""
    key = np.frombuffer(json.dumps([page.name, spoiling]).encode(), np.uint8)
    random = np.random.default_rng([seed, *key.tolist()])
    image = SPOILINGS[spoiling](page.image, random)
    return KnownPage(page.name, image, page.text, _DPI_OF.get(spoiling, page.dpi))


# ---------------------------------------------------------------- comparing


def character_error_rate(found: str, wanted: str) -> float:
    """Return the edits that turn ``found`` into ``wanted`` by characters of ``wanted``.

    Runs of white space count as one space. The Levenshtein distance is exact, row by row.
    """
    first, second = (np.array([ord(c) for c in " ".join(t.split())]) for t in (found, wanted))
    if not len(second):
        return float(len(first) > 0)
    places = np.arange(len(second) + 1)
    row = places.copy()
    for number, character in enumerate(first, start=1):
        best = np.empty_like(row)
        best[0] = number
        best[1:] = np.minimum(row[1:] + 1, row[:-1] + (second != character))
        # Insertions run along the row: a running minimum of the cost less the place.
        row = np.minimum.accumulate(best - places) + places
    return float(row[-1]) / len(second)
