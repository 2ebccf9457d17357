"""What ``status --json`` says of a file beside its state."""

from __future__ import annotations

from typing import Any, cast

from phasergun_desktop.cli.report import how_it_was_read
from phasergun_desktop.documents.model import DocumentMetadata, Page
from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import DocumentRecord, FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.json_form import status_json

PAGES = (Page(612, 792), Page(612, 792, 0.9), Page(612, 792, 0.5))


def record(file: str, pages: tuple[Page, ...] = ()) -> DocumentRecord:
    return DocumentRecord(
        1, file, Layer.GENERAL, "ab", "pdf", "Title", "", "", (), "",
        DocumentMetadata(read_with="tesseract 5.3.0" if pages else ""), pages,
        "application/pdf", ("Page 2 is faint.",) if pages else (),
    )  # fmt: skip


def said(*files: FileRecord, documents: tuple[DocumentRecord, ...]) -> list[dict[str, Any]]:
    return cast("list[dict[str, Any]]", status_json(files, {}, documents)["files"])


def test_an_indexed_file_says_how_it_was_read() -> None:
    file = FileRecord("a.pdf", Layer.GENERAL, FileState.INDEXED, pages=3, chunks=2)
    (found,) = said(file, documents=(record("a.pdf", PAGES),))
    assert found["format"] == "pdf"
    assert found["mime"] == "application/pdf"
    assert found["read_with"] == "tesseract 5.3.0"
    assert found["warnings"] == ["Page 2 is faint."]
    assert (found["recognised_pages"], found["ocr_confidence"]) == (2, 0.7)
    assert found["problem"] is None
    (plain,) = said(file, documents=(record("a.pdf"),))
    assert "recognised_pages" not in plain
    assert plain["read_with"] is None


def test_a_file_that_failed_names_its_problem() -> None:
    locked = FileRecord(
        "b.pdf", Layer.GENERAL, FileState.FAILED, "Locked.", problem=DocumentProblem.PASSWORD
    )
    # Changed since: what the index has is another file.
    pending = FileRecord("a.pdf", Layer.GENERAL, FileState.PENDING)
    first, second = said(locked, pending, documents=(record("a.pdf", PAGES),))
    assert first["problem"] == "password"
    assert "format" not in first
    assert "format" not in second


def test_for_people_it_is_a_short_note() -> None:
    assert how_it_was_read(record("a.pdf")) == ""
    assert how_it_was_read(record("a.pdf", PAGES)) == (
        "2 of 3 pages recognised; read with tesseract 5.3.0; Page 2 is faint."
    )
