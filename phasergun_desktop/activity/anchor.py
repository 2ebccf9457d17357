"""How far the activity log had come, noted in a file outside of its database."""

from __future__ import annotations

import json
import logging
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.atomic_files import write_own_file
from phasergun_desktop.storage.small_files import parse_json, read_small_file

_ANCHOR_FILE = "activity.json"
START_HASH = "0" * 64
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Anchor:
    """The number and the hash of the last entry; 0 and zeros before the first."""

    entries: int = 0
    hash: str = START_HASH


class AnchorFile:
    """Keeps the anchor of one log. It is written after the entry that it names, so that a kill
    between both leaves it behind the log, never ahead of it."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def read(self) -> Anchor:
        """Return what is noted; the anchor of an empty log where nothing can be read."""
        return self._noted() or Anchor()

    def is_damaged(self) -> bool:
        """Whether something was noted that cannot be read."""
        return self._noted() is None

    def _noted(self) -> Anchor | None:
        try:
            return _anchor_of(parse_json(read_small_file(self._path)))
        except FileNotFoundError:
            return Anchor()
        except (StorageError, ValueError) as error:
            _log.warning("%s was not used: %s", self._path.name, type(error).__name__)
            return None

    def write(self, anchor: Anchor) -> None:
        """Note ``anchor``, unless a later one is noted. On a full disk the one before stays."""
        if self.read().entries >= anchor.entries:
            return
        content = {"entries": anchor.entries, "hash": anchor.hash}
        try:
            write_own_file(self._path, json.dumps(content) + "\n")
        except StorageError as error:
            _log.warning("%s was not written: %s", self._path.name, error.title)


def _anchor_of(found: object) -> Anchor:
    """Return what the file says. Raises ``ValueError``."""
    if not isinstance(found, dict):
        raise ValueError("not an anchor")
    entries, digest = found.get("entries"), found.get("hash")
    # SQLite counts no further.
    if not isinstance(entries, int) or not 0 <= entries < 2**63 - 1 or not isinstance(digest, str):
        raise ValueError("not an anchor")
    return Anchor(entries, digest)


def anchor_beside(database: Path) -> AnchorFile:
    """Return the anchor of the log that is kept in the file ``database``."""
    return AnchorFile(database.with_name(_ANCHOR_FILE))
