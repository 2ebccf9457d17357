"""Which devices a prompt compares, and the documents on each of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import (
    CAPITALISED,
    NUMBER,
    OWN_LAYERS,
    Role,
    Subject,
    Subjects,
    device_names_in,
    headings_of,
    names_in,
)
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.text.sentences import sentences

COMPARES = re.compile(
    r"\b(?:(?-i:SE)\b|compar|versus|vs\b|against|differ|side by side|equivalen|vergleich"
    r"|unterschied|gegenüber|différen|diferen|frente a)",
    re.IGNORECASE,
)
PREDICATE = re.compile(r"\b(?:predicate|prädikat|prédicat|predicad)", re.IGNORECASE)
_EQUIVALENT = re.compile(rf"{PREDICATE.pattern}|\b(?-i:SE)\b|[eé]quivalen|äquivalen", re.IGNORECASE)
OURS = re.compile(r"\b(?:our|ours|subject|this device|unser\w*|notre|nuestr\w+)\b", re.IGNORECASE)
# The company's papers that say which device is its predicate.
_SAY_PREDICATE = OWN_LAYERS | {Layer.REGULATORY_STRATEGY}
_MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class ComparedDevice:
    """A device of a comparison: how the table calls it, who it is, and the documents on it. Where
    one of them has sections on several devices, what stands under its ``headings`` is on it and
    what stands under ``foreign`` ones is not; the rest is, but for the files of which it has
    ``parts`` alone."""

    name: str
    subject: Subject
    files: frozenset[str]
    headings: frozenset[str] = frozenset()
    foreign: frozenset[str] = frozenset()
    parts: frozenset[str] = frozenset()

    @property
    def is_own(self) -> bool:
        """Whether it is the project's device."""
        return self.subject.role is Role.DEVICE

    def is_under(self, path: Sequence[str], file: str) -> bool:
        """Whether what stands under the headings ``path`` of ``file``, one of its documents, is on
        it."""
        for heading in reversed(path):
            if heading in self.headings or heading in self.foreign:
                return heading in self.headings
        return file not in self.parts


def may_name_two(text: str, subjects: Subjects) -> bool:
    """Whether ``text`` compares devices, as far as their documents need not be read for it."""
    subjects_named = [s for s in set(subjects.others.values()) if s.is_named_in(text)]
    their_names = {name.upper() for subject in subjects_named for name in subject.names}
    numbers = {number.upper() for number in NUMBER.findall(text)} - their_names
    named = len(subjects_named) + len(numbers)
    speaks_of_others = named or Subject(Role.PREDICATE).is_asked_by(text)
    is_own_named = subjects.device.is_named_in(text) or OURS.search(text)
    return bool(speaks_of_others and (COMPARES.search(text) or is_own_named or named > 1))


def compared_devices(
    text: str, subjects: Subjects, documents: IndexedDocuments
) -> tuple[ComparedDevice, ...]:
    """Return the devices that ``text`` compares, the project's first; none where it does not."""
    if not may_name_two(text, subjects):
        return ()
    known = known_devices(subjects, documents)
    numbers = [each.upper() for each in (*NUMBER.findall(text), *subjects.predicates)]
    for number in dict.fromkeys(numbers):
        if not any(number in each.subject.names for each in known):
            known.append(_device(Subject(Role.PREDICATE, (number,)), frozenset()))
    named = [each for each in known if each.subject.is_named_in(text)]
    by_name = len(named)
    is_own_named = subjects.device.is_named_in(text) or OURS.search(text) is not None
    if not named and COMPARES.search(text):
        named = _predicates(known, subjects, documents)
    if not named:
        return ()
    named.sort(key=lambda each: _place(each.subject, text))
    called = [_called(each.subject, text) for each in named[:_MOST_COLUMNS]]
    # Two that a brand alone names are two columns all the same.
    others = [
        replace(each, name=name if called.count(name) == 1 else each.subject.names[0])
        for each, name in zip(named, called, strict=False)
    ]
    if not subjects.device.names:
        # By a name that is not known, perhaps: what is equivalent to a predicate is the device.
        is_own_named = is_own_named or _EQUIVALENT.search(text) is not None
    # Two others by name, and the device not at all: those two alone.
    if by_name > 1 and not is_own_named:
        return tuple(others)
    own_names = [*names_in(subjects.device.names, text), *subjects.device.names, "Subject device"]
    layers = OWN_LAYERS | {Layer.BOOTSTRAP}
    records = [r for r in documents.documents() if r.file not in subjects.others]
    files = frozenset(record.file for record in records if record.layer in layers)
    return (ComparedDevice(own_names[0], subjects.device, files), *others)


def _predicates(
    known: Sequence[ComparedDevice], subjects: Subjects, documents: IndexedDocuments
) -> list[ComparedDevice]:
    """Return the predicates that the master record names, else the one that stands most often in a
    sentence of the company's papers that says so, and no other device with it; else all."""
    of_role = [each for each in known if each.subject.role is Role.PREDICATE]
    named = [each for each in of_role if set(subjects.predicates) & set(each.subject.names)]
    if named or len(of_role) < 2:
        return named or of_role
    counts = Counter[str]()
    for record in documents.documents():
        if record.layer in _SAY_PREDICATE and record.file not in subjects.others:
            lines = documents.text(record.document_id).splitlines()
            for sentence in (each for line in lines for each in sentences(line)):
                if PREDICATE.search(sentence):
                    found = [each.name for each in of_role if each.subject.is_named_in(sentence)]
                    counts.update(found if len(found) == 1 else [])
    best = max(counts.values(), default=0)
    return [each for each in of_role if counts[each.name] == best]


def known_devices(subjects: Subjects, documents: IndexedDocuments) -> list[ComparedDevice]:
    """Return the devices besides the project's that its documents are on, a document with sections
    on several of them cut by its headings."""
    records = documents.documents()
    own_texts = [
        documents.text(record.document_id)
        for record in records
        if record.layer in OWN_LAYERS and record.file not in subjects.others
    ]
    speaks_of_others = Subject(Role.PREDICATE).is_asked_by
    lines = [line for t in own_texts for line in t.splitlines() if speaks_of_others(line)]
    found: dict[str, ComparedDevice] = {}
    for record in records:
        subject = subjects.others.get(record.file)
        if subject is None or not subject.names:
            continue
        if record.layer is Layer.PREDICATES:
            document = documents.parsed(record.document_id)
            devices = _devices_in(document, record.file, subject, own_texts, lines, subjects)
        else:
            devices = [_device(subject, frozenset({record.file}))]
        for each in devices:
            before = found.get(each.subject.names[0], each)
            names = tuple(dict.fromkeys((*before.subject.names, *each.subject.names)))
            found[names[0]] = ComparedDevice(
                before.name,
                Subject(before.subject.role, names),
                before.files | each.files,
                before.headings | each.headings,
                before.foreign | each.foreign,
                before.parts | each.parts,
            )
    return list(found.values())


def _devices_in(
    document: ParsedDocument,
    file: str,
    subject: Subject,
    own_texts: Sequence[str],
    lines: Sequence[str],
    subjects: Subjects,
) -> list[ComparedDevice]:
    """Return the devices of a document: ``subject``, or each that its headings name by a number or
    as those ``lines`` of the company's papers do that speak of predicates. What stands under none
    of these is on the first."""
    groups: list[tuple[dict[str, None], set[str]]] = []
    for heading in headings_of(document):
        if PREDICATE.search(heading) or COMPARES.search(heading):
            continue
        # Few are said elsewhere, which is told much faster than which of them are names.
        words = CAPITALISED.findall(heading)
        said = [w for w in words if w in subject.names or any(w in line for line in lines)]
        known = device_names_in(said, (document.text, *own_texts), subjects.device.names)
        names = dict.fromkeys((*(n.upper() for n in NUMBER.findall(heading)), *known))
        same = next((group for group in groups if group[0].keys() & names), None)
        if same is not None:
            same[0].update(names)
            same[1].add(heading)
        elif names:
            groups.append((names, {heading}))
    files = frozenset({file})
    own = [group for group in groups if group[0].keys() & set(subject.names)]
    if not own or len(groups) == 1:
        return [_device(subject, files)]
    made = []
    for place, (names, headings) in enumerate(groups):
        # Its number first, which papers agree upon, then what the prompt may call it.
        first = [name for name in subject.names if name in names]
        ordered = tuple(dict.fromkeys((*sorted(names, key=lambda n: not NUMBER.match(n)), *first)))
        foreign = frozenset(h for group in groups for h in group[1] if group[0] is not names)
        made.append(
            ComparedDevice(
                ordered[0],
                Subject(subject.role, ordered),
                files,
                frozenset(headings),
                foreign,
                files if place else frozenset(),
            )
        )
    return made


def _device(subject: Subject, files: frozenset[str]) -> ComparedDevice:
    return ComparedDevice(subject.names[0], subject, files)


def _called(subject: Subject, text: str) -> str:
    """Return how a table calls a device: by its name, if possible the one in ``text``, and its
    number."""
    numbers = [name for name in subject.names if NUMBER.fullmatch(name)][:1]
    called = [name for name in subject.names if not NUMBER.fullmatch(name)]
    called = [*names_in(called, text), *called][:1]
    return f"{called[0]} ({numbers[0]})" if called and numbers else (*called, *numbers)[0]


def _place(subject: Subject, text: str) -> int:
    places = [text.casefold().find(name.casefold()) for name in subject.names]
    return min((place for place in places if place >= 0), default=len(text))
