"""Whose device a document speaks of: the project's, or another one's, whose values are not its."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from pathlib import PurePosixPath

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.documents import DocumentSource
from phasergun_desktop.references.master_record import MasterRecord, parse_master_record
from phasergun_desktop.references.revisions import (
    is_named_superseded,
    newer_versions,
    revision_named,
    says_superseded,
)
from phasergun_desktop.references.versions import read_version
from phasergun_desktop.text.names import is_common
from phasergun_desktop.text.words import STOP_WORDS

# The layers that hold the company's own papers on the device.
OWN_LAYERS = frozenset(
    {Layer.MASTER_RECORD, Layer.PRIMARY_CONTEXT, Layer.INITIATION, Layer.ONGOING, Layer.DOCUMENTS}
)
NUMBER = re.compile(r"\b(?:K|P|DEN)\d{6}\b", re.IGNORECASE)
_HEAD_CHARACTERS = 400
_SHORTEST_NAME = 4
_TYPE_NUMBER = re.compile(r"\b(?=[\w-]*\d)[A-Z][\w-]{3,}\b")
CAPITALISED = re.compile(r"(?<![^\W_])[^\W\d_a-zß-ÿ][^\W_]{3,}")
_DESIGNATOR = r"[A-Z]*\d[\w.]*|[A-Z]{1,4}\d*"
# Fields of the master record that hold a name of the device or a part, and those that do not.
_NAME_FIELD = re.compile(r"name\b|^device$|\bmodels?\b|nom\b|nombre\b|modell", re.IGNORECASE)
_NO_NAME_FIELD = re.compile(
    r"predicate|reference|project|regulation|file|company|version|prädikat|prédicat|predicad",
    re.IGNORECASE,
)
_DEVICE_FIELD = re.compile(
    r"(?:\btrade/device name:|^\W*(?:(?:trade|product|device|proprietary)\s+names?|device|product"
    r"|model|device under test|test article|applies to|produkt|gerät|dispositif|producto)"
    r"\s*[:|])\s*(?P<name>[^\n|;]{3,160}?)\s*(?=$|[|;]|\.\s|\bRegulation\b)",
    re.IGNORECASE | re.MULTILINE,
)


class Role(StrEnum):
    """What a device or paper is to the project."""

    DEVICE = "device"
    PREDICATE = "predicate"
    PREDECESSOR = "predecessor"
    OTHER = "other"
    SUPERSEDED = "superseded"


# What a role is called, as the beginning of a word.
_CALLED: Mapping[Role, re.Pattern[str]] = {
    role: re.compile(rf"\b(?:{words})", re.IGNORECASE)
    for role, words in (
        (
            Role.PREDICATE,
            "predicate|reference device|substantial(?:ly)? equiv|prädikat|prédicat|predicad",
        ),
        (
            Role.PREDECESSOR,
            "predecess|previous (?:model|generation|device)|prototyp|vorgänger|prédécess|predeces",
        ),
        (Role.OTHER, "competit|wettbewerb|konkurren|concurren|competidor"),
        (
            Role.SUPERSEDED,
            "superseded|withdrawn|obsolete|earlier (?:version|revision|draft)|ersetzt|überholt",
        ),
    )
}


@dataclass(frozen=True, slots=True)
class Subject:
    """Who a document speaks of: its role, and the names and numbers it goes by."""

    role: Role
    names: tuple[str, ...] = ()

    @property
    def whole_names(self) -> tuple[str, ...]:
        """The names of which none is a word of another: a word of a maker's brand may stand for
        another of its devices."""
        return tuple(n for n in self.names if not any(n in o.split() for o in self.names if o != n))

    def is_named_in(self, text: str) -> bool:
        """Whether ``text`` has one of the names as whole words."""
        return any(names_in(self.names, text))

    def is_asked_by(self, text: str) -> bool:
        """Whether ``text`` speaks of this subject by a name or by what its role is called."""
        called = _CALLED.get(self.role)
        return self.is_named_in(text) or (called is not None and called.search(text) is not None)


@dataclass(frozen=True, slots=True, eq=False)
class Subjects:
    """The subjects of a project: its device, and who else its documents speak of, by file.

    ``predicates`` are the submissions that the master record names as such. A paper that says
    nowhere whom it speaks of is the device's: of six that had nothing in common with the project by
    names, numbers and kind, on some 25 projects, five were its own (a usability study, mails).
    """

    device: Subject
    others: Mapping[str, Subject]
    predicates: tuple[str, ...] = ()

    def of_file(self, file: str) -> Subject:
        """Return who the document speaks of."""
        return self.others.get(file, self.device)

    def of_headings(self, path: Iterable[str]) -> Subject | None:
        """Return another subject that the innermost heading to name one names; None where the
        device is named there too or none is."""
        return _of_headings(self, tuple(path))


# Hundreds of names are looked for, and thousands of units stand under a few headings.
@lru_cache(maxsize=4096)
def _of_headings(subjects: Subjects, path: Sequence[str]) -> Subject | None:
    for heading in reversed(path):
        if subjects.device.is_named_in(heading):
            return None
        for role in (Role.PREDICATE, Role.PREDECESSOR, Role.SUPERSEDED, Role.OTHER):
            if _CALLED[role].search(heading):
                return Subject(role, tuple(NUMBER.findall(heading)))
        # The title of a superseded paper is mostly in that of the one in force.
        for other in subjects.others.values():
            if other.role is not Role.SUPERSEDED and other.is_named_in(heading):
                return other
    return None


def is_named_in(name: str, text: str) -> bool:
    """Whether ``text`` has ``name`` as whole words: "G2" is not in "G20"."""
    return any(names_in((name,), text))


def names_in(names: Iterable[str], text: str) -> Iterator[str]:
    """Yield those of ``names`` that ``text`` has as whole words."""
    folded = text.casefold()
    for name in names:
        words = name.split()
        # Most texts do not have it, which this tells many times faster than the pattern.
        if any(word.casefold() not in folded for word in words):
            continue
        pattern = r"\s+".join(map(re.escape, words))
        if re.search(rf"(?<!\w){pattern}(?!\w)", text, re.IGNORECASE):
            yield name


def subjects_of(documents: DocumentSource) -> Subjects:
    """Learn from the master record, the layers, the revisions, and the titles and first lines of
    the documents who each of them speaks of."""
    records = tuple(documents.documents())
    texts = {
        record.file: documents.text(record.document_id)
        for record in records
        if record.layer in OWN_LAYERS or record.metadata.k_number
    }
    masters = [
        parse_master_record(documents.parsed(record.document_id), record.file)
        for record in records
        if record.layer is Layer.MASTER_RECORD
    ]
    own = _OwnNames.of(masters)
    own_texts = [texts[each.file] for each in records if each.layer in OWN_LAYERS]
    newer = newer_versions(records)
    others: dict[str, Subject] = {}
    for record in records:
        text = texts.get(record.file)
        subject = _by_status(record, newer.get(record.file), text, records)
        if subject is None:
            subject = _by_submission(record, text, own)
            if subject is not None:
                titles = (PurePosixPath(record.file).stem, record.title, *subject.names)
                its_texts = (text or documents.text(record.document_id), *own_texts)
                own_names = (*own.names, own.maker)
                names = device_names_in(titles, its_texts, own_names)
                if not (subject.names or names):
                    headings = headings_of(documents.parsed(record.document_id))
                    names = device_names_in(headings, its_texts, own_names)
                subject = Subject(subject.role, tuple(dict.fromkeys((*subject.names, *names))))
        if subject is None and text is not None and record.layer is not Layer.MASTER_RECORD:
            subject = _by_name(record, text, own)
        if subject is not None:
            others[record.file] = subject
    return Subjects(Subject(Role.DEVICE, own.names), others, own.predicates)


@dataclass(frozen=True, slots=True)
class _OwnNames:
    """What the master record calls the device, its parts, maker, predicates and other devices."""

    names: tuple[str, ...]
    brand: str
    model: str
    predicates: tuple[str, ...]
    maker: str

    @staticmethod
    def of(masters: Iterable[MasterRecord]) -> _OwnNames:
        fields = [(f.name, f.value.text.strip()) for m in masters for f in m.fields]
        names = [v for n, v in fields if _NAME_FIELD.search(n) and not _NO_NAME_FIELD.search(n)]
        full = names[0].split() if names else []
        has_model = len(full) > 1 and re.fullmatch(rf"{_DESIGNATOR}", full[1]) is not None
        brand = full[0] if full and len(full[0]) >= _SHORTEST_NAME else ""
        # "Dose calculator software, prescription use" is one name, "PU-7, PN-1" are two.
        parts = [
            part.strip()
            for name in names
            for at, part in enumerate(name.split(","))
            if not at or not part.islower()
        ]
        # A type number inside a name ("Ventilator RW-300") is what papers call the device by.
        parts += [number for name in names for number in _TYPE_NUMBER.findall(name)]
        if brand:
            parts.append(f"{brand} {full[1]}" if has_model else brand)
        numbers = [v for n, v in fields if re.search("predicate", n, re.IGNORECASE)]
        makers = [
            v for n, v in fields if re.search("manufacturer|hersteller|fabri", n, re.IGNORECASE)
        ]
        return _OwnNames(
            tuple(dict.fromkeys(part for part in parts if len(part) > 1)),
            brand,
            full[1] if has_model else "",
            tuple(dict.fromkeys(n.upper() for text in numbers for n in NUMBER.findall(text))),
            next(
                (
                    word
                    for word in " ".join(makers[:1]).split()
                    if word.casefold() not in STOP_WORDS
                ),
                "",
            ),
        )

    def is_in(self, text: str) -> bool:
        """Whether ``text`` has a name of the device, its brand or a number of its series."""
        series = {match[0] for name in self.names if (match := re.match(r"[A-Z]{2,}-", name))}
        names = (name for name in (*self.names, self.brand) if name)
        return any(start in text for start in series) or any(names_in(names, text))


def _by_status(
    record: DocumentRecord,
    newer: DocumentRecord | None,
    text: str | None,
    records: tuple[DocumentRecord, ...],
) -> Subject | None:
    has_newer = newer is not None and (
        revision_named(newer.file)[0] == revision_named(record.file)[0]
        or newer.title == record.title
    )
    is_said = text is not None and says_superseded(text) is not None
    if not (has_newer or is_said or is_named_superseded(record.file)):
        return None
    # A title that stands in that of another paper asks for that one.
    is_its_own = not any(
        is_named_in(record.title, each.title) for each in records if each is not record
    )
    return Subject(Role.SUPERSEDED, (record.title,) if is_its_own else ())


def _by_submission(record: DocumentRecord, text: str | None, own: _OwnNames) -> Subject | None:
    """A summary or review speaks of the device that was submitted, by number and trade name."""
    in_name = NUMBER.search(read_version(record.file).base)
    number = record.metadata.k_number or (in_name[0].upper() if in_name else "")
    if not number and record.layer is not Layer.PREDICATES:
        return None
    if record.layer in OWN_LAYERS and text is not None and own.is_in(text):
        return None  # A paper of the company's that compares the device with that number.
    head = text[: 4 * _HEAD_CHARACTERS] if text is not None else ""
    names = [match["name"].strip() for match in _DEVICE_FIELD.finditer(head)]
    # Beside the predicates that the master record names, the others of the folder are competitors.
    is_unnamed = not own.predicates or not number
    is_predicate = number in own.predicates or (record.layer is Layer.PREDICATES and is_unnamed)
    role = Role.PREDICATE if is_predicate else Role.OTHER
    return Subject(role, tuple(name for name in (number, *names[:1]) if name))


def device_names_in(
    titles: Iterable[str], texts: Sequence[str], own_names: Iterable[str]
) -> tuple[str, ...]:
    """Return what ``titles`` call the device of a submission: the words with a capital that none of
    ``texts`` has without one ("Kestrova", not "Summary"), and that are in none of ``own_names``,
    those of the project's device and its maker."""
    own_words = set(" ".join(own_names).casefold().split())
    words = dict.fromkeys(word for title in titles for word in CAPITALISED.findall(title))
    others = (w for w in words if not is_common(w) and w.casefold() not in own_words)
    return tuple(word for word in others if not _is_small_in(word, texts))


def headings_of(document: ParsedDocument) -> Iterator[str]:
    """Yield the headings of ``document``, in its order."""
    for block in document.blocks:
        if block.kind is BlockKind.HEADING:
            yield document.text[block.start : block.end]


def _is_small_in(word: str, texts: Iterable[str]) -> bool:
    small = re.compile(rf"(?<!\w){re.escape(word.lower())}(?!\w)")
    return any(word.lower() in text and small.search(text) for text in texts)


def _by_name(record: DocumentRecord, text: str, own: _OwnNames) -> Subject | None:
    """Return who the title and the first lines name where it is not the device."""
    title = f"{record.title}\n{read_version(record.file).base}"
    head = f"{title}\n{text[:_HEAD_CHARACTERS]}"
    if any(names_in(own.names, head)):
        return None
    if own.brand and own.model:
        # In its title: user needs speak of the complaints of the model before in their first lines.
        sibling = re.search(rf"\b{re.escape(own.brand)}[ -]({_DESIGNATOR})(?!\w)", title)
        if sibling is not None:
            return Subject(Role.PREDECESSOR, (sibling[0],))
    if own.is_in(text) or not own.names:
        return None
    for role in (Role.PREDECESSOR, Role.PREDICATE, Role.OTHER):
        if _CALLED[role].search(title):
            return Subject(role, tuple(NUMBER.findall(title)))
    if own.maker and (own.maker in text or own.maker in record.metadata.author):
        return None  # "Product: Round bar, dia 30" on what a supplier certifies to the company.
    named = _DEVICE_FIELD.search(head)
    is_name = named is not None and re.search(r"\d|[™®]|[a-z][A-Z]", named["name"]) is not None
    return Subject(Role.OTHER, (named["name"].strip(),)) if named and is_name else None
