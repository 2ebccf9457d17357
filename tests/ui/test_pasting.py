"""Whatever is pasted, the page goes on telling of its changes, and what stood there stays."""

from __future__ import annotations

import json
import os
from dataclasses import replace

import pytest
from PySide6.QtCore import QByteArray, QMimeData
from PySide6.QtTest import QTest

from phasergun_desktop.ui.drafts.cited_clipboard import CITED_TYPE
from phasergun_desktop.ui.editor.draft_clipboard import MIME_TYPE
from tests.ui.conftest import OpenDesk

DEEP_ITEM = '<ul><li data-level="99999999999">far</li></ul><p>near</p>'
OWN = json.dumps({"process": os.getpid(), "html": DEEP_ITEM, "footnotes": {}})


@pytest.mark.parametrize(
    ("kind", "content"),
    [(MIME_TYPE, OWN), (MIME_TYPE, "[" * 100_000), (CITED_TYPE, "[" * 100_000)],
    ids=["level", "nested", "cited"],
)
def test_after_a_crafted_paste_changes_are_told_of(desk: OpenDesk, kind: str, content: str) -> None:
    editor = desk.window.parts.draft_panel.editor
    data = QMimeData()
    data.setData(kind, QByteArray(content.encode()))
    data.setText("near")
    editor.insertFromMimeData(data)
    assert "near" in desk.text()
    editor.setFocus()
    with desk.qtbot.waitSignal(editor.document().contentsChanged):
        QTest.keyClicks(editor, "x")


def test_a_crafted_draft_opens_and_takes_words(desk: OpenDesk) -> None:
    desk.generate()
    panel = desk.window.parts.draft_panel
    draft = panel.snapshot()
    assert draft is not None
    panel.open_draft(replace(draft, draft_id="other", edited_html=DEEP_ITEM))
    assert desk.text() == "far\nnear"
    panel.editor.setFocus()
    with desk.qtbot.waitSignal(panel.changed):
        QTest.keyClicks(panel.editor, "x")


def test_text_behind_pasted_paragraphs_stays_a_paragraph(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setFocus()
    QTest.keyClicks(editor, "The meter is sterile for 9 years.")
    editor.move_cursor(0)
    data = QMimeData()
    data.setHtml("<p>Intro.</p><h2>Safety</h2>")
    data.setText("plain")
    editor.insertFromMimeData(data)
    assert desk.text().split("\n")[-2:] == ["Safety", "The meter is sterile for 9 years."]
    assert editor.document().lastBlock().blockFormat().headingLevel() == 0
    editor.undo()
    assert desk.text() == "The meter is sterile for 9 years."


def test_more_than_a_draft_can_hold_is_not_pasted(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    editor.setPlainText("Mine.")
    data = QMimeData()
    data.setText("far too long " * 8_000_000)
    with desk.qtbot.waitSignal(editor.paste_refused):
        editor.insertFromMimeData(data)
    assert desk.text() == "Mine."
    assert desk.window.parts.message_bar.isVisible()
