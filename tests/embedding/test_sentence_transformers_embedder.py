"""A model folder of the user's own: what is wrong with it is a sentence."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.embedding.sentence_transformers_embedder import (
    SentenceTransformersEmbedder,
)
from phasergun_desktop.errors import ModelError


def test_identity_follows_the_content_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "model.safetensors").write_bytes(b"weights")
    first = SentenceTransformersEmbedder(tmp_path).identity
    assert SentenceTransformersEmbedder(tmp_path).identity == first
    (tmp_path / "model.safetensors").write_bytes(b"others!")
    assert SentenceTransformersEmbedder(tmp_path).identity != first


def test_an_empty_folder_is_not_a_model(tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="not a sentence-transformers model"):
        _ = SentenceTransformersEmbedder(tmp_path).identity
