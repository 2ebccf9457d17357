"""Names from outside are shown letter for letter, also where they look like markup."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QStandardItem, QTextDocument
from PySide6.QtGui import Qt as GuiQt
from PySide6.QtWidgets import QApplication, QInputDialog, QLabel, QMessageBox, QToolTip, QWidget

from phasergun_desktop.drafts.export import ExportFormat
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.projects.project_records import RegisteredProject
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.ui.dialogs.categories_dialog import FILE, CategoriesDialog
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.wording import literal
from phasergun_desktop.workspace.session_prompts import PromptFile
from tests.fakes.ui_documents import DEVICE
from tests.ui.conftest import OpenDesk

NAMES = ("<b>x</b>.md", "<img src=x>.md", "&lt;b>x.md")

pytestmark = pytest.mark.parametrize("name", NAMES)


def _read(text: str) -> str:
    """Return what a person reads where Qt guesses whether ``text`` is markup."""
    if not GuiQt.mightBeRichText(text):
        return text
    document = QTextDocument()
    document.setHtml(text)
    return document.toPlainText()


def _tips(item: QStandardItem) -> list[str]:
    below = [tip for row in range(item.rowCount()) for tip in _tips(item.child(row))]
    return [_read(item.toolTip()), *below]


def _is_shown(label: QLabel) -> bool:
    """Whether a label shows its text as it is."""
    guesses = label.textFormat() is not Qt.TextFormat.PlainText
    return not (guesses and GuiQt.mightBeRichText(label.text()))


def _messages(window: QWidget) -> list[QMessageBox]:
    return [box for box in window.findChildren(QMessageBox) if box.isVisible()]


def test_the_function_keeps_what_is_no_markup(name: str) -> None:
    assert _read(literal(f"{name}\nindexed")) == f"{name}\nindexed"
    assert literal("a < b & c") == "a < b & c"


def test_the_tree_and_what_is_dragged_over_it(desk: OpenDesk, name: str, tmp_path: Path) -> None:
    panel = desk.window.parts.project_panel
    file = f"{name}/a.md"
    desk.wait(lambda: panel.model.item_of_file(DEVICE) is not None)
    panel.model.show_file(FileRecord(file, Layer.ONGOING, FileState.FAILED, f"{name} is broken"))
    item = panel.model.item_of_file(file)
    assert item is not None
    assert _tips(item) == [f"{file}\nNeeds attention: {name} is broken"]
    panel.tree.expandAll()
    panel.tree.scrollTo(item.index())
    where = QPointF(panel.tree.visualRect(item.index()).center()).toPoint()
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(tmp_path / "b.md"))])
    left, none = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    for event in (QDragEnterEvent, QDragMoveEvent):
        moved = event(where, Qt.DropAction.CopyAction, data, left, none)
        QApplication.sendEvent(panel.tree.viewport(), moved)
    assert _read(QToolTip.text()) == f"Copy into {Path(file).parent.as_posix()}"
    QToolTip.hideText()


def test_prompts_and_drafts_are_listed_by_their_names(desk: OpenDesk, name: str) -> None:
    model, panel = desk.window.parts.project_panel.model, desk.window.parts.prompt_panel
    prompts = (PromptFile(name, name, "Describe it."),)
    model.show_prompts(prompts)
    panel.show_prompts(prompts)
    tops = [model.item(row) for row in range(model.rowCount())]
    assert name in [tip for top in tops for tip in _tips(top)]
    assert _read(str(panel.picker.itemData(0, Qt.ItemDataRole.ToolTipRole))) == name


def test_a_problem_of_the_prompt_names_the_file(desk: OpenDesk, name: str) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    panel.set_model_problem(f"{name} is no model.")
    assert _read(panel.prose_button.toolTip()) == f"{name} is no model."
    panel.show_plan_failure(f"{name} cannot be read.")
    assert _is_shown(panel.summary)


def test_hits_of_the_search(desk: OpenDesk, name: str) -> None:
    panel = desk.window.parts.search_panel
    hit = replace(desk.session.search("meter").hits[0], file=name)
    panel._show(SearchResult((hit,)))
    assert _read(panel.hits.item(0).toolTip()).startswith(f"{name}\n")


def test_the_list_of_categories(desk: OpenDesk, name: str) -> None:
    sheet = replace(desk.session.category_sheet(), files=(name,))
    dialog = CategoriesDialog(sheet, "", desk.window)
    item = dialog.table.item(0, FILE)
    assert item is not None
    assert (item.text(), _read(item.toolTip())) == (name, name)
    dialog.deleteLater()


def test_projects_and_the_summary_of_files(desk: OpenDesk, name: str) -> None:
    parts = desk.window.parts
    project = RegisteredProject(Path(name), "1", name, "2026-01-01T00:00:00Z")
    parts.project_panel.show_projects((project,), None)
    tip = parts.project_panel.switcher.itemData(0, Qt.ItemDataRole.ToolTipRole)
    assert _read(str(tip)) == str(Path(name))
    broken = FileRecord(name, Layer.ONGOING, FileState.FAILED, "it is empty")
    desk.window.contents_flow._records = {name: broken}
    desk.window.contents_flow._show_summary()
    assert _read(parts.status_bar.index_label.toolTip()) == f"{name}: it is empty"
    label = ElidedLabel(name)
    assert _is_shown(label)
    assert _read(label.toolTip()) == name


def test_messages_and_questions(desk: OpenDesk, name: str) -> None:
    bar = desk.window.parts.message_bar
    desk.window.reporter.report(ProjectError(name, f"{name} is locked."))
    assert bar.message.startswith(name)
    assert all(map(_is_shown, bar.findChildren(QLabel)))
    shelf = desk.window.draft_flow.shelf
    chosen = desk.session.project.root / name.replace("/", "").removesuffix(".md")
    there = chosen.with_name(f"{chosen.name}.docx")
    there.write_text("a file", "utf-8")
    shelf.export_as(chosen, ExportFormat.WORD)
    (question,) = _messages(desk.window)
    assert there.name in question.text()
    assert all(map(_is_shown, question.findChildren(QLabel)))
    question.reject()


def test_sources_that_disagree(desk: OpenDesk, name: str) -> None:
    window = desk.window
    message = f"{name} says 5, b.md says 6."
    window.parts.problems_panel.show_problems(
        [], (), (Discrepancy(DiscrepancyKind.VALUES, message),), {}
    )
    assert _read(window.parts.problems_panel.list.item(0).toolTip()) == message
    window.discrepancy_flow.ask_reason(Discrepancy(DiscrepancyKind.VALUES, message))
    dialog = next(one for one in window.findChildren(QInputDialog) if one.isVisible())
    assert _read(dialog.labelText()).startswith(message)
    dialog.reject()
