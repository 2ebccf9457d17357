from __future__ import annotations

import io
import json

import pytest

from phasergun_desktop.__main__ import main
from phasergun_desktop.evaluation.pattern_child import CHILD_ARGUMENT
from phasergun_desktop.evaluation.pattern_search import SlowPatternError, found_in


def test_every_pattern_is_searched_in_every_text() -> None:
    texts = ["The valve\n opens at\u00a040 kPa.", "Umlaute: Prüfung", "\ud800"]
    patterns = ["VALVE opens at 40", "prüfung", "brass", "[[U]mlaute", "40 kPa.*Umlaute"]
    assert found_in(texts, patterns) == (True, True, False, True, False)


def test_nothing_is_found_in_nothing() -> None:
    assert found_in([], ["a", ""]) == (False, False)
    assert found_in(["a"], []) == ()


def test_a_pattern_that_never_ends_is_named() -> None:
    with pytest.raises(SlowPatternError) as told:
        found_in(["a" * 5000 + "!"], ["a", "(a+)+$", "b"], limit_s=2.0)
    assert told.value.place == 1


def test_a_pattern_that_ends_the_process_is_named() -> None:
    with pytest.raises(SlowPatternError) as told:
        found_in(["a"], ["a", "("])
    assert told.value.place == 1


def test_a_frozen_program_searches_when_it_is_started_for_it(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    asked = json.dumps({"patterns": ["valve", "brass"], "texts": ["The Valve"]}).encode()
    monkeypatch.setattr("sys.argv", ["phasergun", CHILD_ARGUMENT])
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(asked)))
    assert main() == 0
    assert capfd.readouterr().out == "1\n0\n"
