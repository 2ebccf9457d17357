"""The bundled language model: llama.cpp in this process, stoppable in the middle of a batch."""

from __future__ import annotations

import contextlib
import ctypes
import hashlib
import logging
import math
import os
import tempfile
import time
from array import array
from codecs import getincrementaldecoder
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.chat import common_prefix, prompt_tokens
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.language_models.llama_loading import LlamaSettings, chat_frame_of, load_llama
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.language_models.stop_words import StopWords

if TYPE_CHECKING:
    from llama_cpp.llama_grammar import LlamaGrammar

_log = logging.getLogger(__name__)
_SEQUENCE = 0


class LlamaModel:
    """A GGUF model. Not thread-safe: it belongs to the thread that answers.

    What was read last stays in memory; with a ``PrefixStore`` also on disk. Raises
    ``ModelError`` when the file is absent or not a model.
    """

    is_remote = False

    def __init__(self, settings: LlamaSettings, prefixes: PrefixStore | None = None) -> None:
        self._settings = settings
        self._prefixes = prefixes
        self._should_stop: Callable[[], bool] = lambda: False
        self._llama = load_llama(settings)
        self._frame = chat_frame_of(self._llama)
        # ctypes keeps no reference to a callback: without this attribute it would be collected.
        self._abort_callback = self._install_abort_callback()

    @property
    def name(self) -> str:
        """Name of the model in the catalogue, or the file's name."""
        return self._settings.name

    @property
    def digest(self) -> str:
        """SHA-256 of the model file."""
        return self._settings.digest

    @property
    def context_tokens(self) -> int:
        """How many tokens prompt and answer may have together."""
        return self._settings.context_tokens

    def use_prefixes(self, prefixes: PrefixStore | None) -> None:
        """Keep and look for read prefixes there from now on (each project has its own)."""
        self._prefixes = prefixes

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text``, none of them control tokens."""
        return len(self._tokenize(text, False))

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        """Yield text as it is written; see ``LanguageModel.generate``."""
        tokens = self._prompt_tokens(prompt, settings.max_tokens)
        metrics.prompt_tokens = len(tokens)
        metrics.prompt_sha256 = hashlib.sha256(array("i", tokens).tobytes()).hexdigest()
        started = time.perf_counter()
        self._should_stop = should_stop
        try:
            metrics.cached_tokens = self._reuse(tokens)
            yield from self._write(tokens, settings, metrics, started)
        finally:
            self._should_stop = lambda: False
            metrics.total_ms = (time.perf_counter() - started) * 1000
        self._keep_prefix(tokens)

    def yes_odds(
        self, prompt: ModelPrompt, metrics: GenerationMetrics, should_stop: Callable[[], bool]
    ) -> float:
        """Return the log-odds of Yes against No; see ``LanguageModel.yes_odds``."""
        import llama_cpp  # noqa: PLC0415 - native, loaded with the model only

        tokens = self._prompt_tokens(prompt, 1)
        metrics.prompt_tokens = len(tokens)
        started = time.perf_counter()
        self._should_stop = should_stop
        try:
            metrics.cached_tokens = self._reuse(tokens)
            self._llama.eval(tokens[metrics.cached_tokens :])
        except RuntimeError as error:
            if should_stop():
                raise Cancelled from error
            raise
        finally:
            self._should_stop = lambda: False
            metrics.total_ms = (time.perf_counter() - started) * 1000
        logits = llama_cpp.llama_get_logits_ith(self._llama._ctx.ctx, -1)
        yes, no = (
            _log_sum_exp([logits[token] for token in self._first_tokens(word)])
            for word in ("Yes", "No")
        )
        return yes - no

    def close(self) -> None:
        """Free the model's memory."""
        self._llama.close()

    def _write(
        self,
        tokens: list[int],
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        started: float,
    ) -> Iterator[str]:
        # A character may span several tokens.
        decoder = getincrementaldecoder("utf-8")("replace")
        stops = StopWords(settings.stop)
        try:
            # The last token is read by itself, whether the others were kept or not: the logits
            # that begin the answer then come of the same computation, and the same prompt gives
            # the same text (a small model tips over the last bit of a float).
            self._llama.eval(tokens[metrics.cached_tokens : -1])
            for token in self._llama.generate(
                tokens,
                temp=settings.temperature,
                top_k=40,
                top_p=0.95,
                repeat_penalty=1.0,
                grammar=_grammar(settings.grammar),
            ):
                if metrics.completion_tokens == 0:
                    metrics.first_token_ms = (time.perf_counter() - started) * 1000
                if self._should_stop():
                    raise Cancelled
                if self._is_end(token) or metrics.completion_tokens >= settings.max_tokens:
                    break
                metrics.completion_tokens += 1
                text = decoder.decode(self._llama.detokenize([token], prev_tokens=tokens))
                if sure := stops.feed(text):
                    yield sure
                if stops.is_met:
                    break
        except RuntimeError as error:
            # llama_decode returns 2 when the abort callback said stop; the context stays usable.
            if self._should_stop():
                raise Cancelled from error
            raise
        if rest := stops.rest():
            yield rest

    def _prompt_tokens(self, prompt: ModelPrompt, room: int) -> list[int]:
        tokens = prompt_tokens(self._frame, prompt, self._tokenize)
        if len(tokens) + room > self.context_tokens:
            raise ModelError(
                "The prompt is too long",
                f"It has {len(tokens)} tokens; the model takes "
                f"{self.context_tokens - room} beside the answer.",
                "Refer to fewer sources, or choose a model with a larger context.",
            )
        return tokens

    def _first_tokens(self, word: str) -> set[int]:
        """Return the tokens that begin ``word`` in the forms in which a model says it."""
        forms = (word, f" {word}", word.lower(), f" {word.lower()}")
        return {tokens[0] for form in forms if (tokens := self._tokenize(form, False))}

    def _is_end(self, token: int) -> bool:
        import llama_cpp  # noqa: PLC0415 - native, loaded with the model only

        return bool(llama_cpp.llama_vocab_is_eog(self._llama._model.vocab, token))

    def _reuse(self, tokens: list[int]) -> int:
        """Load the best saved prefix if it beats what is in memory; return tokens not read."""
        in_memory = [int(token) for token in self._llama.input_ids[: self._llama.n_tokens]]
        shared = common_prefix(in_memory, tokens)
        match = self._prefixes.best_match(tokens, shared) if self._prefixes else None
        if match is not None:
            # A state that does not load leaves nothing in memory either.
            is_loaded = self._load_state(match[0].path, list(match[0].tokens))
            shared = match[1] if is_loaded else 0
        # The last token is always evaluated again, to have its logits.
        return self._truncate(min(shared, len(tokens) - 1))

    def _load_state(self, path: Path, tokens: list[int]) -> bool:
        import llama_cpp  # noqa: PLC0415

        capacity = self.context_tokens
        buffer = (llama_cpp.llama_token * capacity)()
        count = ctypes.c_size_t(0)
        context: Any = self._llama._ctx
        context.kv_cache_clear()
        self._llama.n_tokens = 0
        read = llama_cpp.llama_state_seq_load_file(
            context.ctx, os.fsencode(path), _SEQUENCE, buffer, capacity, ctypes.byref(count)
        )
        if not read or list(buffer[: count.value]) != tokens:
            context.kv_cache_clear()
            with contextlib.suppress(OSError):
                path.unlink(missing_ok=True)
            return False
        self._llama.input_ids[: len(tokens)] = tokens
        return self._truncate(len(tokens)) == len(tokens)

    def _truncate(self, length: int) -> int:
        """Forget what was read after ``length`` tokens; return how many are kept: none where the
        model cannot forget a part."""
        context: Any = self._llama._ctx
        if not context.kv_cache_seq_rm(-1, length, -1):
            context.kv_cache_clear()
            length = 0
        self._llama.n_tokens = length
        # The logits in memory are not those of the last token kept: llama-cpp-python would
        # otherwise sample from them when the very same prompt comes again.
        self._llama._requires_eval = True
        return length

    def _keep_prefix(self, prompt: list[int]) -> None:
        """Save the state of the prompt; a full disk only costs the next session its time."""
        if self._prefixes is None:
            return
        import llama_cpp  # noqa: PLC0415

        try:
            path = self._prefixes.path_for(prompt)
            if path is None:
                return
            context = self._llama._ctx
            # Only the prompt is kept: what was written is in the draft, not in the cache.
            if self._truncate(min(self._llama.n_tokens, len(prompt))) != len(prompt):
                return
            handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".partial")
            os.close(handle)
            try:
                tokens = (llama_cpp.llama_token * len(prompt))(*prompt)
                size = llama_cpp.llama_state_seq_save_file(
                    context.ctx, os.fsencode(temporary), _SEQUENCE, tokens, len(prompt)
                )
                if size:
                    self._prefixes.commit(Path(temporary), path, prompt)
            finally:
                with contextlib.suppress(OSError):
                    Path(temporary).unlink(missing_ok=True)
        except OSError as error:
            _log.warning("the prefix state was not kept: %s", error)

    def _tokenize(self, text: str, may_be_markup: bool) -> list[int]:
        return list(
            self._llama.tokenize(text.encode("utf-8"), add_bos=False, special=may_be_markup)
        )

    def _install_abort_callback(self) -> object:
        import llama_cpp  # noqa: PLC0415

        callback = llama_cpp.ggml_abort_callback(lambda _data: self._should_stop())
        llama_cpp.llama_set_abort_callback(self._llama._ctx.ctx, callback, ctypes.c_void_p(0))
        return callback


def _grammar(text: str) -> LlamaGrammar | None:
    if not text:
        return None
    from llama_cpp.llama_grammar import LlamaGrammar  # noqa: PLC0415

    return LlamaGrammar.from_string(text, verbose=False)


def _log_sum_exp(values: list[float]) -> float:
    top = max(values)
    return top + math.log(sum(math.exp(value - top) for value in values))
