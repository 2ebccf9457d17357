"""Real models of a few thousand weights, drawn at random from a seed; need the extra
custom-models."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

from phasergun_desktop.paths import resources_path

_MOST_PIECES = 128


def make_cross_encoder(folder: Path, *, outputs: int = 1, onnx: bool = False) -> Path:
    """Write one as a sentence-transformers folder and return that; with ``onnx`` return the file
    ``model.onnx`` in it, which scores the same."""
    import torch
    from transformers import BertForSequenceClassification

    torch.manual_seed(7)
    model = BertForSequenceClassification(_config(hidden=16, num_labels=outputs)).eval()
    model.save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    return _exported(model, lambda read: read.logits, folder) if onnx else folder


def make_embedder(
    folder: Path, *, dimensions: int = 48, seed: int = 7, onnx: bool = False, first: bool = False
) -> Path:
    """Write one as a sentence-transformers folder and return that; with ``onnx`` return the file
    ``model.onnx`` in it, which gives the same vectors. With ``first`` that of the first word piece
    is the text's, else their mean."""
    import torch
    from transformers import BertModel

    torch.manual_seed(seed)
    model = BertModel(_config(hidden=dimensions), add_pooling_layer=False).eval()
    model.save_pretrained(folder)
    _tokenizer().save_pretrained(folder)
    modules = (("", "Transformer"), ("1_Pooling", "Pooling"))
    (folder / "1_Pooling").mkdir()
    files: dict[str, object] = {
        "modules.json": [
            {"idx": at, "name": str(at), "path": path, "type": f"sentence_transformers.models.{of}"}
            for at, (path, of) in enumerate(modules)
        ],
        "1_Pooling/config.json": {
            "word_embedding_dimension": dimensions,
            "pooling_mode_mean_tokens": not first,
            "pooling_mode_cls_token": first,
        },
        "config_sentence_transformers.json": {"prompts": {"query": "ask: ", "document": "say: "}},
    }
    for name, content in files.items():
        (folder / name).write_text(json.dumps(content), "utf-8")
    return _exported(model, lambda read: read.last_hidden_state, folder) if onnx else folder


def _tokenizer() -> Any:
    from transformers import PreTrainedTokenizerFast

    return PreTrainedTokenizerFast(
        tokenizer_file=str(resources_path() / "models" / "tokenizer.json"),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
        model_max_length=_MOST_PIECES,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )


def _config(hidden: int, **more: int) -> Any:
    from transformers import BertConfig

    return BertConfig(
        vocab_size=len(_tokenizer()),
        hidden_size=hidden,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=_MOST_PIECES,
        initializer_range=0.5,
        **more,
    )


def _exported(model: Any, output: Callable[[Any], Any], folder: Path) -> Path:
    import torch

    class Output(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any, types: Any) -> Any:
            return output(self.model(input_ids=ids, attention_mask=mask, token_type_ids=types))

    names = ["input_ids", "attention_mask", "token_type_ids"]
    some = torch.ones((1, 8), dtype=torch.long)
    path = folder / "model.onnx"
    with warnings.catch_warnings():
        # The exporter that needs no further library is the old one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Output(),
            (some, some, some * 0),
            str(path),
            input_names=names,
            output_names=["output"],
            dynamic_axes={name: {1: "pieces"} for name in names},
            dynamo=False,
        )
    return path
