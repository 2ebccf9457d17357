"""The real documents outside of the repository, by set, format and trait."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.frame import Unavailable

ROOT = Path(__file__).resolve().parents[3]
NASTY = "nasty"
REGULATORY = "regulatory"
GLUCOSE = "project-glucose"
# Lists of the sets themselves, not documents.
_LISTS = frozenset({"MANIFEST.csv", "categories.yaml"})


@dataclass(frozen=True, slots=True)
class DataFile:
    """A file of a set. ``name`` is its path in the set; ``trait`` what is special about it."""

    path: Path
    name: str
    trait: str

    @property
    def suffix(self) -> str:
        """The extension in small letters, without its dot; jpeg and tiff in three letters."""
        suffix = self.path.suffix.lower().lstrip(".")
        return {"jpeg": "jpg", "tiff": "tif", "markdown": "md"}.get(suffix, suffix)


def data_folder() -> Path:
    """Return the folder of test data. Raises ``Unavailable`` where it is absent."""
    folder = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not folder.is_dir():
        raise Unavailable("test data from outside the repository is absent")
    return folder


def data_files(set_name: str, folder: Path | None = None) -> tuple[DataFile, ...]:
    """Return the documents of a set, sorted by name. Raises ``Unavailable``.

    The trait of a file of ``nasty`` is its name before ``__``; elsewhere it is the folder.
    """
    root = (folder or data_folder()) / set_name
    if not root.is_dir():
        raise Unavailable(f"the test data has no folder {set_name}")
    found: list[DataFile] = []
    for path in sorted(root.rglob("*")):
        if not path.is_file() or path.name in _LISTS:
            continue
        name = path.relative_to(root).as_posix()
        special, mark, _ = path.name.partition("__")
        found.append(DataFile(path, name, special if mark else path.parent.name))
    return tuple(found)


def with_suffix(files: Iterable[DataFile], *suffixes: str) -> tuple[DataFile, ...]:
    """Return the files whose extension is one of ``suffixes``."""
    return tuple(each for each in files if each.suffix in suffixes)
