"""Model profiles, own files and servers on the command line."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.__main__ import main as program
from tests.fakes.command import Run
from tests.fakes.gguf_files import gguf_head
from tests.fakes.model_server import ModelServer
from tests.fakes.warmer_project import add_alarm_statement

PREMIUM = 2


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Settings of this test's own."""
    monkeypatch.setenv("PHASERGUN_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


@pytest.fixture
def server() -> Iterator[ModelServer]:
    made = ModelServer(lambda c: c.say("The alarm sounds at 42.5 °C."))
    yield made
    made.close()


def test_the_profiles_as_they_come(run: Run) -> None:
    found = run("models", "profiles", "--json").json
    assert found["in_use"] == "balanced"
    assert [each["model"] for each in found["profiles"]] == [
        "qwen2.5-coder-0.5b-instruct",
        "qwen2.5-coder-1.5b-instruct",
        "qwen2.5-coder-1.5b-instruct",
    ]
    assert {each["source"] for each in found["profiles"]} == {"catalogue"}
    assert not any(each["consent"] for each in found["profiles"])


def test_a_profile_gets_a_model_a_file_or_a_server(run: Run, tmp_path: Path) -> None:
    assert run("models", "use", "cheap", "smollm2-135m-instruct").code == 0
    own = tmp_path / "own.gguf"
    own.write_bytes(gguf_head(1))
    assert run("models", "use", "balanced", own).code == 0
    said = run("models", "use", "premium", "http://10.0.0.5:8000", "--server-model", "large")
    assert said.code == 0
    assert "not encrypted" in said.err
    assert "consent premium" in said.err
    found = run("models", "profiles", "--json").json
    assert found["in_use"] == "premium"
    assert [(each["source"], each["model"]) for each in found["profiles"]] == [
        ("catalogue", "smollm2-135m-instruct"),
        ("file", str(own)),
        ("remote", "large"),
    ]
    assert found["profiles"][PREMIUM]["address"] == "http://10.0.0.5:8000/v1"
    assert run("models", "use", "cheap", "--json").json["in_use"] == "cheap"


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (("use",), 2, "say which profile"),
        (("use", "huge"), 1, "no model profile called"),
        (("use", "cheap", "no-such-model"), 1, "no language model called"),
        (("use", "cheap", "all-minilm-l6-v2"), 1, "no language model called"),
        (("use", "cheap", "/nowhere/own.gguf"), 1, "is not there"),
        (("use", "cheap", "https://host/v1"), 1, "which of its models"),
        (("use", "cheap", "http://8.8.8.8/v1", "--server-model", "m"), 1, "Use https://"),
        (("use", "cheap", "https://u:p@host/v1", "--server-model", "m"), 1, "user name"),
        (("consent", "balanced"), 1, "model of this machine"),
        (("key", "balanced"), 1, "needs no key"),
        (("check",), 2, "say which model"),
        (("check", "/nowhere.gguf"), 1, "is not there"),
        (("verify", "smollm2-135m-instruct", "more"), 2, "takes a target"),
    ],
)
def test_wrong_wishes_are_told(run: Run, arguments: tuple[str, ...], code: int, words: str) -> None:
    said = run("models", *arguments)
    assert said.code == code
    assert words in said.err


def test_a_file_is_checked(run: Run, tmp_path: Path, smollm2_path: Path) -> None:
    found = run("models", "check", smollm2_path, "--json").json
    assert found["usable"]
    assert found["parameters"] > 1e8
    assert found["writing_tokens_per_s"] > 0
    broken = tmp_path / "broken.gguf"
    broken.write_bytes(gguf_head(3))
    said = run("models", "check", broken, "--json")
    assert said.code == 1
    assert said.json["status"] == "error"
    assert said.json["error"]["message"] == said.json["problem"] != ""


def test_consent_is_asked_for_given_and_taken_back(
    run: Run, fresh: Path, server: ModelServer
) -> None:
    run("models", "use", "premium", server.address, "--server-model", "large")
    run("models", "use", "balanced")
    add_alarm_statement(fresh)
    draft = ("draft", fresh, fresh / "Context/Prompt/performance.md", "--json")
    refused = run(*draft, "--model-profile", "premium")
    assert refused.code == 1
    assert "not agreed" in refused.json["error"]["message"]
    assert server.requests == []
    assert run("models", "consent", "premium", "--json").json["profiles"][PREMIUM]["consent"]
    answered = run(*draft, "--model-profile", "premium").json
    assert answered["status"] == "complete"
    assert answered["metrics"]["model"].startswith("large at 127.0.0.1")
    assert any("estimates" in each for each in answered["warnings"])
    calls = len(server.requests)
    assert calls > 0
    assert run("models", "withdraw", "premium").code == 0
    assert run(*draft, "--model-profile", "premium").code == 1
    assert len(server.requests) == calls


def test_a_key_without_a_keyring_is_refused_and_nowhere_written(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(
        "phasergun_desktop.settings.keyring_entries.KeyringEntries._found", lambda _self: None
    )
    run("models", "use", "premium", "https://models.example", "--server-model", "large")
    monkeypatch.setattr("sys.stdin", io.StringIO("sk-secret\n"))
    said = run("models", "key", "premium")
    assert said.code == 1
    assert "keyring" in said.err
    assert "sk-secret" not in said.out + said.err
    for path in home.rglob("*"):
        assert not path.is_file() or b"sk-secret" not in path.read_bytes()


def test_the_program_starts_itself_to_check_a_model(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "vocabulary.gguf"
    path.write_bytes(gguf_head(0))
    monkeypatch.setattr("sys.argv", ["phasergun", "--model-check-child", str(path), "512", "1"])
    # The child points its stdout elsewhere, for good.
    stdout = os.dup(1)
    try:
        assert program() == 0
    finally:
        os.dup2(stdout, 1)
        os.close(stdout)
    assert "vocabulary only" in json.loads(capfd.readouterr().out)["problem"]
