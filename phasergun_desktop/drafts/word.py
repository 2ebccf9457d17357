"""A draft as a Word document with genuine footnotes, styles, tables and comments."""

from __future__ import annotations

import io
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from typing import Any

import docx
from docx.enum.text import WD_COLOR_INDEX
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn
from docx.shared import Emu, Inches, Pt

from phasergun_desktop.drafts.bibliography import bibliography
from phasergun_desktop.drafts.draft_shape import (
    NO_UNIT,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
    text_of_runs,
)
from phasergun_desktop.drafts.markdown_export import starts_with_title
from phasergun_desktop.drafts.marked import reasons_to_check
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.shape_of_draft import shape_of
from phasergun_desktop.drafts.word_notes import NotesPart, xml_text
from phasergun_desktop.grounding.model import Footnote, UnitKind
from phasergun_desktop.grounding.rendering import SOURCES_HEADING

AUTHOR = "PhaserGun"
_MAKER = b"PhaserGun"
INITIALS = "PG"

# Word's own definitions of the styles that its footnotes and comments use.
_STYLES = """
<w:styles {namespace}>
<w:style w:type="paragraph" w:styleId="FootnoteText"><w:name w:val="footnote text"/>
<w:basedOn w:val="Normal"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>
<w:pPr><w:spacing w:after="0" w:line="240" w:lineRule="auto"/></w:pPr>
<w:rPr><w:sz w:val="20"/><w:szCs w:val="20"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="FootnoteReference"><w:name w:val="footnote reference"/>
<w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>
<w:rPr><w:vertAlign w:val="superscript"/></w:rPr></w:style>
<w:style w:type="character" w:styleId="CommentReference"><w:name w:val="annotation reference"/>
<w:basedOn w:val="DefaultParagraphFont"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>
<w:rPr><w:sz w:val="16"/><w:szCs w:val="16"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="CommentText"><w:name w:val="annotation text"/>
<w:basedOn w:val="Normal"/><w:uiPriority w:val="99"/><w:unhideWhenUsed/>
<w:pPr><w:spacing w:line="240" w:lineRule="auto"/></w:pPr>
<w:rPr><w:sz w:val="20"/><w:szCs w:val="20"/></w:rPr></w:style>
<w:style w:type="paragraph" w:styleId="Bibliography"><w:name w:val="Bibliography"/>
<w:basedOn w:val="Normal"/><w:next w:val="Normal"/><w:uiPriority w:val="37"/><w:unhideWhenUsed/>
<w:pPr><w:spacing w:after="80" w:line="240" w:lineRule="auto"/>
<w:ind w:left="360" w:hanging="360"/></w:pPr></w:style>
</w:styles>
"""
# A paragraph beside a table that names it, as Word's own captions do.
_CAPTION = re.compile(
    r"(?:table|tabelle|tableau|tabla|tabella)\s+[\dA-Z][\w.\-]*(?:\W|$)", re.IGNORECASE
)
# Characters of a cell beyond which a column need not be narrower or wider.
_SHORTEST, _LONGEST = 12, 160
# So many letters of a wide face a line has, and so many are the margins of a cell.
_LINE, _MARGIN = 64, 3
# What Word's schema puts behind footnotePr in the settings; the first one found is the place.
_AFTER_FOOTNOTES = ("w:endnotePr", "w:compat", "w:docVars", "w:rsids", "m:mathPr")


def draft_to_docx(draft: Draft, author: str = "") -> bytes:
    """Return the draft as the content of a ``.docx`` file by ``author``."""
    return _WordDraft(draft, author).to_bytes()


class _WordDraft:
    """Builds one document from top to bottom."""

    def __init__(self, draft: Draft, author: str) -> None:
        self._draft = draft
        self._author = _line(author)[:255]
        self._document = docx.Document()
        self._notes = NotesPart()
        self._bookmarks = 0
        self._footnotes: Mapping[int, Footnote] = {each.number: each for each in draft.footnotes}
        self._commented: set[int] = set()
        self._top_level = 0

    def to_bytes(self) -> bytes:
        """Write everything and return the file."""
        self._set_properties()
        self._add_styles()
        self._leave_compatibility_mode()
        for section in self._document.sections:
            section.left_margin = section.right_margin = Inches(1)
        title = _line(self._draft.title)
        if title and not starts_with_title(self._draft):
            _turn(self._document.add_heading(title, level=0), title)
        self._write_shape(shape_of(self._draft))
        self._write_sources()
        self._attach_notes()
        stream = io.BytesIO()
        self._document.save(stream)
        return stream.getvalue()

    def _write_shape(self, shape: DraftShape) -> None:
        before: Paragraph | Table | None = None
        for at, piece in enumerate(shape):
            after = shape[at + 1] if at + 1 < len(shape) else None
            if isinstance(piece, Table):
                if isinstance(before, Table):
                    # Without a paragraph between them Word makes one table of two.
                    self._document.add_paragraph()
                self._write_table(piece.rows)
                if after is None:
                    # Space below, and Word wants a paragraph at the end.
                    self._document.add_paragraph()
            else:
                self._write_paragraph(piece, before, after)
            before = piece

    def _write_paragraph(
        self, piece: Paragraph, before: Paragraph | Table | None, after: Paragraph | Table | None
    ) -> None:
        words = text_of_runs(piece.runs)
        is_above = isinstance(after, Table)
        if piece.kind is ParagraphKind.HEADING:
            level = min(max(piece.level, 1), 9)
            self._top_level = min(level, self._top_level or level)
            paragraph = self._document.add_heading(level=level)
        elif (is_above or isinstance(before, Table)) and _CAPTION.match(words):
            paragraph = self._document.add_paragraph(style="Caption")
            paragraph.paragraph_format.keep_with_next = is_above or None
        else:
            depth = min(max(piece.level, 1), 3)
            style = "List Bullet" if depth == 1 else f"List Bullet {depth}"
            is_item = piece.kind is ParagraphKind.LIST_ITEM
            paragraph = self._document.add_paragraph(style=style if is_item else None)
            # A table has no space of its own below it.
            paragraph.paragraph_format.space_before = Pt(10) if isinstance(before, Table) else None
        self._write_runs(paragraph, piece.runs)
        _turn(paragraph, words)

    def _write_runs(self, paragraph: Any, runs: Iterable[Run]) -> None:
        after_mark = False
        for unit, group in groupby(runs, lambda run: run.unit):
            made: list[Any] = []
            for run in group:
                if run.footnote:
                    made += self._write_mark(paragraph, run.footnote, after_mark)
                elif run.text:
                    added = paragraph.add_run(xml_text(run.text))
                    added.bold, added.italic = run.is_bold or None, run.is_italic or None
                    added.font.rtl = True if _is_right_to_left(run.text) else None
                    made.append(added)
                after_mark = bool(run.footnote) and run.footnote in self._footnotes
            if made and unit != NO_UNIT:
                self._remark(made, unit)

    def _write_mark(self, paragraph: Any, number: int, after_mark: bool) -> list[Any]:
        footnote = self._footnotes.get(number)
        if footnote is None:
            return [paragraph.add_run(f"[{number}]")]
        # Two marks side by side would read as one number.
        made = [self._superscript(paragraph, ",")] if after_mark else []
        note_id, name = self._notes.add(footnote)
        run = self._superscript(paragraph, "")
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(note_id))
        run._r.append(reference)
        if name:
            self._bookmark(run, name)
        return [*made, run]

    def _bookmark(self, run: Any, name: str) -> None:
        start, end = OxmlElement("w:bookmarkStart"), OxmlElement("w:bookmarkEnd")
        for element in (start, end):
            element.set(qn("w:id"), str(self._bookmarks))
        start.set(qn("w:name"), name)
        self._bookmarks += 1
        run._r.addprevious(start)
        run._r.addnext(end)

    @staticmethod
    def _superscript(paragraph: Any, text: str) -> Any:
        run = paragraph.add_run(text)
        run.style = "footnote reference"
        return run

    def _remark(self, runs: Sequence[Any], at: int) -> None:
        """Highlight a TODO, and say in a comment why a unit needs a look. A comment cannot span
        cells everywhere; the row's first cell carries it."""
        unit = self._draft.units[at]
        if unit.kind is UnitKind.TODO:
            runs[0].font.highlight_color = WD_COLOR_INDEX.YELLOW
        reasons = reasons_to_check(unit) if at not in self._commented else ()
        self._commented.add(at)
        if reasons:
            text = xml_text("\n".join(reasons))
            self._document.add_comment(runs, text=text, author=AUTHOR, initials=INITIALS)

    def _write_table(self, rows: Sequence[Row]) -> None:
        width = max(len(row.cells) for row in rows) or 1
        table = self._document.add_table(rows=len(rows), cols=width, style="Table Grid")
        columns = table._tbl.tblGrid.gridCol_lst
        room = sum(column.w or 0 for column in columns)
        widths = [Emu(round(room * share)) for share in _shares(rows, width)]
        for column, points in zip(columns, widths, strict=True):
            column.w = points
        # Asked for one by one each cell would be looked for in the whole table.
        for row, made in zip(rows, table._tbl.tr_lst, strict=True):
            properties = made.get_or_add_trPr()
            properties.append(OxmlElement("w:cantSplit"))
            if row.is_header:
                properties.append(OxmlElement("w:tblHeader"))
            for place, points in zip(made.tc_lst, widths, strict=True):
                place.width = points
            for cell, place in zip(row.cells, made.tc_lst, strict=False):
                paragraph = docx.table._Cell(place, table).paragraphs[0]
                self._write_runs(paragraph, cell)
                _turn(paragraph, text_of_runs(cell))

    def _write_sources(self) -> None:
        if not self._draft.footnotes:
            return
        self._document.add_heading(SOURCES_HEADING, level=self._top_level or 1)
        for line in bibliography(self._draft.footnotes):
            paragraph = self._document.add_paragraph(xml_text(line), style="Bibliography")
            _turn(paragraph, line)

    def _set_properties(self) -> None:
        properties = self._document.core_properties
        now = datetime.now(UTC).replace(tzinfo=None)
        properties.title = _line(self._draft.title)[:255]
        properties.author = self._author
        properties.last_modified_by = self._author
        properties.comments = ""
        properties.created = now
        properties.modified = now
        # The library's template says of itself that Word for Macintosh made it, with its picture.
        package = self._document.part.package
        for key, relation in tuple(package.rels.items()):
            if relation.reltype == RELATIONSHIP_TYPE.THUMBNAIL:
                package.rels.pop(key)
            elif relation.reltype == RELATIONSHIP_TYPE.EXTENDED_PROPERTIES:
                made_by = relation.target_part.blob.replace(b"Microsoft Macintosh Word", _MAKER)
                relation.target_part._blob = made_by

    def _add_styles(self) -> None:
        styles = self._document.styles
        present = {style.style_id for style in styles}
        for element in list(parse_xml(_STYLES.format(namespace=nsdecls("w")).strip())):
            if element.get(qn("w:styleId")) not in present:
                styles.element.append(element)

    def _leave_compatibility_mode(self) -> None:
        # The library's template is of Word 2010; the title bar would say "Compatibility Mode".
        for setting in self._document.settings.element.iter(qn("w:compatSetting")):
            if setting.get(qn("w:name")) == "compatibilityMode":
                setting.set(qn("w:val"), "15")

    def _attach_notes(self) -> None:
        if not len(self._notes):
            return
        main = self._document.part
        part = Part(
            PackURI("/word/footnotes.xml"),
            CONTENT_TYPE.WML_FOOTNOTES,
            self._notes.to_xml(),
            main.package,
        )
        main.relate_to(part, RELATIONSHIP_TYPE.FOOTNOTES)
        settings = self._document.settings.element
        declared = parse_xml(
            f"<w:footnotePr {nsdecls('w')}>"
            '<w:footnote w:id="-1"/><w:footnote w:id="0"/></w:footnotePr>'
        )
        for tag in _AFTER_FOOTNOTES:
            follower = settings.find(qn(tag))
            if follower is not None:
                follower.addprevious(declared)
                return
        settings.append(declared)


def _shares(rows: Sequence[Row], width: int) -> list[float]:
    """Return how much of the line each column gets: room for its longest word, where all have
    that, and of the rest more for longer texts."""
    longest, word = [_SHORTEST] * width, [0] * width
    for row in rows:
        for at, cell in enumerate(row.cells):
            text = text_of_runs(cell)
            longest[at] = max(longest[at], min(len(text), _LONGEST))
            word[at] = max(word[at], *(len(one) for one in text.split()), 0)
    weights = [math.sqrt(length) for length in longest]
    least = [(length + _MARGIN) / _LINE for length in word]
    if sum(least) >= 1:
        least = [0.0] * width
    rest = 1 - sum(least)
    return [each + rest * w / sum(weights) for each, w in zip(least, weights, strict=True)]


def _turn(paragraph: Any, words: str) -> None:
    """Let a paragraph that begins in Hebrew or Arabic run from the right."""
    strong = (unicodedata.bidirectional(one) for one in words)
    if next((one for one in strong if one in ("L", "R", "AL")), "L") != "L":
        properties = paragraph._p.get_or_add_pPr()
        properties.insert_element_before(OxmlElement("w:bidi"), "w:spacing", "w:ind", "w:jc")


def _is_right_to_left(text: str) -> bool:
    return any(unicodedata.bidirectional(one) in ("R", "AL") for one in text)


def _line(text: str) -> str:
    return " ".join(xml_text(text).split())
