"""The bundled models against what they are made from; needs the extra custom-models."""

from __future__ import annotations

import json
import shutil
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.model_store import open_store
from phasergun_desktop.paths import resources_path

pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")

TEXTS = [
    "The device measures glucose in interstitial fluid.",
    "Biocompatibility was evaluated according to ISO 10993-1 and ISO 10993-10.",
    "MARD 9.2 % against YSI, n = 158 subjects, 14 days of wear.",
    "The predicate device, K190000, has the same intended use and a similar technology.",
    "No.",
    "Électrode, Größe, 温度 — punctuation … and symbols ≥ 37 °C.",
    "Risks were estimated before and after mitigation; residual risk is acceptable. " * 12,
    "1.2 The quality manager reviews each complaint within five working days.",
    "| attribute | subject device | predicate |",
    "What happens when the sensor loses its connection to the reader?",
]


def _reference_folder(folder: Path, weights: Path) -> Path:
    """A sentence-transformers model folder around the publisher's weights."""
    (folder / "1_Pooling").mkdir(parents=True)
    shutil.copyfile(weights, folder / "model.safetensors")
    shutil.copyfile(resources_path() / "models" / "tokenizer.json", folder / "tokenizer.json")
    files: dict[str, object] = {
        "config.json": {
            "architectures": ["BertModel"],
            "model_type": "bert",
            "hidden_act": "gelu",
            "hidden_size": 384,
            "intermediate_size": 1536,
            "layer_norm_eps": 1e-12,
            "max_position_embeddings": 512,
            "num_attention_heads": 12,
            "num_hidden_layers": 6,
            "type_vocab_size": 2,
            "vocab_size": 30522,
            "pad_token_id": 0,
        },
        "tokenizer_config.json": {
            "tokenizer_class": "BertTokenizer",
            "do_lower_case": True,
            "model_max_length": 256,
        },
        "modules.json": [
            {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
            {
                "idx": 1,
                "name": "1",
                "path": "1_Pooling",
                "type": "sentence_transformers.models.Pooling",
            },
            {
                "idx": 2,
                "name": "2",
                "path": "2_Normalize",
                "type": "sentence_transformers.models.Normalize",
            },
        ],
        "sentence_bert_config.json": {"max_seq_length": 256, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": 384,
            "pooling_mode_mean_tokens": True,
        },
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder


@pytest.fixture(scope="module")
def weights(models_path: Path) -> Path:
    """The publisher's weights, which the set-up with custom-models fetches."""
    store = open_store(models_path, resources_path())
    return run_to_end(store.fetch("all-minilm-l6-v2-weights"))


@pytest.fixture(scope="module")
def reference(weights: Path, tmp_path_factory: pytest.TempPathFactory) -> np.ndarray:
    """What sentence-transformers says: float32 of shape (texts, 384), L2 norm 1."""
    folder = _reference_folder(tmp_path_factory.mktemp("reference") / "model", weights)
    with warnings.catch_warnings():
        # Their warnings about their own parts say nothing about ours.
        warnings.simplefilter("ignore")
        from sentence_transformers import SentenceTransformer

        model = SentenceTransformer(str(folder), device="cpu", local_files_only=True)
        vectors = model.encode(TEXTS, show_progress_bar=False, batch_size=1)
    return np.asarray(vectors, dtype=np.float32)


def _embed(model: bytes | str, texts: Sequence[str]) -> np.ndarray:
    import onnxruntime
    from tokenizers import Tokenizer

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = 1
    session = onnxruntime.InferenceSession(model, options, providers=["CPUExecutionProvider"])
    tokenizer = Tokenizer.from_file(str(resources_path() / "models" / "tokenizer.json"))
    tokenizer.enable_truncation(256)
    tokenizer.no_padding()
    rows = []
    for text in texts:
        ids = np.array([tokenizer.encode(text).ids], dtype=np.int64)
        feed: dict[str, Any] = {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        }
        mean = session.run(["last_hidden_state"], feed)[0][0].mean(axis=0)
        rows.append(mean / np.linalg.norm(mean))
    return np.array(rows, dtype=np.float32)


def test_fp32_is_the_reference(weights: Path, reference: np.ndarray) -> None:
    from export_embedder import export

    cosine = (_embed(export(weights, int8=False), TEXTS) * reference).sum(axis=1)
    assert cosine.min() >= 0.9999, cosine


def test_int8_stays_close(reference: np.ndarray) -> None:
    """Measured here: 0.969 for a text of one word, else 0.989 to 0.996, median 0.992.

    On 60 texts of about 200 word pieces: 0.987 to 0.998, mean 0.994; with onnxruntime's own
    quantiser 0.982 to 0.998, mean 0.994, and with its reduce_range 0.979, mean 0.992.
    """
    path = resources_path() / "models" / "all-MiniLM-L6-v2-int8.onnx"
    cosine = (_embed(str(path), TEXTS) * reference).sum(axis=1)
    assert cosine.min() >= 0.96, cosine
    assert np.median(cosine) >= 0.99, cosine


def test_the_export_gives_the_bundled_bytes(weights: Path) -> None:
    from export_embedder import export

    bundled = resources_path() / "models" / "all-MiniLM-L6-v2-int8.onnx"
    assert export(weights, int8=True) == bundled.read_bytes()


def test_no_pair_of_weights_can_saturate(weights: Path) -> None:
    from embedder_graph import quantise_columns
    from safetensors.numpy import load_file

    tensors = load_file(weights)
    dense = [t for name, t in tensors.items() if t.ndim == 2 and name.startswith("encoder")]
    assert len(dense) == 36
    for weight in dense:
        quantised, scale = quantise_columns(weight.T)
        groups = np.sort(np.abs(quantised.astype(np.int32)).reshape(-1, 4, weight.shape[0]), axis=1)
        assert groups[:, 2:].sum(axis=1).max() <= 128
        assert np.abs(quantised * scale - weight.T).max() <= scale.max() * 0.5001


def test_padding_does_not_change_a_vector(weights: Path) -> None:
    import onnxruntime
    from export_embedder import export

    session = onnxruntime.InferenceSession(
        export(weights, int8=False), providers=["CPUExecutionProvider"]
    )
    ids = np.array([[101, 2054, 2003, 102]], dtype=np.int64)
    padded = np.array([[101, 2054, 2003, 102, 0, 0, 0]], dtype=np.int64)
    mask = (padded != 0).astype(np.int64)
    short = session.run(
        None,
        {
            "input_ids": ids,
            "attention_mask": np.ones_like(ids),
            "token_type_ids": np.zeros_like(ids),
        },
    )[0]
    long = session.run(
        None,
        {"input_ids": padded, "attention_mask": mask, "token_type_ids": np.zeros_like(padded)},
    )[0]
    assert np.abs(long[:, :4] - short).max() < 1e-5


def test_changes_count_as_far_as_the_cross_encoder_is_told() -> None:
    import onnx
    import onnxruntime

    path = resources_path() / "models" / "cross-encoder-int8.onnx"
    without = onnx.load(path)
    factors = [each for each in without.graph.initializer if each.name.endswith("change.up.int8")]
    assert factors
    for each in factors:
        zeros = np.zeros(tuple(each.dims), dtype=np.int8)
        each.CopyFrom(onnx.numpy_helper.from_array(zeros, each.name))
    ids = np.array([[101, 2040, 3084, 2009, 102, 2081, 2011, 1037, 102]], dtype=np.int64)
    pair = {
        "input_ids": ids,
        "attention_mask": np.ones_like(ids),
        "token_type_ids": np.array([[0] * 5 + [1] * 4], dtype=np.int64),
        "pooled": np.ones(ids.shape, dtype=np.float32),
        "matched": np.array([[0] * 5 + [1] * 4], dtype=np.float32),
    }

    def said(model: bytes, *counted: float) -> NDArray[np.float32]:
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        told = {**pair, "changed": np.array(counted, dtype=np.float32)}
        logits: NDArray[np.float32] = session.run(None, told)[0]
        return logits

    shipped = path.read_bytes()
    plain = said(without.SerializeToString(), 1.0, 1.0)
    assert np.array_equal(said(shipped, 0.0, 0.0), plain)
    of_questions, of_statements = said(shipped, 1.0, 0.0), said(shipped, 0.0, 1.0)
    for counted in (of_questions, of_statements, of_questions - of_statements + plain):
        assert np.abs(counted - plain).max() > 0.01


def test_the_weights_of_the_shipped_cross_encoder_make_it_again() -> None:
    import onnx
    from embedder_graph import build_cross_encoder, changes_of, weights_of

    shipped = onnx.load(resources_path() / "models" / "cross-encoder-int8.onnx")
    again = build_cross_encoder(weights_of(shipped), int8=True, changes=changes_of(shipped))
    constants = {each.name: onnx.numpy_helper.to_array(each) for each in again.graph.initializer}
    assert len(constants) == len(shipped.graph.initializer)
    for each in shipped.graph.initializer:
        # The last digit of a scale may differ.
        expected = onnx.numpy_helper.to_array(each)
        assert np.allclose(constants[each.name], expected, rtol=1e-5, atol=1e-6), each.name
