"""What is read of a changed document is what a whole reading gives, and costs what changed."""

from __future__ import annotations

import gc
import random
from collections.abc import Callable

import pytest
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QTextEdit
from pytestqt.qtbot import QtBot

from phasergun_desktop.drafts.draft_shape import DraftShape, Paragraph
from phasergun_desktop.drafts.piece_memo import PieceMemo
from phasergun_desktop.ui.editor import shape_reader
from phasergun_desktop.ui.editor.draft_reader import read_shape
from phasergun_desktop.ui.editor.page_styles import change_table, insert_table, toggle_list
from phasergun_desktop.ui.editor.shape_reader import ShapeReader
from phasergun_desktop.ui.quiet_collection import QuietCollection

Step = Callable[[QTextCursor, random.Random], object]


def _type(cursor: QTextCursor, dice: random.Random) -> None:
    cursor.insertText(dice.choice(["α", "𝛼 word ", "two\nparagraphs", "\n", "x" * 40]))


def _delete(cursor: QTextCursor, dice: random.Random) -> None:
    cursor.movePosition(
        QTextCursor.MoveOperation.Right, QTextCursor.MoveMode.KeepAnchor, dice.randrange(1, 60)
    )
    cursor.removeSelectedText()


STEPS: tuple[Step, ...] = (
    _type,
    _type,
    _delete,
    _delete,
    lambda cursor, _dice: toggle_list(cursor),
    lambda cursor, _dice: insert_table(cursor),
    lambda cursor, dice: change_table(cursor, rows=dice.choice([1, -1])),
    lambda cursor, dice: change_table(cursor, columns=dice.choice([1, -1])),
    lambda cursor, _dice: cursor.document().undo(),
    lambda cursor, _dice: cursor.document().redo(),
    lambda cursor, _dice: cursor.insertBlock(),
)


def _places(shape: DraftShape) -> list[object]:
    """Everything about a shape, also what is no part of its equality."""
    found: list[object] = []
    for piece in shape:
        rows = [piece] if isinstance(piece, Paragraph) else piece.rows
        for row in rows:
            runs = [row.runs] if isinstance(row, Paragraph) else row.cells
            found.append((row.block, row.start))
            found += [[(run.text, run.start, run.end) for run in cell] for cell in runs]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_a_changed_document_is_read_as_a_whole_one(qapp: QApplication, seed: int) -> None:
    dice = random.Random(seed)
    edit = QTextEdit()
    edit.setPlainText("\n".join(f"Paragraph {n} says something." for n in range(12)))
    reader = ShapeReader(edit.document())
    for number in range(120):
        cursor = QTextCursor(edit.document())
        cursor.setPosition(dice.randrange(edit.document().characterCount()))
        dice.choice(STEPS)(cursor, dice)
        if dice.random() < 0.7:
            read, whole = reader.read(), read_shape(edit.document())
            assert read == whole, number
            assert _places(read) == _places(whole), number
    edit.deleteLater()


def test_only_what_changed_is_read(qapp: QApplication, monkeypatch: pytest.MonkeyPatch) -> None:
    edit = QTextEdit()
    edit.setPlainText("\n".join(f"Paragraph {n}." for n in range(400)))
    reader = ShapeReader(edit.document())
    before = reader.read()
    read: list[int] = []

    def counted(*asked: object) -> DraftShape:
        shape = read_shape(*asked)  # type: ignore[arg-type]
        read.append(len(shape))
        return shape

    monkeypatch.setattr(shape_reader, "read_shape", counted)
    assert reader.read() is before
    cursor = QTextCursor(edit.document().findBlockByNumber(200))
    cursor.insertText("More. ")
    after = reader.read()
    assert sum(read) <= 3
    assert after[0] is before[0]
    last, was = after[-1], before[-1]
    assert isinstance(last, Paragraph)
    assert isinstance(was, Paragraph)
    assert last.runs is was.runs
    assert last.start == was.start + len("More. ")
    edit.deleteLater()


def test_a_memo_forgets_what_changed_and_what_is_gone() -> None:
    memo, made = PieceMemo(), []

    def make() -> int:
        made.append(1)
        return len(made)

    piece, other = ("a",), ("a",)
    assert memo.get("words", piece, 1, make) == 1
    memo.turn()
    assert memo.get("words", piece, 1, make) == 1
    assert memo.get("words", piece, 2, make) == 2
    assert memo.get("marks", piece, 2, make) == 3
    assert memo.get("words", other if other is not piece else ["a"], 2, make) >= 2
    memo.turn()
    memo.turn()
    assert memo.get("words", piece, 2, make) == len(made)


def test_garbage_is_collected_when_nothing_is_typed(
    qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    before, collected = gc.get_threshold(), []
    monkeypatch.setattr("phasergun_desktop.ui.quiet_collection.QUIET_MS", 40)
    monkeypatch.setattr(gc, "collect", lambda: collected.append(1))
    monkeypatch.setattr(gc, "freeze", lambda: None)
    collection = QuietCollection()
    try:
        assert gc.get_threshold() != before
        collection.put_off()
        assert not collected
        qtbot.waitUntil(lambda: bool(collected), timeout=5000)
    finally:
        collection.end()
    assert gc.get_threshold() == before
