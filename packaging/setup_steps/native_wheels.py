"""The two libraries that come as source: compiled once for this processor, kept, and proven.

pip's own cache does not look at compiler flags and would hand out a wheel built with others, so
the wheels lie in a folder of their own, one for every version, Python and set of flags.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import sysconfig
import tarfile
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from setup_steps import processor as cpu
from setup_steps.commands import Command, run
from setup_steps.places import Checkout
from setup_steps.terminal import SetupError, Terminal, duration

LLAMA = "llama-cpp-python"
HNSWLIB = "hnswlib"
_COMPILER_REMEDY = {
    "linux": "Install a C++ compiler (on Debian and Ubuntu: apt-get install g++), then run the "
    "same command again.",
    "darwin": "Run “xcode-select --install”, then the same command again.",
    "win32": "Install “Visual Studio Build Tools” with the C++ workload, then run the same "
    "command again.",
}


@dataclass(frozen=True)
class NativeWheel:
    """One library to compile: its pinned version and the flags that make the build."""

    name: str
    version: str
    flags: tuple[str, ...]
    environment: Mapping[str, str] = field(default_factory=dict)

    @property
    def key(self) -> str:
        """Name of the folder that holds this build and no other."""
        tag = f"cp{sys.version_info.major}{sys.version_info.minor}"
        platform = sysconfig.get_platform().replace("-", "_").replace(".", "_")
        digest = hashlib.sha256("\n".join(self.flags).encode()).hexdigest()[:12]
        return f"{self.name}-{self.version}-{tag}-{platform}-{digest}"


def wanted_wheels(versions: Mapping[str, str], processor: cpu.Processor) -> list[NativeWheel]:
    """The builds that this processor needs; ``versions`` come from the lock file."""
    llama, hnswlib = cpu.llama_flags(processor), cpu.hnswlib_flags(processor)
    jobs = {"CMAKE_BUILD_PARALLEL_LEVEL": str(os.cpu_count() or 1)}
    compile_flags = " ".join(hnswlib)
    names = ["CL"] if processor.system == "win32" else ["CFLAGS", "CXXFLAGS"]
    return [
        NativeWheel(
            LLAMA,
            versions[LLAMA],
            llama,
            {**jobs, "CMAKE_ARGS": " ".join(llama), "FORCE_CMAKE": "1"},
        ),
        NativeWheel(
            HNSWLIB,
            versions[HNSWLIB],
            hnswlib,
            {"HNSWLIB_NO_NATIVE": "1", **dict.fromkeys(names, compile_flags)},
        ),
    ]


class WheelShelf:
    """The folder of kept wheels."""

    def __init__(self, checkout: Checkout, terminal: Terminal) -> None:
        self._checkout = checkout
        self._terminal = terminal

    def find(self, wheel: NativeWheel) -> Path | None:
        """The kept wheel of this build, or None."""
        found = sorted((self._checkout.wheels / wheel.key).glob("*.whl"))
        return found[0] if found else None

    def build(self, wheel: NativeWheel) -> Path:
        """Return the kept wheel, compiling it first if need be. Raises ``SetupError``."""
        kept = self.find(wheel)
        if kept is not None:
            return kept
        if not _has_compiler():
            raise SetupError(
                f"{wheel.name} has to be compiled and there is no C++ compiler.", _remedy()
            )
        folder = self._checkout.wheels / wheel.key
        work = self._checkout.wheels / f".building-{wheel.key}"
        work.mkdir(parents=True, exist_ok=True)
        started = time.monotonic()
        source = self._source(wheel, work)
        fresh = work / "wheel"
        shutil.rmtree(fresh, ignore_errors=True)
        self._compile(wheel, source, work, fresh)
        built = sorted(fresh.glob("*.whl"))
        if len(built) != 1:
            raise SetupError(f"The build of {wheel.name} gave no wheel.", _remedy())
        note = {"flags": wheel.flags, "seconds": round(time.monotonic() - started)}
        (fresh / "build.json").write_text(json.dumps(note, indent=1), "utf-8")
        # The folder appears whole or not at all.
        shutil.rmtree(folder, ignore_errors=True)
        fresh.replace(folder)
        shutil.rmtree(work, ignore_errors=True)
        self._terminal.done(
            f"{wheel.name} {wheel.version} compiled in {duration(time.monotonic() - started)}"
        )
        return next(folder.glob("*.whl"))

    def _source(self, wheel: NativeWheel, work: Path) -> Path:
        """The unpacked source, at a place that stays, so that a build can be continued."""
        source = work / "source"
        if source.is_dir():
            return source
        archive = sorted(work.glob("*.tar.gz"))
        words = _pip(self._checkout, "download", "--no-deps", "--no-cache-dir")
        words.append(f"--no-binary={wheel.name}")
        if not archive:
            with tempfile.TemporaryDirectory(dir=work) as scratch:
                run(
                    Command(
                        f"Downloading the source of {wheel.name}",
                        [*words, "--dest", str(work), f"{wheel.name}=={wheel.version}"],
                        self._log(wheel, "source"),
                        "Check the connection, then run the same command again.",
                        environment={"TMPDIR": scratch, "TEMP": scratch, "TMP": scratch},
                        watched=work,
                    ),
                    self._terminal,
                )
            archive = sorted(work.glob("*.tar.gz"))
        unpacked = work / "unpacked"
        shutil.rmtree(unpacked, ignore_errors=True)
        try:
            with tarfile.open(archive[0]) as content:
                # Debian 12's Python is a patch too old for the filter.
                if hasattr(tarfile, "data_filter"):
                    content.extraction_filter = tarfile.data_filter
                content.extractall(unpacked)  # noqa: S202 - a pinned package of the lock file
        except (tarfile.TarError, EOFError, IndexError) as error:
            shutil.rmtree(work, ignore_errors=True)
            raise SetupError(
                f"The source of {wheel.name} was damaged on its way.",
                "Run the same command again.",
            ) from error
        next(unpacked.iterdir()).replace(source)
        return source

    def _compile(self, wheel: NativeWheel, source: Path, work: Path, target: Path) -> None:
        words = _pip(self._checkout, "wheel", "--no-deps", "--no-cache-dir")
        if wheel.name == LLAMA:
            # An interrupted compile goes on with the objects that are already there.
            words.append(f"--config-settings=build-dir={work / 'objects'}")
        run(
            Command(
                f"Compiling {wheel.name} {wheel.version} (some minutes, once)",
                [*words, "--wheel-dir", str(target), str(source)],
                self._log(wheel, "build"),
                _remedy(),
                environment=wheel.environment,
            ),
            self._terminal,
        )

    def _log(self, wheel: NativeWheel, what: str) -> Path:
        return self._checkout.logs / f"{wheel.key}-{what}.log"


def _pip(checkout: Checkout, *words: str) -> list[str]:
    return [str(checkout.python), "-m", "pip", *words, "--disable-pip-version-check", "--no-input"]


def _has_compiler() -> bool:
    # Windows' compiler is found by the build itself, never on the path.
    return sys.platform == "win32" or any(map(shutil.which, ("c++", "g++", "clang++")))


def _remedy() -> str:
    return _COMPILER_REMEDY.get(sys.platform, _COMPILER_REMEDY["linux"])


def prove(checkout: Checkout, wheel: NativeWheel, model: Path, terminal: Terminal) -> None:
    """Generate one token in a child process; raises ``SetupError`` if that fails.

    A library with an instruction that this machine does not permit ends its process by a signal,
    which nothing inside that process could report.
    """
    words = [str(checkout.python), "-m", "setup_steps.prove_model", str(model)]
    terminal.progress("Generating one token to prove the language model library")
    limits = [limit for limit in cpu.LIMITS if limit != "auto"]
    try:
        result = subprocess.run(
            words,
            cwd=checkout.packaging,
            capture_output=True,
            text=True,
            check=False,
            timeout=180,
            stdin=subprocess.DEVNULL,
        )
    except subprocess.TimeoutExpired as error:
        raise SetupError(
            "The language model library gave no token within three minutes.",
            "Close other programs, then run the same command again.",
        ) from error
    if result.returncode == 0 and result.stdout.startswith("proven"):
        terminal.done(f"Language model library proven: {result.stdout.strip()}")
        return
    ended = _how_it_ended(result.returncode, result.stderr)
    raise SetupError(
        f"The language model library does not work on this processor: {ended}.",
        f"Run the same command with --processor {limits[0]} (or {limits[1]}), which builds it with "
        f"fewer instructions; the present build is in {checkout.wheels / wheel.key}.",
    )


def _how_it_ended(code: int, errors: str) -> str:
    if code < 0:
        with suppress(ValueError):
            return f"the test ended by {signal.Signals(-code).name}"
    lines: Sequence[str] = [line for line in errors.splitlines() if line.strip()]
    return f"the test said “{lines[-1].strip()[:160]}”" if lines else f"the test ended with {code}"
