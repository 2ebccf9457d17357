"""Changes of the cross-encoder's weights: what is learnt, and what they are learnt of."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claim_edits import edits_of, values_of
from embedder_graph import POSITIONS

from phasergun_desktop.embedding.cross_encoder import (
    CROSS_ENCODER_FILE,
    WINDOW_PIECES,
    CrossEncoder,
    UnitRun,
)
from phasergun_desktop.embedding.onnx_files import whole_tokenizer
from phasergun_desktop.paths import resources_path

MODELS = resources_path() / "models"
PROMPT = "What the occluder is made of."
RUNS = [
    UnitRun(
        "Occluder",
        (("General", "The occluder is made of silicone."), ("General", "The lid is blue.")),
    ),
    UnitRun("SOP 3 Records", (("2 Scope", "Records are kept for five years."),)),
]
STATEMENT = "The pump shall stop the motor before 30 s, as TR-012 and TR-014 at 25 °C have shown."


def test_an_edit_changes_one_place_and_says_which_kind() -> None:
    values = values_of(["Lot PX-7 held 45 s.", STATEMENT])
    assert values.numbers == ("45", "30", "25")
    edits = edits_of(STATEMENT, values, random.Random(1))
    assert edits == edits_of(STATEMENT, values, random.Random(1))
    assert {kind for kind, _ in edits} == {"value", "thing", "modality", "word", "swap"}
    words = STATEMENT.split()
    for kind, text in edits:
        now = text.split()
        if kind == "swap":
            assert sorted(word.strip(",") for word in now) == sorted(w.strip(",") for w in words)
            continue
        changes = SequenceMatcher(None, words, now, autojunk=False).get_opcodes()
        assert sum(tag != "equal" for tag, *_ in changes) == 1
    assert any(text.startswith("The motor shall stop the pump") for _, text in edits)


def test_what_is_learnt_is_read_alike_by_both_networks_and_prompts_as_before(
    tmp_path: Path,
) -> None:
    torch = pytest.importorskip("torch", reason="the extra custom-models is not installed")
    from train_changes import TASKS, Learner, compose, pair

    torch.manual_seed(1)
    learners = [Learner(task, "cpu") for task in TASKS]
    factors: dict[str, Any] = {}
    for learner in learners:
        learner.model.eval()
        with torch.no_grad():
            for change in learner.changes.values():
                change.up.normal_(0.0, 0.05)
        factors |= learner.factors()
    path = tmp_path / CROSS_ENCODER_FILE
    compose(factors, path)
    assert path.stat().st_size < 25_000_000
    shipped = CrossEncoder(MODELS / CROSS_ENCODER_FILE, MODELS / "tokenizer.json")
    made = CrossEncoder(path, MODELS / "tokenizer.json")
    text = "General: The occluder is made of silicone and weighs 12 g."
    query = "What is the occluder made of?"
    runs = [UnitRun("Occluder", (("General", text), ("General", "It is blue.")))]
    assert np.array_equal(made.belonging(query, runs), shipped.belonging(query, runs))
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(MODELS / "tokenizer.json"))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    ids = [tokenizer.encode(each, add_special_tokens=False).ids for each in (query, text)]
    with torch.no_grad():
        by_torch = [float(learner.logits([pair(*ids)])[0]) for learner in learners]
    carried = made.carrying(query, text)
    assert carried is not None
    by_onnx = [float(made.answering(query, [text])[0]), carried]
    assert np.allclose(by_onnx, by_torch, atol=0.6)
    assert abs(by_onnx[0] - by_onnx[1]) > 1.0


def test_a_network_without_changes_is_read_by_the_product(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="the extra custom-models is not installed")
    from train_cross_encoder import cross_encoder_tensors, written

    shipped = CrossEncoder(MODELS / CROSS_ENCODER_FILE, MODELS / "tokenizer.json")
    tensors = cross_encoder_tensors(MODELS / CROSS_ENCODER_FILE)
    path = tmp_path / CROSS_ENCODER_FILE
    path.write_bytes(written({n: t.numpy() for n, t in tensors.items()}).SerializeToString())
    made = CrossEncoder(path, MODELS / "tokenizer.json")
    assert np.allclose(made.belonging(PROMPT, RUNS), shipped.belonging(PROMPT, RUNS), atol=0.3)


def test_units_in_a_row_are_read_alike_by_both_networks() -> None:
    torch = pytest.importorskip("torch", reason="the extra custom-models is not installed")
    from cross_encoder_network import Reader
    from train_cross_encoder import (
        CachedPieces,
        Document,
        Judged,
        RowDrawer,
        cross_encoder_tensors,
        logits,
    )

    shipped = CrossEncoder(MODELS / CROSS_ENCODER_FILE, MODELS / "tokenizer.json")
    model = Reader(cross_encoder_tensors(MODELS / CROSS_ENCODER_FILE), outputs=1).eval()
    pieces = CachedPieces(whole_tokenizer(MODELS / "tokenizer.json"))
    documents = [
        Document(run.title, tuple((text, above, text) for above, text in run.units)) for run in RUNS
    ]
    nothing: frozenset[str] = frozenset()
    prompt = Judged(PROMPT, frozenset({RUNS[0].units[0][1]}), nothing, nothing)
    drawer = RowDrawer(documents, [prompt], pieces)
    rows = [
        row
        for document in documents
        for row, _ in drawer.rows(prompt, document, range(len(document.units)), WINDOW_PIECES)
    ]
    assert [each for row in rows for each in row.belongs] == [1.0, 0.0, 0.0]
    with torch.no_grad():
        by_torch = logits(model, rows, "cpu").numpy()
    assert np.allclose(shipped.belonging(PROMPT, RUNS), by_torch, atol=0.6)


def test_what_is_drawn_for_a_prompt_has_all_that_was_judged() -> None:
    pytest.importorskip("torch", reason="the extra custom-models is not installed")
    from train_cross_encoder import CachedPieces, Document, Judged, RowDrawer

    pieces = CachedPieces(whole_tokenizer(MODELS / "tokenizer.json"))
    units = tuple((f"u{at}", "Weights", f"Part {at} weighs {at} g.") for at in range(90))
    one, other = (
        Judged(f"weights {name}", frozenset({name}), frozenset({"u3"}), frozenset({"u40"}))
        for name in ("u2", "u40")
    )
    random.seed(3)
    both = one.with_other(other)
    assert both.belongs == {"u2", "u40"}
    assert both.beside == frozenset()
    drawer = RowDrawer([Document("Parts", units)], [one, other], pieces)
    for _ in range(8):
        rows = drawer.drawn(both)
        assert sum(each == 1.0 for row in rows for each in row.belongs) == 2
        assert sum(0.0 < each < 1.0 for row in rows for each in row.belongs) == 1
        assert all(len(row.pair[0]) <= POSITIONS for row in rows)
        assert all(len(row.spans) == len(row.belongs) == len(row.weights) for row in rows)
