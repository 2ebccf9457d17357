"""Empty folders say what belongs there; files that are dropped on a folder are copied, asked."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path, PurePosixPath
from threading import Event

import pytest
from PySide6.QtCore import QMimeData, QModelIndex, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QMessageBox

from phasergun_desktop.projects.folder_tree import create_project_tree
from phasergun_desktop.ui.projects.project_tree_model import NODE_ROLE, Node, NodeKind
from phasergun_desktop.ui.theme import colours_for
from tests.fakes.ui_documents import DEVICE
from tests.ui.conftest import OpenDesk


def _indexes(desk: OpenDesk, parent: QModelIndex | None = None) -> list[QModelIndex]:
    model, found = desk.window.parts.project_panel.model, []
    above = parent or QModelIndex()
    for row in range(model.rowCount(above)):
        index = model.index(row, 0, above)
        found += [index, *_indexes(desk, index)]
    return found


def _node(index: QModelIndex) -> Node:
    node = index.data(NODE_ROLE)
    assert isinstance(node, Node)
    return node


def _places(desk: OpenDesk) -> dict[str, str]:
    """The folders that are said to be empty, with what is said."""
    places = [one for one in _indexes(desk) if _node(one).kind is NodeKind.PLACE]
    return {_node(one).key: str(one.data()) for one in places}


@pytest.fixture
def laid_out(open_desk: Callable[..., OpenDesk], tmp_path: Path) -> OpenDesk:
    """A desk on a folder with the convention's tree."""
    create_project_tree(tmp_path / "glucose")
    desk = open_desk()
    desk.wait(lambda: desk.window.parts.project_panel.model.item_of_file(DEVICE) is not None)
    desk.wait(lambda: bool(_places(desk)))
    return desk


def test_empty_folders_say_what_belongs_there(laid_out: OpenDesk) -> None:
    places = _places(laid_out)
    assert places["Procedures/QPs"] == "Policies: only if named"
    assert places["Context/General"] == "Standards: only if named"
    assert "Procedures/SOPs" not in places
    assert "Context/Initiation" not in places
    assert "Context/Prompt" not in places
    line = next(i for i in _indexes(laid_out) if _node(i).key == "Context/General")
    assert "It is used when a prompt names it." in str(line.data(Qt.ItemDataRole.ToolTipRole))
    palette = laid_out.window.palette()
    assert line.data(Qt.ItemDataRole.ForegroundRole).color() == colours_for(palette).muted


def test_the_words_go_when_a_file_comes_and_return_when_it_goes(laid_out: OpenDesk) -> None:
    model = laid_out.window.parts.project_panel.model
    files = laid_out.session.files()
    model.show_files(tuple(one for one in files if not one.file.startswith("Context/Initiation")))
    assert _places(laid_out)["Context/Initiation"] == "Device description, user needs"
    model.show_files(files)
    assert "Context/Initiation" not in _places(laid_out)


def test_the_words_go_as_soon_as_the_first_file_is_seen(laid_out: OpenDesk) -> None:
    model, files = laid_out.window.parts.project_panel.model, laid_out.session.files()
    model.show_files(())
    assert "Procedures/SOPs" in _places(laid_out)
    model.show_file(next(one for one in files if one.file.startswith("Procedures/SOPs")))
    assert "Procedures/SOPs" not in _places(laid_out)


def test_a_plain_folder_has_no_empty_folders(desk: OpenDesk) -> None:
    desk.wait(lambda: desk.window.parts.project_panel.model.item_of_file(DEVICE) is not None)
    assert _places(desk) == {}


def _drop(desk: OpenDesk, name: str, *paths: Path) -> bool:
    """Drag files over the line ``name`` and let go; whether they were taken."""
    tree = desk.window.parts.project_panel.tree
    index = next(one for one in _indexes(desk) if str(one.data()) == name)
    tree.scrollTo(index)
    where = QPointF(tree.visualRect(index).center())
    data = QMimeData()
    data.setUrls([QUrl.fromLocalFile(str(one)) for one in paths])
    copy, left = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton
    none = Qt.KeyboardModifier.NoModifier
    entered = QDragEnterEvent(where.toPoint(), copy, data, left, none)
    QApplication.sendEvent(tree.viewport(), entered)
    moved = QDragMoveEvent(where.toPoint(), copy, data, left, none)
    QApplication.sendEvent(tree.viewport(), moved)
    dropped = QDropEvent(where, copy, data, left, none)
    QApplication.sendEvent(tree.viewport(), dropped)
    assert moved.isAccepted() == dropped.isAccepted()
    return dropped.isAccepted()


def _question(desk: OpenDesk) -> QMessageBox:
    desk.wait(lambda: bool(desk.window.findChildren(QMessageBox)))
    return desk.window.findChildren(QMessageBox)[0]


def _answer(desk: OpenDesk, words: str) -> None:
    box = _question(desk)
    next(one for one in box.buttons() if one.text().replace("&", "") == words).click()
    desk.wait(lambda: not desk.window.findChildren(QMessageBox))


def test_dropped_files_are_copied_after_a_question(laid_out: OpenDesk, tmp_path: Path) -> None:
    desk, file, folder = laid_out, tmp_path / "K991234.txt", tmp_path / "more"
    file.write_text("summary")
    folder.mkdir()
    (folder / "K995678.txt").write_text("another")
    syncs = desk.session.syncs
    assert _drop(desk, "Standards: only if named", file, folder)
    box = _question(desk)
    assert box.text() == "Copy 2 files into Context/General?"
    target = tmp_path / "glucose" / "Context" / "General"
    assert list(target.iterdir()) == []
    _answer(desk, "Copy")
    desk.wait(lambda: "2 files copied" in desk.window.parts.status_bar.work_label.text())
    assert (target / "K991234.txt").read_text() == "summary"
    assert (target / "more" / "K995678.txt").read_text() == "another"
    desk.wait(lambda: desk.session.syncs > syncs)


def test_cancel_copies_nothing(laid_out: OpenDesk, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    assert _drop(laid_out, "SOPs", tmp_path / "a.txt")
    assert _question(laid_out).text() == "Copy 1 file into Procedures/SOPs?"
    _answer(laid_out, "Cancel")
    assert list((tmp_path / "glucose" / "Procedures" / "SOPs").iterdir()) == []


@pytest.mark.parametrize(
    ("words", "after"),
    [
        ("Keep both", {"a.txt": "old", "a (2).txt": "new", "b.txt": "b"}),
        ("Replace", {"a.txt": "new", "b.txt": "b"}),
        ("Leave those out", {"a.txt": "old", "b.txt": "b"}),
        ("Cancel", {"a.txt": "old"}),
    ],
)
def test_names_that_exist_are_asked_about(
    laid_out: OpenDesk, tmp_path: Path, words: str, after: dict[str, str]
) -> None:
    desk, target = laid_out, tmp_path / "glucose" / "Context" / "General"
    (target / "a.txt").write_text("old")
    (tmp_path / "a.txt").write_text("new")
    (tmp_path / "b.txt").write_text("b")
    assert _drop(desk, "Standards: only if named", tmp_path / "a.txt", tmp_path / "b.txt")
    box = _question(desk)
    assert box.informativeText() == "There is a file of this name already: a.txt."
    _answer(desk, words)
    desk.wait(lambda: not desk.window.drop_flow.is_running)
    assert {one.name: one.read_text() for one in target.iterdir()} == after


def test_copying_can_be_stopped_and_keeps_nobody_waiting(
    laid_out: OpenDesk, tmp_path: Path
) -> None:
    desk, stop = laid_out, laid_out.window.parts.status_bar.stop_button
    large, target = tmp_path / "large.pdf", tmp_path / "glucose" / "Context" / "General"
    large.touch()
    os.truncate(large, 1 << 30)
    assert _drop(desk, "Standards: only if named", large)
    _answer(desk, "Copy")
    desk.wait(stop.isVisible)
    assert desk.window.actions_table["stop"].isEnabled()
    assert desk.window.actions_table["generate"].isEnabled()
    desk.wait(lambda: "Copying large.pdf" in desk.window.parts.status_bar.work_label.text())
    # A plan, a search and the draft's autosave have their turn.
    with desk.qtbot.waitSignal(desk.window.runners.interactive.submit_call(int).succeeded):
        assert desk.window.drop_flow.is_running
    stop.click()
    desk.wait(lambda: not desk.window.drop_flow.is_running)
    assert desk.window.parts.status_bar.work_label.text() == "Stopped: 0 of 1 file copied"
    assert list(target.iterdir()) == []
    assert not stop.isVisible()
    assert not desk.window.actions_table["stop"].isEnabled()


def test_stop_stays_while_files_are_copied_when_a_draft_ends(laid_out: OpenDesk) -> None:
    desk, commands = laid_out, laid_out.window.commands
    stop = desk.window.actions_table["stop"]
    gate = Event()
    desk.window.runners.models.submit_call(gate.wait)
    (desk.session.project.root / "a.txt").write_text("a")
    desk.window.drop_flow.take([desk.session.project.root / "a.txt"], PurePosixPath("Context"))
    commands.set_running(True)
    commands.set_running(False)
    assert stop.isEnabled()
    desk.window.drop_flow.stop()
    gate.set()
    desk.wait(lambda: not stop.isEnabled())


def test_files_that_a_link_would_lead_outside_are_left_out(
    laid_out: OpenDesk, tmp_path: Path
) -> None:
    desk, folder, elsewhere = laid_out, tmp_path / "Docs", tmp_path / "elsewhere"
    folder.mkdir()
    elsewhere.mkdir()
    (folder / "a.txt").write_text("a")
    (tmp_path / "b.txt").write_text("b")
    (tmp_path / "glucose" / "Context" / "General" / "Docs").symlink_to(elsewhere)
    assert _drop(desk, "Standards: only if named", folder, tmp_path / "b.txt")
    box = _question(desk)
    assert box.text() == "Copy 1 file into Context/General?"
    assert "Left out: 1 file, since it leads out of the project." in box.informativeText()
    _answer(desk, "Copy")
    desk.wait(lambda: "1 file copied" in desk.window.parts.status_bar.work_label.text())
    assert list(elsewhere.iterdir()) == []


def test_a_file_that_comes_while_the_question_is_open_stays(
    laid_out: OpenDesk, tmp_path: Path
) -> None:
    desk, target = laid_out, tmp_path / "glucose" / "Context" / "General"
    (tmp_path / "a.txt").write_text("dropped")
    assert _drop(desk, "Standards: only if named", tmp_path / "a.txt")
    _question(desk)
    (target / "a.txt").write_text("came meanwhile")
    _answer(desk, "Copy")
    desk.wait(lambda: "1 file copied" in desk.window.parts.status_bar.work_label.text())
    found = {one.name: one.read_text() for one in target.iterdir()}
    assert found == {"a.txt": "came meanwhile", "a (2).txt": "dropped"}


def test_nothing_is_dropped_where_no_folder_is(laid_out: OpenDesk, tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("a")
    assert not _drop(laid_out, "Drafts", tmp_path / "a.txt")


def test_a_file_stands_for_its_folder(laid_out: OpenDesk) -> None:
    model = laid_out.window.parts.project_panel.model
    item = model.item_of_file(DEVICE)
    assert item is not None
    assert model.folder_of(_node(item.index())) == PurePosixPath(DEVICE).parent


def test_a_folder_that_cannot_be_written_is_told(laid_out: OpenDesk, tmp_path: Path) -> None:
    desk = laid_out
    (tmp_path / "a.txt").write_text("a")
    blocked = tmp_path / "glucose" / "Bootstrap"
    blocked.rmdir()
    blocked.write_text("a file in the place of the folder")
    assert _drop(desk, "Fixed answers: only if named", tmp_path / "a.txt")
    _answer(desk, "Copy")
    desk.wait(lambda: "No access" in desk.window.parts.message_bar.message)
    assert desk.window.parts.status_bar.work_label.text() == "Not everything was copied"
