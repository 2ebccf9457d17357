"""What is kept of values that take long to make, and what makes them go."""

from __future__ import annotations

from phasergun_desktop.kept_values import KeptValues


def test_values_go_with_time_with_the_version_and_by_their_number() -> None:
    now, made = [0.0], []

    def make() -> int:
        made.append(1)
        return len(made)

    kept: KeptValues[str, int] = KeptValues(2, seconds=300.0, clock=lambda: now[0])
    assert [kept.get("a", make, 1), kept.get("a", make, 1)] == [1, 1]
    now[0] = 299.0
    assert kept.get("a", make, 1) == 1
    now[0] = 300.0
    assert kept.get("a", make, 1) == 2
    assert kept.get("a", make, 2) == 3
    kept.get("b", make, 2)
    kept.get("c", make, 2)
    assert kept.get("a", make, 2) == 6


def test_those_used_last_stay_as_long_as_they_are_light_enough() -> None:
    kept: KeptValues[str, str] = KeptValues(4, len)
    kept.put("a", "aa")
    kept.put("b", "bb")
    assert kept.peek("a") == "aa"
    kept.put("c", "c")
    assert [kept.peek(key) for key in "abc"] == ["aa", None, "c"]
    kept.put("c", "ccc")
    assert [kept.peek(key) for key in "ac"] == [None, "ccc"]
    kept.put("d", "too much for all others")
    assert [kept.peek(key) for key in "cd"] == [None, "too much for all others"]


def test_a_value_of_a_version_that_is_gone_is_not_kept() -> None:
    kept: KeptValues[str, int] = KeptValues(2)

    def make() -> int:
        kept.peek("a", 2)
        return 1

    assert kept.get("a", make, 1) == 1
    assert kept.peek("a", 2) is None
    assert kept.get("a", lambda: 0, 2) == 0
