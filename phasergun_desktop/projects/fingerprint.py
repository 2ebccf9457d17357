"""What a folder looks like, to know it again after it has moved."""

from __future__ import annotations

import hashlib
import os
from collections import deque
from dataclasses import dataclass
from pathlib import Path

_MOST_FILES = 200


@dataclass(frozen=True, slots=True)
class Fingerprint:
    """``device`` and ``inode`` name the folder on its disk (0 where unknown); ``files`` are
    short hashes of the first files' relative paths and sizes: no name can be read from them."""

    device: int = 0
    inode: int = 0
    files: frozenset[str] = frozenset()

    def is_same_folder(self, other: Fingerprint) -> bool:
        """Whether both are the same folder of the same disk."""
        return self.inode != 0 and (self.device, self.inode) == (other.device, other.inode)

    def likeness(self, other: Fingerprint) -> float:
        """Return the share of files that both have, 0..1 (0 when one has none)."""
        either = self.files | other.files
        return len(self.files & other.files) / len(either) if either else 0.0


def take_fingerprint(root: Path) -> Fingerprint:
    """Look at ``root``, at most 200 files deep; what cannot be read is left out."""
    try:
        status = root.stat()
    except OSError:
        return Fingerprint()
    return Fingerprint(status.st_dev, status.st_ino, frozenset(_file_hashes(root)))


def _file_hashes(root: Path) -> list[str]:
    # Breadth first and sorted, so that the same folder always gives the same files.
    hashes: list[str] = []
    folders = deque([""])
    while folders and len(hashes) < _MOST_FILES:
        relative = folders.popleft()
        try:
            entries = sorted(os.scandir(root / relative), key=lambda entry: entry.name)
        except OSError:
            continue
        for entry in entries:
            if entry.name.startswith((".", "~$")):
                continue
            path = f"{relative}/{entry.name}" if relative else entry.name
            try:
                if entry.is_dir(follow_symlinks=False):
                    folders.append(path)
                    continue
                size = entry.stat(follow_symlinks=False).st_size
            except OSError:
                continue
            text = f"{path}\0{size}".encode("utf-8", "surrogateescape")
            hashes.append(hashlib.sha256(text).hexdigest()[:16])
    return hashes[:_MOST_FILES]
