"""Opening, searching and planning in projects of a thousand to a hundred thousand windows."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import run_child
from tests.benchmarks.growth_project import index_grown, lay_out_grown

SIZES = (1_000, 16_000, 100_000)
# Up to how many windows, by their nominal number: open and first search, search (ms).
_AIMS = ((16_000, 150.0, 20.0), (100_000, 1_000.0, 40.0))
# A plan, up to so many documents and of more (ms).
_FEW_DOCUMENTS, _PLAN_OF_FEW, _PLAN = 60, 1_000.0, 2_000.0
_MEMORY_MB = 300.0
_MB = 1_000_000
_DIMENSIONS = 384


def growth(sizes: Sequence[int] = SIZES) -> Iterator[Figure]:
    """Make a project of each of ``sizes`` (windows) and measure it in a process of its own."""
    for size in sizes:
        with tempfile.TemporaryDirectory(prefix="phasergun-growth-") as folder:
            root, home = Path(folder) / "project", Path(folder) / "home"
            lay_out_grown(root, size)
            home.mkdir()
            index_grown(root, home)
            yield from measured(root, home, size)


def measured(root: Path, home: Path, nominal: int, processes: int = 3) -> Iterator[Figure]:
    """Yield the figures of the indexed project ``root`` of about ``nominal`` windows."""
    runs = [run_child("tests.benchmarks.growth_child", root, home) for _ in range(processes + 1)][
        1:
    ]  # the first compiles every module to byte code
    counts = runs[0]["counts"]
    windows = counts["windows"]
    if windows < nominal / 2:
        raise ValueError(f"the project of {nominal} windows has {windows}")
    first_aim, search_aim = next((aims for most, *aims in _AIMS if nominal <= most), (None, None))
    plan_aim = _PLAN_OF_FEW if counts["documents"] <= _FEW_DOCUMENTS else _PLAN
    size = f"{windows} windows, {counts['units']} units, {counts['documents']} documents"

    def values(name: str) -> list[float]:
        return [value for run in runs for value in run["ms"][name]]

    opened = [a + b for a, b in zip(values("open"), values("files"), strict=True)]
    first = [a + b for a, b in zip(opened, values("first"), strict=True)]
    prefix = f"growth_{nominal}"
    yield figure(f"{prefix}_open", "ms", opened, note=f"until its files are listed; {size}")
    yield figure(
        f"{prefix}_open_and_search",
        "ms",
        first,
        target=first_aim,
        note="the embedder is loaded, nothing of the project is",
    )
    yield figure(f"{prefix}_warm", "ms", values("warm"), note="in the background, after it")
    p95 = [figure("", "", run["ms"]["search"]).p95 for run in runs]
    yield figure(f"{prefix}_search", "ms", values("search"), note="its embedding included")
    yield figure(f"{prefix}_search_p95", "ms", p95, target=search_aim, note="of each process")
    for stage in ("embed", "keyword", "vector", "fuse"):
        yield figure(f"{prefix}_search_{stage}", "ms", values(stage))
    yield figure(f"{prefix}_first_plan", "ms", values("first_plan"))
    yield figure(f"{prefix}_plan", "ms", values("plan"), target=plan_aim, note="of each prompt")
    vectors = (4 * windows + counts["units"]) * _DIMENSIONS / _MB
    for when in ("search", "plan"):
        yield figure(
            f"{prefix}_memory_{when}",
            "MB",
            [run["bytes"][when] / _MB for run in runs],
            target=_MEMORY_MB + vectors,
            note=f"resident, {vectors:.0f} MB of them vectors",
        )
