"""Drafts are renamed, duplicated, put in the trash and back, and deleted for good."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QDate, QDateTime, QLocale, Qt
from PySide6.QtWidgets import QInputDialog, QMessageBox, QStyledItemDelegate, QStyleOptionViewItem

from phasergun_desktop.drafts.draft_store import DraftSummary
from phasergun_desktop.ui.projects.project_tree_model import NODE_ROLE, Node, NodeKind
from tests.ui.conftest import OpenDesk

SHORT = QLocale.FormatType.ShortFormat


def _lines(desk: OpenDesk, kind: NodeKind) -> list[str]:
    model = desk.window.parts.project_panel.model
    found = []
    for row in range(model.rowCount()):
        top = model.item(row)
        for below in range(top.rowCount()):
            node = top.child(below).data(NODE_ROLE)
            if isinstance(node, Node) and node.kind is kind:
                found.append(node.title)
    return found


def _choose(desk: OpenDesk, kind: NodeKind, title: str) -> None:
    panel = desk.window.parts.project_panel
    for row in range(panel.model.rowCount()):
        top = panel.model.item(row)
        for below in range(top.rowCount()):
            node = top.child(below).data(NODE_ROLE)
            if isinstance(node, Node) and (node.kind, node.title) == (kind, title):
                panel.tree.setCurrentIndex(top.child(below).index())
                return
    raise AssertionError(title)


def test_a_draft_is_renamed_on_the_desk_and_in_the_list(desk: OpenDesk) -> None:
    desk.generate()
    desk.wait(lambda: bool(_lines(desk, NodeKind.DRAFT)))
    desk.window.actions_table["rename-draft"].trigger()
    dialog = next(iter(desk.window.findChildren(QInputDialog)))
    dialog.setTextValue("  Section   11 ")
    dialog.accept()
    desk.wait(lambda: _lines(desk, NodeKind.DRAFT) == ["Section 11"])
    # Typing on does not bring the old name back.
    desk.window.parts.draft_panel.editor.insertPlainText("More. ")
    desk.window.actions_table["save"].trigger()
    desk.wait(lambda: "More." in str(desk.session.drafts.latest()))
    assert desk.session.drafts.list()[0].title == "Section 11"
    # One that is not on the desk.
    draft_id = desk.session.drafts.list()[0].draft_id
    desk.window.draft_flow.shelf.new_draft()
    desk.window.draft_list_flow.rename(draft_id, "Twelve")
    desk.wait(lambda: _lines(desk, NodeKind.DRAFT) == ["Twelve"])


def test_drafts_of_one_name_are_told_by_their_time(desk: OpenDesk) -> None:
    model = desk.window.parts.project_panel.model
    drafts = [
        DraftSummary(key, title, "complete", f"2026-03-0{day}T08:30:00+00:00", False, 0)
        for key, title, day in (("1", "Risks", 3), ("2", "Risks", 2), ("3", "Labels", 1))
    ]
    model.show_drafts(tuple(drafts))
    flags = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive

    def shown() -> list[str]:
        return [one.text() for name in ("Risks", "Labels") for one in model.findItems(name, flags)]

    times = [QLocale().toString(QDate(2026, 3, day), SHORT) for day in (3, 2)]
    assert shown() == [f"Risks, {times[0]}", f"Risks, {times[1]}", "Labels"]
    assert _lines(desk, NodeKind.DRAFT) == ["Risks", "Risks", "Labels"]
    model.show_drafts(tuple(drafts[1:]))
    assert shown() == ["Risks", "Labels"]
    now = QDateTime.currentDateTime()
    today = replace(drafts[1], modified=now.toUTC().toString(Qt.DateFormat.ISODate))
    model.show_drafts((drafts[0], today))
    said = f"Risks, {QLocale().toString(now.time(), SHORT)}"
    assert said in shown()
    # Of two of one minute the later one has a number.
    model.show_drafts((replace(today, draft_id="4"), today))
    assert shown() == [f"{said} (2)", said]


def test_what_stands_behind_a_long_title_is_never_cut(desk: OpenDesk) -> None:
    panel = desk.window.parts.project_panel
    long = "Verification of the measuring range under all conditions of use"
    drafts = [
        DraftSummary(key, long, "complete", f"2026-03-0{key}T08:30:00+00:00", False, 12)
        for key in ("1", "2")
    ]
    panel.model.show_drafts(tuple(drafts))
    flags = Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive
    for item in panel.model.findItems(long, flags):
        option = QStyleOptionViewItem()
        option.initFrom(panel.tree)
        option.widget = panel.tree
        option.rect = panel.tree.visualRect(item.index())
        delegate = panel.tree.itemDelegate()
        assert isinstance(delegate, QStyledItemDelegate)
        delegate.initStyleOption(option, item.index())
        assert option.text.startswith("Verif")
        assert option.text.endswith(item.text().removeprefix(long))
        assert option.fontMetrics.horizontalAdvance(option.text) < option.rect.width()


def test_a_duplicate_is_a_draft_of_its_own(desk: OpenDesk) -> None:
    desk.generate()
    first, text = desk.window.parts.draft_panel.draft, desk.text()
    assert first is not None
    desk.window.actions_table["duplicate-draft"].trigger()
    panel = desk.window.parts.draft_panel
    desk.wait(lambda: panel.draft is not None and panel.draft.draft_id != first.draft_id)
    assert panel.draft is not None
    assert panel.draft.title == f"{first.title} (copy)"
    assert desk.text() == text
    assert panel.text.footnotes()
    panel.editor.insertPlainText("Only here. ")
    desk.window.actions_table["save"].trigger()
    desk.wait(lambda: "Only here." in str(desk.session.drafts.latest()))
    assert "Only here." not in str(desk.session.drafts.load(first.draft_id))


def test_duplicates_of_duplicates_are_numbered(desk: OpenDesk) -> None:
    desk.generate()
    panel, titles = desk.window.parts.draft_panel, list[str]()

    def is_another() -> bool:
        return panel.draft is not None and panel.draft.title not in titles

    for _ in range(4):
        assert panel.draft is not None
        titles.append(panel.draft.title)
        desk.window.actions_table["duplicate-draft"].trigger()
        desk.wait(is_another)
    assert titles[1:] == [f"{titles[0]} {copy}" for copy in ("(copy)", "(copy 2)", "(copy 3)")]


def test_a_draft_goes_to_the_trash_and_comes_back(desk: OpenDesk) -> None:
    desk.generate()
    desk.wait(lambda: bool(_lines(desk, NodeKind.DRAFT)))
    (title,) = _lines(desk, NodeKind.DRAFT)
    text = desk.text()
    desk.window.actions_table["throw-draft"].trigger()
    desk.wait(lambda: _lines(desk, NodeKind.THROWN) == [title])
    assert _lines(desk, NodeKind.DRAFT) == []
    assert desk.text() == ""
    _choose(desk, NodeKind.THROWN, title)
    desk.window.actions_table["put-back-draft"].trigger()
    desk.wait(lambda: _lines(desk, NodeKind.DRAFT) == [title])
    assert _lines(desk, NodeKind.THROWN) == []
    kept = desk.session.drafts.latest()
    assert kept is not None
    desk.window.draft_flow.shelf.open_draft(kept.draft_id)
    desk.wait(lambda: desk.text() == text)


def test_the_trash_is_emptied_after_a_question(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["throw-draft"].trigger()
    desk.wait(lambda: bool(_lines(desk, NodeKind.THROWN)))
    desk.window.actions_table["empty-trash"].trigger()
    (question,) = desk.window.findChildren(QMessageBox)
    question.reject()
    assert len(desk.session.drafts.list()) == 1
    desk.window.draft_list_flow.empty()
    desk.wait(lambda: not desk.session.drafts.list())
    desk.wait(lambda: not _lines(desk, NodeKind.THROWN))
