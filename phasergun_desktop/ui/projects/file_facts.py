"""What can be said about a file: in words, line by line, nothing that is not known."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from phasergun_desktop.documents.model import DocumentMetadata, Page
from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import DocumentRecord, FileRecord, FileState
from phasergun_desktop.ui.projects.language_words import language_name
from phasergun_desktop.ui.wording import (
    LAYER_WORDS,
    STATE_WORDS,
    count,
    file_name,
    is_doubtful,
    percent,
)

FORMATS = {
    "pdf": "PDF",
    "docx": "Word document",
    "doc": "Word document of the old kind (DOC)",
    "pptx": "Slides",
    "ppt": "Slides of the old kind (PPT)",
    "txt": "Text",
    "md": "Markdown text",
    "csv": "Table (CSV)",
    "html": "Web page (HTML)",
    "rtf": "Rich text (RTF)",
    "word_xml": "Word document (XML)",
    "image": "Picture",
    "transcript": "Transcript",
    "encrypted_office": "Protected Office file",
}
SLIDE_FORMATS = ("pptx", "ppt")
MOST_PAGES_NAMED = 4
PASSWORD, RETRY, CATEGORIES = "enter-password", "retry-this", "categories"
LANGUAGES = "languages"
_REMEDIES = {DocumentProblem.PASSWORD: (PASSWORD,), DocumentProblem.ILLEGIBLE: (LANGUAGES,)}


@dataclass(frozen=True, slots=True)
class FileFacts:
    """``state`` is a sentence; ``rows`` are (label, value); ``remarks`` are sentences."""

    title: str
    state: str
    rows: tuple[tuple[str, str], ...] = ()
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class DocumentDetails:
    """What is kept of an indexed document for its card: all but the text."""

    record: DocumentRecord
    warnings: tuple[str, ...] = ()
    mime: str = ""


def offers_of(record: FileRecord | None) -> tuple[str, ...]:
    """Return the names of the actions that may help a file that was not read."""
    if record is None or record.layer is None:
        return ()
    if record.state not in (FileState.FAILED, FileState.SKIPPED):
        return ()
    if record.problem is DocumentProblem.HIDDEN:
        return (CATEGORIES,)
    return (*_REMEDIES.get(record.problem, ()), RETRY)


def facts_of(record: FileRecord, details: DocumentDetails | None = None) -> FileFacts:
    """Return what is known of a file, with ``details`` all that its document says."""
    state = STATE_WORDS[record.state].capitalize()
    if record.reason:
        state = f"{state}: {record.reason}"
    place = "not part of the index" if record.layer is None else LAYER_WORDS[record.layer]
    rows = [("File", record.file), ("Belongs to", place)]
    if details is None or record.state is not FileState.INDEXED:
        if record.pages:
            rows.append(("Length", count(record.pages, "page")))
        rows += _size(record)
        return FileFacts(file_name(record.file), state, tuple(rows))
    document = details.record
    metadata, form = document.metadata, document.format
    rows += [
        ("Format", format_in_words(form, record.file, details.mime)),
        ("Length", _length(record, metadata, form)),
        *_about(metadata),
        *_paper(metadata),
        ("Read with", metadata.read_with),
        ("Recognised", recognised_pages(document.pages)),
        *_size(record),
    ]
    title = document.title or file_name(record.file)
    known = tuple((label, value) for label, value in rows if value)
    return FileFacts(title, state, known, details.warnings)


def format_in_words(form: str, file: str, mime: str = "") -> str:
    """Return what kind of file it is by its content, and which where a format has several."""
    name = FORMATS.get(form, form.upper())
    match form:
        case "docx" | "pptx":
            return f"{name} ({form.upper()})"
        case "image" if mime.startswith("image/"):
            return f"{name} ({mime.removeprefix('image/').upper()})"
        case "image" | "transcript":
            return f"{name} ({PurePosixPath(file).suffix.lstrip('.').upper()})"
        case _:
            return name


def recognised_pages(pages: tuple[Page, ...]) -> str:
    """Say which pages were recognised from pictures, and how sure that is."""
    found = [
        (number, page.ocr_confidence)
        for number, page in enumerate(pages, start=1)
        if page.ocr_confidence is not None
    ]
    if not found:
        return ""
    if len(found) <= MOST_PAGES_NAMED:
        parts = []
        for number, sure in found:
            check = ", check it" if is_doubtful(sure) else ""
            parts.append(f"page {number} ({percent(sure)} sure{check})")
        return ", ".join(parts)
    sures = [sure for _number, sure in found]
    doubtful = [str(number) for number, sure in found if is_doubtful(sure)]
    text = (
        f"{len(found):,} of {count(len(pages), 'page')}, "
        f"{percent(min(sures))} to {percent(max(sures))} sure"
    )
    if doubtful:
        named = ", ".join(doubtful[:MOST_PAGES_NAMED])
        more = " and others" if len(doubtful) > MOST_PAGES_NAMED else ""
        text += f"; check page {named}{more}"
    return text


def _length(record: FileRecord, metadata: DocumentMetadata, form: str) -> str:
    parts = []
    pages = metadata.pages or record.pages
    if pages:
        parts.append(count(pages, "slide" if form in SLIDE_FORMATS else "page"))
    if metadata.words:
        parts.append(count(metadata.words, "word"))
    if record.chunks:
        parts.append(count(record.chunks, "section"))
    return ", ".join(parts)


def _about(metadata: DocumentMetadata) -> list[tuple[str, str]]:
    return [
        ("Number", metadata.document_number),
        ("Revision", metadata.revision),
        ("510(k)", metadata.k_number),
        ("Author", metadata.author),
        ("Created", _day(metadata.created)),
        ("Changed", _day(metadata.modified)),
        ("Language", language_name(metadata.language) if metadata.language else ""),
    ]


def _paper(metadata: DocumentMetadata) -> list[tuple[str, str]]:
    return [
        ("Authors", ", ".join(metadata.authors)),
        ("Journal", metadata.journal),
        ("Published", _day(metadata.published)),
        ("DOI", metadata.doi),
        ("PubMed", metadata.pmid),
        ("PMC", metadata.pmcid),
    ]


def _size(record: FileRecord) -> list[tuple[str, str]]:
    return [("Size", f"{max(1, round(record.size / 1024)):,} kB")] if record.size else []


def _day(moment: str) -> str:
    """Return the date of an ISO 8601 moment; anything else as it stands."""
    return moment[:10] if re.match(r"\d{4}-\d{2}-\d{2}T", moment) else moment
