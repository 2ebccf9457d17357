"""Appends blocks to a document's text and keeps every offset exact; what its reader is given."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from phasergun_desktop.documents.document_reader import ReadingOptions, ReadingProgress
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    Locator,
    PageLocator,
    Rect,
    Segment,
)
from phasergun_desktop.errors import DocumentError

MAX_CHARACTERS = 40_000_000
_MAX_NAMED, _MAX_NAME = 5, 100
_TIGHT = frozenset({BlockKind.TABLE_ROW, BlockKind.LIST_ITEM, BlockKind.CUE})
# Control characters, lone surrogates and non-characters cannot be stored, shown or sent as
# UTF-8; each is replaced by one character, so that no offset moves.
_UNSTORABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f\x80-\x9f\u2028\u2029\ufffe\uffff\ud800-\udfff]")


def storable(text: str) -> str:
    """Return ``text`` with the characters that cannot be stored replaced, length unchanged."""
    return _UNSTORABLE.sub(lambda match: " " if match.group() < "\ud800" else "\ufffd", text)


def folded(text: str) -> str:
    """Return ``text`` with every run of white space as one space, trimmed."""
    return " ".join(text.split())


def folded_lines(text: str) -> str:
    """Return ``text`` with white space folded and empty lines left out."""
    if "\n" not in text:
        return " ".join(text.split())
    lines = (" ".join(line.split()) for line in text.split("\n"))
    return "\n".join(line for line in lines if line)


class DocumentBuilder:
    """Collects blocks in reading order.

    Blocks are separated by an empty line, rows of one table, items of one list and cues of one
    speaker's turn by a line break. Headings given with a level form the heading path of what
    follows.
    """

    def __init__(self, max_characters: int = MAX_CHARACTERS) -> None:
        self._parts: list[str] = []
        self._length = 0
        self._blocks: list[Block] = []
        self._headings: list[tuple[int, str]] = []
        self._group: object = None
        self._max_characters = max_characters
        self._warnings: list[str] = []

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The blocks so far."""
        return tuple(self._blocks)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What the reader of the document should know, each a sentence."""
        return tuple(self._warnings)

    @property
    def text(self) -> str:
        """The document's text so far."""
        return "".join(self._parts)

    @property
    def heading_path(self) -> tuple[str, ...]:
        """The headings above the next block, outermost first."""
        return tuple(text for _, text in self._headings)

    def leave_headings(self) -> None:
        """Let what follows stand under no heading, as a slide without a title does."""
        self._headings.clear()

    def warn(self, sentence: str) -> None:
        """Keep a remark about the document, once."""
        if sentence not in self._warnings:
            self._warnings.append(sentence)

    def warn_of_inner_files(self, names: Sequence[str]) -> None:
        """Keep a remark that names the files inside of the document, which are not read."""
        if names:
            shown = [folded(storable(name))[:_MAX_NAME] for name in names[:_MAX_NAMED]]
            others = len(names) - len(shown)
            more = f" and {others} more" if others else ""
            self.warn(f"Files inside of this one were not read: {', '.join(shown)}{more}.")

    def add(
        self,
        kind: BlockKind,
        text: str,
        locator: Locator,
        *,
        level: int = 0,
        cells: tuple[tuple[str, str], ...] = (),
        is_table_header: bool = False,
        marks: tuple[Segment, ...] = (),
        group: object = None,
        heading_path: tuple[str, ...] | None = None,
        ocr_confidence: float | None = None,
    ) -> Block | None:
        """Append a block and return it, or None where ``text`` has no visible character.

        ``marks`` are its segments relative to ``text`` as given; ``group`` is any value that rows
        of one table, items of one list or cues of one turn share. ``heading_path`` overrides the
        path of this block; ``ocr_confidence`` (0 to 1) says that its text was recognised.
        Raises DocumentError when the document grows beyond its limit.
        """
        text = storable(text)
        body = text.strip()
        if not body:
            return None
        lead = len(text) - len(text.lstrip())
        if self._length + len(body) > self._max_characters:
            raise DocumentError(
                "Too much text",
                f"The document has more than {self._max_characters:,} characters.",
                "Split it into several files.",
            )
        start = self._append_separator(kind, group)
        self._append(body)
        path = self.heading_path
        if kind is BlockKind.HEADING:
            path = self._enter_heading(max(1, level), folded(body))
        block = Block(
            ordinal=len(self._blocks),
            kind=kind,
            start=start,
            end=start + len(body),
            locator=_placed(locator),
            heading_path=path if heading_path is None else heading_path,
            level=level,
            cells=tuple((storable(header), storable(cell)) for header, cell in cells),
            is_table_header=is_table_header,
            segments=_segments(marks, start, lead, len(body)),
            ocr_confidence=ocr_confidence,
        )
        self._blocks.append(block)
        return block

    def _append_separator(self, kind: BlockKind, group: object) -> int:
        if self._blocks:
            last = self._blocks[-1].kind
            tight = kind in _TIGHT and kind is last and group is not None and group == self._group
            self._append("\n" if tight else "\n\n")
        self._group = group
        return self._length

    def _append(self, text: str) -> None:
        self._parts.append(text)
        self._length += len(text)

    def _enter_heading(self, level: int, text: str) -> tuple[str, ...]:
        while self._headings and self._headings[-1][0] >= level:
            self._headings.pop()
        path = self.heading_path
        self._headings.append((level, text))
        return path


@dataclass(frozen=True, slots=True)
class Reading:
    """One document being read, in the child process; ``tesseract`` is the path of the program.

    ``report`` is to be called as each page begins whose text has to be recognised: it also buys
    that page its own time.
    """

    builder: DocumentBuilder
    options: ReadingOptions = field(default_factory=ReadingOptions)
    tesseract: str = ""
    report: Callable[[ReadingProgress], None] = lambda progress: None


def _placed(locator: Locator) -> Locator:
    """Return ``locator`` with its rectangles as exact as they are kept."""
    if not isinstance(locator, PageLocator):
        return locator
    return PageLocator(locator.page, tuple([_rounded(rect) for rect in locator.rects]))


def _rounded(rect: Rect) -> Rect:
    return Rect(round(rect.x0, 2), round(rect.y0, 2), round(rect.x1, 2), round(rect.y1, 2))


def _segments(
    marks: tuple[Segment, ...], start: int, lead: int, length: int
) -> tuple[Segment, ...]:
    placed: list[Segment] = []
    for mark in marks:
        first = max(0, mark.start - lead)
        last = min(length, mark.end - lead)
        if last > first:
            placed.append(Segment(start + first, start + last, mark.page, _rounded(mark.rect)))
    return tuple(placed)
