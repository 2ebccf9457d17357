"""Tries a model file in a process of its own, which a bad file may kill without harm."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any

from phasergun_desktop.errors import StorageError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.model_check_child import CHILD_ARGUMENT, CHILD_MODULE
from phasergun_desktop.models.files import is_gguf
from phasergun_desktop.paths import child_start
from phasergun_desktop.storage.atomic_files import write_atomically

# A file of 30 GB on a slow disk is read in this time; a file that hangs the loader is not waited
# for any longer.
LIMIT_S = 300.0
_POLL_S = 0.1
_LONGEST_ANSWER = 100_000


@dataclass(frozen=True, slots=True)
class ModelCheck:
    """What came of trying a model file.

    ``parameters`` is a count, ``context_tokens`` what the model was made for; speeds are in
    tokens a second on this machine with these settings; ``memory_bytes`` is the most that the
    process had. ``problem`` is empty or says in one or two sentences why the file is of no use.
    """

    loads: bool = False
    architecture: str = ""
    parameters: int = 0
    context_tokens: int = 0
    has_chat_template: bool = False
    prompt_tokens_per_s: float = 0.0
    writing_tokens_per_s: float = 0.0
    memory_bytes: int = 0
    problem: str = ""

    @property
    def is_usable(self) -> bool:
        """Whether drafts can be written with it."""
        return self.loads and self.has_chat_template and not self.problem


class ModelChecker:
    """Checks files and remembers the result for as long as a file, or its settings, stay."""

    def __init__(
        self, folder: Path, limit_s: float = LIMIT_S, command: Sequence[str] | None = None
    ) -> None:
        self._folder = folder
        self._limit_s = limit_s
        self._command = tuple(command or child_start(CHILD_ARGUMENT, CHILD_MODULE))

    def known(self, path: Path, context_tokens: int, threads: int) -> ModelCheck | None:
        """Return an earlier result for the file as it is now; reads one small file."""
        try:
            found = json.loads(self._note(path, context_tokens, threads).read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return _result(found)

    def check(self, path: Path, context_tokens: int, threads: int) -> Job[ModelCheck]:
        """Load the file and measure it; yields ``Progress``. Closing the job ends the process."""
        if not path.is_file():
            return ModelCheck(problem=f"The file {path.name} is not there.")
        if not is_gguf(path):
            return ModelCheck(
                problem=f"{path.name} is not a GGUF model file. Choose a file that ends in .gguf."
            )
        known = self.known(path, context_tokens, threads)
        if known is not None:
            return known
        result, is_lasting = yield from self._run(path, context_tokens, threads)
        if is_lasting:
            with suppress(StorageError, OSError):
                note = self._note(path, context_tokens, threads)
                write_atomically(note, json.dumps(asdict(result)))
        return result

    def _run(self, path: Path, context_tokens: int, threads: int) -> Job[tuple[ModelCheck, bool]]:
        arguments = [str(path.absolute()), str(context_tokens), str(threads)]
        try:
            process = subprocess.Popen(
                [*self._command, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                env=_environment(),
                creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
        except OSError as error:
            why = error.strerror or "system error"
            return ModelCheck(problem=f"The check could not be started ({why})."), False
        started = time.monotonic()
        try:
            while process.poll() is None:
                passed = time.monotonic() - started
                if passed > self._limit_s:
                    return _too_slow(path, self._limit_s), False
                yield Progress(f"Checking {path.name}", detail=f"{passed:.0f} s")
                with suppress(subprocess.TimeoutExpired):
                    process.wait(_POLL_S)
            # A few hundred bytes: they fit into the pipe, and nobody has to read meanwhile.
            answer = process.stdout.read(_LONGEST_ANSWER) if process.stdout is not None else b""
        finally:
            _end(process)
        try:
            result = _result(json.loads(answer))
        except (ValueError, RecursionError):
            result = None
        if process.returncode != 0 or result is None:
            return _died(path, process.returncode), False
        return result, True

    def _note(self, path: Path, context_tokens: int, threads: int) -> Path:
        stat = path.stat()
        known_by = (str(path.absolute()), stat.st_size, stat.st_mtime_ns, context_tokens, threads)
        name = hashlib.sha256(json.dumps(known_by).encode()).hexdigest()[:32]
        return self._folder / f"{name}.json"


def _environment() -> dict[str, str]:
    environment = dict(os.environ)
    if not getattr(sys, "frozen", False):
        package_root = str(Path(__file__).resolve().parents[2])
        known = os.environ.get("PYTHONPATH")
        environment["PYTHONPATH"] = os.pathsep.join([package_root, *([known] if known else [])])
    return environment


def _result(found: object) -> ModelCheck | None:
    if not isinstance(found, dict):
        return None
    values: dict[str, Any] = {}
    for each in fields(ModelCheck):
        value, kind = found.get(each.name), type(each.default)
        if isinstance(value, int) and kind is float:
            value = float(value)
        if type(value) is not kind:
            return None
        values[each.name] = value
    return ModelCheck(**values)


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        process.kill()
        process.wait()
    if process.stdout is not None:
        process.stdout.close()


def _too_slow(path: Path, seconds: float) -> ModelCheck:
    return ModelCheck(
        problem=f"{path.name} was not ready within {seconds:.0f} seconds: it is too large for this "
        "machine, or damaged. Choose a smaller model."
    )


def _died(path: Path, code: int) -> ModelCheck:
    # POSIX gives the signal as a negative number, Windows the status as a large one.
    if -code == getattr(signal, "SIGILL", 0) or code in (0xC000001D, 0xC000001D - 2**32):
        return ModelCheck(
            problem="The language-model library uses instructions that this processor does not "
            "have. Run the installation again (packaging/bootstrap.py install)."
        )
    if -code == getattr(signal, "SIGKILL", 0):
        return ModelCheck(
            problem=f"The system ended the check of {path.name}, most likely for want of memory. "
            "Choose a smaller model or close other programs."
        )
    return ModelCheck(
        problem=f"{path.name} makes the language-model library crash: it is damaged or of a kind "
        "that this version does not know. Fetch the file again, or choose another one."
    )
