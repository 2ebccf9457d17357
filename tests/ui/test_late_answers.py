"""Answers that come when the writer has gone on land only where they were asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import pytest
from PySide6.QtTest import QTest

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.drafts.citation_flow import OTHER_DRAFT
from phasergun_desktop.ui.editor.marks import find_marks
from tests.fakes.ui_desk_stores import FakeDraftStore
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Holds passages and drafts back until it is set."""
    gate = threading.Event()
    cite, load = FakeSession.citation, FakeDraftStore.load

    def late_citation(
        self: FakeSession, file: str, start: int, end: int, statement: str
    ) -> Footnote | None:
        gate.wait(10)
        return cite(self, file, start, end, statement)

    def late_load(self: FakeDraftStore, draft_id: str) -> Draft:
        gate.wait(10)
        return load(self, draft_id)

    monkeypatch.setattr(FakeSession, "citation", late_citation)
    monkeypatch.setattr(FakeDraftStore, "load", late_load)
    yield gate
    gate.set()


def _ask(desk: OpenDesk, action: str) -> None:
    """Type a sentence and ask for a passage of the evidence for it."""
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(editor.document().characterCount() - 1)
    QTest.keyClicks(editor, " The meter is quick.")
    tree = desk.window.parts.prompt_panel.board.tree
    desk.window.sheet.unfold()
    needs = tree.need_items()
    items = [one for need in needs for at in range(need.childCount()) if (one := need.child(at))]
    tree.choose(next(row for item in items if (row := tree.row_of(item)).unit is not None))
    tree.setFocus()
    desk.wait(tree.hasFocus)
    desk.window.actions_table[action].trigger()


def test_a_passage_that_comes_late_is_cited_where_it_was_asked_for(
    desk: OpenDesk, held: threading.Event
) -> None:
    _ask(desk, "cite")
    panel = desk.window.parts.draft_panel
    before = len(find_marks(panel.editor.document()))
    QTest.keyClicks(panel.editor, " Another thing is blue.")
    held.set()
    desk.wait(lambda: len(find_marks(panel.editor.document())) > before)
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    panel.refresh()
    quick, blue = panel.text.statements()[-2:]
    assert "quick" in quick.unit.text
    assert quick.unit.citations
    assert "blue" in blue.unit.text
    assert not blue.unit.citations


def test_a_passage_that_comes_late_is_put_into_no_other_draft(
    desk: OpenDesk, held: threading.Event
) -> None:
    _ask(desk, "quote")
    desk.window.commands.run("new-draft")
    held.set()
    desk.wait(lambda: desk.window.parts.status_bar.work_label.text() == OTHER_DRAFT)
    assert desk.text().strip() == ""


def test_a_draft_that_comes_late_does_not_replace_what_was_begun(
    open_desk: Callable[..., OpenDesk], held: threading.Event
) -> None:
    def prepare(session: FakeSession) -> None:
        made = ("2026-01-01T00:00:00+00:00",) * 2
        for name in ("one", "two"):
            session.drafts.save(Draft(name, name, "", "", "complete", (), (), *made))

    desk = open_desk(prepare=prepare)
    shelf = desk.window.draft_flow.shelf
    shelf.open_draft("one")
    desk.window.commands.run("new-draft")
    QTest.keyClicks(desk.window.parts.draft_panel.editor, "Mine.")
    held.set()
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    assert desk.text() == "Mine."
