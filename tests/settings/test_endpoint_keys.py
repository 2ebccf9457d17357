"""Keys of model servers: in the keyring, by address, in no file and no log."""

from __future__ import annotations

import pytest

from phasergun_desktop.settings.endpoint_keys import KeyringKeys
from phasergun_desktop.settings.keyring_entries import Keyring
from tests.fakes.fake_keyring import FakeKeyring

_HERE, _THERE = "https://a/v1", "https://b/v1"


def test_a_key_outlives_the_session_and_goes_to_its_server_only() -> None:
    keyring = FakeKeyring()
    assert KeyringKeys(lambda: keyring).keep(_HERE, "sk-1")
    again = KeyringKeys(lambda: keyring)
    assert again.key(_HERE) == "sk-1"
    assert again.key(_THERE) == ""
    again.forget(_HERE)
    assert again.key(_HERE) == ""
    assert keyring.entries == {}
    again.forget(_THERE)


def test_without_a_keyring_a_key_lives_as_long_as_the_session() -> None:
    keys = KeyringKeys(lambda: None)
    assert not keys.keep(_HERE, "sk-1")
    assert keys.key(_HERE) == "sk-1"
    keys.forget(_HERE)
    assert keys.key(_HERE) == ""


def test_a_keyring_that_refuses_is_no_error_and_quotes_nothing(
    caplog: pytest.LogCaptureFixture,
) -> None:
    keyring = FakeKeyring()
    keyring.refuses = True
    keys = KeyringKeys(lambda: keyring)
    assert keys.key(_HERE) == ""
    assert not keys.keep(_HERE, "sk-secret")
    assert keys.key(_HERE) == "sk-secret"
    keys.forget(_HERE)
    assert "hunter2" not in caplog.text
    assert "sk-secret" not in caplog.text


def test_the_keyring_is_looked_for_once_and_only_when_needed() -> None:
    looked: list[int] = []

    def find() -> Keyring | None:
        looked.append(1)
        raise RuntimeError("no desktop")

    keys = KeyringKeys(find)
    assert looked == []
    assert keys.key(_HERE) == keys.key(_THERE) == ""
    assert looked == [1]
