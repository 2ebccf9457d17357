"""What is wrong is shown, can be stepped through, and can be mended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtGui import QTextCharFormat
from PySide6.QtWidgets import QMenu

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.editor.support_highlighter import underline_for
from phasergun_desktop.ui.generate.prompt_panel import FETCH_IT, WITHOUT_IT
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.wording import plan_summary
from tests.fakes.ui_session import BROKEN_PROMPT, FakeSession
from tests.ui.conftest import OpenDesk

Underline = QTextCharFormat.UnderlineStyle


def _underlines(desk: OpenDesk) -> dict[str, Underline]:
    found: dict[str, Underline] = {}
    block = desk.window.parts.draft_panel.editor.document().begin()
    while block.isValid():
        text = block.text().encode("utf-16-le")
        for one in block.layout().formats():
            style = one.format.underlineStyle()
            if style is not Underline.NoUnderline:
                words = text[2 * one.start : 2 * (one.start + one.length)].decode("utf-16-le")
                found[words] = style
        block = block.next()
    return found


def test_sentences_are_underlined_by_what_is_wrong(desk: OpenDesk) -> None:
    desk.generate()
    assert _underlines(desk) == {
        "The predicate device uses test strips and covers a like range.": Underline.DotLine,
        "It is intended for a hospital setting.": Underline.WaveUnderline,
        "A measurement takes 7 s.": Underline.WaveUnderline,
    }
    units = desk.window.parts.draft_panel.book.units
    tips = [hover_html(unit) for unit in units.values()]
    assert any("7 s does not occur" in tip for tip in tips)


def test_f8_steps_through_the_problems_and_says_why(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(0)
    seen = []
    for _ in range(4):
        desk.window.actions_table["next-problem"].trigger()
        seen.append(editor.textCursor().selectedText().split(".")[0])
    assert seen == [
        "The predicate device uses test strips and covers a like range",
        "It is intended for a hospital setting",
        "A measurement takes 7 s",
        "The predicate device uses test strips and covers a like range",
    ]
    desk.window.actions_table["previous-problem"].trigger()
    assert editor.textCursor().selectedText().startswith("A measurement takes 7 s")
    assert "7 s does not occur" in desk.window.parts.status_bar.work_label.text()


def test_keep_only_supported_is_one_undo_step(desk: OpenDesk) -> None:
    desk.generate()
    before = desk.text()
    desk.window.actions_table["keep-supported"].trigger()
    assert "hospital" not in desk.text()
    assert "7 s" in desk.text()
    assert "  " not in desk.text()
    desk.window.actions_table["undo"].trigger()
    assert desk.text() == before


def test_a_sentence_can_be_dropped_checked_or_turned_into_a_todo(desk: OpenDesk) -> None:
    desk.generate()
    table = desk.window.actions_table
    desk.window.parts.draft_panel.editor.move_cursor(0)
    table["next-problem"].trigger()
    table["mark-checked"].trigger()
    # The writer's word is a quiet line of another shape.
    styles = list(_underlines(desk).values())
    assert sorted(styles, key=lambda one: one.value) == [
        Underline.SingleUnderline,
        Underline.WaveUnderline,
        Underline.WaveUnderline,
    ]
    snapshot = desk.window.parts.draft_panel.snapshot()
    assert snapshot is not None
    unit = next(one for one in snapshot.units if "like range" in one.text)
    assert unit.is_accepted
    # What was found stays beside it.
    assert unit.support.value == "partly"
    table["next-problem"].trigger()
    table["drop-sentence"].trigger()
    assert "hospital" not in desk.text()
    table["next-problem"].trigger()
    table["todo"].trigger()
    assert "[TODO: a source for “7 s” in “A measurement takes 7 s”; a document" in desk.text()
    assert "A measurement takes 7 s." not in desk.text()


def test_problems_are_listed(desk: OpenDesk) -> None:
    desk.generate()
    listed = desk.window.parts.problems_panel.list
    assert listed.count() == 4
    assert "different ranges" in listed.item(3).text()
    listed.itemClicked.emit(listed.item(1))
    cursor = desk.window.parts.draft_panel.editor.textCursor()
    assert cursor.selectedText() == "It is intended for a hospital setting."


def test_a_broken_prompt_blocks_and_says_why(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    panel.choose("Context/Prompt/broken.md")
    desk.wait(lambda: panel.plan is not None)
    assert not panel.generate_button.isEnabled()
    # Beside Generate there is room for few lines; the board and the tooltip say all of it.
    assert panel.summary.text() == "Absent.docx is not in Initiation."
    whole = "Absent.docx is not in Initiation. Put the file there or change the reference."
    assert panel.summary.toolTip() == panel.generate_button.toolTip() == whole
    top = panel.board.tree.topLevelItem(0)
    assert top is not None
    assert panel.board.tree.row_of(top).text == f"Stops generation: {whole}"
    # The face beyond UTF-16 before the bracket does not move the underline.
    first, last = panel.editor.chips[0].span
    text = BROKEN_PROMPT.encode("utf-16-le")[2 * first : 2 * last].decode("utf-16-le")
    assert text == "[Context|Initiation|Absent.docx]"
    assert len(panel.editor.extraSelections()) == 1


def test_editing_the_prompt_plans_again_by_itself(desk: OpenDesk) -> None:
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    panel.editor.setPlainText("Describe the meter.")
    assert not panel.generate_button.isEnabled()
    assert panel.summary.text() == "Looking for sources…"
    desk.wait(panel.generate_button.isEnabled)
    assert panel.plan is not None
    assert panel.plan.prompt == "Describe the meter."
    assert panel.summary.text() == "2 points, 4 passages from 2 files; as prose about 20 s"
    nothing = tuple(replace(each, passages=(), evidence=()) for each in panel.plan.points)
    assert plan_summary(replace(panel.plan, points=nothing)) == "2 points, nothing to state"


def test_without_a_model_all_but_prose_is_offered(
    open_desk: Callable[..., OpenDesk],
) -> None:
    def remove_model(session: FakeSession) -> None:
        session.model_problem = "The model file is not there."

    desk = open_desk(prepare=remove_model)
    panel = desk.window.parts.prompt_panel
    desk.wait(panel.generate_button.isEnabled)
    assert not panel.prose_button.isEnabled()
    assert "The model file is not there." in panel.prose_button.toolTip()
    assert panel.summary.text() == "2 points, 4 passages from 2 files"
    # What helps is in this window.
    told = [one.text() for one in panel.findChildren(NoticeLabel) if one.isVisible()]
    assert told == [f"The model file is not there. {FETCH_IT} {WITHOUT_IT}"]
    assert "Ctrl+M" in FETCH_IT
    with desk.qtbot.waitSignal(desk.window.draft_flow.generation.ended):
        desk.window.actions_table["generate"].trigger()
    assert "amperometrically" in desk.text()


def test_a_changed_source_is_told(open_desk: Callable[..., OpenDesk]) -> None:
    def change(session: FakeSession) -> None:
        session.changed = frozenset({1})

    desk = open_desk(prepare=change)
    desk.generate()
    desk.window.draft_flow.shelf.check_sources()
    panel = desk.window.parts.draft_panel
    desk.wait(lambda: "(source changed)" in panel.footnotes_box.list.item(0).text())
    listed = desk.window.parts.problems_panel.list
    texts = [listed.item(row).text() for row in range(listed.count())]
    assert "Device-Description.docx has changed since it was cited: footnote 1." in texts


def test_a_document_that_is_gone_is_told_once_with_all_its_footnotes(
    open_desk: Callable[..., OpenDesk],
) -> None:
    def take_away(session: FakeSession) -> None:
        session.missing = frozenset({1, 2, 3, 4})

    desk = open_desk(prepare=take_away)
    desk.generate()
    desk.window.draft_flow.shelf.check_sources()
    listed = desk.window.parts.problems_panel.list

    def texts() -> list[str]:
        found = [listed.item(row).text() for row in range(listed.count())]
        return [one for one in found if "any more" in one]

    desk.wait(lambda: bool(texts()))
    gone = "is not among the documents of the project any more"
    assert texts()[0] == f"Device-Description.docx {gone}: footnotes 1, 3."
    assert texts()[2:] == [f"SOP-003-risk-management.md {gone}: footnote 4."]
    # Of two footnotes to one source it is one.
    box = desk.window.parts.draft_panel.footnotes_box
    assert box.line.text().endswith(": 4, 3 sources changed")


def test_the_menu_leaves_what_is_selected_to_copy(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    start = desk.text().index("measures glucose")
    editor.move_cursor(start + len("measures"), anchor=start)
    menu = QMenu()
    editor.menu_wanted.emit(menu, start + 3)
    assert editor.textCursor().selectedText() == "measures"
    assert menu.actions()
    other = QMenu()
    editor.menu_wanted.emit(other, start + 12)
    assert editor.textCursor().position() == start + 12
    assert not editor.textCursor().hasSelection()
    for one in (menu, other):
        one.deleteLater()


def test_status_bar_list_and_f8_count_the_same_problems(desk: OpenDesk) -> None:
    desk.generate()
    panel, bar = desk.window.parts.problems_panel, desk.window.parts.status_bar
    assert panel.total == 4
    assert bar.problems_button.text() == "4 problems"
    desk.window.actions_table["keep-supported"].trigger()
    left = panel.total
    assert bar.problems_button.text() == ("1 problem" if left == 1 else f"{left} problems")
    # What stands at no sentence is gone to as well.
    for sentence in list(desk.window.parts.draft_panel.sentences):
        desk.window.problem_flow.go_to(sentence)
        desk.window.actions_table["mark-checked"].trigger()
    assert not desk.window.parts.draft_panel.sentences
    assert panel.total
    desk.window.actions_table["next-problem"].trigger()
    assert panel.isVisible()
    assert panel.list.currentRow() == 0
    assert "in the list" in bar.work_label.text()
    bar.problems_button.click()
    assert panel.isVisible()


@pytest.mark.parametrize(
    ("problems", "citations", "line"),
    [
        ((ProblemCode.NO_SOURCE,), (), Underline.DashUnderline),
        ((ProblemCode.NO_SOURCE, ProblemCode.VALUE_MISSING), (), Underline.WaveUnderline),
        ((), (1,), Underline.WaveUnderline),
    ],
)
def test_an_own_statement_is_dashed_while_it_only_lacks_a_source(
    problems: tuple[ProblemCode, ...], citations: tuple[int, ...], line: Underline
) -> None:
    found = tuple(SentenceProblem(code, "", "") for code in problems)
    own = DraftSentence("It floats.", support=Support.UNSUPPORTED, is_own=True)
    assert underline_for(replace(own, citations=citations, problems=found)) is line


def test_alt_return_on_an_empty_page_says_that_there_is_no_text(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    menus = len(editor.findChildren(QMenu))
    desk.window.actions_table["fixes"].trigger()
    assert "no text" in desk.window.parts.status_bar.work_label.text()
    assert len(editor.findChildren(QMenu)) == menus


def test_a_row_of_a_table_is_listed_without_bars(desk: OpenDesk) -> None:
    row = DraftSentence(
        "Range | 20 to 600 mg/dL", support=Support.UNSUPPORTED, kind=UnitKind.TABLE_ROW
    )
    draft = Draft("rows", "Rows", "", "", "complete", (row,), (), "2026", "2026")
    desk.session.drafts.save(draft)
    desk.window.draft_flow.shelf.open_draft("rows")
    listed = desk.window.parts.problems_panel.list
    desk.wait(lambda: listed.count() > 0)
    assert listed.item(0).text().startswith("Range · 20 to 600 mg/dL")


def test_every_line_of_a_problem_is_drawn_whatever_the_width_of_the_list(desk: OpenDesk) -> None:
    panel = desk.window.parts.problems_panel
    desk.window.show_dock("problems")
    notes = tuple(f"{'The cited passage says nothing of it. ' * n}End." for n in range(1, 30))
    panel.show_problems([], notes)
    drawn = panel.list
    for width in range(240, 300, 6):
        panel.setFixedWidth(width)
        desk.qtbot.wait(20)
        rects = [drawn.visualItemRect(drawn.item(row)) for row in range(drawn.count())]
        # One that is measured higher than it is drawn is cut, and leaves a gap.
        assert [one.bottom() + 1 for one in rects[:-1]] == [one.top() for one in rects[1:]]
