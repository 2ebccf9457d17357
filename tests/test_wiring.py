"""What the product is put together of."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop import project_wiring
from phasergun_desktop.language_models.prefix_state import PrefixStore
from tests.fakes.scripted_model import ScriptedModel


def _keep(store: PrefixStore, tokens: list[int]) -> None:
    path = store.path_for(tokens)
    assert path is not None
    temporary = path.with_suffix(".partial")
    temporary.write_bytes(b"state")
    store.commit(temporary, path, tokens)


def test_a_state_of_another_version_of_llama_cpp_is_not_used(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tokens = list(range(100))
    model = ScriptedModel([])
    _keep(project_wiring._prefixes(tmp_path, model), tokens)
    assert project_wiring._prefixes(tmp_path, model).best_match(tokens, already=0) is not None
    monkeypatch.setattr(project_wiring, "llama_version", lambda: "another")
    assert project_wiring._prefixes(tmp_path, model).best_match(tokens, already=0) is None
