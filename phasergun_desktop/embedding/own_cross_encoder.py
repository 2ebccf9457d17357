"""A cross-encoder of the user's own: a sentence-transformers folder or an ONNX file."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from phasergun_desktop.embedding.onnx_files import open_session, open_tokenizer
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

ONNX_SUFFIX = ".onnx"
_TOKENIZER = "tokenizer.json"
# Word pieces of query and text together: what models of this kind read.
_MOST_PIECES = 512
_EXTRA = "Run the set-up with: --with custom-models"

_WRONG_FILE = (OSError, ValueError, KeyError, IndexError, TypeError, RuntimeError, ImportError)

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
        self,
        query: str,
        texts: Sequence[str],
        should_stop: Callable[[], bool] | None = None,
    ) -> list[float]:
        """Return the score of each text, one pair a run, so that a score depends on nothing else.
        Raises ``ModelError`` where the model cannot be used."""
        del should_stop
        # The window asks whether a path can be one, and starts without numpy.
        import numpy as np  # noqa: PLC0415

        if not texts:
            return []
        with self._lock:
            if self._run is None:
                self._run = self._loaded()
            with _told(self._path):
                rows = self._run([(query, text) for text in texts])
        made = [np.asarray(row, dtype=np.float64).ravel() for row in rows]
        if any(len(row) != 1 or not np.isfinite(row).all() for row in made):
            raise ModelError(
                "Not a reranker",
                f"{self._path.name} does not give one number for a question and a passage.",
                "Choose a cross-encoder with one output.",
            )
        return [float(row[0]) for row in made]

    def _loaded(self) -> _Run:
        problem = cross_encoder_problem(self._path)
        if problem is not None:
            raise problem
        return _of_file(self._path) if _is_onnx(self._path) else _of_folder(self._path)


def cross_encoder_problem(path: Path) -> ModelError | None:
    """Return why ``path`` cannot be a cross-encoder, None where it may be one; nothing is
    loaded."""
    if _is_onnx(path):
        is_there = path.is_file() and (path.parent / _TOKENIZER).is_file()
        return None if is_there else _not_usable(path)
    if not (path.is_dir() and (path / "config.json").is_file()):
        return _not_usable(path)
    if find_spec("sentence_transformers") is None:
        return ModelError(
            "Extra not installed",
            "A model folder of your own needs the extra custom-models.",
            _EXTRA,
        )
    return None


def _is_onnx(path: Path) -> bool:
    return path.suffix.lower() == ONNX_SUFFIX


def _of_file(path: Path) -> _Run:
    import numpy as np  # noqa: PLC0415

    with _told(path):
        session, tokenizer = open_session(path), open_tokenizer(path.parent / _TOKENIZER)
    names = {each.name for each in session.get_inputs()}
    most = min((tokenizer.truncation or {}).get("max_length", _MOST_PIECES), _MOST_PIECES)
    tokenizer.enable_truncation(most)
    tokenizer.no_padding()

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


def _of_folder(path: Path) -> _Run:
    from sentence_transformers import CrossEncoder  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    # It would go to stderr.
    logging.disable_progress_bar()
    with _told(path):
        model = CrossEncoder(
            str(path),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            # A pickle may run code.
            model_kwargs={"use_safetensors": True},
        )

    def run(pairs: list[tuple[str, str]]) -> Sequence[np.ndarray]:
        return list(model.predict(pairs, batch_size=1, show_progress_bar=False))

    return run


@contextmanager
def _told(path: Path) -> Iterator[None]:
    """Tell in a sentence whatever the libraries raise for a file that is not what it should be."""
    try:
        yield
    except (ModelError, *_WRONG_FILE) as error:
        raise _not_usable(path) from error
    except Exception as error:
        # Classes of these libraries derive from Exception directly.
        if type(error).__module__.startswith(("onnxruntime", "safetensors")):
            raise _not_usable(path) from error
        raise


def _not_usable(path: Path) -> ModelError:
    if _is_onnx(path):
        return ModelError(
            "Reranker not usable",
            f"{path.name} is not a cross-encoder that can be loaded, or has no {_TOKENIZER} "
            "beside it.",
            "Choose another file, or another way to rerank, in Edit › Settings.",
        )
    is_not = f"{path.name} is not a folder with a cross-encoder that can be loaded."
    return ModelError(
        "Reranker not usable",
        is_not if path.name else "No cross-encoder that can be loaded is named.",
        "Choose the folder with its config.json and model.safetensors, or another way to rerank, "
        "in Edit › Settings.",
    )
