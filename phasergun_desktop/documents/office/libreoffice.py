"""Converts old Office files with LibreOffice, and keeps what it made by content hash."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import tempfile
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.document_reader import ReadingTools
from phasergun_desktop.documents.zip_package import ZipPackage
from phasergun_desktop.errors import DocumentError, StorageError
from phasergun_desktop.storage.atomic_files import write_atomically

MAX_CONVERTED_BYTES = 256 * 1024 * 1024
MAX_KEPT_BYTES = 1024 * 1024 * 1024
_BASE_SECONDS = 45.0
_SECONDS_PER_MB = 0.7
_VERSION_FILES = ("versionrc", "version.ini")
# No macro runs, no link is followed or updated, nothing asks or reports.
_SETTINGS = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry"
 xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">
{}</oor:items>
"""
_ITEM = (
    '<item oor:path="/org.openoffice.{path}"><prop oor:name="{name}" oor:op="fuse">'
    "<value>{value}</value></prop></item>\n"
)
_VALUES = (
    ("Office.Common/Security/Scripting", "MacroSecurityLevel", "3"),
    ("Office.Common/Security/Scripting", "DisableMacrosExecution", "true"),
    ("Office.Common/Security/Scripting", "DisableActiveContent", "true"),
    ("Office.Common/Security/Scripting", "BlockUntrustedRefererLinks", "true"),
    ("Office.Writer/Content/Update", "Link", "2"),
    ("Office.Common/Save/Document", "WarnAlienFormat", "false"),
    ("Office.Common/Misc", "CrashReport", "false"),
    ("Office.Common/Misc", "FirstRun", "false"),
    ("Office.Common/Java", "Enable", "false"),
    ("Setup/Office", "ooSetupInstCompleted", "true"),
)


@dataclass(frozen=True, slots=True)
class Converted:
    """A converted file and the name and version of the program that made it."""

    data: bytes
    made_by: str


def convert(data: bytes, source: str, target: str, tools: ReadingTools) -> Converted | None:
    """Convert a file of type ``source`` (``doc``) to ``target`` (``docx`` or ``pptx``).

    None where LibreOffice does not manage to, in about 45 s plus 0.7 s per megabyte. What it
    made is kept in ``tools.conversions`` where that is not empty.
    """
    kept = _kept_path(data, target, tools)
    if kept is not None:
        with suppress(OSError):
            return _labelled(kept.read_bytes())
    made = _run(data, source, target, tools)
    if made is None:
        return None
    if kept is not None:
        with suppress(StorageError):
            write_atomically(kept, made)
        _trim(kept.parent)
    return _labelled(made)


def _kept_path(data: bytes, target: str, tools: ReadingTools) -> Path | None:
    if not tools.conversions:
        return None
    digest = hashlib.sha256(data)
    digest.update(f"\0{target}\0{_program_stamp(Path(tools.soffice))}".encode())
    return Path(tools.conversions) / f"{digest.hexdigest()}.{target}"


def _program_stamp(program: Path) -> str:
    """Return what changes when the program is replaced by another version."""
    stamps: list[str] = []
    resolved = program.resolve()
    for path in (resolved, *(resolved.parent / name for name in _VERSION_FILES)):
        with suppress(OSError):
            status = path.stat()
            stamps.append(f"{path.name} {status.st_size} {status.st_mtime_ns}")
    return "\n".join(stamps)


def _labelled(data: bytes) -> Converted | None:
    """Name the program as it has signed the file; None where the file is not whole."""
    try:
        root = ZipPackage(data, "Office").optional("docProps/app.xml")
    except DocumentError:
        return None
    made_by = ""
    for element in root if root is not None else ():
        if element.tag.endswith("}Application"):
            made_by = (element.text or "").partition("$")[0].replace("/", " ").strip()
    return Converted(data, made_by if made_by.startswith("LibreOffice") else "LibreOffice")


def _run(data: bytes, source: str, target: str, tools: ReadingTools) -> bytes | None:
    with tempfile.TemporaryDirectory(prefix="convert-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        settings = folder / "profile" / "user" / "registrymodifications.xcu"
        settings.parent.mkdir(parents=True)
        items = (_ITEM.format(path=path, name=key, value=value) for path, key, value in _VALUES)
        settings.write_text(_SETTINGS.format("".join(items)), encoding="utf-8")
        given = folder / f"document.{source}"
        given.write_bytes(data)
        made = folder / "made" / f"document.{target}"
        made.parent.mkdir()
        command = [
            tools.soffice,
            f"-env:UserInstallation={(folder / 'profile').as_uri()}",
            "--headless",
            "--norestore",
            "--nologo",
            "--nodefault",
            "--nofirststartwizard",
            "--nolockcheck",
            "--convert-to",
            target,
            "--outdir",
            str(made.parent),
            str(given),
        ]
        seconds = _BASE_SECONDS + _SECONDS_PER_MB * len(data) / 1_048_576
        if not _finished(command, _environment(folder), seconds):
            return None
        try:
            if not 0 < made.stat().st_size <= MAX_CONVERTED_BYTES:
                return None
            return made.read_bytes()
        except OSError:
            return None


def _environment(folder: Path) -> dict[str, str]:
    """Return an environment in which the program leaves nothing in the user's own folders."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith("PYTHON")}
    environment.update(
        HOME=str(folder),
        TMPDIR=str(folder),
        TEMP=str(folder),
        TMP=str(folder),
        XDG_CONFIG_HOME=str(folder),
        XDG_CACHE_HOME=str(folder),
        XDG_RUNTIME_DIR=str(folder),
        SAL_USE_VCLPLUGIN="svp",
    )
    if sys.platform == "win32":
        # There the program draws by itself, and asks for its folders by other means.
        del environment["SAL_USE_VCLPLUGIN"]
    return environment


def _finished(command: list[str], environment: dict[str, str], seconds: float) -> bool:
    """Run ``command``; False where it cannot be started, fails or has to be ended."""
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            env=environment,
            # It starts processes of its own, which have to be ended with it.
            start_new_session=True,
            creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0),
        )
    except (OSError, ValueError):
        return False
    try:
        return process.wait(timeout=seconds) == 0
    except subprocess.TimeoutExpired:
        return False
    finally:
        _end(process)


def _end(process: subprocess.Popen[bytes]) -> None:
    """End what is left of the program and of the processes that it started."""
    if sys.platform == "win32":
        # What it started is ended with this process, by the job that both are in.
        if process.poll() is None:
            process.kill()
    else:
        with suppress(ProcessLookupError, PermissionError):
            os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def _trim(folder: Path) -> None:
    """Remove the conversions that were made first until the rest is within the limit."""
    with suppress(OSError):
        files = [(path.stat(), path) for path in folder.iterdir() if path.is_file()]
        size = sum(status.st_size for status, _ in files)
        for status, path in sorted(files, key=lambda item: item[0].st_mtime_ns):
            if size <= MAX_KEPT_BYTES:
                return
            path.unlink(missing_ok=True)
            size -= status.st_size
