"""Reads plain text: paragraphs between empty lines, and the headings that stand over them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decoded_lines
from phasergun_desktop.documents.headings import heading_depth, is_list_item
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.aligned_columns import AlignedTable, Line, parts
from phasergun_desktop.documents.table_blocks import TableRow, add_table
from phasergun_desktop.text.lexicon import in_all_languages

# A file without empty lines would be one block; cut there, so that a locator stays useful.
MAX_PARAGRAPH_LINES = 60
# A heading without a number has so many characters and words at most, and this share of the width
# of the text below it: a line that was wrapped is nearly as wide as the others.
_HEADING_CHARACTERS, _HEADING_WORDS, _HEADING_WIDTH = 70, 12, 0.6
# It stands under the numbered heading above it, unless it opens an annex.
_UNNUMBERED_LEVEL = 6
_ANNEX = re.compile(r"(?:annex|appendix|addendum|attachment|part)\b", re.IGNORECASE)
_RULE = re.compile(r"([=~_*-])\1{2,}")
# Lines that begin with numbers of one series are entries: "AI-31 …", "AI-32 …".
_ENTRY = re.compile(
    r"(?P<series>[A-Z]{1,6}(?:-[A-Z]{1,6})*)(?:-\d{1,6}[a-z]?[:.)]?|\d{1,6}[a-z]?[:.)])\s"
)
# What follows such a line, "-----Original message-----" too, or the head of a mail stands under
# none of the headings above.
_RULED_OFF = re.compile(r"([=_*-])\1{2,}+(?:.*\1{3})?")
_MAIL_FIELD = re.compile(r"[>\s]*(?P<name>[^\W\d_]{2,10}):\s(?!\s*\d+ )")
_SENDERS = in_all_languages("mails", "senders")
_MAIL_FIELDS = _SENDERS | in_all_languages("mails", "other_fields")
_BEGINNING = re.compile(r"[\"“„«'(]?[A-ZÀ-ÞĀ-Ž\d]")
_SENTENCE_END = re.compile(r"[^\W\d_]{2}[.!?][\"”»')\]]*(?:\s|$)|[\d%)][.!?](?:\s+[A-Z]|$)")


def read_text(data: bytes, builder: DocumentBuilder) -> None:
    """Append the blocks of a text file to ``builder``.

    Lines end with LF, CR or both, as editors count them. A form feed parts paragraphs but not
    lines: what follows it stands in the same line.
    """
    _add_lines(_numbered_lines(decoded_lines(data, builder)), builder)


def _numbered_lines(text: str) -> list[Line]:
    """Return the lines of ``text`` with their numbers, cut at form feeds by an empty one."""
    found: list[Line] = []
    for number, line in enumerate(text.split("\n"), start=1):
        first, *others = line.split("\f")
        found.append((number, first))
        for other in others:
            found.extend(((number, ""), (number, other)))
    return found


def _add_lines(lines: list[Line], builder: DocumentBuilder) -> None:
    pending: list[Line] = []
    is_cut = False
    for index, (number, line) in enumerate([*lines, (0, "")]):
        if not line.strip():
            _flush(pending, builder, begins=not is_cut)
            pending, is_cut = [], False
            continue
        if not pending and _begins_anew(lines, index):
            builder.leave_headings()
        depth = 0 if pending else heading_depth(line.strip())
        if depth and not _is_numbered(_following(lines, index)):
            builder.add(BlockKind.HEADING, line, LineLocator(number), level=depth)
            continue
        if len(pending) >= MAX_PARAGRAPH_LINES:
            _flush(pending, builder, begins=not is_cut)
            pending, is_cut = [], True
        pending.append((number, line))


def _begins_anew(lines: list[Line], index: int) -> bool:
    """Whether the line at ``index`` begins a mail, or is a rule that parts two texts: no edge of a
    table below its title, and no section going on below it."""
    line, below = lines[index][1].strip(), _following(lines, index)
    if _RULED_OFF.fullmatch(line):
        is_apart = not index or not lines[index - 1][1].strip()
        return is_apart and not heading_depth(below or _following(lines, index + 1))
    first, second = map(_mail_field, (line, below))
    return first in _SENDERS and second in _MAIL_FIELDS


def _mail_field(line: str) -> str:
    match = _MAIL_FIELD.match(f"{line} ")
    return match["name"].lower() if match else ""


def _following(lines: list[Line], index: int) -> str:
    return lines[index + 1][1].strip() if index + 1 < len(lines) else ""


def _is_numbered(line: str) -> bool:
    return is_list_item(line) or bool(heading_depth(line))


def _flush(pending: list[Line], builder: DocumentBuilder, *, begins: bool) -> None:
    """Append the lines of a paragraph; its first may be a heading where it ``begins`` with them."""
    found = list(parts(pending))
    if begins and found and isinstance(found[0], list):
        found[0] = _without_heading(found[0], builder, before_table=len(found) > 1)
    for part in found:
        if isinstance(part, AlignedTable):
            rows = [TableRow(cells, LineLocator(number)) for number, cells in part.rows]
            add_table(builder, rows, group=("columns", part.rows[0][0]), may_head=part.may_head)
        elif part:
            _add_text(part, builder)


def _without_heading(
    lines: list[Line], builder: DocumentBuilder, *, before_table: bool
) -> list[Line]:
    """Append the first of ``lines`` where it is a heading; return the others, without the rule
    that underlines it."""
    (number, line), *others = lines
    title, below = line.strip(), [other.strip() for _, other in others]
    if not _is_short_title(title) or not _heads(title, below, before_table=before_table):
        return lines
    level = 1 if _ANNEX.match(title) else _UNNUMBERED_LEVEL
    builder.add(BlockKind.HEADING, title, LineLocator(number), level=level)
    return others[1:] if below and _RULE.fullmatch(below[0]) else others


def _is_short_title(line: str) -> bool:
    """Whether ``line`` may be a title: no sentence and no field of a form."""
    return (
        line[0].isupper()
        and (line[-1].isalnum() or line[-1] in ')"”')
        and ":" not in line
        and len(line) <= _HEADING_CHARACTERS
        and len(line.split()) <= _HEADING_WORDS
    )


def _heads(title: str, below: Sequence[str], *, before_table: bool) -> bool:
    """Whether ``title`` stands over the table, the list or the sentences ``below``, and was not
    wrapped there."""
    if not below:
        return before_table
    if _RULE.fullmatch(below[0]):
        return _is_in_capitals(title) or len(below[0]) <= 2 * len(title)
    if len(title) > _HEADING_WIDTH * max(map(len, below)):
        return False
    if is_list_item(below[0]):
        return True
    begins = _is_in_capitals(title) or _BEGINNING.match(below[0]) is not None
    return begins and any(map(_SENTENCE_END.search, below))


def _is_in_capitals(title: str) -> bool:
    """Whether ``title`` is in capitals; a remark after it need not be."""
    return re.split("[(,]", title)[0].isupper()


def _add_text(lines: list[Line], builder: DocumentBuilder) -> None:
    entries = _entries(lines)
    starts = [
        at
        for at, (_, line) in enumerate(lines)
        if not at or at in entries or is_list_item(line.strip())
    ]
    for start, end in pairwise([*starts, len(lines)]):
        text = "\n".join(line.strip() for _, line in lines[start:end])
        item = start in entries or is_list_item(text)
        kind = BlockKind.LIST_ITEM if item else BlockKind.PARAGRAPH
        builder.add(kind, text, LineLocator(lines[start][0]), group="list" if item else None)


def _entries(lines: list[Line]) -> frozenset[int]:
    """Return which of ``lines`` begin with a number of a series that begins another one, too."""
    found = {
        at: match for at, (_, line) in enumerate(lines) if (match := _ENTRY.match(line.strip()))
    }
    series = Counter(match["series"] for match in found.values())
    return frozenset(at for at, match in found.items() if series[match["series"]] > 1)
