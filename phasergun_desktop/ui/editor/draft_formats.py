"""Styles of the draft: which format is which kind of text, without any colour."""

from __future__ import annotations

from itertools import takewhile, zip_longest

from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextFormat,
    QTextFrameFormat,
    QTextLength,
    QTextListFormat,
    QTextTableFormat,
)

from phasergun_desktop.drafts.draft_html import FOOTNOTE_HREF, MAX_DEPTH, MAX_HEADING
from phasergun_desktop.drafts.draft_shape import NO_FOOTNOTE, NO_UNIT, ParagraphKind, Run, Table

_USER = int(QTextFormat.Property.UserProperty.value)
UNIT_PROPERTY = _USER + 1
PROVISIONAL_PROPERTY = _USER + 2
_SIZE = int(QTextFormat.Property.FontSizeAdjustment.value)
ACCEPTED_PROPERTY = _USER + 3
LINE_HEIGHT_PERCENT = 138.0
# Steps of Qt's relative font sizes (1.2 and 1.5 times), so that zoom scales headings too.
HEADING_STEPS = {1: 2, 2: 1, 3: 0}


def unit_of(text_format: QTextCharFormat) -> int:
    """Return the key of the unit that text belongs to, or ``NO_UNIT``."""
    value = text_format.property(UNIT_PROPERTY)
    return value if isinstance(value, int) else NO_UNIT


def footnote_of(text_format: QTextCharFormat) -> int:
    """Return the key of the footnote whose mark this is, or ``NO_FOOTNOTE``."""
    return key_of_href(text_format.anchorHref()) if text_format.isAnchor() else NO_FOOTNOTE


def key_of_href(href: str) -> int:
    """Return the key of the footnote whose mark leads to ``href``, or ``NO_FOOTNOTE``."""
    key = href[len(FOOTNOTE_HREF) :] if href.startswith(FOOTNOTE_HREF) else ""
    return int(key) if key.isdecimal() else NO_FOOTNOTE


def acceptance_mark(text_format: QTextCharFormat) -> str:
    """Return the writer's mark of acceptance on the text, ``""`` where there is none."""
    value = text_format.property(ACCEPTED_PROPERTY)
    return value if isinstance(value, str) else ""


def is_provisional(text_format: QTextCharFormat) -> bool:
    """Whether the text is streaming and not yet bound to a source."""
    return bool(text_format.property(PROVISIONAL_PROPERTY))


def run_format(run: Run, block_format: QTextCharFormat, mark: str = "1") -> QTextCharFormat:
    """Return the format of a run in a block whose text looks like ``block_format``; of the
    ``mark`` of a footnote: a number is raised, words stand on the line, a little smaller."""
    made = QTextCharFormat(block_format)
    if run.unit != NO_UNIT:
        made.setProperty(UNIT_PROPERTY, run.unit)
    if run.accepted:
        made.setProperty(ACCEPTED_PROPERTY, run.accepted)
    if run.footnote != NO_FOOTNOTE:
        made.setAnchor(True)
        made.setAnchorHref(f"{FOOTNOTE_HREF}{run.footnote}")
        made.setFontWeight(QFont.Weight.Normal)
        if mark.isdecimal():
            made.setVerticalAlignment(QTextCharFormat.VerticalAlignment.AlignSuperScript)
        else:
            made.setProperty(_SIZE, -1)
        return made
    if run.is_bold:
        made.setFontWeight(QFont.Weight.Bold)
    if run.is_italic:
        made.setFontItalic(True)
    return made


def text_beside_mark(mark: QTextCharFormat) -> QTextCharFormat:
    """Return the format of text typed at a mark: of the same unit, but no mark."""
    made = QTextCharFormat(mark)
    made.clearProperty(int(QTextFormat.Property.IsAnchor.value))
    made.clearProperty(int(QTextFormat.Property.AnchorHref.value))
    made.clearProperty(int(QTextFormat.Property.TextVerticalAlignment.value))
    return made


def provisional_format() -> QTextCharFormat:
    """Return the format of text that is still streaming."""
    made = QTextCharFormat()
    made.setProperty(PROVISIONAL_PROPERTY, True)
    return made


def block_format(kind: ParagraphKind, level: int = 0) -> QTextBlockFormat:
    """Return the paragraph format of a kind of paragraph."""
    made = QTextBlockFormat()
    made.setLineHeight(
        LINE_HEIGHT_PERCENT, int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
    )
    if kind is ParagraphKind.HEADING:
        made.setHeadingLevel(min(max(level, 1), MAX_HEADING))
        made.setTopMargin(18.0 if level <= 2 else 12.0)
        made.setBottomMargin(6.0)
        made.setLineHeight(115.0, int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value))
    elif kind is ParagraphKind.LIST_ITEM:
        made.setIndent(min(max(level, 1), MAX_DEPTH) - 1)
        made.setBottomMargin(4.0)
    else:
        made.setBottomMargin(10.0)
    return made


def block_text_format(kind: ParagraphKind, level: int = 0) -> QTextCharFormat:
    """Return how the text of a kind of paragraph looks."""
    made = QTextCharFormat()
    if kind is ParagraphKind.HEADING:
        made.setFontWeight(QFont.Weight.Bold)
        step = HEADING_STEPS.get(max(level, 1), 0)
        made.setProperty(_SIZE, step)
    return made


def list_format() -> QTextListFormat:
    """Return the format of a bulleted list."""
    made = QTextListFormat()
    made.setStyle(QTextListFormat.Style.ListDisc)
    made.setIndent(1)
    return made


def table_format(table: Table) -> QTextTableFormat:
    """Return the format of ``table``, ruled, over the whole line; its grey suits light and dark. A
    column is as wide as its text needs; one that is empty has an even share."""
    made = QTextTableFormat()
    made.setBorder(1.0)
    made.setBorderCollapse(True)
    made.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_Solid)
    made.setBorderBrush(QBrush(QColor("#9aa0a8")))
    made.setCellPadding(5.0)
    made.setCellSpacing(0.0)
    made.setTopMargin(4.0)
    made.setBottomMargin(14.0)
    made.setWidth(QTextLength(QTextLength.Type.PercentageLength, 99.0))
    made.setHeaderRowCount(sum(1 for _ in takewhile(lambda row: row.is_header, table.rows)))
    columns = list(zip_longest(*(row.cells for row in table.rows), fillvalue=()))
    even = QTextLength(QTextLength.Type.PercentageLength, 100.0 / max(len(columns), 1))
    made.setColumnWidthConstraints([QTextLength() if any(one) else even for one in columns])
    return made


def cell_block_format() -> QTextBlockFormat:
    """Return the paragraph format inside a table."""
    made = QTextBlockFormat()
    made.setLineHeight(120.0, int(QTextBlockFormat.LineHeightTypes.ProportionalHeight.value))
    return made
