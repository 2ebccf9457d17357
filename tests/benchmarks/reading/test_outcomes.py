"""Every file of the nasty set ends as it did when its outcome was last accepted."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from phasergun_desktop.documents.tools import find_tesseract
from tests.benchmarks.reading.against_others import Compared, OtherText
from tests.benchmarks.reading.data_files import NASTY, DataFile, data_files
from tests.benchmarks.reading.outcome_baseline import (
    BASELINE,
    Expected,
    differences,
    read_baseline,
    write_baseline,
)
from tests.benchmarks.reading.outcome_tables import file_line, sentences, table
from tests.benchmarks.reading.outcomes import (
    Leftovers,
    Outcome,
    OutcomeKind,
    read_outcomes,
    watched,
)

SUBSET = 25


def _outcome(name: str, kind: OutcomeKind, count: int = 0, sentence: str = "") -> Outcome:
    file = DataFile(Path(name), name, "trait")
    return Outcome(file, kind, sentence, 0.5, blocks=count, found=("word",) * count)


def test_the_baseline_is_kept_and_compared(tmp_path: Path) -> None:
    kept = tmp_path / "kept.csv"
    said = 'The PDF, "odd.pdf", is damaged and cannot be opened at all.'
    good = _outcome("good.txt", OutcomeKind.INDEXED, 150)
    bad = _outcome("odd.pdf", OutcomeKind.FAILED, sentence=said)
    write_baseline([good, bad], kept)
    expected = read_baseline(kept)
    assert expected["good.txt"] == Expected(OutcomeKind.INDEXED, 100, "")
    assert expected["odd.pdf"].kind is OutcomeKind.FAILED
    assert expected["odd.pdf"].beginning.startswith('The PDF, "The file", is')
    assert differences([good, bad], expected) == []
    unknown = _outcome("new.pdf", OutcomeKind.FAILED)
    lost = _outcome("good.txt", OutcomeKind.INDEXED, 3)
    other = _outcome("odd.pdf", OutcomeKind.SKIPPED, sentence="No.")
    found = differences([unknown, lost, other], expected)
    assert len(found) == 2
    assert "3 words" in found[0]
    assert "skipped" in found[1]


def test_the_table_counts_by_format_and_trait() -> None:
    outcomes = [
        _outcome("a.pdf", OutcomeKind.INDEXED, 5),
        _outcome("b.pdf", OutcomeKind.FAILED, sentence="b.pdf is damaged."),
    ]
    lines = list(table(outcomes))
    assert lines[1].split()[:6] == ["pdf", "trait", "2", "1", "1", "0"]
    assert list(sentences(outcomes)) == ["failed      1  … is damaged.  [pdf trait×1]"]
    assert file_line(outcomes[1]).endswith("b.pdf  b.pdf is damaged.")


def test_an_exception_is_where_others_read_much_more() -> None:
    nothing = _outcome("a.pdf", OutcomeKind.FAILED)
    some = _outcome("b.pdf", OutcomeKind.INDEXED, 20)
    assert Compared(nothing, OtherText("other", ("word",) * 21)).is_exception
    assert not Compared(nothing, OtherText("other", ("word",) * 20)).is_exception
    assert Compared(some, OtherText("other", ("word",) * 30)).is_exception
    assert not Compared(some, OtherText("other", ("word",) * 24)).is_exception


def test_a_process_that_is_left_is_named() -> None:
    left = Leftovers()
    command = [sys.executable, "-c", "import time; time.sleep(60)"]
    with watched(left, wait_s=0.3):
        process = subprocess.Popen(command)
    try:
        assert len(left.names) == 1
    finally:
        process.kill()
        process.wait()
    again = Leftovers()
    with watched(again):
        subprocess.run([sys.executable, "-c", ""], check=True)
    assert again.names == ()


def _one_of_each_trait(files: tuple[DataFile, ...]) -> list[DataFile]:
    """The smallest file of each trait; pictures take seconds each."""
    slow = {"png", "jpg", "bmp", "tif"}
    smallest: dict[str, DataFile] = {}
    for file in sorted(files, key=lambda each: each.path.stat().st_size):
        if file.suffix not in slow and file.trait not in ("scanned", "huge-pages"):
            smallest.setdefault(file.trait, file)
    return sorted(smallest.values(), key=lambda each: each.name)[:SUBSET]


def test_one_file_of_each_trait_ends_as_before(test_data: Path) -> None:
    tesseract = find_tesseract()
    left = Leftovers()
    files = _one_of_each_trait(data_files(NASTY, test_data))
    if not tesseract:  # a page of these may be a picture
        files = [each for each in files if each.suffix != "pdf"]
    outcomes = list(read_outcomes(files, tesseract, left))
    assert len(outcomes) == len(files) > 10
    assert differences(outcomes, read_baseline()) == []
    assert left.names == ()


@pytest.mark.slow
def test_every_file_ends_as_before(test_data: Path) -> None:
    tesseract = find_tesseract()
    if not tesseract:
        pytest.skip("tesseract is not on this machine")
    left = Leftovers()
    outcomes = list(read_outcomes(data_files(NASTY, test_data), tesseract, left))
    assert differences(outcomes, read_baseline()) == []
    assert all(each.sentence for each in outcomes if each.kind is not OutcomeKind.INDEXED)
    assert left.names == ()


def test_the_baseline_says_why_what_is_not_indexed() -> None:
    for name, expected in read_baseline(BASELINE).items():
        assert (expected.kind is OutcomeKind.INDEXED) != bool(expected.beginning), name
