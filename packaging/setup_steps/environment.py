"""The virtual environment and what is installed in it, all at the versions of the lock files."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from setup_steps.commands import Command, run
from setup_steps.native_wheels import HNSWLIB, LLAMA, NativeWheel, WheelShelf, wanted_wheels
from setup_steps.places import Checkout
from setup_steps.processor import Processor
from setup_steps.terminal import SetupError, Terminal

_PIN = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;]+)")
_CONNECTION = (
    "Check the connection, then run the same command again; it continues where it stopped."
)


def read_pins(path: Path) -> dict[str, str]:
    """Package names (lower case, ``-``) and lines of a lock file."""
    pins = {}
    for line in path.read_text("utf-8").splitlines():
        match = _PIN.match(line)
        if match:
            pins[match.group(1).lower().replace("_", "-").replace(".", "-")] = line
    return pins


def pinned_version(line: str) -> str:
    """The version in a line of a lock file."""
    return line.partition(";")[0].partition("==")[2].strip()


class Environment:
    """Makes ``.venv`` and fills it; every method does only what is missing."""

    def __init__(self, checkout: Checkout, terminal: Terminal, *, offline: bool) -> None:
        self._checkout = checkout
        self._terminal = terminal
        self._offline = offline

    def make(self) -> None:
        """Make ``.venv`` unless it is there and works."""
        if self._checkout.python.exists() and self._python_works():
            return
        if importlib.util.find_spec("ensurepip") is None:
            version = f"{sys.version_info.major}.{sys.version_info.minor}"
            raise SetupError(
                "This Python cannot make virtual environments, because it has no ensurepip.",
                f"On Debian and Ubuntu run: apt-get install python{version}-venv",
            )
        # Half a folder from an interruption, or one whose Python is gone.
        shutil.rmtree(self._checkout.venv, ignore_errors=True)
        run(
            Command(
                "Making .venv",
                [sys.executable, "-m", "venv", str(self._checkout.venv)],
                self._checkout.logs / "venv.log",
                "Remove the folder .venv, then run the same command again.",
            ),
            self._terminal,
        )
        self._terminal.done("Virtual environment .venv made")

    def _python_works(self) -> bool:
        words = [str(self._checkout.python), "-c", "import sys, pip; print(sys.version_info[:2])"]
        try:
            answer = subprocess.run(words, capture_output=True, text=True, check=False, timeout=60)
        except (OSError, subprocess.TimeoutExpired):
            return False
        return answer.stdout.strip() == str(tuple(sys.version_info[:2]))

    def pins(self, extras: Iterable[str]) -> dict[str, str]:
        """All lines of the lock files of the product and ``extras``, by name."""
        lines: dict[str, str] = {}
        for extra in ("", *extras):
            lines.update(read_pins(self._checkout.lock_file(extra)))
        return lines

    def missing(self, pins: dict[str, str]) -> list[str]:
        """Pins that this environment does not have in that version, without markers' verdict."""
        installed = self._installed()
        return [
            name
            for name, line in pins.items()
            if installed.get(name) != pinned_version(line) and ";" not in line
        ]

    def _installed(self) -> dict[str, str]:
        found = {}
        for info in self._checkout.venv.glob("[Ll]ib*/**/site-packages/*.dist-info"):
            name, _, version = info.name.removesuffix(".dist-info").rpartition("-")
            # "+cpu" names a build of the same version.
            normal = re.sub(r"[-_.]+", "-", name).lower()
            found[normal] = version.partition("+")[0]
        return found

    def install(self, extras: Sequence[str]) -> None:
        """Install everything that comes as a wheel, at its pinned version."""
        pins = self.pins(extras)
        missing = [name for name in self.missing(pins) if name not in (LLAMA, HNSWLIB)]
        if self._offline:
            if missing:
                raise SetupError(
                    f"Offline, and these packages are missing: {', '.join(missing)}.",
                    "Run the same command once without --offline.",
                )
            return
        lines = [line for name, line in pins.items() if name not in (LLAMA, HNSWLIB)]
        with tempfile.TemporaryDirectory(dir=self._checkout.venv, prefix="pip-") as scratch:
            wanted = Path(scratch) / "wanted.txt"
            wanted.write_text("\n".join(lines) + "\n", "utf-8")
            run(
                Command(
                    f"Installing {len(missing)} packages" if missing else "Checking the packages",
                    [*self._pip(), "--no-deps", "--requirement", str(wanted)],
                    self._checkout.logs / "packages.log",
                    _CONNECTION,
                    environment={"TMPDIR": scratch, "TEMP": scratch, "TMP": scratch},
                    watched=Path(scratch),
                ),
                self._terminal,
            )
        self._terminal.done(f"{len(lines)} packages at their pinned versions")

    def install_native(self, processor: Processor) -> NativeWheel:
        """Compile or take from the shelf, and install; returns the language model library."""
        shelf = WheelShelf(self._checkout, self._terminal)
        wheels = self.native_wheels(processor)
        absent = [wheel for wheel in wheels if shelf.find(wheel) is None]
        if absent and self._offline:
            raise SetupError(
                f"Offline, and not yet compiled: {', '.join(wheel.name for wheel in absent)}.",
                "Run the same command once without --offline.",
            )
        files = [str(shelf.build(wheel)) for wheel in wheels]
        run(
            Command(
                "Installing the compiled libraries",
                [*self._pip(), "--no-deps", "--no-index", "--force-reinstall", *files],
                self._checkout.logs / "native.log",
                f"Remove {self._checkout.wheels}, then run the same command again.",
            ),
            self._terminal,
        )
        return wheels[0]

    def native_wheels(self, processor: Processor) -> list[NativeWheel]:
        """The builds that this processor needs, the language model library first."""
        versions = {
            name: pinned_version(line)
            for name, line in read_pins(self._checkout.lock_file("")).items()
        }
        return wanted_wheels(versions, processor)

    def install_project(self) -> None:
        """Install the product itself, from the checkout, editable."""
        offline = ("--no-deps", "--no-index", "--no-build-isolation")
        run(
            Command(
                "Installing PhaserGun",
                [*self._pip(), *offline, "--editable", str(self._checkout.root)],
                self._checkout.logs / "project.log",
                "Remove the folder .venv, then run the same command again.",
            ),
            self._terminal,
        )

    def _pip(self) -> list[str]:
        words = [str(self._checkout.python), "-m", "pip", "install", "--no-input"]
        return [*words, "--disable-pip-version-check", "--progress-bar=off"]
