"""An embedder for a model folder of the user's own (extra ``custom-models``)."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.pooling import normalised
from phasergun_desktop.errors import ModelError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


class SentenceTransformersEmbedder:
    """Runs a local sentence-transformers folder on the processor; never fetches anything."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._lock = threading.Lock()
        self._model: SentenceTransformer | None = None
        self._identity = ""

    @property
    def identity(self) -> str:
        """Folder name and digest of its weights and tokenizer."""
        if not self._identity:
            self._identity = f"{self._folder.name}:{_folder_digest(self._folder)[:16]}:torch"
        return self._identity

    @property
    def dimensions(self) -> int:
        """Length of a vector."""
        return int(self._ready().get_embedding_dimension() or 0)

    @property
    def max_tokens(self) -> int:
        """Word pieces that the model reads, the special ones included."""
        return int(self._ready().max_seq_length or 512)

    def count_tokens(self, text: str) -> int:
        """Word pieces of ``text`` without the special ones, not truncated."""
        return len(self.token_offsets(text))

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Code-point spans of the word pieces of ``text``, not truncated."""
        encoded = self._ready().tokenizer(
            text,
            add_special_tokens=False,
            truncation=False,
            return_offsets_mapping=True,
            verbose=False,
        )
        return [(int(start), int(end)) for start, end in encoded["offset_mapping"]]

    def embed(self, texts: Sequence[str]) -> Vector:
        """Return float32 of shape (len(texts), dimensions), L2 norm 1, one text per run."""
        if not texts:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        with self._lock:
            model = self._load()
            rows = model.encode(
                list(texts), batch_size=1, convert_to_numpy=True, show_progress_bar=False
            )
        return normalised(np.asarray(rows, dtype=np.float32))

    def token_vectors(self, text: str) -> Vector:
        """Return float32 of shape (pieces, dimensions), L2 norm 1 a row, special ones left out."""
        with self._lock:
            model = self._load()
            rows = model.encode(text, output_value="token_embeddings", show_progress_bar=False)
            marks = model.tokenizer(
                text,
                truncation=True,
                max_length=model.max_seq_length,
                return_special_tokens_mask=True,
                verbose=False,
            )["special_tokens_mask"]
        kept = [place for place, is_special in enumerate(marks) if not is_special]
        return normalised(np.asarray(rows.cpu(), dtype=np.float32)[kept])

    def _ready(self) -> SentenceTransformer:
        with self._lock:
            return self._load()

    def _load(self) -> SentenceTransformer:
        if self._model is None:
            try:
                from sentence_transformers import SentenceTransformer  # noqa: PLC0415
            except ImportError as error:
                raise ModelError(
                    "Extra not installed",
                    "A model folder of your own needs the extra custom-models.",
                    "Run the set-up with: --with custom-models",
                ) from error
            try:
                self._model = SentenceTransformer(
                    str(self._folder), device="cpu", local_files_only=True
                )
            except (OSError, ValueError, KeyError) as error:
                raise _not_a_model(self._folder) from error
        return self._model


def _folder_digest(folder: Path) -> str:
    names = ("*.safetensors", "*.bin", "tokenizer.json", "vocab.txt", "*config*.json")
    files = sorted({path for name in names for path in folder.rglob(name) if path.is_file()})
    if not files:
        raise _not_a_model(folder)
    digest = hashlib.sha256()
    for path in files:
        digest.update(path.relative_to(folder).as_posix().encode("utf-8", "replace"))
        try:
            digest.update(path.read_bytes())
        except OSError as error:
            raise _not_a_model(folder) from error
    return digest.hexdigest()


def _not_a_model(folder: Path) -> ModelError:
    return ModelError(
        "Model folder not usable",
        f"{folder.name} is not a sentence-transformers model that can be loaded.",
        "Choose the folder that holds the model's config.json and weights.",
    )
