"""The network of ``embedder_graph.build_cross_encoder`` in PyTorch, whole or with changes."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import torch
from embedder_graph import HEADS, LAYERS, LINEAR_PARTS, WIDTH
from torch.nn import functional
from transformers import BertConfig, BertModel

OUTPUTS = 2
Pair = tuple[list[int], list[int]]


class Reader(torch.nn.Module):  # type: ignore[misc]  # torch has no types here
    """The network of ``embedder_graph.build_cross_encoder``, with its names of weights."""

    def __init__(self, tensors: Mapping[str, torch.Tensor], outputs: int = OUTPUTS) -> None:
        super().__init__()
        config = BertConfig(
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=4 * WIDTH,
            hidden_dropout_prob=0.1,
            attention_probs_dropout_prob=0.0,
            max_position_embeddings=len(tensors["embeddings.position_embeddings.weight"]),
        )
        self.encoder = BertModel(config, add_pooling_layer=False)
        self.encoder.load_state_dict(tensors, strict=False)
        self.encoder.embeddings.word_embeddings.weight.requires_grad = False
        self.head = torch.nn.Linear(WIDTH + 1, outputs)
        torch.nn.init.normal_(self.head.weight, 0.0, 0.02)
        with torch.no_grad():
            self.head.weight[:, WIDTH] = 4.0
            self.head.bias[:] = -3.0
            if "head.weight" in tensors:
                known = min(outputs, len(tensors["head.bias"]))
                self.head.weight[:known] = tensors["head.weight"][:known]
                self.head.bias[:known] = tensors["head.bias"][:known]

    def forward(
        self,
        ids: torch.Tensor,
        mask: torch.Tensor,
        types: torch.Tensor,
        parts: tuple[torch.Tensor, torch.Tensor] | None = None,
    ) -> torch.Tensor:
        """Return the logits, shape (pairs, outputs); ids, mask and types have shape (pairs,
        pieces). With ``parts``, of which pair each is (parts,) and where it begins and ends (parts,
        2), return those of the parts, shape (parts, outputs)."""
        state = self.encoder(
            input_ids=ids, attention_mask=mask, token_type_ids=types
        ).last_hidden_state.float()
        if parts is None:
            rows = torch.arange(len(ids), device=ids.device)
            pooled, matched = mask == 1, (types == 1) & (mask == 1)
        else:
            rows, spans = parts
            places = torch.arange(ids.shape[1], device=ids.device)[None]
            pooled = matched = (places >= spans[:, :1]) & (places < spans[:, 1:])
        weights = pooled.float()
        mean = torch.einsum("pn,pnd->pd", weights, state[rows]) / weights.sum(1, keepdim=True)
        unit = functional.normalize(state, dim=-1)
        of_query = ((types == 0) & (mask == 1)).float()[rows]
        cosines = (unit @ unit.transpose(1, 2))[rows].masked_fill(~matched[:, None, :], -1.0)
        late = (cosines.max(2).values * of_query).sum(1) / of_query.sum(1)
        return self.head(torch.cat([mean, 4.0 * (late[:, None] - 0.5)], dim=1))

    def tensors(self) -> dict[str, Any]:
        """Return the weights by the names of the graph."""
        named = {n.removeprefix("encoder."): t for n, t in self.state_dict().items()}
        return {name: tensor.float().numpy() for name, tensor in named.items()}


class Changed(torch.nn.Module):  # type: ignore[misc]
    """A linear part of which only a change of low rank is learnt."""

    def __init__(self, linear: torch.nn.Linear, rank: int) -> None:
        super().__init__()
        self.linear = linear
        wide = linear.in_features
        self.down = torch.nn.Parameter(torch.randn(wide, rank) / math.sqrt(wide))
        self.up = torch.nn.Parameter(torch.zeros(rank, linear.out_features))

    def forward(self, source: torch.Tensor) -> torch.Tensor:
        """Return what the linear part makes of ``source``, and the change."""
        return self.linear(source) + (source @ self.down) @ self.up


def with_changes(model: Reader, rank: int, lowest: int) -> dict[str, Changed]:
    """Fix the weights of ``model`` but its head's, and put changes beside those of the layers from
    ``lowest``; return these by the names of the weights."""
    for parameter in model.encoder.parameters():
        parameter.requires_grad = False
    made = {}
    for at in range(lowest, LAYERS):
        for name in LINEAR_PARTS.values():
            *path, last = name.split(".")
            parent = model.encoder.encoder.layer[at]
            for part in path:
                parent = getattr(parent, part)
            made[f"encoder.layer.{at}.{name}.weight"] = Changed(getattr(parent, last), rank)
            setattr(parent, last, made[f"encoder.layer.{at}.{name}.weight"])
    return made


def padded(pairs: Sequence[Pair], device: str, step: int = 16) -> tuple[torch.Tensor, ...]:
    """Return ids, mask and types of ``pairs``, each of shape (pairs, pieces), pieces a multiple of
    ``step``."""
    length = -(-max(len(ids) for ids, _ in pairs) // step) * step
    ids, mask, types = (np.zeros((len(pairs), length), dtype=np.int64) for _ in range(3))
    for at, (of_row, types_of_row) in enumerate(pairs):
        ids[at, : len(of_row)] = of_row
        mask[at, : len(of_row)] = 1
        types[at, : len(of_row)] = types_of_row
    return tuple(torch.from_numpy(each).to(device) for each in (ids, mask, types))
