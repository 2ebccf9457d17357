"""A model of the user's own: a sentence-transformers folder, or an ONNX file with its tokenizer."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from phasergun_desktop.embedding.onnx_files import open_session, open_tokenizer
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    from onnxruntime import InferenceSession
    from tokenizers import Tokenizer

ONNX_SUFFIX = ".onnx"
TOKENIZER = "tokenizer.json"
# Word pieces that models of this kind read at most.
_MOST_PIECES = 512
_EXTRA = "Run the set-up with: --with custom-models"
_WRONG_FILE = (OSError, ValueError, KeyError, IndexError, TypeError, RuntimeError, ImportError)


@dataclass(frozen=True, slots=True)
class OwnModel:
    """What ``path`` should be: ``what`` ("an embedder"), which cannot be used for its ``task``
    ("Search") where it is not; ``otherwise`` names what else can be chosen."""

    path: Path
    what: str
    title: str
    otherwise: str

    @property
    def is_onnx(self) -> bool:
        """Whether it is a file for ONNX Runtime."""
        return self.path.suffix.lower() == ONNX_SUFFIX

    def problem(self) -> ModelError | None:
        """Return why it cannot be used, None where it may be usable; nothing is loaded."""
        if self.is_onnx:
            is_there = self.path.is_file() and (self.path.parent / TOKENIZER).is_file()
            return None if is_there else self._not_usable()
        if not (self.path.is_dir() and (self.path / "config.json").is_file()) or self._has_pickle():
            return self._not_usable()
        if find_spec("sentence_transformers") is None:
            return ModelError(
                "Extra not installed",
                "A model folder of your own needs the extra custom-models.",
                _EXTRA,
            )
        return None

    def require(self) -> None:
        """Raise ``ModelError`` where there is a problem."""
        problem = self.problem()
        if problem is not None:
            raise problem

    def opened(self, pieces: int | None = None) -> tuple[InferenceSession, Tokenizer]:
        """Return the session of an ONNX file, and its tokenizer, which cuts at ``pieces`` word
        pieces (by default as its own file says) and does not pad."""
        with self.told():
            session = open_session(self.path)
            tokenizer = open_tokenizer(self.path.parent / TOKENIZER)
        said = (tokenizer.truncation or {}).get("max_length", _MOST_PIECES)
        tokenizer.enable_truncation(min(pieces or said, _MOST_PIECES))
        tokenizer.no_padding()
        return session, tokenizer

    @contextmanager
    def told(self) -> Iterator[None]:
        """Tell in a sentence whatever the libraries raise for a file that is not what it should
        be."""
        try:
            yield
        except (ModelError, *_WRONG_FILE) as error:
            raise self._not_usable() from error
        except BaseException as error:
            # Classes of these libraries derive from Exception directly, and the panic of a
            # tokenizer (``pyo3_runtime``) from BaseException.
            if type(error).__module__.startswith(("onnxruntime", "safetensors", "pyo3_runtime")):
                raise self._not_usable() from error
            raise

    def _has_pickle(self) -> bool:
        # A pickle may run code.
        return any(
            not path.with_name("model.safetensors").is_file()
            for path in self.path.rglob("pytorch_model.bin")
        )

    def _not_usable(self) -> ModelError:
        name, what = self.path.name, self.what
        if self.is_onnx:
            return ModelError(
                self.title,
                f"{name} is not {what} that can be loaded, or has no {TOKENIZER} beside it.",
                f"Choose another file, or {self.otherwise}, in Edit › Settings.",
            )
        is_not = f"{name} is not a folder with {what} that can be loaded."
        return ModelError(
            self.title,
            is_not if name else f"No {what.partition(' ')[2]} that can be loaded is named.",
            "Choose the folder with its config.json and model.safetensors, or "
            f"{self.otherwise}, in Edit › Settings.",
        )


def prepare_libraries() -> None:
    """Keep from stderr what is said while a folder is loaded, and compute in one thread: two wait
    for one another, ten times as long beside other work."""
    import torch  # noqa: PLC0415
    from transformers.utils import logging  # noqa: PLC0415

    torch.set_num_threads(1)
    logging.disable_progress_bar()
    logging.set_verbosity_error()
