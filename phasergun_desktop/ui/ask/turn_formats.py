"""Looks of a conversation: which text is what, as links and roles, without any colour."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum

from PySide6.QtGui import (
    QColor,
    QFont,
    QTextBlockFormat,
    QTextCharFormat,
    QTextDocument,
    QTextFormat,
    QTextFrameFormat,
)

from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_formats import footnote_of
from phasergun_desktop.ui.editor.support_highlighter import SupportHighlighter
from phasergun_desktop.ui.text_stretches import fragments_of
from phasergun_desktop.ui.theme import Colours

_USER = int(QTextFormat.Property.UserProperty.value)
_ROLE_PROPERTY = _USER + 10
_SIZE = int(QTextFormat.Property.FontSizeAdjustment.value)
_RULER = int(QTextFormat.Property.BlockTrailingHorizontalRulerWidth.value)
_LINK = "turn:"
_HANG, _EDGE = 14.0, 8.0


class Role(StrEnum):
    """What a stretch of a turn is beside its answer."""

    QUESTION = "question"
    QUIET = "quiet"
    LINK = "link"
    WARNING = "warning"
    WRONG = "wrong"


class Act(StrEnum):
    """What a link of a turn does."""

    WHOLE_QUESTION = "whole"
    REWRITTEN = "rewritten"
    CONFIDENCE = "confidence"
    FOOTNOTE = "footnote"
    PASSAGE = "passage"
    UNUSED = "unused"
    AGAIN = "again"
    EDIT = "edit"
    COPY = "copy"
    INSERT = "insert"
    MORE = "more"
    EARLIER = "earlier"
    # Of the menu alone: the question is kept to measure the project on.
    KEEP = "keep"
    RIGHT = "right"


@dataclass(frozen=True, slots=True)
class TurnLink:
    """A link to something of turn ``number``; ``index`` says which."""

    act: Act
    number: int = 0
    index: int = 0

    @property
    def href(self) -> str:
        """Return it as the target of an anchor."""
        return f"{_LINK}{self.act.value}:{self.number}:{self.index}"


def link_of(href: str) -> TurnLink | None:
    """Return the link of an anchor's target, None for another one."""
    if not href.startswith(_LINK):
        return None
    act, number, index = href[len(_LINK) :].split(":")
    return TurnLink(Act(act), int(number), int(index))


def text_format(role: Role, link: TurnLink | None = None) -> QTextCharFormat:
    """Return the format of text of a role, that is a link with ``link``."""
    made = QTextCharFormat()
    made.setProperty(_ROLE_PROPERTY, role.value)
    if role is Role.QUESTION:
        made.setFontWeight(QFont.Weight.Bold)
    else:
        made.setProperty(_SIZE, -1)
    if link is not None:
        made.setAnchor(True)
        made.setAnchorHref(link.href)
    return made


def line_format(top: float = 0.0, *, hangs: bool = False) -> QTextBlockFormat:
    """Return the format of a line of a turn, ``top`` below the one before; one that ``hangs`` goes
    on a little to the right where it is wrapped."""
    made = QTextBlockFormat()
    made.setTopMargin(top)
    made.setBottomMargin(2.0)
    if hangs:
        made.setLeftMargin(_HANG)
        made.setTextIndent(-_HANG)
    return made


def turn_format() -> QTextFrameFormat:
    """Return the format of the part of the document that holds a turn."""
    made = QTextFrameFormat()
    made.setBorder(0.0)
    made.setMargin(0.0)
    # (The margins of lines at an edge of it are not drawn.)
    made.setTopMargin(_EDGE)
    made.setBottomMargin(_EDGE)
    made.setPadding(0.0)
    return made


def rule_format() -> QTextBlockFormat:
    """Return the format of the line between two turns: a rule."""
    made = QTextBlockFormat()
    # (A ruler is drawn in the colour of its ground; this grey suits light and dark.)
    made.setProperty(_RULER, 100)
    made.setBackground(QColor("#9aa0a8"))
    return made


def rule_letters() -> QTextCharFormat:
    """Return letters that give a line no height to speak of."""
    made = QTextCharFormat()
    made.setFontPointSize(2.0)
    return made


class TurnHighlighter(SupportHighlighter):
    """Colours the answers as a draft is, and what stands around them by its role."""

    def __init__(
        self, document: QTextDocument, book: DraftBook, colours: Callable[[], Colours]
    ) -> None:
        super().__init__(document, book, colours)
        self._of_roles = colours

    def highlightBlock(self, text: str) -> None:
        """Lay colours over the current line."""
        block = self.currentBlock()
        roles = []
        for fragment in fragments_of(block):
            role = fragment.charFormat().property(_ROLE_PROPERTY)
            if isinstance(role, str):
                first = fragment.position() - block.position()
                roles.append((first, fragment.length(), Role(role)))
        if not roles:
            super().highlightBlock(text)
        for first, length, role in roles:
            made = self._look(role)
            if made is not None:
                self.setFormat(first, length, made)

    def _look(self, role: Role) -> QTextCharFormat | None:
        colours = self._of_roles()
        colour = {
            Role.QUIET: colours.muted,
            Role.LINK: colours.link,
            Role.WARNING: colours.partly,
            Role.WRONG: colours.wrong,
        }.get(role)
        if colour is None:
            return None
        made = QTextCharFormat()
        made.setForeground(colour)
        return made


def is_link(text: QTextCharFormat) -> bool:
    """Whether the text can be followed."""
    return bool(footnote_of(text)) or link_of(text.anchorHref()) is not None
