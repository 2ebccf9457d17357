"""The source viewer: which file, which place, the passage marked, and the way back."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from phasergun_desktop.drafts.hand_citations import footnote_at
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.elided_label import ElidedLabel
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.laid_out import NO_MARGINS, laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.sources import source_target
from phasergun_desktop.ui.sources.source_bar import SourceBar
from phasergun_desktop.ui.sources.source_loader import SourceLoader
from phasergun_desktop.ui.sources.source_target import SourceTarget
from phasergun_desktop.ui.sources.source_views import SourceViews
from phasergun_desktop.ui.wording import file_name, headline, is_doubtful, literal, recognition_note

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import SourceDocument

GONE = "This file is not in the folder any more. What was read of it is still shown."
NOT_DRAWN = "A page could not be drawn."


class SourcePanel(QWidget):
    """Shows one source at a time, with its name, the place and the way to other passages."""

    back_wanted = Signal()
    shown = Signal(object)

    def __init__(self, loader: SourceLoader, icons: IconSet, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._loader = loader
        self._icons = icons
        # The place that was asked for last.
        self.target: SourceTarget | None = None
        self._source: SourceDocument | None = None
        self._found = source_target.FoundPassage(0, 0)
        self._is_gone = False
        self._siblings: list[SourceTarget] = []
        self.views = SourceViews(loader)
        self.bar = SourceBar(self.views, icons)
        self._title = ElidedLabel()
        self._place = ElidedLabel()
        self._place.set_elide_mode(Qt.TextElideMode.ElideLeft)
        self._count = QLabel()
        self._notice = NoticeLabel()
        self._recognised = QLabel()
        self._doubt = NoticeLabel()
        self._back = self._button(
            "back", "Back to where you were (Alt+Left)", self.back_wanted.emit
        )
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
        self._build()
        loader.source_loaded.connect(self._on_source_loaded)
        loader.failed.connect(self._on_failed)
        loader.image_failed.connect(self._on_image_failed)
        self.views.page_changed.connect(self._on_page_changed)
        for view in (self.views.text_view, self.views.page_view, self.views.row_table):
            view.citation = self._selected_citation

    def _build(self) -> None:
        font = self._title.font()
        font.setBold(True)
        self._title.setFont(font)
        self._recognised.setWordWrap(True)
        self._recognised.setContentsMargins(12, 0, 10, 5)
        self._recognised.setForegroundRole(self.palette().ColorRole.PlaceholderText)
        names = laid_out(QVBoxLayout(), self._title, self._place, spacing=1)
        line = self._back, (names, 1), self._count, self._previous, self._next
        head = laid_out(QHBoxLayout(), *line, margins=(6, 4, 6, 4), spacing=6)
        labels = self._notice, self._recognised, self._doubt
        rows = head, self.bar, *labels, (self.views, 1)
        laid_out(QVBoxLayout(self), *rows, margins=NO_MARGINS, spacing=0)
        for label in labels:
            label.hide()
        self.setMinimumWidth(300)
        self._show_names()

    def _button(self, icon: str, tip: str, call: object) -> QToolButton:
        button = QToolButton(autoRaise=True)
        button.setIcon(self._icons.icon(icon))
        button.setProperty("icon_name", icon)
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        button.clicked.connect(call)
        return button

    def refresh_icons(self) -> None:
        """Draw the icons in the colours of the palette."""
        for button in (self._back, self._previous, self._next):
            button.setIcon(self._icons.icon(str(button.property("icon_name"))))
        self.bar.refresh_icons()

    # What is shown ----------------------------------------------------------------------

    def show_target(self, target: SourceTarget, siblings: list[SourceTarget]) -> None:
        """Show a place; ``siblings`` are the draft's passages, in any source."""
        self.target = target
        self._siblings = sorted(
            (one for one in siblings if one.file == target.file), key=lambda one: one.start
        )
        self._show_names()
        self.views.leave(target.file)
        if self._source is not None and self._source.record.file != target.file:
            # Nothing of the file before stands under the name of this one.
            self._source = None
            self.bar.show_source(None)
            self.set_notice("")
            self._show_place()
        if self._source is None:
            self.views.clear(f"Opening {file_name(target.file)}…")
        self._loader.load(target.file)

    def set_notice(self, text: str) -> None:
        """Say something about the source above it; empty takes it away."""
        self._notice.setText(text)
        self._notice.setVisible(bool(text))

    def clear(self) -> None:
        """Show no source: another project was opened."""
        self.target = self._source = None
        self.bar.show_source(None)
        self._siblings = []
        self.set_notice("")
        self.views.clear()
        self._show_names()

    def reload(self, file: str) -> None:
        """Show the file again if it is the one in view: it changed on the disk."""
        self._loader.forget(file)
        if self.target is not None and self.target.file == file:
            self._loader.load(file)

    def note_files(self, files: Collection[str], hidden: Collection[str] = ()) -> None:
        """Say where the file in view is none of those that are there, and keep what is drawn; show
        nothing of those that are ``hidden``."""
        for each in hidden:
            self._loader.forget(each)
        if self._source is None:
            return
        was_gone, file = self._is_gone, self._source.record.file
        if file in hidden:
            self.clear()
            return
        self._is_gone = file not in files
        if self._is_gone:
            self.set_notice(GONE)
        elif was_gone:
            self.reload(file)

    def citation(self) -> Footnote | None:
        """Return the footnote of what is selected, else of the passage that is marked; None where
        neither is."""
        found = self._found
        is_shown = self._source is not None and self.target is not None
        is_marked = is_shown and found.end > found.start
        return self._selected_citation() or (
            self._footnote(found.start, found.end) if is_marked else None
        )

    def _selected_citation(self) -> Footnote | None:
        return self._footnote(*self.views.selected_span())

    def _footnote(self, start: int, end: int) -> Footnote | None:
        source = self._source
        if source is None or end <= start:
            return None
        return footnote_at(source.record, source.document, start, end)

    def step_passage(self, step: int) -> None:
        """Show the next or previous passage of the draft in this source."""
        here = self._sibling_index()
        if self._siblings and here is not None:
            self.show_target(self._siblings[(here + step) % len(self._siblings)], self._siblings)

    def focus_view(self) -> None:
        """Give the keyboard to the source."""
        shown = self.views.currentWidget()
        if shown is not None:
            shown.setFocus(Qt.FocusReason.OtherFocusReason)

    # Loading ----------------------------------------------------------------------------

    def _on_source_loaded(self, file: str, source: SourceDocument) -> None:
        target = self.target
        if target is None or target.file != file:
            return
        self._source, self._is_gone = source, False
        document = source.document
        self._found = source_target.find_passage(target, document, source.record.sha256)
        self.set_notice(self._found.notice)
        self.bar.show_source(document)
        self.views.show_source(file, document, self._found)
        self._show_names()
        self.shown.emit(target)

    def _on_failed(self, _error: Exception) -> None:
        target = self.target
        if target is not None and self._source is None and not self._loader.is_busy:
            self.views.clear(f"{file_name(target.file)} could not be opened.")

    def _on_image_failed(self, file: str, error: Exception) -> None:
        is_shown = self._source is not None and self._source.record.file == file
        if not isinstance(error, PhaserGunError):
            self._loader.failed.emit(error)
        elif is_shown and not self._is_gone:
            # One line above the pages, however many of them fail.
            self.set_notice(f"{NOT_DRAWN} {error.message} {error.remedy}".strip())

    def _on_page_changed(self, page: int) -> None:
        self.bar.show_page(page)
        self._show_place()

    # Names ------------------------------------------------------------------------------

    def _sibling_index(self) -> int | None:
        target = self.target
        for index, one in enumerate(self._siblings):
            if target is not None and (one.start, one.end) == (target.start, target.end):
                return index
        return None

    def _show_names(self) -> None:
        target = self.target
        here = self._sibling_index()
        several = here is not None and len(self._siblings) > 1
        for button in (self._previous, self._next):
            button.setEnabled(several)
            button.setVisible(target is not None)
        self._back.setVisible(target is not None)
        self._count.setText("")
        if target is None:
            self._title.set_full_text("No source open")
            self._show_place()
            return
        self._title.set_full_text(file_name(target.file))
        self._title.setToolTip(literal(target.file))
        if several and here is not None:
            self._count.setText(f"{here + 1} of {len(self._siblings)}")
            self._count.setToolTip("Passages of this draft in this source")
        self._show_place()

    def _show_place(self) -> None:
        """Say where the view stands, and whether the text of that page was recognised."""
        target, source = self.target, self._source
        is_shown = target is not None and source is not None and target.file == source.record.file
        document = source.document if is_shown and source is not None else None
        locator = target.locator if target is not None else None
        path = target.heading_path if target is not None else ()
        found = self._found
        if locator is None and document is not None and found.end > found.start:
            locator, path = source_target.locator_at(document, found.start)
        page = self.views.current_page if document is not None else 0
        pages = document.pages if document is not None else ()
        self._place.set_full_text(headline(locator, path, page, len(pages)))
        confidence = pages[page - 1].ocr_confidence if 0 < page <= len(pages) else None
        doubtful = confidence is not None and is_doubtful(confidence)
        for label, is_wanted in (
            (self._recognised, confidence is not None and not doubtful),
            (self._doubt, doubtful),
        ):
            label.setText(recognition_note(confidence) if confidence is not None else "")
            label.setVisible(is_wanted)
