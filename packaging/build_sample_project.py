"""Write the sample project's Word, PDF, slide and picture files from their text sources.

The sources lie beside this file in ``sample_project_content``, in the folders that the finished
files have: ``X.docx.md`` becomes ``X.docx``, ``X.png.md`` becomes ``X.png`` and so on, the same
each time. DOC and PPT are converted by LibreOffice, which puts the time into them: they are
written only with ``--old-office``. The sample project's MD, TXT, CSV, transcript and YAML files
have no source: they are edited where they are.

Run: ``python packaging/build_sample_project.py [--out FOLDER] [--old-office]``
"""

from __future__ import annotations

import argparse
import io
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

import docx
from docx.document import Document
from docx.enum.text import WD_TAB_ALIGNMENT
from docx.oxml import OxmlElement
from docx.oxml.ns import qn
from docx.shared import Cm, Pt, RGBColor
from docx.table import Table, _Cell
from docx.text.paragraph import Paragraph
from fpdf import FPDF
from fpdf.enums import TableCellFillMode
from fpdf.fonts import FontFace
from sample_project_scans import scan_bytes
from sample_project_slides import pptx_bytes
from sample_project_source import Part, PartKind, Source, column_shares, read_source

CONTENT = Path(__file__).parent / "sample_project_content"
SAMPLE_PROJECT = Path(__file__).parent.parent / "resources" / "sample_project"
OLD_OFFICE = frozenset({".doc", ".ppt"})
# ZIP cannot hold an earlier date than this; one date for all members makes the bytes repeatable.
ZIP_DATE = (1980, 1, 1, 0, 0, 0)


# ---------------------------------------------------------------------------------------- Word


def docx_bytes(source: Source) -> bytes:
    """The Word file of a source text, with fixed dates inside and out."""
    document = docx.Document()
    set_properties(document, source)
    set_styles(document)
    set_page_frame(document, source)
    document.add_paragraph(source.title, style="Title")
    if not source.is_record:
        add_docx_table(document, Part(PartKind.TABLE, rows=source.control_rows))
    for part in source.parts:
        match part.kind:
            case PartKind.HEADING:
                document.add_heading(part.text, level=part.level)
            case PartKind.PARAGRAPH:
                paragraph = document.add_paragraph(part.text)
                if source.is_record:
                    set_record_line(paragraph)
            case PartKind.LIST_ITEM:
                document.add_paragraph(part.text, style="List Bullet")
            case PartKind.TABLE:
                add_docx_table(document, part)
    buffer = io.BytesIO()
    document.save(buffer)
    return repack(buffer.getvalue())


def set_properties(document: Document, source: Source) -> None:
    """Set the core properties, so that none of them is the time of the build."""
    written = source.written.replace(tzinfo=None)
    properties = document.core_properties
    properties.title = source.title
    properties.subject = source.number
    properties.author = source.owner
    properties.last_modified_by = source.owner
    properties.comments = source.footer
    properties.created = written
    properties.modified = written
    properties.revision = 1
    properties.language = "en-GB"
    # The template brings a preview picture of an empty page, which would be wrong here.
    relations = document.part.package.rels
    for key in [key for key, rel in relations.items() if rel.reltype.endswith("/thumbnail")]:
        relations.pop(key)


def set_styles(document: Document) -> None:
    """Plain office look: one sans-serif face, dark headings, A4."""
    section = document.sections[0]
    section.page_width, section.page_height = Cm(21.0), Cm(29.7)
    section.left_margin = section.right_margin = Cm(2.3)
    section.top_margin = section.bottom_margin = Cm(2.4)
    for name, size in (
        ("Normal", 10.5),
        ("Title", 20.0),
        ("Heading 1", 14.0),
        ("Heading 2", 12.0),
    ):
        style = document.styles[name]
        font = style.font
        font.name = "Calibri"
        font.size = Pt(size)
        if name != "Normal":
            font.color.rgb = RGBColor(0x1F, 0x2A, 0x44)
            fonts = style.element.rPr.rFonts
            for attribute in ("asciiTheme", "hAnsiTheme", "eastAsiaTheme", "cstheme"):
                fonts.attrib.pop(qn(f"w:{attribute}"), None)
    document.styles["Normal"].paragraph_format.space_after = Pt(6)


def set_page_frame(document: Document, source: Source) -> None:
    """Write the page header (number, title) and the page footer (company, page number)."""
    section = document.sections[0]
    for paragraph, left, right in (
        (section.header.paragraphs[0], source.header, source.title),
        (section.footer.paragraphs[0], source.footer, "Page "),
    ):
        stops = paragraph.paragraph_format.tab_stops
        stops.add_tab_stop(Cm(16.4), WD_TAB_ALIGNMENT.RIGHT)
        run = paragraph.add_run(f"{left}\t{right}")
        run.font.size = Pt(8.5)
        # The styles of header and footer have a centre stop, where the tab would end.
        paragraph.style = document.styles["Normal"]
    field = OxmlElement("w:fldSimple")
    field.set(qn("w:instr"), "PAGE")
    section.footer.paragraphs[0]._p.append(field)


def set_record_line(paragraph: Paragraph) -> None:
    """Make a section line of the master record bold; it stays an ordinary paragraph."""
    if paragraph.text.endswith(":"):
        paragraph.runs[0].bold = True
        paragraph.paragraph_format.space_before = Pt(10)
    paragraph.paragraph_format.space_after = Pt(3)


def add_docx_table(document: Document, part: Part) -> None:
    """Add a ruled table; its header row is marked as one and repeats on every page."""
    table = document.add_table(rows=0, cols=len(part.rows[0]), style="Table Grid")
    shares = column_shares(part.rows)
    for index, row in enumerate(part.rows):
        cells = table.add_row().cells
        for cell, text, share in zip(cells, row, shares, strict=True):
            cell.width = Cm(16.4 * share)
            paragraph = cell.paragraphs[0]
            paragraph.paragraph_format.space_after = Pt(2)
            run = paragraph.add_run(text)
            run.font.size = Pt(9.5)
            if index == 0 and part.has_header:
                run.bold = True
                shade(cell)
    if part.has_header:
        mark_header(table)
    document.add_paragraph().paragraph_format.space_after = Pt(4)


def shade(cell: _Cell) -> None:
    """Give a cell of a header row a light ground."""
    shading = OxmlElement("w:shd")
    shading.set(qn("w:val"), "clear")
    shading.set(qn("w:fill"), "E6EAF2")
    cell._tc.get_or_add_tcPr().append(shading)


def mark_header(table: Table) -> None:
    """Mark the first row as header row, as Word's "Repeat header rows" does."""
    table.rows[0]._tr.get_or_add_trPr().append(OxmlElement("w:tblHeader"))


def repack(data: bytes) -> bytes:
    """Write a Word file's members again in a fixed order, with a fixed date.

    The members are the same everywhere; their compressed form may differ between releases of
    zlib. (The template's styles alone are 0.8 MB, so leaving them uncompressed is no choice.)
    """
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(buffer, "w") as new:
        names = sorted(old.namelist(), key=lambda name: (name != "[Content_Types].xml", name))
        for name in names:
            member = zipfile.ZipInfo(name, date_time=ZIP_DATE)
            member.create_system = 0
            new.writestr(member, old.read(name), zipfile.ZIP_DEFLATED, 9)
    return buffer.getvalue()


# ----------------------------------------------------------------------------------------- PDF


class SamplePdf(FPDF):
    """A4 pages in one of the fonts that every PDF reader has, with header and footer."""

    def __init__(self, source: Source) -> None:
        super().__init__(format="A4")
        self.source = source
        self.set_title(source.title)
        self.set_subject(source.number)
        self.set_author(source.owner)
        self.set_lang("en-GB")
        self.set_creation_date(source.written)
        # Compressed streams differ from one release of zlib to the next.
        self.set_compression(False)
        self.set_margins(22, 24, 22)
        self.set_auto_page_break(True, margin=24)
        self.alias_nb_pages("")

    def header(self) -> None:
        """Number and title over a rule."""
        self.set_y(12)
        self.set_font("Helvetica", size=8.5)
        self.cell(self.epw / 2, 5, self.source.header)
        self.cell(self.epw / 2, 5, self.source.title, align="R")
        self.line(self.l_margin, 18, self.l_margin + self.epw, 18)
        self.set_y(24)

    def footer(self) -> None:
        """Company and page number."""
        self.set_y(-16)
        self.set_font("Helvetica", size=8.5)
        self.cell(self.epw / 2, 5, self.source.footer)
        self.cell(self.epw / 2, 5, f"Page {self.page_no()}", align="R")

    def write_part(self, part: Part) -> None:
        """Write one part at the present place."""
        match part.kind:
            case PartKind.HEADING:
                self.write_heading(part)
            case PartKind.PARAGRAPH:
                self.set_font("Helvetica", size=10)
                self.multi_cell(0, 5, part.text, align="L", new_x="LMARGIN", new_y="NEXT")
                self.ln(2)
            case PartKind.LIST_ITEM:
                self.set_font("Helvetica", size=10)
                self.cell(5, 5, "-")
                self.multi_cell(0, 5, part.text, align="L", new_x="LMARGIN", new_y="NEXT")
                self.ln(1)
            case PartKind.TABLE:
                self.write_table(part)

    def write_heading(self, part: Part) -> None:
        """Write a heading and enter it in the outline, never alone at the foot of a page."""
        if self.will_page_break(26):
            self.add_page()
        self.ln(3)
        self.start_section(part.text, level=part.level - 1)
        self.set_font("Helvetica", style="B", size=13 if part.level == 1 else 11)
        self.multi_cell(0, 7, part.text, align="L", new_x="LMARGIN", new_y="NEXT")
        self.ln(1)

    def write_table(self, part: Part) -> None:
        """Write a table with ruling lines; its header row repeats on every page."""
        self.set_font("Helvetica", size=9)
        with self.table(
            col_widths=tuple(column_shares(part.rows)),
            text_align="LEFT",
            line_height=5,
            padding=1,
            first_row_as_headings=part.has_header,
            headings_style=FontFace(emphasis="BOLD", fill_color=(230, 234, 242)),
            cell_fill_mode=TableCellFillMode.NONE,
        ) as table:
            for row in part.rows:
                table.row(row)
        self.ln(3)


def pdf_bytes(source: Source) -> bytes:
    """The PDF file of a source text, with its own date as the only time stamp."""
    pdf = SamplePdf(source)
    pdf.add_page()
    pdf.set_font("Helvetica", style="B", size=18)
    pdf.multi_cell(0, 9, source.title, align="L", new_x="LMARGIN", new_y="NEXT")
    pdf.ln(3)
    pdf.write_table(Part(PartKind.TABLE, rows=source.control_rows))
    for part in source.parts:
        pdf.write_part(part)
    return bytes(pdf.output())


def old_office_bytes(source: Source, suffix: str) -> bytes:
    """The DOC or PPT file of a source text, as LibreOffice converts it."""
    modern = docx_bytes(source) if suffix == ".doc" else pptx_bytes(source)
    with tempfile.TemporaryDirectory() as folder:
        given = Path(folder) / f"given{suffix}x"
        given.write_bytes(modern)
        profile = f"-env:UserInstallation={(Path(folder) / 'profile').as_uri()}"
        command = ["soffice", "--headless", profile, "--convert-to", suffix[1:], "--outdir", folder]
        subprocess.run([*command, str(given)], check=True, capture_output=True, timeout=180)
        return given.with_suffix(suffix).read_bytes()


def file_bytes(source: Source, suffix: str) -> bytes:
    """The finished file of a source text."""
    match suffix:
        case ".docx":
            return docx_bytes(source)
        case ".pdf":
            return pdf_bytes(source)
        case ".pptx":
            return repack(pptx_bytes(source))
        case ".doc" | ".ppt":
            return old_office_bytes(source, suffix)
        case _:
            return scan_bytes(source, suffix)


def build(out: Path, with_old_office: bool = False) -> list[Path]:
    """Write every file that has a source under ``out``; returns their paths, sorted."""
    written: list[Path] = []
    for path in sorted(CONTENT.rglob("*.md")):
        target = out / path.relative_to(CONTENT).with_suffix("")
        if target.suffix in OLD_OFFICE and not with_old_office:
            continue
        data = file_bytes(read_source(path), target.suffix)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
        written.append(target)
    return written


def main(arguments: list[str] | None = None) -> int:
    """Build the files and name them."""
    parser = argparse.ArgumentParser(description="Write the sample project's finished files.")
    parser.add_argument("--out", type=Path, default=SAMPLE_PROJECT, help="the project folder")
    parser.add_argument("--old-office", action="store_true", help="DOC and PPT too (LibreOffice)")
    options = parser.parse_args(arguments)
    out: Path = options.out
    for path in build(out, options.old_office):
        sys.stdout.write(f"{path.relative_to(out).as_posix()}  {path.stat().st_size}\n")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
