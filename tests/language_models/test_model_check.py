"""A model file is tried in another process: measured, or refused in a sentence."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.model_check import ModelCheck, ModelChecker
from tests.fakes.gguf_files import cut_off, gguf_head, without_chat_template


def _check(folder: Path, path: Path) -> ModelCheck:
    return run_to_end(ModelChecker(folder / "checks", 120.0).check(path, 512, 2))


def test_a_sound_model_is_measured_once(tmp_path: Path, smollm2_path: Path) -> None:
    checker = ModelChecker(tmp_path / "checks")
    result = run_to_end(checker.check(smollm2_path, 512, 2))
    assert result.is_usable
    assert result.architecture == "llama"
    assert 130e6 < result.parameters < 140e6
    assert result.context_tokens == 8192
    assert result.prompt_tokens_per_s > 0
    assert result.writing_tokens_per_s > 0
    size = smollm2_path.stat().st_size
    assert size / 2 < result.memory_bytes < size * 10
    started = time.monotonic()
    assert run_to_end(checker.check(smollm2_path, 512, 2)) == result
    assert time.monotonic() - started < 0.5
    assert checker.known(smollm2_path, 1024, 2) is None


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "not a GGUF"),
        (b"PK\x03\x04 a zip file", "not a GGUF"),
        (b"GGUF", "cut off or damaged at its very beginning"),
        (b"GGUF\xff\xff\xff\xff" + b"\xff" * 40, "cut off or damaged at its very beginning"),
        (gguf_head(0, general__architecture="llama"), "vocabulary only"),
        (gguf_head(7, general__architecture="llama"), "damaged"),
        (gguf_head(2**62, general__architecture="llama"), "damaged"),
        (gguf_head(3)[:24] + b"\xff" * 4096, "damaged"),
    ],
)
def test_a_file_that_is_no_model_is_told_in_a_sentence(
    tmp_path: Path, content: bytes, words: str
) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(content)
    result = _check(tmp_path, path)
    assert not result.loads
    assert not result.is_usable
    assert words in result.problem
    assert result.problem.endswith(".")


def test_an_absent_file_is_told(tmp_path: Path) -> None:
    assert "not there" in _check(tmp_path, tmp_path / "none.gguf").problem


@pytest.mark.parametrize("share", [0.02, 0.6, 0.999])
def test_a_truncated_model_is_told(tmp_path: Path, smollm2_path: Path, share: float) -> None:
    result = _check(tmp_path, cut_off(smollm2_path, tmp_path / "half.gguf", share))
    assert not result.loads
    assert "cut off" in result.problem or "damaged" in result.problem


def test_a_model_without_a_chat_template_is_told(tmp_path: Path, smollm2_path: Path) -> None:
    result = _check(tmp_path, without_chat_template(smollm2_path, tmp_path / "base.gguf"))
    assert result.loads
    assert not result.has_chat_template
    assert not result.is_usable
    assert "no chat template" in result.problem


def _child(tmp_path: Path, code: str, limit_s: float = 60.0) -> Callable[[], ModelCheck]:
    """Return a check whose process runs ``code`` instead."""
    path = tmp_path / "own.gguf"
    path.write_bytes(gguf_head(1))
    checker = ModelChecker(tmp_path / "checks", limit_s, [sys.executable, "-c", code])

    def check() -> ModelCheck:
        result = run_to_end(checker.check(path, 512, 2))
        assert checker.known(path, 512, 2) is None, "a mishap is not the file's for ever"
        return result

    return check


@pytest.mark.skipif(os.name == "nt", reason="signals are POSIX's")
@pytest.mark.parametrize(
    ("name", "words"),
    [("SIGILL", "processor"), ("SIGSEGV", "crash"), ("SIGABRT", "crash"), ("SIGKILL", "memory")],
)
def test_a_file_that_kills_the_process_does_not_kill_us(
    tmp_path: Path, name: str, words: str
) -> None:
    code = f"import os, signal; os.kill(os.getpid(), signal.{name})"
    assert words in _child(tmp_path, code)().problem


@pytest.mark.parametrize("code", ["pass", "print('nonsense')", "print('{}')", "print('[' * 9999)"])
def test_a_process_that_says_nothing_of_use_is_told(tmp_path: Path, code: str) -> None:
    assert "crash" in _child(tmp_path, code)().problem


def test_a_file_that_hangs_is_given_up_and_its_process_ended(tmp_path: Path) -> None:
    started = time.monotonic()
    note = tmp_path / "pid"
    code = f"import os, time; open({str(note)!r}, 'w').write(str(os.getpid())); time.sleep(60)"
    assert "within 2 seconds" in _child(tmp_path, code, 2.0)().problem
    assert time.monotonic() - started < 20
    if note.exists() and sys.platform == "linux":
        assert not Path("/proc", note.read_text()).exists()


def test_closing_the_job_ends_the_process(tmp_path: Path) -> None:
    path = tmp_path / "own.gguf"
    path.write_bytes(gguf_head(1))
    checker = ModelChecker(tmp_path, 60.0, [sys.executable, "-c", "import time; time.sleep(60)"])
    job = checker.check(path, 512, 2)
    next(job)
    started = time.monotonic()
    job.close()
    assert time.monotonic() - started < 5
