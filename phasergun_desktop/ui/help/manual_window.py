"""The window of the manual: its pages, the search over them, and the page in view."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QListWidgetItem,
    QSplitter,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.ui.help.manual import Manual
from phasergun_desktop.ui.help.manual_view import ManualView
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.wording import count
from phasergun_desktop.ui.wrapped_list import WrappedList

_USER = Qt.ItemDataRole.UserRole
SIZE = QSize(900, 640)
_WIDTHS = [230, 670]


class ManualWindow(QWidget):
    """Stands beside the desk and blocks nothing. Back goes through what was read."""

    def __init__(self, manual: Manual, icons: IconSet) -> None:
        super().__init__()
        self._manual = manual
        self._icons = icons
        self._read: list[tuple[str, str]] = []
        self.setWindowTitle("PhaserGun help")
        self.setWindowIcon(icons.icon("application"))
        self.resize(SIZE)
        self.view = ManualView(manual.folder)
        self.box = QLineEdit(placeholderText="Search the help", clearButtonEnabled=True)
        self.box.setAccessibleName("Search the help")
        self.box.setToolTip("Search the help (Ctrl+F)")
        self.back_button = QToolButton(autoRaise=True)
        self.back_button.setAccessibleName("Back")
        self.back_button.setToolTip("Back to what you read before (Alt+Left)")
        self.list = WrappedList("Pages of the manual")
        self.found = QLabel()
        self.found.setContentsMargins(4, 0, 4, 2)
        self.found.hide()
        self._build()
        self.refresh_icons()
        self.view.link_followed.connect(self._on_link)
        self.back_button.clicked.connect(self.back)
        self.box.textEdited.connect(lambda _text: self._show_list())
        self.box.returnPressed.connect(self._on_return)
        self.list.itemClicked.connect(self._on_chosen)
        self.list.itemActivated.connect(self._on_chosen)
        for keys, slot in (
            ("Alt+Left", self.back),
            ("Ctrl+F", self._focus_box),
            ("F1", self._focus_box),
            ("Esc", self._on_escape),
        ):
            QShortcut(QKeySequence(keys), self).activated.connect(slot)
        self._show_list()

    def _build(self) -> None:
        top = laid_out(QHBoxLayout(), self.back_button, (self.box, 1))
        left = QWidget()
        laid_out(QVBoxLayout(left), top, self.found, (self.list, 1), margins=(8, 8, 4, 8))
        splitter = QSplitter()
        splitter.addWidget(left)
        splitter.addWidget(self.view)
        splitter.setStretchFactor(1, 1)
        splitter.setChildrenCollapsible(False)
        splitter.setSizes(_WIDTHS)
        laid_out(QVBoxLayout(self), splitter, margins=NO_MARGINS)

    def refresh_icons(self) -> None:
        """Draw the icons and the page in the colours of the palette."""
        self.back_button.setIcon(self._icons.icon("back"))
        if self._read:
            at = self.view.verticalScrollBar().value()
            self.view.show_page(self._manual.page(self._read[-1][0]))
            self.view.verticalScrollBar().setValue(at)

    @property
    def place(self) -> tuple[str, str]:
        """The page in view and the anchor that was gone to."""
        return self._read[-1] if self._read else ("", "")

    def go_to(self, page: str, anchor: str = "") -> None:
        """Show a page, at a heading where ``anchor`` names one."""
        shown = self._manual.page(page)
        if self.place != (shown.name, anchor):
            self._read.append((shown.name, anchor))
        self._show()

    def back(self) -> None:
        """Go back to what was read before."""
        if len(self._read) > 1:
            self._read.pop()
            self._show()

    def _show(self) -> None:
        page, anchor = self.place
        self.view.show_page(self._manual.page(page))
        if anchor:
            self.view.go_to(anchor)
        self.back_button.setEnabled(len(self._read) > 1)
        if not self.box.text().strip():
            names = [one.name for one in self._manual.pages]
            self.list.setCurrentRow(names.index(page))

    # Search -----------------------------------------------------------------------------------

    def search(self, words: str) -> None:
        """Show where the manual has all the words."""
        self.box.setText(words)
        self._show_list()

    def _show_list(self) -> None:
        self.list.clear()
        words = self.box.text().strip()
        if not words:
            for page in self._manual.pages:
                self._add(page.title, page.name, "")
            self.found.hide()
            return
        findings = self._manual.search(words)
        for one in findings:
            page = self._manual.page(one.section.page)
            is_top = one.section.title == page.title
            title = page.title if is_top else f"{page.title} › {one.section.title}"
            self._add(f"{title}\n{one.snippet}", page.name, "" if is_top else one.section.anchor)
        self.found.setText(count(len(findings), "place") if findings else "Nothing found")
        self.found.show()

    def _add(self, text: str, page: str, anchor: str) -> None:
        item = QListWidgetItem(text)
        item.setData(_USER, (page, anchor))
        self.list.addItem(item)

    def _on_chosen(self, item: QListWidgetItem) -> None:
        self.go_to(*item.data(_USER))
        words = self.box.text().strip()
        if words:
            self.view.mark(words)

    def _on_return(self) -> None:
        if self.list.count() and self.box.text().strip():
            self.list.setCurrentRow(0)
            self._on_chosen(self.list.item(0))

    def _on_link(self, target: str) -> None:
        page, _hash, anchor = target.partition("#")
        self.go_to(page.removesuffix(".md") or self.place[0], anchor)

    def _focus_box(self) -> None:
        self.box.setFocus(Qt.FocusReason.ShortcutFocusReason)
        self.box.selectAll()

    def _on_escape(self) -> None:
        if self.box.text():
            self.search("")
            self._show()
        else:
            self.close()
