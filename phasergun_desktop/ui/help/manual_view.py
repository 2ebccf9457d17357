"""A page of the manual on the screen: text and pictures of its own folder, and nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from PySide6.QtCore import Qt, QUrl, Signal
from PySide6.QtGui import (
    QColor,
    QImage,
    QResizeEvent,
    QTextBlock,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
)
from PySide6.QtWidgets import QTextBrowser, QTextEdit, QWidget

from phasergun_desktop.ui.help.manual import Page, anchor_of
from phasergun_desktop.ui.text_stretches import blocks_from
from phasergun_desktop.ui.theme import colours_for

_PICTURE_LETTER = "\ufffc"
_MARGIN = 20
_LINE_HEIGHT = 125.0
_PROPORTIONAL = QTextBlockFormat.LineHeightTypes.ProportionalHeight.value
_ABOVE_HEADING, _BELOW = 16, 7
_PICTURE = QTextDocument.ResourceType.ImageResource
_POINTS = {1: 1.55, 2: 1.2, 3: 1.05}
_MARKDOWN = (
    QTextDocument.MarkdownFeature.MarkdownDialectGitHub
    | QTextDocument.MarkdownFeature.MarkdownNoHTML
)


class ManualView(QTextBrowser):
    """Follows no link by itself; ``link_followed`` carries its target as it stands in the page."""

    link_followed = Signal(str)

    def __init__(self, folder: Path, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._folder = folder.resolve()
        self._page: Page | None = None
        self.setOpenLinks(False)
        self.setFrameShape(QTextBrowser.Shape.NoFrame)
        self.setAccessibleName("Page of the manual")
        self.anchorClicked.connect(lambda url: self.link_followed.emit(url.toString()))

    def show_page(self, page: Page) -> None:
        """Show a page from its top."""
        self._page = page
        document = self.document()
        document.clear()
        document.setDocumentMargin(_MARGIN)
        document.setMarkdown(page.markdown, _MARKDOWN)
        self._dress()
        self.moveCursor(QTextCursor.MoveOperation.Start)
        self.setExtraSelections([])

    def go_to(self, anchor: str) -> bool:
        """Put the heading of ``anchor`` at the top; whether there is one."""
        block = self._heading(anchor)
        if block is None:
            return False
        self.setTextCursor(QTextCursor(block))
        top = self.document().documentLayout().blockBoundingRect(block).top()
        self.verticalScrollBar().setValue(int(top) - _ABOVE_HEADING // 2)
        return True

    def mark(self, words: str) -> None:
        """Mark every occurrence of the words, and bring the first below the cursor into view."""
        colours = colours_for(self.palette())
        made = QTextCharFormat()
        made.setBackground(colours.passage)
        made.setForeground(colours.passage_text)
        selections = []
        for word in words.split():
            cursor = self.document().find(word)
            while not cursor.isNull():
                selection = QTextEdit.ExtraSelection()
                selection.cursor, selection.format = QTextCursor(cursor), made
                selections.append(selection)
                cursor = self.document().find(word, cursor)
        self.setExtraSelections(selections)

    def _heading(self, anchor: str) -> QTextBlock | None:
        for block in blocks_from(self.document().begin()):
            if block.blockFormat().headingLevel() and anchor_of(block.text()) == anchor:
                return block
        return None

    def _dress(self) -> None:
        """Give the page air: sizes of headings, distance of lines, frames of tables."""
        base = self.font().pointSizeF()
        for block in blocks_from(self.document().begin()):
            level = block.blockFormat().headingLevel()
            cursor = QTextCursor(block)
            made = QTextBlockFormat()
            # (A picture is a letter as high as itself.)
            is_picture = _PICTURE_LETTER in block.text()
            made.setLineHeight(100.0 if is_picture else _LINE_HEIGHT, _PROPORTIONAL)
            is_in_table = cursor.currentTable() is not None
            made.setTopMargin(_ABOVE_HEADING if level > 1 else 0)
            made.setBottomMargin(0 if is_in_table else _BELOW)
            cursor.mergeBlockFormat(made)
            if level:
                size = QTextCharFormat()
                size.clearProperty(QTextFormat.Property.FontSizeAdjustment)
                size.setFontPointSize(base * _POINTS.get(level, 1.0))
                cursor.select(QTextCursor.SelectionType.BlockUnderCursor)
                cursor.mergeCharFormat(size)
        rule = colours_for(self.palette()).rule
        for frame in self.document().rootFrame().childFrames():
            if isinstance(frame, QTextTable):
                _dress_table(frame, rule)

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return a picture of the manual's own folder, no wider than the page; else nothing."""
        path = (self._folder / QUrl(name).path()).resolve()
        is_picture = kind == _PICTURE.value and path.is_relative_to(self._folder)
        if not is_picture or not path.is_file():
            return None
        picture = QImage(str(path))
        widest = max(self.viewport().width() - 2 * _MARGIN - 4, 100)
        if picture.width() > widest:
            wanted = min(int(widest * self.devicePixelRatioF()), picture.width())
            picture = picture.scaledToWidth(wanted, Qt.TransformationMode.SmoothTransformation)
            picture.setDevicePixelRatio(wanted / widest)
        return picture

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the pictures to the new width."""
        super().resizeEvent(event)
        pictures = [one.target for one in self._page.links if one.is_picture] if self._page else []
        document = self.document()
        for target in pictures:
            fitted = self.loadResource(_PICTURE.value, target)
            document.addResource(_PICTURE.value, QUrl(target), fitted)
        if pictures:
            document.markContentsDirty(0, document.characterCount())


def _dress_table(table: QTextTable, rule: QColor) -> None:
    made = table.format()
    made.setBorder(1)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(rule)
    made.setBorderCollapse(True)
    made.setCellPadding(4)
    made.setCellSpacing(0)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
    table.setFormat(made)
