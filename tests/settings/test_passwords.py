"""Passwords are the keyring's, or nobody's: never a file's, never a log's."""

from __future__ import annotations

import json
import logging
import subprocess
import sys
from pathlib import Path

import pytest

from phasergun_desktop.settings.keyring_entries import Keyring, system_keyring
from phasergun_desktop.settings.passwords import MAX_PASSWORDS, SERVICE, KeyringPasswords
from tests.fakes.fake_keyring import FakeKeyring


def test_they_are_kept_by_project_last_first() -> None:
    keyring = FakeKeyring()
    store = KeyringPasswords(lambda: keyring)
    assert store.passwords("p1") == ()
    assert store.add("p1", "alpha")
    assert store.add("p1", "βeta")
    assert store.add("p1", "alpha")
    assert store.add("p2", "other")
    again = KeyringPasswords(lambda: keyring)
    assert again.passwords("p1") == ("alpha", "βeta")
    assert json.loads(keyring.entries[SERVICE, "p1"]) == ["alpha", "βeta"]
    assert again.passwords("p2") == ("other",)


def test_the_keyring_is_looked_for_at_first_use_and_asked_once() -> None:
    keyring = FakeKeyring()
    looked: list[int] = []

    def find() -> Keyring:
        looked.append(1)
        return keyring

    store = KeyringPasswords(find)
    assert not looked
    for _ in range(5):
        store.passwords("p1")
    assert (len(looked), keyring.calls) == (1, 1)


def test_forgetting_deletes_the_entry() -> None:
    keyring = FakeKeyring()
    store = KeyringPasswords(lambda: keyring)
    store.add("p1", "alpha")
    store.forget("p1")
    store.forget("never known")
    assert keyring.entries == {}
    assert store.passwords("p1") == ()


def test_without_a_keyring_they_last_for_this_session() -> None:
    def none() -> Keyring | None:
        return None

    def broken() -> Keyring | None:
        raise RuntimeError("no bus")

    for find in (none, broken):
        store = KeyringPasswords(find)
        assert not store.add("p1", "alpha")
        assert store.passwords("p1") == ("alpha",)
        store.forget("p1")
        assert store.passwords("p1") == ()


def test_a_keyring_that_refuses_is_survived_and_never_quoted(
    caplog: pytest.LogCaptureFixture,
) -> None:
    keyring = FakeKeyring()
    KeyringPasswords(lambda: keyring).add("p1", "first")
    keyring.refuses = True
    store = KeyringPasswords(lambda: keyring)
    with caplog.at_level(logging.DEBUG):
        assert not store.add("p1", "second")
    assert store.passwords("p1") == ("second",)
    assert "hunter2" not in caplog.text
    assert "second" not in caplog.text
    # What could not be read is not replaced by a shorter list.
    keyring.refuses = False
    assert not store.add("p1", "third")
    assert json.loads(keyring.entries[SERVICE, "p1"]) == ["first"]


def test_an_entry_of_somebody_else_is_no_problem() -> None:
    keyring = FakeKeyring()
    keyring.entries[SERVICE, "p1"] = "not json"
    assert KeyringPasswords(lambda: keyring).passwords("p1") == ()
    keyring.entries[SERVICE, "p2"] = '{"a": 1}'
    assert KeyringPasswords(lambda: keyring).passwords("p2") == ()


def test_there_is_a_limit() -> None:
    store = KeyringPasswords(lambda: None)
    for number in range(MAX_PASSWORDS + 5):
        store.add("p1", str(number))
    assert len(store.passwords("p1")) == MAX_PASSWORDS


def test_a_keyring_that_is_a_plain_file_is_not_used(monkeypatch: pytest.MonkeyPatch) -> None:
    from keyring import core

    unsafe = FakeKeyring(priority=0.5)
    monkeypatch.setattr(core, "init_backend", lambda limit=None: None)
    monkeypatch.setattr(core, "get_keyring", lambda: unsafe)
    assert system_keyring() is None
    monkeypatch.setattr(core, "get_keyring", FakeKeyring)
    assert system_keyring() is not None


def test_starting_does_not_load_the_keyring() -> None:
    code = (
        "import sys, phasergun_desktop.app, phasergun_desktop.wiring\n"
        "print([name for name in sys.modules if name.partition('.')[0] == 'keyring'])"
    )
    root = Path(__file__).resolve().parents[2]
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=root
    )
    assert done.stdout.strip() == "[]"
