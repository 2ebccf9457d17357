"""The language model: against plain llama.cpp, and a prompt of which only the last line is new."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from phasergun_desktop.language_models.chat import ChatFrame, prompt_tokens, sentinels
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.language_models.llama import LlamaModel
from phasergun_desktop.language_models.llama_loading import LlamaSettings
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.paths import resources_path
from phasergun_desktop.settings.model import Generation
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.glucose import LANGUAGE_MODEL, ROOT, child_environment, model_file

PROMPT_TOKENS = 700
_LAST_LINES = (
    "Describe the principle of operation in at least twenty sentences.",
    "List the people who approve a document, in at least twenty sentences.",
    "Say which risks are controlled and how, in at least twenty sentences.",
    "Summarise the decisions of the design review in at least twenty sentences.",
    "State what the quality policy promises, in at least twenty sentences.",
    "Name the records that are kept, in at least twenty sentences.",
)


@dataclass(frozen=True, slots=True)
class _Timing:
    """Seconds to the first piece of text, and pieces a second after it."""

    first_s: float
    per_second: float


def against_plain(
    pairs: int = 7, written: int = 60, read: int = PROMPT_TOKENS, model: str = LANGUAGE_MODEL
) -> Iterator[Figure]:
    """Read and write the same prompts with our adapter and with ``llama_cpp.Llama``, in turn."""
    path = model_file(model)
    threads = max(1, min(os.cpu_count() or 1, 8))
    context = Generation().context_tokens
    ours = LlamaModel(LlamaSettings(path, model, "", context, threads))
    plain = _PlainLlama(path, context, threads)
    first: list[float] = []
    speed: list[float] = []
    timings: dict[str, list[_Timing]] = {"ours": [], "plain": []}
    try:
        for turn in range(-1, pairs):
            # Its first words differ each time: nothing read before can be used again.
            prompt = _prompt(ours, read, start=f"Call {turn + 2}.", last=_LAST_LINES[turn % 6])
            tokens = plain.tokens(prompt)
            both: dict[str, _Timing] = {}
            for way in ("ours", "plain") if turn % 2 else ("plain", "ours"):
                if way == "ours":
                    both[way] = _time_ours(ours, prompt, written, len(tokens))
                else:
                    both[way] = plain.time(tokens, written)
            if turn < 0:
                continue
            first.append(both["plain"].first_s / both["ours"].first_s)
            speed.append(both["ours"].per_second / both["plain"].per_second)
            for way, timing in both.items():
                timings[way].append(timing)
    finally:
        ours.close()
        plain.close()
    note = (
        f"{model}, about {read} tokens read and up to {written} written, {threads} threads each,"
        " the same tokens, alternated pairs, both warmed up; plain: llama_cpp.Llama with its"
        " default batch of 512"
    )
    yield figure("first_token_share", "×", first, target=0.95, at_least=True, note=note)
    yield figure(
        "writing_speed_share",
        "×",
        speed,
        target=0.95,
        at_least=True,
        note="tokens a second after the first, ours over plain, pair by pair",
    )
    for way, values in timings.items():
        yield figure(f"first_token_{way}", "s", [each.first_s for each in values])
        yield figure(f"writing_{way}", "tokens/s", [each.per_second for each in values])


def same_prompt_again(
    repeats: int = 3, read: int = PROMPT_TOKENS, lengths: int = 3, model: str = LANGUAGE_MODEL
) -> Iterator[Figure]:
    """Change the last line of a prompt: in the same process, and in new ones.

    ``lengths`` prompts of different lengths: how much is read again depends on where a kept
    prefix is cut.
    """
    path = model_file(model)
    sizes = [read + 22 * at for at in range(lengths)]
    cold: list[float] = []
    again: list[tuple[float, int]] = []
    with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
        ours = open_model(path, folder)
        try:
            for size in sizes:
                cold.append(first_token(ours, size, "Name the device.")[0])
                again += [
                    first_token(ours, size, f"{at} more: {_LAST_LINES[at % 6]}")
                    for at in range(repeats)
                ]
        finally:
            ours.close()
        new = [_in_new_process(path, folder, size, "Turn: say who is the owner.") for size in sizes]
    yield figure("first_token_new_prompt", "s", cold, note=f"{model}, about {sizes} tokens")
    yield figure(
        "first_token_changed_last_line",
        "s",
        [each for each, _ in again],
        target=1.0,
        note=f"the same process; tokens kept: {[kept for _, kept in again]}",
    )
    yield figure(
        "first_token_after_restart",
        "s",
        [each["first_s"] for each in new],
        target=1.0,
        note="a new process and the prefixes on disk, another last line; tokens kept:"
        f" {[round(each['cached']) for each in new]}; loading the model not counted",
    )
    yield figure("model_load", "s", [each["load_s"] for each in new], note="file in disk cache")


def open_model(path: Path, folder: str) -> LlamaModel:
    """Load a model that keeps its prefixes in ``folder``."""
    generation = Generation()
    settings = LlamaSettings(path, path.stem, "", generation.context_tokens, generation.threads)
    return LlamaModel(settings, PrefixStore(Path(folder), path.stem))


def first_token(model: LlamaModel, read: int, last: str) -> tuple[float, int]:
    """Return the seconds to the first text of the standing prompt with ``last`` as its last
    line, and how many tokens had been kept."""
    metrics = GenerationMetrics()
    prompt = _prompt(model, read, start=f"Standing prompt {read}.", last=last)
    settings = GenerationSettings(max_tokens=2)
    start = time.perf_counter()
    pieces = model.generate(prompt, settings, metrics, lambda: False)
    next(pieces)
    spent = time.perf_counter() - start
    # To the end, where the prefix is kept.
    for _ in pieces:
        pass
    return spent, metrics.cached_tokens


def _in_new_process(path: Path, folder: str, read: int, last: str) -> dict[str, float]:
    done = subprocess.run(
        [sys.executable, "-m", "tests.benchmarks.prefix_child", path, folder, str(read), last],
        cwd=ROOT,
        env=child_environment(Path(folder)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    if done.returncode:
        raise AssertionError(f"the new process ended with {done.returncode}: {done.stderr[-800:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return found


def _prompt(model: LlamaModel, tokens: int, *, start: str, last: str) -> ModelPrompt:
    """Return a prompt of about ``tokens`` tokens from the sample project's own text."""
    sources = sorted((resources_path() / "sample_project").rglob("*.md"))
    text = "\n\n".join(path.read_text("utf-8") for path in sources if "Prompt" not in path.parts)
    words = text.split(" ")
    low, high = 0, len(words)
    while low < high:
        middle = (low + high + 1) // 2
        if model.count_tokens(" ".join(words[:middle])) <= tokens - 60:
            low = middle
        else:
            high = middle - 1
    if low == 0:
        raise Unavailable("the sample project has no text")
    return ModelPrompt(
        system=f"{start} You write sections of regulatory documents. State facts of the sources.",
        shared="Sources:\n" + " ".join(words[:low]),
        task=f"Task: {last}",
    )


def _time_ours(model: LlamaModel, prompt: ModelPrompt, written: int, tokens: int) -> _Timing:
    metrics = GenerationMetrics()
    start = time.perf_counter()
    times = [
        time.perf_counter() - start
        for _ in model.generate(
            prompt, GenerationSettings(max_tokens=written), metrics, lambda: False
        )
    ]
    # The few tokens of the chat template that every prompt begins with are always kept.
    if metrics.cached_tokens > 16 or metrics.prompt_tokens != tokens:
        raise AssertionError(f"not the same work: {metrics}, {tokens} tokens")
    return _Timing(times[0], (metrics.completion_tokens - 1) / (times[-1] - times[0]))


class _PlainLlama:
    """llama.cpp as its Python binding offers it, with its default batch."""

    def __init__(self, path: Path, context: int, threads: int) -> None:
        import llama_cpp
        from llama_cpp.llama_chat_format import Jinja2ChatFormatter

        self._llama: Any = llama_cpp.Llama(
            model_path=str(path),
            n_ctx=context,
            n_threads=threads,
            n_threads_batch=threads,
            verbose=False,
        )
        self._ends = {int(self._llama.token_eos())}
        model = self._llama._model
        formatter = Jinja2ChatFormatter(
            template=self._llama.metadata["tokenizer.chat_template"],
            eos_token=str(model.token_get_text(self._llama.token_eos())),
            bos_token=str(model.token_get_text(self._llama.token_bos())),
        )
        roles = zip(("system", "user"), sentinels(), strict=True)
        messages: Any = [{"role": role, "content": mark} for role, mark in roles]
        self._frame = ChatFrame.from_rendered(formatter(messages=messages).prompt)

    def tokens(self, prompt: ModelPrompt) -> list[int]:
        """Return the tokens that our adapter reads for ``prompt``."""

        def tokenize(text: str, special: bool) -> list[int]:
            return list(self._llama.tokenize(text.encode(), add_bos=False, special=special))

        return prompt_tokens(self._frame, prompt, tokenize)

    def time(self, tokens: list[int], written: int) -> _Timing:
        """Read ``tokens`` from nothing and write up to ``written``."""
        times: list[float] = []
        self._llama.reset()
        start = time.perf_counter()
        for token in self._llama.generate(
            tokens, temp=0.0, top_k=40, top_p=0.95, repeat_penalty=1.0
        ):
            if token in self._ends:
                break
            self._llama.detokenize([token], prev_tokens=tokens)
            times.append(time.perf_counter() - start)
            if len(times) == written:
                break
        return _Timing(times[0], (len(times) - 1) / (times[-1] - times[0]))

    def close(self) -> None:
        """Free the model."""
        self._llama.close()
