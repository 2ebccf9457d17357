"""The tasks of a writer's day, in their order; each asserts what the writer sees."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from zipfile import ZipFile

from PySide6.QtCore import QPoint, Qt, QTimer
from PySide6.QtGui import QTextCharFormat
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QCommandLinkButton,
    QFileDialog,
    QInputDialog,
    QMenu,
    QPushButton,
    QToolTip,
)

from phasergun_desktop.conversations.model import TurnStatus
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.ui.ask.transcript import Transcript
from phasergun_desktop.ui.dialogs.open_problems_dialog import OpenProblemsDialog
from phasergun_desktop.ui.dialogs.versions_dialog import VersionsDialog
from phasergun_desktop.ui.projects.project_tree_model import NodeKind
from phasergun_desktop.ui.theme import colours_for
from tests.acceptance.writers_hands import Writer, let_pass
from tests.fakes.marked_passage import marked_in

QUESTIONS = (
    "How hot may the surface become?",
    "How long does the device run on one charge?",
    "and its charging time?",
    "Was the drop test passed, and who sewed the leather saddle?",
    "Which standards cover the emissions?",
    "How heavy is the device?",
    "From what height was it dropped?",
    "List all hazards of the hazard log",
    "Who makes the predicate?",
    "How accurate is the oxygen saturation?",
    "What was decided about the wipe test?",
    "How hot may the surface become?",
)
OWN = "The nurse switches the device on by inserting a finger."
DISPUTED = "State the charging time."
FILE, WORDS = "User-Needs", "switched on by"

MARKS = (
    QTextCharFormat.UnderlineStyle.DashUnderline,
    QTextCharFormat.UnderlineStyle.WaveUnderline,
)


def open_the_sample(writer: Writer) -> None:
    """Click the third offer of an empty start."""
    parts = writer.window.parts
    offers = parts.start_page.findChildren(QCommandLinkButton)
    assert [one.text() for one in offers if one.isVisible()][2] == "Look at the sample"
    writer.click(offers[2])
    writer.wait(parts.project_panel.isVisible, "the desk")
    writer.wait(lambda: parts.prompt_panel.picker.count() >= 5, "the prompts")
    assert "No documents" not in parts.status_bar.index_label.text()


def wait_for_the_index(writer: Writer) -> None:
    """Look at the line at the bottom until every file is read."""
    label = writer.window.parts.status_bar.index_label
    writer.wait(lambda: "indexed" in label.text(), "files are indexed")
    writer.settle()
    assert label.text() == "31 of 31 indexed"


def choose_a_prompt(writer: Writer) -> None:
    """Click a prompt in the list; its evidence is there."""
    panel = writer.window.parts.prompt_panel
    writer.choose(NodeKind.PROMPT, "Device description")
    writer.wait(panel.generate_button.isEnabled, "Generate can be pressed")
    assert "principle of operation" in panel.prompt_text
    assert len(panel.board.tree.need_items()) >= 3


def untick_a_passage(writer: Writer) -> None:
    """Click the box of the second passage of the first need that has two."""
    board = writer.window.parts.prompt_panel.board
    before = len(writer.ticked)
    # What a need is answered with may stand under another one.
    second = (need.child(1) for need in board.tree.need_items())
    item = next(each for each in second if each is not None)
    board.tree.scrollToItem(item)
    rect = board.tree.visualItemRect(item)
    writer.click(board.tree.viewport(), QPoint(rect.left() + 14, rect.top() + 14))
    writer.wait(lambda: len(writer.ticked) == before - 1, "one passage less is ticked")
    assert board.reset_button.isVisible()


def add_a_passage(writer: Writer) -> None:
    """Search for a passage with Ctrl+Shift+A and take the first hit in with Return."""
    writer.press("Ctrl+3")
    before = len(writer.ticked)
    writer.press("Ctrl+Shift+A")
    search = writer.window.draft_flow.evidence.search
    writer.wait(search.isVisible, "the search for a passage")
    writer.write("battery")
    writer.wait(lambda: search.hits.count() > 0, "passages are found")
    writer.press("Return")
    writer.wait(lambda: QApplication.focusWidget() is search.hits, "the keyboard is in the list")
    writer.press("Return")
    writer.wait(lambda: len(writer.ticked) == before + 1, "the passage is in the evidence")
    writer.press("Esc")
    writer.wait(lambda: not search.isVisible(), "the search is closed")


def generate_the_draft(writer: Writer) -> None:
    """Press Ctrl+G: the section stands there with its footnotes, the evidence folded away."""
    panel = writer.window.parts.prompt_panel
    writer.wait(panel.generate_button.isEnabled, "Generate can be pressed")
    writer.settle()
    writer.press("Ctrl+G")
    writer.wait(lambda: writer.page.count(".") > 5, "a draft")
    writer.settle()
    assert writer.window.sheet.line.is_folded
    assert len(writer.window.parts.draft_panel.text.footnotes()) >= 5
    assert "words" in writer.window.parts.status_bar.words_label.text()


def rest_on_a_footnote(writer: Writer) -> None:
    """Rest the mouse on a number: the passage is told."""
    editor = writer.window.parts.draft_panel.editor
    _number, key, footnote = writer.window.parts.draft_panel.text.footnotes()[0]
    place = writer.mark_place(key)
    writer.move_mouse(editor.viewport(), place - QPoint(40, 0))
    writer.move_mouse(editor.viewport(), place)
    writer.wait(QToolTip.isVisible, "the passage is told")
    assert footnote.quote.split()[0] in QToolTip.text()


def open_a_footnote(writer: Writer) -> None:
    """Click a number: the source stands beside the draft with its passage marked."""
    panel = writer.window.parts.source_panel
    _number, key, footnote = writer.window.parts.draft_panel.text.footnotes()[0]
    writer.click(writer.window.parts.draft_panel.editor.viewport(), writer.mark_place(key))
    writer.wait(lambda: marked_in(panel) == footnote.quote, "the passage is marked")
    assert panel.isVisible()


def come_back_to_the_draft(writer: Writer) -> None:
    """Press Alt+Left: the keyboard is in the draft."""
    writer.press("Ctrl+6")
    writer.press("Alt+Left")
    editor = writer.window.parts.draft_panel.editor
    writer.wait(lambda: QApplication.focusWidget() is editor, "the keyboard is in the draft")


def type_a_sentence(writer: Writer) -> None:
    """Type a sentence of one's own at the end: it is marked by a dashed line."""
    writer.press("Ctrl+4")
    writer.press("Ctrl+End")
    writer.press("Return")
    writer.write(OWN)
    writer.settle()
    writer.wait(lambda: writer.line_under(OWN) is not None, "the sentence is underlined")
    assert writer.line_under(OWN) in MARKS
    assert "source" in writer.window.parts.draft_panel.editor.accessibleDescription()


def go_to_the_problem(writer: Writer) -> None:
    """Press F8 until the sentence is selected; the line at the bottom says what is wrong."""
    editor = writer.window.parts.draft_panel.editor
    for _ in range(12):
        writer.press("F8")
        if OWN in editor.textCursor().selectedText():
            break
    assert OWN in editor.textCursor().selectedText(), editor.textCursor().selectedText()
    assert "source" in writer.said.lower(), writer.said
    assert QToolTip.isVisible()


def cite_it_by_hand(writer: Writer) -> None:
    """Open a file of the list, find words in it, and make them the footnote of the sentence."""
    parts = writer.window.parts
    before = len(parts.draft_panel.text.footnotes())
    writer.put_cursor("by inserting")
    writer.press("Ctrl+1")
    writer.choose(NodeKind.FILE, FILE)
    panel = parts.source_panel
    writer.wait(lambda: panel.target and FILE in panel.target.file, "the file is open")
    writer.settle()
    writer.press("Ctrl+6")
    writer.press("Ctrl+F")
    writer.write(WORDS)
    writer.press("Return")
    writer.settle()
    writer.press("Ctrl+Alt+F")
    writer.wait(lambda: "Cited" in writer.said or "already" in writer.said, "it is cited")
    writer.settle()
    assert len(parts.draft_panel.text.footnotes()) == before + 1, writer.said


def answer_for_it(writer: Writer) -> None:
    """Open the fixes with Alt+Return and choose “Mark as checked” with a key."""
    writer.put_cursor("by inserting")
    writer.press("Alt+Return")
    menu = writer.dialog(QMenu)
    assert "Mark as &checked" in [one.text() for one in menu.actions()]
    writer.picture("fixes-menu")
    QTest.keyClick(menu, Qt.Key.Key_Escape)
    writer.press("Alt+Shift+Return")
    writer.wait(lambda: "Checked by you" in writer.said, "the writer answers for it")
    assert writer.line_under(OWN) not in MARKS


def replace_a_word(writer: Writer) -> None:
    """Press Ctrl+H, give both words, replace all; one undo step brings it back."""
    bar = writer.window.parts.find_bar
    writer.press("Ctrl+4")
    writer.press("Ctrl+Home")
    writer.press("Ctrl+H")
    writer.wait(bar.isVisible, "the bar")
    writer.write("nurse")
    bar.by_box.setFocus()
    writer.write("ward nurse")
    button = next(one for one in bar.findChildren(QPushButton) if one.text() == "Replace all")
    writer.click(button)
    writer.wait(lambda: "ward nurse" in writer.page, "the word is replaced")
    writer.press("Esc")
    writer.press("Esc")
    writer.settle()


def set_a_heading(writer: Writer) -> None:
    """Type a line and make it a heading with a key; the box above the page says so."""
    writer.press("Ctrl+4")
    writer.press("Ctrl+End")
    writer.press("Return")
    writer.write("Accessories")
    writer.press("Ctrl+Alt+2")
    editor = writer.window.parts.draft_panel.editor
    assert editor.textCursor().blockFormat().headingLevel() == 2
    assert writer.window.parts.style_bar.styles.currentText() == "Heading 2"


def insert_a_table(writer: Writer) -> None:
    """Put a table below it and type into the first cell."""
    writer.press("Ctrl+End")
    writer.press("Return")
    writer.press("Ctrl+Alt+T")
    writer.write("Part")
    editor = writer.window.parts.draft_panel.editor
    table = editor.textCursor().currentTable()
    assert table is not None
    assert table.cellAt(0, 0).firstCursorPosition().block().text() == "Part"
    writer.settle()


def settle_a_disagreement(writer: Writer) -> None:
    """Draft a section on which two papers disagree, see both passages, and settle it."""
    parts = writer.window.parts
    panel = parts.problems_panel
    writer.press("Ctrl+N")
    writer.press("Ctrl+2")
    writer.press("Ctrl+A")
    writer.write(DISPUTED)
    writer.wait(parts.prompt_panel.generate_button.isEnabled, "Generate can be pressed")
    writer.settle()
    writer.press("Ctrl+G")
    writer.wait(lambda: "Draft written" in writer.said and writer.page, "a draft")
    writer.settle()
    writer.press("Ctrl+7")
    writer.wait(panel.isVisible, "the list of problems")
    found = panel.chosen_discrepancy()
    assert found is not None, "no sources disagree in this draft"
    row = next(r for r in range(panel.list.count()) if found.message in panel.list.item(r).text())
    panel.list.setCurrentRow(row)
    before = panel.total
    writer.press("Shift+F2")
    writer.wait(writer.window.discrepancy_flow.dialog.isVisible, "both passages")
    writer.settle()
    writer.picture("both-passages")
    QTest.keyClick(writer.window.discrepancy_flow.dialog, Qt.Key.Key_Escape)
    writer.press("Ctrl+7")
    writer.press("Ctrl+Alt+S")
    writer.answer(QInputDialog, "The later report holds.")
    writer.wait(lambda: "Settled" in writer.said, "it is settled")
    writer.wait(lambda: panel.total == before - 1, "it is no problem any more")


def keep_a_version(writer: Writer) -> None:
    """Save a version under a name, change a sentence, and look at the difference."""
    writer.press("Ctrl+4")
    # The dialog runs a loop of its own: the answer has to be on its way before.
    QTimer.singleShot(300, lambda: writer.answer(QInputDialog, "Sent to QA"))
    writer.press("Shift+F9")
    writer.wait(lambda: "Sent to QA" in writer.said, "the version is kept")
    writer.put_cursor("Accessories")
    writer.write(" and consumables")
    writer.settle()
    writer.press("F9")
    dialog = writer.dialog(VersionsDialog)
    assert isinstance(dialog, VersionsDialog)
    writer.wait(lambda: "consumables" in dialog.view.toPlainText(), "the difference")
    writer.picture("versions")
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    writer.wait(lambda: not dialog.isVisible(), "the versions are closed")


def rename_and_duplicate(writer: Writer) -> None:
    """Give the draft a name and make a copy; both are in the list."""
    writer.press("Ctrl+4")
    writer.press("Ctrl+Alt+R")
    writer.answer(QInputDialog, "Description for QA")
    writer.wait(
        lambda: writer.line_of(NodeKind.DRAFT, "Description for QA").isValid(), "the new name"
    )
    writer.settle()
    writer.press("Ctrl+Alt+D")
    writer.wait(lambda: writer.line_of(NodeKind.DRAFT, "(copy)").isValid(), "the copy")
    writer.settle()
    assert "ward nurse" in writer.page


def throw_away_and_put_back(writer: Writer) -> None:
    """Put the copy in the trash and take it out again."""
    writer.press("Ctrl+1")
    writer.choose(NodeKind.DRAFT, "(copy)")
    writer.settle()
    writer.press("Ctrl+Shift+Del")
    writer.wait(lambda: writer.line_of(NodeKind.THROWN, "(copy)").isValid(), "it is in the trash")
    writer.settle()
    tree = writer.window.parts.project_panel.tree
    index = writer.line_of(NodeKind.THROWN, "(copy)")
    tree.expand(index.parent())
    writer.click_line(tree, index)
    writer.press("Ctrl+Alt+B")
    writer.wait(lambda: writer.line_of(NodeKind.DRAFT, "(copy)").isValid(), "it is back")


def search_all_documents(writer: Writer) -> None:
    """Press Ctrl+K, type, and open the first hit with Return."""
    panel = writer.window.parts.search_panel
    writer.press("Ctrl+K")
    writer.write("charging time")
    writer.wait(lambda: panel.hits.count() > 0, "hits")
    writer.press("Return")
    writer.press("Return")
    source = writer.window.parts.source_panel
    text = panel.hits.item(0).text()
    writer.wait(
        lambda: source.target and source.target.file.split("/")[-1][:12] in text, "a source"
    )
    writer.settle()


def export_to_word(writer: Writer) -> None:
    """Press Ctrl+E, see what is open, export it all the same under a name; the file has the text
    and genuine footnotes."""
    writer.choose(NodeKind.DRAFT, "Description for QA")
    writer.settle()
    target = writer.out / "description.docx"
    target.unlink(missing_ok=True)
    writer.press("Ctrl+E")
    opened = writer.dialog(OpenProblemsDialog)
    assert isinstance(opened, OpenProblemsDialog)
    writer.picture("open-problems")
    writer.click(opened.export_button)
    writer.answer(QFileDialog, str(target))
    writer.wait(lambda: f"Exported to {target.name}" in writer.said, "it is exported")
    with ZipFile(target) as archive:
        assert "ward nurse" in archive.read("word/document.xml").decode()
        assert "<w:footnote " in archive.read("word/footnotes.xml").decode()
    target.unlink()


def change_the_colours(writer: Writer) -> None:
    """Turn dark (or light), see it, and turn back."""
    editor = writer.window.parts.draft_panel.editor
    was_dark = colours_for(editor.palette()).is_dark
    light, dark = "Ctrl+Alt+Shift+8", "Ctrl+Alt+Shift+9"
    there, back = (light, dark) if was_dark else (dark, light)
    writer.press(there)
    writer.wait(lambda: colours_for(editor.palette()).is_dark != was_dark, "other colours")
    writer.picture("other-colours")
    writer.press(back)
    writer.wait(lambda: colours_for(editor.palette()).is_dark == was_dark, "the colours are back")


def write_in_focus(writer: Writer) -> None:
    """Press F11: nothing but the page; and again."""
    docks = writer.window.docks
    shown = [one for one in docks if one.isVisible()]
    writer.press("Ctrl+4")
    writer.press("F11")
    assert not any(one.isVisible() for one in docks)
    let_pass(50)
    writer.picture("focus")
    writer.press("F11")
    assert all(not one.isHidden() for one in shown)


def find_everything_there_tomorrow(writer: Writer) -> None:
    """Close the window and open it again: project, draft, names and cursor's page are there."""
    before = writer.page
    writer.start_again()
    writer.wait(lambda: writer.page == before, "the draft is there")
    writer.settle()
    assert writer.line_of(NodeKind.DRAFT, "Description for QA").isValid()
    assert writer.line_of(NodeKind.DRAFT, "(copy)").isValid()
    assert writer.window.parts.draft_panel.text.footnotes()


def _is_answered(transcript: Transcript, number: int) -> bool:
    turns = transcript.turns
    return len(turns) == number and turns[-1].status is not TurnStatus.STARTED


def ask_a_dozen_questions(writer: Writer) -> None:
    """Press Ctrl+9, type a dozen questions, with follow-ups and one of two parts of which the
    documents answer one."""
    writer.press("Ctrl+9")
    transcript = writer.window.parts.ask_panel.transcript
    for number, question in enumerate(QUESTIONS, 1):
        writer.write(question)
        writer.press("Return")
        writer.wait(partial(_is_answered, transcript, number), f"the answer to {question}")
    writer.settle()
    turns = transcript.turns
    assert turns[0].footnotes[0].number == 1
    assert turns[-1].footnotes == turns[0].footnotes
    assert turns[2].before == QUESTIONS[1:2]
    told = [one.text for one in turns[3].sentences if one.kind is UnitKind.TODO]
    assert any("saddle" in one for one in told)
    assert turns[3].footnotes


def look_at_the_activity(writer: Writer) -> None:
    """Press Ctrl+Alt+A: every question and the draft are in the log."""
    writer.press("Ctrl+Alt+A")
    panel = writer.window.parts.activity_panel
    writer.wait(lambda: panel.table.rowCount() > len(QUESTIONS), "the log")


def evaluate_some_questions(writer: Writer) -> None:
    """Evaluate a file of questions and look at the figures with Ctrl+Alt+V."""
    file = writer.out / "questions.jsonl"
    right = "Context/Ongoing/TR-0217-Verification-Test-Summary.docx"
    rows = [{"question": one, "files": [right]} for one in QUESTIONS[:6]]
    file.write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    writer.press("Ctrl+Alt+V")
    panel = writer.window.parts.evaluation_panel
    writer.window.evaluation_flow.evaluate(file)
    writer.wait(lambda: panel.table.rowCount() == 1, "the run")
    writer.settle()


TASKS: tuple[Callable[[Writer], None], ...] = (
    open_the_sample,
    wait_for_the_index,
    choose_a_prompt,
    untick_a_passage,
    add_a_passage,
    generate_the_draft,
    rest_on_a_footnote,
    open_a_footnote,
    come_back_to_the_draft,
    type_a_sentence,
    go_to_the_problem,
    cite_it_by_hand,
    answer_for_it,
    replace_a_word,
    set_a_heading,
    insert_a_table,
    keep_a_version,
    rename_and_duplicate,
    throw_away_and_put_back,
    search_all_documents,
    export_to_word,
    settle_a_disagreement,
    change_the_colours,
    ask_a_dozen_questions,
    look_at_the_activity,
    evaluate_some_questions,
    write_in_focus,
    find_everything_there_tomorrow,
)
