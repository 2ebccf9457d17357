"""Misspelled words of a draft: seen, mended from the keyboard or the mouse, learnt, ignored."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt, QThread
from PySide6.QtGui import QPixmap, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu

from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.keyword_index import KeywordIndex
from phasergun_desktop.settings.model import SpellingLanguage
from phasergun_desktop.ui.editor.draft_editor import DraftEditor
from phasergun_desktop.ui.theme import colours_for
from tests.fakes.small_project import SmallProject
from tests.fakes.ui_documents import SOP
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk


def _editor(desk: OpenDesk) -> DraftEditor:
    return desk.window.parts.draft_panel.editor


def _wrong(desk: OpenDesk) -> list[str]:
    editor, found = _editor(desk), []
    block = editor.document().begin()
    while block.isValid():
        found += [one.text for one in editor.spelling.misspelled(block)]
        block = block.next()
    return found


def _answer(
    monkeypatch: pytest.MonkeyPatch, call: Callable[[frozenset[str]], frozenset[str]]
) -> None:
    monkeypatch.setattr(FakeSession, "occurring", lambda _session, words: call(words))


def _type(desk: OpenDesk, words: str, *, before: str = "") -> None:
    editor = _editor(desk)
    editor.setFocus()
    if before:
        editor.move_cursor(editor.document().find(before).selectionStart())
    if words.isascii():
        QTest.keyClicks(editor, words)
    else:
        editor.insertPlainText(words)


def _menu(desk: OpenDesk, word: str) -> QMenu:
    editor = _editor(desk)
    menu = QMenu(editor)
    menu.addAction("Copy")
    editor.menu_wanted.emit(menu, editor.document().find(word).selectionStart())
    return menu


def _choose(menu: QMenu, text: str) -> None:
    next(one for one in menu.actions() if one.text() == text).trigger()
    menu.deleteLater()


def _red_rows(desk: OpenDesk, word: str) -> int:
    """How many rows of pixels right under a word are red from end to end."""
    editor = _editor(desk)
    found = editor.document().find(word)
    start, end = QTextCursor(found), QTextCursor(found)
    start.setPosition(found.selectionStart())
    end.setPosition(found.selectionEnd())
    left, right = editor.cursorRect(start), editor.cursorRect(end)
    picture = QPixmap(editor.viewport().size())
    editor.viewport().render(picture, QPoint())
    image = picture.toImage()
    red = colours_for(editor.palette()).wrong
    return sum(
        all(
            image.pixelColor(x, y).name() == red.name()
            for x in range(left.left() + 2, right.left() - 2)
        )
        for y in range(left.center().y(), left.bottom() + 6)
    )


def test_misspelled_words_are_marked_and_words_of_the_sources_are_not(desk: OpenDesk) -> None:
    desk.generate()
    desk.wait(lambda: _wrong(desk) == [])
    _type(desk, "sucessfully carefully ", before="measures")
    desk.wait(lambda: _wrong(desk) == ["sucessfully"])
    assert _red_rows(desk, "sucessfully") == 2
    assert _red_rows(desk, "carefully") == 0
    # A word of no dictionary that occurs in a document of the project.
    _type(desk, "Zell ", before="measures")
    desk.wait(lambda: "Zell" in _wrong(desk))
    source = desk.session.sources[SOP]
    desk.session.sources[SOP] = replace(
        source,
        record=replace(source.record, sha256="ef" * 32),
        document=replace(source.document, text=source.document.text + " Zell"),
    )
    desk.window.actions_table["sync"].trigger()
    desk.wait(lambda: _wrong(desk) == ["sucessfully"])


def test_sources_are_asked_for_unknown_words_alone_and_once(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.wait(lambda: desk.session.syncs == 1 and not desk.window.runners.indexing.is_busy)
    desk.wait(lambda: desk.window.spelling_flow.is_ready)
    asked: list[frozenset[str]] = []
    threads: set[str] = set()

    def occurring(words: frozenset[str]) -> frozenset[str]:
        asked.append(words)
        threads.add(QThread.currentThread().objectName())
        return words & {"Zell"}

    _answer(monkeypatch, occurring)
    text = "Teh meter was recieved.\nThe wrod “teh” of Zell’s meter. "
    _editor(desk).insertPlainText(text)
    assert _wrong(desk) == []
    desk.wait(lambda: _wrong(desk) == ["Teh", "recieved", "wrod"])
    assert asked == [{"Teh", "teh", "recieved", "wrod", "Zell's", "zell's", "Zell"}]
    _editor(desk).insertPlainText("Teh wrod of Zell. A mesurement ")
    desk.wait(lambda: _wrong(desk)[-3:] == ["Teh", "wrod", "mesurement"])
    assert asked[1:] == [{"mesurement"}]
    assert threads == {"interactive"}


def test_words_are_marked_at_once_where_no_project_is_open(
    open_desk: Callable[..., OpenDesk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(opens_project=False)
    _answer(monkeypatch, lambda words: words)
    desk.wait(lambda: desk.window.spelling_flow.is_ready)
    _editor(desk).insertPlainText("Teh end")
    assert _wrong(desk) == ["Teh"]


def test_words_are_marked_where_the_index_cannot_be_read(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_words: frozenset[str]) -> frozenset[str]:
        raise StorageError("Damaged", "The index is damaged.", "Read the folder again.")

    _answer(monkeypatch, fail)
    _type(desk, "Teh end ")
    desk.wait(lambda: _wrong(desk) == ["Teh"])
    assert desk.window.parts.message_bar.message == ""


def test_words_of_the_index_are_known(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    project = SmallProject(tmp_path)
    project.write("Procedures/SOPs/sop.md", "# Assay\n\nA lysate of Zell occurred at Sensora.")
    project.sync()
    _answer(monkeypatch, KeywordIndex(project.store).occurring)
    _type(desk, "Zell occured at Sensora, Sensora\u2019s sensora ")
    desk.wait(lambda: _wrong(desk) == ["occured", "sensora"])
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    project.close()


def test_f7_waits_for_the_sources(desk: OpenDesk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.wait(lambda: desk.window.spelling_flow.is_ready)
    gate = threading.Event()
    _answer(monkeypatch, lambda words: words & {"Zellwand"} if gate.wait(10) else words)
    _editor(desk).insertPlainText("A Zellwand is recieved.\n" + "The end.\n" * 300 + "Teh end.")
    _editor(desk).move_cursor(0)
    _editor(desk).setFocus()
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    assert not _editor(desk).textCursor().hasSelection()
    assert desk.window.parts.status_bar.work_label.text() != "No misspelled words"
    gate.set()
    desk.wait(lambda: _editor(desk).textCursor().selectedText() == "recieved")
    # Far below what is in view.
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    desk.wait(lambda: _editor(desk).textCursor().selectedText() == "Teh")
    # One that is not marked yet comes before one that is.
    gate.clear()
    _editor(desk).move_cursor(0)
    _editor(desk).insertPlainText("A wrod. ")
    _editor(desk).move_cursor(0)
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    gate.set()
    desk.wait(lambda: _editor(desk).textCursor().hasSelection())
    assert _editor(desk).textCursor().selectedText() == "wrod"


def test_an_answer_to_f7_does_not_move_a_writer_who_went_on(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.wait(lambda: desk.window.spelling_flow.is_ready)
    gate = threading.Event()
    _answer(monkeypatch, lambda words: words if not gate.wait(10) else frozenset())
    _editor(desk).insertPlainText("The end is recieved.")
    _editor(desk).move_cursor(0)
    _editor(desk).setFocus()
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    _type(desk, "In ")
    gate.set()
    desk.wait(lambda: _wrong(desk) == ["recieved"])
    assert _editor(desk).textCursor().position() == 3
    # Nor later, when the cursor is there again.
    _editor(desk).move_cursor(0)
    _editor(desk).textCursor().document().find("end").insertText("wrod")
    _editor(desk).move_cursor(0)
    desk.wait(lambda: _wrong(desk) == ["wrod", "recieved"])
    assert not _editor(desk).textCursor().hasSelection()


def test_a_word_is_not_marked_while_it_is_typed(desk: OpenDesk) -> None:
    _type(desk, "Teh")
    desk.wait(lambda: _wrong(desk) == ["Teh"])
    assert _red_rows(desk, "Teh") == 0
    QTest.keyClick(_editor(desk), Qt.Key.Key_Space)
    assert _red_rows(desk, "Teh") == 2


def test_the_lines_move_with_a_page_that_is_scrolled_sideways(desk: OpenDesk) -> None:
    _type(desk, "much wider than the page Teh " + "_" * 90 + " ")
    desk.wait(lambda: "Teh" in _wrong(desk))
    bar = _editor(desk).horizontalScrollBar()
    assert bar.maximum() > 20
    bar.setValue(20)
    assert _red_rows(desk, "Teh") == 2


def test_a_suggestion_takes_the_place_of_the_word_in_its_sentence(desk: OpenDesk) -> None:
    desk.generate()
    before = desk.text()
    _type(desk, "sucessfully ", before="measures")
    desk.wait(lambda: _wrong(desk) == ["sucessfully"])
    panel = desk.window.parts.draft_panel
    panel.refresh()
    units = len(panel.text.followed)
    _choose(_menu(desk, "sucessfully"), "successfully")
    assert desk.text() == before.replace("measures", "successfully measures")
    panel.refresh()
    assert len(panel.text.followed) == units
    # One undo step.
    _editor(desk).undo()
    assert "sucessfully" in desk.text()


def test_words_are_ignored_or_added_for_good(
    open_desk: Callable[..., OpenDesk], tmp_path: Path
) -> None:
    desk = open_desk()
    _type(desk, "Glucometri and hematocritty ")
    desk.wait(lambda: _wrong(desk) == ["Glucometri", "hematocritty"])
    menu = _menu(desk, "Glucometri")
    assert "Copy" in [one.text() for one in menu.actions()[3:]]
    _choose(menu, "A&dd to the dictionary")
    _choose(_menu(desk, "hematocritty"), "&Ignore")
    assert _wrong(desk) == []
    own = tmp_path / "dictionary.txt"
    desk.wait(lambda: own.is_file() and own.read_text("utf-8") == "Glucometri\n")
    desk.window.close()
    again = open_desk(workspace=desk.workspace)
    again.wait(lambda: _wrong(again) == ["hematocritty"])


def test_f7_goes_from_word_to_word_and_alt_return_offers(desk: OpenDesk) -> None:
    _type(desk, "Teh meter was recieved. “Teh box” ")
    QTest.keyClick(_editor(desk), Qt.Key.Key_Return)
    _type(desk, "The end ")
    desk.wait(lambda: len(_wrong(desk)) == 2)
    for word in ("Teh", "recieved", "Teh"):
        QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
        assert _editor(desk).textCursor().selectedText() == word
    QTest.keyClick(_editor(desk), Qt.Key.Key_Return, Qt.KeyboardModifier.AltModifier)
    menu = next(one for one in _editor(desk).findChildren(QMenu) if one.isVisible())
    assert menu.actions()[0].text() == "The"
    menu.actions()[0].trigger()
    menu.close()
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    assert _editor(desk).textCursor().selectedText() == "recieved"
    _editor(desk).insertPlainText("received")
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    assert desk.window.parts.status_bar.work_label.text() == "No misspelled words"
    assert desk.text().startswith("The meter was received.")


def test_spelling_is_switched_off_and_stays_off(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    _type(desk, "Teh colour ")
    desk.wait(lambda: _wrong(desk) == ["Teh", "colour"])
    desk.window.actions_table["check-spelling"].trigger()
    assert _wrong(desk) == []
    assert _red_rows(desk, "Teh") == 0
    desk.window.actions_table["next-misspelling"].trigger()
    assert "not checked" in desk.window.parts.status_bar.work_label.text()
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: "Teh" in again.text())
    assert not again.window.actions_table["check-spelling"].isChecked()
    assert _wrong(again) == []
    again.window.actions_table["check-spelling"].trigger()
    again.wait(lambda: _wrong(again) == ["Teh", "colour"])
    again.window.close()
    assert again.settings.settings.spelling.is_on
    assert again.settings.settings.spelling.language is SpellingLanguage.AMERICAN


def test_hovering_says_what_the_lines_mean(desk: OpenDesk) -> None:
    _type(desk, "Teh & colour ")
    desk.wait(lambda: len(_wrong(desk)) == 2)
    found = _editor(desk).spelling.word_at(1)
    assert found is not None
    assert found.selectedText() == "Teh"
    assert _editor(desk).spelling.word_at(4) is None


def test_characters_outside_of_the_first_plane_move_nothing(desk: OpenDesk) -> None:
    _type(desk, "\U0001f600 Teh end ")
    desk.wait(lambda: _wrong(desk) == ["Teh"])
    QTest.keyClick(_editor(desk), Qt.Key.Key_F7)
    assert _editor(desk).textCursor().selectedText() == "Teh"
    assert _red_rows(desk, "Teh") == 0 or _editor(desk).textCursor().hasSelection()


def test_a_long_draft_is_drawn_within_a_frame(desk: OpenDesk) -> None:
    editor = _editor(desk)
    desk.wait(lambda: desk.window.spelling_flow.is_ready)
    sentence = "The meter measures glucose in teh blood of a patient and shows it. "
    editor.setPlainText("\n".join(sentence * 6 for _ in range(300)))
    editor.verticalScrollBar().setValue(4000)
    area = QRect(QPoint(), editor.viewport().size())
    picture = QPixmap(editor.viewport().size())
    editor.viewport().render(picture, QPoint())
    checked, drawn = [], editor.spelling.misspelled

    def count(block: object) -> object:
        checked.append(block)
        return drawn(block)  # type: ignore[arg-type]

    editor.spelling.misspelled = count  # type: ignore[method-assign, assignment]
    started = time.perf_counter()
    editor.viewport().render(picture, QPoint())
    took = time.perf_counter() - started
    print(f"{len(checked)} paragraphs of {editor.document().blockCount()}: {took * 1000:.1f} ms")
    # Those in view, of 300; the time is that of a machine on which others work as well.
    assert 0 < len(checked) < 20
    assert area.isValid()
    assert took < 0.2
