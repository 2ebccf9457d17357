"""The outcomes that were last accepted, kept as a table beside this module."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
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


def read_baseline(path: Path = BASELINE) -> dict[str, Expected]:
    """Return what is expected of a file by its name."""
    found: dict[str, Expected] = {}
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            kind, count = row["outcome"].split()
            found[row["file"]] = Expected(OutcomeKind(kind), int(count), row["sentence"])
    return found


def write_baseline(outcomes: Iterable[Outcome], path: Path = BASELINE) -> None:
    """Keep the outcomes of a run."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", "outcome", "sentence"])
    for outcome in outcomes:
        each = expected_of(outcome)
        writer.writerow([outcome.file.name, f"{each.kind} {each.words}", each.beginning])
    path.write_text(out.getvalue(), encoding="utf-8", newline="")


def differences(outcomes: Iterable[Outcome], expected: Mapping[str, Expected]) -> list[str]:
    """Say where an outcome is of another kind than expected, or has lost its words.

    Files that the baseline does not know are passed over.
    """
    found: list[str] = []
    for outcome in outcomes:
        wanted = expected.get(outcome.file.name)
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
