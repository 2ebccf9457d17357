"""The tools above a source: page, zoom, outline, find, and citing what is selected."""

from __future__ import annotations

import re
from bisect import bisect_left
from functools import partial

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QMenu,
    QSpinBox,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.sources.source_views import SourceViews

_LONGEST_HEADING = 60
_MOST_HEADINGS = 400


class SourceBar(QWidget):
    """Works on what ``views`` show; who cites is told by ``cite_wanted`` and ``quote_wanted``."""

    cite_wanted = Signal()
    quote_wanted = Signal()

    def __init__(self, views: SourceViews, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._views = views
        self._icons = icons
        self._document: ParsedDocument | None = None
        # The words that were found last, what is selected of them, and which of the places it is.
        self._place: tuple[list[str], tuple[int, int], int] = ([], (0, 0), 0)
        self.page_box = QSpinBox()
        self.page_box.setAccessibleName("Page")
        self.page_box.setToolTip("Go to a page")
        self.page_box.setButtonSymbols(QSpinBox.ButtonSymbols.NoButtons)
        self.page_box.setKeyboardTracking(False)
        self._pages = QLabel()
        self._buttons: dict[str, QToolButton] = {}
        self.outline = QMenu(self)
        self.outline.aboutToShow.connect(self._fill_outline)
        self.cite_button = QToolButton()
        self.find_box = _FindBox()
        self._found = QLabel()
        self._find_row = QWidget()
        laid_out(QVBoxLayout(self), self._tools(), self._find_row, margins=(6, 0, 6, 4), spacing=0)
        self._build_find()
        self.page_box.valueChanged.connect(self._views.page_view.go_to_page)
        self.page_box.lineEdit().returnPressed.connect(self._focus_view)
        self.find_box.step_wanted.connect(self.find_text)
        self.find_box.textEdited.connect(lambda _text: self.find_text(0))
        self.find_box.left.connect(self._close_find)
        self.show_source(None)

    def _tools(self) -> QHBoxLayout:
        row = laid_out(QHBoxLayout(), self.page_box, self._pages, spacing=2)
        for icon, tip, call in (
            ("zoom-out", "Smaller (Ctrl+-)", partial(self._views.zoom_by, -1)),
            ("zoom-in", "Larger (Ctrl++)", partial(self._views.zoom_by, 1)),
            ("fit-width", "Fit the width of the page", self._views.page_view.fit_width),
            ("outline", "Headings of this source", None),
            ("search", "Find in this source (Ctrl+F)", self.open_find),
        ):
            row.addWidget(self._button(icon, tip, call))
        self._buttons["outline"].setMenu(self.outline)
        self._buttons["outline"].setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        row.addStretch(1)
        self.cite_button.setText("Cite")
        self.cite_button.setToolTip(
            "Cite what is selected (else what is marked) for the sentence at the cursor in the "
            "draft (Ctrl+Alt+F)"
        )
        menu = QMenu(self)
        menu.addAction("&Cite for the sentence at the cursor\tCtrl+Alt+F", self.cite_wanted.emit)
        menu.addAction("Insert as a &quotation\tCtrl+Alt+Q", self.quote_wanted.emit)
        self.cite_button.setMenu(menu)
        self.cite_button.setPopupMode(QToolButton.ToolButtonPopupMode.MenuButtonPopup)
        self.cite_button.clicked.connect(self.cite_wanted)
        row.addWidget(self.cite_button)
        return row

    def _build_find(self) -> None:
        self.find_box.setPlaceholderText("Find in this source")
        self.find_box.setAccessibleName("Find in this source")
        self.find_box.setClearButtonEnabled(True)
        laid_out(QHBoxLayout(self._find_row), (self.find_box, 1), self._found, margins=(0, 2, 0, 0))
        self._find_row.hide()

    def _button(self, icon: str, tip: str, call: object) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setIcon(self._icons.icon(icon))
        button.setToolTip(tip)
        button.setAccessibleName(tip.partition(" (")[0])
        if call is not None:
            button.clicked.connect(lambda _checked=False: call())  # type: ignore[operator]
        self._buttons[icon] = button
        return button

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for name, button in self._buttons.items():
            button.setIcon(self._icons.icon(name))

    def show_source(self, document: ParsedDocument | None) -> None:
        """Offer what can be done with ``document``; nothing without one."""
        if document is not self._document:
            self._found.setText("")
            # What was looked for in another source is no question to this one.
            self._find_row.setVisible(self._find_row.isVisible() and self.find_box.hasFocus())
        self._document = document
        self.setVisible(document is not None)
        pages = len(document.pages) if document is not None else 0
        for widget in (self.page_box, self._pages, self._buttons["fit-width"]):
            widget.setVisible(pages > 0)
        self.page_box.blockSignals(True)
        self.page_box.setRange(min(pages, 1), pages)
        self.page_box.blockSignals(False)
        self._pages.setText(f"of {pages} ")
        has_headings = document is not None and bool(_headings(document))
        self._buttons["outline"].setEnabled(has_headings)

    def show_page(self, page: int) -> None:
        """Say which page (from 1) is in view."""
        if not self.page_box.hasFocus():
            self.page_box.blockSignals(True)
            self.page_box.setValue(page)
            self.page_box.blockSignals(False)

    def _fill_outline(self) -> None:
        self.outline.clear()
        for level, text, start, end in _headings(self._document) if self._document else ():
            name = f"{'    ' * (level - 1)}{shortened(text, _LONGEST_HEADING)}"
            entry = self.outline.addAction(name.replace("&", "&&"))
            entry.triggered.connect(partial(self._views.go_to_span, start, end))

    # Find ---------------------------------------------------------------------------------

    def open_find(self) -> None:
        """Show the box to find words in, with those that are selected."""
        start, end = self._views.selected_span()
        if self._document is not None and 0 < end - start <= _LONGEST_HEADING:
            self.find_box.setText(" ".join(self._document.text[start:end].split()))
        self._find_row.show()
        self.find_box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.find_box.selectAll()

    def find_text(self, step: int) -> bool:
        """Select the next (1) or previous (-1) place of the words, going round at the ends; the
        one here or the next with 0. Where a line ends between them does not matter."""
        words, document = self.find_box.text().split(), self._document
        if not words or document is None:
            self._found.setText("")
            return False
        pattern = re.compile(r"\s+".join(map(re.escape, words)), re.IGNORECASE)
        places = [match.span() for match in pattern.finditer(document.text)]
        if not places:
            self._found.setText("Not in this source")
            return False
        start, end = self._views.selected_span()
        if step and self._place[:2] == (words, (start, end)):
            # A table selects whole cells, of which one may have the words several times.
            at = self._place[2] + step
        elif step < 0:
            at = bisect_left(places, (start, 0)) - 1
        else:
            at = bisect_left(places, (end if step else start, 0))
        at %= len(places)
        self._found.setText(f"{at + 1:,} of {len(places):,}")
        self._views.go_to_span(*places[at])
        self._place = words, self._views.selected_span(), at
        return True

    def _close_find(self) -> None:
        self._find_row.hide()
        self._focus_view()

    def _focus_view(self) -> None:
        shown = self._views.shown_view
        if shown is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)


class _FindBox(QLineEdit):
    """Goes on with Return, back with Shift+Return, and is left with Esc."""

    step_wanted = Signal(int)
    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Step or leave."""
        if event.key() == Qt.Key.Key_Escape:
            self.left.emit()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            is_back = event.modifiers() & Qt.KeyboardModifier.ShiftModifier
            self.step_wanted.emit(-1 if is_back else 1)
        else:
            super().keyPressEvent(event)


def _headings(document: ParsedDocument) -> list[tuple[int, str, int, int]]:
    """Return level, words and place of the headings."""
    found = [
        (max(one.level, 1), " ".join(document.block_text(one).split()), one.start, one.end)
        for one in document.blocks
        if one.kind is BlockKind.HEADING
    ]
    return found[:_MOST_HEADINGS]
