"""The outcomes that were last accepted, kept as a table beside this module."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.benchmarks.reading.outcomes import Outcome, OutcomeKind

BASELINE = Path(__file__).with_name("nasty_outcomes.csv")
_SENTENCE_WORDS = 7
# Recognition varies by a word or two between versions; only the size is kept.
_BUCKETS = (1000, 100, 20, 1, 0)


@dataclass(frozen=True, slots=True)
class Expected:
    """What is expected of a file: ``words`` is the lower bound of its bucket, ``beginning`` the
    first words of the sentence where it is not indexed."""

    kind: OutcomeKind
    words: int
    beginning: str


def expected_of(outcome: Outcome) -> Expected:
    """Return what the baseline keeps of an outcome."""
    count = len(outcome.found)
    bucket = next(bound for bound in _BUCKETS if count >= bound)
    # A sentence may name the file; the baseline has it by itself already.
    sentence = outcome.sentence.replace(outcome.file.path.name, "The file")
    return Expected(outcome.kind, bucket, " ".join(sentence.split()[:_SENTENCE_WORDS]))


def read_baseline(path: Path = BASELINE) -> dict[tuple[str, bool], Expected]:
    """Return what is expected of (file name, whether LibreOffice is there)."""
    found: dict[tuple[str, bool], Expected] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for office, prefix in ((True, "with"), (False, "without")):
                kind, count = row[f"{prefix}_office"].split()
                found[row["file"], office] = Expected(
                    OutcomeKind(kind), int(count), row[f"{prefix}_office_sentence"]
                )
    return found


def write_baseline(
    with_office: Sequence[Outcome], without_office: Sequence[Outcome], path: Path = BASELINE
) -> None:
    """Keep the outcomes of both runs of the same files."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(
        ["file", "with_office", "with_office_sentence", "without_office", "without_office_sentence"]
    )
    for here, there in zip(with_office, without_office, strict=True):
        row: list[str] = [here.file.name]
        for each in (expected_of(here), expected_of(there)):
            row += [f"{each.kind} {each.words}", each.beginning]
        writer.writerow(row)
    path.write_text(out.getvalue(), encoding="utf-8", newline="")


def differences(
    outcomes: Iterable[Outcome], expected: Mapping[tuple[str, bool], Expected], *, office: bool
) -> list[str]:
    """Say where an outcome is of another kind than expected, or has lost its words.

    Files that the baseline does not know are passed over.
    """
    found: list[str] = []
    for outcome in outcomes:
        wanted = expected.get((outcome.file.name, office))
        if wanted is None:
            continue
        now = expected_of(outcome)
        if now.kind is not wanted.kind:
            found.append(
                f"{outcome.file.name}: {now.kind} ({outcome.sentence or len(outcome.found)}),"
                f" expected {wanted.kind} ({wanted.beginning or wanted.words})"
            )
        elif wanted.words >= 20 > now.words:
            found.append(f"{outcome.file.name}: {len(outcome.found)} words, had {wanted.words}")
    return found
