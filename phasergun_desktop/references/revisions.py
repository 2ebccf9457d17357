"""Which documents of a project are not in force any more."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import PurePosixPath

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.convention import name_key
from phasergun_desktop.references.versions import read_version

HEAD_CHARACTERS = 2000
_ENDED = r"(?:superseded|obsolete|withdrawn|void|out of date|no longer (?:valid|in force|in use))"
# Said of the document itself: as its status, as a stamp, in a sentence about it, or at the end of
# its title, unless another part of the file has that title too. What a procedure says of superseded
# documents in general is none of these.
_SAYS_SO = re.compile(
    rf"(?:\b(?i:status|state)\s*[:|;]\s*(?i:{_ENDED})\b"
    rf"|(?m:^[\s*_#>-]*(?:SUPERSEDED|OBSOLETE|WITHDRAWN|VOID)\b[^\n]{{0,60}}$)"
    rf"|\b(?i:this (?:document|procedure|revision|version|report|specification|plan|drawing|sop|"
    rf"edition|policy) (?:is|was|has been|is now) (?:{_ENDED}|replaced))\b"
    r"|(?m:(?:^[\s*_#>-]*(?i:superseded|replaced|withdrawn)|(?<=[.!]\s)(?:Superseded|Replaced"
    r"(?=\sby\s(?:[Rr]ev|[Ii]ssue|[Vv]ersion|[A-Z]{2,}-\w))))\s(?i:by)\s[^\n]{2,80}$)"
    r"|\A\s*(?P<title>[^\n(\[,;*–—]{3,120}?)[^\n]{0,120}?"
    r"(?:[(\[]\s*(?i:superseded|obsolete|withdrawn)|[*–—-]\s*(?:SUPERSEDED|OBSOLETE|WITHDRAWN))"
    r"(?=\s*(?:[)\],*–—-]|(?m:$)|(?i:by|see)\b))[^\n]*"
    r"(?![\s\S]*\n(?P=title)))"
)
# A procedure on superseded documents has the word in small letters, inside its name; "withdrawn" at
# the end may be said of subjects.
_SAID_BY_NAME = re.compile(
    r"(?:^|[\s_-]+)(?:[(\[](?i:superseded|obsolete|withdrawn|old)[)\]]"
    r"|(?:SUPERSEDED|OBSOLETE|WITHDRAWN|OLD)(?![A-Za-z])|(?i:superseded|old)$)|^[Oo]ld[_-]"
)
# "TR-031_revA_Noise": a capital V inside a name may be a device's ("CompaSter-V2_Summary").
_NUMBERED = r"\d{1,3}(?:\.\d+)*"
_INSIDE_NAME = re.compile(
    rf"[\s_(-](?:(?i:rev|revision|ver|version)(?:[\s_.-]{{1,2}}([A-Za-z]|{_NUMBERED})|([A-Z]|{_NUMBERED}))"
    rf"|v({_NUMBERED}))\)?(?=[\s_-]|$)"
)
# In a prompt: "Rev B", "(version 2.1)", "rev b", "rev A to B".
_ONE = rf"[A-Z]|{_NUMBERED}"
_JOINED = r"(?:\s?[/–&]\s?|\s(?:to|and|or|vs\.?|und|oder|bis|et|ou|y|o)\s)"
_WRITTEN = re.compile(
    rf"(?<!\w)(?:(?P<word>(?i:rev|revision|version|ver|issue|v)s?)\.?\s?(?P<first>{_ONE})"
    rf"|(?i:rev)\.?\s?(?P<small>[a-z]))(?!\w)"
    rf"(?:{_JOINED}(?P<second>[A-Z](?!\w)|{_NUMBERED}(?!\w|\s[a-z])))?"
)
_LETTER = re.compile(r"[A-Z]")
_NUMBERS = re.compile(r"(?i:v|rev|version|revision)?\.?\s*(\d+(?:\.\d+)*)")


@dataclass(frozen=True, slots=True)
class WrittenRevisions:
    """``revisions`` that a text writes near each other ("rev A to B"), the first of them, with the
    word before it, at ``start``..``end``. ``is_of_document``: it can be no software's."""

    start: int
    end: int
    revisions: tuple[str, ...]
    is_of_document: bool


def newer_versions(every: Iterable[DocumentRecord]) -> dict[str, DocumentRecord]:
    """Return the newest later version of each document that has one, by its file."""
    records = tuple(every)
    # Comparing each with each takes seconds in a large project.
    sharing: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for at, record in enumerate(records):
        for key in _keys(record):
            sharing[key].append(at)
    found: dict[str, DocumentRecord] = {}
    for at, record in enumerate(records):
        like = sorted({other for key in _keys(record) for other in sharing[key]} - {at})
        newer = _newest_of([records[other] for other in like], record)
        if newer is not None:
            found[record.file] = newer
    return found


def _keys(record: DocumentRecord) -> Iterator[tuple[object, ...]]:
    """Yield what versions of one document have in common: the name, or the number and format."""
    yield record.layer, revision_named(record.file)[0]
    if record.metadata.document_number:
        yield record.layer, record.metadata.document_number, record.format


def _newest_of(others: Iterable[DocumentRecord], record: DocumentRecord) -> DocumentRecord | None:
    best: DocumentRecord | None = None
    for other in others:
        if is_named_superseded(other.file):
            continue
        if _is_later(other, best or record) and _is_same(other, record):
            best = other
    return best


def in_force(records: Sequence[DocumentRecord]) -> Sequence[DocumentRecord]:
    """Return those of ``records`` that have no later version among them and by whose names they are
    in force; all, where none is."""
    newer = newer_versions(records)
    kept = [r for r in records if r.file not in newer and not is_named_superseded(r.file)]
    return kept or records


def written_revisions(text: str) -> list[WrittenRevisions]:
    """Return what ``text`` writes as revisions; what stands near one may be none."""
    return [
        WrittenRevisions(
            match.start(),
            match.end("first" if match["first"] else "small"),
            tuple(each.upper() for each in match.group("first", "small", "second") if each),
            match[0].lower().startswith("rev"),
        )
        for match in _WRITTEN.finditer(text)
    ]


def is_of_revision(record: DocumentRecord, revision: str) -> bool:
    """Whether ``record`` is of ``revision`` by its name, or by what it says of itself."""
    return _revision(revision_of(record)) == _revision(revision)


def revision_of(record: DocumentRecord) -> str:
    """Return the revision of ``record`` as its name or it itself gives it; empty where neither
    does."""
    return revision_named(record.file)[1] or record.metadata.revision


def says_superseded(text: str) -> re.Match[str] | None:
    """Return where a document says at its head that it is not in force any more."""
    return _SAYS_SO.search(text, 0, HEAD_CHARACTERS)


@lru_cache(maxsize=16384)
def is_named_superseded(file: str) -> bool:
    """Whether the name of ``file`` says that it is not in force any more."""
    return _said_by_name(PurePosixPath(file).stem) is not None


def _said_by_name(stem: str) -> re.Match[str] | None:
    match = _SAID_BY_NAME.search(stem)
    # Where all is in capitals, the word inside may be what a procedure is about.
    is_stamp = match and (match.end() == len(stem) or not match.start() or not stem.isupper())
    return match if is_stamp else None


@lru_cache(maxsize=16384)
def revision_named(file: str) -> tuple[str, str]:
    """Return the name of ``file`` without its revision, in comparable form, and the revision as it
    is written there, empty where there is none."""
    stem = PurePosixPath(file).stem
    stamp = _said_by_name(stem)
    if stamp is not None:
        stem = stem[: stamp.start()] + stem[stamp.end() :]
    at_end = read_version(f"{stem}.x")
    if at_end.version:
        return at_end.base, ".".join(map(str, at_end.version))
    match = _INSIDE_NAME.search(stem)
    if match is None:
        return name_key(stem), ""
    written = match[match.lastindex or 0]
    return name_key(stem[: match.start()] + stem[match.end() :]), written.upper()


def _is_same(first: DocumentRecord, second: DocumentRecord) -> bool:
    """By the name without its revision, or by document number and format."""
    (one, its), (two, other) = revision_named(first.file), revision_named(second.file)
    if one == two and its and other:
        return True
    number = first.metadata.document_number
    # Data and report of one number are two documents; two Word files are two revisions.
    return (
        bool(number)
        and number == second.metadata.document_number
        and (first.format == second.format)
    )


def _is_later(first: DocumentRecord, second: DocumentRecord) -> bool:
    (one, its), (two, other) = revision_named(first.file), revision_named(second.file)
    if one == two and its and other and its != other:
        left, right = _revision(its), _revision(other)
    else:
        left, right = _revision(first.metadata.revision), _revision(second.metadata.revision)
    return left is not None and right is not None and left[0] == right[0] and left > right


@lru_cache(maxsize=16384)
def _revision(text: str) -> tuple[str, tuple[int, ...]] | None:
    """Return a revision that can be compared with others of its sort (letters, numbers)."""
    written = text.strip()
    if _LETTER.fullmatch(written):
        return ("letter", (ord(written),))
    match = _NUMBERS.fullmatch(written)
    return ("number", tuple(int(part) for part in match[1].split("."))) if match else None
