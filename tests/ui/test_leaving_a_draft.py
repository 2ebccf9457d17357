"""Another draft or project comes to the desk: nothing of the one before is lost or left over."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.ui.dialogs.changed_sources_dialog import ChangedSourcesDialog
from phasergun_desktop.ui.dialogs.versions_dialog import VersionsDialog
from phasergun_desktop.workspace.sample_project import SAMPLE_DRAFT_ID
from tests.fakes.ui_session import FakeSession
from tests.ui.conftest import OpenDesk

OTHER = Draft(
    "other", "Other", "", "", "complete", (DraftSentence("Other words."),), (), "2025", "2025"
)


@pytest.fixture
def gate() -> Iterator[threading.Event]:
    """Opened at the end, whatever happens."""
    made = threading.Event()
    yield made
    made.set()


def _show(desk: OpenDesk, session: FakeSession) -> None:
    desk.window.keeper.show(session.project.root)
    desk.wait(lambda: desk.window.keeper.session is session)


def _block(desk: OpenDesk, gate: threading.Event) -> None:
    """Let what is submitted from now on wait for the gate."""
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    desk.window.runners.interactive.submit_call(lambda: gate.wait(10), must_run=True)


def _type(desk: OpenDesk, words: str) -> None:
    QTest.keyClicks(desk.window.parts.draft_panel.editor, words)


def _open(desk: OpenDesk, draft: Draft) -> None:
    desk.session.drafts.save(draft)
    desk.window.draft_flow.shelf.open_draft(draft.draft_id)
    desk.wait(lambda: _on_desk(desk) == draft.draft_id)


def _on_desk(desk: OpenDesk) -> str:
    draft = desk.window.parts.draft_panel.draft
    return draft.draft_id if draft is not None else ""


# What was said of it ------------------------------------------------------------------------


def test_what_was_said_of_a_draft_is_not_said_of_the_next(desk: OpenDesk) -> None:
    desk.generate()
    said = desk.window.parts.status_bar.work_label
    assert said.text().startswith("Draft written")
    _open(desk, OTHER)
    assert said.text() == ""


def test_the_note_on_the_problem_of_the_sample_stands_over_its_draft_alone(desk: OpenDesk) -> None:
    strip = desk.window.parts.hint_strip
    sample = replace(OTHER, draft_id=SAMPLE_DRAFT_ID)
    _open(desk, sample)
    assert list(strip.shown) == ["footnote", "problem", "generate"]
    _open(desk, OTHER)
    assert list(strip.shown) == ["footnote", "generate"]
    _open(desk, sample)
    assert list(strip.shown) == ["footnote", "problem", "generate"]


# The plan -----------------------------------------------------------------------------------


def test_another_project_plans_the_prompt_anew(two: tuple[OpenDesk, FakeSession]) -> None:
    desk, other = two
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.plan is not None)
    old = panel.plan
    plans: list[object] = []
    desk.window.keeper.current_changed.connect(lambda _session: plans.append(panel.plan))
    _show(desk, other)
    assert plans == [None]
    desk.wait(lambda: panel.plan is not None)
    assert panel.plan is not old


def test_a_plan_of_another_project_is_not_written(two: tuple[OpenDesk, FakeSession]) -> None:
    desk, other = two
    panel = desk.window.parts.prompt_panel
    desk.wait(lambda: panel.plan is not None)
    old = panel.plan
    _show(desk, other)
    desk.wait(lambda: panel.plan is not None and panel.plan is not old)
    panel.show_plan(old)
    desk.window.draft_flow.generate()
    assert not desk.window.draft_flow.generation.is_running


# What was typed -----------------------------------------------------------------------------


def test_words_that_wait_to_be_saved_are_saved_at_closing(
    desk: OpenDesk, gate: threading.Event
) -> None:
    _block(desk, gate)
    _type(desk, "First")
    desk.window.draft_flow.autosave.save_now()
    desk.window.version_flow.keep_version("Saved by you", "Mine")
    threading.Timer(0.2, gate.set).start()
    desk.window.close()
    assert desk.window.late_runners == ()
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert [unit.text for unit in kept.units] == ["First"]
    assert [name for _draft, _why, name in desk.session.kept] == ["Mine"]


def test_an_older_save_does_not_come_on_top_of_a_newer_one(
    two: tuple[OpenDesk, FakeSession], gate: threading.Event
) -> None:
    desk, other = two
    first = desk.session
    desk.wait(lambda: other.syncs == 1)
    _block(desk, gate)
    _type(desk, "One")
    desk.window.draft_flow.autosave.save_now()
    _type(desk, " two")
    desk.window.keeper.show(other.project.root)
    assert desk.window.keeper.session is other
    gate.set()
    desk.wait(lambda: first.drafts.saves == 2)
    kept = first.drafts.latest()
    assert kept is not None
    assert [unit.text for unit in kept.units] == ["One two"]


def test_older_edits_that_wait_to_be_logged_do_not_replace_the_draft_saved_at_closing(
    desk: OpenDesk, gate: threading.Event
) -> None:
    desk.generate()
    _block(desk, gate)
    _type(desk, "Own words. ")
    desk.window.proof_flow.settle()
    desk.window.parts.draft_panel.rename("A new title")
    threading.Timer(0.2, gate.set).start()
    desk.window.close()
    assert any("Own words" in edit.after for edit in desk.session.edits)
    kept = desk.session.drafts.latest()
    assert kept is not None
    assert kept.title == "A new title"


def test_a_project_is_closed_after_its_draft_is_saved(
    desk: OpenDesk, gate: threading.Event
) -> None:
    _block(desk, gate)
    _type(desk, "Mine")
    root = desk.session.project.root
    desk.window.keeper.forget(root)
    threading.Timer(0.2, gate.set).start()
    desk.wait(lambda: not desk.window.runners.indexing.is_busy)
    assert not desk.session.is_closed
    desk.wait(lambda: desk.session.is_closed)
    desk.wait(lambda: not desk.workspace.sessions)
    assert desk.session.drafts.saves == 1


def test_words_typed_while_a_draft_is_fetched_are_kept(
    desk: OpenDesk, gate: threading.Event
) -> None:
    desk.session.drafts.save(OTHER)
    _type(desk, "Mine")
    mine = _on_desk(desk)
    _block(desk, gate)
    desk.window.draft_flow.shelf.open_draft(OTHER.draft_id)
    _type(desk, " and more")
    gate.set()
    desk.wait(lambda: _on_desk(desk) == OTHER.draft_id)
    desk.wait(lambda: not desk.window.draft_flow.autosave.is_dirty)
    desk.wait(lambda: [u.text for u in desk.session.drafts.load(mine).units] == ["Mine and more"])


def test_nothing_is_typed_where_no_project_is_open(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    assert not editor.isReadOnly()
    desk.window.keeper.forget(desk.session.project.root)
    assert editor.isReadOnly()
    desk.window.draft_flow.generation.abandon()
    assert editor.isReadOnly()


def test_choosing_the_open_project_again_only_syncs(desk: OpenDesk) -> None:
    current = desk.window.keeper.current
    assert current is not None
    desk.wait(lambda: desk.session.syncs == 1 and not current.is_running)
    _type(desk, "Mine")
    with desk.qtbot.assertNotEmitted(desk.window.keeper.current_changed):
        desk.window.keeper.show(desk.session.project.root)
        desk.wait(lambda: desk.session.syncs == 2)
    assert desk.text() == "Mine"
    assert desk.window.parts.draft_panel.editor.document().isUndoAvailable()


# The activity log ---------------------------------------------------------------------------


def _open_other(desk: OpenDesk) -> None:
    _open(desk, OTHER)


def _close(desk: OpenDesk) -> None:
    desk.window.close()


@pytest.mark.parametrize("leave", [_open_other, OpenDesk.generate, _close])
def test_the_last_edits_of_a_draft_are_logged(
    desk: OpenDesk, leave: Callable[[OpenDesk], None]
) -> None:
    desk.generate()
    _type(desk, "Own words. ")
    assert desk.session.edits == []
    leave(desk)
    # Written by a job of its own, for which nothing else waits.
    desk.wait(lambda: any("Own words" in edit.after for edit in desk.session.edits))


def test_edits_before_an_earlier_version_are_logged(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.version_flow.keep_version("Saved by you", "Mine")
    desk.wait(lambda: len(desk.session.kept) == 1)
    _type(desk, "Own words. ")
    desk.window.version_flow.restore(1)
    desk.wait(lambda: "Own words" not in desk.text())
    desk.wait(lambda: any("Own words" in edit.after for edit in desk.session.edits))


# Dialogs ------------------------------------------------------------------------------------


def _begin_generation(desk: OpenDesk) -> None:
    desk.generate()


def _other_project(desk: OpenDesk) -> None:
    desk.window.keeper.forget(desk.session.project.root)


@pytest.mark.parametrize("leave", [_open_other, _begin_generation, _other_project])
@pytest.mark.parametrize(
    ("action", "kind"),
    [("versions", VersionsDialog), ("changed-sources", ChangedSourcesDialog)],
)
def test_dialogs_about_a_draft_close_with_it(
    desk: OpenDesk, action: str, kind: type[QDialog], leave: Callable[[OpenDesk], None]
) -> None:
    desk.generate()
    desk.window.actions_table[action].trigger()
    desk.wait(lambda: bool(desk.window.findChildren(kind)))
    leave(desk)
    desk.wait(lambda: not desk.window.findChildren(kind))


def test_versions_that_come_too_late_are_not_shown(desk: OpenDesk, gate: threading.Event) -> None:
    desk.generate()
    _block(desk, gate)
    desk.window.actions_table["versions"].trigger()
    desk.window.draft_flow.shelf.new_draft()
    gate.set()
    desk.wait(lambda: not desk.window.runners.interactive.is_busy)
    assert desk.window.findChildren(VersionsDialog) == []
