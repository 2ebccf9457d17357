"""Small files of strangers: never waited for, never read without end, told in a sentence."""

from __future__ import annotations

import os
import socket
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.small_files import (
    MOST_BYTES,
    UnusableFileError,
    open_ordinary,
    parse_json,
    read_small_file,
    read_small_text,
)

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="no pipes and devices in folders")


def make_pipe(path: Path) -> None:
    os.mkfifo(path)


def make_socket(path: Path) -> None:
    # The name of a socket may have a hundred characters: made elsewhere, and moved.
    with socket.socket(socket.AF_UNIX) as server, tempfile.TemporaryDirectory() as folder:
        server.bind(f"{folder}/s")
        Path(folder, "s").rename(path)


STRANGE: dict[str, Callable[[Path], None]] = {
    "pipe": make_pipe,
    "socket": make_socket,
    "device": lambda path: path.symlink_to("/dev/zero"),
    "folder": Path.mkdir,
}


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_ordinary_file_is_refused_at_once(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "settings.json"
    STRANGE[kind](path)
    with pytest.raises(UnusableFileError, match="not an ordinary file") as caught:
        read_small_text(path)
    assert caught.value.remedy
    with pytest.raises(OSError):  # noqa: PT011 - which one depends on the system
        open_ordinary(path)
    with pytest.raises(StorageError, match="not an ordinary file"):
        write_atomically(path, "text")


def test_a_file_that_is_too_large_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / "prompt.md"
    with path.open("wb") as file:
        file.truncate(1 << 40)  # without a byte on the disk
    with pytest.raises(UnusableFileError, match="larger than 2 MB"):
        read_small_file(path)
    with path.open("wb") as file:
        file.truncate(MOST_BYTES)
    assert len(read_small_file(path)) == MOST_BYTES


@pytest.mark.parametrize(
    ("content", "told"), [(b"\xff\xfe\x00", "not UTF-8"), (b"a\0b", "not a text file")]
)
def test_what_is_no_text_is_told(tmp_path: Path, content: bytes, told: str) -> None:
    path = tmp_path / "prompt.md"
    path.write_bytes(content)
    with pytest.raises(UnusableFileError, match=told):
        read_small_text(path)


@posix_only
def test_a_link_out_of_the_project_is_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (tmp_path / "secret.txt").write_text("secret")
    (root / "inside.txt").write_text("inside")
    (root / "out.txt").symlink_to(tmp_path / "secret.txt")
    (root / "in.txt").symlink_to(root / "inside.txt")
    with pytest.raises(UnusableFileError, match="outside the project"):
        read_small_file(root / "out.txt", inside=root)
    assert read_small_text(root / "in.txt", inside=root) == "inside"
    assert read_small_text(root / "out.txt") == "secret"


def test_an_absent_file_is_told_apart(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for path in (tmp_path / "absent", tmp_path / "file" / "below"):
        with pytest.raises(FileNotFoundError):
            read_small_file(path)


@pytest.mark.parametrize(
    "text", ["[" * 100_000, '{"a":' * 100_000, "[" * 60 + "]" * 60, "9" * 5000, "{", ""]
)
def test_json_without_sense_is_an_error_of_values(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)


def test_json_as_it_should_be() -> None:
    assert parse_json('﻿{"a": [1, {"b": null}]}'.encode()) == {"a": [1, {"b": None}]}
