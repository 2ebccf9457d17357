"""Compiler flags for processors that this machine does not have."""

from __future__ import annotations

import pytest
from setup_steps.native_wheels import wanted_wheels
from setup_steps.processor import Processor, hnswlib_flags, linux_features, llama_flags

OLD = frozenset({"sse4_2"})
AVX2 = OLD | {"avx", "avx2", "fma", "f16c", "bmi2"}
SERVER = AVX2 | {
    "avx_vnni", "avx512f", "avx512cd", "avx512bw", "avx512dq", "avx512vl", "avx512vbmi",
    "avx512_vnni", "avx512_bf16", "amx_tile", "amx_int8", "amx_bf16",
}  # fmt: skip


def _linux(features: frozenset[str], machine: str = "x86_64") -> Processor:
    return Processor("linux", machine, features)


def test_amx_and_native_are_never_used() -> None:
    for features in (OLD, AVX2, SERVER):
        flags = " ".join(llama_flags(_linux(features)))
        assert "AMX" not in flags
        assert "-DGGML_NATIVE=OFF" in flags
        assert "native" not in " ".join(hnswlib_flags(_linux(features)))


@pytest.mark.parametrize(
    ("features", "on", "off"),
    [
        (SERVER, ["AVX512_BF16", "AVX512_VNNI", "AVX512_VBMI", "AVX_VNNI", "FMA"], []),
        (AVX2, ["AVX2", "F16C", "BMI2"], ["AVX512", "AVX_VNNI"]),
        (OLD, ["SSE42"], ["AVX", "AVX2", "FMA"]),
    ],
)
def test_every_instruction_set_is_said(
    features: frozenset[str], on: list[str], off: list[str]
) -> None:
    flags = llama_flags(_linux(features))
    assert {f"-DGGML_{name}=ON" for name in on} <= set(flags)
    assert {f"-DGGML_{name}=OFF" for name in off} <= set(flags)


def test_half_of_avx512_is_none() -> None:
    assert "-DGGML_AVX512=OFF" in llama_flags(_linux(AVX2 | {"avx512f"}))


def test_macs() -> None:
    apple = Processor("darwin", "arm64", frozenset({"asimddp", "asimdhp"}))
    assert "-DGGML_METAL=ON" in llama_flags(apple)
    assert "-DGGML_CPU_ARM_ARCH=armv8.2-a+dotprod+fp16" in llama_flags(apple)
    assert hnswlib_flags(apple) == ()
    assert "-DGGML_METAL=OFF" in llama_flags(Processor("darwin", "x86_64", AVX2))


def test_windows_is_told_in_its_compilers_words() -> None:
    processor = Processor("win32", "amd64", AVX2)
    assert hnswlib_flags(processor) == ("/arch:AVX2",)
    hnswlib = wanted_wheels({"llama-cpp-python": "1", "hnswlib": "1"}, processor)[1]
    assert hnswlib.environment["CL"] == "/arch:AVX2"


def test_an_old_arm_server_gets_the_base() -> None:
    assert "-DGGML_CPU_ARM_ARCH=armv8-a" in llama_flags(_linux(frozenset(), "aarch64"))


def test_features_are_those_of_every_core() -> None:
    cpuinfo = (
        "processor : 0\nflags\t\t: sse4_2 avx2 avx512f\n\nprocessor : 1\nflags : sse4_2 avx2\n"
    )
    assert linux_features(cpuinfo) == {"sse4_2", "avx2"}
    assert linux_features("") == set()


def test_a_limit_takes_instructions_away() -> None:
    assert _linux(SERVER).limited("avx2").features == AVX2
    assert _linux(SERVER).limited("sse").features == frozenset()
    assert _linux(SERVER).limited("auto").features == SERVER


def test_other_flags_are_another_wheel() -> None:
    versions = {"llama-cpp-python": "0.3.36", "hnswlib": "0.8.0"}
    keys = [wanted_wheels(versions, _linux(features))[0].key for features in (OLD, AVX2, SERVER)]
    assert len(set(keys)) == 3
    newer = wanted_wheels({**versions, "llama-cpp-python": "0.4"}, _linux(AVX2))[0].key
    assert newer not in keys
