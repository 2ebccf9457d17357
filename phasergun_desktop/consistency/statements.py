"""What a document states: this attribute has this value, with its place; which two disagree."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.alignment import pieces_of
from phasergun_desktop.grounding.opposites import NEGATORS
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import sentence_spans, without_list_mark
from phasergun_desktop.text.values import Value, ValueKind, extract_values
from phasergun_desktop.text.words import STOP_WORDS, content_words, even


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity said of one attribute.

    ``name`` is the attribute as written, "" where its whole text is compared; ``words`` are its
    stems, ``around`` those of its sentence or row and of the headings above. ``said`` is the
    ``value`` as written, ``given`` are all values of the text. ``start``..``end`` is the sentence,
    list item or row in the document's text. ``is_named``: a field or a cell under its name.
    ``is_record``: a field of the master record.
    """

    name: str
    words: frozenset[str]
    around: frozenset[str]
    value: Value
    said: str
    block: Block
    start: int
    end: int
    given: frozenset[tuple[str, str]] = frozenset()
    is_named: bool = False
    is_record: bool = False


# A longer one is no prose, and reading it would take the time of a whole document.
_LONGEST_SENTENCE = 2000
_LONGEST_LINK = 40
_LONGEST_NAME = 8
# Two texts are alike with this share of their words, and this many.
_ALIKE = 0.4
_ALIKE_WORDS = 3
# What links a name to its value, directly before the value and its bounding words.
_LINK = re.compile(
    r"\s(?:(?:is|are|be|been|stays)(?:\s(?:now|therefore))?(?:(?:\s\w+)?\s(?:at|to))?"
    r"|of)\s*$",
    re.IGNORECASE,
)
# Directly before "of" stands the name alone, after its article: "with a sample volume of 1 µL".
_NAME_START = re.compile(
    r"(?<!\bof )(?<!\bfor )\b(?:the|a|an|its|their|this|our)\s+", re.IGNORECASE
)
_FIELD = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?\s+)?(?P<name>[^\W\d_][^:|.;\n]{1,79}?)\s*:\s+")
_ARTICLE = re.compile(r"^(?:the|a|an|its|their|this|our|each|every)\s+", re.IGNORECASE)
_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(r"\W{0,3}\d")
_ID = re.compile(r"(?=\S*\d)[\w./-]+")
# "Mass (kg)", "Flow [mL/s]": the unit of the numbers under this label.
_UNIT_OF_LABEL = re.compile(r"\s*[(\[](?P<unit>[^()\[\]]{1,12})[)\]]\s*$")
# Numbers, brackets and commas are in no name, nor does one end with a sign or one of these words.
_NO_NAME = re.compile(r"[\d(\[,;:]|\W$")
_UNLINKED = STOP_WORDS | frozenset(listed("conversation", "prepositions"))


def disagree(first: Statement, second: Statement) -> bool:
    """Whether both state the same attribute of the same thing, with other values.

    Attribute and thing are the same when neither statement has a word in its name that the other
    does not have in its sentence or headings; a field of the master record may say more. Two texts
    that each give one number are alike by their words. A text that gives both values knows of both.
    """
    one, two = first.value, second.value
    if (one.kind, one.unit, one.bound) != (two.kind, two.unit, two.bound) or one.key == two.key:
        return False
    if ((one.unit, one.key) in second.given and not second.is_record) or (
        (two.unit, two.key) in first.given and not first.is_record
    ):
        return False
    left, right = first.words, second.words
    shared = left & right
    if not (first.name and second.name):
        return (
            first.name == second.name
            and len(shared) >= max(_ALIKE_WORDS, _ALIKE * len(left | right))
            and not any(_DIGIT.search(word) for word in left ^ right)
        )
    if not shared:
        return False
    if len(shared) < 2 and not (left == right and (first.is_named or second.is_named)):
        return False
    return (first.is_record or left - right <= second.around) and (
        second.is_record or right - left <= first.around
    )


def denies(text: str) -> bool:
    """Whether a word of ``text`` denies."""
    return any(piece.folded in NEGATORS for piece in pieces_of(text))


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
        if block.cells:
            found.extend(_of_row(block))
            continue
        text = document.block_text(block)
        for start, end in sentence_spans(text):
            sentence = text[start:end]
            if len(sentence) <= _LONGEST_SENTENCE and (
                _DIGIT.search(sentence) or quantities(sentence)
            ):
                where = block.start + start, block.start + end
                found.extend(_of_sentence(sentence, _at(block, *where, sentence)))
    return found


def _at(block: Block, start: int, end: int, *texts: str) -> partial[Statement]:
    """Return what makes the statements of ``texts``, a sentence or the cells of a row."""
    heads = (head for head, _ in block.cells)
    return partial(
        Statement,
        around=_words(*texts, *heads, *block.heading_path),
        given=frozenset((each.unit, each.key) for text in texts for each in quantities(text)),
        block=block,
        start=start,
        end=end,
    )


def _of_row(block: Block) -> Iterator[Statement]:
    """Yield what a row states: its one value, under the cells before it without the number of the
    row. One with several is one of measurements, whose columns name no attribute."""
    cells = [(head, cell.strip()) for head, cell in block.cells]
    if len(cells) > 1 and _ID.fullmatch(cells[0][1]):
        del cells[0]
    make = _at(block, block.start, block.end, *(cell for _, cell in cells))
    valued = [
        at
        for at, (head, cell) in enumerate(cells)
        if _NUMBER.match(cell) or _first_value(head, cell) or (at and quantities(cell))
    ]
    if len(valued) > 1:
        return
    for at in valued:
        head, cell = cells[at]
        names = [each for _, each in cells[:at]]
        name = ", ".join((*names, head) if _UNIT_OF_LABEL.search(head) else names)
        if _first_value(name, cell) is not None:
            yield from _of_field(name, cell, make)
            return
    for _, cell in cells:
        yield from _of_sentence(cell, make)


def _of_field(name: str, text: str, make: partial[Statement]) -> Iterator[Statement]:
    value, name = _first_value(name, text), _ARTICLE.sub("", _UNIT_OF_LABEL.sub("", name))
    if value is not None and (words := _words(name)):
        yield make(name, words, value=value, said=_as_written(value, text), is_named=True)


def _first_value(name: str, text: str) -> Value | None:
    """Return the quantity that ``text`` begins with; a bare number has the unit of its name."""
    found = quantities(text)
    unit = None if found else _UNIT_OF_LABEL.search(name)
    if unit is not None:
        found = quantities(f"{text} {unit['unit']}")
    return next((each for each in found if each.start == 0), None)


def _of_sentence(sentence: str, make: partial[Statement]) -> Iterator[Statement]:
    field = _FIELD.match(sentence)
    if field is not None:
        yield from _of_field(field["name"], sentence[field.end() :], make)
    written, values = even(sentence), quantities(sentence)
    if not values:
        return
    rest = written
    for value in values:
        rest = rest.replace(written[value.start : value.end], "")
    for value in values if not denies(rest) else ():
        lead = written[: value.start]
        if field is not None and len(lead) <= field.end():
            continue
        is_alone = sum(each.unit == value.unit for each in values) == 1
        name = _linked_name(lead) or (_fragment_name(lead) if is_alone else "")
        name = _ARTICLE.sub("", without_list_mark(name))
        if words := _words(name):
            yield make(name, words, value=value, said=_as_written(value, sentence))
    if len(values) == 1 and _DIGIT.search(rest) is None:
        yield make("", _words(rest), value=values[0], said=_as_written(values[0], sentence))


def _as_written(value: Value, text: str) -> str:
    """Return ``value`` as it stands in ``text``; "" where its even form has other places."""
    return text[value.start : value.end] if len(even(text)) == len(text) else ""


def _words(*texts: str) -> frozenset[str]:
    return frozenset(content_words(" ".join(texts)))


def _fragment_name(lead: str) -> str:
    """Return ``lead`` if it is a name alone: "wheel diameter" before "216 mm"."""
    name = without_list_mark(lead)
    words = name.split()
    is_name = 0 < len(words) <= _LONGEST_NAME and _NO_NAME.search(name) is None
    return name if is_name and words[-1].lower() not in _UNLINKED else ""


def _linked_name(lead: str) -> str:
    """Return the name that a verb or an "of" at the end of ``lead`` links to what follows; "" for
    none."""
    match = _LINK.search(lead[-_LONGEST_LINK:])
    if match is None:
        return ""
    name = lead[: max(0, len(lead) - _LONGEST_LINK) + match.start()].strip()
    return _NAME_START.split(name)[-1] if match.group().strip().lower() == "of" else name
