"""Which documents of a project are not in force any more."""

from __future__ import annotations

import re
from collections.abc import Iterable

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.references.versions import read_version

HEAD_CHARACTERS = 2000
_ENDED = r"(?:superseded|obsolete|withdrawn|void|out of date|no longer (?:valid|in force|in use))"
# Said of the document itself: as its status, as a stamp, or in a sentence about it. What a
# procedure says of superseded documents in general is none of these.
_SAYS_SO = re.compile(
    rf"(?:\b(?i:status|state)\s*[:|;]\s*(?i:{_ENDED})\b"
    rf"|(?m:^[\s*_#>-]*(?:SUPERSEDED|OBSOLETE|WITHDRAWN|VOID)\b[^\n]{{0,60}}$)"
    rf"|\b(?i:this (?:document|procedure|revision|version|report|specification|plan|drawing|sop|"
    rf"edition|policy) (?:is|was|has been|is now) (?:{_ENDED}|replaced))\b"
    rf"|(?m:^[\s*_#>-]*(?i:superseded|replaced|withdrawn)\s(?i:by)\s[^\n]{{2,80}}$))"
)
_LETTER = re.compile(r"[A-Z]")
_NUMBERS = re.compile(r"(?i:v|rev|version|revision)?\.?\s*(\d+(?:\.\d+)*)")


def newer_version(record: DocumentRecord, every: Iterable[DocumentRecord]) -> DocumentRecord | None:
    """Return the newest later version of the same document, if there is one."""
    best: DocumentRecord | None = None
    for other in every:
        if other.file == record.file or other.layer is not record.layer:
            continue
        if _is_later(other, best or record) and _is_same(other, record):
            best = other
    return best


def says_superseded(text: str) -> re.Match[str] | None:
    """Return where a document says at its head that it is not in force any more."""
    return _SAYS_SO.search(text, 0, HEAD_CHARACTERS)


def _is_same(first: DocumentRecord, second: DocumentRecord) -> bool:
    """By the name without its version, or by document number and format."""
    one, two = read_version(first.file), read_version(second.file)
    if one.base == two.base and one.version and two.version:
        return True
    number = first.metadata.document_number
    # Data and report of one number are two documents; two Word files are two revisions.
    return (
        bool(number)
        and number == second.metadata.document_number
        and (first.format == second.format)
    )


def _is_later(first: DocumentRecord, second: DocumentRecord) -> bool:
    one, two = read_version(first.file), read_version(second.file)
    if one.base == two.base and one.version and two.version and one.version != two.version:
        return one.version > two.version
    left, right = _revision(first.metadata.revision), _revision(second.metadata.revision)
    return left is not None and right is not None and left[0] == right[0] and left > right


def _revision(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Return a revision that can be compared with others of its sort (letters, numbers)."""
    written = text.strip()
    if _LETTER.fullmatch(written):
        return ("letter", (ord(written),))
    match = _NUMBERS.fullmatch(written)
    return ("number", tuple(int(part) for part in match[1].split("."))) if match else None
