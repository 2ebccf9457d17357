"""A job object of Windows: a limit of memory, and nothing that is started outlives its starter.

Written from Microsoft's documentation; not tried on a Windows machine yet.
"""

from __future__ import annotations

import ctypes
import sys

_EXTENDED_LIMITS = 9
_LIMIT_ACTIVE_PROCESSES = 0x8
_LIMIT_PROCESS_MEMORY = 0x100
_END_ON_CRASH = 0x400
_KILL_ON_CLOSE = 0x2000
_MOST_PROCESSES = 16


class _BasicLimits(ctypes.Structure):
    _fields_ = (
        ("per_process_user_time", ctypes.c_int64),
        ("per_job_user_time", ctypes.c_int64),
        ("flags", ctypes.c_uint32),
        ("minimum_working_set", ctypes.c_size_t),
        ("maximum_working_set", ctypes.c_size_t),
        ("active_processes", ctypes.c_uint32),
        ("affinity", ctypes.c_size_t),
        ("priority_class", ctypes.c_uint32),
        ("scheduling_class", ctypes.c_uint32),
    )


class _ExtendedLimits(ctypes.Structure):
    _fields_ = (
        ("basic", _BasicLimits),
        ("io_counters", ctypes.c_uint64 * 6),
        ("process_memory", ctypes.c_size_t),
        ("job_memory", ctypes.c_size_t),
        ("peak_process_memory", ctypes.c_size_t),
        ("peak_job_memory", ctypes.c_size_t),
    )


def enter_job(memory_bytes: int) -> bool:
    """Put this process and all that it starts into a job; False where that fails.

    The job's only handle is this process's and is never closed: when the process ends, in
    whatever way, the job is closed and what is left in it ends too.
    """
    if sys.platform == "win32":
        kernel = ctypes.WinDLL("kernel32", use_last_error=True)
        kernel.CreateJobObjectW.restype = ctypes.c_void_p
        kernel.GetCurrentProcess.restype = ctypes.c_void_p
        job = ctypes.c_void_p(kernel.CreateJobObjectW(None, None))
        if not job:
            return False
        limits = _ExtendedLimits()
        limits.basic.flags = (
            _KILL_ON_CLOSE | _LIMIT_PROCESS_MEMORY | _END_ON_CRASH | _LIMIT_ACTIVE_PROCESSES
        )
        limits.basic.active_processes = _MOST_PROCESSES
        limits.process_memory = memory_bytes
        size = ctypes.sizeof(limits)
        if not kernel.SetInformationJobObject(job, _EXTENDED_LIMITS, ctypes.byref(limits), size):
            return False
        return bool(
            kernel.AssignProcessToJobObject(job, ctypes.c_void_p(kernel.GetCurrentProcess()))
        )
    return False
