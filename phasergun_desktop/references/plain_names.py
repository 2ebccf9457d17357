"""Documents that a prompt names as people do: by the name of a file, or the number it begins with.

"Take the hazards from RM-002" and "see TR-014-Bench-Report.docx" name their source as plainly as a
bracket does.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.model import ReferenceKind
from phasergun_desktop.references.outcome import Outcome, Place

# The number that a controlled document's file begins with: "RM-002", "ME-2026-117", "T-305",
# "SVR-P2-03", "22-E-118". The number of a submission names a device, that of a standard what a text
# shall conform to.
_NUMBER = re.compile(r"(?=[\d-]*[A-Z])[A-Z\d]+(?:-[A-Z\d]+)*?(?:-[A-Z]?\d+)+(?![^\W_])")
# "RM-002" is not in "RM-002-A" nor in "XRM-002".
_ONE_WORD = r"(?<![\w-])\w[\w.-]*\w"


def plainly_named(
    prompt: str, protected: Sequence[tuple[int, int]], catalog: DocumentCatalog
) -> Iterator[Outcome]:
    """Yield a restriction for each name of documents in ``prompt`` outside of ``protected``."""
    rules = frozenset(record.file for record in catalog.standards())
    records = {record.file: record for record in catalog.documents}
    files = ((file, file in rules) for file in records)
    for match, found in file_mentions(prompt, protected, files):
        place = Place(ReferenceKind.CONTEXT, match[0], *match.span())
        yield replace(place.restriction(match[0], [records[file] for file in found]), is_value=True)


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
