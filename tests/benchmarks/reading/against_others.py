"""``python -m tests.benchmarks.reading.against_others``: what other programs read and we do not."""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.benchmarks.reading.data_files import NASTY, DataFile, data_files
from tests.benchmarks.reading.other_readers import OtherReaders, deck_text, decoded
from tests.benchmarks.reading.outcome_tables import run
from tests.benchmarks.reading.outcomes import Outcome
from tests.benchmarks.reading.word_metrics import missing_words, overlap, words

# Fewer words than this are a label or noise, not a text that was read.
MANY_WORDS = 20
ENOUGH = 0.8


@dataclass(frozen=True, slots=True)
class OtherText:
    """What another program reads in a file."""

    program: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Compared:
    """Our outcome beside the other program that reads most of the same file."""

    outcome: Outcome
    other: OtherText

    @property
    def recall(self) -> float:
        """The share 0..1 of the other's words that we have."""
        return overlap(self.outcome.found, self.other.words).recall

    @property
    def is_exception(self) -> bool:
        """Whether the other reads a text and we read none or too little of it."""
        if len(self.other.words) <= MANY_WORDS:
            return False
        return not self.outcome.found or self.recall < ENOUGH


def main(arguments: Sequence[str] | None = None) -> int:
    """Print how we compare, by format, and every exception."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("sets", nargs="*", default=[NASTY], help="nasty, regulatory, …")
    parser.add_argument("--match", default="", help="only files whose name contains this")
    chosen = parser.parse_args(arguments)
    for set_name in chosen.sets:
        files = [each for each in data_files(set_name) if chosen.match in each.name]
        compared = compare(files)
        print("\n".join(lines(compared)))
    return 0


def compare(files: Iterable[DataFile]) -> list[Compared]:
    """Read ``files`` with the product and with every other program that knows the format."""
    outcomes, _ = run(files)
    others = OtherReaders()
    try:
        return [Compared(outcome, _most(others, outcome.file)) for outcome in outcomes]
    finally:
        others.close()


def _most(others: OtherReaders, file: DataFile) -> OtherText:
    """Return the reading with the most words; one without words where none reads the file."""
    found = [OtherText("none", ())]
    for program, text in _texts(others, file):
        found.append(OtherText(program, tuple(words(text))))
    return max(found, key=lambda each: len(each.words))


def _texts(others: OtherReaders, file: DataFile) -> Iterator[tuple[str, str]]:
    path = file.path
    match file.suffix:
        case "pdf":
            yield "pdftotext", others.pdftotext(path)
        case "docx":
            yield "pandoc", others.pandoc(path, "docx")
            yield "LibreOffice", others.office_text(path)
        case "doc":
            yield "LibreOffice", others.office_text(path)
        case "pptx":
            yield "LibreOffice", others.office_pdf_text(path)
            yield "python-pptx", deck_text(path)
        case "ppt":
            yield "LibreOffice", others.office_pdf_text(path)
            converted = others.office_converted(path, "pptx")
            yield "LibreOffice and python-pptx", deck_text(converted) if converted else ""
        case "png" | "jpg" | "gif" | "bmp" | "tif":
            yield "tesseract", others.tesseract(path)
        case "md":
            yield "pandoc", others.pandoc(path, "gfm")
        case "txt" | "csv":
            yield "decoding", decoded(path) or ""
        case _:
            return


def lines(compared: Sequence[Compared]) -> Iterator[str]:
    """Yield the table by format, then the exceptions."""
    yield f"{'format':7} {'files':>5} {'others read':>11} {'we read':>7} {'exceptions':>10}"
    by_format = Counter(each.outcome.file.suffix for each in compared)
    for suffix in sorted(by_format):
        members = [each for each in compared if each.outcome.file.suffix == suffix]
        theirs = sum(len(each.other.words) > MANY_WORDS for each in members)
        ours = sum(bool(each.outcome.found) for each in members)
        odd = sum(each.is_exception for each in members)
        yield f"{suffix:7} {len(members):5} {theirs:11} {ours:7} {odd:10}"
    for each in compared:
        if each.is_exception:
            yield exception_line(each)


def exception_line(compared: Compared) -> str:
    """Return one line on an exception: whose words, how many, which of them we lack."""
    outcome, other = compared.outcome, compared.other
    why = outcome.sentence or "lacks " + " ".join(missing_words(outcome.found, other.words))
    return (
        f"{outcome.file.name}: {other.program} {len(other.words)} words, ours"
        f" {len(outcome.found)}, {compared.recall:.2f} of theirs; {outcome.kind}: {why}"
    )


def comparison_figures() -> Iterator[Figure]:
    """Compare on ``nasty``; the exceptions go to standard error and into the notes."""
    compared = compare(data_files(NASTY))
    print("\n".join(lines(compared)), file=sys.stderr, flush=True)
    readable = [each for each in compared if len(each.other.words) > MANY_WORDS]
    if not readable:
        raise Unavailable("no other program reads any of the files")
    for suffix in sorted({each.outcome.file.suffix for each in readable}):
        members = [each for each in readable if each.outcome.file.suffix == suffix]
        odd = [each for each in members if each.is_exception]
        yield figure(
            f"readable_elsewhere_{suffix}",
            "share of words",
            [each.recall for each in members],
            target=ENOUGH,
            at_least=True,
            note=f"of the words of the other program that reads most; {len(odd)} below {ENOUGH}: "
            + (", ".join(each.outcome.file.name for each in odd) or "none"),
        )


if __name__ == "__main__":
    sys.exit(main())
