"""Which comparison a prompt asks for: its devices, what of them, and in which needs."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.planning.comparing.compared_devices import (
    COMPARES,
    ComparedDevice,
    compared_devices,
    may_name_two,
)
from phasergun_desktop.planning.comparing.listed_attributes import listed_attributes
from phasergun_desktop.planning.form_words import is_of_form
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.planning.subject import NUMBER, Role, Subject, Subjects
from phasergun_desktop.references.model import PromptSentence, Resolution
from phasergun_desktop.text.lexicon import in_all_languages
from phasergun_desktop.text.words import content_words

# What asks for all that is known of the devices, where no attributes are listed.
_WHOLE = re.compile(
    r"\b(?:substantial(?:ly)? equiv|equivalence|features?\b|tables?\b|tabular\b|SE\b"
    r"|side.by.side compar|äquivalen|tabelle|tableau|équivalen|tabla)",
    re.IGNORECASE,
)
# Words at the ends of a part that name no attribute, beside those of form and of no content.
_AT_ENDS = in_all_languages("prompts", "at_ends_of_a_comparison")
_DEVICES = in_all_languages("prompts", "devices")
_OF_WHOM = re.compile(
    r"\s+(?:of|for|von|de|des|du|del)\s+(?:our|the|this|its|both|unser\w*|notre|nuestr\w+|de[rmn]|"
    r"la|el|le)\b.*$",
    re.IGNORECASE,
)
_AND = re.compile(r"\s+(?:and|und|et|y|sowie)\s+|,\s*")
_PARENTHESES = re.compile(r"\s*\(([^()]*)(?:\)|$)")
_LONGEST_ATTRIBUTE = 5  # words


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
    for at, sentence in enumerate(asking):
        # "Table: attribute / ours / theirs" says how to compare.
        its = [sentence, *(each for each in asking[at + 1 : at + 2] if _WHOLE.search(each.text))]
        needs = [n for e in its for n in request.needs if e.start <= n.start < e.end]
        own = [need for need in needs if need.start < sentence.end]
        lead = resolution.prompt[sentence.start : own[0].end] if own else ""
        if not (COMPARES.search(lead) or may_name_two(lead, subjects)):
            continue
        devices = compared_devices(sentence.text, subjects, documents)
        attributes = tuple(dict.fromkeys(_items(own, devices)))
        is_several = len(attributes) > 1
        if len(devices) > 1 and (is_several or any(_WHOLE.search(each.text) for each in its)):
            return ComparisonRequest(devices, attributes if is_several else (), tuple(needs))
    return None


def _with_list(
    prompt: str,
    asking: Sequence[PromptSentence],
    request: Request,
    subjects: Subjects,
    documents: IndexedDocuments,
) -> ComparisonRequest | None:
    """Return the comparison of which ``prompt`` lists the attributes in the sentence that compares
    or the next one, or further behind where a table is wanted."""
    others = {*subjects.others.values(), Subject(Role.PREDICATE)}

    def is_device(item: str) -> bool:
        named = NUMBER.search(item) or subjects.device.is_named_in(item)
        return bool(named) or any(each.is_asked_by(item) for each in others)

    listed = listed_attributes(prompt, asking, is_device)
    if listed is None:
        return None
    is_table = _WHOLE.search(prompt, 0, listed.start) is not None
    for at, sentence in enumerate(asking):
        said = prompt[sentence.start : min(sentence.end, listed.start)]
        compares = COMPARES.search(said) is not None
        # Two of three signs: a table is wanted, a word compares, two devices are named.
        if is_table + compares + may_name_two(said, subjects) > 1:
            behind = asking[at : at + 2][-1].end
            break
    else:
        return None
    if not (is_table or listed.start < behind):
        return None
    devices = compared_devices(prompt[sentence.start : listed.start], subjects, documents)
    if len(devices) < 2:
        devices = compared_devices(" ".join(e.text for e in asking), subjects, documents)
    needs = tuple(n for n in request.needs if sentence.start <= n.start < listed.end)
    return ComparisonRequest(devices, listed.names, needs) if needs and len(devices) > 1 else None


def _items(needs: Sequence[Need], devices: Sequence[ComparedDevice]) -> list[str]:
    """Return what of the devices ``needs`` ask for: their parts without names and words of form;
    where a colon opens a list, what stands before it is none of it."""
    listed = [need for need in needs if need.label] or needs
    parts: list[str] = []
    for need in listed:
        said = _PARENTHESES.search(need.quote)
        inside = said if said and "," in said[1] else None
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
        and not _WHOLE.search(part)
        and len(part.split()) <= _LONGEST_ATTRIBUTE
    ]


def _bare(part: str, devices: Sequence[ComparedDevice]) -> str:
    """Return ``part`` without devices, comparing words, and what says nothing at its ends."""
    for device in devices:
        for name in sorted((device.name, *device.subject.names), key=len, reverse=True):
            part = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", " ", part, flags=re.IGNORECASE)
    part = _OF_WHOM.sub("", Subject(Role.PREDICATE).without_role(part))
    return " ".join(_trimmed([word for word in part.split() if not COMPARES.match(word)]))


def _trimmed(words: list[str]) -> list[str]:
    while words and _says_nothing(words[0]):
        words = words[1:]
    while words and _says_nothing(words[-1]):
        words = words[:-1]
    return [*words[:-1], words[-1].rstrip(" ,.;:?")] if words else []


def _says_nothing(word: str) -> bool:
    bare = word.strip(" ,.;:?()").casefold()
    return bare in _AT_ENDS or not content_words(bare)
