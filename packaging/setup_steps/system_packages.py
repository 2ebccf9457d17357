"""What has to come from the operating system: Qt's libraries, programs, a compiler, a font."""

from __future__ import annotations

import ctypes
import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from setup_steps.commands import Command, run
from setup_steps.places import Checkout
from setup_steps.terminal import SetupError, Terminal

# A library that Qt loads and the Debian package that has it.
QT_LIBRARIES = {
    "libEGL.so.1": "libegl1",
    "libGL.so.1": "libgl1",
    "libX11-xcb.so.1": "libx11-xcb1",
    "libdbus-1.so.3": "libdbus-1-3",
    "libfontconfig.so.1": "libfontconfig1",
    "libglib-2.0.so.0": "libglib2.0-0",
    "libxcb-cursor.so.0": "libxcb-cursor0",
    "libxcb-icccm.so.4": "libxcb-icccm4",
    "libxcb-image.so.0": "libxcb-image0",
    "libxcb-keysyms.so.1": "libxcb-keysyms1",
    "libxcb-randr.so.0": "libxcb-randr0",
    "libxcb-render-util.so.0": "libxcb-render-util0",
    "libxcb-shape.so.0": "libxcb-shape0",
    "libxcb-xinerama.so.0": "libxcb-xinerama0",
    "libxcb-xkb.so.1": "libxcb-xkb1",
    "libxkbcommon-x11.so.0": "libxkbcommon-x11-0",
    "libxkbcommon.so.0": "libxkbcommon0",
}
# llama.cpp's threads.
RUNTIME_LIBRARIES = {"libgomp.so.1": "libgomp1"}
PROGRAMS = {"tesseract": "tesseract-ocr", "g++": "g++"}
TEST_PROGRAMS = {
    # Leads all addresses of a network namespace to a device that counts.
    "ip": "iproute2",
}
FONT_FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts", "~/.fonts", "~/.local/share/fonts")
FONT_PACKAGE = "fonts-dejavu-core"


@dataclass(frozen=True)
class Missing:
    """Debian packages that are missing; the first kind stops a window, the others do not."""

    qt: tuple[str, ...] = ()
    others: tuple[str, ...] = ()

    @property
    def all(self) -> tuple[str, ...]:
        """Both kinds."""
        return (*self.qt, *self.others)


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _has_fonts() -> bool:
    for name in FONT_FOLDERS:
        folder = Path(name).expanduser()
        if folder.is_dir() and any(folder.rglob("*.[to]tf")):
            return True
    return False


def missing_packages(
    for_tests: bool = False,
    loads: Callable[[str], bool] = _loads,
    finds: Callable[[str], str | None] = shutil.which,
    has_fonts: Callable[[], bool] = _has_fonts,
) -> Missing:
    """What Linux lacks; asked of the machine itself, so it holds on every distribution."""
    qt = [package for library, package in QT_LIBRARIES.items() if not loads(library)]
    others = [package for library, package in RUNTIME_LIBRARIES.items() if not loads(library)]
    others += [package for program, package in PROGRAMS.items() if not finds(program)]
    if for_tests:
        others += [package for program, package in TEST_PROGRAMS.items() if not finds(program)]
    if not has_fonts():
        others.append(FONT_PACKAGE)
    return Missing(tuple(qt), tuple(others))


def provide(
    checkout: Checkout,
    terminal: Terminal,
    *,
    offline: bool,
    needs_qt: bool,
    for_tests: bool = False,
) -> None:
    """Install what is missing where that is allowed, else print the exact command.

    Raises ``SetupError`` only for what the work cannot do without (``needs_qt``).
    """
    if sys.platform != "linux":
        if shutil.which("tesseract") is None:
            terminal.warn("tesseract is not installed: scanned pages cannot be read.")
        return
    missing = missing_packages(for_tests)
    if not missing.all:
        return
    command = "apt-get install -y --no-install-recommends " + " ".join(missing.all)
    has_apt = shutil.which("apt-get") is not None
    if has_apt and os.geteuid() == 0 and not offline:
        _install(checkout, terminal, missing.all)
        missing = missing_packages(for_tests)
        if not missing.all:
            terminal.done("System packages installed")
            return
    advice = (
        f"Run: {'' if os.geteuid() == 0 else 'sudo '}{command}"
        if has_apt
        else f"Install what your system calls: {' '.join(missing.all)}"
    )
    if missing.qt and needs_qt:
        raise SetupError(f"Libraries for the window are missing: {' '.join(missing.qt)}.", advice)
    terminal.warn(f"Missing system packages: {' '.join(missing.all)}.")
    terminal.warn(advice)


def _install(checkout: Checkout, terminal: Terminal, packages: tuple[str, ...]) -> None:
    remedy = "Check the connection and the package sources, then run the same command again."
    quiet = {"DEBIAN_FRONTEND": "noninteractive"}
    steps = (
        ("Reading the package lists", ["apt-get", "update"]),
        (
            "Installing system packages",
            ["apt-get", "install", "-y", "--no-install-recommends", *packages],
        ),
    )
    for title, words in steps:
        log = checkout.logs / f"apt-{words[1]}.log"
        run(Command(title, words, log, remedy, environment=quiet), terminal)
