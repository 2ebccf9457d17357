"""Windows: pieces of one heading section that the embedder reads whole."""

from __future__ import annotations

from bisect import bisect_left
from dataclasses import dataclass
from typing import Protocol

from phasergun_desktop.chunking.pieces import body_blocks, section_path
from phasergun_desktop.chunking.sentence_ends import split_span, trimmed
from phasergun_desktop.chunking.transcripts import LONG_PAUSE_S, pause_s, speakers_path, stretch
from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument, TimeLocator

WINDOWS_VERSION = "windows-1"

# Of a deep heading path the innermost headings say most; the rest of the budget is text.
_MAX_PREFIX_CHARS = 160
# A word of more than 100 letters is one word piece however long it is, so tokens alone
# would let a window grow without limit.
_MAX_WINDOW_CHARS = 2400
_SEPARATOR = " > "


class TokenCounter(Protocol):
    """The part of an embedder that packing needs."""

    def count_tokens(self, text: str) -> int:
        """Word pieces of ``text`` without the special ones, not truncated."""
        ...

    def token_offsets(self, text: str) -> list[tuple[int, int]]:
        """Code-point spans of the word pieces of ``text``, not truncated."""
        ...


@dataclass(frozen=True, slots=True)
class WindowSpan:
    """Code points ``start``..``end`` of a document; ``prefix`` is embedded before the text.

    ``stretch`` is set for transcripts: the time from the window's first cue to its last.
    """

    start: int
    end: int
    heading_path: tuple[str, ...]
    prefix: str
    stretch: TimeLocator | None = None

    def embedded_text(self, text: str) -> str:
        """Return what the embedder reads, given the document's ``text``."""
        body = text[self.start : self.end]
        return f"{self.prefix}\n{body}" if self.prefix else body


@dataclass(frozen=True, slots=True)
class _Part:
    start: int
    end: int
    tokens: int
    block: Block
    path: tuple[str, ...]
    opens_section: bool


def pack_windows(
    document: ParsedDocument, counter: TokenCounter, max_tokens: int
) -> tuple[WindowSpan, ...]:
    """Pack whole body blocks into windows of at most ``max_tokens`` word pieces.

    ``max_tokens`` counts the heading prefix and leaves out the special pieces (254 for a model
    that reads 256). Blocks longer than a window are cut after sentences, else after words. A
    window never crosses a section, except that a heading with nothing under it is carried by
    the first window of its first subsection. Windows hold no notes, headers or footers. In a
    transcript the speakers take the place of the headings, and a long pause parts windows.
    """
    packer = _Packer(document, counter, max_tokens)
    return packer.pack()


def heading_prefix(path: tuple[str, ...]) -> str:
    """Return the innermost headings of ``path`` that fit into the prefix, outermost first."""
    kept: list[str] = []
    length = 0
    for heading in reversed(path):
        clean = " ".join(heading.split())[:_MAX_PREFIX_CHARS]
        length += len(clean) + len(_SEPARATOR)
        if kept and length > _MAX_PREFIX_CHARS:
            break
        kept.append(clean)
    return _SEPARATOR.join(reversed(kept))


class _Packer:
    """Walks over the body blocks of one document."""

    def __init__(self, document: ParsedDocument, counter: TokenCounter, max_tokens: int) -> None:
        self._document = document
        self._counter = counter
        self._max_tokens = max_tokens
        self._windows: list[WindowSpan] = []
        self._open: list[_Part] = []
        self._open_tokens = 0

    def pack(self) -> tuple[WindowSpan, ...]:
        previous: Block | None = None
        for block in body_blocks(self._document):
            if previous is not None and not self._continues(previous, block):
                self._close()
            self._add(block)
            previous = block
        self._close()
        return tuple(self._windows)

    def _continues(self, previous: Block, block: Block) -> bool:
        # Whatever stands between two blocks would become part of the window's text.
        between = self._document.text[previous.end : block.start]
        if between.strip() or pause_s(previous, block) > LONG_PAUSE_S:
            return False
        after_heading = previous.kind is BlockKind.HEADING
        if block.kind is not BlockKind.HEADING:
            return after_heading or previous.heading_path == block.heading_path
        # A bare heading goes with the subsection that follows it at once.
        bare = bool(self._open) and all(part.opens_section for part in self._open)
        return bare and len(block.heading_path) > len(previous.heading_path)

    def _add(self, block: Block) -> None:
        for part in self._parts(block):
            budget = self._budget(self._path_with(part))
            start = self._open[0].start if self._open else part.start
            fits_chars = part.end - start <= _MAX_WINDOW_CHARS
            if self._open and (self._open_tokens + part.tokens > budget or not fits_chars):
                self._close()
            self._open.append(part)
            self._open_tokens += part.tokens

    def _path_with(self, part: _Part) -> tuple[str, ...]:
        """Return the path of the open window once ``part`` is in it."""
        if part.block.kind is not BlockKind.CUE:
            return part.path
        return speakers_path([*(each.block for each in self._open), part.block])

    def _parts(self, block: Block) -> list[_Part]:
        text = self._document.text
        start, end = trimmed(text, block.start, block.end)
        path = section_path(self._document, block) or speakers_path([block])
        budget = self._budget(path)
        opens = block.kind is BlockKind.HEADING
        tokens = self._count(start, end)
        if tokens <= budget and end - start <= _MAX_WINDOW_CHARS:
            return [_Part(start, end, tokens, block, path, opens)]
        return [
            _Part(a, b, self._count(a, b), block, path, opens)
            for a, b in self._split(start, end, budget)
        ]

    def _split(self, start: int, end: int, budget: int) -> list[tuple[int, int]]:
        """Cut a long block; its word pieces are counted once, not at every attempt."""
        text = self._document.text
        starts = [start + first for first, _ in self._counter.token_offsets(text[start:end])]

        def seems_to_fit(a: int, b: int) -> bool:
            pieces = bisect_left(starts, b) - bisect_left(starts, a)
            return b - a <= _MAX_WINDOW_CHARS and pieces <= budget

        def fits(a: int, b: int) -> bool:
            return b - a <= _MAX_WINDOW_CHARS and self._count(a, b) <= budget

        found: list[tuple[int, int]] = []
        for span in split_span(text, start, end, seems_to_fit):
            # A cut inside a word makes other word pieces of its halves.
            found.extend([span] if fits(*span) else split_span(text, *span, fits))
        return found

    def _budget(self, path: tuple[str, ...]) -> int:
        prefix = heading_prefix(path)
        used = self._counter.count_tokens(prefix) if prefix else 0
        return max(self._max_tokens - used, 1)

    def _count(self, start: int, end: int) -> int:
        return self._counter.count_tokens(self._document.text[start:end])

    def _close(self) -> None:
        if not self._open:
            return
        first, last = self._open[0], self._open[-1]
        if first.block.kind is BlockKind.CUE:
            blocks = [part.block for part in self._open]
            path = speakers_path(blocks)
            self._windows.append(
                WindowSpan(first.start, last.end, path, heading_prefix(path), stretch(blocks))
            )
            self._open, self._open_tokens = [], 0
            return
        # A window that opens with its heading would otherwise embed it twice.
        above = first.block.heading_path if first.opens_section else last.path
        self._windows.append(WindowSpan(first.start, last.end, last.path, heading_prefix(above)))
        self._open = []
        self._open_tokens = 0
