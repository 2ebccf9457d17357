"""A cross-encoder in ONNX Runtime: reads a query and a text together, one pair a run."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.onnx_files import open_session, whole_tokenizer

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

CROSS_ENCODER_FILE = "cross-encoder-int8.onnx"
# Word pieces that are read of a query and of a text, and of a statement with all its evidence: what
# it was trained with.
QUERY_PIECES, TEXT_PIECES, PIECES = 120, 72, 384
# Its outputs, of questions, of prompts, of questions without changes and of statements; and
# which of the changes of its weights, learnt of questions and of statements, each reads with.
_ANSWERS, _BELONGS, _STATES, _CARRIES = range(4)
_CHANGED = {_ANSWERS: (1, 0), _BELONGS: (0, 0), _STATES: (0, 0), _CARRIES: (0, 1)}


@dataclass(frozen=True, slots=True)
class _Loaded:
    """``first`` is the special piece before a pair, ``behind`` the one behind each half of it."""

    session: InferenceSession
    tokenizer: Tokenizer
    first: int
    behind: int


class CrossEncoder:
    """Runs in ``threads`` threads, which share one session of 50 MB; nothing is loaded before first
    use. One pair a run, for the reasons that ``OnnxEmbedder`` gives. Safe to use from several
    threads. A missing or damaged file raises ``ModelError`` at first use."""

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 2) -> None:
        self._model_path = model
        self._tokenizer_path = tokenizer
        self._threads = max(threads, 1)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def answering(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log odds that each of ``texts`` answers ``question``, shape (len(texts),)."""
        return self._read(question, texts, _ANSWERS)

    def belonging(self, prompt: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log odds that each of ``texts`` belongs into what ``prompt`` asks for, shape
        (len(texts),)."""
        return self._read(prompt, texts, _BELONGS)

    def stating(self, attribute: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log odds that each of ``texts`` states ``attribute``, shape (len(texts),): as
        questions are read without what was learnt beside the weights, for the training's tests."""
        return self._read(attribute, texts, _STATES)

    def carrying(self, statement: str, text: str) -> float | None:
        """Return the log odds that ``text`` says all that ``statement`` does; None where they are
        longer than ``PIECES``. Runs in the caller's thread."""
        loaded = self._ready()
        asked, read = _pieces(loaded, statement, PIECES), _pieces(loaded, text, PIECES)
        if len(asked) + len(read) + 3 > PIECES:
            return None
        return _run(loaded, asked, read, _CARRIES)

    def _read(self, query: str, texts: Sequence[str], output: int) -> NDArray[np.float64]:
        loaded = self._ready()
        asked = _pieces(loaded, query, QUERY_PIECES)
        lanes = self._threads
        rows = [0.0] * len(texts)
        with ThreadPoolExecutor(lanes, thread_name_prefix="cross-encoder") as pool:
            futures = [
                pool.submit(_run_all, loaded, asked, texts[lane::lanes], output)
                for lane in range(lanes)
            ]
            for lane, future in enumerate(futures):
                rows[lane::lanes] = future.result()
        return np.array(rows, dtype=np.float64)

    def close(self) -> None:
        """Free the memory; the next use loads again."""
        with self._lock:
            self._loaded = None

    def _ready(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                tokenizer = whole_tokenizer(self._tokenizer_path)
                first, behind = tokenizer.encode("").ids
                self._loaded = _Loaded(open_session(self._model_path), tokenizer, first, behind)
            return self._loaded


def _pieces(loaded: _Loaded, text: str, most: int) -> list[int]:
    # A model may write half of a character, which is no text.
    whole = text.encode("utf-8", "replace").decode("utf-8")
    ids: list[int] = loaded.tokenizer.encode(whole, add_special_tokens=False).ids
    return ids[:most]


def _run_all(loaded: _Loaded, asked: list[int], texts: Sequence[str], output: int) -> list[float]:
    return [_run(loaded, asked, _pieces(loaded, text, TEXT_PIECES), output) for text in texts]


def _run(loaded: _Loaded, asked: list[int], read: list[int], output: int) -> float:
    first, second = [loaded.first, *asked, loaded.behind], [*read, loaded.behind]
    ids = np.array([first + second], dtype=np.int64)
    feeds = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.array([[0] * len(first) + [1] * len(second)], dtype=np.int64),
        "changed": np.array(_CHANGED[output], dtype=np.float32),
    }
    return float(loaded.session.run(None, feeds)[0][0, output])
