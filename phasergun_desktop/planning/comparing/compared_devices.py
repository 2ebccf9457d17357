"""Which devices a prompt compares, what of them it asks for, and in which needs."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.planning.comparing.listed_attributes import (
    ListedAttributes,
    listed_attributes,
)
from phasergun_desktop.planning.form_words import is_of_form
from phasergun_desktop.planning.needs import LIST_MARK, Need, Request
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
from phasergun_desktop.references.model import PromptSentence, Resolution
from phasergun_desktop.text.lexicon import in_all_languages
from phasergun_desktop.text.sentences import sentences
from phasergun_desktop.text.words import content_words

_COMPARES = re.compile(
    r"\b(?:(?-i:SE)\b|compar|versus|vs\b|against|differ|side by side|equivalen|vergleich"
    r"|unterschied|gegenüber|différen|diferen|frente a)",
    re.IGNORECASE,
)
# What of these compares devices whatever else the sentence says.
_COMPARES_DEVICES = re.compile(
    r"\b(?:(?-i:SE)\b|compar|versus|vs\b|side by side|equivalen|vergleich|äquivalen|équivalen)",
    re.IGNORECASE,
)
# What a list calls its items where they are the rows of a table.
_ROWS = re.compile(
    r"\b(?:rows?|lines?|attributes?|characteristics|parameters|cover|compare|zeilen?|merkmale"
    r"|lignes?|caractéristiques|filas?|características)\b",
    re.IGNORECASE,
)
# An item of an outline, not of a table.
_OF_AN_OUTLINE = re.compile(
    r"\b(?:compar(?:e|ison|aison)s?|conclusions?|tables?|equivalence|vergleich|tabelle|tableau"
    r"|schlussfolgerung|tabla|conclusi[oó]n)\b",
    re.IGNORECASE,
)
# What asks for all that is known of the devices, where no attributes are listed.
_WHOLE = re.compile(
    r"\b(?:substantial(?:ly)? equiv|equivalence|features?\b|tables?\b|SE\b|side.by.side compar"
    r"|äquivalen|tabelle|tableau|équivalen|tabla)",
    re.IGNORECASE,
)
PREDICATE = re.compile(r"\b(?:predicate|prädikat|prédicat|predicad)", re.IGNORECASE)
_EQUIVALENT = re.compile(rf"{PREDICATE.pattern}|\b(?-i:SE)\b|[eé]quivalen|äquivalen", re.IGNORECASE)
# Words at the ends of a part that name no attribute, beside those of form and of no content.
_AT_ENDS = in_all_languages("prompts", "at_ends_of_a_comparison")
_DEVICES = in_all_languages("prompts", "devices")
OURS = re.compile(r"\b(?:our|ours|subject|this device|unser\w*|notre|nuestr\w+)\b", re.IGNORECASE)
_OF_WHOM = re.compile(
    r"\s+(?:of|for|von|de|des|du|del)\s+(?:our|the|this|its|both|unser\w*|notre|nuestr\w+|de[rmn]|"
    r"la|el|le)\b.*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|und|et|y|sowie)\s+|,\s*")
_PARENTHESES = re.compile(r"\s*\(([^()]*)(?:\)|$)")
_LEFT_OUT = re.compile(r"(?:only|not?|without|ohne|nur|sans|sin|solo)\b", re.IGNORECASE)
# What a prompt calls the columns of its table: "feature | ours | theirs | comment".
_COLUMNS = re.compile(r"\||\s/\s")
# The company's papers that say which device is its predicate.
_SAY_PREDICATE = OWN_LAYERS | {Layer.REGULATORY_STRATEGY}
_LONGEST_ATTRIBUTE = 5  # words
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


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The devices, the attributes in the prompt's order (none where it lists none), and the needs
    that the table answers."""

    devices: tuple[ComparedDevice, ...]
    attributes: tuple[str, ...]
    needs: tuple[Need, ...]


def read_comparison(
    resolution: Resolution, request: Request, subjects: Subjects, documents: IndexedDocuments
) -> ComparisonRequest | None:
    """Return the first comparison that the prompt asks for: a sentence that names two devices, or
    one besides the project's with a word that compares, and not in the last of what it lists alone.
    One attribute is said in a sentence; none are listed where everything is to be compared."""
    asking = [each for each in resolution.sentences if not each.is_directive]
    by_list = _with_list(resolution.prompt, asking, request, subjects, documents)
    if by_list is not None:
        return by_list
    for place, sentence in enumerate(asking):
        behind = [*_followers(asking[place + 1 :])]
        its = [_needs_in(each, request) for each in (sentence, *behind)]
        lead = resolution.prompt[sentence.start : its[0][0].end if its[0] else sentence.end]
        if not (_COMPARES.search(lead) or _asks(lead, subjects)):
            continue
        devices = compared_devices(sentence.text, subjects, documents)
        used, attributes = its[:1], _items(its[0], devices)
        for follower, needs in zip(behind, its[1:], strict=True) if not attributes else ():
            used.append(needs)
            if not attributes or LIST_MARK.match(follower.raw):
                attributes += _items(needs, devices)
        listed = tuple(dict.fromkeys(attributes))
        is_whole = any(_WHOLE.search(each.text) for each in (sentence, *behind))
        answered = tuple(need for needs in used for need in needs)
        if answered and len(devices) > 1 and (len(listed) > 1 or is_whole):
            return ComparisonRequest(devices, listed if len(listed) > 1 else (), answered)
    return None


def _with_list(
    prompt: str,
    asking: Sequence[PromptSentence],
    request: Request,
    subjects: Subjects,
    documents: IndexedDocuments,
) -> ComparisonRequest | None:
    """Return the comparison of which ``prompt`` lists the attributes in the sentence that compares
    or the next one, or further behind where a table is wanted or the list says that it has its
    rows. An outline, of which the comparison is one item, is no such list."""
    others = {*subjects.others.values(), Subject(Role.PREDICATE)}

    def is_device(item: str) -> bool:
        named = NUMBER.search(item) or subjects.device.is_named_in(item)
        return bool(named) or any(each.is_asked_by(item) for each in others)

    listed = listed_attributes(prompt, asking, is_device)
    if listed is None or any(map(_OF_AN_OUTLINE.search, listed.names)):
        return None
    is_table = _WHOLE.search(prompt, 0, listed.start) is not None
    for sentence in asking:
        said = prompt[sentence.start : min(sentence.end, listed.start)]
        compares = _COMPARES.search(said) or is_table
        if _COMPARES_DEVICES.search(said) or (compares and _asks(said, subjects)):
            break
    else:
        return None
    lead = prompt[sentence.start : listed.start]
    behind = next((each.end for each in asking if each.start >= sentence.end), sentence.end)
    last = next((each.start for each in asking if each.start <= listed.start < each.end), 0)
    opening = prompt[max(last, prompt.rfind("\n", 0, listed.start) + 1) : listed.start]
    opening = opening if opening.strip() else _line_before(prompt, listed)
    if not (is_table or listed.start < behind or _ROWS.search(opening)):
        return None
    devices = compared_devices(lead, subjects, documents)
    if len(devices) < 2:
        devices = compared_devices(" ".join(e.text for e in asking), subjects, documents)
    answered = tuple(n for n in request.needs if sentence.start <= n.start < listed.end)
    if len(devices) < 2 or not answered:
        return None
    return ComparisonRequest(devices, listed.names, answered)


def _line_before(prompt: str, listed: ListedAttributes) -> str:
    lines = prompt[: listed.start].split("\n")
    return next((line for line in reversed(lines[:-1]) if line.strip()), "")


def _needs_in(sentence: PromptSentence, request: Request) -> list[Need]:
    return [need for need in request.needs if sentence.start <= need.start < sentence.end]


def _asks(text: str, subjects: Subjects) -> bool:
    """Whether ``text`` compares devices, as far as their documents need not be read for it."""
    subjects_named = [s for s in set(subjects.others.values()) if s.is_named_in(text)]
    their_names = {name.upper() for subject in subjects_named for name in subject.names}
    numbers = {number.upper() for number in NUMBER.findall(text)} - their_names
    named = len(subjects_named) + len(numbers)
    speaks_of_others = named or Subject(Role.PREDICATE).is_asked_by(text)
    is_own_named = subjects.device.is_named_in(text) or OURS.search(text)
    return bool(speaks_of_others and (_COMPARES.search(text) or is_own_named or named > 1))


def _followers(behind: Sequence[PromptSentence]) -> Iterator[PromptSentence]:
    """Yield the sentence behind a comparison or the items of the list there, and what only says
    how to do it."""
    for place, sentence in enumerate(behind):
        is_item = LIST_MARK.match(sentence.raw) is not None
        if place > 0 and not is_item and not sentence.modifies_previous:
            return
        yield sentence


def compared_devices(
    text: str, subjects: Subjects, documents: IndexedDocuments
) -> tuple[ComparedDevice, ...]:
    """Return the devices that ``text`` compares, the project's first; none where it does not."""
    if not _asks(text, subjects):
        return ()
    known = known_devices(subjects, documents)
    numbers = [each.upper() for each in (*NUMBER.findall(text), *subjects.predicates)]
    for number in dict.fromkeys(numbers):
        if not any(number in each.subject.names for each in known):
            known.append(_device(Subject(Role.PREDICATE, (number,)), frozenset()))
    named = [each for each in known if each.subject.is_named_in(text)]
    by_name = len(named)
    is_own_named = subjects.device.is_named_in(text) or OURS.search(text) is not None
    if not named and _COMPARES.search(text):
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
        if PREDICATE.search(heading) or _COMPARES.search(heading):
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


def _items(needs: Sequence[Need], devices: Sequence[ComparedDevice]) -> list[str]:
    """Return what of the devices ``needs`` ask for: their parts without names and words of form;
    where a colon opens a list, what stands before it is none of it."""
    listed = [need for need in needs if need.label] or needs
    parts: list[str] = []
    for need in listed:
        said = _PARENTHESES.search(need.quote)
        inside = said if said and "," in said[1] and not _LEFT_OUT.match(said[1]) else None
        query = inside[1] if inside else need.quote if need.label else need.query
        query = _PARENTHESES.sub("", query)
        words = _bare(query, devices).split()
        # The order to write stands first, but not in a list that a colon or parenthesis opens.
        while words and not (inside or need.label) and is_of_form(words[0]):
            words = _trimmed(words[1:])
        parts.extend(" ".join(_trimmed(part.split())) for part in _AND.split(" ".join(words)))
    return [
        part
        for part in parts
        if content_words(part)
        and not is_of_form(part, _DEVICES)
        and not (_COLUMNS.search(part) or _WHOLE.search(part))
        and len(part.split()) <= _LONGEST_ATTRIBUTE
    ]


def _bare(part: str, devices: Sequence[ComparedDevice]) -> str:
    """Return ``part`` without devices, comparing words, and what says nothing at its ends."""
    for device in devices:
        for name in sorted((device.name, *device.subject.names), key=len, reverse=True):
            part = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", part, flags=re.IGNORECASE)
    part = _OF_WHOM.sub("", Subject(Role.PREDICATE).without_role(part))
    return " ".join(_trimmed([word for word in part.split() if not _COMPARES.match(word)]))


def _trimmed(words: list[str]) -> list[str]:
    while words and _says_nothing(words[0]):
        words = words[1:]
    while words and _says_nothing(words[-1]):
        words = words[:-1]
    return [*words[:-1], words[-1].rstrip(" ,.;:?")] if words else []


def _says_nothing(word: str) -> bool:
    bare = word.strip(" ,.;:?()").casefold()
    return bare in _AT_ENDS or not content_words(bare)
