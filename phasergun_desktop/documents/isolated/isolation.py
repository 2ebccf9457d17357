"""Takes rights away from the process that reads documents.

Linux: an address space limit, no core file, an own empty network namespace where the kernel
allows it. macOS: the limits that its kernel honours (not the address space). Windows: no
limit of memory. Everywhere: an audit hook refuses sockets, new processes and dynamic code of
a document; it guards against our own libraries fetching something, not against a native
exploit, for which the process boundary and the namespace are there.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Mapping

DEFAULT_MEMORY_BYTES = 3 * 1024**3
_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_REFUSED = (
    "socket.",
    "subprocess.",
    "os.system",
    "os.exec",
    "os.fork",
    "os.posix_spawn",
    "os.spawn",
    "os.startfile",
    "webbrowser.",
    "urllib.",
    "ftplib.",
    "http.",
    "smtplib.",
)


def isolate(memory_bytes: int = DEFAULT_MEMORY_BYTES) -> Mapping[str, bool]:
    """Restrict this process for good; return what took effect (memory, network, audit)."""
    limited = _limit_memory(memory_bytes)
    cut_off = _leave_network()
    sys.addaudithook(_refuse)
    return {"memory": limited, "network": cut_off, "audit": True}


def _refuse(event: str, arguments: tuple[object, ...]) -> None:
    if event.startswith(_REFUSED):
        raise PermissionError(f"{event} is not allowed while reading documents")


def _limit_memory(memory_bytes: int) -> bool:
    if sys.platform == "win32":
        return False
    import resource  # noqa: PLC0415

    limited = sys.platform == "linux"
    try:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        limit = memory_bytes if hard == resource.RLIM_INFINITY else min(memory_bytes, hard)
        resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    except (ValueError, OSError):
        return False
    return limited


def _leave_network() -> bool:
    """Move to a network namespace without interfaces; False where the kernel refuses."""
    if sys.platform != "linux":
        return False
    try:
        unshare = ctypes.CDLL(None, use_errno=True).unshare
    except (OSError, AttributeError):
        return False
    # As root without a user namespace, else with one.
    return any(unshare(flags) == 0 for flags in (_CLONE_NEWNET, _CLONE_NEWUSER | _CLONE_NEWNET))
