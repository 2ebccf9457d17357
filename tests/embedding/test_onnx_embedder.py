"""The bundled embedder."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import onnxruntime
import pytest

from phasergun_desktop.embedding.kernel import class_of_flags, kernel_class
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.pooling import mean_pooled
from phasergun_desktop.errors import ModelError


@pytest.fixture
def embedder(embedder_path: Path) -> Iterator[OnnxEmbedder]:
    made = OnnxEmbedder(
        embedder_path / "all-MiniLM-L6-v2-int8.onnx", embedder_path / "tokenizer.json"
    )
    yield made
    made.close()


def test_a_vector_depends_on_its_text_alone(embedder: OnnxEmbedder) -> None:
    texts = ["design review", "blood glucose meter " * 30, "", "Retention is 15 years."]
    together = embedder.embed(texts)
    alone = np.concatenate([embedder.embed([text]) for text in texts])
    assert together.shape == (4, 384)
    assert together.dtype == np.float32
    assert np.array_equal(together, alone)
    assert np.allclose(np.linalg.norm(together, axis=1), 1.0, atol=1e-5)
    assert np.array_equal(embedder.embed(texts[::-1]), together[::-1])


def test_meaning_is_near(embedder: OnnxEmbedder) -> None:
    question, near, far = embedder.embed(
        [
            "How long are records kept?",
            "Records are retained for five years.",
            "The strip has a dehydrogenase enzyme.",
        ]
    )
    assert float(question @ near) > float(question @ far) + 0.2


def test_every_word_piece_has_a_vector_of_its_own(embedder: OnnxEmbedder) -> None:
    text = "Glucose meters measure blood glucose."
    rows = embedder.token_vectors(text)
    assert rows.shape == (embedder.count_tokens(text), 384)
    assert rows.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, atol=1e-5)
    # The same word is near to itself in other company, a different one is not.
    again = embedder.token_vectors("Blood glucose is measured.")
    assert rows[-2] @ again[1] > 0.7 > rows[-2] @ again[3]


def test_long_and_empty_texts_have_as_many_vectors_as_are_read(embedder: OnnxEmbedder) -> None:
    assert embedder.token_vectors("meter " * 400).shape == (254, 384)
    assert embedder.token_vectors("").shape == (0, 384)


def test_tokens_are_counted_without_a_limit_and_with_their_places(embedder: OnnxEmbedder) -> None:
    text = "Haematocrit of 0.6 µL – GT2-310 " * 200
    offsets = embedder.token_offsets(text)
    assert len(offsets) == embedder.count_tokens(text) > 1000
    assert text[offsets[0][0] : offsets[0][1]] == "Ha"
    assert offsets[-1][1] <= len(text)


def test_several_threads_get_the_same_vectors(embedder: OnnxEmbedder) -> None:
    texts = [f"text {number} about calibration" for number in range(6)]
    expected = embedder.embed(texts)
    results: list[bool] = []
    threads = [
        threading.Thread(
            target=lambda: results.append(np.array_equal(embedder.embed(texts), expected))
        )
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 4


def test_identity_names_model_and_kernel(embedder: OnnxEmbedder) -> None:
    assert embedder.identity.startswith("all-MiniLM-L6-v2-int8:")
    assert f":{kernel_class()}:" in embedder.identity
    assert onnxruntime.__version__.startswith(embedder.identity.rpartition(":")[2] + ".")


def test_a_missing_or_damaged_model_is_a_sentence(tmp_path: Path, embedder_path: Path) -> None:
    tokenizer = embedder_path / "tokenizer.json"
    with pytest.raises(ModelError, match="not there"):
        OnnxEmbedder(tmp_path / "none.onnx", tokenizer).embed(["a"])
    late = OnnxEmbedder(tmp_path / "late.onnx", tokenizer)
    assert late.identity.startswith("late:absent:")
    (tmp_path / "late.onnx").symlink_to(embedder_path / "all-MiniLM-L6-v2-int8.onnx")
    # An index by that name has no vectors: those of the file would find nothing.
    for use in (late.embed, lambda texts: late.count_tokens(texts[0])):
        with pytest.raises(ModelError, match="not there"):
            use(["a"])
    damaged = tmp_path / "model.onnx"
    damaged.write_bytes(b"not a model")
    with pytest.raises(ModelError, match="not a model"):
        OnnxEmbedder(damaged, tokenizer).embed(["a"])
    bad_tokenizer = tmp_path / "tokenizer.json"
    bad_tokenizer.write_text("{}")
    with pytest.raises(ModelError, match="not a model"):
        OnnxEmbedder(damaged, bad_tokenizer).count_tokens("a")


def test_pooling_leaves_padding_out() -> None:
    hidden = np.array([[[3.0, 0.0], [0.0, 4.0], [9.0, 9.0]]], dtype=np.float32)
    mask = np.array([[1, 1, 0]], dtype=np.int64)
    assert np.allclose(mean_pooled(hidden, mask), [[0.6, 0.8]])


@pytest.mark.parametrize(
    ("flags", "expected"),
    [
        ({"avx2", "avx512f", "avx512_vnni"}, "avx512_vnni"),
        ({"avx2", "avx_vnni"}, "avx_vnni"),
        ({"avx2", "avx512f"}, "avx512"),
        ({"avx2"}, "avx2"),
        (set(), "sse"),
    ],
)
def test_the_kernel_class_follows_the_processor(flags: set[str], expected: str) -> None:
    assert class_of_flags(frozenset(flags)) == expected
