"""Each format is shown at its place: slides, rows, cues, recognised pages."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from msgspec import structs
from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QFont, QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel
from pytestqt.qtbot import QtBot

from phasergun_desktop.documents.model import (
    BlockKind,
    LineLocator,
    PageLocator,
    ParagraphLocator,
    Rect,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.ui.qt_absent import table_of
from phasergun_desktop.ui.sources.row_model import RowModel
from phasergun_desktop.ui.sources.row_table import RowTable
from phasergun_desktop.ui.sources.source_panel import SourcePanel
from phasergun_desktop.ui.sources.source_target import SourceTarget, page_rects
from phasergun_desktop.ui.sources.source_text import build_source_text
from phasergun_desktop.ui.sources.source_views import is_table
from phasergun_desktop.ui.sources.table_columns import column_labels, placed_cells
from phasergun_desktop.ui.sources.text_view import SourceTextView
from phasergun_desktop.ui.wording import clock, headline, place_in_words, recognition_note
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.marked_passage import marked_in, marked_text
from tests.fakes.ui_documents import device_description
from tests.fakes.ui_formats import SCAN, SLIDES, TABLE, long_text, scan, slides, table, transcript
from tests.ui.conftest import OpenDesk


def _show(desk: OpenDesk, source: SourceDocument, start: int, end: int) -> SourcePanel:
    """Open a place of a source in the window."""
    desk.session.sources[source.record.file] = source
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown):
        panel.show_target(SourceTarget(source.record.file, start, end), [])
    return panel


def _texts(panel: SourcePanel) -> list[str]:
    return [one.text() for one in panel.findChildren(QLabel) if one.isVisible() and one.text()]


# Slides -----------------------------------------------------------------------------------------


def test_slides_are_cards_in_their_order_and_empty_ones_are_said(qapp: QApplication) -> None:
    made = build_source_text(slides(4).document, QFont())
    text = made.document.toPlainText()
    places = [text.index(f"Slide {number}") for number in (1, 2, 3, 4)]
    assert places == sorted(places)
    assert "Slide 2: no text" in text
    assert len(made.slides) == 4
    assert len(made.document.rootFrame().childFrames()) == 4


def test_speaker_notes_stand_in_a_frame_of_their_own(qapp: QApplication) -> None:
    source = slides(1).document
    made = build_source_text(source, QFont())
    frames = []
    for block in source.blocks[:4]:
        cursor = made.document.rootFrame().firstCursorPosition()
        cursor.setPosition(made.positions(block.start, block.end)[0][0])
        frames.append(cursor.currentFrame())
    kinds = [block.kind for block in source.blocks[:4]]
    assert kinds[-1] is BlockKind.PARAGRAPH
    title, shape, footer, notes = frames
    assert title == shape == footer
    assert notes.parentFrame() == title
    assert "Speaker notes" in made.document.toPlainText()


def test_the_cited_shape_is_in_view_with_a_band(desk: OpenDesk) -> None:
    source = slides(40)
    document = source.document
    block = [one for one in document.blocks if one.kind is BlockKind.SLIDE][-3]
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.text_view
    assert panel.views.currentWidget() is view
    assert marked_in(panel) == document.block_text(block)
    (band,) = view.bands()
    top = view.verticalScrollBar().value()
    assert top <= band.top()
    assert band.bottom() <= top + view.viewport().height()
    assert f"Design review {block.locator.slide}, slide {block.locator.slide}" in _texts(panel)  # type: ignore[union-attr]


def test_a_passage_stays_in_view_when_the_panel_becomes_low_or_narrow(desk: OpenDesk) -> None:
    source = slides(40)
    block = [one for one in source.document.blocks if one.kind is BlockKind.SLIDE][-9]
    view = _show(desk, source, block.start, block.end).views.text_view

    def top() -> int:
        (marked, *_rest) = view.extraSelections()
        start = QTextCursor(marked.cursor)
        start.setPosition(start.selectionStart())
        return int(view.cursorRect(start).top())

    width, height = view.width(), view.height()
    for size in (QSize(width, 60), QSize(width, height), QSize(width // 2, height)):
        view.resize(size)
        assert 0 <= top() < view.viewport().height()
    # What the writer has scrolled to stays.
    view.verticalScrollBar().setValue(0)
    view.resize(width, 60)
    assert view.verticalScrollBar().value() == 0


def test_next_page_goes_to_the_next_slide(desk: OpenDesk) -> None:
    source = slides(30)
    panel = _show(desk, source, 0, 0)
    view = panel.views.text_view
    bar = view.verticalScrollBar()
    before = bar.value()
    panel.views.step_page(1)
    panel.views.step_page(1)
    assert view.document().findBlock(view.top_position()).text() == "Slide 3"
    panel.views.step_page(-1)
    panel.views.step_page(-1)
    panel.views.step_page(-1)
    assert abs(bar.value() - before) < 40


def test_a_numbered_item_has_no_bullet(qtbot: QtBot, tmp_path: Path) -> None:
    path = tmp_path / "steps.md"
    path.write_text("1. Rinse it.\n2. Dry it.\n\n- Loose.\n", encoding="utf-8")
    view = SourceTextView()
    qtbot.addWidget(view)
    view.show_document(parse_file(path))
    assert view.toPlainText().split("\n") == ["1. Rinse it.", "2. Dry it.", "• Loose."]


# Tables -----------------------------------------------------------------------------------------


def test_cells_stand_in_the_column_of_their_header() -> None:
    document = slides(3).document
    rows = [one for one in document.blocks if one.kind is BlockKind.TABLE_ROW]
    labels = column_labels(rows)
    assert labels == ("Range", "Within ±15 mg/dL", "Within ±15 %")
    placed = [
        [(one.column, one.text) for one in placed_cells(row, labels, document.text)] for row in rows
    ]
    assert placed[1] == [(0, "< 100 mg/dL"), (1, "93 of 100")]
    assert placed[2] == [(0, "≥ 100 mg/dL"), (2, "183 of 200")]
    for row in rows:
        for cell in placed_cells(row, labels, document.text):
            assert document.text[cell.start : cell.end] == cell.text


def test_columns_without_a_header_row_are_named_by_the_rows() -> None:
    rows = [one for one in slides(3).document.blocks if one.kind is BlockKind.TABLE_ROW][1:]
    assert column_labels(rows) == ("Range", "Within ±15 mg/dL", "Within ±15 %")
    first = structs.replace(rows[0], cells=(("A", "1"), ("C", "3")))
    second = structs.replace(rows[1], cells=(("A", "1"), ("B", "2"), ("C", "3"), ("D", "4")))
    assert column_labels((first, second)) == ("A", "B", "C", "D")


def test_the_header_of_a_word_table_stays_in_view(desk: OpenDesk) -> None:
    source = device_description()
    # High enough for the table and what stands above it.
    desk.window.resize(1280, 1440)
    panel = _show(desk, source, 0, 0)
    view = panel.views.text_view
    row = next(one for one in source.document.blocks if "GS-C2" in str(one.cells))
    view.show_passage(row.start, row.end)
    found = table_of(view.textCursor())
    assert found is not None
    assert found.format().headerRowCount() == 1
    bar = view.verticalScrollBar()
    bar.setValue(bar.value() + view.cursorRect().top() - 30)
    strip = QRect(0, 0, view.viewport().width(), 24)
    with_header = view.viewport().grab(strip).toImage()
    # A table without header rows draws none: this is the text below it.
    plain = found.format()
    plain.setHeaderRowCount(0)
    found.setFormat(plain)
    assert view.viewport().grab(strip).toImage() != with_header
    # What is drawn is the first row as it stands further up.
    bar.setValue(0)
    whole = view.viewport().grab().toImage()
    text = with_header.copy(0, 6, strip.width(), 12)
    heights = range(whole.height() - 12)
    assert any(whole.copy(0, top, strip.width(), 12) == text for top in heights)


def test_a_csv_file_is_a_table_and_each_cell_is_found(qapp: QApplication) -> None:
    document = table(30).document
    assert is_table(document)
    assert not is_table(device_description().document)
    view = RowTable()
    view.show_document(document)
    for block in document.blocks:
        view.show_passage(block.start, block.end)
        assert marked_text(view) == document.block_text(block)
        for _label, cell in block.cells:
            start = document.text.find(cell, block.start, block.end)
            view.show_passage(start, start + len(cell))
            assert marked_text(view) == cell
    view.deleteLater()


def test_the_cited_row_is_in_view_marked_with_its_number(desk: OpenDesk) -> None:
    source = table(900)
    document = source.document
    block = next(one for one in document.blocks if "S-00777" in document.block_text(one))
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.row_table
    assert panel.views.currentWidget() is view
    model = view.model()
    assert isinstance(model, RowModel)
    (row,) = model.rows_of(block.start, block.end)
    vertical = Qt.Orientation.Vertical
    assert model.headerData(row, vertical) == "▸ 777"
    assert model.headerData(row + 1, vertical) == "778"
    assert [model.headerData(one, Qt.Orientation.Horizontal) for one in range(5)] == [
        "Sample",
        "Lot",
        "Reference mg/dL",
        "Meter mg/dL",
        "Remark",
    ]
    top = view.visualRect(model.index(row, 0)).top()
    assert 0 <= top < view.viewport().height() - view.rowHeight(row)
    background = Qt.ItemDataRole.BackgroundRole
    assert model.index(row, 4).data(background) is not None
    assert model.index(row + 1, 0).data(background) is None
    assert "Row 777" in _texts(panel)
    # The whole row is meant: no cell of it is singled out.
    assert not any(model.is_cited(row, one) for one in range(5))


def test_a_passage_in_one_cell_frames_that_cell(desk: OpenDesk) -> None:
    source = table(60)
    start = source.document.text.index("damp strip")
    panel = _show(desk, source, start, start + 10)
    model = panel.views.row_table.model()
    assert isinstance(model, RowModel)
    assert [model.is_cited(12, one) for one in range(5)] == [False] * 4 + [True]
    assert marked_in(panel) == "damp strip"
    rows = panel.views.row_table
    assert rows.rowHeight(12) > 2 * rows.rowHeight(3)
    assert rows.visualRect(model.index(12, 4)).right() <= rows.viewport().width()


def test_cells_are_copied_from_the_keyboard(desk: OpenDesk) -> None:
    panel = _show(desk, table(60), 0, 0)
    rows = panel.views.row_table
    rows.setFocus()
    rows.setCurrentIndex(rows.model().index(0, 0))
    QTest.keyClick(rows, Qt.Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    desk.window.actions_table["copy"].trigger()
    assert QGuiApplication.clipboard().text() == "S-00002\tL3"


def test_zoom_makes_rows_and_text_larger(desk: OpenDesk) -> None:
    panel = _show(desk, table(60), 0, 0)
    before = panel.views.row_table.rowHeight(0)
    panel.views.zoom_by(4)
    assert panel.views.row_table.rowHeight(0) > before
    source = transcript(200)
    block = source.document.blocks[150]
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.text_view
    top = view.top_position()
    panel.views.zoom_by(3)
    assert view.top_position() == top
    assert marked_in(panel) == source.document.block_text(block)


def test_only_rows_in_view_are_worked_out(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    placed: list[int] = []

    def counting(self: RowModel, row: int) -> object:
        placed.append(row)
        return original(self, row)

    original = RowModel._place
    monkeypatch.setattr(RowModel, "_place", counting)
    document = table(20_000).document
    view = RowTable()
    view.resize(430, 600)
    view.show()
    view.show_document(document)
    view.show_passage(document.blocks[15_000].start, document.blocks[15_000].end)
    view.grab()
    assert 15_000 - 1 in placed
    assert len(set(placed)) < 400
    view.close()
    view.deleteLater()


# Transcripts ------------------------------------------------------------------------------------


def test_cues_have_time_and_speaker_beside_them(desk: OpenDesk) -> None:
    source = transcript(1100)
    block = source.document.blocks[1050]
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.text_view
    assert marked_in(panel) == source.document.block_text(block)
    time, speaker, said = view.textCursor().block().text().split("\t")
    assert (time, speaker) == ("1:03:00", "Dr. Meyer")
    assert said == source.document.block_text(block)
    assert "1:03:00, Dr. Meyer" in _texts(panel)
    assert len(view.bands()) == 1


# Very long sources ------------------------------------------------------------------------------


def test_a_very_long_source_is_laid_out_part_by_part(desk: OpenDesk) -> None:
    source = long_text(6000)
    document = source.document
    block = document.blocks[3000]
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.text_view
    assert marked_in(panel) == document.block_text(block)
    assert view.document().blockCount() < 2000
    # Another place, far away.
    block = document.blocks[5990]
    panel = _show(desk, source, block.start, block.end)
    assert marked_in(panel) == document.block_text(block)
    assert "Paragraph 5999 " in view.toPlainText()
    assert "The source begins further up." in view.toPlainText()
    assert "further down" not in view.toPlainText()


def test_scrolling_to_the_end_of_a_part_brings_the_next(desk: OpenDesk) -> None:
    source = long_text(6000)
    panel = _show(desk, source, 0, 0)
    view, bar = panel.views.text_view, panel.views.text_view.verticalScrollBar()
    assert "Paragraph 5999 " not in view.toPlainText()
    seen = 0
    while "Paragraph 5999 " not in view.toPlainText():
        before = view.toPlainText()
        bar.setValue(bar.maximum())
        top = view.document().findBlock(view.top_position()).text()
        desk.wait(lambda before=before: view.toPlainText() != before)  # type: ignore[misc]
        # What was at the top is still there.
        assert view.document().findBlock(view.top_position()).text() == top
        seen += 1
    assert 5 < seen < 20
    bar.setValue(0)
    desk.wait(lambda: "Paragraph 5999 " not in view.toPlainText())
    block = source.document.blocks[0]
    view.show_passage(block.start, block.end)
    assert marked_text(view) == source.document.block_text(block)


def test_a_paragraph_longer_than_a_part_is_shown_and_scrolled(desk: OpenDesk) -> None:
    source = long_text(3, words=60_000)
    document = source.document
    panel = _show(desk, source, document.blocks[1].start, document.blocks[1].end)
    assert marked_in(panel) == document.block_text(document.blocks[1])
    bar = panel.views.text_view.verticalScrollBar()
    bar.setValue(0)
    desk.wait(lambda: "Paragraph 0 " in panel.views.text_view.toPlainText())


# Recognised pages -------------------------------------------------------------------------------


def test_words_of_a_line_are_marked_as_one_stroke() -> None:
    document = scan().document
    block = document.blocks[1]
    words = list(block.segments)
    lines = page_rects(document, block.start, block.end)
    assert len(words) > 20
    assert len(lines) == 2
    for _page, rect in lines:
        assert rect.y1 - rect.y0 < 30
    left = min(one.rect.x0 for one in words)
    assert all(rect.x0 == left for _page, rect in lines)


def test_words_in_other_columns_and_pages_are_strokes_of_their_own() -> None:
    document = scan((0.9, 0.9)).document
    block = document.blocks[0]
    first, second, third, *_ = block.segments
    far = Rect(first.rect.x1 + 200, first.rect.y0, first.rect.x1 + 240, first.rect.y1)
    placed = (structs.replace(second, rect=far), structs.replace(third, page=2, rect=far))
    other = structs.replace(block, segments=(first, *placed))
    changed = replace(document, blocks=(other,))
    found = page_rects(changed, block.start, block.end)
    assert found == [(1, first.rect), (1, far), (2, far)]


def test_a_crooked_line_stays_a_marker_and_not_a_box() -> None:
    document = scan().document
    block = document.blocks[0]
    crooked = tuple(
        structs.replace(
            one,
            rect=Rect(30.0 * index, 100 + 2.0 * index, 30.0 * index + 26, 112 + 2.0 * index),
        )
        for index, one in enumerate(block.segments)
    )
    changed = replace(document, blocks=(structs.replace(block, segments=crooked),))
    found = page_rects(changed, block.start, block.end)
    assert 1 < len(found) < len(crooked) / 3
    assert all(rect.y1 - rect.y0 < 12 * 2.5 for _page, rect in found)


def test_a_recognised_page_says_so_and_how_sure(desk: OpenDesk) -> None:
    source = scan((0.92, 0.61))
    document = source.document
    panel = _show(desk, source, document.blocks[1].start, document.blocks[1].end)
    assert panel.views.shows_pages
    assert marked_in(panel) == document.block_text(document.blocks[1])
    assert "Text recognised from the picture, 92 % sure" in _texts(panel)
    assert "Page 1 of 2" in _texts(panel)
    panel.views.step_page(1)
    doubt = "Text recognised from the picture, 61 % sure: check it against the picture"
    desk.wait(lambda: doubt in _texts(panel))
    assert "Page 2 of 2" in _texts(panel)
    assert "Text recognised from the picture, 92 % sure" not in _texts(panel)
    # A job of its own asks for the page's picture.
    desk.wait(lambda: bool(desk.session.page_requests))
    assert {file for file, _page, _scale in desk.session.page_requests} == {SCAN}


def test_a_page_that_was_not_recognised_says_nothing(desk: OpenDesk) -> None:
    source = scan((0.92,))
    plain = tuple(structs.replace(one, ocr_confidence=None) for one in source.document.pages)
    source = SourceDocument(source.record, replace(source.document, pages=plain))
    panel = _show(desk, source, 0, 5)
    assert not [one for one in _texts(panel) if "recognised" in one]


# Words ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("locator", "path", "said", "above"),
    [
        (SlideLocator(3, 2), (), "slide 3", "Slide 3"),
        (SlideLocator(3, 2), ("Results",), "Results, slide 3", "Results, slide 3"),
        (RowLocator(14), (), "row 14", "Row 14"),
        (TimeLocator(754.9, 760.0, "Dr. Meyer"), (), "12:34, Dr. Meyer", "12:34, Dr. Meyer"),
        (TimeLocator(3723.0, 3730.0), (), "1:02:03", "1:02:03"),
        (PageLocator(2), ("A", "B"), "page 2", "Page 2"),
        (LineLocator(7), ("pH",), "pH, line 7", "pH, line 7"),
        (
            ParagraphLocator(("A", "B", "C"), table=1, row=3),
            (),
            "B › C, table 1, row 3",
            "B › C, table 1, row 3",
        ),
        (ParagraphLocator((), 4), (), "paragraph 4", "Paragraph 4"),
        (None, (), "", ""),
    ],
)
def test_places_in_words(locator: object, path: tuple[str, ...], said: str, above: str) -> None:
    assert place_in_words(locator, path) == said  # type: ignore[arg-type]
    assert headline(locator, path) == above  # type: ignore[arg-type]


def test_pages_are_counted_above_the_source() -> None:
    assert headline(PageLocator(1), ("Comparison",), 2, 5) == "Comparison, page 2 of 5"
    assert headline(PageLocator(1), (), 2, 5) == "Page 2 of 5"


def test_recognition_is_never_made_surer_than_it_is() -> None:
    assert recognition_note(0.699).endswith("69 % sure: check it against the picture")
    assert recognition_note(0.7).endswith("70 % sure")
    assert clock(59.99) == "0:59"


def test_light_and_dark_lay_out_again_at_the_same_place(
    desk: OpenDesk,
) -> None:
    source = slides(40)
    block = source.document.blocks[100]
    panel = _show(desk, source, block.start, block.end)
    view = panel.views.text_view
    before = view.document()
    top = view.top_position()
    desk.window.actions_table["theme-dark"].trigger()
    desk.wait(lambda: view.document() is not before)
    assert view.top_position() == top
    assert marked_in(panel) == source.document.block_text(block)
    desk.window.actions_table["theme-system"].trigger()


def test_files_of_every_kind_open_from_the_tree(desk: OpenDesk) -> None:
    panel = desk.window.parts.source_panel
    for source in (slides(), table(), transcript(), scan()):
        desk.session.sources[source.record.file] = source
        with desk.qtbot.waitSignal(panel.shown):
            desk.window.source_flow.open_file(source.record.file)
        assert marked_in(panel) == ""
    assert {SLIDES, TABLE} <= set(desk.session.sources)


def test_pages_that_wait_are_not_in_the_way_of_another_source(desk: OpenDesk) -> None:
    scanned, deck = scan((0.92, 0.9)), slides()
    desk.session.sources |= {SCAN: scanned, SLIDES: deck}
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown):
        panel.show_target(SourceTarget(SCAN, 0, 10), [])
    panel.show_target(SourceTarget(SLIDES, 0, 5), [])
    desk.wait(lambda: panel.views.currentWidget() is panel.views.text_view)
    # Back at the pages their images come after all.
    panel.show_target(SourceTarget(SCAN, 0, 10), [])
    desk.wait(lambda: panel.views.shows_pages and panel.views.page_view.has_image(1))


def test_the_pages_of_another_file_are_not_under_a_new_title(desk: OpenDesk) -> None:
    source = scan()
    panel = _show(desk, source, 0, 5)
    pages = panel.views.page_view
    assert panel.views.currentWidget() is pages
    panel.show_target(SourceTarget("Context/Ongoing/absent.pdf"), [])
    assert panel.views.currentWidget() is panel.views.hint
    assert panel.views.hint.text() == "Opening absent.pdf…"
    assert marked_in(panel) == ""
    desk.wait(lambda: panel.views.hint.text() == "absent.pdf could not be opened.")
    assert panel.views.currentWidget() is panel.views.hint
    _show(desk, source, 0, 5)
    assert panel.views.currentWidget() is pages
