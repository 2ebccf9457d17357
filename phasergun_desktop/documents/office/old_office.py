"""Reads DOC, PPT and RTF: with LibreOffice where it is, else by itself, else by a library."""

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
from phasergun_desktop.documents.office.libreoffice import convert
from phasergun_desktop.documents.office.ppt_format import read_ppt
from phasergun_desktop.documents.office.properties import ole_properties
from phasergun_desktop.documents.office.rtf_format import read_rtf
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.documents.slides.pptx_format import read_pptx
from phasergun_desktop.documents.word.word_format import read_docx
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

    Tried in turn: LibreOffice where ``reading.tools`` names it, the readers of this room, and
    sharepoint-to-text. Raises DocumentError where the file is protected or none can read it.
    """
    plain = decrypted(data, reading.options.passwords)
    empty: FileProperties | None = None
    for attempt in (_converted, _built_in, _by_library):
        if attempt is _by_library and empty is not None:
            break  # a file that could be read and is empty; what the library finds is no text
        builder = DocumentBuilder()
        properties = attempt(plain, found, reading, builder, kept=plain is data)
        if properties is not None and builder.blocks:
            reading.builder.adopt(builder)
            return properties
        empty = empty or properties
    if empty is not None:
        return empty
    raise DocumentError(
        "Damaged file",
        f"The {found.value.upper()} file cannot be read; it is damaged or in another format.",
        f"Open it in its own program and save a copy as {_TARGETS[found].upper()}.",
        DocumentProblem.DAMAGED,
    )


def _converted(
    data: bytes, found: Format, reading: Reading, builder: DocumentBuilder, *, kept: bool
) -> FileProperties | None:
    if not reading.tools.soffice:
        return None
    # What a password protects is not left on the disk without it.
    tools = reading.tools if kept else replace(reading.tools, conversions="")
    target = _TARGETS[found]
    made = convert(data, found.value, target, tools)
    if made is None:
        return None
    try:
        properties = (read_pptx if target == "pptx" else read_docx)(made.data, builder)
    except DocumentError:
        return None
    stated = ole_properties(data) if data.startswith(OLE_MAGIC) else properties
    return replace(
        properties,
        title=stated.title or properties.title,
        author=stated.author or properties.author,
        created=stated.created,
        modified=stated.modified,
        pages=properties.pages if target == "pptx" else stated.pages,
        read_with=made.made_by,
    )


def _built_in(
    data: bytes, found: Format, reading: Reading, builder: DocumentBuilder, *, kept: bool
) -> FileProperties | None:
    del reading, kept
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


def _by_library(
    data: bytes, found: Format, reading: Reading, builder: DocumentBuilder, *, kept: bool
) -> FileProperties | None:
    """Read with sharepoint-to-text, which guesses where the text is: for damaged files."""
    del reading, kept
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
