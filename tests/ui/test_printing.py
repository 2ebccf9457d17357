"""A draft on paper: its pages are those of a PDF that the same code writes."""

from __future__ import annotations

from pathlib import Path

import pdfplumber
import pypdfium2
from PySide6.QtGui import QPdfWriter
from PySide6.QtPrintSupport import QPrintDialog, QPrintPreviewDialog, QPrintPreviewWidget
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.drafts.print_flow import PrintFlow
from tests.ui.conftest import OpenDesk


def _pages(desk: OpenDesk, folder: Path) -> list[str]:
    path = folder / "draft.pdf"
    PrintFlow(desk.window.desk).print_to(QPdfWriter(str(path)))
    with pdfplumber.open(path) as pdf:
        return [page.extract_text() for page in pdf.pages]


def test_text_table_notes_and_the_meaning_of_lines_are_printed(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk.generate()
    desk.window.draft_list_flow.rename(_draft(desk).draft_id, "Section 11")
    before = desk.window.parts.draft_panel.editor.toHtml()
    (page,) = _pages(desk, tmp_path)
    lines = page.split("\n")
    # The title, since no heading says it.
    assert lines[:2] == ["Section 11", "Device Description"]
    assert "The α-Sense meter measures glucose amperometrically." in page
    assert "Component Part number" in lines
    sources = lines.index("Sources")
    assert lines[sources + 1] == "[1] Context: Context/Initiation/Device-Description.docx"
    # Where a long name is broken depends on the fonts of the machine.
    last = next(at for at, line in enumerate(lines) if line.startswith("[4] Procedure: "))
    assert last > sources
    legend = " ".join(lines[last + 1 : -1])
    assert legend.startswith("Wavy line: no source carries it")
    assert "Dotted line" in legend
    assert "Dashed line" not in legend
    assert lines[-1] == "1"
    # Nothing of this is in the draft.
    assert desk.window.parts.draft_panel.editor.toHtml() == before


def test_pages_are_numbered_and_black_on_white_on_a_dark_desk(
    desk: OpenDesk, tmp_path: Path
) -> None:
    desk.window.actions_table["theme-dark"].trigger()
    desk.window.parts.draft_panel.editor.insertPlainText("A line of the draft.\n" * 120)
    pages = _pages(desk, tmp_path)
    assert len(pages) > 2
    assert [page.split("\n")[-1] for page in pages] == [str(n + 1) for n in range(len(pages))]
    assert sum(page.count("A line of the draft.") for page in pages) == 121
    document = pypdfium2.PdfDocument(tmp_path / "draft.pdf")
    levels = document[0].render(scale=3).to_pil().convert("L").histogram()
    document.close()
    assert sum(levels[:40]) > 1000
    assert levels[255] > 10 * sum(levels[:255])
    desk.window.actions_table["theme-system"].trigger()


def test_the_preview_shows_the_pages(desk: OpenDesk) -> None:
    desk.generate()
    pages = _preview(desk)
    desk.wait(lambda: pages.pageCount() == 1)
    pages.window().close()


def test_what_cites_a_hidden_document_is_not_printed(desk: OpenDesk) -> None:
    desk.generate()
    desk.session.withheld = frozenset({_draft(desk).footnotes[0].file})
    for action in ("print", "print-preview"):
        bar = desk.window.parts.message_bar
        bar.hide_text(bar.message)
        desk.window.actions_table[action].trigger()
        desk.wait(lambda: "It cites a document." in desk.window.parts.message_bar.message)
    assert not _dialogs(desk)


def test_each_preview_has_a_printer_of_its_own(desk: OpenDesk) -> None:
    desk.generate()
    pages = _preview(desk)
    desk.wait(lambda: pages.pageCount() == 1)
    shown = pages.grab().toImage()
    # The pages in view are pictures of its printer, which must outlive what comes after it.
    desk.window.actions_table["print-preview"].trigger()
    desk.window.actions_table["print"].trigger()
    desk.wait(lambda: len(_dialogs(desk)) == 3)
    assert pages.grab().toImage() == shown
    for one in _dialogs(desk):
        one.close()
    desk.wait(lambda: not desk.window.findChildren(QPrintPreviewDialog))
    (flow,) = desk.window.findChildren(PrintFlow)
    assert flow._printers == set()


def test_the_print_dialog_opens_and_prints_to_a_file(desk: OpenDesk, tmp_path: Path) -> None:
    desk.window.actions_table["print"].trigger()
    assert desk.window.parts.message_bar.message == "There is no draft to print yet."
    assert not desk.window.findChildren(QPrintDialog)
    desk.generate()
    desk.window.actions_table["print"].trigger()
    desk.wait(lambda: bool(_dialogs(desk)))
    (dialog,) = desk.window.findChildren(QPrintDialog)
    printer = dialog.printer()
    assert printer.docName() == "Device Description"
    printer.setOutputFileName(str(tmp_path / "out.pdf"))
    dialog.accepted.emit(printer)
    with pdfplumber.open(tmp_path / "out.pdf") as pdf:
        assert "amperometrically" in pdf.pages[0].extract_text()
    dialog.reject()
    QTest.qWait(1)


def _preview(desk: OpenDesk) -> QPrintPreviewWidget:
    desk.window.actions_table["print-preview"].trigger()
    desk.wait(lambda: bool(_dialogs(desk)))
    (dialog,) = desk.window.findChildren(QPrintPreviewDialog)
    (pages,) = dialog.findChildren(QPrintPreviewWidget)
    return pages


def _dialogs(desk: OpenDesk) -> list[QDialog]:
    return [one for one in desk.window.findChildren(QDialog) if one.isVisible()]


def _draft(desk: OpenDesk) -> Draft:
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    return draft
