"""The bundled embedder: all-MiniLM-L6-v2 in ONNX Runtime, one text per run."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.kernel import kernel_class
from phasergun_desktop.embedding.onnx_files import absent, must_exist, open_session, whole_tokenizer
from phasergun_desktop.embedding.pooling import mean_pooled, normalised
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

DIMENSIONS = 384
MAX_TOKENS = 256


@dataclass(frozen=True, slots=True)
class _Loaded:
    """``tokenizer`` cuts no text."""

    session: InferenceSession
    inputs: frozenset[str]
    tokenizer: Tokenizer


class OnnxEmbedder:
    """Embeds in ``threads`` threads, which share one session; nothing is loaded before first use.

    One text per run: with dynamic int8 a batch scales its activations together, and a vector
    would depend on its neighbours. Safe to use from several threads. A missing or damaged
    model raises ``ModelError`` at first use; one that was missing when its ``identity`` was asked
    for does so to the end, since nothing is by that name.
    """

    def __init__(self, model: Path, tokenizer: Path, *, threads: int = 2) -> None:
        self._model_path = model
        self._tokenizer_path = tokenizer
        self._threads = max(threads, 1)
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._identity = ""
        self._absent: ModelError | None = None
        self._tokenizer: Tokenizer | None = None

    @property
    def identity(self) -> str:
        """Model name, digest of model and tokenizer, kernel class, and version of the runtime.

        Between versions 1.28 and 1.31 the vectors of one text had a cosine of 0.993 at worst.
        """
        with self._lock:
            if not self._identity:
                name = self._model_path.stem
                try:
                    digest = _digest(self._model_path, self._tokenizer_path)
                except ModelError as error:
                    self._absent = error
                    digest = "absent"
                runtime = ".".join(version("onnxruntime").split(".")[:2])
                self._identity = f"{name}:{digest[:16]}:{kernel_class()}:{runtime}"
            return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector: 384."""
        return DIMENSIONS

    @property
    def max_tokens(self) -> int:
        """Word pieces that the model reads, the two special ones included: 256."""
        return MAX_TOKENS

    def count_tokens(self, text: str) -> int:
        """Word pieces of ``text`` without the special ones, not truncated."""
        return len(self._uncut().encode(text, add_special_tokens=False))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Code-point spans of the word pieces of ``text``, not truncated."""
        encoded = self._uncut().encode(text, add_special_tokens=False)
        offsets: list[tuple[int, int]] = encoded.offsets
        return offsets

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), 384), L2 norm 1, one text per run.

        Pieces after the 256th are not read.
        """
        if not texts:
            return np.zeros((0, DIMENSIONS), dtype=np.float32)
        loaded = self._ready()
        if len(texts) == 1:
            return _run(loaded, texts[0])
        with ThreadPoolExecutor(self._threads, "embedder") as pool:
            return np.concatenate(list(pool.map(partial(_run, loaded), texts)))

    def token_vectors(self, text: str) -> Vector:
        """Return float32 of shape (pieces, 384), L2 norm 1 a row, at most 254 pieces."""
        loaded = self._ready()
        hidden, mask = _hidden(loaded, text)
        # The first and the last piece are the special ones.
        return normalised(hidden[0, 1 : mask.shape[1] - 1])

    def close(self) -> None:
        """Free the memory; the next use loads again."""
        with self._lock:
            self._loaded = self._tokenizer = None

    def _uncut(self) -> Tokenizer:
        # Packing windows needs no sessions.
        with self._lock:
            if self._absent is not None:
                raise ModelError(self._absent.title, self._absent.message, self._absent.remedy)
            if self._tokenizer is None:
                self._tokenizer = whole_tokenizer(self._tokenizer_path)
            return self._tokenizer

    def _ready(self) -> _Loaded:
        tokenizer = self._uncut()
        with self._lock:
            if self._loaded is None:
                session = open_session(self._model_path)
                inputs = frozenset(each.name for each in session.get_inputs())
                self._loaded = _Loaded(session, inputs, tokenizer)
            return self._loaded


def _run(loaded: _Loaded, text: str) -> Vector:
    return mean_pooled(*_hidden(loaded, text))


def _hidden(loaded: _Loaded, text: str) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """Return the last layer, shape (1, pieces, 384), and the mask, shape (1, pieces)."""
    ids = loaded.tokenizer.encode(text).ids
    if len(ids) > MAX_TOKENS:
        # The last piece is a special one.
        ids = [*ids[: MAX_TOKENS - 1], ids[-1]]
    pieces = np.array([ids], dtype=np.int64)
    mask = np.ones_like(pieces)
    feeds = {"input_ids": pieces, "attention_mask": mask}
    if "token_type_ids" in loaded.inputs:
        feeds["token_type_ids"] = np.zeros_like(mask)
    return loaded.session.run(None, feeds)[0], mask


def _digest(*paths: Path) -> str:
    digest = hashlib.sha256()
    for path in paths:
        must_exist(path)
        try:
            with path.open("rb") as stream:
                hashlib.file_digest(stream, lambda: digest)
        except OSError as error:
            raise absent(path) from error
    return digest.hexdigest()
