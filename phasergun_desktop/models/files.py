"""What can be said about a model file without loading it: its digest, its magic, its stamp."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Generator
from contextlib import suppress
from pathlib import Path

from phasergun_desktop.errors import ModelError, StorageError
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.storage.atomic_files import write_atomically

GGUF_MAGIC = b"GGUF"
BLOCK_BYTES = 4 << 20
_REPORT_BYTES = 64 << 20


def is_gguf(path: Path) -> bool:
    """Whether the file starts like a GGUF model; False when it cannot be read."""
    try:
        with path.open("rb") as stream:
            return stream.read(len(GGUF_MAGIC)) == GGUF_MAGIC
    except OSError:
        return False


def check_gguf(path: Path) -> None:
    """Raise ``ModelError`` unless ``path`` is a readable file that starts like a GGUF model."""
    if not path.is_file():
        raise ModelError(
            "No model file",
            f"The model file {path.name} does not exist in {path.parent}.",
            "Choose another model in the settings, or run “phasergun models fetch”.",
        )
    if not is_gguf(path):
        raise ModelError(
            "Not a model",
            f"{path.name} is not a GGUF model file.",
            "Choose a file that ends in .gguf and comes from its publisher, or run "
            "“phasergun models fetch”.",
        )


def digest_of(path: Path, what: str) -> Generator[Event, None, str]:
    """Read the whole file and return its SHA-256 in hex; yields progress in bytes."""
    digest = hashlib.sha256()
    total = path.stat().st_size
    done = reported = 0
    with path.open("rb") as stream:
        while block := stream.read(BLOCK_BYTES):
            digest.update(block)
            done += len(block)
            if done - reported >= _REPORT_BYTES:
                reported = done
                yield Progress(what, done, total, "bytes")
    return digest.hexdigest()


class VerifiedStamp:
    """A note beside a model file: with this size and time its digest was checked.

    It saves reading a gigabyte at every start. It protects against accidents, not against
    somebody who may write into the folder.
    """

    def __init__(self, path: Path, folder: Path) -> None:
        self._path = path
        self._stamp = folder / f"{path.name}.verified"

    def digest(self) -> str:
        """The digest that was checked for the file as it is now, "" if none was."""
        try:
            noted = json.loads(self._stamp.read_text("ascii"))
            stat = self._path.stat()
            if (noted["size"], noted["mtime_ns"]) != (stat.st_size, stat.st_mtime_ns):
                return ""
            return str(noted["sha256"])
        except (OSError, ValueError, KeyError, TypeError):
            return ""

    def write(self, sha256: str) -> None:
        """Note that the file as it is now has this digest."""
        stat = self._path.stat()
        noted = {"sha256": sha256, "size": stat.st_size, "mtime_ns": stat.st_mtime_ns}
        # A folder that cannot be written costs the time of another check, nothing else.
        with suppress(StorageError):
            write_atomically(self._stamp, json.dumps(noted), usual_rights=True)
