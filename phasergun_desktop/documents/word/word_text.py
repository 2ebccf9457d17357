"""Reads the text of Word paragraphs in the accepted view of their changes.

Kept: insertions, results of fields, text of content controls, base text of ruby, formulas in one
line. Left out: deletions, hidden text, field instructions, phonetic guides, numbers of notes.
A paragraph is walked without recursion, however deep its elements are nested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import folded_lines
from phasergun_desktop.documents.container.xml_parts import DGM, MC, A, C, M, R, chosen_branch
from phasergun_desktop.documents.exponents import raised, with_exponents
from phasergun_desktop.documents.symbol_fonts import (
    in_symbol_font,
    is_symbol_font,
    private_read,
    symbol,
)
from phasergun_desktop.documents.word.styles import Styles
from phasergun_desktop.documents.word.word_names import (
    ALT_CHUNK,
    CELL,
    PARAGRAPH,
    PARAGRAPH_PROPERTIES,
    ROW,
    RUN,
    RUN_PROPERTIES,
    TABLE,
    W,
    is_on,
    number,
    value,
)

_SOFT_HYPHEN = "\u00ad"


_FIXED = {
    f"{W}tab": " ",
    f"{W}ptab": " ",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
}
_REFERENCES = {
    f"{W}footnoteReference": "footnote",
    f"{W}endnoteReference": "endnote",
    f"{W}commentReference": "comment",
    f"{W}commentRangeStart": "comment",
}
_PARTS = {f"{C}chart": f"{R}id", f"{DGM}relIds": f"{R}dm"}
# fmt: off
_LEFT_OUT = (
    "del", "moveFrom", "instrText", "delText", "delInstrText", "fldData", "pPr", "rPr", "sdtPr",
    "sdtEndPr", "rt", "rubyPr", "smartTagPr", "customXmlPr", "bookmarkStart", "bookmarkEnd",
    "proofErr", "lastRenderedPageBreak", "commentRangeEnd", "softHyphen", "permStart", "permEnd",
    "footnoteRef", "endnoteRef", "annotationRef",
)
# fmt: on
_BEFORE = {f"{M}num": "", f"{M}den": "/", f"{M}sup": "^", f"{M}sub": "_"}
_FORMULA_TAGS = frozenset({*_BEFORE, f"{M}rad", f"{M}d", f"{M}nary", f"{M}fName", f"{M}mr"})
_CONTENT = frozenset({f"{W}t", f"{M}t", f"{A}t", f"{W}p", f"{W}sym", *_PARTS, *_FIXED})
_DELETED, _MOVED_AWAY = f"{W}del", f"{W}moveFrom"
_HIDDEN, _BOLD, _STYLE, _FONTS = f"{W}vanish", f"{W}b", f"{W}rStyle", f"{W}rFonts"
_FONT, _PLACE = f"{W}ascii", f"{W}vertAlign"


@dataclass(slots=True)
class ParagraphText:
    """What a paragraph holds.

    ``raw`` is its text with white space as stored; ``boxes`` the contents of text boxes that are
    anchored in it, ``parts`` the relationship ids of charts and diagrams, ``references`` the notes
    it refers to as (kind, id). ``is_bold`` says that all of its text is; ``goes_on`` that its end
    is deleted, so that the next paragraph continues it.
    """

    raw: str = ""
    boxes: list[Element] = field(default_factory=list)
    parts: list[str] = field(default_factory=list)
    references: list[tuple[str, str]] = field(default_factory=list)
    is_bold: bool = False
    goes_on: bool = False

    @property
    def text(self) -> str:
        """The text, white space folded, line breaks kept."""
        return folded_lines(self.raw)

    @property
    def has_more(self) -> bool:
        """Whether anything is anchored in the paragraph."""
        return bool(self.boxes or self.parts or self.references)


@dataclass(slots=True)
class _Field:
    """A field that has begun: where its text starts in the pieces, and its form, if it has one."""

    start: int
    form: Element | None
    has_result: bool = False


def read_paragraph(paragraph: Element, styles: Styles) -> ParagraphText:
    """Return the contents of a ``w:p``."""
    return _ParagraphReader(styles).read(paragraph)


class _ParagraphReader:
    """Walks one paragraph."""

    def __init__(self, styles: Styles) -> None:
        self._styles = styles
        self._found = ParagraphText()
        self._pieces: list[str] = []
        self._fields: list[_Field] = []
        self._font = ""
        self._is_bold = self._is_raised = False
        self._bold = self._plain = False
        # What is being walked, and what is written when it ends.
        self._stack: list[tuple[Iterator[Element], str]] = []

    def read(self, paragraph: Element) -> ParagraphText:
        """Return what ``paragraph`` holds."""
        found, stack = self._found, self._stack
        stack.append((iter(paragraph), ""))
        while stack:
            elements, ending = stack[-1]
            depth = len(stack)
            for element in elements:
                handle = _HANDLERS.get(element.tag, _ParagraphReader._descend)
                if handle is None:
                    continue
                handle(self, element)
                if len(stack) > depth:
                    break
            else:
                stack.pop()
                if ending:
                    self._pieces.append(ending)
        found.raw = with_exponents("".join(self._pieces))
        found.is_bold = self._bold and not self._plain
        properties = paragraph.find(PARAGRAPH_PROPERTIES)
        mark = properties.find(RUN_PROPERTIES) if properties is not None else None
        found.goes_on = mark is not None and (
            mark.find(_DELETED) is not None or mark.find(_MOVED_AWAY) is not None
        )
        return found

    def _descend(self, element: Element) -> None:
        if len(element):
            self._stack.append((iter(element), ""))

    def _run(self, run: Element) -> None:
        self._font = ""
        self._is_bold = self._is_raised = False
        if not len(run):
            return
        properties = run[0] if run[0].tag == RUN_PROPERTIES else run.find(RUN_PROPERTIES)
        if properties is not None and len(properties):
            if is_on(properties, _HIDDEN):
                return
            if properties.find(_BOLD) is not None:
                self._is_bold = is_on(properties, _BOLD)
            elif (style := properties.find(_STYLE)) is not None:
                self._is_bold = self._styles.is_bold(value(style))
            fonts = properties.find(_FONTS)
            self._font = fonts.get(_FONT, "") if fonts is not None else ""
            self._is_raised = value(properties.find(_PLACE)) == "superscript"
        self._stack.append((iter(run), ""))

    def _fixed(self, element: Element) -> None:
        self._pieces.append(_FIXED[element.tag])

    def _box(self, element: Element) -> None:
        self._found.boxes.append(element)

    def _text(self, element: Element) -> None:
        text = element.text or ""
        if self._font and is_symbol_font(self._font):
            text = in_symbol_font(text, self._font)
        if not text.isascii():
            text = private_read(text.replace(_SOFT_HYPHEN, ""), self._font)
        text = text.replace("\n", " ")
        self._pieces.append(raised(text) if self._is_raised else text)
        if not text.isspace():
            self._bold = self._bold or self._is_bold
            self._plain = self._plain or not self._is_bold

    def _field(self, mark: Element) -> None:
        kind = mark.get(f"{W}fldCharType", "")
        if kind == "begin":
            self._fields.append(_Field(len(self._pieces), mark.find(f"{W}ffData")))
        elif not self._fields:
            return
        elif kind == "separate":
            # What stands before is the instruction, also where it was written as text.
            current = self._fields[-1]
            del self._pieces[current.start :]
            current.has_result = True
        elif kind == "end":
            current = self._fields.pop()
            if not current.has_result:
                del self._pieces[current.start :]
            if current.form is not None and not "".join(self._pieces[current.start :]).strip():
                self._pieces.append(_form_text(current.form))

    def _symbol(self, element: Element) -> None:
        try:
            code = int(element.get(f"{W}char", ""), 16)
        except ValueError:
            return
        self._pieces.append(symbol(code, element.get(f"{W}font", "")))

    def _branches(self, element: Element) -> None:
        branch = chosen_branch(element, _CONTENT)
        if branch is not None:
            self._descend(branch)

    def _reference(self, element: Element) -> None:
        reference = (_REFERENCES[element.tag], element.get(f"{W}id", ""))
        if reference not in self._found.references:
            self._found.references.append(reference)

    def _part(self, element: Element) -> None:
        self._found.parts.append(element.get(_PARTS[element.tag], ""))

    def _formula(self, element: Element) -> None:
        before, after = _formula_edges(element)
        if before:
            self._pieces.append(before)
        self._stack.append((iter(element), after))


# What is done with an element; None: it is left out. Of any other what is in it is read.
_HANDLERS: dict[str, Callable[[_ParagraphReader, Element], None] | None] = {
    f"{W}t": _ParagraphReader._text,
    f"{M}t": _ParagraphReader._text,
    RUN: _ParagraphReader._run,
    f"{W}fldChar": _ParagraphReader._field,
    f"{W}sym": _ParagraphReader._symbol,
    f"{W}txbxContent": _ParagraphReader._box,
    f"{MC}AlternateContent": _ParagraphReader._branches,
    **dict.fromkeys(f"{W}{name}" for name in _LEFT_OUT),
    **dict.fromkeys(_FIXED, _ParagraphReader._fixed),
    **dict.fromkeys(_REFERENCES, _ParagraphReader._reference),
    **dict.fromkeys(_PARTS, _ParagraphReader._part),
    **dict.fromkeys(_FORMULA_TAGS, _ParagraphReader._formula),
}


def _form_text(form: Element) -> str:
    """Return what a field of a form says: that its box is ticked, or its chosen entry.

    An empty box says nothing; it would only tear the words of the form apart.
    """
    box = form.find(f"{W}checkBox")
    if box is not None:
        state = f"{W}checked" if box.find(f"{W}checked") is not None else f"{W}default"
        return "☒" if is_on(box, state) else ""
    choices = form.find(f"{W}ddList")
    if choices is not None:
        entries = [value(entry) for entry in choices.iterfind(f"{W}listEntry")]
        chosen = number(choices.find(f"{W}result"), number(choices.find(f"{W}default"), 0))
        return entries[chosen] if chosen < len(entries) else ""
    return ""


_FLAT = frozenset({PARAGRAPH, TABLE, ROW, CELL, ALT_CHUNK})
_WRAPPERS = frozenset(
    f"{W}{name}" for name in ("sdt", "sdtContent", "ins", "moveTo", "customXml", "smartTag")
)


def flat_children(element: Iterable[Element]) -> Iterator[Element]:
    """Yield paragraphs, tables, rows and cells in order, through wrappers and insertions."""
    stack = [iter(element)]
    while stack:
        for child in stack[-1]:
            tag = child.tag
            if tag in _FLAT:
                yield child
            elif tag in _WRAPPERS:
                stack.append(iter(child))
                break
            elif tag == f"{MC}AlternateContent":
                branch = chosen_branch(child, _CONTENT)
                if branch is not None:
                    stack.append(iter(branch))
                    break
        else:
            stack.pop()


def _formula_edges(element: Element) -> tuple[str, str]:
    """Return what is written before and after a part of a formula (one of _FORMULA_TAGS)."""
    tag = element.tag
    if tag == f"{M}d":
        return _sign(element, "dPr", "begChr", "("), _sign(element, "dPr", "endChr", ")")
    if tag == f"{M}nary":
        return _sign(element, "naryPr", "chr", "∫"), ""
    if tag == f"{M}rad":
        return "√", ""
    if tag not in _BEFORE:
        return "", " "
    text = "".join(each.text or "" for each in element.iter(f"{M}t")).strip()
    if not text:
        return "", ""
    is_plain = text.lstrip("-−+").replace(".", "").replace(",", "").isalnum()
    return (_BEFORE[tag], "") if is_plain else (f"{_BEFORE[tag]}(", ")")


def _sign(element: Element, holder: str, name: str, default: str) -> str:
    stated = element.find(f"{M}{holder}/{M}{name}")
    return default if stated is None else stated.get(f"{M}val", default)
