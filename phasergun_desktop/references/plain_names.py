"""Documents that a prompt names as people do: by the name of a file, or the number it begins with.

"Take the hazards from RM-002" and "see TR-014-Bench-Report.docx" name their source as plainly as a
bracket does. A number that several revisions have names those that the prompt writes behind it
("TR-014 Rev B") or of no other, else those in force.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.model import Problem, ReferenceKind
from phasergun_desktop.references.outcome import Outcome, Place
from phasergun_desktop.references.revisions import (
    WrittenRevisions,
    in_force,
    is_of_revision,
    revision_of,
    written_revisions,
)
from phasergun_desktop.text.words import STOP_WORDS

# Fewer words before a number are all that leads to it: "Summarise TR-027".
_FEWEST_BEFORE = 2
# The number that a controlled document's file begins with: "RM-002", "ME-2026-117", "T-305",
# "SVR-P2-03", "22-E-118". The number of a submission names a device, that of a standard what a text
# shall conform to.
_NUMBER = re.compile(r"(?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*?(?:-[A-Z]?\d+)+(?![^\W_])")
# So many files have numbers that differ in their digits alone: these are numbers of documents.
_FEWEST_OF_SERIES = 2
# "RM-002" is not in "RM-002-A" nor in "XRM-002".
_ONE_WORD = r"(?<![\w-])\w[\w.-]*\w"


def plainly_named(
    prompt: str, protected: Sequence[tuple[int, int]], catalog: DocumentCatalog
) -> Iterator[Outcome]:
    """Yield a restriction for each name of documents in ``prompt`` outside of ``protected``."""
    rules = frozenset(record.file for record in catalog.standards())
    records = {record.file: record for record in catalog.documents}
    files = ((file, file in rules) for file in records)
    yield from _missing_numbers(prompt, protected, [file for file in records if file not in rules])
    mentions = list(file_mentions(prompt, protected, files))
    written = written_revisions(prompt)
    behind = {match.end(): _behind(prompt, match.end(), written) for match, _ in mentions}
    # "What has changed from rev A to B of TR-014?"
    apart = [w for w in written if w.is_of_document and w not in behind.values()]
    for match, found in mentions:
        start, end = match.span()
        named, its = [records[file] for file in found], behind[end]
        asked = {r for each in (its, *apart) if each is not None for r in each.revisions}
        own = [record for record in named if any(is_of_revision(record, r) for r in asked)]
        is_missing = its is not None and not own and all(map(revision_of, named))
        if its is not None and (own or is_missing):
            end = its.end
        place = Place(ReferenceKind.CONTEXT, prompt[start:end], start, end)
        used = own or in_force(named)
        problems = (_other_revision(place, match[0], used),) if is_missing else ()
        made = place.restriction(place.text, used, problems=problems)
        yield replace(made, is_value=True)


def _missing_numbers(
    prompt: str, protected: Sequence[tuple[int, int]], files: Iterable[str]
) -> Iterator[Outcome]:
    """Yield a warning for each number in ``prompt`` of a series that several of ``files`` have, but
    none of them this one; what is taken from it ("from TR-027", "Summarise TR-027"), and not asked,
    rests on no other document."""
    numbers = {match[0] for file in files if (match := _NUMBER.match(PurePosixPath(file).name))}
    series = Counter(map(_series, numbers))
    for match in re.finditer(rf"(?<![\w-]){_NUMBER.pattern}", prompt):
        start, end = match.span()
        is_known = any(f"{number}-".startswith(f"{match[0]}-") for number in numbers)
        if is_known or series[_series(match[0])] < _FEWEST_OF_SERIES:
            continue
        if any(low < end and start < high for low, high in protected):
            continue
        place = Place(ReferenceKind.CONTEXT, match[0], start, end)
        warning = place.warning(
            "missing_number",
            f"No document here is {match[0]}.",
            "Add it to the project, or name another source.",
        )
        made = place.restriction(match[0], (), problems=(warning,))
        is_asked = prompt[end:].split("\n", maxsplit=1)[0].rstrip().endswith("?")
        before = prompt[:start].rpartition("\n")[2].casefold().split()
        is_source = len(before) < _FEWEST_BEFORE or before[-1] in STOP_WORDS
        reference = replace(made.reference, resolved=False)
        restricts = is_source and not is_asked
        yield replace(made, reference=reference, restricts=restricts, is_value=True)


def _series(number: str) -> str:
    return re.sub(r"\d", "0", number)


def _behind(prompt: str, end: int, written: Sequence[WrittenRevisions]) -> WrittenRevisions | None:
    """Return what of ``written`` stands right behind the name that ends there."""
    return next(
        (w for w in written if end <= w.start and not prompt[end : w.start].strip(" ,(")), None
    )


def _other_revision(place: Place, number: str, used: Sequence[DocumentRecord]) -> Problem:
    return place.warning(
        "other_revision",
        f"No document of number {number} is “{place.text}”: "
        f"{', '.join(PurePosixPath(each.file).name for each in used)} is used.",
        "Add that revision to the project, or name the one you mean.",
    )


def file_mentions(
    prompt: str, protected: Sequence[tuple[int, int]], files: Iterable[tuple[str, bool]]
) -> Iterator[tuple[re.Match[str], Sequence[str]]]:
    """Yield where ``prompt`` names ``files`` outside of ``protected``, and which. A file comes with
    whether it is a rule for everybody, which its number does not name."""
    named: dict[str, list[str]] = {}
    for file, is_rule in files:
        name = PurePosixPath(file).name
        number = None if is_rule else _NUMBER.match(name)
        for each in {name, number[0] if number else name}:
            named.setdefault(each.casefold(), []).append(file)
    spaced = sorted((each for each in named if " " in each), key=len, reverse=True)
    whole = "".join(rf"(?<![\w-]){re.escape(each)}(?![\w-])|" for each in spaced)
    for match in re.finditer(whole + _ONE_WORD, prompt, re.IGNORECASE):
        start, end = match.span()
        found = named.get(match[0].casefold())
        if found and not any(low < end and start < high for low, high in protected):
            yield match, found
