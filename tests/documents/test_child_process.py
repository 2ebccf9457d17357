"""The child process: same results, time limit, crash, restart, no leftovers."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.isolated.process import child_command
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError
from tests.documents.sample_files import Page, PdfFile, paragraph_lines


@pytest.fixture
def reader() -> Iterator[ChildProcessReader]:
    found = ChildProcessReader()
    yield found
    found.close()


def test_the_child_parses_as_the_parser_does(reader: ChildProcessReader, tmp_path: Path) -> None:
    pdf = PdfFile([Page(paragraph_lines(["One line", "and another."]))]).save(tmp_path / "a.pdf")
    text = tmp_path / "a.md"
    text.write_text("# Title\n\ntext\n")
    first = reader.parse(text)
    process_id = reader.process_id
    assert first == parse_file(text)
    assert reader.parse(pdf).text == parse_file(pdf).text
    assert reader.process_id == process_id


def test_pages_are_rendered(reader: ChildProcessReader, tmp_path: Path) -> None:
    pdf = PdfFile([Page(paragraph_lines(["x"]), rotate=90)]).save(tmp_path / "a.pdf")
    image = reader.render_page(pdf, 1, 0.5)
    assert image.png.startswith(b"\x89PNG")
    assert (image.width, image.height) == (792.0, 612.0)
    assert int.from_bytes(image.png[16:20], "big") == 396
    with pytest.raises(DocumentError, match="no page 2"):
        reader.render_page(pdf, 2, 1.0)


def test_errors_come_over_as_sentences(reader: ChildProcessReader, tmp_path: Path) -> None:
    with pytest.raises(DocumentError) as caught:
        reader.parse(tmp_path / "gone.txt")
    assert caught.value.title == "Unreadable file"
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n")
    with pytest.raises(DocumentError, match="seems to be damaged"):
        reader.parse(tmp_path / "a.png")


def test_a_crash_ends_one_file_and_the_child_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    reader = ChildProcessReader()
    try:
        reader.warm()
        assert reader.process_id is not None
        os.kill(reader.process_id, signal.SIGSTOP)
        threading.Timer(0.2, os.kill, (reader.process_id, signal.SIGKILL)).start()
        with pytest.raises(DocumentError, match="ended unexpectedly"):
            reader.parse(path)
        assert reader.parse(path).text == "text"
    finally:
        reader.close()


def test_a_hang_ends_at_the_time_limit(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    reader = ChildProcessReader(ReadingLimits(seconds=0.3))
    try:
        reader.warm()
        process_id = reader.process_id
        assert process_id is not None
        os.kill(process_id, signal.SIGSTOP)
        with pytest.raises(DocumentError, match="was not read within"):
            reader.parse(path)
        assert not psutil.pid_exists(process_id)
    finally:
        reader.close()


def test_closing_ends_the_child_in_the_middle_of_a_document(tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text("text")
    reader = ChildProcessReader()
    reader.warm()
    process_id = reader.process_id
    assert process_id is not None
    os.kill(process_id, signal.SIGSTOP)
    errors: list[DocumentError] = []

    def parse() -> None:
        try:
            reader.parse(path)
        except DocumentError as error:
            errors.append(error)

    thread = threading.Thread(target=parse)
    thread.start()
    reader.close()
    thread.join(5)
    assert len(errors) == 1
    assert not psutil.pid_exists(process_id)
    with pytest.raises(DocumentError, match="closed"):
        reader.parse(path)


def test_the_child_ends_with_its_parent(tmp_path: Path) -> None:
    root = str(Path(__file__).resolve().parents[2])
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    (scratch / "half-read.txt").write_text("confidential")
    child = subprocess.Popen(
        child_command(3 * 1024**3, "", str(scratch)),
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": root},
    )
    assert child.stdout is not None
    assert child.stdout.read(4)
    child.communicate(timeout=10)
    assert child.returncode == 0
    assert not list(tmp_path.rglob("*.txt"))


def test_the_child_opens_no_socket_and_starts_nothing() -> None:
    code = (
        "from phasergun_desktop.documents.isolated.isolation import isolate\n"
        "import socket, subprocess\n"
        "isolate()\n"
        "for attempt in (lambda: socket.create_connection(('127.0.0.1', 9)),\n"
        "                lambda: subprocess.run(['true'])):\n"
        "    try:\n"
        "        attempt()\n"
        "    except PermissionError:\n"
        "        print('refused')\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["refused", "refused"]


def test_nasty_files_end_with_a_sentence(test_data: Path) -> None:
    names = (
        "pdf/encrypted__password.pdf",
        "pdf/corrupt__invalid.pdf",
        "docx/encrypted__bug53475-password-is-pass.docx",
        "txt/empty__empty.txt",
        "pdf/bomb__bomb_giant.pdf",
        "pdf/corrupt__operator_list_cycle.pdf",
        "docx/embedded__test_recursive_embedded.docx",
    )
    outcomes = []
    reader = ChildProcessReader()
    try:
        for name in names:
            try:
                reader.parse(test_data / "nasty" / name)
                outcomes.append("read")
            except DocumentError as error:
                outcomes.append(error.title)
    finally:
        reader.close()
    assert outcomes[:4] == ["Password protected", "Damaged PDF", "Password protected", "Empty file"]
    # What the bombs hold is for the tests of their formats; here it counts that they end.
    assert set(outcomes[4:]) <= {"read", "No text"}
