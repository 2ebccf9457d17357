"""Names of files: how they are compared, and which of several versions is the newest."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.convention import name_key

_VERSION = re.compile(
    r"(?:[\s_\-.(]*)(?:(?<![a-z])(?:v|ver|version|rev|revision)[\s_.]?)(\d+(?:[._]\d+)*)\)?$",
    re.IGNORECASE,
)
_ENDING = re.compile(r"\.[A-Za-z][A-Za-z0-9]{1,4}$")


@dataclass(frozen=True, slots=True)
class VersionedName:
    """A file name without ending, as ``base`` (in comparable form) and version numbers."""

    base: str
    version: tuple[int, ...]


def field_key(name: str) -> str:
    """Return the name of a field in comparable form: case, spaces, ``_`` do not matter."""
    return re.sub(r"[\s_]+", "", unicodedata.normalize("NFC", name)).casefold()


@lru_cache(maxsize=16384)
def read_version(file: str) -> VersionedName:
    """Split the name of ``file``: ``DDP-Phase1-V1.10.docx`` is ``ddp phase1``, (1, 10)."""
    stem = PurePosixPath(file).stem
    match = _VERSION.search(stem)
    if match is None or match.start() == 0:
        return VersionedName(name_key(stem), ())
    numbers = tuple(int(number[:9]) for number in re.split(r"[._]", match.group(1)))
    return VersionedName(name_key(stem[: match.start()]), numbers)


def name_without_version(file: str) -> str:
    """Return the name of ``file`` as it is written, without ending and version."""
    stem = PurePosixPath(file).stem
    match = _VERSION.search(stem)
    return stem if match is None or match.start() == 0 else stem[: match.start()]


def newest(documents: Iterable[DocumentRecord]) -> DocumentRecord | None:
    """Return the document of the highest version; then the last modified; then by name."""
    return max(
        documents,
        key=lambda each: (read_version(each.file).version, each.metadata.modified, each.file),
        default=None,
    )


def find_by_prefix(
    name: str, documents: Sequence[DocumentRecord]
) -> tuple[DocumentRecord | None, tuple[str, ...]]:
    """Find the newest document whose file name begins with ``name``.

    A full file name finds that very file, an exact name outranks longer ones, and
    ``Phase1`` never finds ``Phase10``. Also returns the comparable names of the documents that
    the prefix fits, so that the caller can tell when it fits more than one.
    """
    exact = [each for each in documents if _is_exact(name, each)]
    if exact:
        return newest(exact), (name_key(name),)
    wanted = name_key(name)
    named = [(read_version(each.file).base, each) for each in documents]
    same = [each for base, each in named if base == wanted]
    if same:
        return newest(same), (wanted,)
    fitting = [(base, each) for base, each in named if base.startswith(wanted + " ")]
    bases = tuple(sorted({base for base, _ in fitting}))
    return newest(each for _, each in fitting), bases


def find_by_name(name: str, documents: Sequence[DocumentRecord]) -> DocumentRecord | None:
    """Find a document by its file name, with or without ending, version or folder."""
    exact = [each for each in documents if _is_exact(name, each)]
    if exact:
        return newest(exact)
    ending = _ENDING.search(name)
    if ending:
        # An ending was given: only another version of that very kind of file may stand in.
        suffix = ending.group().casefold()
        documents = [each for each in documents if each.file.casefold().endswith(suffix)]
        name = name[: ending.start()]
    wanted = name_key(PurePosixPath(name).name)
    return newest(each for each in documents if read_version(each.file).base == wanted)


def _is_exact(name: str, document: DocumentRecord) -> bool:
    path = PurePosixPath(document.file)
    wanted = unicodedata.normalize("NFC", name).casefold().replace("\\", "/")
    full = unicodedata.normalize("NFC", document.file).casefold()
    return (
        full == wanted
        or full.endswith("/" + wanted)
        or name_key(path.stem) == name_key(name)
        or name_key(path.name) == name_key(name)
    )
