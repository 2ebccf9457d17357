"""The tools of the source panel, each driven as a writer drives it."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QGuiApplication, QResizeEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from phasergun_desktop.documents.model import Page
from phasergun_desktop.errors import DocumentError
from phasergun_desktop.ui.sources.page_view import PageView
from phasergun_desktop.ui.sources.source_panel import GONE, NOT_DRAWN, SourcePanel
from phasergun_desktop.ui.sources.source_target import SourceTarget
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.ui_documents import DEVICE, PREDICATE, device_description, predicate_summary
from tests.fakes.ui_formats import scan, slides, table, transcript
from tests.ui.conftest import OpenDesk


def show(desk: OpenDesk, source: SourceDocument) -> SourcePanel:
    """Open a whole source in the window, with the keyboard in it."""
    desk.session.sources[source.record.file] = source
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown):
        desk.window.source_flow.open_file(source.record.file)
    panel.focus_view()
    return panel


def pages(desk: OpenDesk, count: int = 12) -> tuple[SourcePanel, PageView]:
    panel = show(desk, predicate_summary(count))
    view = panel.views.page_view
    desk.wait(lambda: view.has_image(1))
    return panel, view


def selected(panel: SourcePanel, source: SourceDocument) -> str:
    start, end = panel.views.selected_span()
    return source.document.text[start:end]


# Pages, zoom, outline -------------------------------------------------------------------------


def test_the_page_box_goes_to_a_page_and_gives_the_keyboard_back(desk: OpenDesk) -> None:
    panel, view = pages(desk)
    box = panel.bar.page_box
    assert (box.minimum(), box.maximum(), box.value()) == (1, 12, 1)
    box.setFocus()
    box.selectAll()
    QTest.keyClicks(box, "7")
    QTest.keyClick(box, Qt.Key.Key_Return)
    assert view.current_page() == 7
    assert view.hasFocus()
    desk.wait(lambda: view.has_image(7))
    desk.window.actions_table["next-page"].trigger()
    desk.wait(lambda: box.value() == 8)


def test_pages_beside_the_one_in_view_are_drawn_and_those_passed_are_not(desk: OpenDesk) -> None:
    _panel, view = pages(desk)
    desk.wait(lambda: view.has_image(2))
    desk.session.page_requests.clear()
    for page in (4, 6, 8, 10, 12):
        view.go_to_page(page)
    desk.wait(lambda: view.has_image(12))
    asked = [page for _file, page, _scale in desk.session.page_requests]
    assert not {5, 6, 7, 8} & set(asked)


def test_while_it_is_scrolled_on_pages_come(desk: OpenDesk) -> None:
    _panel, view = pages(desk, 40)
    bar = view.verticalScrollBar()
    for _ in range(200):
        bar.setValue(bar.value() + 30)
        desk.qtbot.wait(5)
        if view.current_page() > 3 and view.has_image(view.current_page()):
            return
    raise AssertionError("no page came before the scrolling ended")


class _Counted(PageView):
    """Stops fitting where it would go on for ever."""

    times = 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        self.times += 1
        self._fits_width = self.times < 200
        super().resizeEvent(event)


def test_a_page_about_as_high_as_the_view_is_fitted_once(qtbot: QtBot) -> None:
    view = _Counted()
    qtbot.addWidget(view)
    view.show()
    for height in range(200, 320, 2):
        view.resize(400, height)
        view.times = 0
        view.show_pages((Page(300.0, 200.0),))
        QApplication.processEvents()
        assert view.times <= 2


def test_zoom_and_the_fitted_width(desk: OpenDesk) -> None:
    panel, view = pages(desk)
    fitted = view.transform().m11()
    desk.window.actions_table["zoom-in"].trigger()
    desk.window.actions_table["zoom-in"].trigger()
    assert view.transform().m11() > fitted
    panel.bar._buttons["fit-width"].click()
    assert view.transform().m11() == pytest.approx(fitted)


def test_the_outline_goes_to_a_heading(desk: OpenDesk) -> None:
    source = desk.session.sources[DEVICE]
    panel = show(desk, source)
    panel.bar.outline.aboutToShow.emit()
    entries = panel.bar.outline.actions()
    assert len(entries) > 1
    entries[-1].trigger()
    assert selected(panel, source) == entries[-1].text().strip().replace("&&", "&")


# Find -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: predicate_summary(5), "PAGE"),
        (slides, "slide"),
        (table, "lot"),
        (transcript, "meter"),
        (lambda: scan((0.9, 0.9)), "record"),
    ],
    ids=["pages", "slides", "table", "transcript", "scan"],
)
def test_words_are_found_in_every_kind_of_source(
    desk: OpenDesk, make: Callable[[], SourceDocument], words: str
) -> None:
    source = make()
    text = source.document.text
    word = words if words.lower() in text.lower() else max(text.split(), key=len)
    panel = show(desk, source)
    desk.window.actions_table["find"].trigger()
    bar = panel.bar
    assert bar.find_box.hasFocus()
    QTest.keyClicks(bar.find_box, word)
    times = text.lower().count(word.lower())
    # A table selects the cell, here one that stands under the word.
    is_table = panel.views.currentWidget() is panel.views.row_table
    assert is_table or selected(panel, source).lower() == word.lower()
    first = panel.views.selected_span()
    assert is_table or first[1] > first[0]
    assert bar._found.text() == f"1 of {times}"
    if times > 1:
        QTest.keyClick(bar.find_box, Qt.Key.Key_Return)
        assert panel.views.selected_span() > first
        assert bar._found.text() == f"2 of {times}"
        QTest.keyClick(bar.find_box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
        assert panel.views.selected_span() == first
    QTest.keyClick(bar.find_box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar._found.text() == f"{times} of {times}"
    bar.find_box.selectAll()
    QTest.keyClicks(bar.find_box, "no such words")
    assert bar._found.text() == "Not in this source"
    QTest.keyClick(bar.find_box, Qt.Key.Key_Escape)
    assert not bar.find_box.isVisible()
    assert panel.views.shown_view is not None
    assert panel.views.shown_view.hasFocus()


def test_another_source_closes_the_question_to_the_one_before(desk: OpenDesk) -> None:
    panel = show(desk, device_description())
    panel.bar.open_find()
    QTest.keyClicks(panel.bar.find_box, "glucose")
    desk.window.parts.draft_panel.editor.setFocus()
    panel = show(desk, transcript())
    assert not panel.bar.find_box.isVisible()


def test_words_are_found_where_a_line_ends_between_them(desk: OpenDesk) -> None:
    source = predicate_summary(3)
    panel = show(desk, source)
    lines = [one for block in source.document.blocks for one in block.segments]
    text = source.document.text
    first = next(one for one, two in itertools.pairwise(lines) if two.start - one.end == 1)
    last_word = text[first.start : first.end].split()[-1]
    next_word = text[first.end :].split()[0]
    panel.bar.open_find()
    panel.bar.find_box.setText(f"{last_word} {next_word}")
    assert panel.bar.find_text(1)
    assert selected(panel, source).split() == [last_word, next_word]


# Selecting and copying ------------------------------------------------------------------------


def test_lines_of_a_page_are_selected_with_the_mouse_and_copied(desk: OpenDesk) -> None:
    panel, view = pages(desk, 3)
    source = desk.session.sources[PREDICATE]
    block = next(one for one in source.document.blocks if len(one.segments) > 1)
    first, last = block.segments[0], block.segments[-1]

    def at(x: float, y: float) -> QPoint:
        return view.mapFromScene(view._pages[first.page - 1].mapToScene(QPointF(x, y)))

    begin = at(first.rect.x0 + 1, (first.rect.y0 + first.rect.y1) / 2)
    end = at(last.rect.x1 - 1, (last.rect.y0 + last.rect.y1) / 2)
    port = view.viewport()
    QTest.mousePress(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, begin)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, end)
    whole = " ".join(source.document.text[first.start : last.end].split())
    assert " ".join(selected(panel, source).split()) == whole
    desk.window.actions_table["copy"].trigger()
    assert QGuiApplication.clipboard().text() == whole


# Citations of this draft, elsewhere -------------------------------------------------------------


def test_next_and_previous_citation_of_this_draft_in_this_source(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.source_panel
    notes = [
        one for _n, _k, one in desk.window.parts.draft_panel.text.footnotes() if one.file == DEVICE
    ]
    assert len(notes) > 1
    with desk.qtbot.waitSignal(panel.shown):
        desk.click_mark(next(iter(desk.window.parts.draft_panel.editor.numbers())))
    seen = []
    for _ in range(len(notes)):
        assert panel.target is not None
        seen.append((panel.target.start, panel.target.end))
        desk.window.actions_table["next-passage"].trigger()
    assert sorted(seen) == sorted((one.start, one.end) for one in notes)
    assert panel.target is not None
    assert (panel.target.start, panel.target.end) == seen[0]
    desk.window.actions_table["previous-passage"].trigger()
    assert (panel.target.start, panel.target.end) == seen[-1]


def test_it_is_opened_in_its_own_application_and_shown_in_its_folder(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[str] = []

    def keep(url: QUrl) -> bool:
        opened.append(url.toLocalFile())
        return True

    monkeypatch.setattr(QDesktopServices, "openUrl", keep)
    show(desk, desk.session.sources[DEVICE])
    table = desk.window.actions_table
    table["open-external"].trigger()
    table["show-in-folder"].trigger()
    assert opened == []
    assert "not in the folder any more" in desk.window.parts.message_bar.message
    path: Path = desk.session.project.root / DEVICE
    path.parent.mkdir(parents=True)
    path.write_bytes(b"PK")
    table["open-external"].trigger()
    table["show-in-folder"].trigger()
    assert opened == [path.as_posix(), path.parent.as_posix()]


# A source that goes away ------------------------------------------------------------------------


def test_a_source_that_disappears_says_so_and_stays_drawn(desk: OpenDesk) -> None:
    panel, view = pages(desk, 5)
    desk.wait(lambda: view.has_image(2))
    source = desk.session.sources.pop(PREDICATE)
    desk.window.project_flow.sync()
    desk.wait(lambda: panel._notice.text() == GONE)
    assert panel._notice.isVisible()
    assert panel.views.currentWidget() is view
    assert view.has_image(1)
    # A page that was not drawn yet fails, and says no more than that.
    view.go_to_page(5)
    desk.qtbot.wait(100)
    assert panel._notice.text() == GONE
    panel.reload(PREDICATE)
    desk.wait(lambda: "not indexed" in desk.window.parts.message_bar.message)
    assert view.has_image(1)
    desk.session.sources[PREDICATE] = source
    desk.window.project_flow.sync()
    desk.wait(lambda: not panel._notice.isVisible())


def test_a_page_that_cannot_be_drawn_is_told_once_above_it(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel, view = pages(desk, 5)

    def fail(*_asked: object) -> None:
        raise DocumentError("Gone", "The file cannot be read.", "Put it back.")

    monkeypatch.setattr(desk.session, "page_image", fail)
    view.go_to_page(5)
    desk.wait(lambda: panel._notice.text().startswith(NOT_DRAWN))
    assert "Put it back." in panel._notice.text()
    assert desk.window.parts.message_bar.message == ""
    assert view.has_image(1)
    panel.show_target(SourceTarget(PREDICATE), [])
