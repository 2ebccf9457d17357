"""Files that are either the old or the new, never half of one."""

from __future__ import annotations

import os
import sys
import tempfile
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from phasergun_desktop.storage.problems import from_os_error


def write_atomically(path: Path, content: bytes | str) -> None:
    """Replace ``path`` by ``content`` (text as UTF-8, line ends as given).

    Code points that UTF-8 cannot hold (lone surrogates of a damaged source) become ``?``.
    The new content is on the disk before the name changes hands; when anything fails the old
    file is untouched and no temporary file stays. The folder is made if absent. Raises
    ``StorageError``.
    """
    data = content.encode("utf-8", "replace") if isinstance(content, str) else content
    # Through a link the target is replaced, not the link.
    target = path.resolve() if path.is_symlink() else path
    try:
        make_folder(target.parent)
        _write_and_rename(target, data)
    except OSError as error:
        raise from_os_error(error, path) from error


def make_folder(folder: Path) -> None:
    """Make ``folder`` with its parents, each on the disk; one that is there stays as it is.

    Raises ``OSError``.
    """
    if folder.is_dir():
        return
    make_folder(folder.parent)
    folder.mkdir(exist_ok=True)
    # Else a power cut takes the folder with everything that was synced in it.
    _sync_folder(folder.parent)


def _write_and_rename(target: Path, data: bytes) -> None:
    handle, name = tempfile.mkstemp(
        dir=target.parent, prefix=f".{target.name[:40]}.", suffix=".tmp"
    )
    temporary = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            stream.write(data)
            stream.flush()
            _sync(stream.fileno())
        _keep_mode(temporary, target)
        temporary.replace(target)
    except BaseException:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _keep_mode(temporary: Path, target: Path) -> None:
    # mkstemp makes files that only the owner reads; an export should have the usual rights.
    if os.name != "posix":
        return
    try:
        mode = target.stat().st_mode & 0o777
    except FileNotFoundError:
        mask = os.umask(0)
        os.umask(mask)
        mode = 0o666 & ~mask
    temporary.chmod(mode)


def _sync(handle: int) -> None:
    """Return when what was written is on the disk itself."""
    if sys.platform == "darwin":
        import fcntl  # noqa: PLC0415

        # There a plain sync leaves it in the disk's own memory; not every file system has this.
        with suppress(OSError):
            fcntl.fcntl(handle, fcntl.F_FULLFSYNC)
            return
    os.fsync(handle)


def _sync_folder(folder: Path) -> None:
    # The new name survives a power cut only when the folder itself is on the disk.
    if os.name != "posix":
        return
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


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
