"""``python -m tests.benchmarks.reading.outcome_tables``: every file of a set, read; the table."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby

from phasergun_desktop.documents.tools import find_tesseract
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.reading.data_files import (
    GLUCOSE,
    NASTY,
    REGULATORY,
    DataFile,
    data_files,
)
from tests.benchmarks.reading.outcome_baseline import BASELINE, differences, read_baseline
from tests.benchmarks.reading.outcome_baseline import write_baseline as keep_baseline
from tests.benchmarks.reading.outcomes import Leftovers, Outcome, OutcomeKind, read_outcomes


def main(arguments: Sequence[str] | None = None) -> int:
    """Print the table of a set; 1 where it differs from the baseline or a process is left."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=[NASTY], help="nasty, regulatory, …")
    parser.add_argument("--match", default="", help="only files whose name contains this")
    parser.add_argument("--files", action="store_true", help="print a line for every file too")
    parser.add_argument("--write-baseline", action="store_true", help=f"write {BASELINE.name}")
    chosen = parser.parse_args(arguments)
    status = 0
    for set_name in chosen.sets:
        files = [each for each in data_files(set_name) if chosen.match in each.name]
        outcomes, left = run(files)
        print("\n".join(table(outcomes)))
        print("\n".join(sentences(outcomes)))
        if chosen.files:
            print("\n".join(map(file_line, outcomes)))
        print(summary(set_name, outcomes, left))
        status |= bool(left.names)
        if set_name != NASTY:
            continue
        if chosen.write_baseline:
            keep_baseline(outcomes)
        else:
            changed = differences(outcomes, read_baseline())
            print("\n".join(["", f"Differences from {BASELINE.name}: {len(changed)}", *changed]))
            status |= bool(changed)
    return status


def run(
    files: Iterable[DataFile], heard: Callable[[str], object] | None = None
) -> tuple[list[Outcome], Leftovers]:
    """Read ``files``; ``heard`` gets a line for each as it ends (default: standard error)."""
    left = Leftovers()
    outcomes: list[Outcome] = []
    for outcome in read_outcomes(files, find_tesseract(), left):
        outcomes.append(outcome)
        (heard or _to_stderr)(file_line(outcome))
    return outcomes, left


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


def table(outcomes: Sequence[Outcome]) -> Iterator[str]:
    """Yield the lines of the table: a row for each format and trait."""
    yield (
        f"{'format':7} {'trait':20} {'files':>5} {'indexed':>7} {'failed':>6} {'skipped':>7}"
        f" {'blocks':>7} {'words':>8} {'ocr':>4} {'warned':>6} {'s':>7} {'slowest':>7}"
    )
    by_trait = sorted(outcomes, key=lambda each: (each.file.suffix, each.file.trait))
    for (suffix, trait), members in groupby(
        by_trait, key=lambda each: (each.file.suffix, each.file.trait)
    ):
        yield _row(suffix, trait, list(members))
    for suffix, members in groupby(by_trait, key=lambda each: each.file.suffix):
        yield _row(suffix, "(all)", list(members))
    yield _row("all", "", outcomes)


def _row(suffix: str, trait: str, members: Sequence[Outcome]) -> str:
    kinds = Counter(each.kind for each in members)
    return (
        f"{suffix:7} {trait[:20]:20} {len(members):5}"
        f" {kinds[OutcomeKind.INDEXED]:7} {kinds[OutcomeKind.FAILED]:6}"
        f" {kinds[OutcomeKind.SKIPPED]:7} {sum(each.blocks for each in members):7}"
        f" {sum(len(each.found) for each in members):8}"
        f" {sum(each.recognised for each in members):4}"
        f" {sum(bool(each.warnings) for each in members):6}"
        f" {sum(each.seconds for each in members):7.1f}"
        f" {max((each.seconds for each in members), default=0):7.1f}"
    )


def sentences(outcomes: Iterable[Outcome]) -> Iterator[str]:
    """Yield why files are not indexed and what is said of those that are, with traits."""
    reasons: dict[tuple[str, str], Counter[str]] = {}
    for each in outcomes:
        for kind, said in [
            (each.kind.value, each.sentence),
            *(("warned", warning) for warning in each.warnings),
        ]:
            if said:
                short = said.replace(each.file.path.name, "…")
                trait = f"{each.file.suffix} {each.file.trait}"
                reasons.setdefault((kind, short), Counter())[trait] += 1
    for (kind, said), traits in sorted(reasons.items()):
        where = ", ".join(f"{trait}×{count}" for trait, count in sorted(traits.items()))
        yield f"{kind:8} {traits.total():4}  {said}  [{where}]"


def file_line(outcome: Outcome) -> str:
    """Return one line on a file."""
    rest = outcome.sentence or "; ".join(
        [*([outcome.read_with] if outcome.read_with else []), *outcome.warnings]
    )
    return (
        f"{outcome.kind:8} {outcome.seconds:6.2f} s {outcome.blocks:6} blocks"
        f" {len(outcome.found):7} words  {outcome.file.name}  {rest}"
    ).rstrip()


def summary(set_name: str, outcomes: Sequence[Outcome], left: Leftovers) -> str:
    """Return the closing line of a table."""
    total = sum(each.seconds for each in outcomes)
    still = ", ".join(left.names) or "none"
    return f"{set_name}: {len(outcomes)} files in {total:.0f} s; processes left: {still}"


def outcome_figures() -> Iterator[Figure]:
    """Read all sets; the tables go to standard error."""
    for set_name in (NASTY, REGULATORY, GLUCOSE):
        try:
            files = data_files(set_name)
        except Unavailable as reason:
            _to_stderr(str(reason))
            continue
        outcomes, left = run(files, heard=lambda line: None)
        _to_stderr("\n".join([*table(outcomes), *sentences(outcomes)]))
        _to_stderr(summary(set_name, outcomes, left))
        yield from _figures(set_name.replace("-", "_"), outcomes, left)


def _figures(name: str, outcomes: Sequence[Outcome], left: Leftovers) -> Iterator[Figure]:
    for kind in OutcomeKind:
        members = [each for each in outcomes if each.kind is kind]
        by_format = Counter(each.file.suffix for each in members)
        note = ", ".join(f"{suffix} {count}" for suffix, count in sorted(by_format.items()))
        yield figure(f"outcomes_{name}_{kind}", "files", [float(len(members))], note=note)
    yield figure(
        f"outcomes_{name}_seconds",
        "s",
        [each.seconds for each in outcomes],
        note=f"a file; {sum(each.seconds for each in outcomes):.0f} s in all, one after another",
    )
    yield figure(
        f"outcomes_{name}_processes_left",
        "processes",
        [float(len(left.names))],
        target=0.0,
        note=", ".join(left.names),
    )


if __name__ == "__main__":
    sys.exit(main())
