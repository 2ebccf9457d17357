"""The document of a conversation: its turns, those that are laid out, and the one that runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from PySide6.QtGui import QTextCursor, QTextDocument, QTextFragment, QTextFrame

from phasergun_desktop.conversations.model import Conversation, Question, Turn
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.ui.ask.turn_formats import (
    Act,
    Role,
    TurnHighlighter,
    TurnLink,
    is_link,
    link_of,
    text_format,
)
from phasergun_desktop.ui.ask.turn_writer import TurnWriter, Unfolded
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.editor.draft_formats import key_of_href
from phasergun_desktop.ui.editor.draft_writer import StreamWriter, one_step
from phasergun_desktop.ui.editor.marks import FIRST_MARK, find_marks
from phasergun_desktop.ui.text_stretches import blocks_from, fragments_of, stretch
from phasergun_desktop.ui.theme import Colours
from phasergun_desktop.ui.wording import count, shown_mark

# So many turns are laid out within a tenth of a second; the rest comes when it is asked for.
SLICE = 6
_MARGIN = 12.0
EMPTY = (
    "Ask about the documents of this project. Each answer has its sources, or says that they do "
    "not answer."
)


class ConversationPage:
    """Lays out the last turns; the link above them stands for the earlier ones."""

    def __init__(
        self,
        document: QTextDocument,
        colours: Callable[[], Colours],
        conversation: Conversation | None = None,
        titled: Callable[[Question], Question] = lambda question: question,
    ) -> None:
        self.document = document
        document.setUndoRedoEnabled(False)
        document.setDocumentMargin(_MARGIN)
        self.book = DraftBook()
        self.highlighter = TurnHighlighter(document, self.book, colours)
        self._writer = TurnWriter(document, self.book, titled)
        self._frames: dict[int, QTextFrame] = {}
        self._unfolded: dict[int, Unfolded] = {}
        self._stream: StreamWriter | None = None
        self._running = 0
        turns = conversation.turns if conversation is not None else ()
        self._turns = {turn.number: turn for turn in turns}
        self._left_out = conversation.left_out if conversation is not None else 0
        with one_step(QTextCursor(document)):
            for turn in turns[-SLICE:]:
                self._put(turn, self._end)
            self._say_earlier()

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns of the conversation, in order."""
        return tuple(self._turns[number] for number in sorted(self._turns))

    @property
    def shown(self) -> tuple[int, ...]:
        """The numbers of the turns that are laid out."""
        return tuple(sorted(self._frames))

    @property
    def is_running(self) -> bool:
        """Whether an answer is being written."""
        return bool(self._running)

    @property
    def _end(self) -> int:
        return self.document.characterCount() - 1

    def turn(self, number: int) -> Turn:
        """Return a turn by its number."""
        return self._turns[number]

    def span(self, number: int) -> tuple[int, int]:
        """Return the first and the last position of a turn that is laid out."""
        frame = self._frames[number]
        return frame.firstPosition(), frame.lastPosition()

    def turn_at(self, position: int) -> Turn | None:
        """Return the turn that stands at a position."""
        for number in self._frames:
            first, last = self.span(number)
            if first <= position <= last:
                return self._turns[number]
        return None

    def put_earlier(self) -> int:
        """Lay out some of the turns before those in view; return the number of the last of them,
        0 where there are none."""
        first = self.shown[0] if self._frames else 0
        before = [number for number in sorted(self._turns) if number < first][-SLICE:]
        with one_step(QTextCursor(self.document)):
            for number in reversed(before):
                self._put(self._turns[number], self.document.begin().length() - 1)
            self._say_earlier()
        return before[-1] if before else 0

    def unfold(self, link: TurnLink) -> None:
        """Show a long question whole, or show or hide the passages that were not used."""
        known = self._unfolded.get(link.number, Unfolded())
        if link.act is Act.UNUSED:
            known = replace(known, unused=not known.unused)
        else:
            known = replace(known, question=True)
        self._unfolded[link.number] = known
        self._writer.write(self._frames[link.number], self._turns[link.number], known)

    # An answer as it comes --------------------------------------------------------------------

    def begin_turn(self, turn: Turn) -> None:
        """Put a question at the end, in the place of the turn of its number and those behind."""
        for number in [one for one in self._frames if one >= turn.number]:
            self._remove(number)
        self._turns = {n: one for n, one in self._turns.items() if n < turn.number}
        self._turns[turn.number] = turn
        self._unfolded.pop(turn.number, None)
        self._running = turn.number
        self._frames[turn.number] = frame = self._writer.add_frame(self._end)
        self._writer.write(frame, turn, Unfolded(), is_running=True)
        self._stream = self._writer.stream_writer(frame)
        self._say_earlier()

    def stream(self, text: str) -> None:
        """Add text that is not bound yet."""
        if self._stream is not None:
            self._stream.stream(text)

    def add_unit(self, unit: DraftSentence, footnotes: tuple[Footnote, ...]) -> None:
        """Put a bound sentence in the place of the streamed text."""
        if self._stream is not None:
            self._stream.add_unit(unit, footnotes, numbers=False)

    def discard_stream(self) -> None:
        """Take out what was streamed and is not kept."""
        if self._stream is not None:
            self._stream.discard_stream()

    def end_turn(self, turn: Turn | None) -> None:
        """Write the turn that runs as it was kept, or take it out."""
        number, self._stream, self._running = self._running, None, 0
        if not number:
            return
        if turn is None:
            del self._turns[number]
            self._remove(number)
            self._say_earlier()
            return
        self._turns[number] = turn
        self._writer.write(self._frames[number], turn, Unfolded())

    # What can be followed ---------------------------------------------------------------------

    def links(self) -> Iterator[QTextFragment]:
        """Yield the marks and links in the order of the text."""
        for block in blocks_from(self.document.begin()):
            for fragment in fragments_of(block):
                if is_link(fragment.charFormat()):
                    yield fragment

    def footnote_of(self, href: str) -> Footnote | None:
        """Return the footnote that a mark or a line of the sources stands for."""
        link = link_of(href)
        if link is not None and link.act is Act.FOOTNOTE:
            return self._turns[link.number].footnotes[link.index]
        return self.book.footnotes.get(key_of_href(href))

    def words_of(self, selection: QTextCursor) -> str:
        """Return what is selected as text, with whole marks in the place of shortened ones."""
        copied = QTextDocument()
        QTextCursor(copied).insertFragment(selection.selection())
        for mark in reversed(find_marks(copied)):
            note = self.book.footnotes[mark.footnote]
            shown = shown_mark(note)
            # (Of a mark that is selected in part that part is copied.)
            if note.mark and shown not in note.mark and mark.text == f"{FIRST_MARK}{shown}":
                whole = f"{FIRST_MARK}{note.mark}"
                stretch(copied, mark.start, mark.end).insertText(whole)
        return copied.toPlainText().replace("\u2028", "\n")

    # Frames -----------------------------------------------------------------------------------

    def _put(self, turn: Turn, at: int) -> None:
        self._frames[turn.number] = frame = self._writer.add_frame(at)
        self._writer.write(frame, turn, self._unfolded.get(turn.number, Unfolded()))

    def _remove(self, number: int) -> None:
        first, last = self.span(number)
        del self._frames[number]
        stretch(self.document, first - 1, min(last + 1, self._end)).removeSelectedText()

    def _say_earlier(self) -> None:
        cursor = QTextCursor(self.document.begin())
        cursor.movePosition(QTextCursor.MoveOperation.EndOfBlock, QTextCursor.MoveMode.KeepAnchor)
        cursor.removeSelectedText()
        first = self.shown[0] if self._frames else 0
        hidden = sum(number < first for number in self._turns)
        if hidden:
            words = f"Show earlier questions ({hidden:,} before)"
            cursor.insertText(words, text_format(Role.LINK, TurnLink(Act.EARLIER)))
        elif not self._turns:
            cursor.insertText(EMPTY, text_format(Role.QUIET))
        elif self._left_out:
            words = f"The first {count(self._left_out, 'question')} are kept, and not shown"
            cursor.insertText(words, text_format(Role.QUIET))
