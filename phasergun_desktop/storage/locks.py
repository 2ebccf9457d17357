"""The right to be the only writer of a project, between processes."""

from __future__ import annotations

import json
import os
import sys
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any

from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import PRIVATE_FILE, private_folder
from phasergun_desktop.storage.problems import from_os_error
from phasergun_desktop.storage.small_files import parse_json, read_small_file

# The operating system's lock ends with its process, so that a lock left by a crash is never in
# the way. Windows forbids reading locked bytes: the locked byte lies far behind the text.
_LOCKED_BYTE = 1 << 30
_LOOK_AGAIN_S = 0.01


@dataclass(frozen=True, slots=True)
class LockHolder:
    """Who writes now: process id and since when (ISO 8601, UTC)."""

    pid: int
    since: str


if sys.platform == "win32":
    import msvcrt

    def _try_lock(handle: int) -> bool:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        try:
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

    def _unlock(handle: int) -> None:
        os.lseek(handle, _LOCKED_BYTE, os.SEEK_SET)
        msvcrt.locking(handle, msvcrt.LK_UNLCK, 1)

else:
    import fcntl

    def _try_lock(handle: int) -> bool:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def _unlock(handle: int) -> None:
        fcntl.flock(handle, fcntl.LOCK_UN)


class ProjectLock:
    """A lock file that names its holder. Held until ``release()`` or the end of the process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle: int | None = None

    @property
    def is_held(self) -> bool:
        """Whether this object holds the lock."""
        return self._handle is not None

    def acquire(self) -> bool:
        """Take the lock without waiting; False when another instance has it.

        Raises ``StorageError`` when the lock file cannot be made.
        """
        if self._handle is not None:
            return True
        try:
            private_folder(self._path.parent)
            handle = os.open(self._path, os.O_RDWR | os.O_CREAT, PRIVATE_FILE)
        except OSError as error:
            raise from_os_error(error, self._path) from error
        try:
            if not _try_lock(handle):
                os.close(handle)
                return False
            holder = {"pid": os.getpid(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
            os.ftruncate(handle, 0)
            os.lseek(handle, 0, os.SEEK_SET)
            os.write(handle, json.dumps(holder).encode("ascii"))
        except OSError as error:
            os.close(handle)
            raise from_os_error(error, self._path) from error
        self._handle = handle
        return True

    def wait(self, seconds: float) -> bool:
        """Take the lock, waiting for another holder at most ``seconds``; False in vain.

        Raises ``StorageError`` as ``acquire`` does.
        """
        deadline = time.monotonic() + seconds
        while not self.acquire():
            if time.monotonic() > deadline:
                return False
            time.sleep(_LOOK_AGAIN_S)
        return True

    def holder(self) -> LockHolder | None:
        """Who holds the lock, as written by the last holder; None if nobody does or unknown."""
        if self._handle is None and self._is_free():
            return None
        try:
            found: Any = parse_json(read_small_file(self._path))
            return LockHolder(pid=int(found["pid"]), since=str(found["since"]))
        except (OSError, StorageError, ValueError, KeyError, TypeError, OverflowError):
            return None

    def release(self) -> None:
        """Give the lock back; without effect when it is not held."""
        if self._handle is None:
            return
        handle, self._handle = self._handle, None
        try:
            os.ftruncate(handle, 0)
            _unlock(handle)
        finally:
            os.close(handle)

    def __enter__(self) -> ProjectLock:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def _is_free(self) -> bool:
        try:
            handle = os.open(self._path, os.O_RDWR)
        except FileNotFoundError:
            return True
        except OSError:
            return False
        try:
            if not _try_lock(handle):
                return False
            _unlock(handle)
            return True
        finally:
            os.close(handle)
