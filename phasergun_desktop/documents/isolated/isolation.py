"""Takes rights away from the process that reads documents, and from the programs it starts.

Everywhere an audit hook refuses sockets and every program except the one that reading needs
(tesseract). It guards against our own libraries fetching or starting something, not
against a native exploit; for that there are the process boundary and what the system offers:

- Linux (tried, also without root): limits of memory, file size and core files; namespaces where
  the kernel allows them: a network without interfaces, and one for processes, so that what was
  started ends with this process in whatever way that ends; no new privileges; Landlock: nothing
  can be written but the scratch folder; a system call filter: no socket but
  a local one, no looking into other processes.
- Windows (not tried): a job object that limits the memory of each process and ends the programs
  that were started together with this process. Files and network are not restricted.
- macOS (not tried): no core files and a limit of file size; its kernel does not honour the limit
  of memory. Files and network are not restricted.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from phasergun_desktop.documents.isolated import linux_limits, windows_job

DEFAULT_MEMORY_BYTES = 3 * 1024**3
MAX_WRITTEN_BYTES = 2 * 1024**3
_STARTS_A_PROGRAM = ("subprocess.Popen", "os.posix_spawn", "_winapi.CreateProcess")
_REFUSED = (
    "socket.",
    "subprocess.",
    "_winapi.CreateProcess",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "pty.spawn",
    "webbrowser.",
    "urllib.",
    "ftplib.",
    "http.",
    "smtplib.",
)


def separate() -> set[str]:
    """Begin a life apart, where the system offers one; return what took effect.

    ``network``: none can be reached; ``processes``: what was started ends with us. On Linux this
    returns in another process (see ``linux_limits.enter_namespaces``): call it first of all.
    """
    if sys.platform != "linux":
        return set()
    linux_limits.be_killed_first()
    return {"network", "processes"} if linux_limits.enter_namespaces() else set()


def isolate(
    memory_bytes: int = DEFAULT_MEMORY_BYTES,
    *,
    programs: Sequence[str] = (),
    writable: Sequence[Path] = (),
) -> set[str]:
    """Restrict this process for good; return what took effect.

    ``memory``: it is limited; ``files``: none can be written but where it is allowed; ``calls``:
    dangerous system calls are refused; ``network`` and ``processes`` as of ``separate``.
    ``programs`` are the absolute paths that may be started, ``writable`` the folders that may be
    written. Call it on the main thread before another is started: some of the limits are a
    thread's and its descendants'.
    """
    effects: set[str] = set()
    if sys.platform == "win32":
        effects |= {"memory", "processes"} if windows_job.enter_job(memory_bytes) else set()
    else:
        effects |= {"memory"} if _limit_resources(memory_bytes) else set()
    if sys.platform == "linux":
        linux_limits.gain_no_privileges()
        effects |= {"files"} if linux_limits.write_only_below(writable) else set()
        effects |= {"calls", "network"} if linux_limits.filter_calls() else set()
    sys.addaudithook(_Allowed(programs).check)
    return effects


class _Allowed:
    """The programs that may be started."""

    def __init__(self, programs: Sequence[str]) -> None:
        self._programs = frozenset(each for each in programs if each)
        # On Windows a command is one line by the time that it is seen.
        self._lines = tuple(subprocess.list2cmdline([each]) for each in sorted(self._programs))

    def check(self, event: str, arguments: tuple[object, ...]) -> None:
        """The audit hook: raise PermissionError for what is not allowed."""
        if not event.startswith(_REFUSED):
            return
        if event in _STARTS_A_PROGRAM and len(arguments) > 1 and self._is_known(*arguments[:2]):
            return
        raise PermissionError(f"{event} is not allowed while reading documents")

    def _is_known(self, program: object, words: object) -> bool:
        if isinstance(program, bytes):
            program = program.decode("utf-8", "surrogateescape")
        if program is not None:
            return program in self._programs
        return isinstance(words, str) and any(
            words == line or words.startswith(line + " ") for line in self._lines
        )


def _limit_resources(memory_bytes: int) -> bool:
    if sys.platform == "win32":
        return False
    import resource  # noqa: PLC0415

    # Not 0: that would still hand a dump to a program that collects dumps; of 1 byte Linux makes
    # none at all.
    core = 1 if sys.platform == "linux" else 0
    limits = (
        (resource.RLIMIT_CORE, core),
        (resource.RLIMIT_FSIZE, MAX_WRITTEN_BYTES),
        (resource.RLIMIT_AS, memory_bytes),
    )
    try:
        for kind, wanted in limits:
            _, hard = resource.getrlimit(kind)
            limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
            resource.setrlimit(kind, (limit, limit))
    except (ValueError, OSError):
        return False
    return sys.platform == "linux"
