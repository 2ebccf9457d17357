"""An embedder of the user's own: its vectors, and what is wrong with it as a sentence."""

from __future__ import annotations

import json
import pickle
import shutil
import socket
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding import own_model
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.own_embedder import OwnEmbedder, embedder_model
from phasergun_desktop.errors import ModelError
from phasergun_desktop.paths import resources_path
from tests.fakes.runs_when_unpickled import RunsWhenUnpickled
from tests.fakes.tiny_models import make_cross_encoder, make_embedder

TEXTS = ["The alarm sounds at 42.5 °C.", "The heater weighs 3.2 kg.", "alarm " * 900, ""]


def test_a_copy_of_the_bundled_model_gives_its_vectors(tmp_path: Path) -> None:
    models = resources_path() / "models"
    bundled = models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json"
    shutil.copyfile(bundled[0], tmp_path / "mine.onnx")
    shutil.copyfile(bundled[1], tmp_path / "tokenizer.json")
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 256}', "utf-8")
    own, usual = OwnEmbedder(tmp_path / "mine.onnx"), OnnxEmbedder(*bundled)
    texts = [*TEXTS[:2], "", "The heater of the alarm weighs 3.2 kg. " * 40]
    assert own.embed(texts) == pytest.approx(usual.embed(texts), abs=1e-6)
    assert own.embed_query(TEXTS[0]) == pytest.approx(own.embed(TEXTS[:1])[0])
    assert own.identity != usual.identity
    usual.close()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")
    return make_embedder(tmp_path_factory.mktemp("models") / "tiny", onnx=True)


@pytest.fixture
def folder(file: Path, tmp_path: Path) -> Path:
    """A copy of the folder that a test may damage."""
    return Path(shutil.copytree(file.parent, tmp_path / "copy"))


def test_folder_and_file_give_the_same_vectors(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("nothing is fetched")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    of_file, of_folder = OwnEmbedder(file), OwnEmbedder(file.parent)
    vectors = of_folder.embed(TEXTS)
    assert vectors.shape == (4, 48)
    assert vectors.dtype == np.float32
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(4), abs=1e-5)
    assert of_file.embed(TEXTS) == pytest.approx(vectors, abs=1e-4)
    # A vector depends on its text alone.
    assert np.array_equal(of_folder.embed(TEXTS[1:2]), vectors[1:2])
    assert of_file.embed([]).shape == (0, 48)
    # The model's own words stand before a query and before a text.
    query = of_folder.embed_query(TEXTS[0])
    assert of_file.embed_query(TEXTS[0]) == pytest.approx(query, abs=1e-4)
    assert not np.allclose(query, vectors[0], atol=1e-3)


def test_the_vector_of_the_first_piece_is_taken_where_the_model_says_so(tmp_path: Path) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")
    file = make_embedder(tmp_path / "first", first=True, onnx=True)
    vectors = OwnEmbedder(file.parent).embed(TEXTS)
    assert OwnEmbedder(file).embed(TEXTS) == pytest.approx(vectors, abs=1e-4)
    (file.parent / "1_Pooling" / "config.json").write_text("{}", "utf-8")
    assert not np.allclose(OwnEmbedder(file).embed(TEXTS), vectors, atol=1e-3)


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "1_Pooling/config.json"])
def test_the_identity_follows_the_content_of_the_files(folder: Path, name: str) -> None:
    before = [OwnEmbedder(path).identity for path in (folder / "model.onnx", folder)]
    assert [OwnEmbedder(path).identity for path in (folder / "model.onnx", folder)] == before
    with (folder / name).open("ab") as stream:
        stream.write(b" ")
    assert OwnEmbedder(folder / "model.onnx").identity != before[0]
    (folder / "model.safetensors").write_bytes(b"others")
    assert OwnEmbedder(folder).identity != before[1]


def test_what_is_not_there_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "missing"
    for path in (missing, missing / "model.onnx", tmp_path, Path()):
        assert embedder_model(path).problem() is not None
        with pytest.raises(ModelError, match="embedder that can be loaded"):
            _ = OwnEmbedder(path).identity
        with pytest.raises(ModelError, match="embedder that can be loaded") as caught:
            OwnEmbedder(path).embed_query("alarm")
        assert "Settings" in caught.value.remedy


@pytest.mark.parametrize("name", ["model.onnx", "tokenizer.json", "model.safetensors"])
def test_damaged_files_are_told(folder: Path, name: str) -> None:
    (folder / name).write_bytes(b"\x00garbage" * 9)
    path = folder if name == "model.safetensors" else folder / "model.onnx"
    assert embedder_model(path).problem() is None
    with pytest.raises(ModelError, match="embedder that can be loaded"):
        OwnEmbedder(path).embed(TEXTS)


def test_a_tokenizer_that_panics_is_told(tmp_path: Path) -> None:
    """The panic of Rust code is no ``Exception``."""
    models = resources_path() / "models"
    shutil.copyfile(models / "all-MiniLM-L6-v2-int8.onnx", tmp_path / "mine.onnx")
    parts = json.loads((models / "tokenizer.json").read_text("utf-8"))
    parts["pre_tokenizer"] = {"type": "FixedLength", "length": 0}
    (tmp_path / "tokenizer.json").write_text(json.dumps(parts), "utf-8")
    with pytest.raises(ModelError, match="embedder that can be loaded"):
        OwnEmbedder(tmp_path / "mine.onnx").embed(TEXTS)


def test_a_model_of_another_kind_is_told(file: Path, tmp_path: Path) -> None:
    scorer = make_cross_encoder(tmp_path / "scorer", onnx=True)
    with pytest.raises(ModelError, match="one vector for each text"):
        OwnEmbedder(scorer).embed_query("alarm")


def test_a_pickle_and_code_in_the_folder_are_not_run(folder: Path, tmp_path: Path) -> None:
    ran = tmp_path / "ran"
    (folder / "own.py").write_text(f"open({str(ran)!r}, 'w').close()\n", "utf-8")
    modules = (folder / "modules.json").read_text("utf-8")
    (folder / "modules.json").write_text(
        modules.replace("sentence_transformers.models.Pooling", "own.Pooling"), "utf-8"
    )
    with pytest.raises(ModelError, match="can be loaded"):
        OwnEmbedder(folder).embed(TEXTS)
    (folder / "modules.json").write_text(modules, "utf-8")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    config |= {"model_type": "own", "auto_map": {"AutoConfig": "own.A", "AutoModel": "own.B"}}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    with pytest.raises(ModelError, match="can be loaded"):
        OwnEmbedder(folder).embed(TEXTS)
    assert not ran.exists()


@pytest.mark.parametrize("part", ["", "2_Dense"])
def test_a_pickle_is_not_read(folder: Path, tmp_path: Path, part: str) -> None:
    ran = tmp_path / "ran"
    (folder / part).mkdir(exist_ok=True)
    if not part:
        (folder / "model.safetensors").unlink()
    (folder / part / "pytorch_model.bin").write_bytes(pickle.dumps(RunsWhenUnpickled(ran)))
    with pytest.raises(ModelError, match="can be loaded"):
        OwnEmbedder(folder).embed(TEXTS)
    assert not ran.exists()


def test_without_the_extra_a_folder_says_what_it_needs(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(own_model, "find_spec", lambda _: None)
    with pytest.raises(ModelError, match="custom-models") as caught:
        OwnEmbedder(file.parent).embed(TEXTS)
    assert "--with custom-models" in caught.value.remedy
    assert len(OwnEmbedder(file).embed(TEXTS)) == len(TEXTS)
