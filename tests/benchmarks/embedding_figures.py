"""Embedding: the bundled embedder against sentence-transformers, in turn, on the same texts."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import tempfile
import warnings
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.paths import resources_path
from tests.benchmarks.frame import Figure, Unavailable, alternate, figure, seconds
from tests.benchmarks.glucose import GlucoseProject, model_file

WEIGHTS = "all-minilm-l6-v2-weights"
TOKENS = 256
_SPECIAL = 2


def embedding_speed(project: GlucoseProject, texts: int = 100, pairs: int = 7) -> Iterator[Figure]:
    """Measure both ways on the same texts with the same number of threads."""
    if importlib.util.find_spec("sentence_transformers") is None:
        raise Unavailable("sentence-transformers is absent (extra custom-models)")
    weights = model_file(WEIGHTS)
    threads = max(1, min(2, os.cpu_count() or 1))
    models = resources_path() / "models"
    ours = OnnxEmbedder(
        models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json", threads=threads
    )
    with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
        wanted = _texts(project, ours, texts)
        encode, batch = _reference(_reference_folder(Path(folder), weights), threads, wanted)
        measured = alternate(lambda: ours.embed(wanted), lambda: encode(wanted, batch), pairs)
    ours.close()
    n = len(wanted)
    yield figure(
        "embedding_times_faster",
        "×",
        measured.ratios,
        target=2.3,
        at_least=True,
        note=f"alternated pairs, {n} texts of {TOKENS} tokens, {threads} threads each, both"
        f" warmed up; sentence-transformers in fp32 at its better batch size of 1 and 32"
        f" ({batch}), ours int8 as shipped, one text per run",
    )
    yield figure("embedding_ours", "texts/s", [n / each for each in measured.first_s])
    yield figure(
        "embedding_sentence_transformers", "texts/s", [n / each for each in measured.second_s]
    )


def _texts(project: GlucoseProject, embedder: OnnxEmbedder, count: int) -> list[str]:
    """Cut the project's Markdown into ``count`` different texts of 256 tokens."""
    length = TOKENS - _SPECIAL
    found: list[str] = []
    for path in sorted(project.root.rglob("*.md")):
        text = path.read_text("utf-8", errors="replace")
        offsets = embedder.token_offsets(text)
        for first in range(0, len(offsets) - length, length):
            found.append(text[offsets[first][0] : offsets[first + length - 1][1]])
            if len(found) == count:
                return found
    raise Unavailable(f"the project has text for {len(found)} of {count} texts only")


def _reference(
    folder: Path, threads: int, texts: Sequence[str]
) -> tuple[Callable[[Sequence[str], int], object], int]:
    """Return sentence-transformers' way and the batch size at which it is faster."""
    with warnings.catch_warnings():
        # Their warnings about their own parts say nothing about ours.
        warnings.simplefilter("ignore")
        import torch
        from sentence_transformers import SentenceTransformer

        torch.set_num_threads(threads)
        model: Any = SentenceTransformer(str(folder), device="cpu", local_files_only=True)

    def encode(some: Sequence[str], batch: int) -> object:
        return model.encode(list(some), batch_size=batch, show_progress_bar=False)

    sample = texts[: max(8, len(texts) // 3)]
    encode(sample[:8], 8)
    spent = {batch: seconds(partial(encode, sample, batch)) for batch in (1, 32)}
    return encode, min(spent, key=lambda batch: spent[batch])


def _reference_folder(folder: Path, weights: Path) -> Path:
    """Build a sentence-transformers model folder around the publisher's weights."""
    (folder / "1_Pooling").mkdir(parents=True)
    shutil.copyfile(weights, folder / "model.safetensors")
    shutil.copyfile(resources_path() / "models" / "tokenizer.json", folder / "tokenizer.json")
    modules = (("", "Transformer"), ("1_Pooling", "Pooling"), ("2_Normalize", "Normalize"))
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
            "model_max_length": TOKENS,
        },
        "modules.json": [
            {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{of}"}
            for at, (path, of) in enumerate(modules)
        ],
        "sentence_bert_config.json": {"max_seq_length": TOKENS, "do_lower_case": False},
        "1_Pooling/config.json": {
            "word_embedding_dimension": 384,
            "pooling_mode_mean_tokens": True,
        },
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return folder
