"""What a document cannot do: outlive its time, take others with it, reach out, stay behind."""

from __future__ import annotations

import os
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    ReadingProgress,
)
from phasergun_desktop.documents.isolated import process
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.errors import DocumentError, DocumentProblem

HOSTILE = str(Path(__file__).with_name("hostile_child.py"))
SLEEP = "/bin/sleep"
posix = pytest.mark.skipif(sys.platform == "win32", reason="signals and programs of POSIX")
linux = pytest.mark.skipif(sys.platform != "linux", reason="Landlock and seccomp are Linux's")


@pytest.fixture
def acting(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Make readers start a child that acts on the words of its documents."""
    real = process.child_command

    def command(memory_bytes: int, tesseract: str, scratch: str = "") -> list[str]:
        found = real(memory_bytes, tesseract, scratch)
        return [found[0], HOSTILE, *found[found.index("--memory-bytes") :]]

    scratches = tmp_path / "scratches"
    scratches.mkdir()
    monkeypatch.setattr(process, "child_command", command)
    monkeypatch.setattr(tempfile, "tempdir", str(scratches))


@pytest.fixture
def reader(acting: None) -> Iterator[ChildProcessReader]:
    made = ChildProcessReader(
        ReadingLimits(seconds=1.5, seconds_per_recognised_page=1.5, memory_bytes=1 << 30),
        SLEEP,
    )
    made.warm()
    yield made
    made.close()
    # What a test leaves behind would be a leak of the product.
    assert not family()
    assert not list(Path(tempfile.gettempdir()).iterdir())


def family() -> list[psutil.Process]:
    """The processes that this one has started, directly or not, and that still run."""
    found = []
    for each in psutil.Process().children(recursive=True):
        try:
            if each.status() != psutil.STATUS_ZOMBIE:
                found.append(each)
        except psutil.NoSuchProcess:
            continue
    return found


def runs(process_id: int) -> bool:
    """Whether the process runs; one that only waits to be buried does not."""
    try:
        return psutil.Process(process_id).status() != psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return False


def document(folder: Path, words: str) -> Path:
    path = folder / "document.txt"
    path.write_text(words, "utf-8")
    return path


@posix
@pytest.mark.parametrize(
    ("words", "title", "problem"),
    [
        ("abort", "Reading stopped", DocumentProblem.DAMAGED),
        ("crash", "Reading stopped", DocumentProblem.DAMAGED),
        ("exit", "Reading stopped", DocumentProblem.DAMAGED),
        ("nonsense", "Reading stopped", DocumentProblem.DAMAGED),
        ("sleep", "Reading took too long", DocumentProblem.TOO_SLOW),
        ("busy", "Reading took too long", DocumentProblem.TOO_SLOW),
        ("eat", "Too large to read", DocumentProblem.TOO_LARGE),
        ("program", "Reading took too long", DocumentProblem.TOO_SLOW),
        ("program crash", "Reading stopped", DocumentProblem.DAMAGED),
    ],
)
def test_a_bad_document_ends_alone(
    reader: ChildProcessReader, tmp_path: Path, words: str, title: str, problem: DocumentProblem
) -> None:
    before = {each.pid for each in family()}
    if words == "program crash" and "processes" not in reader.isolation:
        pytest.skip("this system gives no namespace for processes")
    with pytest.raises(DocumentError) as caught:
        reader.parse(document(tmp_path, words))
    assert (caught.value.title, caught.value.problem) == (title, problem)
    assert caught.value.remedy
    assert reader.parse(document(tmp_path, "all is well")).text == "all is well"
    assert not [pid for pid in before if runs(pid)]
    assert not [each for each in family() if each.name() == "sleep"]


@posix
def test_closing_ends_the_programs_too(reader: ChildProcessReader, tmp_path: Path) -> None:
    import threading

    errors: list[DocumentError] = []

    def parse() -> None:
        try:
            reader.parse(document(tmp_path, "program"))
        except DocumentError as error:
            errors.append(error)

    thread = threading.Thread(target=parse)
    thread.start()
    deadline = time.monotonic() + 5
    started: list[psutil.Process] = []
    while not started and time.monotonic() < deadline:
        started = [each for each in family() if each.name() == "sleep"]
    assert started
    reader.close()
    thread.join(5)
    assert errors
    assert not family()


def test_the_next_child_gets_ready_meanwhile(reader: ChildProcessReader, tmp_path: Path) -> None:
    with pytest.raises(DocumentError):
        reader.parse(document(tmp_path, "exit"))
    deadline = time.monotonic() + 5
    # Started though nobody has asked for anything.
    while not family() and time.monotonic() < deadline:
        time.sleep(0.01)
    assert family()


def test_recognised_pages_bring_their_own_time(reader: ChildProcessReader, tmp_path: Path) -> None:
    seen: list[ReadingProgress] = []
    path = document(tmp_path, "pages 4 0.8 1")
    assert reader.parse(path, None, seen.append).text == "all pages"
    assert seen == [ReadingProgress(page, 4, recognised=True) for page in (1, 2, 3, 4)]


def test_other_pages_bring_none(reader: ChildProcessReader, tmp_path: Path) -> None:
    with pytest.raises(DocumentError, match="within 2 seconds"):
        reader.parse(document(tmp_path, "pages 6 0.5 0"))


def test_a_page_that_hangs_is_named(reader: ChildProcessReader, tmp_path: Path) -> None:
    started = time.monotonic()
    with pytest.raises(DocumentError, match="page 1") as caught:
        reader.parse(document(tmp_path, "pages 2 3600 1"))
    assert caught.value.problem is DocumentProblem.TOO_SLOW
    assert 2.5 < time.monotonic() - started < 8


def test_options_come_over_and_passwords_show_nowhere(
    reader: ChildProcessReader, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    options = ReadingOptions("eng+deu", ("Geheim-ß", "second"))
    assert "Geheim" not in repr(options)
    path = document(tmp_path, "options")
    assert reader.parse(path, options).text == "eng+deu Geheim-ß second"
    for each in family():
        assert "Geheim" not in " ".join(each.cmdline())
        assert "Geheim" not in str(each.environ())


def test_the_environment_is_not_passed_on(
    acting: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SOME_API_TOKEN", "s3cret")
    reader = ChildProcessReader()
    try:
        home = reader.parse(document(tmp_path, "text")).metadata.title
        assert reader.process_id is not None
        environment = psutil.Process(reader.process_id).environ()
        assert "SOME_API_TOKEN" not in environment
        # What a program keeps in its home goes with the child.
        assert Path(home).is_relative_to(tempfile.gettempdir())
        assert Path(home).is_dir()
    finally:
        reader.close()
    assert not Path(home).exists()


@linux
def test_native_code_cannot_reach_out_either(reader: ChildProcessReader, tmp_path: Path) -> None:
    folder = tmp_path / str(os.getpid())
    folder.mkdir()
    possible = set(reader.parse(document(tmp_path, f"tried {folder}")).text.split())
    held = reader.isolation
    if "files" in held:
        assert not possible & {"write"}
    if "calls" in held:
        assert not possible & {"socket", "trace"}
    if "processes" in held:
        assert not possible & {"signal"}
    assert "start" not in possible
    assert "memory" in held


def test_other_programs_are_used_from_the_next_document_on(
    reader: ChildProcessReader, tmp_path: Path
) -> None:
    reader.parse(document(tmp_path, "text"))
    first = reader.process_id
    reader.use_tesseract(SLEEP)
    assert reader.process_id == first
    reader.use_tesseract("")
    reader.parse(document(tmp_path, "text"))
    assert reader.process_id != first


@posix
def test_the_same_programs_do_not_wait_for_the_document_that_is_read(
    reader: ChildProcessReader, tmp_path: Path
) -> None:
    reader.parse(document(tmp_path, "text"))
    first = reader.process_id
    thread = threading.Thread(target=_read_too_long, args=(reader, document(tmp_path, "sleep")))
    thread.start()
    while not vars(reader)["_lock"].locked():
        time.sleep(0.01)
    reader.use_tesseract(SLEEP)
    assert thread.is_alive()
    assert reader.process_id == first
    thread.join()


def _read_too_long(reader: ChildProcessReader, path: Path) -> None:
    with pytest.raises(DocumentError):
        reader.parse(path)


@posix
@pytest.mark.slow
def test_fifty_deaths_leave_nothing(acting: None, tmp_path: Path) -> None:
    limits = ReadingLimits(seconds=0.5, memory_bytes=1 << 30)
    reader = ChildProcessReader(limits, SLEEP)
    handles = psutil.Process().num_fds()
    try:
        for number in range(50):
            with pytest.raises(DocumentError):
                reader.parse(document(tmp_path, ("abort", "program", "exit")[number % 3]))
        assert reader.parse(document(tmp_path, "still here")).text == "still here"
    finally:
        reader.close()
    assert not family()
    assert not list(Path(tempfile.gettempdir()).iterdir())
    assert psutil.Process().num_fds() <= handles + 2
