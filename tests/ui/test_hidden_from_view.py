"""What is hidden in the project, and a draft that cites it, leaves the desk and comes back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication

from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.sync.events import SyncReport
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk

_SAID = "is hidden by the project's confidentiality setting"


def _synced(desk: OpenDesk) -> None:
    desk.window.keeper.synced.emit(SyncReport(4, 1, 2, 0, False, 0.1))


def _told(desk: OpenDesk) -> str:
    return desk.window.parts.message_bar.message


def _on_desk(desk: OpenDesk) -> str:
    draft = desk.window.parts.draft_panel.draft
    return draft.draft_id if draft is not None else ""


def test_a_draft_leaves_the_desk_when_what_it_cites_is_hidden(desk: OpenDesk) -> None:
    desk.generate()
    text, draft_id = desk.text(), _on_desk(desk)
    desk.wait(lambda: desk.session.drafts.latest() is not None)
    kept = desk.session.drafts.load(draft_id)
    assert DEVICE in {note.file for note in kept.footnotes}
    desk.session.hidden_files.add("Context/Ongoing/Design-Review-2-Minutes.md")
    _synced(desk)
    desk.qtbot.wait(200)
    assert (desk.text(), _on_desk(desk)) == (text, draft_id)
    desk.session.hidden_files.add(DEVICE)
    _synced(desk)
    desk.wait(lambda: not _on_desk(desk))
    assert not desk.text().strip()
    assert _SAID in _told(desk)
    stored = desk.session.drafts.load(draft_id)
    assert [unit.text for unit in stored.units] == [unit.text for unit in kept.units]
    # Neither the keys nor the list nor a copy bring it back.
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    desk.window.actions_table["undo"].trigger()
    editor.selectAll()
    editor.copy()
    assert not desk.text().strip()
    assert kept.units[1].text not in QGuiApplication.clipboard().text()
    desk.window.parts.message_bar.hide()
    with desk.qtbot.waitSignal(desk.window.draft_flow.shelf.settled, timeout=10_000):
        desk.window.draft_flow.shelf.open_draft(draft_id)
    assert not _on_desk(desk)
    assert _SAID in _told(desk)
    desk.session.hidden_files.clear()
    desk.window.draft_flow.shelf.open_draft(draft_id)
    desk.wait(lambda: desk.text() == text)


def test_a_document_is_not_in_view_any_more_when_it_is_hidden(desk: OpenDesk) -> None:
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown, timeout=10_000):
        desk.window.source_flow.open_file(DEVICE)
    desk.session.hidden_files.add(DEVICE)
    _synced(desk)
    desk.wait(lambda: panel.target is None)
    assert panel.views.shown_view is None


def test_passages_that_are_found_are_looked_for_again_when_one_is_hidden(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = desk.window.parts.search_panel
    panel.search_for("glucose")
    desk.wait(lambda: panel.hits.count() > 0)
    searched: list[str] = []
    search = desk.session.search

    def counted(query: str, **more: Any) -> SearchResult:
        searched.append(query)
        found = search(query, **more)
        hits = [one for one in found.hits if one.file not in desk.session.hidden_files]
        return replace(found, hits=tuple(hits))

    monkeypatch.setattr(FakeSession, "search", lambda _self, query, **more: counted(query, **more))
    _synced(desk)
    desk.qtbot.wait(200)
    assert not searched
    desk.session.hidden_files |= {each.file for each in search("glucose").hits}
    _synced(desk)
    desk.wait(lambda: panel.hits.count() == 0)
    assert searched == ["glucose"]


def test_the_last_draft_is_not_opened_again_while_it_cites_what_is_hidden(
    open_desk: Callable[..., OpenDesk],
) -> None:
    desk = open_desk()
    desk.generate()
    desk.wait(lambda: desk.session.drafts.latest() is not None)
    text = desk.text()
    desk.window.close()
    desk.session.hidden_files.add(DEVICE)
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    again.wait(lambda: _SAID in _told(again))
    assert not again.text().strip()
    again.window.close()
    desk.session.hidden_files.clear()
    last = open_desk(workspace=desk.workspace, settings=desk.settings)
    last.wait(lambda: last.text() == text)
