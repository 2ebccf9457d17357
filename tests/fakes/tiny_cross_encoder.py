"""A real cross-encoder of a few thousand weights, drawn at random from a seed; needs the extra
custom-models."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

from phasergun_desktop.paths import resources_path

_MOST_PIECES = 128


def make_cross_encoder(folder: Path, *, outputs: int = 1, onnx: bool = False) -> Path:
    """Write one as a sentence-transformers folder and return that; with ``onnx`` return the file
    ``model.onnx`` in it, which scores the same."""
    import torch
    from transformers import (
        BertConfig,
        BertForSequenceClassification,
        PreTrainedTokenizerFast,
    )

    torch.manual_seed(7)
    tokenizer = PreTrainedTokenizerFast(
        tokenizer_file=str(resources_path() / "models" / "tokenizer.json"),
        cls_token="[CLS]",
        sep_token="[SEP]",
        pad_token="[PAD]",
        unk_token="[UNK]",
        mask_token="[MASK]",
        model_max_length=_MOST_PIECES,
        model_input_names=["input_ids", "token_type_ids", "attention_mask"],
    )
    config = BertConfig(
        vocab_size=len(tokenizer),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=32,
        max_position_embeddings=_MOST_PIECES,
        num_labels=outputs,
        initializer_range=0.5,
    )
    model = BertForSequenceClassification(config).eval()
    model.save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return _exported(model, folder / "model.onnx") if onnx else folder


def _exported(model: Any, path: Path) -> Path:
    import torch

    class Logits(torch.nn.Module):  # type: ignore[misc]
        def __init__(self) -> None:
            super().__init__()
            self.model = model

        def forward(self, ids: Any, mask: Any, types: Any) -> Any:
            read = self.model(input_ids=ids, attention_mask=mask, token_type_ids=types)
            return read.logits

    names = ["input_ids", "attention_mask", "token_type_ids"]
    some = torch.ones((1, 8), dtype=torch.long)
    with warnings.catch_warnings():
        # The exporter that needs no further library is the old one.
        warnings.simplefilter("ignore")
        torch.onnx.export(
            Logits(),
            (some, some, some * 0),
            str(path),
            input_names=names,
            output_names=["logits"],
            dynamic_axes={name: {1: "pieces"} for name in names},
            dynamo=False,
        )
    return path
