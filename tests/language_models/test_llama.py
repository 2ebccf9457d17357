"""The real llama.cpp with the small model: streaming, prefix reuse, stopping, refusals."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings, llama_version
from phasergun_desktop.language_models.prefix_state import PrefixStore

_SHARED = "The meter measures glucose amperometrically. " * 40
_SETTINGS = GenerationSettings(max_tokens=12)


def _never() -> bool:
    return False


@pytest.fixture(scope="module")
def model(smollm2_path: Path) -> Iterator[LlamaModel]:
    loaded = LlamaModel(LlamaSettings(smollm2_path, "small", "digest", 2048))
    yield loaded
    loaded.close()


def _text(model: LlamaModel, task: str, metrics: GenerationMetrics, shared: str = _SHARED) -> str:
    return "".join(model.generate(ModelPrompt("Rules.", shared, task), _SETTINGS, metrics, _never))


def test_same_prompt_gives_the_same_text_and_reads_nothing_again(model: LlamaModel) -> None:
    first, second = GenerationMetrics(), GenerationMetrics()
    text = _text(model, "Describe the meter.", first)
    assert text
    assert _text(model, "Describe the meter.", second) == text
    assert second.cached_tokens == second.prompt_tokens - 1


def test_changed_last_line_keeps_the_prefix(model: LlamaModel) -> None:
    _text(model, "Describe the meter.", GenerationMetrics())
    metrics = GenerationMetrics()
    _text(model, "Name the method.", metrics)
    assert metrics.prompt_tokens - metrics.cached_tokens <= 20


def test_prefix_survives_on_disk(model: LlamaModel, tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "small")
    model.use_prefixes(store)
    try:
        text = _text(model, "Describe the meter.", GenerationMetrics())
        _text(model, "Something else.", GenerationMetrics(), shared="Another text. " * 60)
        metrics = GenerationMetrics()
        again = _text(model, "Describe the meter.", metrics)
    finally:
        model.use_prefixes(None)
    assert again == text
    assert metrics.cached_tokens == metrics.prompt_tokens - 1
    assert list(tmp_path.rglob("*.state"))


def test_after_a_state_that_does_not_load_the_whole_prompt_is_read(
    model: LlamaModel, tmp_path: Path
) -> None:
    model.use_prefixes(PrefixStore(tmp_path, "small"))
    try:
        text = _text(model, "Describe the meter.", GenerationMetrics())
        # What is in memory now shares its beginning with the state that is damaged next.
        (state,) = tmp_path.rglob("*.state")
        _text(model, "Name it.", GenerationMetrics(), shared="The meter measures glucose. " * 20)
        state.write_bytes(state.read_bytes()[:100])
        metrics = GenerationMetrics()
        again = _text(model, "Describe the meter.", metrics)
    finally:
        model.use_prefixes(None)
    assert (again, metrics.cached_tokens) == (text, 0)


def test_a_model_that_cannot_forget_a_part_reads_the_whole_prompt(
    model: LlamaModel, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = _text(model, "Describe the meter.", GenerationMetrics())
    model.use_prefixes(PrefixStore(tmp_path, "small"))
    context = model._llama._ctx
    # So answers a model with a recurrent or sliding memory where there is something to remove.
    monkeypatch.setattr(
        context, "kv_cache_seq_rm", lambda _sequence, start, _end: start >= model._llama.n_tokens
    )
    metrics = GenerationMetrics()
    try:
        assert _text(model, "Describe the meter.", metrics) == text
    finally:
        model.use_prefixes(None)
    assert metrics.cached_tokens == 0
    assert not list(tmp_path.rglob("*.state"))


def test_the_version_of_the_library_is_known_without_loading_it() -> None:
    import llama_cpp

    assert llama_version() == llama_cpp.__version__


def test_stop_while_the_prompt_is_read(model: LlamaModel) -> None:
    started = time.monotonic()
    prompt = ModelPrompt("Rules.", "A completely different passage follows here. " * 150, "Go.")
    with pytest.raises(Cancelled):
        list(
            model.generate(
                prompt, _SETTINGS, GenerationMetrics(), lambda: time.monotonic() - started > 0.2
            )
        )
    assert time.monotonic() - started < 1.2
    # The context is usable afterwards.
    assert _text(model, "Describe the meter.", GenerationMetrics())


def test_output_is_not_lost_while_a_model_loads(
    smollm2_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    loading = threading.Event()
    said: list[str] = []

    def speak() -> None:
        while not loading.is_set():
            said.append(f"line {len(said)}")
            os.write(1, f"{said[-1]}\n".encode())
            print(said[-1], file=sys.stderr)
            time.sleep(0.001)

    speaker = threading.Thread(target=speak)
    speaker.start()
    LlamaModel(LlamaSettings(smollm2_path, "small", "digest", 512)).close()
    loading.set()
    speaker.join()
    output = capfd.readouterr()
    assert output.out.splitlines() == said
    assert output.err.splitlines() == said


def test_what_llama_cpp_says_of_a_damaged_file_goes_to_the_log(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"GGUF and then nonsense")
    with caplog.at_level("INFO"), pytest.raises(ModelError, match="refuses the file"):
        LlamaModel(LlamaSettings(path, "broken", ""))
    assert capfd.readouterr() == ("", "")
    assert "llama.cpp: " in caplog.text


def test_prompt_that_does_not_fit_is_refused(model: LlamaModel) -> None:
    with pytest.raises(ModelError, match="too long"):
        _text(model, "Go.", GenerationMetrics(), shared="word " * 3000)


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 not a model", b"GGUF and then nonsense"])
def test_file_that_is_no_model_is_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(content)
    with pytest.raises(ModelError):
        LlamaModel(LlamaSettings(path, "broken", ""))


def test_absent_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="does not exist"):
        LlamaModel(LlamaSettings(tmp_path / "none.gguf", "absent", ""))
