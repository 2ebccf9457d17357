"""Small files of the user, of a project and of ours: ordinary ones, up to a size, never waited for.

A project folder comes from anywhere. What stands there under the name of a file may be a pipe that
nobody writes to, a link to a device that has no end, or gigabytes.
"""

from __future__ import annotations

import errno
import json
import os
import stat
from io import BufferedReader
from pathlib import Path

from phasergun_desktop.errors import StorageError

MOST_BYTES = 2_000_000
_NOT_ORDINARY = "is not an ordinary file"
# Absent where the system has none (Windows). Without waiting: a pipe opens at once, and is refused.
_FLAGS = (
    os.O_RDONLY
    | getattr(os, "O_NONBLOCK", 0)
    | getattr(os, "O_NOCTTY", 0)
    | getattr(os, "O_CLOEXEC", 0)
    | getattr(os, "O_BINARY", 0)
)


# Deeper than any file of settings, and shallow enough for everything that walks through it.
_MOST_LEVELS = 50


class UnusableFileError(StorageError):
    """A file is there but is not a readable one of its kind. ``why`` says so without the name:
    "is not an ordinary file"."""

    def __init__(self, path: Path, why: str, remedy: str) -> None:
        super().__init__("File not usable", f"{path.name} {why}.", remedy)
        self.why = why


class UnreadableFileError(UnusableFileError):
    """A file that may be a sound one cannot be read, for ``cause``."""

    def __init__(self, path: Path, cause: OSError) -> None:
        why = cause.strerror or type(cause).__name__
        remedy = "Check that you may read it and that no other program keeps it locked."
        super().__init__(path, f"cannot be read ({why})", remedy)
        self.cause = cause


def open_ordinary(path: Path) -> BufferedReader:
    """Open an ordinary file for reading, at once. Raises ``OSError``, also for what is none.

    What it is, is asked of the opened file: nobody can exchange it between the question and the
    reading.
    """
    handle = os.open(path, _FLAGS)
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, _NOT_ORDINARY, str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


def read_small_file(path: Path, most: int = MOST_BYTES, inside: Path | None = None) -> bytes:
    """Return the content of an ordinary file of at most ``most`` bytes.

    With ``inside`` it must lie in that folder, links resolved: what a project holds must not
    depend on what lies outside of it. Raises ``UnusableFileError``, and ``FileNotFoundError``
    where there is no such file.
    """
    if inside is not None and not is_inside(path, inside):
        raise UnusableFileError(
            path, "is a link to a place outside the project", "Copy the file into the project."
        )
    try:
        with open_ordinary(path) as file:
            # Looked at before a byte is read; it may grow meanwhile.
            size = os.fstat(file.fileno()).st_size
            content = b"" if size > most else file.read(most + 1)
    except (FileNotFoundError, NotADirectoryError) as error:
        raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT), str(path)) from error
    except OSError as error:
        # A socket cannot even be opened.
        if error.strerror == _NOT_ORDINARY or error.errno == errno.ENXIO:
            remedy = "Put an ordinary file in its place, or remove it."
            raise UnusableFileError(path, _NOT_ORDINARY, remedy) from error
        raise UnreadableFileError(path, error) from error
    if max(size, len(content)) > most:
        raise too_large(path, most)
    return content


def read_small_text(path: Path, most: int = MOST_BYTES, inside: Path | None = None) -> str:
    """Return a file of UTF-8 text, as ``read_small_file`` does; a byte order mark is left out."""
    return text_of(path, read_small_file(path, most, inside))


def text_of(path: Path, content: bytes) -> str:
    """Return ``content`` of ``path`` as text. Raises ``UnusableFileError`` where it is none."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnusableFileError(path, "is not UTF-8 text", "Save it as UTF-8 text.") from error
    if "\0" in text:
        raise UnusableFileError(path, "is not a text file", "Save it as UTF-8 text.")
    return text


def parse_json(content: bytes | str) -> object:
    """Return what a JSON file says. Raises ``ValueError``, also for one nested without sense."""
    try:
        found: object = json.loads(
            content.decode("utf-8-sig") if isinstance(content, bytes) else content
        )
    except RecursionError as error:
        raise ValueError("nested too deep") from error
    level = [found]
    for _ in range(_MOST_LEVELS):
        level = [below for each in level for below in _below(each)]
        if not level:
            return found
    raise ValueError("nested too deep")


def is_inside(path: Path, folder: Path) -> bool:
    """Whether ``path`` lies in ``folder`` when every link is followed."""
    return Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))


def too_large(path: Path, most: int) -> UnusableFileError:
    """Return the error for a file of more than ``most`` bytes."""
    return UnusableFileError(path, f"is larger than {most / 1e6:g} MB", "Make it shorter.")


def _below(value: object) -> list[object]:
    if isinstance(value, dict):
        return list(value.values())
    return value if isinstance(value, list) else []
