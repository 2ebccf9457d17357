"""Tables with more columns than a line has room for: words stay whole, on paper all is seen."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pdfplumber
from PySide6.QtGui import QPdfWriter, QTextDocument
from pytestqt.qtbot import QtBot

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.drafts.draft_shape import Row, Run, Table
from phasergun_desktop.ui.drafts.print_flow import PrintFlow
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.editor.draft_writer import ShapeWriter
from phasergun_desktop.ui.sources.text_view import SourceTextView
from tests.ui.conftest import OpenDesk

NAMES = [
    "Test",
    "Standard",
    "Acceptance",
    "Result",
    "Count",
    "Operator",
    "Lot",
    "Deviation",
    "Date",
    "Report",
]
CELLS = [
    "Accuracy",
    "EP09-A3",
    "within",
    "0.08",
    "120",
    "Kowalski",
    "44A",
    "none",
    "2026-03-02",
    "TR-8832",
]


def _row(cells: list[str]) -> Row:
    return Row(tuple((Run(cell),) if cell else () for cell in cells))


def _lines(document: QTextDocument) -> Iterator[str]:
    block = document.begin()
    while block.isValid():
        layout = block.layout()
        for line in (layout.lineAt(number) for number in range(layout.lineCount())):
            yield block.text()[line.textStart() :][: line.textLength()].strip()
        block = block.next()


def _source(tmp_path: Path, *rows: list[str]) -> ParsedDocument:
    path = tmp_path / "wide.md"
    rule = ["---"] * len(rows[0])
    lines = [" | ".join(row) for row in (rows[0], rule, *rows[1:])]
    path.write_text("\n".join(f"| {line} |" for line in lines), encoding="utf-8")
    return parse_file(path)


def test_a_draft_breaks_no_word_of_a_table_and_is_scrolled_sideways(qtbot: QtBot) -> None:
    editor = DraftEditor(DraftBook())
    qtbot.addWidget(editor)
    editor.resize(420, 400)
    ShapeWriter(editor.textCursor()).write((Table((_row(NAMES), _row(CELLS))),))
    editor.show()
    bar = editor.horizontalScrollBar()
    assert set(_lines(editor.document())) >= {*NAMES, *CELLS} - {"EP09-A3", "TR-8832"}
    assert bar.isVisible()
    assert bar.maximum() > 0


def test_columns_of_a_draft_are_as_wide_as_their_text_needs(qtbot: QtBot) -> None:
    editor = DraftEditor(DraftBook())
    qtbot.addWidget(editor)
    editor.resize(800, 400)
    long = "The device is operated between 5 and 40 degrees and is stored between 0 and 50. " * 3
    table = ShapeWriter(editor.textCursor()).add_table(
        Table((_row(["R-07", "yes", long, ""]), _row(["R-08", "no", long, ""])))
    )
    assert table is not None
    editor.show()
    layout = editor.document().documentLayout()
    number, answer, text, empty = (
        layout.blockBoundingRect(table.cellAt(0, column).firstCursorPosition().block()).width()
        for column in range(4)
    )
    assert max(number, answer) < text / 3
    # There is room to write in it.
    assert empty > 2 * answer
    assert editor.horizontalScrollBar().maximum() == 0


def test_a_source_breaks_no_word_of_a_table(qtbot: QtBot, tmp_path: Path) -> None:
    view = SourceTextView()
    qtbot.addWidget(view)
    view.resize(380, 300)
    view.show_document(_source(tmp_path, NAMES, CELLS))
    view.show()
    assert set(_lines(view.document())) >= {*NAMES, *CELLS} - {"EP09-A3", "TR-8832"}
    assert view.horizontalScrollBar().maximum() > 0


def test_a_source_with_a_word_that_no_line_holds_breaks_it(qtbot: QtBot, tmp_path: Path) -> None:
    view = SourceTextView()
    qtbot.addWidget(view)
    view.resize(380, 300)
    view.show_document(_source(tmp_path, ["File", "Checksum"], ["a.md", "0f" * 64]))
    view.show()
    assert view.horizontalScrollBar().maximum() == 0


def test_all_columns_are_on_the_paper(desk: OpenDesk, tmp_path: Path) -> None:
    editor = desk.window.parts.draft_panel.editor
    ShapeWriter(editor.textCursor()).write((Table((_row(NAMES * 3), _row(CELLS * 3))),))
    path = tmp_path / "draft.pdf"
    PrintFlow(desk.window.desk).print_to(QPdfWriter(str(path)))
    with pdfplumber.open(path) as pdf:
        assert all(char["x1"] <= page.width for page in pdf.pages for char in page.chars)
