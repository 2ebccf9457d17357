"""A cross-encoder of the user's own: what it scores, and what is wrong with it as a sentence."""

from __future__ import annotations

import json
import math
import pickle
import shutil
import socket
from pathlib import Path

import pytest

from phasergun_desktop.embedding import own_model
from phasergun_desktop.embedding.own_cross_encoder import (
    CrossEncoderReranker,
    cross_encoder,
)
from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path
from tests.fakes.runs_when_unpickled import RunsWhenUnpickled
from tests.fakes.tiny_models import make_cross_encoder

pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")

QUERY = "At which temperature does the alarm sound?"
TEXTS = ["The alarm sounds at 42.5 °C.", "The heater weighs 3.2 kg.", "alarm " * 900, ""]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_cross_encoder(tmp_path_factory.mktemp("models") / "tiny", onnx=True)


@pytest.fixture
def folder(file: Path, tmp_path: Path) -> Path:
    """A copy of the folder that a test may damage."""
    return Path(shutil.copytree(file.parent, tmp_path / "copy"))


def test_folder_and_file_give_each_text_a_score_of_its_own(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nothing is fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    of_folder = CrossEncoderReranker(file.parent).scores(QUERY, TEXTS)
    assert len(set(of_folder)) == len(TEXTS)
    reranker = CrossEncoderReranker(file)
    of_file = [1 / (1 + math.exp(-each)) for each in reranker.scores(QUERY, TEXTS)]
    assert of_folder == pytest.approx(of_file, abs=1e-4)
    # A score depends on nothing beside it.
    assert reranker.scores(QUERY, TEXTS[1:2]) == reranker.scores(QUERY, TEXTS)[1:2]
    assert CrossEncoderReranker(file.parent).scores(QUERY, TEXTS[1:2]) == of_folder[1:2]
    assert reranker.scores("How heavy is it?", TEXTS[1:2]) != reranker.scores(QUERY, TEXTS[1:2])
    assert reranker.scores(QUERY, []) == []


def test_what_is_not_there_is_told(tmp_path: Path, folder: Path) -> None:
    missing = tmp_path / "missing"
    for path in (missing, missing / "model.onnx", tmp_path, Path()):
        assert cross_encoder(path).problem() is not None
        with pytest.raises(ModelError, match="cross-encoder that can be loaded") as caught:
            CrossEncoderReranker(path).scores(QUERY, TEXTS)
        assert "Settings" in caught.value.remedy
    (folder / "tokenizer.json").unlink()
    with pytest.raises(ModelError, match=r"has no tokenizer\.json"):
        CrossEncoderReranker(folder / "model.onnx").scores(QUERY, TEXTS)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "model.safetensors"])
def test_damaged_files_are_told(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"\x00garbage" * 9)
    path = folder if name == "model.safetensors" else folder / "model.onnx"
    assert cross_encoder(path).problem() is None
    with pytest.raises(ModelError, match="cross-encoder that can be loaded"):
        CrossEncoderReranker(path).scores(QUERY, TEXTS)


def test_a_model_of_another_kind_is_told(tmp_path: Path) -> None:
    two = make_cross_encoder(tmp_path / "two", outputs=2)
    with pytest.raises(ModelError, match="one number"):
        CrossEncoderReranker(two).scores(QUERY, TEXTS)
    embedder = tmp_path / "embedder"
    embedder.mkdir()
    models = resources_path() / "models"
    for name in ("all-MiniLM-L6-v2-int8.onnx", "tokenizer.json"):
        (embedder / name).symlink_to(models / name)
    with pytest.raises(ModelError, match="one number"):
        CrossEncoderReranker(embedder / "all-MiniLM-L6-v2-int8.onnx").scores(QUERY, TEXTS)


def test_a_pickle_and_code_in_the_folder_are_not_run(folder: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\n", "utf-8")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    kind = config["model_type"]
    config["auto_map"] = {
        "AutoConfig": "own.OwnConfig",
        "AutoModelForSequenceClassification": "own.OwnModel",
    }
    (folder / "config.json").write_text(json.dumps({**config, "model_type": "own"}), "utf-8")
    with pytest.raises(ModelError):
        CrossEncoderReranker(folder).scores(QUERY, TEXTS)
    assert not ran.exists()
    del config["auto_map"]
    (folder / "config.json").write_text(json.dumps({**config, "model_type": kind}), "utf-8")
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin").write_bytes(pickle.dumps(RunsWhenUnpickled(ran)))
    with pytest.raises(ModelError, match="can be loaded"):
        CrossEncoderReranker(folder).scores(QUERY, TEXTS)
    assert not ran.exists()


def test_without_the_extra_a_folder_says_what_it_needs(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_model, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match="custom-models") as caught:
        CrossEncoderReranker(file.parent).scores(QUERY, TEXTS)
    assert "--with custom-models" in caught.value.remedy
    assert CrossEncoderReranker(file).scores(QUERY, TEXTS[:1])
