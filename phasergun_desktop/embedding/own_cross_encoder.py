"""A cross-encoder of the user's own: a sentence-transformers folder or an ONNX file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from phasergun_desktop.embedding.own_model import OwnModel, prepare_libraries
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

# Returns one logit or more for each pair.
_Run: TypeAlias = "Callable[[list[tuple[str, str]]], Sequence[np.ndarray]]"


class CrossEncoderReranker:
    """Reads a query and a text together; a higher score is a better answer. Loaded at first use,
    from ``path`` alone: nothing is fetched, and no code of the folder is run. Safe to use from
    several threads."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._run: _Run | None = None

    @property
    def identity(self) -> str:
        """What tells it from others."""
        return str(self._path)

    def scores(
        self, query: str, texts: Sequence[str], should_stop: Callable[[], bool] | None = None
    ) -> list[float]:
        """Return the score of each text, one pair a run, so that a score depends on nothing else.
        Raises ``ModelError`` where the model cannot be used."""
        del should_stop
        # The window asks whether a path can be one, and starts without numpy.
        import numpy as np  # noqa: PLC0415

        if not texts:
            return []
        model = cross_encoder(self._path)
        with self._lock:
            if self._run is None:
                model.require()
                self._run = _of_file(model) if model.is_onnx else _of_folder(model)
            with model.told():
                rows = self._run([(query, text) for text in texts])
        made = [np.asarray(row, dtype=np.float64).ravel() for row in rows]
        if any(len(row) != 1 or not np.isfinite(row).all() for row in made):
            raise ModelError(
                "Not a reranker",
                f"{self._path.name} does not give one number for a question and a passage.",
                "Choose a cross-encoder with one output.",
            )
        return [float(row[0]) for row in made]


def cross_encoder(path: Path) -> OwnModel:
    """Return what ``path`` should be."""
    return OwnModel(path, "a cross-encoder", "Reranker not usable", "another way to rerank")


def _of_file(model: OwnModel) -> _Run:
    import numpy as np  # noqa: PLC0415

    session, tokenizer = model.opened()
    names = {each.name for each in session.get_inputs()}

    def run(pairs: list[tuple[str, str]]) -> Sequence[np.ndarray]:
        rows = []
        for query, text in pairs:
            read = tokenizer.encode(query, text)
            inputs = {
                "input_ids": read.ids,
                "attention_mask": read.attention_mask,
                "token_type_ids": read.type_ids,
            }
            feeds = {n: np.array([ids], dtype=np.int64) for n, ids in inputs.items() if n in names}
            rows.append(session.run(None, feeds)[0])
        return rows

    return run


def _of_folder(model: OwnModel) -> _Run:
    from sentence_transformers import CrossEncoder  # noqa: PLC0415

    prepare_libraries()
    with model.told():
        loaded = CrossEncoder(
            str(model.path),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            # A pickle may run code.
            model_kwargs={"use_safetensors": True},
        )

    def run(pairs: list[tuple[str, str]]) -> Sequence[np.ndarray]:
        return list(loaded.predict(pairs, batch_size=1, show_progress_bar=False))

    return run
