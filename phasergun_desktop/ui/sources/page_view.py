"""Shows the pages of a source as they are rendered, with the lines of the passage marked."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QEvent, QPointF, QRectF, Qt, QTimer, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPalette,
    QPen,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import (
    QGraphicsPixmapItem,
    QGraphicsRectItem,
    QGraphicsScene,
    QGraphicsView,
    QWidget,
)

from phasergun_desktop.documents.model import Page, Rect
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.ui.drafts.cited_clipboard import cited_data
from phasergun_desktop.ui.sources.page_text import PageText
from phasergun_desktop.ui.theme import colours_for

GAP_POINTS = 12.0
POINTS_TO_PIXELS = 96.0 / 72.0
ZOOM_STEP = 1.15
SMALLEST_ZOOM, LARGEST_ZOOM = 0.25, 5.0
MOST_IMAGES = 12
SETTLE_MS = 30
PASSAGE_AT = 0.33
# Pages are white in dark colours too, and so is the marker yellow.
MARKER = QColor(255, 214, 64, 90)
SELECTED_ALPHA = 90


class PageView(QGraphicsView):
    """Pages one below the other; asks for the image of a page when it comes into view.

    The scene is measured in points (1/72 inch); ``zoom`` 1.0 is 96 pixels an inch.
    """

    page_wanted = Signal(int, float)
    # Its image was wanted, and is not any more.
    page_left = Signal(int)
    page_changed = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._scene = QGraphicsScene(self)
        self.setScene(self._scene)
        self._pages: list[QGraphicsRectItem] = []
        self._images: dict[int, QGraphicsPixmapItem] = {}
        self._scales: dict[int, float] = {}
        self._marks: list[QGraphicsRectItem] = []
        self._text: PageText | None = None
        self._selection = self._anchor = (0, 0)
        self._strokes: list[QGraphicsRectItem] = []
        self._is_selecting = False
        # The footnote for what is selected; the panel knows the file.
        self.citation: Callable[[], Footnote | None] = lambda: None
        self._zoom = 1.0
        self._fits_width = True
        self._page = 0
        self._timer = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._timer.timeout.connect(self._on_settled)
        self.setAlignment(Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop)
        self.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        self.viewport().setMouseTracking(True)
        self.setFrameShape(QGraphicsView.Shape.NoFrame)
        # A bar that comes and goes changes the width that is fitted: a page about as high as the
        # view would be fitted with it and without it for ever.
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOn)
        self.setTransformationAnchor(QGraphicsView.ViewportAnchor.AnchorViewCenter)
        self.setAccessibleName("Pages of the source")
        self.verticalScrollBar().valueChanged.connect(self._on_scrolled)
        self._apply_background()

    # Pages ------------------------------------------------------------------------------

    def show_pages(self, sizes: tuple[Page, ...]) -> None:
        """Show empty pages of these sizes; their images follow."""
        self._scene.clear()
        self._pages, self._marks, self._strokes = [], [], []
        self.show_words(None)
        self._images.clear()
        self._scales.clear()
        widest = max((size.width for size in sizes), default=0.0)
        top = 0.0
        for size in sizes:
            page = QGraphicsRectItem(0.0, 0.0, size.width, size.height)
            page.setPos((widest - size.width) / 2, top)
            page.setBrush(QBrush(QColor("#ffffff")))
            page.setPen(QPen(Qt.PenStyle.NoPen))
            self._scene.addItem(page)
            self._pages.append(page)
            top += size.height + GAP_POINTS
        self._scene.setSceneRect(0.0, -GAP_POINTS, widest, top + GAP_POINTS)
        self._fits_width = True
        self._fit()
        self._page = 0
        self._timer.start()

    def set_image(self, page: int, image: QImage, scale: float) -> None:
        """Put the image of a page in (``page`` counts from 1)."""
        if not 1 <= page <= len(self._pages) or image.isNull():
            return
        frame = self._pages[page - 1]
        item = self._images.get(page)
        if item is None:
            item = QGraphicsPixmapItem(frame)
            item.setTransformationMode(Qt.TransformationMode.SmoothTransformation)
            self._images[page] = item
        item.setPixmap(QPixmap.fromImage(image))
        item.setScale(frame.rect().width() / image.width())
        self._scales[page] = scale
        self._drop_far_images()

    def has_image(self, page: int) -> bool:
        """Whether the image of a page is shown."""
        return page in self._images

    def ask_again(self) -> None:
        """Ask anew for the images of the pages in view: what was asked before was dropped."""
        self._scales.clear()
        self._timer.start()

    # Words ------------------------------------------------------------------------------

    def show_words(self, text: PageText | None) -> None:
        """Let the words of these pages be selected."""
        self._text = text
        self._selection = self._anchor = (0, 0)
        self._strokes = []

    def selected_span(self) -> tuple[int, int]:
        """Return the code points of the source that are selected, equal where none are."""
        return self._selection

    def select_span(self, start: int, end: int) -> None:
        """Select code points of the source and bring them into view."""
        self._select(start, end)
        if self._strokes:
            middle = self._strokes[0].sceneBoundingRect().center()
            self._scroll_to(middle, PASSAGE_AT)

    def copy(self) -> None:
        """Put the selected words on the clipboard, with where they came from."""
        start, end = self._selection
        if self._text is not None and end > start:
            words = " ".join(self._text.text[start:end].split())
            QGuiApplication.clipboard().setMimeData(cited_data(words, self.citation()))

    def _select(self, start: int, end: int) -> None:
        for stroke in self._strokes:
            self._scene.removeItem(stroke)
        self._strokes = []
        self._selection = (start, end)
        fill = QColor(self.palette().color(QPalette.ColorRole.Highlight))
        fill.setAlpha(SELECTED_ALPHA)
        for page, rect in self._text.rects(start, end) if self._text is not None else ():
            if 1 <= page <= len(self._pages):
                area = QRectF(rect.x0, rect.y0, rect.x1 - rect.x0, rect.y1 - rect.y0)
                self._strokes.append(self._over(page, area, fill, QPen(Qt.PenStyle.NoPen), 2.0))

    def _page_point(self, where: QPointF) -> tuple[int, QPointF]:
        """Return the page (from 1; 0 for none) under a point of the view, and the point on it."""
        scene = self.mapToScene(where.toPoint())
        for number, page in enumerate(self._pages, start=1):
            if scene.y() <= page.sceneBoundingRect().bottom() + GAP_POINTS:
                return number, page.mapFromScene(scene)
        return 0, QPointF()

    def _words_at(self, where: QPointF) -> tuple[int, int] | None:
        page, point = self._page_point(where)
        at = self._text.caret_at(page, point.x(), point.y()) if self._text is not None else None
        return None if at is None or self._text is None else self._text.words(at, at)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Begin a selection; with Shift go on with it."""
        if event.button() == Qt.MouseButton.LeftButton:
            words = self._words_at(event.position())
            if words is not None and event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
                self._extend(words)
            else:
                self._select(0, 0)
                self._anchor = words or (0, 0)
            self._is_selecting = words is not None
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Select word by word; show what can be selected."""
        if self._is_selecting:
            # Beyond an edge there is more to select.
            room, bar = self.viewport().height(), self.verticalScrollBar()
            beyond = min(event.position().y(), 0.0) + max(event.position().y() - room, 0.0)
            bar.setValue(bar.value() + round(beyond / 2))
        words = self._words_at(event.position()) if self._is_selecting else None
        if words is not None:
            self._extend(words)
        page, point = self._page_point(event.position())
        over = self._text is not None and self._text.is_text_at(page, point.x(), point.y())
        shape = Qt.CursorShape.IBeamCursor if over else Qt.CursorShape.ArrowCursor
        self.viewport().setCursor(shape)
        super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a selection."""
        self._is_selecting = False
        super().mouseReleaseEvent(event)

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Select a word."""
        words = self._words_at(event.position())
        if words is not None:
            self._anchor = words
            self._select(*words)
        super().mouseDoubleClickEvent(event)

    def _extend(self, words: tuple[int, int]) -> None:
        self._select(min(self._anchor[0], words[0]), max(self._anchor[1], words[1]))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Copy with the usual keys; Shift+Left and Shift+Right move the end of the selection."""
        start, end = self._selection
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy()
        elif self._text is not None and end > start and shift and event.key() == Qt.Key.Key_Right:
            self._select(start, self._text.words(end, end + 1)[1])
        elif self._text is not None and end > start and shift and event.key() == Qt.Key.Key_Left:
            shorter = self._text.text[start:end].rstrip().rpartition(" ")[0]
            self._select(start, start + len(shorter) if shorter else end)
        else:
            super().keyPressEvent(event)

    def show_marks(self, rects: list[tuple[int, Rect]]) -> None:
        """Mark rectangles (page from 1, points) and bring the first into view."""
        for mark in self._marks:
            self._scene.removeItem(mark)
        self._marks = []
        edge = QPen(colours_for(QPalette()).passage_edge)
        edge.setCosmetic(True)
        for page, rect in rects:
            if not 1 <= page <= len(self._pages):
                continue
            area = QRectF(rect.x0 - 2, rect.y0 - 1, rect.x1 - rect.x0 + 4, rect.y1 - rect.y0 + 2)
            self._marks.append(self._over(page, area, MARKER, edge, 1.0))
        if self._marks:
            where = self._marks[0].sceneBoundingRect()
            self._scroll_to(where.center(), PASSAGE_AT)

    def _over(
        self, page: int, area: QRectF, fill: QColor, edge: QPen, z: float
    ) -> QGraphicsRectItem:
        """Draw a rectangle over a page."""
        made = QGraphicsRectItem(area, self._pages[page - 1])
        made.setBrush(QBrush(fill))
        made.setPen(edge)
        made.setZValue(z)
        return made

    def marks(self) -> list[tuple[int, QRectF]]:
        """Return page and rectangle in points of every mark."""
        found = []
        for mark in self._marks:
            parent = mark.parentItem()
            page = next(i for i, one in enumerate(self._pages, start=1) if one is parent)
            found.append((page, mark.rect()))
        return found

    def step_page(self, step: int) -> None:
        """Go to the next or previous page."""
        self.go_to_page(self.current_page() + step)

    def go_to_page(self, page: int) -> None:
        """Bring the top of a page into view."""
        if self._pages:
            wanted = self._pages[min(max(page, 1), len(self._pages)) - 1]
            top = wanted.sceneBoundingRect().top() - GAP_POINTS / 2
            self._scroll_to(QPointF(wanted.sceneBoundingRect().center().x(), top), 0.0)

    def current_page(self) -> int:
        """Return the page in the middle of the view, from 1; 0 if there is none."""
        middle = self.mapToScene(self.viewport().rect().center()).y()
        for number, page in enumerate(self._pages, start=1):
            if middle <= page.sceneBoundingRect().bottom() + GAP_POINTS:
                return number
        return len(self._pages)

    # Zoom and scrolling -----------------------------------------------------------------

    def fit_width(self) -> None:
        """Let a page fill the width, and keep it so."""
        self._fits_width = True
        self._fit()

    def zoom_by(self, steps: int) -> None:
        """Zoom in or out by ``steps``."""
        self._fits_width = False
        self._set_zoom(self._zoom * ZOOM_STEP**steps)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom with Ctrl, scroll without."""
        if event.modifiers() & Qt.KeyboardModifier.ControlModifier:
            self.zoom_by(1 if event.angleDelta().y() > 0 else -1)
            event.accept()
            return
        super().wheelEvent(event)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep fitting the width until the user zooms."""
        super().resizeEvent(event)
        if self._fits_width:
            self._fit()
        self._timer.start()

    def changeEvent(self, event: QEvent) -> None:
        """Follow light and dark; pages stay as they are in the file."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and hasattr(self, "_timer"):
            self._apply_background()

    def _apply_background(self) -> None:
        self.setBackgroundBrush(self.palette().brush(QPalette.ColorRole.Window))

    def _fit(self) -> None:
        widest = self._scene.sceneRect().width()
        room = self.viewport().width() - 24
        if widest > 0 and room > 0:
            self._set_zoom(min(room / (widest * POINTS_TO_PIXELS), 1.6))

    def _set_zoom(self, zoom: float) -> None:
        self._zoom = min(max(zoom, SMALLEST_ZOOM), LARGEST_ZOOM)
        self.resetTransform()
        self.scale(self._zoom * POINTS_TO_PIXELS, self._zoom * POINTS_TO_PIXELS)
        self._timer.start()

    def _scroll_to(self, point: QPointF, share: float) -> None:
        at = self.mapFromScene(point)
        bar = self.verticalScrollBar()
        bar.setValue(bar.value() + at.y() - int(self.viewport().height() * share))
        side = self.horizontalScrollBar()
        side.setValue(side.value() + at.x() - self.viewport().width() // 2)
        self._timer.start()

    def _on_scrolled(self, _value: int) -> None:
        # Not put off by further steps: who scrolls on sees pages come meanwhile.
        if not self._timer.isActive():
            self._timer.start()

    def _wanted(self) -> list[int]:
        """Return the pages in view, then their neighbours: one of them comes next."""
        shown = self.mapToScene(self.viewport().rect()).boundingRect()
        in_view = [
            number
            for number, page in enumerate(self._pages, start=1)
            if page.sceneBoundingRect().adjusted(0, -60, 0, 60).intersects(shown)
        ]
        if not in_view:
            return []
        beside = (in_view[-1] + 1, in_view[0] - 1)
        return [*in_view, *(number for number in beside if 0 < number <= len(self._pages))]

    def _on_settled(self) -> None:
        wanted = self._wanted()
        for number in set(self._scales) - set(wanted) - set(self._images):
            del self._scales[number]
            self.page_left.emit(number)
        # Half steps: zooming by a notch does not render the same page again and again.
        scale = max(1.0, round(self._zoom * POINTS_TO_PIXELS * self.devicePixelRatioF() * 2) / 2)
        for number in wanted:
            if self._scales.get(number) != scale:
                self._scales[number] = scale
                self.page_wanted.emit(number, scale)
        page_now = self.current_page()
        if page_now != self._page:
            self._page = page_now
            self.page_changed.emit(page_now)

    def _drop_far_images(self) -> None:
        middle = self.current_page()
        for page in sorted(self._images, key=lambda one: abs(one - middle))[MOST_IMAGES:]:
            self._scene.removeItem(self._images.pop(page))
            self._scales.pop(page, None)
