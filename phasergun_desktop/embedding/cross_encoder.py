"""A cross-encoder in ONNX Runtime: reads a query together with texts, or with units in a row."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.onnx_files import open_session, whole_tokenizer

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

_Given = TypeVar("_Given")
_Made = TypeVar("_Made")

CROSS_ENCODER_FILE = "cross-encoder-int8.onnx"
# Word pieces that are read of a query and of a text, and of a statement with all its evidence: what
# it was trained with.
QUERY_PIECES, TEXT_PIECES, PIECES = 120, 72, 384
# Of a text that is read alone with a question: the last columns of a wide table stand behind those
# that it was trained with. Of 608 questions on eight projects that were not learnt of 397 are right
# with these and 386 with 72, and 236 and 240 of 275 without an answer are refused.
_ALONE_PIECES = 200
# Of the units in a row: word pieces of the title, of what stands above a unit (the last ones), and
# of all units that are read at once.
TITLE_PIECES, ABOVE_PIECES, WINDOW_PIECES = 12, 24, 200
# Its outputs, of questions, of prompts and of statements; and which of the changes of its weights,
# learnt of questions and of statements, each reads with.
_ANSWERS, _BELONGS, _CARRIES = range(3)
_CHANGED = {_ANSWERS: (1, 0), _BELONGS: (0, 0), _CARRIES: (0, 1)}


@dataclass(frozen=True, slots=True)
class UnitRun:
    """Units that stand one behind the other in the document ``title``, each with what stands above
    it (headings, a lead-in) and its text."""

    title: str
    units: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Window:
    """What is read at once of a run: its word pieces, and of each unit where its own are."""

    pieces: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]


class Pieces:
    """The word pieces of ``tokenizer``: of texts, and of units in a row. ``first`` is the special
    one before a query, ``behind`` the one behind it and behind a text."""

    def __init__(self, tokenizer: Tokenizer) -> None:
        self._tokenizer = tokenizer
        self.first, self.behind = tokenizer.encode("").ids
        (self._colon,) = tokenizer.encode(":", add_special_tokens=False).ids

    def of(self, text: str, most: int) -> list[int]:
        """Return the ids of the first ``most`` word pieces of ``text``."""
        # A model may write half of a character, which is no text.
        whole = text.encode("utf-8", "replace").decode("utf-8")
        ids: list[int] = self._tokenizer.encode(whole, add_special_tokens=False).ids
        return ids[:most]

    def windows(self, run: UnitRun, most: int = WINDOW_PIECES) -> Iterator[Window]:
        """Yield what is read at once of ``run``: as many units as ``most`` pieces hold, each behind
        what stands above it where that is not the same as of the one before."""
        title = (*self.of(run.title, TITLE_PIECES), self._colon)
        pieces: list[int] = []
        spans: list[tuple[int, int]] = []
        above = None
        for context, text in run.units:
            own = [*self.of(text, TEXT_PIECES), self.behind]
            heading = self._heading(context)
            lead = heading if context != above else []
            if spans and len(pieces) + len(lead) + len(own) > most:
                yield Window((*title, *pieces), tuple(spans))
                pieces, spans, lead = [], [], heading
            above = context
            start = len(title) + len(pieces) + len(lead)
            pieces += lead + own
            spans.append((start, start + len(own)))
        if spans:
            yield Window((*title, *pieces), tuple(spans))

    def _heading(self, context: str) -> list[int]:
        whole = self.of(context, PIECES)
        return [*whole[-ABOVE_PIECES:], self._colon] if whole else []


@dataclass(frozen=True, slots=True)
class _Loaded:
    session: InferenceSession
    pieces: Pieces


class CrossEncoder:
    """Runs in ``threads`` threads, which share one session of 50 MB; nothing is loaded before first
    use. One text or row of units a run, for the reasons that ``OnnxEmbedder`` gives. Safe to use
    from several threads. A missing or damaged file raises ``ModelError`` at first use."""

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 2) -> None:
        self._model_path = model
        self._tokenizer_path = tokenizer
        self._threads = max(threads, 1)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None

    def answering(self, question: str, texts: Sequence[str]) -> NDArray[np.float64]:
        """Return the log odds that each of ``texts`` answers ``question``, shape (len(texts),)."""
        loaded = self._ready()
        asked = loaded.pieces.of(question, QUERY_PIECES)
        read = self._in_threads(
            lambda text: _run_pair(loaded, asked, loaded.pieces.of(text, _ALONE_PIECES), _ANSWERS),
            texts,
        )
        return np.array(read, dtype=np.float64)

    def belonging(self, prompt: str, runs: Sequence[UnitRun]) -> NDArray[np.float64]:
        """Return the log odds that each unit of ``runs`` belongs into what ``prompt`` asks for, in
        their order, shape (units,). Units that stand together are read together."""
        loaded = self._ready()
        asked = loaded.pieces.of(prompt, QUERY_PIECES)
        windows = [window for run in runs for window in loaded.pieces.windows(run)]
        read = self._in_threads(lambda window: _run_window(loaded, asked, window), windows)
        return np.array([each for odds in read for each in odds], dtype=np.float64)

    def carrying(self, statement: str, text: str) -> float | None:
        """Return the log odds that ``text`` says all that ``statement`` does; None where they are
        longer than ``PIECES``. Runs in the caller's thread."""
        loaded = self._ready()
        asked, read = loaded.pieces.of(statement, PIECES), loaded.pieces.of(text, PIECES)
        if len(asked) + len(read) + 3 > PIECES:
            return None
        return _run_pair(loaded, asked, read, _CARRIES)

    def _in_threads(self, read: Callable[[_Given], _Made], given: Sequence[_Given]) -> list[_Made]:
        lanes = self._threads
        with ThreadPoolExecutor(lanes, thread_name_prefix="cross-encoder") as pool:
            # A lane for each thread, since most of what is read takes less than a hand-over.
            parts = [
                pool.submit(lambda part: [*map(read, part)], given[k::lanes]) for k in range(lanes)
            ]
            made = [part.result() for part in parts]
        return [made[at % lanes][at // lanes] for at in range(len(given))]

    def close(self) -> None:
        """Free the memory; the next use loads again."""
        with self._lock:
            self._loaded = None

    def _ready(self) -> _Loaded:
        with self._lock:
            if self._loaded is None:
                pieces = Pieces(whole_tokenizer(self._tokenizer_path))
                self._loaded = _Loaded(open_session(self._model_path), pieces)
            return self._loaded


def _run_window(loaded: _Loaded, asked: list[int], window: Window) -> list[float]:
    behind = len(asked) + 2
    parts = np.zeros((len(window.spans), behind + len(window.pieces)), dtype=np.float32)
    for part, (start, end) in zip(parts, window.spans, strict=True):
        part[behind + start : behind + end] = 1.0
    logits = _run(loaded, asked, window.pieces, parts, parts, _BELONGS)
    found: list[float] = logits.astype(np.float64).tolist()
    return found


def _run_pair(loaded: _Loaded, asked: list[int], read: list[int], output: int) -> float:
    text = [*read, loaded.pieces.behind]
    pooled = np.ones((1, len(asked) + 2 + len(text)), dtype=np.float32)
    matched = pooled.copy()
    matched[:, : len(asked) + 2] = 0.0
    return float(_run(loaded, asked, text, pooled, matched, output)[0])


def _run(
    loaded: _Loaded,
    asked: Sequence[int],
    text: Sequence[int],
    pooled: NDArray[np.float32],
    matched: NDArray[np.float32],
    output: int,
) -> NDArray[np.float32]:
    first = [loaded.pieces.first, *asked, loaded.pieces.behind]
    ids = np.array([[*first, *text]], dtype=np.int64)
    feeds = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.array([[0] * len(first) + [1] * len(text)], dtype=np.int64),
        "pooled": pooled,
        "matched": matched,
        "changed": np.array(_CHANGED[output], dtype=np.float32),
    }
    found: NDArray[np.float32] = loaded.session.run(None, feeds)[0][:, output]
    return found
