"""Reads pictures of text: every frame is a page whose text is recognised."""

from __future__ import annotations

from phasergun_desktop.documents.builder import Reading
from phasergun_desktop.documents.document_reader import ReadingProgress
from phasergun_desktop.documents.images.frames import MAX_FRAMES, Picture, open_picture
from phasergun_desktop.documents.images.recognised_blocks import add_recognised_page
from phasergun_desktop.documents.images.recognition import Recogniser
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import Page
from phasergun_desktop.errors import DocumentError, DocumentProblem

_DESCRIPTION, _DATE_TIME, _ARTIST = 270, 306, 315
_UNKNOWN_PAGE = Page(595.0, 842.0)


def read_image(data: bytes, reading: Reading) -> tuple[FileProperties, tuple[Page, ...]]:
    """Append the recognised text of every frame of a PNG, JPEG, GIF, BMP or TIFF file.

    Pages are in points by the resolution of the picture (see ``frames.resolution``). Of an
    animation only the first picture is read. Raises DocumentError: damaged, too large,
    tesseract not installed, or no text recognised at all.
    """
    picture = open_picture(data)
    builder = reading.builder
    if picture.is_animated:
        builder.warn("The picture is animated; only its first image was read.")
    if picture.has_more_frames:
        builder.warn(f"The file has more than {MAX_FRAMES:,} pages; those after are not read.")
    recogniser = Recogniser(reading)
    pages: list[Page] = []
    failures: list[DocumentError] = []
    problems: list[str] = []
    for number in range(1, picture.frame_count + 1):
        reading.report(ReadingProgress(number, picture.frame_count, recognised=True))
        try:
            pages.append(_read_page(picture, number, recogniser, reading, problems))
        except DocumentError as error:
            if error.problem is DocumentProblem.PROGRAM_MISSING:
                raise
            failures.append(error)
            pages.append(_UNKNOWN_PAGE)
            builder.warn(f"Page {number} was not read: {error.message}")
    if not builder.blocks:
        raise failures[0] if failures else _without_text(picture.frame_count, problems)
    properties = picture.properties
    return (
        FileProperties(
            title=properties.get(_DESCRIPTION, ""),
            author=properties.get(_ARTIST, ""),
            created=_date(properties.get(_DATE_TIME, "")),
            pages=picture.frame_count,
            read_with=recogniser.read_with,
        ),
        tuple(pages),
    )


def _read_page(
    picture: Picture, number: int, recogniser: Recogniser, reading: Reading, problems: list[str]
) -> Page:
    frame = picture.frame(number - 1)
    if frame.is_cut_off:
        reading.builder.warn(
            f"The file ends within page {number} or is damaged there; what is left was read."
        )
    found = recogniser.recognise(frame.image, frame.dpi)
    if found.problem:
        problems.append(found.problem)
    add_recognised_page(reading.builder, number, found)
    width, height = frame.size_points
    return Page(width, height, found.confidence if found.lines else None)


def _without_text(pages: int, problems: list[str]) -> DocumentError:
    if problems:
        return DocumentError(
            "No legible text",
            problems[0],
            "Choose its language in Project › Recognition language, or scan it again at 300 dpi.",
            DocumentProblem.ILLEGIBLE,
        )
    return DocumentError(
        "No text",
        "No text was recognised in the picture."
        if pages == 1
        else f"No text was recognised in the {pages} pages of the picture.",
        "If it shows text, scan it again at 300 dpi, or choose its language in Project ›"
        " Recognition language; a picture without text need not be in the project.",
        DocumentProblem.ILLEGIBLE,
    )


def _date(stated: str) -> str:
    """Return EXIF's ``2024:05:01 10:00:00`` as ``2024-05-01T10:00:00``, anything else as is."""
    day, _, time = stated.strip().partition(" ")
    if day.count(":") == 2:
        return f"{day.replace(':', '-')}T{time}" if time else day.replace(":", "-")
    return stated.strip()
