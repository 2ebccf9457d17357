"""The folder for a child's temporary files, which does not outlive its owner for long."""

from __future__ import annotations

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import PRIVATE_FOLDER
from phasergun_desktop.storage.locks import ProjectLock

_PREFIX = "phasergun-reading-"
_LOCK, _FILES = "owner.lock", "files"


class Scratch:
    """A new folder in the system's temporary one, locked until it is removed.

    The lock ends with its process: ``remove_abandoned`` tells by it what a killed one left. It
    lies beside the child's folder, where the child cannot write. Raises OSError.
    """

    def __init__(self) -> None:
        while True:
            self._folder = Path(tempfile.mkdtemp(prefix=_PREFIX))
            self._lock = ProjectLock(self._folder / _LOCK)
            if self._is_taken():
                break
        self.path = self._folder / _FILES
        try:
            self.path.mkdir(PRIVATE_FOLDER)
        except OSError:
            self.remove()
            raise

    def remove(self) -> None:
        """Delete the folder with everything in it, as far as the system lets us."""
        _remove(self._folder, self._lock)

    def _is_taken(self) -> bool:
        """Lock the folder; False where another process takes it for abandoned just now."""
        try:
            return self._lock.acquire()
        except StorageError:
            # A place without locks, or without room: unlocked it must not pass for abandoned.
            with suppress(OSError):
                (self._folder / _LOCK).unlink()
            return True


def remove_abandoned() -> None:
    """Delete the folders of this user whose owner has ended without doing it."""
    for folder in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*"):
        lock = ProjectLock(folder / _LOCK)
        with suppress(OSError, StorageError):
            if _is_own(folder) and (folder / _LOCK).is_file() and lock.acquire():
                _remove(folder, lock)


def _is_own(folder: Path) -> bool:
    """Whether this user made it: in another's folder the lock may be a link to anywhere."""
    status = folder.lstat()
    return os.name != "posix" or (status.st_uid == os.getuid() and not folder.is_symlink())


def _remove(folder: Path, lock: ProjectLock) -> None:
    shutil.rmtree(folder / _FILES, ignore_errors=True)
    # Windows deletes no file that is open.
    with suppress(OSError):
        lock.release()
    shutil.rmtree(folder, ignore_errors=True)
