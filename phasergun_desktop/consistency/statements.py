"""What a document states: this attribute of this thing has this value, with its exact place."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from phasergun_desktop.consistency.same_quantity import Quantity, quantities
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.sentences import sentence_spans, without_list_mark
from phasergun_desktop.text.words import content_words, stem_set


@dataclass(frozen=True, slots=True)
class Statement:
    """One quantity said of one attribute.

    ``name`` is the attribute as written, ``head`` its own words, ``words`` those with what it is
    of ("shelf life" of "test strip"), ``around`` every word of its sentence or row and of the
    headings above. ``start``..``end`` is the sentence, list item or row in the document's text.
    ``is_named``: a field or a cell under its name. ``is_dropped``: the text says that this value
    was given up. ``is_record``: a field of the master record.
    """

    name: str
    head: frozenset[str]
    words: frozenset[str]
    around: frozenset[str]
    quantity: Quantity
    block: Block
    start: int
    end: int
    is_named: bool = False
    is_dropped: bool = False
    is_record: bool = False


_MOST_CELL_WORDS = 14
_MOST_NUMERIC_CELLS = 2
_MOST_NAME_WORDS = 9
# A longer one is no prose, and reading it would take the time of a whole document.
_LONGEST_SENTENCE = 2000
# The longest link is "has been increased from … to".
_LONGEST_LINK = 80
_CLAUSE = re.compile(
    r"[;:(—]\s|,\s|\s(?:that|which|because|where|when|if|while|but|since|so|whether|and then)\s"
)
# What links a name to its value, directly before the value and its bounding words.
_LINK = re.compile(
    r"\s(?:(?:is|are|was|were|be|been|remains?|stays?|equals?|reads|will be|shall be|must be)"
    r"(?:\s(?:now|still|also|set|fixed|specified|stated|given|declared|defined|kept|limited|"
    r"always|therefore))*(?:\s(?:at|to|as|from))?"
    r"|(?:is|are|was|were|has been|have been|will be)\s(?:now\s)?(?:changed|reduced|increased|"
    r"extended|shortened|raised|lowered|corrected|revised)(?:\sfrom\s[^,;]{1,24})?\sto"
    r"|of|from|takes|lasts|weighs|stays at|set to|\()\s*$",
    re.IGNORECASE,
)
# Directly before these stands the name alone, after its article: "with a sample volume of 1 µL".
_AFTER_NAME = frozenset({"of", "from", "("})
_NAME_START = re.compile(
    r"(?<!\bof )(?<!\bfor )\b(?:the|a|an|its|their|this|our)\s+", re.IGNORECASE
)
# A verb that is the attribute: "weighs 3 kg" is a weight of 3 kg.
_VERB_NAMES = {"takes": "time", "lasts": "time", "weighs": "weight"}
_FIELD = re.compile(r"^\s*(?:\d+(?:\.\d+)*\.?\s+)?(?P<name>[^\W\d_][^:|.;\n]{1,79}?)\s*:\s+")
_QUALIFIER = re.compile(
    r"\s(?:in|of|for|on|at|from|across|over|by|with|under|during|per|after|before|between|to|"
    r"against|through)\s",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:the|a|an|its|their|this|our|each|every)\s+", re.IGNORECASE)
_DROPPED = re.compile(
    r"\b(?:was|were|has been|have been|is|are)\s+(?:then\s+)?(?:dropped|rejected|withdrawn|"
    r"abandoned|replaced|superseded|discarded|not accepted|not adopted)\b|\bno longer\b|"
    r"\b(?:instead of|rather than|changed from|reduced from|raised from|increased from)\b",
    re.IGNORECASE,
)
# "The earlier proposal of …": its attribute is that of the statement before it.
_STANDS_FOR = stem_set(listed("consistency", "stands_for"))
# A data table is not a list of statements.
_DIGIT = re.compile(r"\d")


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
        if block.kind is BlockKind.TABLE_ROW and block.cells:
            found.extend(_of_row(document, block))
        else:
            found.extend(_of_text(document, block))
    return found


def _of_text(document: ParsedDocument, block: Block) -> Iterator[Statement]:
    text = document.block_text(block)
    before: Statement | None = None
    for start, end in _sentences(text):
        if end - start > _LONGEST_SENTENCE:
            continue
        sentence = text[start:end]
        around = _around(block, sentence)
        is_dropped = _DROPPED.search(sentence) is not None
        for quantity in quantities(sentence):
            made = _of_sentence(sentence, quantity, around, block, is_dropped=is_dropped)
            if made is None or not made.head - _STANDS_FOR:
                made = _dropped(quantity, around, before) if is_dropped else None
            if made is None:
                continue
            made = replace(made, start=block.start + start, end=block.start + end)
            before = made if not made.is_dropped else before
            yield made


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield sentences; a line of its own that is a field is one too."""
    lines = text.splitlines(keepends=True)
    if len(lines) > 1 and all(_FIELD.match(line) for line in lines if line.strip()):
        start = 0
        for line in lines:
            if line.strip():
                yield start, start + len(line.rstrip())
            start += len(line)
        return
    yield from sentence_spans(text)


def _of_sentence(
    sentence: str, quantity: Quantity, around: frozenset[str], block: Block, *, is_dropped: bool
) -> Statement | None:
    field = _FIELD.match(sentence)
    lead = sentence[: quantity.lead]
    if field is not None and quantity.start >= field.end() and not lead[field.end() :].strip():
        name = field["name"]
        if len(name.split()) > _MOST_NAME_WORDS:
            return None
        return _made(name, "", quantity, around, block, is_named=True)
    link = _LINK.search(lead[-_LONGEST_LINK:])
    if link is None:
        return None
    before = lead[: max(0, len(lead) - _LONGEST_LINK) + link.start()]
    subject = _subject(before, link.group().strip().lower())
    made = _made(subject, "", quantity, around, block)
    return replace(made, is_dropped=is_dropped) if made is not None else None


def _subject(before: str, link: str) -> str:
    """Return the name that stands before ``link``, with what the verb adds to it."""
    cut = 0
    for boundary in _CLAUSE.finditer(before):
        cut = boundary.end()
    subject = before[cut:].strip()
    if link in _AFTER_NAME:
        starts = [match.end() for match in _NAME_START.finditer(subject)]
        subject = subject[starts[-1] :] if starts else subject
    return f"{subject} {_VERB_NAMES.get(link, '')}".strip()


def _dropped(
    quantity: Quantity, around: frozenset[str], before: Statement | None
) -> Statement | None:
    """Return the value that the text takes back, of the attribute that it has just stated."""
    if before is None:
        return None
    if before.quantity.unit != quantity.unit or before.quantity.form is not quantity.form:
        return None
    if before.quantity.keys == quantity.keys:
        return None
    return replace(before, quantity=quantity, around=around | before.around, is_dropped=True)


def _of_row(document: ParsedDocument, block: Block) -> Iterator[Statement]:
    cells = [(header.strip(), cell.strip()) for header, cell in block.cells]
    text = document.block_text(block)
    around = _around(block, text)
    if sum(bool(re.match(r"[-−+<>≤≥±]?\d", cell)) for _, cell in cells[1:]) > _MOST_NUMERIC_CELLS:
        return
    label = cells[0][1]
    if not label or len(label.split()) > _MOST_NAME_WORDS:
        return
    for header, cell in cells[1:]:
        if not _DIGIT.search(cell) or len(cell.split()) > 3 * _MOST_CELL_WORDS:
            continue
        for part in re.split(r"[,;]\s", cell):
            for quantity in quantities(part):
                name, of = (label, "") if len(cells) == 2 else (header, label)
                ahead = part[: quantity.lead].strip()
                if ahead:
                    name, of = ahead, label
                    if len(ahead.split()) > 4 or _LINK.search(f" {ahead} "):
                        continue
                elif part is not cell and not cell.startswith(part):
                    # What follows a comma without a name of its own narrows what stands before.
                    continue
                made = _made(name, of, quantity, around, block, is_named=not ahead)
                if made is not None:
                    yield replace(made, start=block.start, end=block.end)


def _made(
    subject: str,
    of: str,
    quantity: Quantity,
    around: frozenset[str],
    block: Block,
    *,
    is_named: bool = False,
) -> Statement | None:
    name = _ARTICLE.sub("", without_list_mark(subject))
    if not name or len(name.split()) > 2 * _MOST_NAME_WORDS:
        return None
    parted = _QUALIFIER.split(f"{name} ", maxsplit=1)
    head = frozenset(content_words(parted[0]))
    words = frozenset(content_words(f"{name} {of}"))
    if not head:
        return None
    return Statement(name, head, words, around, quantity, block, 0, 0, is_named)


def _around(block: Block, text: str) -> frozenset[str]:
    return frozenset(content_words(" ".join((text, *block.heading_path))))
