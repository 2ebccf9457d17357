"""Files that are either the old or the new, never half of one."""

from __future__ import annotations

import os
import secrets
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import (
    PRIVATE_FILE,
    PRIVATE_FOLDER,
    USUAL_FOLDER,
    make_folder,
    sync_folder,
)
from phasergun_desktop.storage.problems import from_os_error, storage_errors

_USUAL_FILE = 0o666
_NEW_FILE = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)


def write_atomically(path: Path, content: bytes | str, *, usual_rights: bool = False) -> None:
    """Replace ``path`` by ``content`` (text as UTF-8, line ends as given).

    Only this user may read the new file. With ``usual_rights`` it gets those of any program's
    files, or of the file it replaces: what the user saves into a folder of their own.

    Code points that UTF-8 cannot hold (lone surrogates of a damaged source) become ``?``.
    The new content is on the disk before the name changes hands; when anything fails the old
    file is untouched and no temporary file stays. The folder is made if absent. Raises
    ``StorageError``.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    try:
        # Through a link the target is replaced, not the link.
        target = Path(os.path.realpath(path)) if path.is_symlink() else path
        if target.exists() and not target.is_file():
            # As the administrator one could put a file in the place of a device.
            raise StorageError(
                "File not written",
                f"{path} is not an ordinary file.",
                "Put an ordinary file in its place, or choose another name.",
            )
        make_folder(target.parent, USUAL_FOLDER if usual_rights else PRIVATE_FOLDER)
        _write_and_rename(target, data, usual_rights)
    except OSError as error:
        raise from_os_error(error, path) from error


def write_own_file(path: Path, content: str) -> None:
    """Write a file that nobody else writes: what stands in its place and is no file (a pipe, a
    folder, a link to a device) is kept under another name. Raises ``StorageError``."""
    with storage_errors(path):
        is_in_the_way = os.path.lexists(path) and not path.is_file()
    if is_in_the_way:
        move_aside(path)
    write_atomically(path, content)


def _write_and_rename(target: Path, data: bytes, usual_rights: bool) -> None:
    temporary = target.with_name(f".{target.name[:40]}.{secrets.token_hex(8)}.tmp")
    # The system itself takes away what the user's umask does: to ask for the mask means to set
    # it, and a file that another thread makes in that moment would be open to all.
    mode = _USUAL_FILE if usual_rights else PRIVATE_FILE
    handle = os.open(temporary, _NEW_FILE, mode)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            _sync(stream.fileno())
        if usual_rights and os.name == "posix" and target.exists():
            temporary.chmod(target.stat().st_mode & 0o777)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    sync_folder(target.parent)


def _sync(handle: int) -> None:
    """Return when what was written is on the disk itself."""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415

        # There a plain sync leaves it in the disk's own memory; not every file system has this.
        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def move_aside(path: Path, *companions: Path) -> Path:
    """Rename a damaged file so that it is kept but no longer used; return its new name.

    Each of them may be absent; the name is that of the first that was there. ``companions`` get
    the same ending. Raises ``StorageError``.
    """
    stamp = datetime.now(UTC).strftime("%Y%m%d-%H%M%S-%f")
    aside = path
    try:
        for each in reversed((path, *companions)):
            with suppress(FileNotFoundError):
                aside = each.replace(each.with_name(f"{each.name}.damaged-{stamp}"))
    except OSError as error:
        raise from_os_error(error, path) from error
    return aside
