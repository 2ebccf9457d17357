"""Draws the lines of the evidence board: whole sentences with their tick and their source."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QIcon, QMouseEvent, QPainter, QPalette
from PySide6.QtWidgets import (
    QAbstractItemView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionButton,
    QStyleOptionFocusRect,
    QStyleOptionViewItem,
)

from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.generate.evidence_rows import BoardRow, RowKind
from phasergun_desktop.ui.outlined_checks import outline_box
from phasergun_desktop.ui.theme import colours_for

ROW_ROLE = Qt.ItemDataRole.UserRole
ADD_WORDS = "+ Add passage…"
_Index = QModelIndex | QPersistentModelIndex
_GAP, _EDGE, _ICON = 6, 3, 16
# A line that was only considered is looked over, not read.
_LONGEST_CONSIDERED = 240
_CHOSEN_ALPHA = 48
_SMALLER = 0.92
_WRAP = int(Qt.TextFlag.TextWordWrap)


def row_of(index: _Index) -> BoardRow | None:
    """Return the line at ``index``."""
    row = index.data(ROW_ROLE)
    return row if isinstance(row, BoardRow) else None


class EvidenceDelegate(QStyledItemDelegate):
    """``view`` gives the width that text is wrapped to."""

    def __init__(self, view: QAbstractItemView) -> None:
        super().__init__(view)
        self._view = view

    # Geometry ---------------------------------------------------------------------------------

    def tick_rect(self, rect: QRect) -> QRect:
        """Return where the box of the unit in ``rect`` is."""
        style = self._view.style()
        side = style.pixelMetric(QStyle.PixelMetric.PM_IndicatorWidth, None, self._view)
        line = QFontMetrics(self._view.font()).height()
        top = rect.top() + _EDGE + max(0, (line - side) // 2)
        return QRect(rect.left() + _EDGE, top, side, side)

    def add_rect(self, rect: QRect) -> QRect:
        """Return where the heading in ``rect`` offers to add a passage."""
        width = QFontMetrics(self._view.font()).horizontalAdvance(ADD_WORDS) + 2 * _GAP
        return QRect(rect.right() - width, rect.top(), width, rect.height())

    def _text_rect(self, rect: QRect, row: BoardRow) -> QRect:
        left = rect.left() + _EDGE
        if row.unit is not None:
            left = self.tick_rect(rect).right() + _GAP
        elif row.icon:
            left += _ICON + _GAP
        right = rect.right() - _GAP
        if row.kind is RowKind.NEED:
            right = self.add_rect(rect).left() - _GAP
        return QRect(left, rect.top() + _EDGE, max(40, right - left), 10_000)

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """As many lines as the text takes at the width of the view."""
        row = row_of(index)
        if row is None:
            return super().sizeHint(option, index)
        width = self._view.viewport().width() - self._indent(index)
        inside = self._text_rect(QRect(0, 0, width, 0), row)
        main, quiet = self._fonts(index)
        height = QFontMetrics(main).boundingRect(inside, _WRAP, _shown(row)).height()
        if row.second and not _is_beside(row, inside, main, quiet):
            height += QFontMetrics(quiet).boundingRect(inside, _WRAP, row.second).height()
        return QSize(width, height + 2 * _EDGE)

    def _indent(self, index: _Index) -> int:
        tree = self._view
        depth, above = 1, index.parent()
        while above.isValid():
            depth, above = depth + 1, above.parent()
        step = tree.property("indentation")
        return depth * (step if isinstance(step, int) else 0)

    def _fonts(self, index: _Index) -> tuple[QFont, QFont]:
        main = QFont(self._view.font())
        own = index.data(Qt.ItemDataRole.FontRole)
        if isinstance(own, QFont):
            main.setBold(own.bold())
        quiet = QFont(self._view.font())
        quiet.setPointSizeF(quiet.pointSizeF() * _SMALLER)
        return main, quiet

    # Drawing ----------------------------------------------------------------------------------

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw background, tick, text and source."""
        row = row_of(index)
        if row is None:
            super().paint(painter, option, index)
            return
        painter.save()
        palette = self._view.palette()
        rect = QRect(option.rect)
        self._paint_background(painter, option, row, palette)
        if row.unit is not None:
            self._paint_tick(painter, rect, is_on=row.unit.selected)
        elif row.icon:
            icon = index.data(Qt.ItemDataRole.DecorationRole)
            if isinstance(icon, QIcon):
                side = QFontMetrics(self._view.font()).height()
                icon.paint(painter, rect.left() + _EDGE, rect.top() + _EDGE, _ICON, side)
        self._paint_text(painter, rect, row, index, palette)
        painter.restore()

    def _paint_background(
        self, painter: QPainter, option: QStyleOptionViewItem, row: BoardRow, palette: QPalette
    ) -> None:
        rect = QRect(option.rect)
        is_chosen = bool(option.state & QStyle.StateFlag.State_Selected)
        paint_ground(painter, rect, palette, row, is_chosen=is_chosen)
        if option.state & QStyle.StateFlag.State_HasFocus:
            focus = QStyleOptionFocusRect()
            focus.rect = rect
            focus.palette = palette
            focus.state = QStyle.StateFlag.State_KeyboardFocusChange
            self._view.style().drawPrimitive(
                QStyle.PrimitiveElement.PE_FrameFocusRect, focus, painter, self._view
            )

    def _paint_tick(self, painter: QPainter, rect: QRect, *, is_on: bool) -> None:
        box = QStyleOptionButton()
        box.rect = self.tick_rect(rect)
        box.palette = self._view.palette()
        on, off = QStyle.StateFlag.State_On, QStyle.StateFlag.State_Off
        box.state = QStyle.StateFlag.State_Enabled | (on if is_on else off)
        self._view.style().drawPrimitive(
            QStyle.PrimitiveElement.PE_IndicatorCheckBox, box, painter, self._view
        )
        outline_box(painter, box.rect, self._view)

    def _paint_text(
        self, painter: QPainter, rect: QRect, row: BoardRow, index: _Index, palette: QPalette
    ) -> None:
        colours = colours_for(palette)
        main, quiet = self._fonts(index)
        inside = self._text_rect(rect, row)
        text = palette.color(QPalette.ColorRole.Text)
        if row.unit is not None and not row.unit.selected:
            text = colours.muted
        elif row.kind is RowKind.SHOW_MORE:
            text = colours.link
        elif row.kind is RowKind.MORE:
            text = colours.muted
        painter.setFont(main)
        painter.setPen(text)
        used = painter.drawText(inside, _WRAP, _shown(row))
        if row.second:
            if _is_beside(row, inside, main, quiet):
                rise = QFontMetrics(main).ascent() - QFontMetrics(quiet).ascent()
                place = inside.adjusted(used.width() + 2 * _GAP, rise, 0, 0)
            else:
                place = inside.translated(0, used.height())
            painter.setFont(quiet)
            painter.setPen(colours.partly if row.is_gap else colours.muted)
            painter.drawText(place, _WRAP, row.second)
        if row.kind is RowKind.NEED:
            painter.setFont(self._view.font())
            painter.setPen(colours.link)
            painter.drawText(
                self.add_rect(rect).adjusted(0, _EDGE, 0, 0),
                int(Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop),
                ADD_WORDS,
            )

    # Ticking ----------------------------------------------------------------------------------

    def editorEvent(
        self, event: QEvent, model: QObject, option: QStyleOptionViewItem, index: _Index
    ) -> bool:
        """Leave ticking to the view: its boxes are not where the style expects them."""
        del event, model, option, index
        return False

    def is_on_tick(self, event: QMouseEvent, rect: QRect, row: BoardRow) -> bool:
        """Whether a click in the line in ``rect`` is on its box, or close to it."""
        if row.unit is None:
            return False
        near = self.tick_rect(rect).adjusted(-_EDGE, -_EDGE, _EDGE, _EDGE)
        return near.contains(event.position().toPoint())


def paint_ground(
    painter: QPainter, rect: QRect, palette: QPalette, row: BoardRow, *, is_chosen: bool
) -> None:
    """Paint what a line stands on: a band for a heading, a tint for the one that is chosen."""
    role = QPalette.ColorRole.Base
    if row.kind is RowKind.NEED:
        role = QPalette.ColorRole.AlternateBase
    painter.fillRect(rect, palette.color(role))
    if is_chosen:
        colour = QColor(palette.color(QPalette.ColorRole.Highlight))
        colour.setAlpha(_CHOSEN_ALPHA)
        painter.fillRect(rect, colour)


def _is_beside(row: BoardRow, inside: QRect, main: QFont, quiet: QFont) -> bool:
    """Whether a heading has room for what is said of it on its own line."""
    if row.unit is not None:
        return False
    bold = QFont(main)
    bold.setBold(True)
    first = QFontMetrics(bold).horizontalAdvance(row.text)
    return first + QFontMetrics(quiet).horizontalAdvance(row.second) + 3 * _GAP < inside.width()


def _shown(row: BoardRow) -> str:
    if row.unit is not None and not row.unit.selected:
        return shortened(row.text, _LONGEST_CONSIDERED)
    return row.text
