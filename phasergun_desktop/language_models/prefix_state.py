"""What a model has already read, kept on disk so that the next session need not read it again."""

from __future__ import annotations

import hashlib
import json
import os
import time
from array import array
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.language_models.chat import common_prefix
from phasergun_desktop.paths import private_file, private_folder

# Below this many tokens reading again is as fast as loading a state.
MIN_TOKENS_WORTH_LOADING = 48
ABANDONED_S = 3600.0


@dataclass(frozen=True, slots=True)
class SavedPrefix:
    """A state on disk: the tokens it covers and the file of its keys and values."""

    tokens: tuple[int, ...]
    path: Path


class PrefixStore:
    """States of one project and one model, the least recently used going first.

    ``folder`` is in the project's cache, so that forgetting the project removes what the model
    read of its documents. ``model_key`` names model file, library version and context size: a
    state is never loaded into another model. ``max_bytes`` bounds the folder.
    """

    def __init__(self, folder: Path, model_key: str, max_bytes: int = 512 * 1024 * 1024) -> None:
        digest = hashlib.sha256(model_key.encode()).hexdigest()[:16]
        self._folder = folder / digest
        self._max_bytes = max_bytes

    def best_match(self, tokens: list[int], already: int) -> tuple[SavedPrefix, int] | None:
        """Return the state that shares the most leading tokens with ``tokens`` and the count,
        if it saves reading at least ``MIN_TOKENS_WORTH_LOADING`` beyond ``already``."""
        best: tuple[SavedPrefix, int] | None = None
        for saved in self._saved():
            shared = common_prefix(list(saved.tokens), tokens)
            if shared >= already + MIN_TOKENS_WORTH_LOADING and (best is None or shared > best[1]):
                best = (saved, shared)
        if best is not None:
            # The time of use decides what is dropped first.
            _touch(best[0].path)
        return best

    def path_for(self, tokens: list[int]) -> Path | None:
        """Return where to write the state of ``tokens``; None if it is there already."""
        name = hashlib.sha256(array("i", tokens).tobytes()).hexdigest()[:32]
        path = self._folder / f"{name}.state"
        if path.exists() and path.with_suffix(".tokens").exists():
            _touch(path)
            return None
        private_folder(self._folder)
        return path

    def commit(self, temporary: Path, path: Path, tokens: list[int]) -> None:
        """Put the finished file ``temporary`` in place as the state of ``tokens``.

        The token list is written first: a state without its list is never used.
        """
        private_file(path.with_suffix(".tokens"))
        path.with_suffix(".tokens").write_text(json.dumps(tokens), encoding="ascii")
        temporary.replace(path)
        self._trim()

    def _files(self) -> list[Path]:
        return sorted(self._folder.glob("*.state")) if self._folder.is_dir() else []

    def _saved(self) -> list[SavedPrefix]:
        saved = []
        for path in self._files():
            try:
                tokens = json.loads(path.with_suffix(".tokens").read_text(encoding="ascii"))
            except (OSError, ValueError):
                self._remove(path)
                continue
            saved.append(SavedPrefix(tuple(tokens), path))
        return saved

    def _trim(self) -> None:
        by_age = sorted(self._files(), key=lambda path: path.stat().st_mtime_ns, reverse=True)
        used = 0
        for path in by_age:
            used += path.stat().st_size
            if used > self._max_bytes:
                self._remove(path)
        # Being written takes a second or two: what is older was left by a process that was killed.
        for path in self._folder.glob("*.partial"):
            with suppress(OSError):
                if time.time() - path.stat().st_mtime > ABANDONED_S:
                    path.unlink()

    @staticmethod
    def _remove(path: Path) -> None:
        path.unlink(missing_ok=True)
        path.with_suffix(".tokens").unlink(missing_ok=True)


def _touch(path: Path) -> None:
    # Another window may have removed it meanwhile, or it cannot be written.
    with suppress(OSError):
        os.utime(path)
