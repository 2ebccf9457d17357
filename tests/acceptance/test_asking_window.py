"""Asking in the real window with the real engine: an answer, a follow-up, a passage, a draft."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QElapsedTimer, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from phasergun_desktop.conversations.model import Turn, TurnStatus
from phasergun_desktop.paths import Places
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.ask.turn_formats import Act
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import Application, build_application
from tests.fakes.marked_passage import marked_in
from tests.fakes.warmer_project import TEST_REPORT, make_warmer_project

ALARM = "At which temperature does the alarm sound?"
NOT_THERE = "Who sewed the leather saddle of the racing horse?"


@pytest.fixture
def places(tmp_path: Path, models_path: Path) -> Places:
    """Folders of a user who has never started the program."""
    home = tmp_path / "home"
    return Places(home / "cache", home / "data", home / "config", models_path)


@pytest.fixture
def application(places: Places) -> Iterator[Application]:
    """The product with folders of this test's own."""
    made = build_application(places)
    yield made
    made.close()


@pytest.fixture
def window(
    qtbot: QtBot, application: Application, places: Places, tmp_path: Path
) -> Iterator[MainWindow]:
    """The window on an indexed project."""
    running = QApplication.instance()
    assert isinstance(running, QApplication)
    made = MainWindow(
        application.workspace,
        WindowMemory(SettingsStore(places.config / "settings.json")),
        ThemeSwitch(running),
        places.config,
    )
    made.resize(1280, 720)
    with qtbot.waitExposed(made):
        made.show()
    made.start(make_warmer_project(tmp_path / "warmer"))
    index = made.parts.status_bar.index_label
    qtbot.waitUntil(lambda: "indexed" in index.text(), timeout=60_000)
    qtbot.waitUntil(lambda: not any(one.is_busy for one in made.runners.every), timeout=60_000)
    yield made
    made.close()
    late = made.late_runners
    made.deleteLater()
    qtbot.wait(1)
    assert late == ()


def _ask(qtbot: QtBot, window: MainWindow, text: str) -> Turn:
    panel = window.parts.ask_panel
    window.actions_table["go-ask"].trigger()
    panel.composer.box.put(text)
    with qtbot.waitSignal(window.ask_flow.asking.ended, timeout=60_000):
        QTest.keyClick(panel.composer.box, Qt.Key.Key_Return)
    return panel.transcript.turns[-1]


def test_a_conversation_from_the_question_to_the_draft(qtbot: QtBot, window: MainWindow) -> None:
    panel, source = window.parts.ask_panel, window.parts.source_panel
    turn = _ask(qtbot, window, ALARM)
    assert turn.status is TurnStatus.COMPLETE
    assert "42.5 °C" in panel.transcript.toPlainText()
    note = turn.footnotes[0]
    assert note.file == TEST_REPORT
    # The first mark opens exactly its passage.
    panel.transcript.go_to_turn(1)
    panel.transcript.setFocus()
    with qtbot.waitSignal(source.shown, timeout=20_000):
        QTest.keyClick(panel.transcript, Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        QTest.keyClick(panel.transcript, Qt.Key.Key_Return)
    assert marked_in(source) == panel.transcript.page.turn(1).footnotes[0].quote
    # A follow-up is looked up with the question before it, and numbers go on.
    louder = _ask(qtbot, window, "How loud is it?")
    assert louder.before == (ALARM,)
    assert "78 dB" in louder.text
    assert f"Looked up with: “{ALARM}”" in panel.transcript.toPlainText()
    other = _ask(qtbot, window, "What is the leakage current?")
    assert other.footnotes[0].number == len(turn.footnotes) + 1
    assert _ask(qtbot, window, ALARM).footnotes == turn.footnotes
    # Into the draft, with its footnotes.
    window.ask_flow.act(Act.INSERT, turn)
    inserted = window.parts.draft_panel.text.footnotes()
    assert [one.quote for _number, _key, one in inserted] == [one.quote for one in turn.footnotes]


def test_nothing_is_answered_that_no_document_says(qtbot: QtBot, window: MainWindow) -> None:
    turn = _ask(qtbot, window, NOT_THERE)
    assert turn.status is TurnStatus.ABSTAINED
    shown = window.parts.ask_panel.transcript.toPlainText()
    assert "Nearest passages" in shown or not turn.unused
    assert "would help" in shown
    assert "Insert into the draft" not in shown


def test_a_filter_keeps_everything_else_out(qtbot: QtBot, window: MainWindow) -> None:
    composer = window.parts.ask_panel.composer
    menu = composer.add_filter.menu()
    qtbot.waitUntil(lambda: len(menu.actions()) > 3, timeout=20_000)
    composer.chips.add(Filter(FilterKey.LAYER, "sops"))
    turn = _ask(qtbot, window, ALARM)
    assert turn.status is TurnStatus.ABSTAINED
    assert {passage.layer for passage in turn.unused} <= {Layer.SOPS}
    composer.chips.show_filters((Filter(FilterKey.LAYER, "ongoing"),))
    assert "42.5 °C" in _ask(qtbot, window, ALARM).text


def test_a_very_long_question_does_not_hold_the_window_up(qtbot: QtBot, window: MainWindow) -> None:
    clock, gaps = QElapsedTimer(), [0]
    clock.start()

    def ticks() -> bool:
        gaps.append(clock.restart())
        return not window.ask_flow.asking.is_running

    composer = window.parts.ask_panel.composer
    window.actions_table["go-ask"].trigger()
    composer.box.put(f"{ALARM} " * 480)
    composer.button.click()
    qtbot.waitUntil(ticks, timeout=60_000)
    turn = window.parts.ask_panel.transcript.turns[-1]
    assert turn.status in (TurnStatus.COMPLETE, TurnStatus.ABSTAINED)
    # (Other work on the machine is part of the longest gap.)
    assert sorted(gaps)[-2] < 300
