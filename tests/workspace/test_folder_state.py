"""Why a file cannot be shown is said in the words of its state."""

from __future__ import annotations

import pytest

from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.workspace.folder_state import waiting_files, why_not_shown

FILES = (
    FileRecord("a/waits.md", Layer.ONGOING, FileState.PENDING),
    FileRecord("a/read.md", Layer.ONGOING, FileState.INDEXED),
    FileRecord(
        "a/locked.pdf",
        Layer.ONGOING,
        FileState.FAILED,
        "the file is encrypted.",
        problem=DocumentProblem.PASSWORD,
    ),
    FileRecord("a/odd.bin", Layer.ONGOING, FileState.SKIPPED, "not a document"),
)


@pytest.mark.parametrize(
    ("file", "message", "remedy"),
    [
        ("a/waits.md", "waits to be read", "in a moment"),
        ("a/read.md", "waits to be read", "in a moment"),
        ("a/locked.pdf", "was not read: the file is encrypted", "Give its password"),
        ("a/odd.bin", "was not read: not a document", "below the project tree"),
        ("a/gone.md", "is not in the folder", "moved or renamed"),
    ],
)
def test_a_file_that_cannot_be_shown_says_why(file: str, message: str, remedy: str) -> None:
    error = why_not_shown(file, FILES)
    assert message in error.message
    assert ".." not in error.message
    assert remedy in error.remedy


@pytest.mark.parametrize(
    ("prompt", "files"),
    [
        ("Use [Context|Initiation|Device-Description.docx].", {"b/Device-Description.docx"}),
        ("What does the device description say?", {"b/Device-Description.docx"}),
        ("Name [Master Record|Device Name].", {"Context/Project_Master_Record.docx"}),
        ("Describe the devices.", set()),
        ("Say what is read.", set()),
    ],
)
def test_a_prompt_waits_for_what_it_names(prompt: str, files: set[str]) -> None:
    pending = (
        FileRecord("b/Device-Description.docx", Layer.INITIATION, FileState.PENDING),
        FileRecord("Context/Project_Master_Record.docx", Layer.MASTER_RECORD, FileState.PENDING),
    )
    assert waiting_files(prompt, (*FILES, *pending)) == files
