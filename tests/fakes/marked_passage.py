"""What the source viewer marks, read from what its views draw."""

from __future__ import annotations

from PySide6.QtCore import Qt

from phasergun_desktop.ui.sources.row_table import RowTable
from phasergun_desktop.ui.sources.source_panel import SourcePanel
from phasergun_desktop.ui.sources.text_view import SourceTextView

_GROUND = Qt.ItemDataRole.BackgroundRole


def marked_in(panel: SourcePanel) -> str:
    """Return the passage that the source in view marks; on pages, which are pictures, the one that
    can be cited where anything is marked."""
    shown = panel.views.shown_view
    if isinstance(shown, SourceTextView | RowTable):
        return marked_text(shown)
    note = panel.citation() if panel.views.page_view.marks() else None
    return note.quote if note is not None else ""


def marked_text(view: SourceTextView | RowTable) -> str:
    """Return the marked text as ``view`` shows it, parts joined as in the source."""
    pieces = _in_text(view) if isinstance(view, SourceTextView) else _in_table(view)
    shown = view._shown if isinstance(view, SourceTextView) else view._rows
    if shown is None or not pieces:
        return ""
    (start, end), source = _passage(view), shown.source.text
    parts, before = [], start
    # What lies between the shown pieces (separators, column names) is as in the source.
    for first, last, words in pieces:
        parts += [source[before:first], words]
        before = last
    return "".join([*parts, source[before:end]])


def _passage(view: SourceTextView | RowTable) -> tuple[int, int]:
    if isinstance(view, SourceTextView):
        return view._passage
    return view._rows._passage if view._rows is not None else (0, 0)


def _in_text(view: SourceTextView) -> list[tuple[int, int, str]]:
    places = view._shown.positions(*view._passage) if view._shown is not None else []
    selected = [str(one.cursor.selectedText()) for one in view.extraSelections()]
    return [
        (start, end, words.replace("\u2028", "\n").replace("\u2029", "\n"))
        for words, (_first, _last, start, end) in zip(selected, places, strict=True)
    ]


def _in_table(view: RowTable) -> list[tuple[int, int, str]]:
    """Return the parts of the passage in the header, and in the cells that have its ground."""
    rows = view._rows
    if rows is None:
        return []
    start, end = rows._passage
    cells = list(rows._header_cells)
    for row in range(rows.rowCount()):
        if rows.index(row, 0).data(_GROUND) is not None:
            cells += sorted(rows.cells(row).values(), key=lambda one: one.start)
    return [
        (first, last, cell.text[first - cell.start : last - cell.start])
        for cell in cells
        if (first := max(cell.start, start)) < (last := min(cell.end, end))
    ]
