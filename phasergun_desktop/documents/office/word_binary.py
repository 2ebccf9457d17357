"""Opens a Word file of before 2007: the text of its parts, and what is said of its paragraphs.

Follows [MS-DOC] for Word 97-2003. Of Word 6 and 95 only the text is taken.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass, field

from phasergun_desktop.documents.container.compound import CompoundFile
from phasergun_desktop.documents.encodings import decode_text
from phasergun_desktop.documents.exponents import REACH, exponent
from phasergun_desktop.documents.office.word_runs import (
    NotAWordFile,
    Piece,
    PieceTable,
    RunTable,
    changes_of,
    character_runs,
    paragraph_runs,
    read_pieces,
)
from phasergun_desktop.documents.symbol_fonts import is_symbol_font, private_read, symbol

_MAGICS = (0xA5EC, 0xA5DC)
_WORD97 = 0x00C1
_ENCRYPTED, _SECOND_TABLE, _IN_PIECES = 0x0100, 0x0200, 0x0004
# Places in the list of (offset, length) pairs of the file's head.
_STYLES, _FOOTNOTES, _COMMENTS, _HEADERS = 1, 3, 5, 11
_FOOTNOTE_MARKS, _COMMENT_MARKS, _ENDNOTE_MARKS = 2, 4, 46
_CHARACTERS, _PARAGRAPHS, _FONTS, _PIECES, _ENDNOTES = 12, 13, 15, 33, 47
_LISTS, _LIST_USES = 73, 74
_AUTHORS = 36
_NOTE_BYTES, _COMMENT_BYTES, _COMMENT_AUTHOR = 2, 30, 20
# Property changes of characters.
_DELETED, _HIDDEN, _BOLD, _SYMBOL, _FONT = 0x0800, 0x083C, 0x0835, 0x6A09, 0x4A4F
_PLACE, _RAISED = 0x2A48, b"\x01"

_ON, _UNLIKE_STYLE = b"\x01", b"\x81"


@dataclass(frozen=True, slots=True)
class Part:
    """A stretch of the text, and where the notes, comments or margins in it begin.

    ``marks`` are the places in the text that refer to them.
    """

    start: int
    end: int
    starts: tuple[int, ...] = ()
    marks: tuple[int, ...] = ()


@dataclass(slots=True)
class WordBinary:
    """The content of a Word file. ``text`` has one character per position.

    What was deleted with changes tracked, and hidden text, is ``\\0``. ``codepage`` is that of
    the characters up to U+00FF in files before Word 97, else empty. ``authors`` are those of the
    comments in their order.
    """

    text: str
    main: Part
    footnotes: Part
    headers: Part
    comments: Part
    endnotes: Part
    boxes: Part
    codepage: str = ""
    paragraphs: RunTable = field(default_factory=lambda: RunTable(()))
    pieces: PieceTable | None = None
    styles: bytes = b""
    data: bytes = b""
    lists: bytes = b""
    list_levels: bytes = b""
    list_uses: bytes = b""
    bold: list[tuple[int, int]] = field(default_factory=list)
    authors: tuple[str, ...] = ()


def open_word_binary(file: CompoundFile) -> WordBinary:
    """Open a Word file.

    Raises NotAWordFile (a ValueError), OSError or struct.error where it cannot be read.
    """
    main = file.stream("WordDocument")
    if len(main) < 0x60:
        raise NotAWordFile
    magic, version = struct.unpack_from("<HH", main)
    (flags,) = struct.unpack_from("<H", main, 0x0A)
    if magic not in _MAGICS or flags & _ENCRYPTED:
        raise NotAWordFile
    if version < _WORD97:
        return _open_old(main, in_pieces=bool(flags & _IN_PIECES))
    table = file.stream("1Table" if flags & _SECOND_TABLE else "0Table")
    return _open(main, table, file.stream("Data"))


def _open(main: bytes, table: bytes, payload: bytes) -> WordBinary:
    (words,) = struct.unpack_from("<H", main, 0x20)
    longs_at = 0x22 + 2 * words
    (longs,) = struct.unpack_from("<H", main, longs_at)
    counts = struct.unpack_from("<8I", main, longs_at + 2 + 12)
    pairs_at = longs_at + 2 + 4 * longs
    (pair_count,) = struct.unpack_from("<H", main, pairs_at)

    def pair(index: int) -> tuple[int, int]:
        if index >= pair_count:
            return 0, 0
        offset, length = struct.unpack_from("<II", main, pairs_at + 2 + 8 * index)
        return offset, length

    def held(index: int) -> bytes:
        offset, length = pair(index)
        return table[offset : offset + length]

    pieces = read_pieces(held(_PIECES), eight_bit=False)
    text = pieces.text(main, "cp1252")
    parts = _parts(counts, len(text))
    opened = WordBinary(
        text,
        parts[0],
        _with_starts(parts[1], held(_FOOTNOTES), _marks(held(_FOOTNOTE_MARKS), _NOTE_BYTES)),
        _with_starts(parts[2], held(_HEADERS)),
        _with_starts(parts[4], held(_COMMENTS), _marks(held(_COMMENT_MARKS), _COMMENT_BYTES)),
        _with_starts(parts[5], held(_ENDNOTES), _marks(held(_ENDNOTE_MARKS), _NOTE_BYTES)),
        parts[6],
        paragraphs=paragraph_runs(main, held(_PARAGRAPHS)),
        pieces=pieces,
        styles=held(_STYLES),
        data=payload,
        lists=held(_LISTS),
        list_levels=table[sum(pair(_LISTS)) :] if held(_LISTS) else b"",
        list_uses=held(_LIST_USES),
        authors=_authors(held(_COMMENT_MARKS), held(_AUTHORS)),
    )
    _apply(opened, pieces, character_runs(main, held(_CHARACTERS)), _font_names(held(_FONTS)))
    return opened


def _parts(counts: tuple[int, ...], length: int) -> list[Part]:
    """Return text, footnotes, headers, macros, comments, endnotes, boxes, boxes of headers."""
    parts: list[Part] = []
    start = 0
    for count in counts:
        end = min(start + count, length)
        parts.append(Part(start, end))
        start = end
    return parts


def _marks(table: bytes, width: int) -> tuple[int, ...]:
    """Return the places in the text of a table that says ``width`` bytes of each."""
    count = max(0, (len(table) - 4) // (4 + width))
    return struct.unpack_from(f"<{count}I", table)


def _with_starts(part: Part, positions: bytes, marks: tuple[int, ...] = ()) -> Part:
    """Return ``part`` with the places where its texts begin, positions of the whole text."""
    count = len(positions) // 4
    found = struct.unpack_from(f"<{count}I", positions)
    # Empty texts count: headers are told from one another by their number.
    inside = sorted(part.start + place for place in found if place < part.end - part.start)
    return Part(part.start, part.end, tuple(inside), marks)


def _apply(opened: WordBinary, pieces: PieceTable, runs: RunTable, fonts: tuple[str, ...]) -> None:
    """Take out what is deleted or hidden, read symbols and exponents, and note what is bold."""
    characters = list(opened.text)
    for run in runs.runs:
        changes = dict(changes_of(run.changes))
        deleted, hidden = _is_on(changes.get(_DELETED)), _is_on(changes.get(_HIDDEN))
        is_bold = changes.get(_BOLD) in (_ON, _UNLIKE_STYLE)
        is_raised = changes.get(_PLACE) == _RAISED
        sign = changes.get(_SYMBOL, b"")
        font = _font(changes.get(_FONT, b""), fonts)
        is_text = not (deleted or hidden or len(sign) == 4 or is_symbol_font(font))
        if is_text and not is_bold and not is_raised:
            continue
        for start, end in pieces.positions(run.start, run.end):
            if deleted or hidden:
                # Cells stay; with a deleted mark its paragraph goes on in the next one.
                kept = "\x07\x0c" if deleted else "\x07\x0c\r"
                gone = (each if each in kept else "\0" for each in characters[start:end])
                characters[start:end] = list(gone)
            elif len(sign) == 4:
                shown = symbol(struct.unpack_from("<H", sign, 2)[0], _font(sign[:2], fonts))
                characters[start:end] = (shown or "\0").ljust(end - start, "\0")
            elif is_symbol_font(font):
                characters[start:end] = private_read("".join(characters[start:end]), font)
            elif is_raised:
                before = "".join(characters[max(0, start - REACH) : start])
                characters[start:end] = exponent("".join(characters[start:end]), before)
            if is_bold:
                opened.bold.append((start, end))
    opened.text = private_read("".join(characters), "")
    opened.bold.sort()


def _is_on(operand: bytes | None) -> bool:
    # Where a style hides its text, what is unlike the style is shown.
    return operand == _ON


def _font(operand: bytes, fonts: tuple[str, ...]) -> str:
    if len(operand) != 2:
        return ""
    (number,) = struct.unpack("<H", operand)
    return fonts[number] if number < len(fonts) else ""


def _font_names(table: bytes) -> tuple[str, ...]:
    """Return the names of the fonts by their number."""
    names: list[str] = []
    place = 4
    while place + 40 < len(table):
        length = table[place]
        name = table[place + 40 : place + 1 + length]
        even = name[: len(name) // 2 * 2]
        names.append(even.decode("utf-16-le", "replace").partition("\0")[0])
        place += 1 + length
    return tuple(names)


def _authors(marks: bytes, listed: bytes) -> tuple[str, ...]:
    """Return the author of each comment, empty where it has none."""
    names: list[str] = []
    place = 0
    while place + 2 <= len(listed):
        (length,) = struct.unpack_from("<H", listed, place)
        name = listed[place + 2 : place + 2 + 2 * length].decode("utf-16-le", "replace")
        names.append(" ".join(name.split()))
        place += 2 + 2 * length
    count = len(_marks(marks, _COMMENT_BYTES))
    first = 4 * (count + 1) + _COMMENT_AUTHOR
    numbers = (
        struct.unpack_from("<H", marks, first + _COMMENT_BYTES * index)[0] for index in range(count)
    )
    return tuple(names[number] if number < len(names) else "" for number in numbers)


def _open_old(main: bytes, *, in_pieces: bool) -> WordBinary:
    first, last = struct.unpack_from("<II", main, 0x18)
    counts = struct.unpack_from("<8I", main, 0x34)
    pieces = PieceTable([Piece(0, min(last, len(main)) - first, first, 1)])
    if in_pieces:
        offset, length = struct.unpack_from("<II", main, 0x160)
        pieces = read_pieces(main[offset : offset + length], eight_bit=True)
    text = pieces.text(main, "latin-1")
    # Of its language a file says nothing that is true: many were written by an English program.
    letters = "".join(character for character in text if character >= " ")
    found = decode_text(letters.encode("latin-1")).encoding
    codepage = "cp1252" if found.startswith(("utf", "ascii")) else found
    parts = _parts(counts, len(text))
    return WordBinary(
        text, parts[0], parts[1], parts[2], parts[4], parts[5], parts[6], codepage=codepage
    )
