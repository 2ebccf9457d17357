"""The first minute in the real window: the sample with its draft, and a project of one's own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolButton
from pytestqt.qtbot import QtBot

from phasergun_desktop.paths import Places
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.marked_passage import marked_in

WRONG = "A full cell operates the device for 20 hours."


@pytest.fixture
def window(qtbot: QtBot, tmp_path: Path) -> Iterator[MainWindow]:
    """The window of a user who has never started the program."""
    home = tmp_path / "home"
    places = Places(home / "cache", home / "data", home / "config", home / "models")
    application = QApplication.instance()
    assert isinstance(application, QApplication)
    made = MainWindow(
        build_application(places).workspace,
        WindowMemory(SettingsStore(places.config / "settings.json")),
        ThemeSwitch(application),
        places.config,
    )
    made.resize(1280, 720)
    with qtbot.waitExposed(made):
        made.show()
    made.start(None)
    yield made
    made.close()
    late = made.late_runners
    made.deleteLater()
    qtbot.wait(1)
    assert late == ()


@pytest.fixture
def wait(qtbot: QtBot) -> Callable[[Callable[[], object]], None]:
    """A function that lets the window work until something holds."""
    return lambda condition: qtbot.waitUntil(lambda: bool(condition()), timeout=60_000)


def test_the_sample_opens_on_a_finished_draft_with_one_problem(
    window: MainWindow,
    wait: Callable[[Callable[[], object]], None],
    qtbot: QtBot,
    tmp_path: Path,
) -> None:
    parts = window.parts
    window.commands.run("open-sample")
    panel = parts.draft_panel
    wait(lambda: WRONG in panel.editor.toPlainText())
    wait(lambda: parts.problems_panel.total == 1)
    assert parts.status_bar.problems_button.text() == "1 problem"
    assert list(parts.hint_strip.shown) == ["footnote", "problem", "generate"]
    assert parts.hint_strip.isVisible()
    # It is there before the folder is read, and nothing is said of sources that only wait.
    wait(lambda: window.keeper.current is not None and not window.keeper.current.is_running)
    wait(lambda: not any(one.is_busy for one in window.runners.every))
    assert parts.problems_panel.total == 1
    assert panel.editor.highlighter.changed_footnotes == frozenset()
    window.actions_table["next-problem"].trigger()
    assert panel.editor.textCursor().selectedText().startswith(WRONG)
    assert list(parts.hint_strip.shown) == ["footnote", "generate"]
    key = panel.text.footnotes()[0][1]
    with qtbot.waitSignal(parts.source_panel.shown, timeout=20_000):
        panel.editor.footnote_activated.emit(key)
    assert marked_in(parts.source_panel) == panel.text.footnotes()[0][2].quote
    assert list(parts.hint_strip.shown) == ["generate"]
    # The manual says how the problem is mended.
    found = panel.editor.document().find("20 hours")
    panel.editor.move_cursor(found.selectionStart() + 2, anchor=found.selectionStart())
    QTest.keyClicks(panel.editor, "18")
    wait(lambda: parts.problems_panel.total == 0)
    prompt = parts.prompt_panel
    prompt.choose("Context/Prompt/risk-management-summary.md")
    wait(prompt.generate_button.isEnabled)
    prompt.generate_button.click()
    wait(lambda: not parts.hint_strip.isVisible())
    wait(lambda: not any(one.is_busy for one in window.runners.every))
    window.close()
    kept = SettingsStore(tmp_path / "home" / "config" / "settings.json").load()
    assert set(kept.window.hints_seen) == {"footnote", "problem", "generate"}


@pytest.mark.parametrize("late_s", [0.0, 0.3, 1.0])
def test_a_source_that_is_read_later_is_shown_then(
    window: MainWindow,
    wait: Callable[[Callable[[], object]], None],
    monkeypatch: pytest.MonkeyPatch,
    late_s: float,
) -> None:
    """Whether the list of files or the news that the file was read comes first."""
    files = ProjectSession.files

    def late(session: ProjectSession) -> object:
        found = files(session)
        time.sleep(late_s)
        return found

    monkeypatch.setattr(ProjectSession, "files", late)
    panel, source = window.parts.draft_panel, window.parts.source_panel
    window.commands.run("open-sample")
    wait(lambda: bool(panel.text.footnotes()))
    panel.editor.footnote_activated.emit(panel.text.footnotes()[0][1])
    wait(lambda: window.parts.message_bar.message or marked_in(source))
    wait(lambda: marked_in(source))
    assert window.parts.message_bar.message == ""


def test_a_note_that_is_put_away_does_not_return(
    window: MainWindow, wait: Callable[[Callable[[], object]], None], tmp_path: Path
) -> None:
    strip = window.parts.hint_strip
    window.commands.run("open-sample")
    wait(strip.isVisible)
    next(one for one in strip.findChildren(QToolButton) if one.accessibleName()).click()
    assert strip.shown == ("problem", "generate")
    window.keeper.create(tmp_path / "Mine")
    wait(lambda: not strip.isVisible())
    window.commands.run("open-sample")
    wait(lambda: strip.shown == ("problem", "generate"))


def test_nothing_of_the_sample_is_in_a_new_project(
    window: MainWindow, wait: Callable[[Callable[[], object]], None], tmp_path: Path
) -> None:
    parts = window.parts
    window.commands.run("open-sample")
    prompt = parts.prompt_panel
    wait(lambda: WRONG in parts.draft_panel.editor.toPlainText())
    wait(lambda: prompt.prompt_text and prompt.picker.count() > 1)
    prompt.choose("Context/Prompt/design-plan.md")
    window.keeper.create(tmp_path / "Mine")
    session = window.keeper.session
    wait(lambda: window.keeper.session is not session)
    wait(lambda: not any(one.is_busy for one in window.runners.every))
    assert window.windowTitle().startswith("Mine")
    assert prompt.prompt_text == ""
    assert prompt.prompt_file == ""
    assert [prompt.picker.itemText(row) for row in range(prompt.picker.count())] == ["New prompt"]
    assert prompt.plan is None
    assert parts.draft_panel.editor.toPlainText() == ""
    prompt.editor.undo()
    assert prompt.prompt_text == ""
