"""From the prompt to the passage behind a footnote, and back."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QInputDialog

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.ui.drafts.draft_flow import NOTHING_WRITTEN
from phasergun_desktop.ui.editor.marks import find_marks
from phasergun_desktop.ui.generate.generation import GenerationRequest
from phasergun_desktop.workspace.prompt_titles import prompt_title
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus
from tests.fakes.marked_passage import marked_in
from tests.fakes.ui_documents import PREDICATE
from tests.fakes.ui_session import PROMPT_FILE, FakeSession
from tests.ui.conftest import OpenDesk


def test_a_draft_streams_in_with_numbered_marks(desk: OpenDesk) -> None:
    desk.generate()
    text = desk.text()
    assert "measures glucose amperometrically.\u202f1" in text
    assert "a like range.\u202f2,\u202f1" in text
    assert "NOT FOU" not in text
    assert "GS-100\u202f3" in text
    assert desk.window.parts.status_bar.first_token_label.text() == "First word after 1.2 s"
    assert desk.window.parts.status_bar.confidence_label.text() == "Draft confidence: low"


@pytest.mark.parametrize("number", [1, 2, 3, 4])
def test_a_click_on_a_mark_highlights_exactly_its_quote(desk: OpenDesk, number: int) -> None:
    desk.generate()
    key = next(k for n, k, _note in desk.window.parts.draft_panel.text.footnotes() if n == number)
    quote = desk.window.parts.draft_panel.book.footnotes[key].quote
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown):
        desk.click_mark(key)
    assert marked_in(panel) == quote


def test_pages_are_marked_where_the_passage_stands(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.source_panel
    with desk.qtbot.waitSignal(panel.shown):
        desk.window.source_flow.open_footnote(2)
    source = desk.session.sources[PREDICATE].document
    block = source.blocks[10]
    marks = panel.views.page_view.marks()
    assert [page for page, _rect in marks] == [2, 2]
    for (_page, rect), segment in zip(marks, block.segments, strict=True):
        assert rect.contains(segment.rect.x0, segment.rect.y0)
        assert rect.contains(segment.rect.x1, segment.rect.y1)
    desk.wait(lambda: any(page == 2 for _file, page, _scale in desk.session.page_requests))
    assert panel.views.page_view.current_page() == 2


def test_back_returns_to_the_mark_in_the_draft(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.source_panel
    editor = desk.window.parts.draft_panel.editor
    editor.select_mark(1)
    place = editor.textCursor().position()
    with desk.qtbot.waitSignal(panel.shown):
        desk.window.actions_table["open-footnote"].trigger()
    panel.focus_view()
    desk.window.actions_table["back"].trigger()
    assert editor.hasFocus()
    assert editor.textCursor().position() == place
    # The next passage of the draft in this source is the one of the table.
    with desk.qtbot.waitSignal(panel.shown):
        desk.window.actions_table["next-passage"].trigger()
    assert marked_in(panel) == "Component: Meter; Part number: GS-100"


def test_a_new_prompt_does_not_replace_one_of_its_name(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = iter(["Broken", "Of my own"])
    monkeypatch.setattr(QInputDialog, "getText", lambda *_args: (next(names), True))
    panel = desk.window.parts.prompt_panel
    panel.choose("")
    panel.editor.setPlainText("Words of my own.")
    assert panel.prompt_file == ""
    desk.window.draft_flow.save_prompt()
    desk.wait(lambda: "not replaced" in desk.window.parts.message_bar.message)
    assert desk.session.saved_prompts == {}
    desk.window.draft_flow.save_prompt()
    desk.wait(lambda: bool(desk.session.saved_prompts))
    assert desk.session.saved_prompts == {"Context/Prompt/Of-my-own.md": "Words of my own."}


def test_a_generation_is_one_undo_step(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    QTest.keyClicks(editor, "My own words")
    own = desk.window.draft_tab_flow.on_desk
    desk.generate()
    generated = desk.text()
    # It stands on a page of its own: undo brings nothing of the draft before into it.
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == ""
    desk.window.draft_flow.autosave.flush()
    made = desk.session.drafts.load(desk.window.draft_tab_flow.on_desk)
    assert not made.units
    desk.window.actions_table["redo"].trigger()
    assert desk.text() == generated
    desk.qtbot.waitUntil(lambda: len(find_marks(editor.document())) == 6)
    assert [one.text for one in desk.session.drafts.load(own).units] == ["My own words"]
    desk.window.draft_flow.shelf.open_draft(own)
    desk.wait(lambda: desk.text() == "My own words")
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == ""


def _begin_anew(desk: OpenDesk) -> None:
    desk.window.actions_table["new-draft"].trigger()


def _open_older(desk: OpenDesk) -> None:
    with desk.qtbot.waitSignal(desk.window.draft_flow.shelf.settled):
        desk.session.drafts.save(_older_draft())
        desk.window.draft_flow.shelf.open_draft("old")


def _close_project(desk: OpenDesk) -> None:
    desk.window.keeper.forget(desk.session.project.root)


@pytest.mark.parametrize("leave", [_begin_anew, _open_older, _close_project])
def test_that_nothing_was_written_is_told_until_another_draft_comes(
    desk: OpenDesk, monkeypatch: pytest.MonkeyPatch, leave: Callable[[OpenDesk], None]
) -> None:
    made = desk.session.result

    def abstained(*parts: Any) -> AnswerResult:
        return replace(made(*parts), status=AnswerStatus.ABSTAINED, missing="“price”")

    bar = desk.window.parts.message_bar
    with monkeypatch.context() as patch:
        patch.setattr(desk.session, "result", abstained)
        desk.generate()
        desk.wait(lambda: bool(bar.message))
    assert bar.message == f"Nothing written; not in the documents: “price”. {NOTHING_WRITTEN}"
    status = desk.window.parts.status_bar
    assert not status.first_token_label.isHidden()
    leave(desk)
    assert bar.message == ""
    assert status.first_token_label.isHidden()
    assert status.confidence_label.isHidden()


def test_generate_soon_after_typing_waits_for_the_plan(desk: OpenDesk) -> None:
    panel, flow = desk.window.parts.prompt_panel, desk.window.draft_flow
    desk.wait(panel.generate_button.isEnabled)
    QTest.keyClicks(panel.editor, "More. ")
    QTest.keyClick(panel.editor, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    assert desk.window.parts.status_bar.work_label.text() == "Looking for sources…"
    with desk.qtbot.waitSignal(flow.generation.ended, timeout=10_000):
        QTest.keyClick(panel.editor, Qt.Key.Key_G, Qt.KeyboardModifier.ControlModifier)
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    assert draft.prompt.startswith("More. ")
    # Typing on takes the wish back.
    QTest.keyClicks(panel.editor, "And more. ")
    flow.generate()
    QTest.keyClicks(panel.editor, "Still more. ")
    desk.wait(panel.generate_button.isEnabled)
    assert not flow.generation.is_running
    assert desk.window.parts.draft_panel.draft is draft


def test_a_key_says_why_nothing_is_generated(desk: OpenDesk) -> None:
    panel, said = desk.window.parts.prompt_panel, desk.window.parts.status_bar.work_label
    panel.choose("Context/Prompt/broken.md")
    for action in ("generate", "prose"):
        desk.window.actions_table[action].trigger()
        desk.wait(lambda: said.text() == panel.why_not() != "Looking for sources…")
        desk.window.parts.status_bar.show_work("")
    panel.choose(PROMPT_FILE)
    desk.wait(panel.generate_button.isEnabled)
    panel.set_model_problem("There is no model.")
    desk.window.actions_table["prose"].trigger()
    assert said.text() == "There is no model."


def test_stop_ends_a_generation_within_a_second(desk: OpenDesk) -> None:
    desk.begin_generation()
    assert desk.window.parts.status_bar.stop_button.isVisible()
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=1000):
        QTest.keyClick(desk.window, Qt.Key.Key_Escape)
    assert "still" not in desk.text()
    assert "amperometrically" in desk.text()
    assert not desk.window.parts.status_bar.stop_button.isVisible()
    draft = desk.window.parts.draft_panel.draft
    assert draft is not None
    assert draft.status == "cancelled"


def test_stop_gives_the_desk_back_while_the_model_loads(
    open_desk: Callable[..., OpenDesk],
) -> None:
    loaded = threading.Event()

    def hold(session: FakeSession) -> None:
        session.deaf = loaded

    desk = open_desk(prepare=hold)
    desk.session.drafts.save(_older_draft())
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    panel.generate_button.click()
    label = desk.window.parts.status_bar.work_label
    desk.wait(lambda: label.text() == "Loading the language model")
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended, timeout=1000):
        desk.window.actions_table["stop"].trigger()
    assert label.text() == "Stopped"
    assert panel.generate_button.isEnabled()
    assert not desk.window.parts.draft_panel.editor.isReadOnly()
    loaded.set()
    desk.session.deaf = None
    desk.generate()
    assert "amperometrically" in desk.text()


def _older_draft() -> Draft:
    return Draft("old", "Old", "", "", "complete", (), (), "2025-01-01", "2025-01-01")


def test_typing_goes_on_while_a_draft_is_only_read(desk: OpenDesk) -> None:
    desk.begin_generation()
    panel = desk.window.parts.prompt_panel
    before = panel.prompt_text
    QTest.keyClicks(panel.editor, "More. ")
    assert panel.prompt_text != before
    assert desk.session.gate is not None
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended):
        desk.session.gate.set()


def test_a_problem_of_the_environment_is_told_in_the_bar(
    open_desk: Callable[..., OpenDesk],
) -> None:
    from phasergun_desktop.errors import ModelError

    def break_it(session: FakeSession) -> None:
        session.failure = ModelError("Model damaged", "It is not a model.", "Fetch it again.")

    desk = open_desk(prepare=break_it)
    desk.generate()
    assert desk.window.parts.message_bar.message == (
        "Model damaged. It is not a model. Fetch it again."
    )
    assert not desk.window.parts.draft_panel.editor.isReadOnly()


def test_a_draft_is_called_the_same_while_it_is_written_and_when_it_is_kept(desk: OpenDesk) -> None:
    desk.wait(lambda: desk.window.parts.prompt_panel.plan is not None)
    plan = desk.window.parts.prompt_panel.plan
    assert plan is not None
    untitled = replace(plan, title="")
    for file, title in (("Context/Prompt/risk-summary.md", "Risk summary"), ("", "Write the")):
        made = GenerationRequest(untitled, file, uses_model=False).new_draft()
        assert made.title == prompt_title(file, untitled.task)
        assert made.title.startswith(title)


def test_a_bug_of_ours_opens_a_report(open_desk: Callable[..., OpenDesk]) -> None:
    def break_it(session: FakeSession) -> None:
        session.failure = ZeroDivisionError("text of a document")

    desk = open_desk(prepare=break_it)
    desk.generate()
    dialog = desk.window.reporter.dialog
    assert dialog is not None
    assert dialog.report.toPlainText().splitlines()[-1] == "ZeroDivisionError"
    dialog.close()
    desk.wait(lambda: desk.window.reporter.dialog is None)
