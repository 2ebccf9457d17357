"""The source viewer shows the text of the file, and finds the passage in it."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from phasergun_desktop.ui.sources.placed_text import utf16_length
from phasergun_desktop.ui.sources.source_target import SourceTarget, find_passage
from phasergun_desktop.ui.sources.source_text import build_source_text
from phasergun_desktop.ui.sources.text_view import SourceTextView
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.marked_passage import marked_text
from tests.fakes.ui_documents import device_description, risk_procedure
from tests.fakes.ui_formats import slides, transcript

SOURCES = (device_description(), risk_procedure())


def test_utf16_length_counts_as_qt_does() -> None:
    for text in ("", "abc", "α 😀 \U0001d6fc", "e\u0301"):
        assert utf16_length(text) == len(text.encode("utf-16-le")) // 2


@pytest.mark.parametrize("source", [*SOURCES, slides(7), transcript(20)])
def test_every_block_is_shown_at_its_place(qapp: QApplication, source: SourceDocument) -> None:
    document = source.document
    view = SourceTextView()
    view.show_document(document)
    for block in document.blocks:
        view.show_passage(block.start, block.end)
        assert marked_text(view) == document.block_text(block)
    view.deleteLater()


@settings(
    max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.data())
def test_any_range_within_a_block_is_highlighted_exactly(
    qapp: QApplication, data: st.DataObject
) -> None:
    document = SOURCES[0].document
    paragraphs = [one for one in document.blocks if not one.cells]
    block = data.draw(st.sampled_from(paragraphs))
    start = data.draw(st.integers(block.start, block.end - 1))
    end = data.draw(st.integers(start + 1, block.end))
    made = build_source_text(document, QFont())
    (first, last, shown_start, shown_end), *more = made.positions(start, end)
    assert not more
    assert (shown_start, shown_end) == (start, end)
    text = made.document.toRawText().encode("utf-16-le")[2 * first : 2 * last]
    assert text.decode("utf-16-le").replace("\u2028", "\n") == document.text[start:end]


def test_a_row_is_a_row_of_a_real_table(qapp: QApplication) -> None:
    made = build_source_text(SOURCES[0].document, QFont())
    block = next(one for one in SOURCES[0].document.blocks if "GS-TS-50" in str(one.cells))
    places = made.positions(block.start, block.end)
    document = made.document
    texts = []
    for first, last, _start, _end in places:
        cursor = document.rootFrame().lastCursorPosition()
        cursor.setPosition(first)
        table = cursor.currentTable()
        assert table is not None
        assert table.cellAt(cursor).row() == 2
        cursor.setPosition(last, cursor.MoveMode.KeepAnchor)
        texts.append(cursor.selectedText())
    assert texts == ["Test strips", "GS-TS-50"]


def test_a_changed_file_is_told_and_the_quote_looked_for() -> None:
    source = SOURCES[0]
    quote = "A measurement takes 5 s"
    start = source.document.text.index(quote)
    target = SourceTarget("f", start, start + len(quote), quote, "old")
    moved = replace(source.document, text="New. " + source.document.text)
    found = find_passage(target, moved, "new")
    assert moved.text[found.start : found.end] == quote
    assert "has changed" in found.notice
    gone = replace(source.document, text=source.document.text.replace("5 s", "7 s"))
    found = find_passage(target, gone, "new")
    assert found.start == found.end
    assert "no longer in it" in found.notice
    same = find_passage(target, source.document, "old")
    assert (same.start, same.end, same.notice) == (start, start + len(quote), "")
