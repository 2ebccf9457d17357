"""Changes of the cross-encoder's weights: what is learnt, and what they are learnt of."""

from __future__ import annotations

import random
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from claim_edits import edits_of, values_of

from phasergun_desktop.embedding.cross_encoder import CROSS_ENCODER_FILE, CrossEncoder
from phasergun_desktop.paths import resources_path

MODELS = resources_path() / "models"
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
    assert made.belonging(query, [text]) == shipped.belonging(query, [text])
    assert made.stating(query, [text]) == shipped.stating(query, [text])
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
    query, text = "What is the occluder made of?", "The occluder is made of silicone."
    as_before = shipped.stating(query, [text])
    assert np.allclose(made.answering(query, [text]), as_before, atol=0.3)
    assert np.allclose(made.stating(query, [text]), as_before, atol=0.3)
    assert np.allclose(made.belonging(query, [text]), shipped.belonging(query, [text]), atol=0.3)
