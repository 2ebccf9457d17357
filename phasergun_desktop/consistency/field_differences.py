"""Fields of the master record against the same fields, and the same sort of number, elsewhere."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.same_quantity import quantities
from phasergun_desktop.consistency.value_differences import file_name
from phasergun_desktop.grounding.footnotes import block_at
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.bootstrap import parse_bootstrap
from phasergun_desktop.references.master_record import RecordField, parse_master_record
from phasergun_desktop.references.versions import field_key
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.text.words import content_words, fold

_MOST_VALUE_WORDS = 10
# These are of the document that they stand in, not of the project.
_OF_THE_DOCUMENT = frozenset(map(field_key, listed("consistency", "of_the_document")))
# Values of a sort that is recognised by its form, wherever its name stands before it.
_FORMS = (
    re.compile(r"(?:K|P|DEN|Q)\d{6}"),
    re.compile(r"21 CFR \d{3,4}(?:\.\d+)?"),
    re.compile(r"Class I{1,3}(?![A-Z])"),
    re.compile(r"[A-Z]{3}(?![\w-])"),
    re.compile(r"[A-Z]{1,5}\d{0,3}(?:-[A-Z0-9]{1,6}){1,3}(?![\w-])"),
)
_LINK = r"\s*(?:is|:|=|,|of|to be|being|are)?\s*(?:now|still)?\s*\(?"


def field_discrepancies(material: Material) -> Iterator[Discrepancy]:
    """Yield what another document of the project gives for a field of the master record."""
    told: set[str] = set()
    others = [
        (read, _by_name(read))
        for read in material.documents
        if read.record.layer is not Layer.MASTER_RECORD and read.subject == "project"
    ]
    for record, master in material.subject.records:
        home = material.of_file(record.file)
        if home is None:
            continue
        names = Counter(field_key(each.name) for each in master.fields)
        for field in master.fields:
            key = field_key(field.name)
            if key in _OF_THE_DOCUMENT or names[key] > 1:
                continue
            for read, fields in others:
                place = _other_value(field, read, fields.get(key, []))
                if place is None or key in told:
                    continue
                if home.reads(field.value.start, field.value.end) or read.reads(*place):
                    told.add(key)
                    yield _discrepancy(field, home, read, place)


def _other_value(
    field: RecordField, read: ReadDocument, same: list[RecordField]
) -> tuple[int, int] | None:
    """Return where ``read`` gives another value for ``field``; ``same`` are its fields of that
    name."""
    wanted = field.value.text
    for form in _FORMS:
        if form.fullmatch(wanted):
            return _other_of_form(field, form, read)
    if not same or len(wanted.split()) > _MOST_VALUE_WORDS or any(True for _ in quantities(wanted)):
        return None  # quantities are compared as such
    for other in same:
        if len(other.value.text.split()) <= _MOST_VALUE_WORDS and _differ(wanted, other.value.text):
            return other.value.start, other.value.end
    return None


def _by_name(read: ReadDocument) -> dict[str, list[RecordField]]:
    found: dict[str, list[RecordField]] = {}
    for each in _fields(read) if read.is_whole else ():
        found.setdefault(field_key(each.name), []).append(each)
    return found


def _fields(read: ReadDocument) -> tuple[RecordField, ...]:
    if read.record.layer is Layer.BOOTSTRAP:
        found = parse_bootstrap(read.document, read.record.file).fields
        return tuple(RecordField(each.name, "", each.value) for each in found)
    return parse_master_record(read.document, read.record.file).fields


def _other_of_form(
    field: RecordField, form: re.Pattern[str], read: ReadDocument
) -> tuple[int, int] | None:
    name = r"\s+".join(re.escape(word) for word in field.name.split())
    named = re.compile(rf"\b(?i:{name}){_LINK}(?P<value>{form.pattern})")
    for match in named.finditer(read.document.text):
        if fold(match["value"]) != fold(field.value.text):
            return match.span("value")
    return None


def _differ(first: str, second: str) -> bool:
    one, two = set(content_words(first)), set(content_words(second))
    return bool(one - two) and bool(two - one)


def _discrepancy(
    field: RecordField, home: ReadDocument, read: ReadDocument, place: tuple[int, int]
) -> Discrepancy:
    value = read.document.text[slice(*place)]
    start, end = around(read, *place)
    first, last = around(home, field.value.start, field.value.end)
    return Discrepancy(
        DiscrepancyKind.VALUES,
        f"“{field.name}” is {field.value.text} in the master record and {value} in "
        f"{file_name(read)}. The master record's value counts for the project.",
        (home.place(first, last, field.value.text), read.place(start, end, value)),
    )


def around(read: ReadDocument, start: int, end: int) -> tuple[int, int]:
    """Return the sentence or line that holds ``start``..``end``; a row of a table is whole."""
    block = block_at(read.document, start)
    if block.cells:
        return block.start, block.end
    text = read.document.block_text(block)
    inside = (start - block.start, min(end, block.end) - block.start)
    first, last = next(
        (span for span in sentence_spans(text) if span[0] <= inside[0] and inside[1] <= span[1]),
        inside,
    )
    line = text.rfind("\n", first, inside[0]) + 1
    stop = text.find("\n", inside[1], last)
    return block.start + max(first, line), block.start + (last if stop < 0 else stop)
