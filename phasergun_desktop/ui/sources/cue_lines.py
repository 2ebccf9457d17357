"""Lays out a transcript: time and speaker in the margin, what was said beside them."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetricsF, QTextBlockFormat, QTextCharFormat, QTextOption

from phasergun_desktop.documents.model import Block, BlockKind, TimeLocator
from phasergun_desktop.ui.sources.text_writer import PROPORTIONAL, TextWriter
from phasergun_desktop.ui.wording import clock, literal

GAP = 14.0
WIDEST_SPEAKER_LETTERS = 14
SPEAKER_GAP = "  "


def write_cues(writer: TextWriter, blocks: Sequence[Block]) -> None:
    """Write every cue as a paragraph that hangs beside its margin."""
    metrics = QFontMetricsF(writer.font)
    cues = [one.locator for one in blocks if isinstance(one.locator, TimeLocator)]
    # All digits are equally wide: the longest time is the widest.
    times = metrics.horizontalAdvance(
        max((clock(one.start_s) for one in cues), key=len, default="")
    )
    longest = metrics.averageCharWidth() * WIDEST_SPEAKER_LETTERS
    speakers = {one.speaker for one in cues if one.speaker}
    names = min(max(map(metrics.horizontalAdvance, speakers), default=0.0), longest)
    right = Qt.TextElideMode.ElideRight
    shown = {one: metrics.elidedText(one, right, names + 1.0) for one in speakers}
    if names:
        times += metrics.horizontalAdvance(SPEAKER_GAP)
    layout = QTextBlockFormat()
    margin = times + names + GAP
    layout.setLineHeight(130.0, PROPORTIONAL)
    layout.setBottomMargin(6.0)
    layout.setLeftMargin(margin)
    layout.setTextIndent(-margin)
    left = QTextOption.TabType.LeftTab
    # From the left edge of the paragraph's own first line, which hangs out by the margin.
    layout.setTabPositions([QTextOption.Tab(times, left), QTextOption.Tab(margin, left)])
    plain, muted = QTextCharFormat(), QTextCharFormat()
    muted.setForeground(writer.colours.muted)
    for block in blocks:
        locator = block.locator
        if block.kind is not BlockKind.CUE or not isinstance(locator, TimeLocator):
            writer.add_block(block)
            continue
        writer.new_paragraph(layout, plain)
        speaker = locator.speaker or ""
        look = muted
        if shown.get(speaker, "") != speaker:
            look = QTextCharFormat(muted)
            look.setToolTip(literal(speaker))
        name = f"\t{shown.get(speaker, '')}" if names else ""
        writer.cursor.insertText(f"{clock(locator.start_s)}{name}\t", look)
        writer.place(writer.cursor, block.start, block.end, plain)
