"""The class of processor that int8 arithmetic depends on."""

from __future__ import annotations

import ctypes
import platform
import sys
from pathlib import Path

# Windows: IsProcessorFeaturePresent.
_PF_AVX2 = 40
_PF_AVX512F = 41


def kernel_class() -> str:
    """Return the instruction set that ONNX Runtime's int8 kernels choose on this machine.

    int8 products saturate differently with and without VNNI, so vectors of one class are not
    those of another: the class is part of the embedder's identity. One of ``avx512_vnni``,
    ``avx_vnni``, ``avx512``, ``avx2``, ``sse``, ``arm`` or the machine's own name.
    """
    machine = platform.machine().lower()
    if machine in ("arm64", "aarch64"):
        return "arm"
    if machine not in ("x86_64", "amd64", "i386", "i686", "x86"):
        return machine or "unknown"
    if sys.platform == "win32":
        return _windows_class()
    return class_of_flags(_x86_flags())


def class_of_flags(flags: frozenset[str]) -> str:
    """Return the class for a set of processor flags as Linux names them."""
    if "avx512_vnni" in flags:
        return "avx512_vnni"
    if "avx_vnni" in flags:
        return "avx_vnni"
    if "avx512f" in flags:
        return "avx512"
    return "avx2" if "avx2" in flags else "sse"


def _x86_flags() -> frozenset[str]:
    try:
        lines = Path("/proc/cpuinfo").read_text("ascii", errors="replace").splitlines()
    except OSError:
        # A Mac with an Intel processor has no such file; all of them since 2013 have AVX2.
        return frozenset({"avx2"})
    for line in lines:
        if line.startswith("flags"):
            return frozenset(line.partition(":")[2].split())
    return frozenset()


def _windows_class() -> str:
    loader = getattr(ctypes, "windll", None)
    if loader is None:
        return "unknown"
    if loader.kernel32.IsProcessorFeaturePresent(_PF_AVX512F):
        return "avx512"
    return "avx2" if loader.kernel32.IsProcessorFeaturePresent(_PF_AVX2) else "sse"
