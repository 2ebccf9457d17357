"""The real window on a full disk: what was typed is kept, copied, asked about and brought back."""

from __future__ import annotations

import stat
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QFileDialog, QMessageBox
from pytestqt.qtbot import QtBot

from phasergun_desktop.drafts.draft_store import DraftStore
from phasergun_desktop.paths import Places
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.editor import autosave
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import build_application

Opened = Callable[[], "AbstractContextManager[_Desk]"]
SAVED = "".join(f"word{number} " for number in range(28))
UNSAVED = "".join(f"word{number} " for number in range(28, 1400))


class _Desk:
    """The shown window, as its user meets it."""

    def __init__(self, window: MainWindow, qtbot: QtBot) -> None:
        self.window = window
        self.qtbot = qtbot

    def wait(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    @property
    def drafts(self) -> DraftStore:
        """Where the drafts are kept."""
        session = self.window.keeper.session
        assert session is not None
        store = session.drafts
        assert isinstance(store, DraftStore)
        return store

    def stored(self) -> str:
        """The words of the draft that was saved last."""
        draft = self.drafts.latest()
        return " ".join(unit.text for unit in draft.units) if draft is not None else ""

    def text(self) -> str:
        return str(self.window.parts.draft_panel.editor.toPlainText())

    def type(self, words: str) -> None:
        self.window.parts.draft_panel.editor.textCursor().insertText(words)

    def limit(self, pages: int) -> None:
        """Let the database of drafts grow to so many pages only (SQLite raises it to what is)."""

        def limit() -> None:
            connection = self.drafts._database.connection()
            connection.execute(f"PRAGMA max_page_count = {pages}")

        limit()
        # Each thread has a connection of its own.
        job = self.window.runners.interactive.submit_call(limit, must_run=True)
        self.wait(lambda: job.is_done)

    def is_unsaved_shown(self) -> bool:
        return not self.window.parts.status_bar.unsaved_label.isHidden()

    def question(self) -> QMessageBox:
        """The question that is open."""
        shown = [one for one in self.window.findChildren(QMessageBox) if one.isVisible()]
        assert len(shown) == 1
        return shown[0]

    def answer(self, words: str) -> None:
        """Press a button of the question."""
        next(one for one in self.question().buttons() if words in one.text()).click()

    def fill_and_type(self) -> None:
        """Type, let the disk be full, and go on typing until it shows."""
        self.type(SAVED)
        self.wait(lambda: "word27" in self.stored())
        self.limit(1)
        self.type(UNSAVED)
        self.wait(self.is_unsaved_shown)


@pytest.fixture
def places(tmp_path: Path, models_path: Path) -> Places:
    """Folders of a new user; a first place for rescue copies that takes none, and a second."""
    home = tmp_path / "home"
    (tmp_path / "no-folder").touch()
    rescue = (tmp_path / "no-folder", tmp_path / "rescue")
    return Places(home / "cache", home / "data", home / "config", models_path, rescue)


@pytest.fixture
def open_window(qtbot: QtBot, places: Places, tmp_path: Path, smollm2_path: Path) -> Opened:
    """A function that opens the window on the same small project."""
    root = tmp_path / "project"
    (root / "Context" / "Prompt").mkdir(parents=True)
    (root / "Context" / "Prompt" / "alarm.md").write_text("Describe the alarm.\n", "utf-8")

    @contextmanager
    def opened() -> Iterator[_Desk]:
        running = QApplication.instance()
        assert isinstance(running, QApplication)
        window = MainWindow(
            build_application(places, model=str(smollm2_path)).workspace,
            WindowMemory(SettingsStore(places.config / "settings.json")),
            ThemeSwitch(running),
            places.config,
        )
        with qtbot.waitExposed(window):
            window.show()
        desk = _Desk(window, qtbot)
        try:
            window.start(root)
            desk.wait(lambda: window.keeper.session)
            desk.wait(lambda: window.parts.prompt_panel.picker.count() == 2)
            desk.wait(lambda: not window.runners.interactive.is_busy)
            yield desk
        finally:
            window.let_go()
            window.deleteLater()
            qtbot.wait(1)

    return opened


def test_closing_asks_and_the_copy_is_offered_at_the_next_opening(
    open_window: Opened, places: Places
) -> None:
    with open_window() as desk:
        desk.fill_and_type()
        copy = next(places.rescue[1].glob("*.md"))
        assert str(copy) in desk.window.parts.message_bar.message
        assert "word1399" in copy.read_text("utf-8")
        assert stat.S_IMODE(copy.parent.stat().st_mode) == 0o700
        desk.type("Cancelled. ")
        desk.window.close()
        assert desk.window.isVisible()
        assert str(copy) in desk.question().informativeText()
        desk.answer("Cancel")
        assert desk.is_unsaved_shown()
        # Whoever goes on typing has a copy of that as well.
        desk.type("Last words. ")
        desk.window.close()
        assert "Cancelled. Last words." in copy.read_text("utf-8")
        desk.answer("Close without saving")
        assert not desk.window.isVisible()
        text = desk.text()
    with open_window() as desk:
        assert "word27" in desk.text()
        assert "word28" not in desk.text()
        desk.answer("Bring back")
        desk.wait(lambda: "Last words." in desk.stored())
        assert desk.text() == text
        # What the project had is a version, and the copy has done its work.
        draft = desk.drafts.latest()
        assert draft is not None
        assert [one.words for one in desk.drafts.versions(draft.draft_id)] == [28]
        desk.wait(lambda: not places.rescue[1].exists())
        desk.window.close()
        assert not desk.window.isVisible()


def test_what_is_offered_can_wait_and_can_be_deleted(open_window: Opened, places: Places) -> None:
    with open_window() as desk:
        desk.fill_and_type()
        desk.window.close()
        desk.answer("Close without saving")
    with open_window() as desk:
        desk.answer("Later")
        # Saving the older words does not touch the copy of the newer ones.
        desk.type("Another. ")
        desk.wait(lambda: "Another." in desk.stored())
        desk.window.close()
    with open_window() as desk:
        desk.answer("Delete")
        desk.wait(lambda: not places.rescue[1].exists())
        assert "Another." in desk.text()
        desk.window.close()


def test_saving_goes_on_when_there_is_room_again(
    open_window: Opened, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(autosave, "RETRY_MS", 50)
    with open_window() as desk:
        desk.fill_and_type()
        desk.window.actions_table["save"].trigger()
        desk.wait(lambda: desk.window.parts.status_bar.work_label.text() == "Not saved")
        desk.limit(100_000)
        # Nobody types anything.
        desk.wait(lambda: not desk.is_unsaved_shown())
        assert "word1399" in desk.stored()
        assert not places.rescue[1].exists()
        desk.window.close()
        assert not desk.window.isVisible()


def test_a_copy_in_another_place_lets_the_window_close(open_window: Opened, tmp_path: Path) -> None:
    copy = tmp_path / "elsewhere" / "copy.md"
    with open_window() as desk:
        desk.fill_and_type()
        desk.window.close()
        desk.answer("Save a copy")
        dialog = desk.window.findChildren(QFileDialog)[0]
        dialog.fileSelected.emit(str(copy))
        dialog.reject()
        desk.wait(lambda: not desk.window.isVisible())
        assert "word1399" in copy.read_text("utf-8")


def test_trying_again_saves_and_closes(open_window: Opened) -> None:
    with open_window() as desk:
        desk.fill_and_type()
        desk.window.close()
        desk.answer("Try again")
        assert desk.window.isVisible()
        desk.limit(100_000)
        desk.answer("Try again")
        desk.wait(lambda: not desk.window.isVisible())
    with open_window() as desk:
        assert "word1399" in desk.text()
        desk.window.close()


def test_an_export_that_cannot_be_recorded_is_not_said_to_have_failed(
    open_window: Opened, tmp_path: Path
) -> None:
    path = tmp_path / "stick" / "alarm.md"
    with open_window() as desk:
        desk.fill_and_type()
        desk.window.draft_flow.shelf.export_to(path)
        status = desk.window.parts.status_bar
        desk.wait(lambda: status.work_label.text() == "Exported, but not recorded")
        assert "word1399" in path.read_text("utf-8")
        desk.limit(100_000)


def test_a_typed_prompt_is_there_at_the_next_opening(open_window: Opened, tmp_path: Path) -> None:
    file = tmp_path / "project" / "Context" / "Prompt" / "alarm.md"
    with open_window() as desk:
        desk.window.parts.prompt_panel.editor.appendPlainText("And its loudness.")
        desk.window.close()
        assert not desk.window.isVisible()
    assert file.read_text("utf-8") == "Describe the alarm.\n"
    with open_window() as desk:
        panel = desk.window.parts.prompt_panel
        assert panel.prompt_text == "Describe the alarm.\nAnd its loudness."
        assert panel.prompt_file == "Context/Prompt/alarm.md"
        desk.window.draft_flow.save_prompt()
        desk.wait(lambda: "loudness" in file.read_text("utf-8"))
        desk.wait(lambda: not panel.is_changed())
        desk.window.close()
    file.write_text("Describe the strips.\n", "utf-8")
    with open_window() as desk:
        # It was saved: the file counts again.
        assert desk.window.parts.prompt_panel.prompt_text == "Describe the strips."
        desk.window.close()
