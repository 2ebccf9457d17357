"""Compiler flags for this processor, all in one place.

``-march=native`` is not used: it finds AMX, whose tiles many kernels do not permit, and the
program then dies at the first prompt. Every instruction set is named, those that are missing too,
and AMX never.
"""

from __future__ import annotations

import ctypes
import platform
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

# llama.cpp's option and the flags, as Linux names them, that a processor needs for it.
_LLAMA_X86 = (
    ("GGML_SSE42", ("sse4_2",)),
    ("GGML_AVX", ("avx",)),
    ("GGML_AVX2", ("avx2",)),
    ("GGML_FMA", ("fma",)),
    ("GGML_F16C", ("f16c",)),
    ("GGML_BMI2", ("bmi2",)),
    ("GGML_AVX_VNNI", ("avx_vnni",)),
    ("GGML_AVX512", ("avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl")),
    ("GGML_AVX512_VBMI", ("avx512f", "avx512vbmi")),
    ("GGML_AVX512_VNNI", ("avx512f", "avx512_vnni")),
    ("GGML_AVX512_BF16", ("avx512f", "avx512_bf16")),
)
_AVX2_CLASS = frozenset({"sse4_2", "avx", "avx2", "fma", "f16c", "bmi2"})
# hnswlib looks for these at compile time.
_HNSWLIB_GCC = (
    ("-msse4.2", "sse4_2"),
    ("-mavx", "avx"),
    ("-mavx2", "avx2"),
    ("-mfma", "fma"),
    ("-mavx512f", "avx512f"),
)
_ARM_EXTENSIONS = (("dotprod", "asimddp"), ("fp16", "asimdhp"), ("i8mm", "i8mm"))
_PF_SSE42, _PF_AVX2 = 38, 40
LIMITS = ("auto", "avx2", "sse")


@dataclass(frozen=True)
class Processor:
    """Operating system (``sys.platform``), machine and instruction sets as Linux names them."""

    system: str
    machine: str
    features: frozenset[str]

    @property
    def is_x86(self) -> bool:
        """Whether it is a 64-bit PC processor."""
        return self.machine in ("x86_64", "amd64")

    @property
    def is_arm(self) -> bool:
        """Whether it is a 64-bit ARM processor."""
        return self.machine in ("arm64", "aarch64")

    def limited(self, limit: str) -> Processor:
        """The same processor with fewer instruction sets used: ``auto``, ``avx2`` or ``sse``."""
        kept = {"auto": self.features, "avx2": self.features & _AVX2_CLASS}.get(limit, frozenset())
        return Processor(self.system, self.machine, frozenset(kept))


def this_processor() -> Processor:
    """The processor of this machine."""
    machine = platform.machine().lower()
    if sys.platform == "win32":
        features = _windows_features()
    elif sys.platform == "darwin":
        features = _mac_features()
    else:
        features = linux_features(_read(Path("/proc/cpuinfo")))
    return Processor(sys.platform, machine, frozenset(features))


def linux_features(cpuinfo: str) -> set[str]:
    """The instruction sets that every core in ``/proc/cpuinfo`` has."""
    rows = [
        set(line.partition(":")[2].split())
        for line in cpuinfo.splitlines()
        if line.partition(":")[0].strip() in ("flags", "Features")
    ]
    return set.intersection(*rows) if rows else set()


def _read(path: Path) -> str:
    try:
        return path.read_text("ascii", errors="replace")
    except OSError:
        return ""


def _mac_features() -> set[str]:
    """Apple's own processors all have what llama.cpp asks for; Intel's are asked."""
    if platform.machine().lower() == "arm64":
        return {"asimddp", "asimdhp"}
    words: list[str] = []
    for key in ("machdep.cpu.features", "machdep.cpu.leaf7_features"):
        answer = subprocess.run(
            ["sysctl", "-n", key], capture_output=True, text=True, check=False, timeout=10
        )
        words += answer.stdout.lower().split()
    names = {"sse4.2": "sse4_2", "avx1.0": "avx"}
    return {names.get(word, word) for word in words} & _AVX2_CLASS


def _windows_features() -> set[str]:
    """Windows tells of AVX2; processors that have it have the rest of its class."""
    windll = getattr(ctypes, "windll", None)
    if windll is None:
        return set()
    has = windll.kernel32.IsProcessorFeaturePresent
    if has(_PF_AVX2):
        return set(_AVX2_CLASS)
    return {"sse4_2"} if has(_PF_SSE42) else set()


def llama_flags(processor: Processor) -> tuple[str, ...]:
    """The CMake options with which llama-cpp-python is built."""
    flags = ["-DGGML_NATIVE=OFF", "-DMTMD_BUILD=OFF"]
    if processor.is_x86:
        flags += [
            f"-D{option}={_on_off(needed, processor.features)}" for option, needed in _LLAMA_X86
        ]
    elif processor.is_arm:
        found = [name for name, flag in _ARM_EXTENSIONS if flag in processor.features]
        # Dot products came with 8.2; the first ARM servers had neither.
        base = "armv8.2-a" if found else "armv8-a"
        flags.append(f"-DGGML_CPU_ARM_ARCH={'+'.join([base, *found])}")
    if processor.system == "darwin":
        # Intel Macs have graphics that are slower than their processors.
        flags.append(f"-DGGML_METAL={'ON' if processor.is_arm else 'OFF'}")
    return tuple(flags)


def hnswlib_flags(processor: Processor) -> tuple[str, ...]:
    """The compiler flags with which hnswlib is built, in place of its ``-march=native``."""
    if processor.system == "win32":
        return ("/arch:AVX2",) if "avx2" in processor.features else ()
    if not processor.is_x86:
        return ()
    return tuple(flag for flag, needed in _HNSWLIB_GCC if needed in processor.features)


def _on_off(needed: Iterable[str], features: frozenset[str]) -> str:
    return "ON" if set(needed) <= features else "OFF"
