"""An embedder of the user's own: a sentence-transformers folder or an ONNX file."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, TypeAlias

from phasergun_desktop.embedding.kernel import kernel_class
from phasergun_desktop.embedding.own_model import TOKENIZER, OwnModel, prepare_libraries
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    import numpy as np

    from phasergun_desktop.embedding.embedder import Vector

# What its publisher says: how a query and a text begin, how many word pieces are read (that of the
# tokenizer is often too low), and how these make one vector.
_PROMPTS = "config_sentence_transformers.json"
_LENGTH = "sentence_bert_config.json"
_POOLING = "1_Pooling/config.json"
_OUTPUT = "sentence_embedding"
_PARTS = frozenset({".safetensors", ".json", ".txt", ".model"})

# Returns the vector of a text; of a query where the second argument is true.
_Run: TypeAlias = "Callable[[str, bool], np.ndarray]"


class OwnEmbedder:
    """Gives the vectors of searches. Loaded at first use, from ``path`` alone: nothing is fetched,
    no code of the folder is run, no pickle is read. Safe to use from several threads, which wait
    for one text at most. A model that cannot be used raises ``ModelError`` (``identity``
    included)."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._lock = threading.Lock()
        self._run: _Run | None = None
        self._identity = ""
        self._dimensions = 0

    @property
    def identity(self) -> str:
        """Name of the model, digest of its files, and what computes it."""
        model = embedder_model(self._path)
        with self._lock:
            if not self._identity:
                model.require()
                runtime = ":torch"
                if model.is_onnx:
                    number = ".".join(version("onnxruntime").split(".")[:2])
                    runtime = f":{kernel_class()}:{number}"
                with model.told():
                    self._identity = f"{self._path.stem}:{_digest(model)[:16]}{runtime}"
            return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        if not self._dimensions:
            self.embed_query("a")
        return self._dimensions

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1, one text per run."""
        import numpy as np  # noqa: PLC0415

        rows = [self._vector(text, is_query=False) for text in texts]
        return np.array(rows, dtype=np.float32).reshape(len(texts), self.dimensions)

    def embed_query(self, query: str) -> Vector:
        """Return float32 of shape (dimensions,), L2 norm 1."""
        return self._vector(query, is_query=True)

    def _vector(self, text: str, *, is_query: bool) -> Vector:
        # The window asks whether a path can be one, and starts without numpy.
        import numpy as np  # noqa: PLC0415

        from phasergun_desktop.embedding.pooling import normalised  # noqa: PLC0415

        model = embedder_model(self._path)
        with self._lock:
            if self._run is None:
                model.require()
                self._run = _of_file(model) if model.is_onnx else _of_folder(model)
            with model.told():
                row = np.asarray(self._run(text, is_query), dtype=np.float32)
            self._dimensions = self._dimensions or row.size
        if row.shape != (self._dimensions,) or row.size < 2 or not np.isfinite(row).all():
            raise ModelError(
                "Not an embedder",
                f"{self._path.name} does not give one vector for each text.",
                "Choose an embedder, or the bundled model, in Edit › Settings.",
            )
        vector: Vector = normalised(row[np.newaxis])[0]
        return vector


def embedder_model(path: Path) -> OwnModel:
    """Return what ``path`` should be."""
    return OwnModel(path, "an embedder", "Embedder not usable", "the bundled model")


def _of_file(model: OwnModel) -> _Run:
    import numpy as np  # noqa: PLC0415

    from phasergun_desktop.embedding.pooling import mean_pooled  # noqa: PLC0415

    with model.told():
        said = _json(_home(model) / _PROMPTS).get("prompts")
        prompts = said if isinstance(said, dict) else {}
        pieces = _json(_home(model) / _LENGTH).get("max_seq_length")
        is_first = bool(_json(_home(model) / _POOLING).get("pooling_mode_cls_token"))
    most = pieces if isinstance(pieces, int) and pieces > 2 else None
    session, tokenizer = model.opened(most)
    names = {each.name for each in session.get_inputs()}
    outputs = [each.name for each in session.get_outputs()]
    # Else the first one has the vectors of the word pieces.
    output = _OUTPUT if _OUTPUT in outputs else outputs[0]
    of_query = str(prompts.get("query") or "")
    of_text = str(prompts.get("document") or prompts.get("passage") or "")

    def run(text: str, is_query: bool) -> np.ndarray:
        read = tokenizer.encode((of_query if is_query else of_text) + text)
        mask = np.array([read.attention_mask], dtype=np.int64)
        inputs = {
            "input_ids": np.array([read.ids], dtype=np.int64),
            "attention_mask": mask,
            "token_type_ids": np.zeros_like(mask),
        }
        feeds = {name: values for name, values in inputs.items() if name in names}
        made: np.ndarray = session.run([output], feeds)[0]
        if made.ndim == 3:
            made = made[:, 0] if is_first else mean_pooled(made, mask)
        vector: np.ndarray = made[0]
        return vector

    return run


def _of_folder(model: OwnModel) -> _Run:
    from sentence_transformers import SentenceTransformer  # noqa: PLC0415

    prepare_libraries()
    with model.told():
        loaded = SentenceTransformer(
            str(model.path),
            device="cpu",
            local_files_only=True,
            trust_remote_code=False,
            # A pickle may run code.
            model_kwargs={"use_safetensors": True},
        )

    def run(text: str, is_query: bool) -> np.ndarray:
        encode = loaded.encode_query if is_query else loaded.encode_document
        found: np.ndarray = encode([text], show_progress_bar=False)[0]
        return found

    return run


def _json(path: Path) -> Mapping[str, object]:
    if not path.is_file():
        return {}
    found = json.loads(path.read_text("utf-8"))
    return found if isinstance(found, dict) else {}


def _digest(model: OwnModel) -> str:
    digest = hashlib.sha256()
    for path in sorted(set(_files(model))):
        digest.update(path.relative_to(_home(model)).as_posix().encode("utf-8", "replace"))
        with path.open("rb") as stream:
            hashlib.file_digest(stream, lambda: digest)
    return digest.hexdigest()


def _home(model: OwnModel) -> Path:
    return model.path.parent if model.is_onnx else model.path


def _files(model: OwnModel) -> Iterator[Path]:
    """Yield the files that a vector depends on."""
    home = _home(model)
    if not model.is_onnx:
        yield from (each for each in home.rglob("*") if each.suffix in _PARTS and each.is_file())
        return
    # Large ones have their weights beside them, as model.onnx_data.
    yield from home.glob(f"{model.path.name}*")
    said = (TOKENIZER, _PROMPTS, _LENGTH, _POOLING)
    yield from (home / each for each in said if (home / each).is_file())
