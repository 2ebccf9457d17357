"""The settings of the page hold at once and at the next start; focus mode is bare."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QObject, Qt, QUrl, Slot
from PySide6.QtGui import QDesktopServices, QFontInfo
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

from phasergun_desktop.settings.model import (
    Appearance,
    Naming,
    Reranking,
    RerankWith,
    SearchEmbedding,
    Spelling,
    SpellingLanguage,
)
from phasergun_desktop.ui.dialogs.embedding_form import OWN, READS_ALL
from phasergun_desktop.ui.dialogs.reranking_form import SLOW
from phasergun_desktop.ui.dialogs.settings_dialog import SettingsDialog
from phasergun_desktop.ui.theme import colours_for
from tests.ui.conftest import OpenDesk


class _Opener(QObject):
    """Stands where the system opens files."""

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []

    @Slot(QUrl)
    def open_url(self, url: QUrl) -> None:
        self.opened.append(url.toLocalFile())


def _dialog(desk: OpenDesk) -> SettingsDialog:
    desk.window.actions_table["settings"].trigger()
    return next(one for one in desk.window.findChildren(SettingsDialog) if one.isVisible())


def _line(desk: OpenDesk) -> float:
    editor = desk.window.parts.draft_panel.editor
    return editor.viewport().width() / editor.fontMetrics().averageCharWidth()


def test_what_is_chosen_is_seen_and_is_back_after_a_restart(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    desk.window.resize(1900, 1000)
    editor = desk.window.parts.draft_panel.editor
    editor.set_points(15)
    desk.wait(lambda: editor.width() > 800)
    dialog = _dialog(desk)
    families = [dialog.family.itemText(at) for at in range(dialog.family.count())]
    assert families[0] == "Serif"
    assert families[1].startswith("The system's (")
    assert len(families) > 3
    dialog.family.setCurrentIndex(1)
    system = QFontInfo(desk.window.font()).family()
    assert QFontInfo(editor.font()).family() == system
    dialog.points.setValue(13.5)
    # The zoom ends: what is chosen is what is seen.
    assert editor.points == 13.5
    dialog.characters.setValue(60)
    assert 57 <= _line(desk) <= 63
    dialog.characters.setValue(80)
    assert 77 <= _line(desk) <= 83
    dialog.theme.setCurrentText("Dark")
    desk.wait(lambda: colours_for(editor.palette()).is_dark)
    assert desk.window.actions_table["theme-dark"].isChecked()
    dialog.language.setCurrentText("British English")
    dialog.close()
    # Kept at once, not only when the window closes.
    kept = desk.settings.settings
    assert (kept.appearance.draft_font_family, kept.appearance.line_characters) == (system, 80)
    assert kept.spelling == Spelling(True, SpellingLanguage.BRITISH)
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    editor = again.window.parts.draft_panel.editor
    assert (editor.points, editor.font().families()[0]) == (13.5, system)
    assert again.window.actions_table["theme-dark"].isChecked()
    dialog = _dialog(again)
    assert dialog.language.currentText() == "British English"
    dialog.restore.click()
    assert (editor.points, editor.font().families()[0]) == (12.0, "Charter")
    dialog.close()
    assert again.settings.settings.appearance == Appearance()


def test_the_language_of_the_spelling_changes_at_once(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.insertPlainText("The colour is analyzed ")

    def wrong() -> list[str]:
        return [one.text for one in editor.spelling.misspelled(editor.document().begin())]

    desk.wait(lambda: wrong() == ["colour"])
    dialog = _dialog(desk)
    dialog.language.setCurrentText("British English")
    desk.wait(lambda: wrong() == ["analyzed"])
    dialog.language.setCurrentText("Not checked")
    assert wrong() == []
    assert not desk.window.actions_table["check-spelling"].isChecked()
    dialog.language.setCurrentText("American English")
    desk.wait(lambda: wrong() == ["colour"])
    dialog.close()


def test_what_reranks_is_chosen_and_told_where_it_cannot_be_used(
    desk: OpenDesk, tmp_path: Path
) -> None:
    dialog = _dialog(desk)
    form = dialog.reranking
    assert form.reranking == Reranking()
    assert not form.path.isVisible()
    form.method.setCurrentText("The language model")
    assert form.notice.text() == SLOW
    form.method.setCurrentText("A cross-encoder of mine")
    assert form.path.isVisible()
    assert "No cross-encoder" in form.notice.text()
    form.path.folder_button.click()
    picker = next(iter(form.findChildren(QFileDialog)))
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "config.json").write_text("{}", "utf-8")
    picker.fileSelected.emit(str(folder))
    picker.close()
    assert form.path.path == str(folder)
    assert not form.notice.isVisible() or "custom-models" in form.notice.text()
    dialog.close()
    chosen = Reranking(RerankWith.CROSS_ENCODER, str(folder))
    assert desk.settings.settings.reranking == chosen
    dialog = _dialog(desk)
    assert dialog.reranking.reranking == chosen
    dialog.restore.click()
    dialog.close()
    assert desk.settings.settings.reranking == Reranking()


def test_what_searches_is_chosen_and_reads_the_documents_when_the_dialog_closes(
    desk: OpenDesk, tmp_path: Path
) -> None:
    dialog = _dialog(desk)
    form = dialog.embedding
    assert form.embedding == SearchEmbedding()
    assert not form.path.isVisible()
    assert not form.notice.isVisible()
    form.method.setCurrentText(OWN)
    assert "No embedder" in form.notice.text()
    file = tmp_path / "mine.onnx"
    for one in (file, tmp_path / "tokenizer.json"):
        one.write_bytes(b"")
    form.path.box.setText(f" {file} ")
    assert form.notice.text() == READS_ALL
    sync = desk.window.work.sync
    assert sync is not None

    def reads() -> bool:
        return sync.is_running

    desk.wait(lambda: not reads())
    dialog.close()
    chosen = SearchEmbedding(True, str(file))
    assert desk.settings.settings.embedding == chosen
    assert reads()
    desk.wait(lambda: not reads())
    dialog = _dialog(desk)
    assert dialog.embedding.embedding == chosen
    dialog.close()
    assert not reads()
    dialog = _dialog(desk)
    dialog.restore.click()
    dialog.close()
    assert desk.settings.settings.embedding == SearchEmbedding()
    desk.wait(lambda: not reads())


def test_other_names_are_kept_and_a_line_that_is_none_is_told(desk: OpenDesk) -> None:
    form = _dialog(desk).naming
    assert form.naming == Naming()
    form.box.setPlainText("MAF =  minimum air flow\n\nBGM\n")
    assert form.notice.isVisible()
    assert "“BGM” names nothing twice" in form.notice.text()
    form.box.setPlainText("MAF =  minimum air flow\n\nBGM = meter\n")
    assert not form.notice.isVisible()
    form.window().close()
    chosen = Naming(("MAF = minimum air flow", "BGM = meter"))
    assert desk.settings.settings.naming == chosen
    dialog = _dialog(desk)
    assert dialog.naming.naming == chosen
    # Nobody types them again after a click.
    dialog.restore.click()
    assert dialog.naming.naming == chosen
    dialog.close()


def test_words_that_were_added_can_be_looked_through(desk: OpenDesk, tmp_path: Path) -> None:
    dialog = _dialog(desk)
    assert not dialog.words.isEnabled()
    dialog.close()
    (tmp_path / "dictionary.txt").write_text("teh\n", "utf-8")
    dialog = _dialog(desk)
    opener = _Opener()
    # The stub asks for bytes, which the call refuses.
    QDesktopServices.setUrlHandler("file", opener, "open_url")  # type: ignore[arg-type]
    try:
        dialog.words.click()
    finally:
        QDesktopServices.unsetUrlHandler("file")
    assert opener.opened == [str(tmp_path / "dictionary.txt")]
    dialog.close()


@pytest.mark.parametrize("key", [Qt.Key.Key_F11, Qt.Key.Key_Escape])
def test_focus_mode_is_bare_while_one_types_and_ends_by_a_key(desk: OpenDesk, key: Qt.Key) -> None:
    desk.generate()
    parts = desk.window.parts
    editor = parts.draft_panel.editor
    around = (
        *desk.window.docks,
        desk.window.sheet.line,
        parts.draft_tabs,
        parts.style_bar,
        parts.draft_panel.footnotes_box,
    )
    before = [one.isVisible() for one in around]
    assert desk.window.docks[0].isVisible()
    assert all(before[-4:])
    draft = parts.draft_panel.draft
    assert draft is not None
    editor.setFocus()
    QTest.keyClick(editor, Qt.Key.Key_F11)
    assert not any(one.isVisible() for one in around)
    QTest.keyClicks(editor, "Calm. ")
    # What follows the text a moment later stays hidden too.
    parts.draft_panel.refresh()
    desk.window.draft_flow.drafts_changed.emit()
    desk.window.draft_flow.shelf.show_draft(desk.session.drafts.load(draft.draft_id))
    assert not any(one.isVisible() for one in around)
    assert editor.hasFocus()
    QTest.keyClick(editor, key)
    assert [one.isVisible() for one in around] == before
    assert not desk.window.actions_table["focus-mode"].isChecked()


def test_esc_closes_the_find_bar_before_it_ends_focus_mode(desk: OpenDesk) -> None:
    desk.generate()
    parts = desk.window.parts
    desk.window.actions_table["focus-mode"].trigger()
    desk.window.actions_table["find"].trigger()
    assert parts.find_bar.isVisible()
    QTest.keyClick(parts.find_bar.box, Qt.Key.Key_Escape)
    assert not parts.find_bar.isVisible()
    assert not parts.style_bar.isVisible()
    QTest.keyClick(parts.draft_panel.editor, Qt.Key.Key_Escape)
    assert parts.style_bar.isVisible()


def test_a_new_draft_in_focus_mode_brings_the_prompt_back(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["focus-mode"].trigger()
    assert not desk.window.parts.prompt_panel.isVisible()
    desk.window.actions_table["new-draft"].trigger()
    assert desk.window.parts.prompt_panel.isVisible()
    assert desk.window.docks[0].isVisible()
    assert not desk.window.actions_table["focus-mode"].isChecked()
