"""Which devices a prompt compares, what of them it asks for, and in which needs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.form_words import is_of_form
from phasergun_desktop.planning.needs import LIST_MARK, Need, Request
from phasergun_desktop.planning.subject import NUMBER, OWN_LAYERS, Role, Subject, Subjects
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import PromptSentence, Resolution
from phasergun_desktop.text.lexicon import in_all_languages
from phasergun_desktop.text.words import content_words

_COMPARES = re.compile(
    r"\b(?:compar|versus|vs\b|against|differ|side by side|equivalen|vergleich|unterschied"
    r"|gegenüber|différen|diferen|frente a)",
    re.IGNORECASE,
)
# Words at the ends of a part that name no attribute, beside those of form and of no content.
_AT_ENDS = in_all_languages("prompts", "at_ends_of_a_comparison")
_DEVICES = in_all_languages("prompts", "devices")
_OURS = re.compile(r"\b(?:our|ours|subject|this device|unser\w*|notre|nuestr\w+)\b", re.IGNORECASE)
_OF_WHOM = re.compile(
    r"\s+(?:of|for|von|de|des|du|del)\s+(?:our|the|this|its|both|unser\w*|notre|nuestr\w+|de[rmn]|"
    r"la|el|le)\b.*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|und|et|y|sowie)\s+|,\s*")
_PARENTHESES = re.compile(r"\(([^()]*,[^()]*)\)")
# What a prompt calls the columns of its table: "feature | ours | theirs | comment".
_COLUMNS = re.compile(r"\||\s/\s")
_LONGEST_ATTRIBUTE = 5  # words
_MOST_COLUMNS = 4


@dataclass(frozen=True, slots=True)
class ComparedDevice:
    """A device of a comparison: how the table calls it, who it is, and the documents on it."""

    name: str
    subject: Subject
    files: frozenset[str]

    @property
    def is_own(self) -> bool:
        """Whether it is the project's device."""
        return self.subject.role is Role.DEVICE


@dataclass(frozen=True, slots=True)
class ComparisonRequest:
    """The devices, the attributes in the prompt's order (none where it lists none), and the needs
    that the table answers."""

    devices: tuple[ComparedDevice, ...]
    attributes: tuple[str, ...]
    needs: tuple[Need, ...]


def read_comparison(
    resolution: Resolution,
    request: Request,
    subjects: Subjects,
    records: Sequence[DocumentRecord],
) -> ComparisonRequest | None:
    """Return the first comparison that the prompt asks for: a sentence that names two devices, or
    one besides the project's with a word that compares."""
    sentences = [each for each in resolution.sentences if not each.is_directive]
    for place, sentence in enumerate(sentences):
        devices = compared_devices(sentence.text, subjects, records)
        if len(devices) < 2:
            continue
        used = [sentence]
        attributes = _items(sentence, request, devices)
        if not attributes:
            for follower in _followers(sentences[place + 1 :]):
                used.append(follower)
                if not attributes or LIST_MARK.match(follower.raw):
                    attributes += _items(follower, request, devices)
        needs = tuple(n for n in request.needs for s in used if s.start <= n.start < s.end)
        # What is asked of one attribute is said in a sentence.
        if needs and len(attributes) != 1:
            return ComparisonRequest(devices, tuple(dict.fromkeys(attributes)), needs)
    return None


def _followers(sentences: Sequence[PromptSentence]) -> Iterator[PromptSentence]:
    """Yield the sentence behind a comparison or the items of the list there, and what only says
    how to do it."""
    for place, sentence in enumerate(sentences):
        is_item = LIST_MARK.match(sentence.raw) is not None
        if place > 0 and not is_item and not sentence.modifies_previous:
            return
        yield sentence


def compared_devices(
    text: str, subjects: Subjects, records: Sequence[DocumentRecord]
) -> tuple[ComparedDevice, ...]:
    """Return the devices that ``text`` compares, the project's first; none where it does not."""
    files: dict[str, set[str]] = {}
    known: dict[str, Subject] = {}
    for file, subject in subjects.others.items():
        if subject.names:
            files.setdefault(subject.names[0], set()).add(file)
            before = known.get(subject.names[0], subject)
            names = tuple(dict.fromkeys((*before.names, *subject.names)))
            known[subject.names[0]] = Subject(before.role, names)
    for number in (each.upper() for each in (*NUMBER.findall(text), *subjects.predicates)):
        known.setdefault(number, Subject(Role.PREDICATE, (number,)))
    named = [name for name, subject in known.items() if subject.is_named_in(text)]
    by_name = len(named)
    compares = _COMPARES.search(text) is not None
    speaks_of_predicate = Subject(Role.PREDICATE).is_asked_by(text)
    if not named and compares and speaks_of_predicate:
        of_role = [name for name, each in known.items() if each.role is Role.PREDICATE]
        named = list(subjects.predicates) or of_role
    is_own_named = subjects.device.is_named_in(text) or _OURS.search(text) is not None
    if not named or not (compares or is_own_named or len(named) > 1):
        return ()
    others = [
        ComparedDevice(name, known[name], frozenset(files.get(name, ())))
        for name in sorted(named, key=lambda each: _place(known[each], text))
    ][:_MOST_COLUMNS]
    own = ComparedDevice(_own_name(subjects, text), subjects.device, _own_files(subjects, records))
    # Two others by name, and the device not at all: those two alone.
    return tuple(others) if by_name > 1 and not is_own_named else (own, *others)


def _own_name(subjects: Subjects, text: str) -> str:
    names = [
        name for name in subjects.device.names if Subject(Role.DEVICE, (name,)).is_named_in(text)
    ]
    return next(iter(names or subjects.device.names), "Subject device")


def _own_files(subjects: Subjects, records: Sequence[DocumentRecord]) -> frozenset[str]:
    own = OWN_LAYERS | {Layer.BOOTSTRAP}
    return frozenset(r.file for r in records if r.layer in own and r.file not in subjects.others)


def _place(subject: Subject, text: str) -> int:
    places = [text.casefold().find(name.casefold()) for name in subject.names]
    return min((place for place in places if place >= 0), default=len(text))


def _items(
    sentence: PromptSentence, request: Request, devices: Sequence[ComparedDevice]
) -> list[str]:
    """Return what of the devices a sentence asks for: its parts without names and words of form."""
    needs = [n for n in request.needs if sentence.start <= n.start < sentence.end]
    parts: list[str] = []
    for need in needs:
        inside = _PARENTHESES.search(need.quote)
        query = inside[1] if inside else need.quote if need.label else need.query
        bare = _bare(query, devices)
        words = bare.split()
        # The order to write stands first, but not in a list that a colon or parenthesis opens.
        while words and not (inside or need.label) and is_of_form(words[0]):
            words = _trimmed(words[1:])
        parts.extend(" ".join(_trimmed(part.split())) for part in _AND.split(" ".join(words)))
    return [
        part
        for part in parts
        if content_words(part) and not is_of_form(part, _DEVICES) and not _is_more(part)
    ]


def _is_more(part: str) -> bool:
    """Whether a part of a prompt is more than the name of an attribute."""
    return _COLUMNS.search(part) is not None or len(part.split()) > _LONGEST_ATTRIBUTE


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
