"""The graph of all-MiniLM-L6-v2, node by node, so that the same weights give the same bytes.

An exporter's graph changes with the versions of three libraries; this one changes when this file
does. tests/packaging/test_parity.py holds it against sentence-transformers.

The int8 form: activations are quantised at run time over the whole tensor (uint8), weights once,
per output channel (int8); tables once, per row. Processors with AVX2 but no VNNI multiply with
an instruction that adds two neighbouring products in 16 bits and saturates. onnxruntime's remedy,
``reduce_range``, gives up one bit of every weight. Here each channel's scale is raised only until
no two weights that could meet in one such sum can overflow it (see ``quantise_columns``): every
processor then computes the same integers, at little loss.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt
from onnx import TensorProto, checker, helper, numpy_helper

LAYERS = 6
HEADS = 12
WIDTH = 384
HEAD_WIDTH = WIDTH // HEADS
EPSILON = 1e-12
OPSET = 17

# The inputs that say of which pieces the parts of a text are.
POOLED, MATCHED = "pooled", "matched"
# The input that says which changes of weights count, the name of what it is for each rank, the
# names of their two factors, and how many positions a cross-encoder reads.
CHANGED, COUNTED = "changed", "changes.counted"
CHANGE_PARTS = ("change.down", "change.up")
POSITIONS = 384
# The linear parts of a layer by their names in the graph and in the weights.
LINEAR_PARTS = {
    "attention.query": "attention.self.query",
    "attention.key": "attention.self.key",
    "attention.value": "attention.self.value",
    "attention.output": "attention.output.dense",
    "feed.hidden": "intermediate.dense",
    "feed.output": "output.dense",
}

Array = npt.NDArray[Any]


def quantise_columns(weight: Array) -> tuple[Array, Array]:
    """Quantise float32 ``weight`` (in, out) to int8 with one float32 scale per column.

    Within each group of four rows, which is what the AVX2 kernel packs together, the two largest
    magnitudes of a column sum to at most 128: with activations up to 255 their sum of products
    stays within 16 bits (255 * 128 = 32640), so the kernel cannot saturate.
    """
    magnitude = np.abs(weight.astype(np.float64))
    groups = magnitude.reshape(weight.shape[0] // 4, 4, weight.shape[1])
    largest_pair = np.sort(groups, axis=1)[:, 2:, :].sum(axis=1).max(axis=0)
    # Rounding can add a half to each of the two, hence 127 and not 128.
    scale = np.maximum(magnitude.max(axis=0), largest_pair) / 127.0
    scale = np.where(scale == 0.0, 1.0, scale)
    quantised = np.rint(weight / scale).astype(np.int8)
    return quantised, scale.astype(np.float32)


def settled(weights: Mapping[str, Array]) -> dict[str, Array]:
    """Return ``weights`` of a cross-encoder, by their names, with those of its linear parts as int8
    keeps them, so that they are kept alike again when they are read from its file."""
    made = dict(weights)
    for layer in range(LAYERS):
        for target in LINEAR_PARTS.values():
            name = f"encoder.layer.{layer}.{target}.weight"
            made[name] = _settled(weights[name].T).T
    return made


def _settled(weight: Array) -> Array:
    quantised, scale = quantise_columns(weight)
    made: Array = (settled_steps(quantised) * scale).astype(np.float32)
    return made


def settled_steps(quantised: Array) -> Array:
    """Return the int8 weights ``quantised`` (in, out) with the two of a column that its scale is
    made of at 127 steps together, so that the same scale comes of them again."""
    steps = quantised.astype(np.int64)
    groups = steps.reshape(steps.shape[0] // 4, 4, steps.shape[1])
    while True:
        pairs = np.sort(np.abs(groups), axis=1)[:, 2:, :].sum(axis=1)
        largest = pairs.max(axis=0)
        # The two that the scale was made of can both be rounded up, or both down.
        is_off = ((pairs > 127) | ((pairs == largest) & (largest < 127))) & (largest > 0)
        if not is_off.any():
            return steps.astype(np.int8)
        # One group of a column at a time: another one may be in order then.
        at = np.where(is_off.any(axis=0), is_off.argmax(axis=0), -1)
        for column in np.flatnonzero(at >= 0):
            group = groups[at[column], :, column]
            place = np.abs(group).argmax()
            towards = 1 if pairs[at[column], column] < 127 else -1
            group[place] += towards * np.sign(group[place])


def quantise_rows(table: Array) -> tuple[Array, Array]:
    """Quantise a float32 table (rows, width) to int8 with one float32 scale (rows, 1) per row."""
    scale = np.abs(table.astype(np.float64)).max(axis=1, keepdims=True) / 127.0
    scale = np.where(scale == 0.0, 1.0, scale)
    return np.rint(table / scale).astype(np.int8), scale.astype(np.float32)


@dataclass
class GraphWriter:
    """Collects nodes and constants under names that depend on the order of calls alone."""

    weights: Mapping[str, Array]
    int8: bool = False
    changes: Mapping[str, tuple[Array, Array]] = field(default_factory=dict)
    nodes: list[Any] = field(default_factory=list)
    constants: dict[str, Any] = field(default_factory=dict)
    _quantised: set[str] = field(default_factory=set)

    def constant(self, name: str, value: Array) -> str:
        """Add ``value`` once under ``name``; return the name."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def node(self, op: str, inputs: list[str], name: str, **attributes: object) -> str:
        """Add one node with one output; return the output's name."""
        self.nodes.append(helper.make_node(op, inputs, [name], name=f"{name}/{op}", **attributes))
        return name

    def linear(self, source: str, name: str, prefix: str) -> str:
        """``source`` by the weight (out, in) and the bias under ``prefix``. What ``changes`` has of
        the weight, two factors of low rank, counts as much as ``COUNTED`` says of each rank."""
        weight, bias = self.weights[f"{prefix}.weight"].T, self.weights[f"{prefix}.bias"]
        if self.int8:
            product = self._integer_product(source, name, weight)
        else:
            factor = self.constant(f"{name}.weight", weight)
            product = self.node("MatMul", [source, factor], f"{name}.product")
        added = self.constant(f"{name}.bias", bias)
        change = self.changes.get(f"{prefix}.weight")
        if change is None:
            return self.node("Add", [product, added], name)
        down, up = (
            self._small(f"{name}.{part}", factor)
            for part, factor in zip(CHANGE_PARTS, change, strict=True)
        )
        low = self.node("MatMul", [source, down], f"{name}.low")
        counted = self.node("Mul", [low, COUNTED], f"{name}.counted")
        high = self.node("MatMul", [counted, up], f"{name}.high")
        plain = self.node("Add", [product, added], f"{name}.plain")
        return self.node("Add", [plain, high], name)

    def _small(self, name: str, factor: Array) -> str:
        """``factor`` kept in int8, as floats."""
        quantised, scale = quantise_rows(factor)
        kept = self.constant(f"{name}.int8", quantised)
        real = self.node("Cast", [kept], f"{name}.cast", to=TensorProto.FLOAT)
        return self.node("Mul", [real, self.constant(f"{name}.scale", scale)], f"{name}.factor")

    def _integer_product(self, source: str, name: str, weight: Array) -> str:
        """The nodes that onnxruntime fuses into one integer product with a float result."""
        activation = [f"{source}.activation.{part}" for part in ("uint8", "scale", "zero")]
        if source not in self._quantised:
            self._quantised.add(source)
            self.nodes.append(
                helper.make_node(
                    "DynamicQuantizeLinear", [source], activation, name=f"{source}/quantise"
                )
            )
        quantised, scale = quantise_columns(weight)
        factor = self.constant(f"{name}.weight.int8", quantised)
        zero = self.constant("weight.zero", np.array(0, dtype=np.int8))
        whole = self.node(
            "MatMulInteger", [activation[0], factor, activation[2], zero], f"{name}.integer"
        )
        real = self.node("Cast", [whole], f"{name}.cast", to=TensorProto.FLOAT)
        scales = self.constant(f"{name}.weight.scale", scale)
        both = self.node("Mul", [activation[1], scales], f"{name}.scales")
        return self.node("Mul", [real, both], f"{name}.product")

    def rows(self, table: Array, indices: str, name: str) -> str:
        """The rows of ``table`` that ``indices`` (batch, sequence) name, as floats."""
        if not self.int8:
            return self.node("Gather", [self.constant(f"{name}.table", table), indices], name)
        quantised, scale = quantise_rows(table)
        small = self.constant(f"{name}.table.int8", quantised)
        picked = self.node("Gather", [small, indices], f"{name}.int8")
        real = self.node("Cast", [picked], f"{name}.cast", to=TensorProto.FLOAT)
        scales = self.constant(f"{name}.table.scale", scale)
        factor = self.node("Gather", [scales, indices], f"{name}.scale")
        return self.node("Mul", [real, factor], name)

    def normalise(self, source: str, name: str, prefix: str) -> str:
        """Layer normalisation with the weights under ``prefix``."""
        scale = self.constant(f"{name}.scale", self.weights[f"{prefix}.weight"])
        bias = self.constant(f"{name}.bias", self.weights[f"{prefix}.bias"])
        return self.node(
            "LayerNormalization", [source, scale, bias], name, axis=-1, epsilon=EPSILON
        )


def _embeddings(graph: GraphWriter) -> str:
    """Sum of the word, position and type embeddings, normalised; (batch, sequence, 384)."""
    weights = graph.weights
    words = graph.rows(weights["embeddings.word_embeddings.weight"], "input_ids", "words")
    types = graph.rows(
        weights["embeddings.token_type_embeddings.weight"], "token_type_ids", "types"
    )
    # Positions are 0..n-1: the first n rows of their table.
    shape = graph.node("Shape", ["input_ids"], "shape", start=1, end=2)
    positions = graph.node(
        "Slice",
        [
            graph.constant("positions.table", weights["embeddings.position_embeddings.weight"]),
            graph.constant("positions.start", np.array([0], dtype=np.int64)),
            shape,
            graph.constant("positions.axis", np.array([0], dtype=np.int64)),
        ],
        "positions",
    )
    total = graph.node("Add", [words, types], "embeddings.sum")
    total = graph.node("Add", [total, positions], "embeddings.total")
    return graph.normalise(total, "embeddings", "embeddings.LayerNorm")


def _attention_mask(graph: GraphWriter) -> str:
    """0 where a token is real, a very low number where it is padding; (batch, 1, 1, sequence)."""
    axes = graph.constant("mask.axes", np.array([1, 2], dtype=np.int64))
    wide = graph.node("Unsqueeze", ["attention_mask", axes], "mask.wide")
    real = graph.node("Cast", [wide], "mask.real", to=TensorProto.FLOAT)
    one = graph.constant("mask.one", np.array(1.0, dtype=np.float32))
    padding = graph.node("Sub", [one, real], "mask.padding")
    low = graph.constant("mask.low", np.array(np.finfo(np.float32).min, dtype=np.float32))
    return graph.node("Mul", [padding, low], "mask")


def _heads(graph: GraphWriter, source: str, name: str, order: list[int]) -> str:
    """Split (batch, sequence, 384) into heads, axes in ``order``."""
    shape = graph.constant("heads.shape", np.array([0, 0, HEADS, HEAD_WIDTH], dtype=np.int64))
    split = graph.node("Reshape", [source, shape], f"{name}.split")
    return graph.node("Transpose", [split], f"{name}.heads", perm=order)


def _attention(graph: GraphWriter, source: str, mask: str, layer: int) -> str:
    """Self attention of one layer with its residual and normalisation."""
    prefix = f"encoder.layer.{layer}.attention"
    name = f"layer{layer}.attention"
    parts: dict[str, str] = {}
    for part, order in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
        projected = graph.linear(source, f"{name}.{part}", f"{prefix}.self.{part}")
        parts[part] = _heads(graph, projected, f"{name}.{part}", order)
    scores = graph.node("MatMul", [parts["query"], parts["key"]], f"{name}.raw")
    root = graph.constant("attention.root", np.array(math.sqrt(HEAD_WIDTH), dtype=np.float32))
    scores = graph.node("Div", [scores, root], f"{name}.scaled")
    scores = graph.node("Add", [scores, mask], f"{name}.masked")
    shares = graph.node("Softmax", [scores], f"{name}.shares", axis=-1)
    mixed = graph.node("MatMul", [shares, parts["value"]], f"{name}.mixed")
    mixed = graph.node("Transpose", [mixed], f"{name}.rows", perm=[0, 2, 1, 3])
    joined = graph.constant("joined.shape", np.array([0, 0, WIDTH], dtype=np.int64))
    mixed = graph.node("Reshape", [mixed, joined], f"{name}.joined")
    output = graph.linear(mixed, f"{name}.output", f"{prefix}.output.dense")
    residual = graph.node("Add", [output, source], f"{name}.residual")
    return graph.normalise(residual, f"{name}.norm", f"{prefix}.output.LayerNorm")


def _feed_forward(graph: GraphWriter, source: str, layer: int, output_name: str) -> str:
    """The two dense layers with the exact (erf) Gelu between, residual and normalisation."""
    prefix = f"encoder.layer.{layer}"
    name = f"layer{layer}.feed"
    hidden = graph.linear(source, f"{name}.hidden", f"{prefix}.intermediate.dense")
    root = graph.constant("gelu.root", np.array(math.sqrt(2.0), dtype=np.float32))
    one = graph.constant("gelu.one", np.array(1.0, dtype=np.float32))
    half = graph.constant("gelu.half", np.array(0.5, dtype=np.float32))
    part = graph.node("Div", [hidden, root], f"{name}.gelu.div")
    part = graph.node("Erf", [part], f"{name}.gelu.erf")
    part = graph.node("Add", [part, one], f"{name}.gelu.add")
    part = graph.node("Mul", [hidden, part], f"{name}.gelu.mul")
    part = graph.node("Mul", [part, half], f"{name}.gelu")
    output = graph.linear(part, f"{name}.output", f"{prefix}.output.dense")
    residual = graph.node("Add", [output, source], f"{name}.residual")
    return graph.normalise(residual, output_name, f"{prefix}.output.LayerNorm")


def build_graph(weights: Mapping[str, Array], *, int8: bool) -> Any:
    """Return the ONNX model: three int64 inputs (batch, sequence), one output.

    The output ``last_hidden_state`` is float32 of shape (batch, sequence, 384); pooling is done
    by the caller. ``weights`` are those of the publisher's safetensors file, by their names.
    """
    graph = GraphWriter(weights, int8)
    state = _encoder(graph)
    return _model(graph, "all-MiniLM-L6-v2", state, ["batch", "sequence", WIDTH])


def build_cross_encoder(
    weights: Mapping[str, Array],
    *,
    int8: bool,
    changes: Sequence[Mapping[str, tuple[Array, Array]]] = (),
) -> Any:
    """Return the ONNX model of a cross-encoder that reads a query with a text, of which it judges
    one part or several: its output ``logits`` is float32 of shape (parts, outputs).

    Inputs as of ``build_graph``, of one text a run, type 0 for the pieces of the query and 1 for
    those of the text; and for each part the pieces of which ``POOLED`` takes the mean of the last
    states and which ``MATCHED`` holds against the query, 1.0 or 0.0, shape (parts, sequence). The
    head reads that mean and, four times its distance from 0.5, the mean over the pieces of the
    query of the best cosine among those of the part: what the embedder that it begins as tells by
    itself. ``weights`` has ``head.weight`` (outputs, 385) and ``head.bias`` too.

    ``changes`` are, for each of some other tasks, those of weights that it has otherwise, by their
    names: two factors (in, rank) and (rank, out), of one rank for a task; all tasks change the same
    weights. The input ``CHANGED``, of shape (tasks,), says how much those of each task count: with
    zeros alone the model reads as if there were none. A pair has at most ``POSITIONS`` pieces.
    """
    together = {
        name: (
            np.concatenate([each[name][0] for each in changes], axis=1),
            np.concatenate([each[name][1] for each in changes], axis=0),
        )
        for name in (changes[0] if changes else ())
    }
    kept = dict(weights)
    positions = "embeddings.position_embeddings.weight"
    kept[positions] = weights[positions][:POSITIONS]
    graph = GraphWriter(kept, int8, together)
    if changes:
        ranks = [next(iter(each.values()))[0].shape[1] for each in changes]
        task = np.repeat(np.arange(len(ranks)), ranks).astype(np.int64)
        graph.node("Gather", [CHANGED, graph.constant(f"{COUNTED}.task", task)], COUNTED)
    state = _encoder(graph)
    first = graph.constant("first.axis", np.array([0], dtype=np.int64))
    state = graph.node("Squeeze", [state, first], "states")
    last = graph.constant("sum.axis", np.array([1], dtype=np.int64))
    pooled = graph.node("ReduceSum", [POOLED, last], "pooled.count", keepdims=1)
    mean = graph.node("MatMul", [POOLED, state], "pooled.sum")
    mean = graph.node("Div", [mean, pooled], "mean")
    late = _late(graph, state, last)
    read = graph.node("Concat", [mean, late], "read", axis=1)
    factor = graph.constant("head.weight", weights["head.weight"].T)
    product = graph.node("MatMul", [read, factor], "head.product")
    logits = graph.node(
        "Add", [product, graph.constant("head.bias", weights["head.bias"])], "logits"
    )
    shape: list[str | int] = ["parts", len(weights["head.bias"])]
    return _model(graph, "cross-encoder", logits, shape, is_cross_encoder=True)


def _late(graph: GraphWriter, state: str, last: str) -> str:
    """Four times the distance from 0.5 of the mean over the query's pieces of the best cosine among
    those of each part, (parts, 1); ``last`` names the axis of the pieces."""
    length = graph.node("ReduceL2", [state], "length", axes=[1], keepdims=1)
    unit = graph.node("Div", [state, length], "unit")
    other = graph.node("Transpose", [unit], "unit.columns", perm=[1, 0])
    cosines = graph.node("MatMul", [unit, other], "cosines")
    one = graph.constant("mask.one", np.array(1.0, dtype=np.float32))
    low = graph.constant("late.low", np.array(4.0, dtype=np.float32))
    outside = graph.node("Sub", [MATCHED, one], "outside")
    hidden = graph.node("Mul", [graph.node("Unsqueeze", [outside, last], "wide"), low], "hidden")
    masked = graph.node("Add", [cosines, hidden], "cosines.of_part")
    best = graph.node("ReduceMax", [masked], "best", axes=[2], keepdims=0)
    types = graph.node("Cast", ["token_type_ids"], "of_text", to=TensorProto.FLOAT)
    of_query = graph.node("Sub", [one, types], "of_query")
    asked = graph.node("Mul", [best, of_query], "best.of_query")
    total = graph.node("ReduceSum", [asked, last], "late.sum", keepdims=1)
    count = graph.node("ReduceSum", [of_query, last], "late.count", keepdims=1)
    late = graph.node("Div", [total, count], "late")
    middle = graph.constant("late.middle", np.array(0.5, dtype=np.float32))
    four = graph.constant("late.scale", np.array(4.0, dtype=np.float32))
    moved = graph.node("Sub", [late, middle], "late.moved")
    return graph.node("Mul", [moved, four], "late.scaled")


def changes_of(model: Any) -> list[dict[str, tuple[Array, Array]]]:
    """Return the ``changes`` that ``build_cross_encoder`` made ``model`` with."""
    constants = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    task = constants[f"{COUNTED}.task"]
    found: list[dict[str, tuple[Array, Array]]] = [{} for _ in set(task.tolist())]
    for layer in range(LAYERS):
        for part, target in LINEAR_PARTS.items():
            names = [f"layer{layer}.{part}.{each}" for each in CHANGE_PARTS]
            if f"{names[0]}.int8" in constants:
                down, up = (constants[f"{n}.int8"] * constants[f"{n}.scale"] for n in names)
                for at, of_task in enumerate(found):
                    factors = down[:, task == at], up[task == at]
                    of_task[f"encoder.layer.{layer}.{target}.weight"] = factors
    return found


def weights_of(model: Any) -> dict[str, Array]:
    """Return the weights that ``build_cross_encoder`` made the int8 ``model`` of, by their names,
    as far as int8 keeps them."""
    constants = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}

    def real(name: str) -> Array:
        found: Array = constants[f"{name}.int8"] * constants[f"{name}.scale"]
        return found

    found = {
        "embeddings.word_embeddings.weight": real("words.table"),
        "embeddings.token_type_embeddings.weight": real("types.table"),
        "embeddings.position_embeddings.weight": constants["positions.table"],
        "head.weight": constants["head.weight"].T,
        "head.bias": constants["head.bias"],
    }
    norms = {"embeddings": "embeddings.LayerNorm"}
    for layer in range(LAYERS):
        to, name = f"encoder.layer.{layer}", f"layer{layer}"
        for part, target in LINEAR_PARTS.items():
            found[f"{to}.{target}.weight"] = real(f"{name}.{part}.weight").T
            found[f"{to}.{target}.bias"] = constants[f"{name}.{part}.bias"]
        norms[f"{name}.attention.norm"] = f"{to}.attention.output.LayerNorm"
        norms["last_hidden_state" if layer == LAYERS - 1 else name] = f"{to}.output.LayerNorm"
    for name, target in norms.items():
        found[f"{target}.weight"] = constants[f"{name}.scale"]
        found[f"{target}.bias"] = constants[f"{name}.bias"]
    return found


def _encoder(graph: GraphWriter) -> str:
    """The six layers over the embeddings; (batch, sequence, 384)."""
    state = _embeddings(graph)
    mask = _attention_mask(graph)
    for layer in range(LAYERS):
        state = _attention(graph, state, mask, layer)
        name = "last_hidden_state" if layer == LAYERS - 1 else f"layer{layer}"
        state = _feed_forward(graph, state, layer, name)
    return state


def _model(
    graph: GraphWriter,
    name: str,
    output: str,
    shape: list[str | int],
    *,
    is_cross_encoder: bool = False,
) -> Any:
    inputs = [
        helper.make_tensor_value_info(each, TensorProto.INT64, ["batch", "sequence"])
        for each in ("input_ids", "attention_mask", "token_type_ids")
    ]
    if is_cross_encoder:
        wide = ["parts", "sequence"]
        inputs += [
            helper.make_tensor_value_info(each, TensorProto.FLOAT, axes)
            for each, axes in ((POOLED, wide), (MATCHED, wide), (CHANGED, ["tasks"]))
        ]
    body = helper.make_graph(
        graph.nodes,
        name,
        inputs,
        [helper.make_tensor_value_info(output, TensorProto.FLOAT, shape)],
        list(graph.constants.values()),
    )
    model = helper.make_model(
        body,
        opset_imports=[helper.make_opsetid("", OPSET)],
        producer_name="phasergun-desktop",
        ir_version=8,
    )
    checker.check_model(model)
    return model
