"""Finds the program that reading may start, tesseract, and asks it what it can do."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

_ASK_SECONDS = 20.0


def find_tesseract(tesseract: str = "") -> str:
    """Return the absolute path of tesseract, looked for anew at each call (a few milliseconds);
    empty where there is none.

    ``tesseract`` is a path that the user has set; where there is no program, the usual places
    are searched all the same.
    """
    found = shutil.which(tesseract) if tesseract else None
    found = found or shutil.which("tesseract")
    if found is None:
        # A program started from the desktop does not get the PATH of the shell.
        places = os.pathsep.join(str(each) for each in _usual_places())
        found = shutil.which("tesseract", path=places)
    return str(Path(found).resolve()) if found else ""


def installed_languages(tesseract: str) -> tuple[str, ...]:
    """Return tesseract's names of the languages it can recognise, sorted; empty without it."""
    if not tesseract:
        return ()
    try:
        done = subprocess.run(
            [tesseract, "--list-langs"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            timeout=_ASK_SECONDS,
            check=False,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, subprocess.TimeoutExpired):
        return ()
    # Version 3 wrote the list to stderr. The first line is a heading; "osd" and "equ" recognise
    # the direction of a page and formulas, not a language.
    said = (done.stdout or done.stderr).decode("utf-8", "replace").splitlines()
    names = {line.strip() for line in said if line.strip() and " " not in line.strip()}
    return tuple(sorted(names - {"osd", "equ", "snum"}))


def _usual_places() -> tuple[Path, ...]:
    if sys.platform == "win32":
        names = ("ProgramFiles", "ProgramW6432", "ProgramFiles(x86)", "LOCALAPPDATA")
        bases = [Path(os.environ[name]) for name in names if os.environ.get(name)]
        return tuple(base / each / "Tesseract-OCR" for base in bases for each in (".", "Programs"))
    if sys.platform == "darwin":
        return (Path("/opt/homebrew/bin"), Path("/usr/local/bin"), Path("/opt/local/bin"))
    return (Path("/usr/bin"), Path("/usr/local/bin"))
