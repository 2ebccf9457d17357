"""Groups running lines to paragraphs, list items and headings."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.documents.headings import (
    heading_depth,
    is_bullet,
    is_list_item,
    is_title_case,
    roman_heading,
)
from phasergun_desktop.documents.pdf.layout import TextRun
from phasergun_desktop.documents.pdf.lines import Line

# A style that so much of the text is set in is no style of headings.
_MAX_HEADING_SHARE = 0.12
_NUMBER = re.compile(r"[\dA-Z]{1,2}(?:\.\d{1,3})*")
_SENTENCE_END = (".", "!", "?", ":", ";", ".”", '."', ".)")


@dataclass(frozen=True, slots=True)
class Style:
    """How a paragraph is set: height in half points, bold or not."""

    height: float
    bold: bool


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Consecutive lines that belong together."""

    lines: tuple[Line, ...]
    style: Style
    is_item: bool
    gap_above: float

    @property
    def text(self) -> str:
        """The lines with spaces, for judging only."""
        return " ".join(line.text for line in self.lines)


def line_style(line: Line) -> Style:
    """Return the style of a line; heights are rounded so that like lines are equal."""
    return Style(round(line.height * 2) / 2, line.bold)


def paragraphs_of(run: TextRun, pitch: float) -> list[Paragraph]:
    """Split a run of lines; ``pitch`` is the usual distance of base lines in heights."""
    found: list[Paragraph] = []
    pending: list[Line] = []
    gap = 0.0
    for line in run.lines:
        if pending and _breaks(pending, line, run, pitch):
            found.append(_paragraph(pending, gap))
            gap = line.base - pending[-1].base
            pending = []
        pending.append(line)
    if pending:
        found.append(_paragraph(pending, gap))
    return found


def _paragraph(lines: list[Line], gap: float) -> Paragraph:
    heights = sorted(line_style(line).height for line in lines)
    style = Style(heights[len(heights) // 2], all(line.bold for line in lines))
    return Paragraph(tuple(lines), style, is_list_item(lines[0].text), gap)


def _breaks(pending: list[Line], line: Line, run: TextRun, pitch: float) -> bool:
    before, first = pending[-1], pending[0]
    height = max(before.height, line.height, 1.0)
    distance = line.base - before.base
    if distance > (pitch + 0.28) * height or distance < -0.5 * height:
        return True
    if abs(before.height - line.height) > 0.14 * height and len(line.text) > 3:
        return True
    if before.bold != line.bold and len(line.text) > 2:
        return True
    if _starts_item(line, before, first):
        return True
    if _centred(before, line, run):
        return False
    if _ends_short(before, line, run):
        return True
    indent = line.x0 - before.x0
    # A first line that is indented starts a paragraph where the lines above are flush.
    return indent > 0.8 * height and len(pending) > 1 and before.text.endswith(_SENTENCE_END)


def _starts_item(line: Line, before: Line, first: Line) -> bool:
    text = line.text
    if is_bullet(text) and not re.match(r"^[-–—]\s*\d", text):
        return True
    if not is_list_item(text) and not heading_depth(text):
        return False
    # "(b)" or "3." in the middle of a sentence also starts a line now and then.
    if is_list_item(first.text):
        return line.x0 <= first.x0 + 3 or before.text.endswith(_SENTENCE_END)
    return before.text.endswith(_SENTENCE_END) or _is_short(before, line)


def _is_short(before: Line, line: Line) -> bool:
    return before.x1 < line.x1 - 4 * line.height


def _centred(before: Line, line: Line, run: TextRun) -> bool:
    middle = (run.left + run.right) / 2
    near = all(
        abs((item.x0 + item.x1) / 2 - middle) < 0.04 * (run.right - run.left) + 2
        for item in (before, line)
    )
    return near and min(before.x0, line.x0) > run.left + 2 * line.height


def _ends_short(before: Line, line: Line, run: TextRun) -> bool:
    """Whether the next line's first word would have fitted: then the break is meant."""
    word = line.words[0]
    needed = (word.x1 - word.x0) + 0.3 * line.height
    room = run.right - before.x1
    if before.text.endswith(("-", "/", ",")) or line.text[:1].islower():
        return room > needed + 0.35 * (run.right - run.left)
    return room > needed + 1.0 * line.height


class HeadingRules:
    """Tells headings from text by size, weight, number and the file's own outline."""

    def __init__(self, styles: Counter[Style], outline: dict[str, int]) -> None:
        self._outline = outline
        total = max(1, sum(styles.values()))
        self._shares = {style: count / total for style, count in styles.items()}
        self.body = self._body_style(styles)
        larger = sorted(
            (style for style in styles if self._stands_out(style)),
            key=lambda style: (-style.height, not style.bold),
        )
        self._ranks = _ranks(larger, self.body.height)
        self._numbered: dict[tuple[str, ...], int] = {}

    @staticmethod
    def _body_style(styles: Counter[Style]) -> Style:
        plain = Counter({style: count for style, count in styles.items() if not style.bold})
        common = (plain or styles).most_common(1)
        return common[0][0] if common else Style(12.0, False)

    def _plain_level(self, paragraph: Paragraph, text: str, depth: int) -> int:
        """Return the level of a heading that is set like the text, by its number."""
        if not depth or len(paragraph.lines) > 1 or not is_title_case(text) or ": " in text:
            return 0
        spaced = paragraph.gap_above > 1.5 * paragraph.style.height
        if not (spaced or depth > 1 or text.endswith(":")):
            return 0
        return min(6, max(self._ranks.values(), default=0) + depth)

    def _stands_out(self, style: Style) -> bool:
        if not style.bold and self._shares.get(style, 0.0) > _MAX_HEADING_SHARE:
            return False
        taller = style.height >= 1.12 * self.body.height + 0.25
        return taller or (style.bold and style.height >= 0.92 * self.body.height)

    def level(self, paragraph: Paragraph) -> int:
        """Return the level of a heading, 1 to 6, or 0 for text. To be asked in reading order."""
        if len(paragraph.lines) > 3:
            return 0
        text = paragraph.text.strip()
        if not 2 <= len(text) <= 180 or sum(map(str.isalpha, text)) < 0.4 * len(text):
            return 0
        if text.endswith(" -S"):
            return 0  # the mark of a digital signature, set larger than any heading
        outlined = self._outline.get(outline_key(text), 0)
        depth = heading_depth(text)
        return self._below_its_parent(text, depth, outlined or self._level(paragraph, text, depth))

    def _below_its_parent(self, text: str, depth: int, level: int) -> int:
        """Return ``level`` such that "2.1" stands right below "2", however they are set."""
        match = _NUMBER.match(text) if level and depth else None
        if match is None:
            return level
        number = tuple(match.group().rstrip(".").split("."))
        above = self._numbered.get(number[:-1])
        if above is not None:
            level = min(6, above + 1)
        self._numbered[number] = level
        return level

    def _level(self, paragraph: Paragraph, text: str, depth: int) -> int:
        stands_out = self._stands_out(paragraph.style)
        if not stands_out:
            return self._plain_level(paragraph, text, depth)
        if len(paragraph.lines[0].pieces) > 1 and not depth:
            return 0
        if text.endswith((",", ";")) or (text.endswith(".") and not depth and len(text) > 60):
            return 0
        if paragraph.is_item and not depth and not roman_heading(text):
            return 0
        if not (text[0].isupper() or text[0].isdigit() or text[0] in '(§[“"' or depth):
            return 0
        rank = self._ranks.get(paragraph.style) or len(self._ranks) or 1
        return min(6, max(rank, depth))


def _ranks(styles: Sequence[Style], body: float) -> dict[Style, int]:
    """Give each style a level; sizes that differ by less than a point share one."""
    ranks: dict[Style, int] = {}
    level, last = 0, 0.0
    for style in styles:
        taller = style.height >= 1.12 * body + 0.25
        if level == 0 or last - style.height > 0.9 or (not taller and last > 1.05 * body):
            level += 1
            last = style.height
        ranks[style] = min(6, level)
    return ranks


def outline_key(text: str) -> str:
    """Return ``text`` in the form in which headings and outline entries are compared."""
    return "".join(char for char in text.lower() if char.isalnum())
