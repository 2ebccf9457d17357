"""What Linux can take away from a process: network, privileges, writing, system calls.

Each function says whether it took effect; an old kernel or a container may refuse any of them.
The rights are gone for this thread, the threads it starts, and every program started from here.
"""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import struct
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

_CLONE_NEWNET = 0x40000000
_CLONE_NEWUSER = 0x10000000
_CLONE_NEWPID = 0x20000000
_PR_SET_PDEATHSIG = 1
_PR_SET_NO_NEW_PRIVS = 38
_PR_SET_SECCOMP = 22
_SECCOMP_MODE_FILTER = 2

# Landlock's system calls have these numbers on every architecture.
_LANDLOCK_CREATE, _LANDLOCK_ADD_RULE, _LANDLOCK_RESTRICT = 444, 445, 446
_RULE_PATH_BENEATH = 1
_WRITE_FILE, _TRUNCATE = 1 << 1, 1 << 14
# Removing (4, 5), making (6 to 12): what a folder can have done in it.
_CHANGE_FOLDER = sum(1 << bit for bit in range(4, 13))
_REFER = 1 << 13
_NO_CONNECTING = 0b11  # of a TCP socket, and binding one
_NO_SIGNALS = 0b11  # to processes outside, and no connecting to their abstract sockets

# The architecture as the kernel names it, and the numbers of system calls on it.
_SOCKET = "socket"
_CALLS: dict[str, tuple[int, dict[str, int]]] = {
    "x86_64": (
        0xC000003E,
        {
            _SOCKET: 41,
            "ptrace": 101,
            "add_key": 248,
            "keyctl": 250,
            "perf_event_open": 298,
            "process_vm_readv": 310,
            "process_vm_writev": 311,
            "bpf": 321,
            "userfaultfd": 323,
            "io_uring_setup": 425,
        },
    ),
    "aarch64": (
        0xC00000B7,
        {
            _SOCKET: 198,
            "ptrace": 117,
            "add_key": 217,
            "keyctl": 219,
            "perf_event_open": 241,
            "process_vm_readv": 270,
            "process_vm_writev": 271,
            "bpf": 280,
            "userfaultfd": 282,
            "io_uring_setup": 425,
        },
    ),
}
_X32_BIT = 0x40000000  # calls of another convention of x86_64
_AF_UNIX = 1
_ALLOW, _REFUSE = 0x7FFF0000, 0x00050000 | 13  # with EACCES
_LOAD, _IF_EQUAL, _IF_AT_LEAST, _RETURN = 0x20, 0x15, 0x35, 0x06


def be_killed_first() -> None:
    """Where the machine runs out of memory this process ends, not the window."""
    with suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("600", "ascii")


def enter_namespaces() -> bool:
    """Move to a network without interfaces and to a space of processes of its own.

    Returns whether that took effect. Where it did, it returns in a new process, the first of
    its space: when that ends, in whatever way, the kernel kills all that was started
    from it, also what has left its group. The old process waits for it and ends with it. To be
    called while the process is small and has one thread.
    """
    libc = _libc()
    if libc is None:
        return False
    both = _CLONE_NEWNET | _CLONE_NEWPID
    # As root without a user namespace.
    if libc.unshare(both) != 0:
        user, group = os.getuid(), os.getgid()
        if libc.unshare(_CLONE_NEWUSER | both) != 0:
            return False
        # Who has no name in the new namespace cannot make files.
        with suppress(OSError):
            Path("/proc/self/setgroups").write_text("deny", "ascii")
            Path("/proc/self/gid_map").write_text(f"{group} {group} 1", "ascii")
            Path("/proc/self/uid_map").write_text(f"{user} {user} 1", "ascii")
        # The namespace came with every capability in it; none is needed.
        libc.capset(struct.pack("Ii", 0x20080522, 0), bytes(24))
    first = os.fork()
    if first == 0:
        libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, None, 0, 0)
        return True
    # Asked to end, this one ends the other, so that somebody is there to bury it.
    signal.signal(signal.SIGTERM, lambda *_: os.kill(first, signal.SIGKILL))
    # The pipes are the other's alone: the parent must see when that one closes them.
    os.closerange(0, 3)
    _, status = os.waitpid(first, 0)
    os._exit(min(255, abs(os.waitstatus_to_exitcode(status))))


def gain_no_privileges() -> bool:
    """No program started from here gets more rights than this process has."""
    libc = _libc()
    return libc is not None and libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, None, 0, 0) == 0


def write_only_below(folders: Sequence[Path]) -> bool:
    """Allow writing below ``folders`` alone (Landlock, Linux 5.13); reading stays as it is."""
    libc = _libc()
    if libc is None:
        return False
    version = _call(libc, _LANDLOCK_CREATE, None, 0, 1)
    if version < 1:
        return False
    of_files = _WRITE_FILE | (_TRUNCATE if version >= 3 else 0)
    handled = of_files | _CHANGE_FOLDER | (_REFER if version >= 2 else 0)
    attributes = struct.pack("Q", handled)
    if version >= 4:
        attributes += struct.pack("Q", _NO_CONNECTING)
    if version >= 6:
        attributes += struct.pack("Q", _NO_SIGNALS)
    rules = _call(libc, _LANDLOCK_CREATE, attributes, len(attributes), 0)
    if rules < 0:
        return False
    try:
        for folder in folders:
            _allow(libc, rules, folder, handled)
        for device in ("/dev/null", "/dev/zero"):
            _allow(libc, rules, Path(device), of_files)
        return _call(libc, _LANDLOCK_RESTRICT, rules, 0) == 0
    finally:
        os.close(rules)


def filter_calls() -> bool:
    """Refuse sockets of a network and looking into other processes (a seccomp filter)."""
    libc = _libc()
    machine, calls = _CALLS.get(platform.machine(), (0, {}))
    if libc is None or not calls or sys.maxsize < 1 << 32:
        return False
    others = [number for name, number in calls.items() if name != _SOCKET]
    last = len(others)
    # (code, jump if true, jump if false, value); jumps count from the next instruction.
    program = [
        (_LOAD, 0, 0, 4),  # the architecture
        (_IF_EQUAL, 0, last + 4, machine),
        (_LOAD, 0, 0, 0),  # the number of the call
        (_IF_AT_LEAST, last + 2, 0, _X32_BIT),
        (_IF_EQUAL, last + 2, 0, calls[_SOCKET]),
        *((_IF_EQUAL, last - index, 0, each) for index, each in enumerate(others)),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
        (_LOAD, 0, 0, 16),  # the first argument of socket: its family
        (_IF_EQUAL, 0, 1, _AF_UNIX),
        (_RETURN, 0, 0, _ALLOW),
        (_RETURN, 0, 0, _REFUSE),
    ]
    code = ctypes.create_string_buffer(b"".join(struct.pack("HBBI", *each) for each in program))
    whole = struct.pack("HxxxxxxP", len(program), ctypes.addressof(code))
    return bool(libc.prctl(_PR_SET_SECCOMP, _SECCOMP_MODE_FILTER, whole, 0, 0) == 0)


def _allow(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there cannot be written
    try:
        rule = struct.pack("=Qi", rights, handle)
        _call(libc, _LANDLOCK_ADD_RULE, rules, _RULE_PATH_BENEATH, rule, 0)
    finally:
        os.close(handle)


def _call(libc: ctypes.CDLL, number: int, *arguments: bytes | int | None) -> int:
    whole = [ctypes.c_long(each) if isinstance(each, int) else each for each in arguments]
    return int(libc.syscall(ctypes.c_long(number), *whole))


def _libc() -> ctypes.CDLL | None:
    try:
        libc = ctypes.CDLL(None, use_errno=True)
        libc.syscall.restype = ctypes.c_long
        unsigned, pointer = ctypes.c_ulong, ctypes.c_void_p
        libc.prctl.argtypes = (ctypes.c_int, unsigned, pointer, unsigned, unsigned)
        libc.unshare, libc.capset  # noqa: B018 - an unusual library may lack them
    except (OSError, AttributeError, TypeError):
        return None
    return libc
