"""A draft as a Word document with genuine footnotes, styles, tables and comments."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import docx
from docx.enum.text import WD_COLOR_INDEX
from docx.opc.constants import CONTENT_TYPE, RELATIONSHIP_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import OxmlElement, parse_xml
from docx.oxml.ns import nsdecls, qn

from phasergun_desktop.drafts.markdown import starts_with_title
from phasergun_desktop.drafts.marked import reasons_to_check
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.word_notes import NotesPart, xml_text
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.grounding.rendering import (
    SOURCES_HEADING,
    GroupKind,
    UnitGroup,
    group_units,
    row_cells,
    source_line,
)

AUTHOR = "PhaserGun"
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
</w:styles>
"""
# What Word's schema puts behind footnotePr in the settings; the first one found is the place.
_AFTER_FOOTNOTES = ("w:endnotePr", "w:compat", "w:docVars", "w:rsids", "m:mathPr")


def draft_to_docx(draft: Draft) -> bytes:
    """Return the draft as the content of a ``.docx`` file."""
    return _WordDraft(draft).to_bytes()


class _WordDraft:
    """Builds one document from top to bottom."""

    def __init__(self, draft: Draft) -> None:
        self._draft = draft
        self._document = docx.Document()
        self._notes = NotesPart()
        self._bookmarks = 0
        self._footnotes: Mapping[int, Footnote] = {each.number: each for each in draft.footnotes}

    def to_bytes(self) -> bytes:
        """Write everything and return the file."""
        self._set_properties()
        self._add_styles()
        self._leave_compatibility_mode()
        title = _line(self._draft.title)
        if title and not starts_with_title(self._draft):
            self._document.add_heading(title, level=0)
        previous: GroupKind | None = None
        for group in group_units(self._draft.units):
            if group.kind is GroupKind.TABLE and previous is GroupKind.TABLE:
                # Without a paragraph between them Word makes one table of two.
                self._document.add_paragraph()
            self._write_group(group)
            previous = group.kind
        if previous is GroupKind.TABLE:
            # Space below, and Word wants a paragraph at the end.
            self._document.add_paragraph()
        self._write_sources()
        self._attach_notes()
        stream = io.BytesIO()
        self._document.save(stream)
        return stream.getvalue()

    def _write_group(self, group: UnitGroup) -> None:
        if group.kind is GroupKind.TABLE:
            self._write_table(group.units)
        elif group.kind is GroupKind.HEADING:
            unit = group.units[0]
            paragraph = self._document.add_heading(level=min(max(unit.level, 1), 9))
            self._write_unit(paragraph, unit)
        elif group.kind is GroupKind.LIST:
            for unit in group.units:
                depth = min(max(unit.level, 1), 3)
                style = "List Bullet" if depth == 1 else f"List Bullet {depth}"
                self._write_unit(self._document.add_paragraph(style=style), unit)
        else:
            paragraph = self._document.add_paragraph()
            for index, unit in enumerate(group.units):
                if index:
                    paragraph.add_run(" ")
                self._write_unit(paragraph, unit)

    def _write_unit(self, paragraph: Any, unit: DraftSentence) -> None:
        runs = self._write_text(paragraph, unit.text, unit.citations)
        if unit.kind is UnitKind.TODO:
            runs[0].font.highlight_color = WD_COLOR_INDEX.YELLOW
        self._comment(runs, unit)

    def _write_text(self, paragraph: Any, text: str, citations: Sequence[int]) -> list[Any]:
        """Write text and its marks into ``paragraph``; return the runs (at least one)."""
        runs = [paragraph.add_run(xml_text(text))]
        previous_is_mark = False
        for number in citations:
            footnote = self._footnotes.get(number)
            if footnote is None:
                runs.append(paragraph.add_run(f"[{number}]"))
                previous_is_mark = False
                continue
            if previous_is_mark:
                # Two marks side by side would read as one number.
                runs.append(self._superscript(paragraph, ","))
            runs.append(self._write_mark(paragraph, footnote))
            previous_is_mark = True
        return runs

    def _write_mark(self, paragraph: Any, footnote: Footnote) -> Any:
        note_id, name = self._notes.add(footnote)
        run = self._superscript(paragraph, "")
        reference = OxmlElement("w:footnoteReference")
        reference.set(qn("w:id"), str(note_id))
        run._r.append(reference)
        if name:
            self._bookmark(run, name)
        return run

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

    def _comment(self, runs: Sequence[Any], unit: DraftSentence) -> None:
        reasons = reasons_to_check(unit)
        if reasons:
            text = xml_text("\n".join(reasons))
            self._document.add_comment(runs, text=text, author=AUTHOR, initials=INITIALS)

    def _write_table(self, rows: Sequence[DraftSentence]) -> None:
        cells = [row_cells(row) for row in rows]
        width = max(len(row) for row in cells)
        table = self._document.add_table(rows=0, cols=width, style="Table Grid")
        for unit, row in zip(rows, cells, strict=True):
            added = table.add_row()
            runs: list[Any] = []
            for cell, (text, citations) in zip(added.cells, row, strict=False):
                cell_runs = self._write_text(cell.paragraphs[0], text, citations)
                cell_runs[0].bold = True if unit.is_header else None
                runs = runs or cell_runs
            # A comment cannot span cells everywhere; the row's first cell carries it.
            self._comment(runs, unit)
            if unit.is_header:
                added._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))

    def _write_sources(self) -> None:
        if not self._draft.footnotes:
            return
        self._document.add_heading(SOURCES_HEADING, level=1)
        for footnote in self._draft.footnotes:
            self._document.add_paragraph(xml_text(source_line(footnote)))

    def _set_properties(self) -> None:
        properties = self._document.core_properties
        now = datetime.now(UTC).replace(tzinfo=None)
        properties.title = _line(self._draft.title)[:255]
        properties.author = ""
        properties.last_modified_by = ""
        properties.comments = ""
        properties.created = now
        properties.modified = now

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


def _line(text: str) -> str:
    return " ".join(xml_text(text).split())
