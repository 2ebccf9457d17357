"""Reads DOC, PPT and RTF by itself, and what is too damaged for that by a library."""

from __future__ import annotations

import io
import struct
from dataclasses import replace

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.formats import Format
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, ParagraphLocator, SlideLocator
from phasergun_desktop.documents.office.doc_format import read_doc
from phasergun_desktop.documents.office.encryption import OLE_MAGIC, decrypted
from phasergun_desktop.documents.office.ppt_format import read_ppt
from phasergun_desktop.documents.office.properties import ole_properties
from phasergun_desktop.documents.office.rtf_format import read_rtf
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.errors import DocumentError, DocumentProblem

BUILT_IN = "built-in reader"
# What readers of damaged bytes raise.
_DAMAGE = (
    ValueError,
    OSError,
    IndexError,
    KeyError,
    AttributeError,
    TypeError,
    OverflowError,
    struct.error,
)
_PROPERTIES = "SummaryInformation".encode("utf-16-le")
_NO_PROPERTIES = "NothingOfInterest!".encode("utf-16-le")
_TARGETS = {Format.DOC: "docx", Format.RTF: "docx", Format.PPT: "pptx"}


def read_old_office(data: bytes, found: Format, reading: Reading) -> FileProperties:
    """Append the blocks of a DOC, PPT or RTF file; return its properties and what read it.

    Tried in turn: the readers of this room, and sharepoint-to-text. Raises DocumentError where
    the file is protected or neither can read it.
    """
    plain = decrypted(data, reading.options.passwords)
    for attempt in (_built_in, _by_library):
        builder = DocumentBuilder()
        properties = attempt(plain, found, builder)
        if properties is not None:
            # A file that could be read may be empty; what the library finds in it is no text.
            reading.builder.adopt(builder)
            return properties
    raise DocumentError(
        "Damaged file",
        f"The {found.value.upper()} file cannot be read; it is damaged or in another format.",
        f"Open it in its own program and save a copy as {_TARGETS[found].upper()}.",
        DocumentProblem.DAMAGED,
    )


def _built_in(data: bytes, found: Format, builder: DocumentBuilder) -> FileProperties | None:
    try:
        if found is Format.RTF or data.startswith(b"{\\rtf"):
            info = read_rtf(data, builder)
            return FileProperties(title=info.title, author=info.author, read_with=BUILT_IN)
        properties = replace(ole_properties(data), read_with=BUILT_IN)
        if found is Format.PPT:
            return replace(properties, pages=read_ppt(data, builder))
        read_doc(data, builder)
    except _DAMAGE:
        return None
    return properties


def _by_library(data: bytes, found: Format, builder: DocumentBuilder) -> FileProperties | None:
    """Read with sharepoint-to-text, which guesses where the text is: for damaged files."""
    if not data.startswith(OLE_MAGIC):
        return None
    from sharepoint2text import __version__  # noqa: PLC0415
    from sharepoint2text.parsing.exceptions import ExtractionError  # noqa: PLC0415
    from sharepoint2text.parsing.extractors.ms_legacy.doc_extractor import (  # noqa: PLC0415
        read_doc as extract_doc,
    )
    from sharepoint2text.parsing.extractors.ms_legacy.ppt_extractor import (  # noqa: PLC0415
        read_ppt as extract_ppt,
    )

    extract = extract_ppt if found is Format.PPT else extract_doc
    try:
        # Its reader of properties believes every count in the file and may take hours.
        bare = data.replace(_PROPERTIES, _NO_PROPERTIES)
        document = next(iter(extract(io.BytesIO(bare), None, ignore_images=True)))
    except (*_DAMAGE, ExtractionError, StopIteration, AssertionError):
        return None
    paragraph = 0
    for unit in document.units:
        builder.leave_headings()
        if found is Format.PPT:
            slide = SlideLocator(unit.number)
            builder.add(BlockKind.HEADING, unit.title or "", slide, level=1)
            builder.add(BlockKind.SLIDE, unit.text, slide)
        else:
            for line in unit.text.split("\n"):
                paragraph += 1
                locator = ParagraphLocator(paragraph=paragraph)
                builder.add(BlockKind.PARAGRAPH, line, locator)
        for note in unit.annotations:
            place = SlideLocator(unit.number) if found is Format.PPT else ParagraphLocator()
            builder.add(BlockKind.NOTE, note.text, place)
    if not builder.blocks:
        return None
    builder.warn("The file is damaged; text may be missing or in the wrong place.")
    return replace(ole_properties(data), read_with=f"sharepoint-to-text {__version__}")
