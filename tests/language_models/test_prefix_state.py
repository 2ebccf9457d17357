"""The prefix store finds the longest shared prefix and stays within its size."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phasergun_desktop.language_models.prefix_state import PrefixStore


def _put(store: PrefixStore, tokens: list[int], size: int = 10) -> Path:
    path = store.path_for(tokens)
    assert path is not None
    temporary = path.with_suffix(".partial")
    temporary.write_bytes(b"x" * size)
    store.commit(temporary, path, tokens)
    return path


def test_longest_shared_prefix_wins(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "model")
    _put(store, list(range(100)))
    best = _put(store, list(range(200)))
    match = store.best_match([*range(180), 7, 7], already=0)
    assert match is not None
    assert (match[0].path, match[1]) == (best, 180)


def test_nothing_is_loaded_that_memory_has_already(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "model")
    _put(store, list(range(100)))
    assert store.best_match(list(range(100)), already=90) is None


def test_states_of_another_model_are_not_seen(tmp_path: Path) -> None:
    _put(PrefixStore(tmp_path, "one"), list(range(100)))
    assert PrefixStore(tmp_path, "two").best_match(list(range(100)), already=0) is None


def test_oldest_state_goes_when_the_folder_is_full(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "model", max_bytes=250)
    old = _put(store, [1] * 60, 100)
    os.utime(old, (1, 1))
    kept = _put(store, [2] * 60, 100)
    new = _put(store, [3] * 60, 100)
    assert not old.exists()
    assert kept.exists()
    assert new.exists()


def test_damaged_token_list_is_removed(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "model")
    path = _put(store, list(range(100)))
    path.with_suffix(".tokens").write_text("not json")
    assert store.best_match(list(range(100)), already=0) is None
    assert not path.exists()


def test_a_state_whose_time_cannot_be_set_is_used_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = PrefixStore(tmp_path, "model")
    path = _put(store, list(range(100)))

    def refuse(_path: Path) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "utime", refuse)
    match = store.best_match(list(range(100)), already=0)
    assert match is not None
    assert match[0].path == path
    assert store.path_for(list(range(100))) is None


def test_what_a_killed_process_left_half_written_goes(tmp_path: Path) -> None:
    store = PrefixStore(tmp_path, "model")
    folder = _put(store, list(range(100))).parent
    left, being_written = folder / "left.partial", folder / "new.partial"
    for path in (left, being_written):
        path.write_bytes(b"half")
    os.utime(left, (1, 1))
    _put(store, list(range(200)))
    assert not left.exists()
    assert being_written.exists()
