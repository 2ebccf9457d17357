"""What is ticked on the board is what Generate gets, in the order that is shown."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QMessageBox, QSplitter

from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.jobs import Job
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.ui.generate.evidence_board import EvidenceBoard, menu_for
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.ui_session import PROMPT, PROMPT_FILE
from tests.ui.conftest import OpenDesk

STRIP, FIVE, PAGE_2 = "The strip carries", "A measurement takes 5 s", "Page 2, paragraph 3"
CONSIDERED, METER = "Page 1, paragraph 2", "Component: Meter"
CTRL, SHIFT, ALT = (
    Qt.KeyboardModifier.ControlModifier,
    Qt.KeyboardModifier.ShiftModifier,
    Qt.KeyboardModifier.AltModifier,
)


class Board:
    """The board of the window, as its user meets it."""

    def __init__(self, desk: OpenDesk) -> None:
        self.desk = desk
        self.panel: PromptPanel = desk.window.parts.prompt_panel
        desk.wait(self.panel.generate_button.isEnabled)
        self.board: EvidenceBoard = self.panel.board
        middle = desk.window.centralWidget()
        assert middle is not None
        splitter = middle.findChild(QSplitter)
        assert isinstance(splitter, QSplitter)
        splitter.setSizes([600, 60])
        desk.wait(lambda: self.board.tree.height() > 150)

    def row(self, text: str) -> BoardRow:
        """Return the line that begins so."""
        tree = self.board.tree
        rows = [
            tree.row_of(item)
            for item in tree.findItems(
                text, Qt.MatchFlag.MatchStartsWith | Qt.MatchFlag.MatchRecursive
            )
        ]
        assert rows, text
        return rows[0]

    def choose(self, text: str) -> None:
        """Put the keyboard on the line that begins so."""
        tree = self.board.tree
        tree.setFocus()
        tree.choose(self.row(text))
        tree.scrollTo(tree.currentIndex())

    def press(
        self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier
    ) -> None:
        """Press a key on the board."""
        QTest.keyClick(self.board.tree, key, modifiers)

    def click(self, text: str, *, on_tick: bool = False, at: QPoint | None = None) -> None:
        """Click a line, on its box or on its text."""
        self.choose(text)
        tree = self.board.tree
        rect = tree.visualRect(tree.currentIndex())
        delegate = tree.itemDelegate()
        box = delegate.tick_rect(rect).center()  # type: ignore[attr-defined]
        where = at or (box if on_tick else QPoint(rect.left() + 120, rect.top() + 8))
        QTest.mouseClick(
            tree.viewport(), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, where
        )

    @property
    def plan(self) -> Plan:
        """What Generate gets."""
        plan = self.panel.plan
        assert plan is not None
        return plan

    def texts(self, point: int = 0) -> list[str]:
        """Return how the passages of a point begin, in the order of the text."""
        starts = (STRIP, FIVE, PAGE_2, CONSIDERED, METER, "Page 1, paragraph 3")
        return [
            next(s for s in starts if passage.text.startswith(s))
            for passage in self.plan.points[point].evidence
        ]

    def shown(self) -> list[str]:
        """Return the lines of the first need that stand in the text, ticked or not."""
        need = next(self.board.tree.row_of(item) for item in self.board.tree.need_items())
        return [row.text for row in need.rows if row.kind is RowKind.UNIT]


@pytest.fixture
def board(desk: OpenDesk) -> Board:
    """A window with a plan."""
    return Board(desk)


def test_passages_are_shown_whole_with_their_source(board: Board) -> None:
    row = board.row(STRIP)
    assert row.unit is not None
    assert row.text == " ".join(row.unit.passage.text.split())
    assert row.second.startswith(row.unit.passage.title)
    assert board.row("1. Principle of operation").second.startswith("3 passages · ")
    assert board.board.status.text().endswith("4 of 6 passages")
    assert "words of about 120" in board.board.status.text()
    assert board.board.reset_button.isHidden()


def test_a_box_unticked_with_the_mouse_is_not_drafted(board: Board) -> None:
    opened: list[object] = []
    board.board.passage_activated.connect(opened.append)
    board.click(FIVE, on_tick=True)
    assert board.texts() == [STRIP, PAGE_2]
    assert opened == []
    # It stays where it is, to be ticked again.
    assert [text[:6] for text in board.shown()] == [STRIP[:6], FIVE[:6], PAGE_2[:6]]
    assert "3 of 6 passages" in board.board.status.text()
    board.click(FIVE, on_tick=True)
    assert board.texts() == [STRIP, FIVE, PAGE_2]
    board.click(FIVE)
    assert len(opened) == 1


def test_what_is_drafted_is_what_is_ticked(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    drafted: list[Plan] = []
    real = board.desk.session.draft

    def draft(_session: object, plan: Plan, **wish: Any) -> Job[AnswerResult]:
        drafted.append(plan)
        return real(plan, **wish)

    monkeypatch.setattr(type(board.desk.session), "draft", draft)
    board.choose(STRIP)
    board.press(Qt.Key.Key_Space)
    board.desk.generate()
    [plan] = drafted
    assert [p.text[:10] for p in plan.points[0].evidence] == [FIVE[:10], PAGE_2[:10]]
    assert not any(u.selected for u in plan.needs[0].units if u.passage.text.startswith(STRIP))


def test_a_considered_passage_is_taken_in_where_it_belongs(board: Board) -> None:
    tree = board.board.tree
    more = tree.item_of(board.row("2 more passages that were considered").key)
    assert more is not None
    assert not more.isExpanded()
    board.choose("2 more passages")
    board.press(Qt.Key.Key_Space)
    again = tree.currentItem()
    assert again is not None
    assert again.isExpanded()
    board.choose(CONSIDERED)
    board.press(Qt.Key.Key_Space)
    assert CONSIDERED in board.texts()
    # The keyboard stays among those that were considered.
    current = tree.current_row()
    assert current is not None
    assert current.text.startswith("Page 1, paragraph 3")
    assert board.row("1 more passage that was considered").rows


def test_keys_move_and_remove(board: Board) -> None:
    board.choose(FIVE)
    board.press(Qt.Key.Key_Up, ALT)
    assert board.texts() == [FIVE, STRIP, PAGE_2]
    board.press(Qt.Key.Key_Down, ALT)
    board.press(Qt.Key.Key_Down, ALT)
    assert board.texts() == [STRIP, PAGE_2, FIVE]
    board.press(Qt.Key.Key_Down, ALT)
    assert board.texts() == [STRIP, PAGE_2]
    assert board.texts(1) == [FIVE, METER]
    current = board.board.tree.current_row()
    assert current is not None
    assert current.text.startswith(FIVE)
    board.press(Qt.Key.Key_Up, ALT)
    assert board.texts() == [STRIP, PAGE_2, FIVE]
    board.press(Qt.Key.Key_Delete)
    assert board.texts() == [STRIP, PAGE_2]
    assert len(board.row("3 more passages that were considered").rows) == 3
    board.press(Qt.Key.Key_Z, CTRL)
    assert board.texts() == [STRIP, PAGE_2, FIVE]
    board.press(Qt.Key.Key_Y, CTRL)
    assert board.texts() == [STRIP, PAGE_2]


def test_the_keys_of_the_board_are_not_those_of_the_window(board: Board) -> None:
    editor = board.desk.window.parts.draft_panel.editor
    board.desk.generate()
    written = board.desk.text()
    board.choose(FIVE)
    board.press(Qt.Key.Key_Z, CTRL)
    assert board.desk.text() == written
    assert not editor.hasFocus()


@pytest.mark.parametrize(
    ("target", "below", "first", "second"),
    [
        (STRIP, False, [FIVE, STRIP, PAGE_2], [METER]),
        (PAGE_2, True, [STRIP, PAGE_2, FIVE], [METER]),
        (METER, True, [STRIP, PAGE_2], [METER, FIVE]),
        ("2. Components", False, [STRIP, PAGE_2], [FIVE, METER]),
    ],
)
def test_a_passage_is_dragged(
    board: Board,
    monkeypatch: pytest.MonkeyPatch,
    target: str,
    below: bool,
    first: list[str],
    second: list[str],
) -> None:
    tree = board.board.tree
    board.choose(FIVE)
    item = tree.item_of(board.row(target).key)
    assert item is not None
    tree.scrollToItem(item)
    indicator = QAbstractItemView.DropIndicatorPosition
    where = indicator.BelowItem if below else indicator.AboveItem
    if target.startswith("2."):
        where = indicator.OnItem
    monkeypatch.setattr(tree, "dropIndicatorPosition", lambda: where)
    drop = QDropEvent(
        QPointF(tree.visualItemRect(item).center()),
        Qt.DropAction.MoveAction,
        QMimeData(),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
    )
    monkeypatch.setattr(drop, "source", lambda: tree)
    tree.dropEvent(drop)
    board.desk.wait(lambda: (board.texts(), board.texts(1)) == (first, second))


def test_a_passage_of_ones_own_is_added(board: Board) -> None:
    board.choose("2. Components")
    board.press(Qt.Key.Key_A, CTRL | SHIFT)
    search = board.desk.window.draft_flow.evidence.search
    assert search.isVisible()
    assert "Components" in search.box.placeholderText()
    QTest.keyClicks(search.box, "5 s")
    board.desk.wait(lambda: search.hits.count() > 0)
    QTest.keyClick(search.box, Qt.Key.Key_Return)
    QTest.keyClick(search.hits, Qt.Key.Key_Return)
    assert any(p.text.find("5 s") >= 0 for p in board.plan.points[1].evidence)
    assert search.hits.item(0).data(Qt.ItemDataRole.UserRole).unit.selected
    QTest.keyClick(search, Qt.Key.Key_Escape)
    board.desk.wait(lambda: not search.isVisible())
    assert not board.board.reset_button.isHidden()
    session = board.desk.session
    board.desk.wait(lambda: "5 s" in [one.activity.prompt for one in session.activity.entries(9)])
    [entry] = [one.activity for one in session.activity.entries(9) if one.activity.prompt == "5 s"]
    assert entry.kind is ActivityKind.SEARCH
    assert entry.chunk_ids


def test_the_heading_offers_to_add_a_passage(board: Board) -> None:
    board.choose("2. Components")
    tree = board.board.tree
    rect = tree.visualRect(tree.currentIndex())
    delegate = tree.itemDelegate()
    where = delegate.add_rect(rect).center()  # type: ignore[attr-defined]
    board.click("2. Components", at=where)
    search = board.desk.window.draft_flow.evidence.search
    assert search.isVisible()
    assert search.need == 1
    search.hide()


def test_the_suggestion_comes_back(board: Board) -> None:
    suggested = board.plan
    board.choose(FIVE)
    board.press(Qt.Key.Key_Space)
    board.press(Qt.Key.Key_Up, ALT)
    assert board.plan is not suggested
    assert not board.board.reset_button.isHidden()
    board.board.reset_button.click()
    assert board.plan is suggested
    assert board.board.reset_button.isHidden()


def test_what_is_left_is_a_gap(board: Board) -> None:
    board.choose(METER)
    board.press(Qt.Key.Key_Space)
    assert board.row("2. Components").second == "Nothing is ticked."
    assert board.board.status.text().endswith("1 gap")


def test_ticks_outlive_a_plan_of_the_same_prompt(board: Board) -> None:
    board.choose(FIVE)
    board.press(Qt.Key.Key_Space)
    board.choose(PAGE_2)
    board.press(Qt.Key.Key_Up, ALT)
    board.press(Qt.Key.Key_Up, ALT)
    before, scrolled = board.texts(), board.board.tree.verticalScrollBar().value()
    assert before == [PAGE_2, STRIP]
    planned = board.desk.session.planned
    board.panel.request_plan()
    board.desk.wait(lambda: board.desk.session.planned > planned and board.panel.plan is not None)
    board.desk.wait(lambda: not board.panel._is_planning)
    assert board.texts() == before
    current = board.board.tree.current_row()
    assert current is not None
    assert current.text.startswith(PAGE_2)
    assert board.board.tree.verticalScrollBar().value() == scrolled


def test_ticks_outlive_a_change_of_the_prompt_but_not_another_prompt(board: Board) -> None:
    board.choose(FIVE)
    board.press(Qt.Key.Key_Space)
    QTest.keyClicks(board.panel.editor, "Please. ")
    assert board.panel.plan is None
    board.desk.wait(lambda: board.panel.plan is not None)
    assert board.plan.prompt.startswith("Please. ")
    assert board.texts() == [STRIP, PAGE_2]
    board.panel.choose("")
    QTest.keyClicks(board.panel.editor, "Another one.")
    board.desk.wait(lambda: board.panel.plan is not None)
    assert board.texts() == [STRIP, FIVE, PAGE_2]
    board.panel.choose(PROMPT_FILE)
    board.panel.editor.replace_text(PROMPT)
    board.desk.wait(lambda: board.panel.plan is not None and board.plan.prompt == PROMPT)
    assert board.texts() == [STRIP, PAGE_2]


def test_a_change_is_settled_by_the_session(board: Board) -> None:
    board.choose(FIVE)
    board.press(Qt.Key.Key_Space)
    assert not board.plan.is_settled
    board.desk.wait(lambda: board.plan.is_settled)
    assert board.plan.tokens == 300
    assert board.panel.summary.text().startswith("2 points, 3 passages from 2 files")
    assert board.texts() == [STRIP, PAGE_2]


def test_a_passage_that_is_gone_is_left_out(board: Board) -> None:
    board.choose(FIVE)
    board.press(Qt.Key.Key_Up, ALT)
    plan = board.plan
    needs = tuple(
        replace(n, units=tuple(u for u in n.units if not u.passage.text.startswith(STRIP)))
        for n in plan.needs
    )
    board.panel.show_settled(plan, replace(plan, needs=needs, is_settled=True))
    assert STRIP not in "".join(board.shown())


def test_what_the_plan_could_not_look_at_is_a_line_above_its_passages(board: Board) -> None:
    said = "The search was by keywords alone: the meaning could not be compared."
    board.panel.show_plan(replace(board.plan, warnings=(said,)))
    assert board.row(f"Warning: {said}").kind is RowKind.PROBLEM
    board.choose(STRIP)


def test_it_is_said_why_a_passage_is_here(board: Board) -> None:
    board.choose(STRIP)
    menu = menu_for(board.board, board.row(STRIP))
    names = [action.text().replace("&", "").partition("\t")[0] for action in menu.actions()]
    assert "Why is this here…" in names
    assert "Add passage…" in names
    next(a for a in menu.actions() if "Why" in a.text().replace("&", "")).trigger()
    [box] = board.board.findChildren(QMessageBox)
    assert box.text().startswith("Very likely answers “principle of operation”: it fits best of 5")
    assert "0.9" not in box.text()
    assert "0.90" in box.detailedText()
    box.close()


def test_the_point_that_is_written_is_bold(board: Board) -> None:
    board.board.mark_point(1)
    bold = [item.font(0).bold() for item in board.board.tree.need_items()]
    assert bold == [False, True]
    # A line drawn anew stays so.
    board.board.refresh_icons()
    assert [item.font(0).bold() for item in board.board.tree.need_items()] == bold
    board.board.mark_point(-1)
    assert not any(item.font(0).bold() for item in board.board.tree.need_items())


def test_screen_readers_hear_passage_and_tick(board: Board) -> None:
    item = board.board.tree.item_of(board.row(STRIP).key)
    assert item is not None
    said = item.data(0, Qt.ItemDataRole.AccessibleTextRole)
    assert said.startswith(STRIP)
    assert board.row(STRIP).second in said
    assert item.checkState(0) is Qt.CheckState.Checked


def test_a_passage_that_two_needs_consider_is_taken_in_where_it_is_ticked(board: Board) -> None:
    plan = board.plan
    first, second = plan.needs
    shared = tuple(unit for unit in first.units if not unit.selected)
    both = (first, replace(second, units=(*second.units, *shared)))
    board.panel.show_plan(replace(plan, needs=both, prompt="Both."))
    evidence = board.board.evidence
    place = shared[0].place
    assert evidence.find(place, 1) == (1, shared[0])
    assert evidence.tick(1, place, is_ticked=True)
    assert [unit.place for unit in evidence.needs[1].ticked][-1] == place
    assert place not in [unit.place for unit in evidence.needs[0].more]
    assert evidence.undo()
    assert place in [unit.place for unit in evidence.needs[0].more]
