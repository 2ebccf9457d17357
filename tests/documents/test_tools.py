"""The programs that reading may start, and the languages that one of them knows."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from phasergun_desktop.documents.document_reader import (
    ReadingOptions,
    is_read_alike,
    reading_version,
)
from phasergun_desktop.documents.isolated.isolation import _Allowed
from phasergun_desktop.documents.tools import find_tesseract, installed_languages

posix = pytest.mark.skipif(sys.platform == "win32", reason="programs are made as shell scripts")


def program(path: Path, script: str) -> str:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n", "ascii")
    path.chmod(0o755)
    return str(path.resolve())


@posix
def test_they_are_found_on_the_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tesseract = program(tmp_path / "bin" / "tesseract", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_tesseract() == tesseract


@posix
def test_what_the_user_has_set_comes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    usual = program(tmp_path / "bin" / "tesseract", "exit 0")
    own = program(tmp_path / "own" / "my-tesseract", "exit 0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    assert find_tesseract(own) == own
    # One that has gone does not stand in the way of the usual one.
    assert find_tesseract(str(tmp_path / "gone")) == usual


@posix
def test_languages_are_those_that_the_program_lists(tmp_path: Path) -> None:
    lists = program(
        tmp_path / "tesseract",
        "echo 'List of available languages in \"/usr/share\" (4):'\n"
        "printf 'eng\\nosd\\ndeu\\nscript/Latin\\n'",
    )
    assert installed_languages(lists) == ("deu", "eng", "script/Latin")
    assert installed_languages("") == ()
    assert installed_languages(str(tmp_path / "gone")) == ()


def test_only_what_concerns_a_document_makes_it_stale() -> None:
    def version(languages: str = "eng", tesseract: str = "t") -> str:
        return reading_version(ReadingOptions(languages), tesseract)

    now = version()
    assert is_read_alike(now, now, "pdf")
    assert not is_read_alike(version("deu"), now, "pdf")
    assert not is_read_alike(version(tesseract=""), now, "image")
    assert is_read_alike(version("deu"), now, "docx")
    assert is_read_alike(version(tesseract=""), now, "doc")
    # As versions were written while LibreOffice could be asked.
    assert not is_read_alike("5 ocr:eng office:soffice", now, "doc")
    assert not is_read_alike("1", now, "docx")
    assert not is_read_alike(now.replace(now.split()[0], "older"), now, "txt")
    passwords = ReadingOptions("eng", ("secret",))
    assert reading_version(passwords, "t") == now


@pytest.mark.parametrize(
    ("event", "arguments", "allowed"),
    [
        ("subprocess.Popen", ("/usr/bin/tesseract", ["/usr/bin/tesseract", "-"], None, {}), True),
        ("subprocess.Popen", (b"/usr/bin/tesseract", ["x"], None, {}), True),
        ("subprocess.Popen", ("/bin/sh", ["/usr/bin/tesseract"], None, {}), False),
        ("subprocess.Popen", ("tesseract", ["tesseract"], None, {}), False),
        ("os.posix_spawn", ("/usr/bin/tesseract", [], {}), True),
        ("os.posix_spawn", ("/bin/sh", [], {}), False),
        # As Windows sees it: one line, quoted where the path has spaces.
        ("subprocess.Popen", (None, "/usr/bin/tesseract a b", None, {}), True),
        ("subprocess.Popen", (None, '"C:\\Program Files\\t.exe" a', None, {}), True),
        ("subprocess.Popen", (None, "C:\\Program Files\\t.exe a", None, {}), False),
        ("subprocess.Popen", (None, "/usr/bin/tesseract-evil", None, {}), False),
        ("_winapi.CreateProcess", (None, '"C:\\Program Files\\t.exe"', None), True),
        ("_winapi.CreateProcess", (None, "cmd.exe /c x", None), False),
        ("os.system", ("/usr/bin/tesseract",), False),
        ("os.exec", ("/usr/bin/tesseract", [], {}), False),
        ("socket.connect", (None, None), False),
        ("open", ("/etc/passwd", "r", 0), True),
    ],
)
def test_only_these_programs_may_be_started(
    event: str, arguments: tuple[object, ...], allowed: bool
) -> None:
    check = _Allowed(["/usr/bin/tesseract", "C:\\Program Files\\t.exe", ""]).check
    if allowed:
        check(event, arguments)
        return
    with pytest.raises(PermissionError):
        check(event, arguments)
