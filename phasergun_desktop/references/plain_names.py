"""Documents that a prompt names as people do: by the name of a file, or the number it begins with.

"Take the hazards from RM-002" and "see TR-014-Bench-Report.docx" name their source as plainly as a
bracket does.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.references.catalog import DocumentCatalog, file_name
from phasergun_desktop.references.model import ReferenceKind
from phasergun_desktop.references.outcome import Outcome, Place

# The number that a controlled document's file begins with: "RM-002", "ME-2026-117". The number of
# a submission names a device, that of a standard what a text shall conform to.
_NUMBER = re.compile(r"[A-Z]{2,}(?:-[A-Z]+)*(?:-\d+)+(?![^\W_])")
# "RM-002" is not in "RM-002-A" nor in "XRM-002".
_ONE_WORD = r"(?<![\w-])\w[\w.-]*\w"


def plainly_named(
    prompt: str, protected: Sequence[tuple[int, int]], catalog: DocumentCatalog
) -> Iterator[Outcome]:
    """Yield a restriction for each name of documents in ``prompt`` outside of ``protected``."""
    named: dict[str, list[DocumentRecord]] = {}
    rules = frozenset(record.file for record in catalog.standards())
    for record in catalog.documents:
        name = file_name(record)
        number = None if record.file in rules else _NUMBER.match(name)
        for each in {name, number[0] if number else name}:
            named.setdefault(each.casefold(), []).append(record)
    spaced = sorted((each for each in named if " " in each), key=len, reverse=True)
    whole = "".join(rf"(?<![\w-]){re.escape(each)}(?![\w-])|" for each in spaced)
    for match in re.finditer(whole + _ONE_WORD, prompt, re.IGNORECASE):
        start, end = match.span()
        records = named.get(match[0].casefold())
        if records and not any(low < end and start < high for low, high in protected):
            place = Place(ReferenceKind.CONTEXT, match[0], start, end)
            yield replace(place.restriction(match[0], records), is_value=True)
