"""What a document states: this attribute has this value, with its place; which two disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import sentence_spans, without_list_mark
from phasergun_desktop.text.values import Value, ValueKind, extract_values
from phasergun_desktop.text.words import content_words, even, stem_set


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity said of one attribute.

    ``name`` is the attribute as written, ``words`` are its stems, ``around`` those of its sentence
    or row and of the headings above. ``said`` is the ``value`` as written. ``start``..``end`` is
    the sentence, list item or row in the document's text. ``is_named``: a field or a cell under
    its name. ``is_record``: a field of the master record.
    """

    name: str
    words: frozenset[str]
    around: frozenset[str]
    value: Value
    said: str
    block: Block
    start: int
    end: int
    is_named: bool = False
    is_record: bool = False


# A longer one is no prose, and reading it would take the time of a whole document.
_LONGEST_SENTENCE = 2000
_LONGEST_LINK = 40
_CLAUSE = re.compile(
    r"[;:(—]\s|,\s|\s(?:that|which|because|where|when|if|while|but|since|so|whether|and then)\s"
)
# What links a name to its value, directly before the value and its bounding words.
_LINK = re.compile(
    r"\s(?:(?:is|are|was|were|be|been|stays)(?:\s(?:now|therefore))?(?:(?:\s\w+)?\s(?:at|to))?"
    r"|of|takes|lasts)\s*$",
    re.IGNORECASE,
)
# Directly before "of" stands the name alone, after its article: "with a sample volume of 1 µL".
_NAME_START = re.compile(
    r"(?<!\bof )(?<!\bfor )\b(?:the|a|an|its|their|this|our)\s+", re.IGNORECASE
)
# A verb that is the attribute: what "takes 90 minutes" has a time of 90 minutes.
_VERB_NAMES = {"takes": "time", "lasts": "time"}
_FIELD = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?\s+)?(?P<name>[^\W\d_][^:|.;\n]{1,79}?)\s*:\s+")
_ARTICLE = re.compile(r"^(?:the|a|an|its|their|this|our|each|every)\s+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
# Alone they name no attribute: "the time is 5 s" can be any time.
_TOO_GENERAL = stem_set(listed("consistency", "too_general"))


def disagree(first: Statement, second: Statement) -> bool:
    """Whether both state the same attribute of the same thing, with other values.

    Attribute and thing are the same when neither statement has a word in its name that the other
    does not have in its sentence or headings.
    """
    one, two = first.value, second.value
    if (one.kind, one.unit, one.bound) != (two.kind, two.unit, two.bound) or one.key == two.key:
        return False
    left, right = first.words, second.words
    shared = left & right
    if not shared:
        return False
    if (len(shared) < 2 or shared <= _TOO_GENERAL) and not (
        left == right and len(shared) + first.is_named + second.is_named > 2
    ):
        return False
    return left - right <= second.around and right - left <= first.around


def quantities(text: str) -> list[Value]:
    """Return the numbers of ``text`` that have a unit, and its ranges in place of their ends."""
    found = [each for each in extract_values(text) if each.unit]
    ranges = [each for each in found if each.kind is ValueKind.RANGE]
    return ranges + [
        each
        for each in found
        if each.kind is ValueKind.NUMBER
        and not any(range_.start <= each.start < range_.end for range_ in ranges)
    ]


def statements(
    document: ParsedDocument, first: int = 0, last: int | None = None
) -> list[Statement]:
    """Return the statements of the blocks that overlap ``first``..``last`` (None: to the end)."""
    found: list[Statement] = []
    limit = len(document.text) if last is None else last
    for block in document.blocks:
        if block.end <= first:
            continue
        if block.start >= limit:
            break
        if not block.kind.is_body or block.kind is BlockKind.HEADING or block.is_table_header:
            continue
        if _DIGIT.search(document.text, block.start, block.end) is None:
            continue
        text = document.block_text(block)
        if not block.cells:
            for start, end in sentence_spans(text):
                if end - start <= _LONGEST_SENTENCE:
                    place = block.start + start, block.start + end
                    found.extend(_of_sentence(text[start:end], block, *place))
        elif len(block.cells) == 2:
            # A wider table is one of measurements, whose columns name no attribute.
            row = ": ".join(cell.strip() for _, cell in block.cells)
            found.extend(_of_sentence(row, block, block.start, block.end))
    return found


def _of_sentence(sentence: str, block: Block, start: int, end: int) -> Iterator[Statement]:
    written = even(sentence)
    field = _FIELD.match(written)
    around = frozenset(content_words(" ".join((written, *block.heading_path))))
    for value in quantities(sentence):
        lead = written[: value.start]
        is_named = field is not None and lead.rstrip() == field.group().rstrip()
        if field is not None and is_named:
            name = field["name"]
        else:
            name = _linked_name(lead)
        name = _ARTICLE.sub("", without_list_mark(name))
        if words := frozenset(content_words(name)):
            said = sentence[value.start : value.end] if len(written) == len(sentence) else ""
            yield Statement(name, words, around, value, said, block, start, end, is_named)


def _linked_name(lead: str) -> str:
    """Return the name that a verb or an "of" at the end of ``lead`` links to what follows, with
    what the verb adds to it; "" for none."""
    match = _LINK.search(lead[-_LONGEST_LINK:])
    if match is None:
        return ""
    link = match.group().strip().lower()
    before = lead[: max(0, len(lead) - _LONGEST_LINK) + match.start()]
    name = _CLAUSE.split(before)[-1].strip()
    if link == "of":
        name = _NAME_START.split(name)[-1]
    return f"{name} {_VERB_NAMES.get(link, '')}".strip()
