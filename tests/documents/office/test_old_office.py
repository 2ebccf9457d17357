"""DOC, PPT and RTF: which program reads them, what is kept, what happens when it fails."""

from __future__ import annotations

import os
import shutil
import sys
import time
from pathlib import Path

import psutil
import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.document_reader import ReadingTools
from phasergun_desktop.documents.formats import Format
from phasergun_desktop.documents.office import libreoffice
from phasergun_desktop.documents.office.libreoffice import convert
from phasergun_desktop.documents.office.old_office import BUILT_IN, read_old_office
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.reading import Reading
from phasergun_desktop.errors import DocumentError
from tests.documents.office.compound_file import compound_file
from tests.documents.sample_files import word_file

DATA = Path(__file__).parents[2] / "data" / "documents"
posix_only = pytest.mark.skipif(
    sys.platform == "win32", reason="the stand-in for LibreOffice is a script with a first line"
)


class StandIn:
    """A program that is started as LibreOffice is: it notes each start and hands over a file."""

    def __init__(self, folder: Path, body: str = "") -> None:
        self.starts = folder / "starts"
        self.answer = word_file(
            folder / "answer.docx", "<w:p><w:r><w:t>as converted</w:t></w:r></w:p>"
        )
        program = folder / "soffice"
        program.write_text(
            f"#!{sys.executable}\n"
            "import shutil, sys, time, subprocess, pathlib\n"
            f"with open({str(self.starts)!r}, 'a') as notes: print(sys.argv[1:], file=notes)\n"
            f"{body}\n"
            "target = sys.argv[sys.argv.index('--convert-to') + 1]\n"
            "folder = pathlib.Path(sys.argv[sys.argv.index('--outdir') + 1])\n"
            f"shutil.copy({str(self.answer)!r}, folder / f'document.{{target}}')\n"
        )
        program.chmod(0o755)
        kept = folder / "kept"
        kept.mkdir()
        self.tools = ReadingTools(soffice=str(program), conversions=str(kept))

    def started(self) -> list[str]:
        return self.starts.read_text().splitlines() if self.starts.exists() else []

    def read(self, data: bytes, found: Format = Format.DOC) -> tuple[str, str]:
        builder = DocumentBuilder()
        properties = read_old_office(data, found, Reading(builder, tools=self.tools))
        return builder.text, properties.read_with


@posix_only
def test_a_conversion_is_kept_and_not_made_again(tmp_path: Path) -> None:
    program = StandIn(tmp_path)
    for _ in range(2):
        assert program.read(b"some old file") == ("as converted", "LibreOffice")
    assert len(program.started()) == 1
    assert [path.suffix for path in Path(program.tools.conversions).iterdir()] == [".docx"]
    program.read(b"another file")
    assert len(program.started()) == 2


@posix_only
def test_the_program_gets_a_profile_of_its_own_that_runs_no_macros(tmp_path: Path) -> None:
    copied = tmp_path / "settings"
    body = (
        "profile = sys.argv[1].removeprefix('-env:UserInstallation=file://')\n"
        f"shutil.copy(profile + '/user/registrymodifications.xcu', {str(copied)!r})"
    )
    program = StandIn(tmp_path, body)
    program.read(b"x")
    assert "--headless" in program.started()[0]
    settings = copied.read_text()
    assert '"DisableMacrosExecution" oor:op="fuse"><value>true' in settings
    assert '"BlockUntrustedRefererLinks" oor:op="fuse"><value>true' in settings


@posix_only
@pytest.mark.parametrize("body", ["sys.exit(1)", "sys.exit(0)"])
def test_where_the_program_fails_the_file_is_read_without_it(tmp_path: Path, body: str) -> None:
    text, read_with = StandIn(tmp_path, body).read((DATA / "records.doc").read_bytes())
    assert "Glucose meter records" in text
    assert read_with == BUILT_IN


@posix_only
def test_a_program_that_hangs_is_ended_with_all_that_it_started(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    inner = tmp_path / "inner"
    body = (
        "child = subprocess.Popen([sys.executable, '-c', 'import time; time.sleep(60)'])\n"
        f"pathlib.Path({str(inner)!r}).write_text(str(child.pid))\n"
        "time.sleep(60)"
    )
    program = StandIn(tmp_path, body)
    monkeypatch.setattr(libreoffice, "_BASE_SECONDS", 3.0)
    begin = time.monotonic()
    assert convert(b"x", "doc", "docx", program.tools) is None
    assert time.monotonic() - begin < 20
    process_id = int(inner.read_text())
    deadline = time.monotonic() + 10
    while _is_running(process_id) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not _is_running(process_id)


def _is_running(process_id: int) -> bool:
    try:
        return psutil.Process(process_id).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


@posix_only
def test_of_conversions_the_oldest_go_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = StandIn(tmp_path)
    kept = Path(program.tools.conversions)
    old = kept / "old.docx"
    old.write_bytes(b"x" * 1_000)
    os.utime(old, (1, 1))
    monkeypatch.setattr(libreoffice, "MAX_KEPT_BYTES", program.answer.stat().st_size)
    program.read(b"new")
    assert not old.exists()
    assert len(list(kept.iterdir())) == 1


def test_without_the_program_files_are_read_all_the_same(tmp_path: Path) -> None:
    for name, found in (("records.doc", "doc"), ("review.ppt", "ppt")):
        document = parse_file(DATA / name)
        assert document.format == found
        assert document.metadata.read_with == BUILT_IN
    path = tmp_path / "memo.doc"
    path.write_bytes(rb"{\rtf1\ansi\pard Memo text\par}")
    memo = parse_file(path)
    assert (memo.text, memo.metadata.read_with) == ("Memo text", BUILT_IN)
    assert memo.warnings


def test_the_library_reads_what_is_too_damaged_for_us() -> None:
    text = b"The text of a file whose tables of pieces and styles are lost. " * 4
    head = bytearray(0x400)
    head[:2] = b"\xec\xa5"
    head[2:4] = b"\xc1\x00"
    head[0x4C:0x50] = len(text).to_bytes(4, "little")
    data = compound_file({"WordDocument": bytes(head) + text})
    builder = DocumentBuilder()
    properties = read_old_office(data, Format.DOC, Reading(builder))
    assert "tables of pieces and styles are lost" in builder.text
    assert properties.read_with.startswith("sharepoint-to-text ")
    assert "damaged" in builder.warnings[0]


@pytest.mark.parametrize("found", [Format.DOC, Format.PPT, Format.RTF])
def test_what_none_can_read_is_called_damaged(found: Format) -> None:
    with pytest.raises(DocumentError, match="damaged"):
        read_old_office(b"\x00\x01 not a file of any kind", found, Reading(DocumentBuilder()))


@pytest.mark.skipif(not shutil.which("soffice"), reason="LibreOffice is not installed")
@pytest.mark.parametrize(
    ("name", "found"), [("records.doc", Format.DOC), ("review.ppt", Format.PPT)]
)
def test_libreoffice_and_we_read_the_same(tmp_path: Path, name: str, found: Format) -> None:
    data = (DATA / name).read_bytes()
    tools = ReadingTools(soffice=shutil.which("soffice") or "", conversions=str(tmp_path))
    ours, theirs = DocumentBuilder(), DocumentBuilder()
    read_old_office(data, found, Reading(ours))
    properties = read_old_office(data, found, Reading(theirs, tools=tools))
    assert properties.read_with.startswith("LibreOffice ")
    assert set(ours.text.split()) >= {word for word in theirs.text.split() if word.isalpha()}
    rows = [[block.cells for block in builder.blocks if block.cells] for builder in (ours, theirs)]
    assert rows[0] == rows[1]
