"""The source viewer: which file, which place, the passage marked, and the way back."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QStackedWidget,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.ports import SourcePort
from phasergun_desktop.ui.sources import source_target
from phasergun_desktop.ui.sources.page_view import PageView
from phasergun_desktop.ui.sources.source_loader import SourceLoader
from phasergun_desktop.ui.sources.source_target import SourceTarget
from phasergun_desktop.ui.sources.text_view import SourceTextView
from phasergun_desktop.ui.words import file_name, place_in_words

HINT = "Click a footnote, a passage of the plan or a search result to see its source here."


class SourcePanel(QWidget):
    """Shows one source at a time. Pages where the file has pages, else text with structure."""

    back_wanted = Signal()
    shown = Signal(object)

    def __init__(self, loader: SourceLoader, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loader = loader
        self._icons = icons
        self._target: SourceTarget | None = None
        self._source: SourcePort | None = None
        self._found = source_target.FoundPassage(0, 0)
        self._siblings: list[SourceTarget] = []
        self._pages_shown: ParsedDocument | None = None
        # The pages may belong to the file before: a wanted page names its own file.
        self._pages_file = ""
        self.text_view = SourceTextView()
        self.page_view = PageView()
        self._title = ElidedLabel()
        self._place = ElidedLabel()
        self._place.set_elide_mode(Qt.TextElideMode.ElideLeft)
        self._count = QLabel()
        self._notice = NoticeLabel()
        self._back = self._button("back", "Back to the draft (Alt+Left)", self.back_wanted.emit)
        self._previous = self._button(
            "previous",
            "Previous passage of this draft in this source (Alt+Page Up)",
            lambda: self.step_passage(-1),
        )
        self._next = self._button(
            "next",
            "Next passage of this draft in this source (Alt+Page Down)",
            lambda: self.step_passage(1),
        )
        self._stack = QStackedWidget()
        self._build()
        loader.source_loaded.connect(self._on_source_loaded)
        loader.image_loaded.connect(self._on_image_loaded)
        self.page_view.page_wanted.connect(self._on_page_wanted)
        self.page_view.page_changed.connect(self._on_page_changed)

    def _build(self) -> None:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        hint = QLabel(HINT)
        hint.setWordWrap(True)
        hint.setAlignment(Qt.AlignmentFlag.AlignCenter)
        hint.setContentsMargins(32, 32, 32, 32)
        hint.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        for page in (hint, self.text_view, self.page_view):
            self._stack.addWidget(page)
        names = QVBoxLayout()
        names.setSpacing(1)
        names.addWidget(self._title)
        names.addWidget(self._place)
        head = QHBoxLayout()
        head.setContentsMargins(6, 4, 6, 4)
        head.addWidget(self._back)
        head.addLayout(names, 1)
        head.addWidget(self._count)
        head.addWidget(self._previous)
        head.addWidget(self._next)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(head)
        column.addWidget(self._notice)
        column.addWidget(self._stack, 1)
        self._notice.hide()
        self.setMinimumWidth(260)
        self._show_names()

    def _button(self, icon: str, tip: str, call: object) -> QToolButton:
        button = QToolButton()
        button.setIcon(self._icons.icon(icon))
        button.setProperty("icon_name", icon)
        button.setAutoRaise(True)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(call)
        return button

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for button in (self._back, self._previous, self._next):
            button.setIcon(self._icons.icon(str(button.property("icon_name"))))

    # What is shown ----------------------------------------------------------------------

    @property
    def target(self) -> SourceTarget | None:
        """The place that was asked for last."""
        return self._target

    def show_target(self, target: SourceTarget, siblings: list[SourceTarget]) -> None:
        """Show a place; ``siblings`` are the draft's passages, in any source."""
        self._target = target
        self._siblings = sorted(
            (one for one in siblings if one.file == target.file), key=lambda one: one.start
        )
        self._show_names()
        self._loader.load(target.file)

    def set_notice(self, text: str) -> None:
        """Say something about the source above it; empty takes it away."""
        self._notice.setText(text)
        self._notice.setVisible(bool(text))

    def clear(self) -> None:
        """Show no source: another project was opened."""
        self._target = self._source = self._pages_shown = None
        self._siblings = []
        self._pages_file = ""
        self.set_notice("")
        self._stack.setCurrentIndex(0)
        self._show_names()

    def reload(self, file: str) -> None:
        """Show the file again if it is the one in view: it changed on the disk."""
        self._loader.forget(file)
        if self._target is not None and self._target.file == file:
            self._loader.load(file)

    def highlighted_text(self) -> str:
        """Return the text that is marked, as it stands in the source."""
        if self._source is None:
            return ""
        if self._stack.currentWidget() is self.text_view:
            return self.text_view.highlighted_text()
        found = self._found
        return source_target.text_on_pages(self._source.document, found.start, found.end)

    def step_passage(self, step: int) -> None:
        """Show the next or previous passage of the draft in this source."""
        here = self._sibling_index()
        if self._siblings and here is not None:
            self.show_target(self._siblings[(here + step) % len(self._siblings)], self._siblings)

    def step_page(self, step: int) -> None:
        """Turn the page, or scroll the text by a view."""
        if self._stack.currentWidget() is self.page_view:
            self.page_view.step_page(step)
        else:
            bar = self.text_view.verticalScrollBar()
            bar.setValue(bar.value() + step * bar.pageStep())

    def zoom_by(self, steps: int) -> None:
        """Zoom what is shown."""
        if self._stack.currentWidget() is self.page_view:
            self.page_view.zoom_by(steps)
        else:
            self.text_view.zoom_by(steps)

    def focus_view(self) -> None:
        """Give the keyboard to the source."""
        shown = self._stack.currentWidget()
        if shown is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    # Loading ----------------------------------------------------------------------------

    def _on_source_loaded(self, file: str, source: SourcePort) -> None:
        target = self._target
        if target is None or target.file != file:
            return
        self._source = source
        document = source.document
        self._found = source_target.find_passage(target, document, source.record.sha256)
        found = self._found
        self.set_notice(found.notice)
        if document.pages:
            if self._pages_shown is not document:
                self._loader.drop_waiting_images()
                self.page_view.show_pages(document.pages)
                self._pages_shown = document
                self._pages_file = file
            self._stack.setCurrentWidget(self.page_view)
            rects = source_target.page_rects(document, found.start, found.end)
            self.page_view.show_marks(rects)
        else:
            self._stack.setCurrentWidget(self.text_view)
            self.text_view.show_document(document)
            self.text_view.show_passage(found.start, found.end)
        self._show_names()
        self.shown.emit(target)

    def _on_page_wanted(self, page: int, scale: float) -> None:
        if self._pages_file:
            self._loader.load_image(self._pages_file, page, scale)

    def _on_image_loaded(self, file: str, page: int, image: QImage, scale: float) -> None:
        if file == self._pages_file:
            self.page_view.set_image(page, image, scale)

    def _on_page_changed(self, page: int) -> None:
        document = self._pages_shown
        if document is not None and self._stack.currentWidget() is self.page_view:
            target = self._target
            whole = f"page {page} of {len(document.pages)}"
            heading = target.heading_path[-1] if target is not None and target.heading_path else ""
            self._place.set_full_text(f"{heading}, {whole}" if heading else whole)

    # Names ------------------------------------------------------------------------------

    def _sibling_index(self) -> int | None:
        target = self._target
        for index, one in enumerate(self._siblings):
            if target is not None and (one.start, one.end) == (target.start, target.end):
                return index
        return None

    def _show_names(self) -> None:
        target = self._target
        here = self._sibling_index()
        several = here is not None and len(self._siblings) > 1
        for button in (self._previous, self._next):
            button.setEnabled(several)
            button.setVisible(target is not None)
        self._back.setVisible(target is not None)
        self._count.setText("")
        if target is None:
            self._title.set_full_text("No source open")
            self._place.set_full_text("")
            return
        self._title.set_full_text(file_name(target.file))
        self._title.setToolTip(target.file)
        place = place_in_words(target.locator, target.heading_path)
        if target.locator is None and self._source is not None and target.end > target.start:
            locator, path = source_target.locator_at(self._source.document, self._found.start)
            place = place_in_words(locator, path)
        if several and here is not None:
            self._count.setText(f"{here + 1} of {len(self._siblings)}")
            self._count.setToolTip("Passages of this draft in this source")
        self._place.set_full_text(place)
