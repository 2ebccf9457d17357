"""Parses one file into a document; this runs in the child process."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.formats import Detection, Format, detect_format
from phasergun_desktop.documents.metadata import FileProperties, describe
from phasergun_desktop.documents.model import Page, ParsedDocument
from phasergun_desktop.documents.pdf.format import read_pdf
from phasergun_desktop.documents.plain.csv_rows import read_csv
from phasergun_desktop.documents.plain.markdown import read_markdown
from phasergun_desktop.documents.plain.text import read_text
from phasergun_desktop.documents.protocol import (
    ReadingOptions,
    ReadingProgress,
    ReadingTools,
    reading_version,
)
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.documents.word.format import read_docx
from phasergun_desktop.errors import DocumentError, DocumentProblem

MAX_FILE_BYTES = 512 * 1024 * 1024


def parse_file(
    path: Path,
    options: ReadingOptions | None = None,
    tools: ReadingTools | None = None,
    report: Callable[[ReadingProgress], None] | None = None,
) -> ParsedDocument:
    """Read ``path`` into a document.

    Raises DocumentError with a sentence that fits: unreadable, empty, too large, not a format
    that is read, password protected, damaged, without text.
    """
    try:
        size = path.stat().st_size
        if size > MAX_FILE_BYTES:
            raise DocumentError(
                "File too large",
                f"The file has {size // 1_048_576} MB; up to {MAX_FILE_BYTES // 1_048_576} MB"
                " are read.",
                "Split it into several files.",
            )
        detection = detect_format(path)
        data = path.read_bytes() if not detection.reason else b""
    except OSError as error:
        raise DocumentError(
            "Unreadable file",
            f"The file cannot be opened ({error.strerror or 'input/output error'}).",
            "Check that it exists and that you may read it.",
        ) from error
    if size == 0:
        raise DocumentError(
            "Empty file", "The file is empty (0 bytes).", "Replace it or remove it."
        )
    if detection.reason:
        raise DocumentError("Format not read", detection.reason, "")
    builder = DocumentBuilder()
    reading = Reading(
        builder,
        options or ReadingOptions(),
        tools or ReadingTools(),
        report or (lambda progress: None),
    )
    if detection.note:
        builder.warn(detection.note)
    properties, pages = _read(path, detection, data, reading)
    text = builder.text
    if not builder.blocks and not pages:
        raise DocumentError("No text", "There is no text in the file.", "Replace it or remove it.")
    return ParsedDocument(
        format=detection.format.value,
        mime=detection.mime,
        text=text,
        blocks=builder.blocks,
        metadata=describe(path, properties, text, builder.blocks),
        parser_version=reading_version(reading.options, reading.tools),
        pages=pages,
        warnings=builder.warnings,
    )


def _read(
    path: Path, detection: Detection, data: bytes, reading: Reading
) -> tuple[FileProperties, tuple[Page, ...]]:
    builder = reading.builder
    match detection.format:
        case Format.PDF:
            return read_pdf(data, reading)
        case Format.DOCX:
            return read_docx(data, builder), ()
        case Format.MD:
            return FileProperties(front_matter=read_markdown(data, builder)), ()
        case Format.CSV:
            read_csv(data, builder)
        case Format.TXT:
            read_text(data, builder)
        case Format.ENCRYPTED_OFFICE:
            raise DocumentError(
                "Password protected",
                "The Office file is password protected.",
                "Enter the password, or save a copy without it.",
                DocumentProblem.PASSWORD,
            )
        case _:
            raise DocumentError("Format not read", "This format is not read.", "")
    return FileProperties(), ()
