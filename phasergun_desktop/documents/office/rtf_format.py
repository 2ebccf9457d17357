"""Reads RTF files (often named .doc): paragraphs, headings, lists, tables, notes, margins."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from xml.etree.ElementTree import Element, SubElement

from phasergun_desktop.documents.builder import DocumentBuilder, folded_lines
from phasergun_desktop.documents.exponents import raised
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.office.word_codepages import BY_CHARSET, BY_RTF_WORD, codec_of
from phasergun_desktop.documents.office.word_xml import RowShape, WordXml, stated
from phasergun_desktop.documents.word.numbering import LEVELS
from phasergun_desktop.documents.word.word_format import read_word
from phasergun_desktop.documents.word.word_names import PARAGRAPH_PROPERTIES, W

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})? ?|\\'(?P<hex>[0-9a-fA-F]{2})"
    rb"|\\(?P<sign>[^a-zA-Z'])|(?P<brace>[{}])|[\r\n\0]+|(?P<text>[^\\{}\r\n\0]+)|\\",
    re.DOTALL,
)
_MAX_DEPTH = 5_000
# Groups whose content is not the document's text.
# fmt: off
_SKIPPED = frozenset(
    {
        "colortbl", "pict", "objdata", "fldinst", "nonshppict", "themedata",
        "colorschememapping", "datastore", "latentstyles", "listtable", "listoverridetable",
        "rsidtbl", "generator", "xmlnstbl", "bkmkstart", "bkmkend",
        "pnseclvl", "sp", "mmathPr", "revtbl", "filetbl", "private", "xe", "tc", "comment",
        "objclass", "objname", "doccomm", "operator", "company", "category", "manager",
        "keywords", "subject", "hlinkbase", "atnid", "atnauthor", "atndate", "atnref",
        "atntime", "atnicn", "ftnsep", "ftnsepc", "ftncn", "aftnsep", "aftnsepc", "aftncn",
        "userprops", "wgrffmtfilter",
    }
)
# fmt: on
# Groups marked as ignorable by readers that do not know them, and known here.
_KNOWN_STARRED = frozenset(
    {"shpinst", "annotation", "shptxt", "shppict", "fldrslt", "footnote", "pntext"}
)
_MARGINS = frozenset(
    f"{kind}{pages}" for kind in ("header", "footer") for pages in ("", "l", "r", "f")
)
_LABELS = frozenset({"listtext", "pntext"})
_NOTES = {"footnote": "footnote", "annotation": "comment"}
_SIGNS = {
    "tab": " ",
    "line": "\n",
    "emdash": "—",
    "endash": "–",
    "bullet": "•",
    "lquote": "‘",
    "rquote": "’",
    "ldblquote": "“",
    "rdblquote": "”",
    "emspace": " ",
    "enspace": " ",
    "qmspace": " ",
}
_BREAKS = frozenset({"par", "sect", "page"})


@dataclass(slots=True)
class _State:
    """What holds inside of a group and goes back to what it was at its end."""

    skipped: bool = False
    hidden: bool = False
    bold: bool = False
    raised: bool = False
    codepage: str = ""
    fallback: int = 1
    destination: str = ""
    depth: int = 0
    style: int = 0
    outline: int | None = None
    listed: bool = False
    list_depth: int = 0


def read_rtf(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of an RTF file; return its properties. Raises ValueError."""
    if not data.lstrip().startswith(b"{\\rtf"):
        raise ValueError("not RTF")
    reader = _RtfReader()
    reader.read(data)
    read_word(reader.xml.document, builder)
    return FileProperties(title=reader.names["title"], author=reader.names["author"])


def _tokens(data: bytes) -> Iterator[re.Match[bytes]]:
    """Yield the tokens of a file; what a ``\\bin`` announces is skipped."""
    place = 0
    while (found := _TOKEN.match(data, place)) is not None:
        place = found.end()
        if found["word"] == b"bin" and found["number"]:
            place += max(0, int(found["number"]))
        else:
            yield found


class _RtfReader:
    """Walks the tokens of one file and writes Word XML; ``names`` are its title and author."""

    def __init__(self) -> None:
        self.xml = WordXml()
        self.names = {"title": "", "author": ""}
        self._state = _State()
        self._stack: list[_State] = []
        self._codepage = "cp1252"
        self._fonts: dict[int, str] = {}
        self._font = 0
        self._styles = Element(f"{W}styles")
        # The numbers of items stand in the text: as lists all are one with bullets.
        numbering = Element(f"{W}numbering")
        self.xml.document.parts.update(styles=[self._styles], numbering=[numbering])
        bullets = SubElement(numbering, f"{W}abstractNum", {f"{W}abstractNumId": "1"})
        for depth in range(LEVELS):
            level = SubElement(bullets, f"{W}lvl", {f"{W}ilvl": str(depth)})
            stated(level, "numFmt", "bullet")
        stated(SubElement(numbering, f"{W}num", {f"{W}numId": "1"}), "abstractNumId", 1)
        # What has been read of the paragraph, of each note or margin, of each name.
        self._texts: dict[str, list[str]] = {"": []}
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = self._opens = False
        self._row = RowShape()
        self._is_bold = True
        self._references: list[tuple[str, str]] = []

    def read(self, data: bytes) -> None:
        """Write the whole file."""
        for found in _tokens(data):
            if found["word"] is not None:
                number = found["number"]
                self._on_word(found["word"].decode("ascii"), int(number) if number else None)
            elif found["hex"] is not None:
                self._add_bytes(bytes([int(found["hex"], 16)]))
            elif found["brace"] is not None:
                self._flush()
                if found["brace"] == b"{":
                    self._open_group()
                else:
                    self._close_group()
            elif found["sign"] is not None:
                self._on_sign(found["sign"])
            elif found["text"] is not None:
                self._add_bytes(found["text"])
        self._end_paragraph(self._state.depth)
        self.xml.go_to(0)

    def _open_group(self) -> None:
        if len(self._stack) >= _MAX_DEPTH:
            raise ValueError("nested too deeply")
        self._stack.append(replace(self._state))
        self._opens, self._starred = True, False

    def _close_group(self) -> None:
        ended = self._state
        if self._stack:
            self._state = self._stack.pop()
        self._opens = self._starred = False
        if ended.destination != self._state.destination:
            text = _tidy("".join(self._texts.pop(ended.destination, [])))
            self._end_destination(ended.destination, text)

    def _end_destination(self, name: str, text: str) -> None:
        if name in _NOTES:
            self._references.append(self.xml.add_note(_NOTES[name], text))
        elif name in _MARGINS:
            self.xml.add_margin(text)
        elif name in _LABELS and any(map(str.isalnum, text)):
            # A bullet says nothing; a number does.
            self._texts[""].append(f"{text} ")
        elif name in self.names:
            self.names[name] = text

    def _on_sign(self, sign: bytes) -> None:
        if sign == b"*":
            self._starred = True
        elif sign in (b"\r", b"\n"):
            self._end_line("par")
        elif sign in b"\\{}":
            self._add_bytes(sign)
        elif sign in (b"~", b"_"):
            self._add_text(" " if sign == b"~" else "-")

    def _on_word(self, word: str, number: int | None) -> None:
        self._flush()
        opens, starred = self._opens, self._starred
        self._opens = self._starred = False
        if opens and self._begins_destination(word, starred=starred):
            return
        handler = _HANDLERS.get(word)
        if word == "u" and number is not None:
            self._add_text(chr(number & 0xFFFF))
            self._to_skip = self._state.fallback
        elif word in _SIGNS:
            self._add_text(_SIGNS[word])
        elif word in _BREAKS or word in ("cell", "row", "nestcell", "nestrow"):
            self._end_line(word)
        elif handler is not None and not self._state.skipped:
            handler(self, number)
        elif word in BY_RTF_WORD:
            self._codepage = BY_RTF_WORD[word]

    def _begins_destination(self, word: str, *, starred: bool) -> bool:
        state = self._state
        if word in _SKIPPED or (starred and word not in _KNOWN_STARRED):
            state.skipped = True
        elif word in ("fonttbl", "stylesheet", "info"):
            state.destination = word
            self._texts[word] = []
        elif word in _NOTES or word in _MARGINS:
            if state.destination not in ("", word):
                return False
            state.destination = word
            state.depth = 0
            self._texts[word] = []
        elif (word in _LABELS and not state.destination) or (
            word in ("title", "author") and state.destination == "info"
        ):
            state.destination = word
            self._texts[word] = []
        else:
            return False
        return True

    # ------------------------------------------------------------ text

    def _add_bytes(self, data: bytes) -> None:
        if self._to_skip:
            skipped = min(self._to_skip, len(data))
            self._to_skip -= skipped
            data = data[skipped:]
        self._bytes.extend(data)
        self._opens = False

    def _flush(self) -> None:
        """Decode the bytes that stand together: a character may be made of two."""
        if self._bytes:
            codepage = self._state.codepage or self._codepage
            data = bytes(self._bytes)
            self._bytes.clear()
            self._add_text(data.decode(codepage, "replace"))

    def _add_text(self, text: str) -> None:
        self._flush()
        state = self._state
        if state.skipped or state.hidden:
            return
        if state.destination in ("fonttbl", "stylesheet"):
            if state.destination == "stylesheet" and len(self._styles):
                stated(self._styles[-1], "name", text.strip().rstrip(";"))
            return
        self._texts.setdefault(state.destination, []).append(raised(text) if state.raised else text)
        if not state.bold and text.strip() and not state.destination:
            self._is_bold = False

    # ------------------------------------------------------------ paragraphs and tables

    def _end_line(self, word: str) -> None:
        self._flush()
        if self._state.skipped:
            return
        if self._state.destination:
            self._texts.setdefault(self._state.destination, []).append("\n")
            return
        if word in ("row", "nestrow"):
            if self.xml.in_row:
                self.xml.end_row(self._row_shape() if word == "row" else RowShape())
            self._texts[""].clear()
            return
        is_cell = word in ("cell", "nestcell")
        self._end_paragraph(max(1, self._state.depth) if is_cell else self._state.depth)
        if is_cell:
            self.xml.end_cell()

    def _end_paragraph(self, depth: int = 0) -> None:
        self._flush()
        text, state = "".join(self._texts[""]), self._state
        self._texts[""].clear()
        properties = Element(PARAGRAPH_PROPERTIES)
        stated(properties, "pStyle", state.style)
        if state.outline is not None:
            stated(properties, "outlineLvl", state.outline)
        if state.listed:
            numbering = SubElement(properties, f"{W}numPr")
            stated(numbering, "ilvl", state.list_depth)
            stated(numbering, "numId", 1)
        self.xml.go_to(depth)
        self.xml.add_paragraph(
            _tidy(text), properties, bold=self._is_bold, references=self._references
        )
        self._references = []
        self._is_bold = True

    def _row_shape(self) -> RowShape:
        # The left edge of the first cell is not stated; any place left of all others will do.
        row = self._row
        return replace(row, edges=[min([0, *row.edges]) - 1_000, *row.edges])

    # ------------------------------------------------------------ control words

    def _on_font(self, number: int | None) -> None:
        self._font = number or 0
        if self._state.destination != "fonttbl":
            self._state.codepage = self._fonts.get(self._font, "")

    def _on_charset(self, number: int | None) -> None:
        if self._state.destination == "fonttbl" and number in BY_CHARSET:
            self._fonts[self._font] = BY_CHARSET[number]

    def _on_codepage(self, number: int | None) -> None:
        self._codepage = codec_of(number) or self._codepage

    def _on_style(self, number: int | None) -> None:
        if self._state.destination == "stylesheet":
            SubElement(self._styles, f"{W}style", {f"{W}styleId": str(number or 0)})
        else:
            self._state.style = number or 0

    def _on_outline(self, number: int | None) -> None:
        if self._state.destination != "stylesheet":
            self._state.outline = number
        elif len(self._styles):
            properties = SubElement(self._styles[-1], PARAGRAPH_PROPERTIES)
            stated(properties, "outlineLvl", number)

    def _on_pard(self, _: int | None) -> None:
        state = self._state
        state.depth = state.style = state.list_depth = 0
        state.outline, state.listed = None, False

    def _on_plain(self, _: int | None) -> None:
        self._state.bold = self._state.hidden = self._state.raised = False

    def _on_cell_edge(self, number: int | None) -> None:
        row = self._row
        row.edges.append(number or 0)
        for merged in (row.goes_on, row.is_joined):
            merged.extend([False] * (len(row.edges) - len(merged)))

    def _set(self, name: str, value: object) -> None:
        setattr(self._state, name, value)


def _tidy(text: str) -> str:
    if not text.isascii():
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return folded_lines(text)


_HANDLERS: Mapping[str, Callable[[_RtfReader, int | None], None]] = {
    "f": _RtfReader._on_font,
    "fcharset": _RtfReader._on_charset,
    "ansicpg": _RtfReader._on_codepage,
    "s": _RtfReader._on_style,
    "outlinelevel": _RtfReader._on_outline,
    "pard": _RtfReader._on_pard,
    "plain": _RtfReader._on_plain,
    "trowd": lambda self, _: setattr(self, "_row", RowShape()),
    "cellx": _RtfReader._on_cell_edge,
    "intbl": lambda self, _: self._set("depth", max(1, self._state.depth)),
    "itap": lambda self, number: self._set("depth", min(number or 0, 20)),
    "uc": lambda self, number: self._set("fallback", min(max(0, number or 0), 10)),
    "b": lambda self, number: self._set("bold", number != 0),
    "super": lambda self, number: self._set("raised", number != 0),
    "sub": lambda self, _: self._set("raised", False),
    "nosupersub": lambda self, _: self._set("raised", False),
    "up": lambda self, number: self._set("raised", number != 0),
    "v": lambda self, number: self._set("hidden", number != 0),
    "deleted": lambda self, number: self._set("hidden", number != 0),
    "ls": lambda self, number: self._set("listed", bool(number)),
    "ilvl": lambda self, number: self._set("list_depth", min(max(0, number or 0), LEVELS - 1)),
    "trhdr": lambda self, _: setattr(self._row, "is_header", True),
    "clvmrg": lambda self, _: self._row.goes_on.append(True),
    "clmrg": lambda self, _: self._row.is_joined.append(True),
}
