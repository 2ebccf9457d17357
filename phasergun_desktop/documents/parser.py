"""Parses one file into a document; this runs in the child process."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.formats import Detection, Format, detect_format
from phasergun_desktop.documents.metadata import FileProperties, describe
from phasergun_desktop.documents.model import PageSize, ParsedDocument
from phasergun_desktop.documents.pdf.format import read_pdf
from phasergun_desktop.documents.plain.csv_rows import read_csv
from phasergun_desktop.documents.plain.markdown import read_markdown
from phasergun_desktop.documents.plain.text import read_text
from phasergun_desktop.documents.protocol import PARSER_VERSION
from phasergun_desktop.documents.word.format import read_docx
from phasergun_desktop.errors import DocumentError

MAX_FILE_BYTES = 512 * 1024 * 1024


def parse_file(path: Path) -> ParsedDocument:
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
    if detection.note:
        builder.warn(detection.note)
    properties, page_sizes = _read(detection, data, builder)
    text = builder.text
    if not builder.blocks and not page_sizes:
        raise DocumentError("No text", "There is no text in the file.", "Replace it or remove it.")
    return ParsedDocument(
        format=detection.format.value,
        mime=detection.mime,
        text=text,
        blocks=builder.blocks,
        metadata=describe(path, properties, text, builder.blocks),
        parser_version=PARSER_VERSION,
        page_sizes=page_sizes,
        warnings=builder.warnings,
    )


def _read(
    detection: Detection, data: bytes, builder: DocumentBuilder
) -> tuple[FileProperties, tuple[PageSize, ...]]:
    match detection.format:
        case Format.PDF:
            return read_pdf(data, builder)
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
                "Save a copy without the password.",
            )
        case _:
            raise DocumentError("Format not read", "This format is not read.", "")
    return FileProperties(), ()
