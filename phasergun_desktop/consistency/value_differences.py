"""The same attribute with another value in two documents."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import combinations
from textwrap import shorten

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.statements import Statement, disagree, quantities
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.values import ValueKind, extract_values

# A document says its own date within so many characters; the master record at its end.
_HEAD = 600


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement with the document that makes it; ``is_read``: the plan reads it."""

    read: ReadDocument
    statement: Statement
    is_read: bool

    @property
    def standing(self) -> tuple[bool, bool, str, int]:
        """What comes first on a list: the master record, what the plan reads."""
        return (
            not self.statement.is_record,
            not self.is_read,
            self.read.record.file,
            self.statement.start,
        )


def value_discrepancies(material: Material) -> Iterator[Discrepancy]:
    """Yield one discrepancy for each value that differs from the one that stands.

    One of the two is read by the plan, so that the writer is told what concerns the draft.
    """
    # Only quantities of one sort can disagree: comparing each with each takes seconds.
    said: dict[tuple[str, ...], list[_Said]] = defaultdict(list)
    for read in material.documents:
        for each in _said(read, material):
            value = each.statement.value
            said[read.subject, value.kind, value.unit, value.bound].append(each)
    told: set[tuple[frozenset[str], str, str]] = set()
    pairs = [
        (first, second) if first.standing <= second.standing else (second, first)
        for group in said.values()
        for first, second in combinations(group, 2)
        if first.read.record.file != second.read.record.file
        and (first.is_read or second.is_read)
        and disagree(first.statement, second.statement)
    ]
    for first, second in sorted(pairs, key=lambda pair: (pair[0].standing, pair[1].standing)):
        one, two = sorted((first.statement.value.key, second.statement.value.key))
        # The same two values of one attribute are told once, by the passages that weigh most.
        words = first.statement.words & second.statement.words
        if any(known[1:] == (one, two) and known[0] & words for known in told):
            continue
        told.add((words, one, two))
        yield _value_discrepancy(first, second)


def _said(read: ReadDocument, material: Material) -> Iterator[_Said]:
    if not read.subject:
        return
    is_record = read.record.layer is Layer.MASTER_RECORD
    for statement in material.statements(read):
        made = replace(statement, is_record=is_record and statement.is_named)
        yield _Said(read, made, read.reads(statement.start, statement.end))


def _value_discrepancy(first: _Said, second: _Said) -> Discrepancy:
    one, two = first.statement, second.statement
    name = one.name if one.is_named or len(one.name) <= len(two.name) else two.name
    place = first.read.document.text[one.start : one.end]
    message = (
        f"The {_lower(name)} is {one.value.text} in {file_name(first.read)} and "
        f"{two.value.text} in {file_name(second.read)}."
        if name
        else f"{file_name(second.read)} says {two.value.text} where {file_name(first.read)} says "
        f"“{shorten(place, 140, placeholder=' …')}”."
    )
    if one.is_record and not _may_be_newer(second, first):
        message += " The master record's value counts for the project."
    return Discrepancy(
        DiscrepancyKind.VALUES,
        message,
        tuple(
            each.read.place(
                each.statement.start,
                each.statement.end,
                each.statement.said,
                each.statement.block,
            )
            for each in (first, second)
        ),
    )


def _may_be_newer(other: _Said, record: _Said) -> bool:
    """Whether ``other`` is dated later than the master record or names the value of the record too
    ("it was raised from 1.8 mm"): which of the two counts is then for the writer to say."""
    value, text = record.statement.value, other.read.document.text
    around = quantities(other.read.document.block_text(other.statement.block))
    if any((each.unit, each.key) == (value.unit, value.key) for each in around):
        return True
    recorded = _last_date(record.read.document.text)
    return bool(recorded) and _last_date(text[:_HEAD]) > recorded


def _last_date(text: str) -> str:
    dates = (each.key for each in extract_values(text) if each.kind is ValueKind.DATE)
    return max((key for key in dates if key[0].isdigit()), default="")


def file_name(read: ReadDocument) -> str:
    """Return the name of the document's file without its folder."""
    return read.record.file.rsplit("/", 1)[-1]


def _lower(name: str) -> str:
    words = name.split()
    return (
        " ".join(
            word.lower() if index == 0 or word[1:].islower() else word
            for index, word in enumerate(words)
        )
        if name.istitle() or words[0][1:].islower()
        else name
    )
