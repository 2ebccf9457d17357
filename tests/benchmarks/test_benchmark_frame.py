"""The frame of the benchmarks itself; nothing is timed here."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tests.benchmarks import __main__ as program
from tests.benchmarks.frame import Benchmark, Figure, Unavailable, alternate, figure


def _good() -> Iterable[Figure]:
    yield figure("search", "ms", [3.0, 1.0, 2.0, 10.0], target=2.0)
    yield figure("speed", "texts/s", [70.0], target=50.0, at_least=True)
    yield figure("free", "ms", [1.23456789])


def _bad() -> Iterable[Figure]:
    yield figure("before", "ms", [1.0])
    raise ValueError("broken")


def _absent() -> Iterable[Figure]:
    raise Unavailable("no model file")


def test_figures_have_interval_and_target() -> None:
    search, speed, free = _good()
    assert (search.n, search.minimum, search.median, search.p95, search.maximum) == (
        4,
        1.0,
        2.5,
        10.0,
        10.0,
    )
    assert (search.is_met, speed.is_met, free.is_met) == (False, True, None)


def test_pairs_alternate_and_compare_pair_by_pair() -> None:
    order: list[str] = []
    pairs = alternate(lambda: order.append("a"), lambda: order.append("b"), 3, warm_up=0)
    assert "".join(order) == "abbaab"
    assert len(pairs.ratios) == 3


def test_a_failure_is_in_the_report_and_the_rest_still_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks = (
        Benchmark("bad", "b", _bad),
        Benchmark("absent", "a", _absent),
        Benchmark("good", "g", _good),
    )
    monkeypatch.setattr(program, "BENCHMARKS", benchmarks)
    out = tmp_path / "figures.json"
    assert program.main(["--out", str(out)]) == 1
    report = json.loads(capsys.readouterr().out)
    assert json.loads(out.read_text("utf-8")) == report
    bad, absent, good = report["benchmarks"]
    assert bad["error"] == "ValueError: broken"
    assert bad["figures"][0]["name"] == "before"
    assert absent["unavailable"] == "no model file"
    assert [each.get("is_met") for each in good["figures"]] == [False, True, None]
    assert report["machine"]["cores"] >= 1
    assert report["machine"]["cpu"]
    assert program.main(["good"]) == 0
    with pytest.raises(SystemExit) as stopped:
        program.main(["nonsense"])
    assert stopped.value.code == 2


def test_slow_ones_run_only_when_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    benchmarks = (Benchmark("good", "g", _good), Benchmark("slow", "s", _good, True))
    monkeypatch.setattr(program, "BENCHMARKS", benchmarks)
    assert program.main([]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["benchmarks"]] == ["good"]
    assert program.main(["slow"]) == 0
    assert [each["name"] for each in json.loads(capsys.readouterr().out)["benchmarks"]] == ["slow"]


def test_registered_names_are_unique_and_nothing_is_prepared_yet() -> None:
    from tests.benchmarks.registry import BENCHMARKS

    names = [each.name for each in BENCHMARKS]
    assert len(names) == len(set(names))
    assert {"window", "index", "open", "search", "embedding", "save", "llama"} <= set(names)


def test_a_search_asks_more_than_a_hundred_different_questions() -> None:
    from tests.benchmarks.search_questions import QUESTIONS

    assert len(set(QUESTIONS)) == len(QUESTIONS) > 100
