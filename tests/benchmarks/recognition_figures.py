"""Text recognition beside plain tesseract, on pages that were spoiled in known ways."""

from __future__ import annotations

import os
import re
import shutil
import sys
import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.images.recognition import Recogniser
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.recognition_pages import (
    REPORTED_PAGES,
    REPORTED_SEED,
    REPORTED_TEXTS,
    SPOILINGS,
    KnownPage,
    character_error_rate,
    known_pages,
    scan_page,
    spoiled,
)

ROOT = Path(__file__).resolve().parents[2]
# Every page is measured clean; each spoiling is measured on one page of three, in turn.
_EVERY = 3
_PLAIN_TIMEOUT_S = 60
_MOST_WORSE_POINTS = 0.5


@dataclass(frozen=True, slots=True)
class _Compared:
    """One spoiled page: character error rates in percent and seconds."""

    plain_percent: float
    plain_s: float
    ours_percent: float
    ours_s: float


def recognition(every: int = _EVERY) -> Iterator[Figure]:
    """Yield error rates and seconds for each way of spoiling, plain and ours."""
    data = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not data.is_dir():
        raise Unavailable("the documents are absent (set PHASERGUN_TEST_DATA)")
    program = shutil.which("tesseract")
    if not program:
        raise Unavailable("tesseract is not installed")
    recogniser = Recogniser(Reading(DocumentBuilder(), tesseract=program))
    compared: dict[str, list[_Compared]] = defaultdict(list)
    for number, page in enumerate(known_pages(data, REPORTED_PAGES, REPORTED_TEXTS)):
        for place, spoiling in enumerate(SPOILINGS):
            if place == 0 or (number + place) % every == 0:
                case = spoiled(page, spoiling, REPORTED_SEED)
                compared[spoiling].append(_compare(recogniser, case, spoiling))
    compared["TR-0147"].append(_compare(recogniser, scan_page(data), "TR-0147"))
    for name, cases in compared.items():
        yield from _figures(name, cases)
    every_case = [case for cases in compared.values() for case in cases]
    yield figure(
        "recognition_worse_than_plain",
        "points",
        [max(case.ours_percent - case.plain_percent for case in every_case)],
        target=_MOST_WORSE_POINTS,
        note="the most by which ours has more errors than plain tesseract on any of"
        f" {len(every_case)} pictures; points of the character error rate",
    )


def _figures(name: str, cases: list[_Compared]) -> Iterator[Figure]:
    short = "recognition_" + re.sub(r"\W+", "_", name.replace("°", "")).strip("_")
    yield figure(
        f"{short}_plain", "% characters", [case.plain_percent for case in cases], note=name
    )
    yield figure(
        f"{short}_ours",
        "% characters",
        [case.ours_percent for case in cases],
        note=f"mean {_mean([case.ours_percent for case in cases]):.2f}, plain"
        f" {_mean([case.plain_percent for case in cases]):.2f}",
    )
    yield figure(f"{short}_plain_time", "s/page", [case.plain_s for case in cases])
    yield figure(f"{short}_ours_time", "s/page", [case.ours_s for case in cases])


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)


def _compare(recogniser: Recogniser, page: KnownPage, spoiling: str) -> _Compared:
    start = time.perf_counter()
    plain = plain_text(page)
    plain_s = time.perf_counter() - start
    start = time.perf_counter()
    found = recogniser.recognise(page.image, page.dpi)
    ours_s = time.perf_counter() - start
    ours = " ".join(word.text for line in found.lines for word in line.words)
    result = _Compared(
        100 * character_error_rate(plain, page.text),
        plain_s,
        100 * character_error_rate(ours, page.text),
        ours_s,
    )
    print(
        f"  {spoiling:24} {page.name:28} plain {result.plain_percent:6.2f} % {plain_s:5.1f} s"
        f"   ours {result.ours_percent:6.2f} % {ours_s:5.1f} s",
        file=sys.stderr,
        flush=True,
    )
    return result


def plain_text(page: KnownPage) -> str:
    """Return what tesseract makes of the picture as it is, one thread; nothing on time-out."""
    import pytesseract

    before = os.environ.get("OMP_THREAD_LIMIT")
    os.environ["OMP_THREAD_LIMIT"] = "1"
    try:
        return str(
            pytesseract.image_to_string(
                page.image, lang="eng", config=f"--dpi {page.dpi}", timeout=_PLAIN_TIMEOUT_S
            )
        )
    except RuntimeError:
        return ""
    finally:
        if before is None:
            del os.environ["OMP_THREAD_LIMIT"]
        else:
            os.environ["OMP_THREAD_LIMIT"] = before
