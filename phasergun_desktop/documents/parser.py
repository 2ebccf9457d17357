"""Parses one file into a document; this runs in the child process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
    reading_version,
)
from phasergun_desktop.documents.formats import Detection, Format, detect_bytes, detect_format
from phasergun_desktop.documents.images.image_format import read_image
from phasergun_desktop.documents.metadata import FileProperties, describe
from phasergun_desktop.documents.model import Page, ParsedDocument
from phasergun_desktop.documents.office.encryption import decrypted
from phasergun_desktop.documents.office.old_office import read_old_office
from phasergun_desktop.documents.pdf.pdf_format import read_pdf
from phasergun_desktop.documents.plain.csv_rows import read_csv
from phasergun_desktop.documents.plain.html_pages import read_html_page
from phasergun_desktop.documents.plain.markdown import read_markdown
from phasergun_desktop.documents.plain.plain_text import read_text
from phasergun_desktop.documents.plain.transcript_files import read_transcript
from phasergun_desktop.documents.slides.pptx_format import read_pptx
from phasergun_desktop.documents.word.flat_xml import read_word_xml
from phasergun_desktop.documents.word.word_format import read_docx
from phasergun_desktop.errors import DocumentError, DocumentProblem

MAX_FILE_BYTES = 512 * 1024 * 1024


def parse_file(
    path: Path,
    options: ReadingOptions | None = None,
    tesseract: str = "",
    report: Callable[[ReadingProgress], None] | None = None,
) -> ParsedDocument:
    """Read ``path`` into a document.

    Raises DocumentError with a sentence that fits: unreadable, empty, too large, not a format
    that is read, password protected, damaged, without text.
    """
    try:
        detection = detect_format(path)
        if detection.reason:
            raise DocumentError("Format not read", detection.reason, "", DocumentProblem.FORMAT)
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise DocumentError(
                "File too large",
                f"The file has {size // 1_048_576} MB; up to {MAX_FILE_BYTES // 1_048_576} MB"
                " are read.",
                "Split it into several files.",
                DocumentProblem.TOO_LARGE,
            )
        # A PDF is read from its file piece by piece, never as a whole.
        data = path.read_bytes() if detection.format is not Format.PDF else b""
    except OSError as error:
        raise DocumentError(
            "Unreadable file",
            f"The file cannot be opened ({error.strerror or 'input/output error'}).",
            "Check that it exists and that you may read it.",
            DocumentProblem.UNREACHABLE,
        ) from error
    if size == 0:
        raise DocumentError(
            "Empty file",
            "The file is empty (0 bytes).",
            "Replace it or remove it.",
            DocumentProblem.EMPTY,
        )
    builder = DocumentBuilder()
    reading = Reading(
        builder, options or ReadingOptions(), tesseract, report or (lambda progress: None)
    )
    if detection.format is Format.ENCRYPTED_OFFICE:
        data = decrypted(data, reading.options.passwords)
        detection = _opened(data, path.suffix)
    if detection.note:
        builder.warn(detection.note)
    properties, pages = _read(path, detection, data, reading)
    text = builder.text
    if not builder.blocks and not pages:
        raise DocumentError(
            "No text",
            "There is no text in the file.",
            "Replace it or remove it.",
            DocumentProblem.EMPTY,
        )
    return ParsedDocument(
        format=detection.format.value,
        mime=detection.mime,
        text=text,
        blocks=builder.blocks,
        metadata=describe(path, properties, text, builder.blocks),
        parser_version=reading_version(reading.options, reading.tesseract),
        pages=pages,
        warnings=builder.warnings,
    )


def _opened(data: bytes, suffix: str) -> Detection:
    """Say what came out of a file that was encrypted. Raises DocumentError if it is not read."""
    detection = detect_bytes(data, suffix)
    if detection.format is Format.ENCRYPTED_OFFICE:
        raise DocumentError(
            "Damaged file",
            "The file is encrypted in a way that is not known.",
            "Save a copy without the password.",
            DocumentProblem.DAMAGED,
        )
    if detection.reason:
        raise DocumentError("Format not read", detection.reason, "")
    return detection


def _read(
    path: Path, detection: Detection, data: bytes, reading: Reading
) -> tuple[FileProperties, tuple[Page, ...]]:
    builder = reading.builder
    match detection.format:
        case Format.PDF:
            return read_pdf(path, reading)
        case Format.IMAGE:
            return read_image(data, reading)
        case Format.DOCX:
            return read_docx(data, builder), ()
        case Format.PPTX:
            return read_pptx(data, builder), ()
        case Format.DOC | Format.PPT | Format.RTF:
            return read_old_office(data, detection.format, reading), ()
        case Format.WORD_XML:
            return read_word_xml(data, builder), ()
        case Format.HTML:
            return read_html_page(data, builder), ()
        case Format.TRANSCRIPT:
            return read_transcript(data, path.suffix.lower(), builder), ()
        case Format.MD:
            return FileProperties(front_matter=read_markdown(data, builder)), ()
        case Format.CSV:
            read_csv(data, builder)
        case Format.TXT:
            read_text(data, builder)
        case _:
            raise DocumentError("Format not read", "This format is not read.", "")
    return FileProperties(), ()
