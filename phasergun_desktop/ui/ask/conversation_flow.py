"""The conversations of a project: opened, listed, searched, named, exported, deleted."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import Signal

from phasergun_desktop.conversations.model import Conversation, ConversationSummary
from phasergun_desktop.drafts.export import ExportFormat, file_stem
from phasergun_desktop.ui.confirmation import FILE_KINDS, ask_file, ask_text, confirm
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession


class ConversationFlow(Flow):
    """Knows which conversation is in view; an empty ``current`` is one that was not begun."""

    # The conversation in view makes room for another one.
    leaving = Signal()

    def __init__(self, desk: Desk, memory: WindowMemory) -> None:
        super().__init__(desk)
        self._panel = panel = desk.parts.ask_panel
        self._memory = memory
        self.current = ""
        self._title = ""
        # So that a list that is late does not come on top of a newer one.
        self._listing = 0
        panel.new_button.clicked.connect(self.begin_new)
        panel.list_wanted.connect(lambda: self.search(""))
        panel.list.search_wanted.connect(self.search)
        panel.list.chosen.connect(self.open)
        panel.rename.triggered.connect(self.ask_name)
        panel.delete.triggered.connect(self.ask_to_delete)
        panel.export_markdown.triggered.connect(lambda: self.ask_file(ExportFormat.MARKDOWN))
        panel.export_word.triggered.connect(lambda: self.ask_file(ExportFormat.WORD))

    def set_session(self, session: ProjectSession | None) -> None:
        """Show what was open in another project last."""
        self._show(None)
        self._panel.list.show_found((), "")
        self._panel.show_transcript()

        def on_listed(found: tuple[ConversationSummary, ...]) -> None:
            known = {one.conversation_id for one in found}
            last = [one for one in self._memory.open_conversations if one in known]
            if last and not self.current and not self._panel.transcript.page.is_running:
                self.open(last[-1], takes_keyboard=False)

        self._work.do(lambda session: session.conversations(), on_listed)

    # In view ----------------------------------------------------------------------------------

    def begin_new(self) -> None:
        """Put an empty conversation into view."""
        self.leaving.emit()
        self._show(None)
        self._panel.focus_box()

    def began(self, conversation_id: str, title: str) -> None:
        """A question was kept, in a conversation that may be a new one."""
        if conversation_id != self.current:
            self._name(conversation_id, title)

    def open(self, conversation_id: str, *, takes_keyboard: bool = True) -> None:
        """Put a conversation into view."""
        if conversation_id == self.current:
            # An answer that is being written there goes on.
            self._panel.focus_box()
            return

        def on_loaded(conversation: Conversation) -> None:
            self.leaving.emit()
            self._show(conversation)
            if takes_keyboard:
                self._panel.focus_box()

        self._work.do(lambda session: session.conversation(conversation_id), on_loaded)

    def follow_hidden(self) -> None:
        """Show the conversation in view anew, where what it cites was hidden or is shown again."""
        current = self.current
        if not current:
            return

        def on_loaded(conversation: Conversation) -> None:
            transcript = self._panel.transcript
            now = [(turn.text, turn.footnotes, turn.unused) for turn in conversation.turns]
            is_other = now != [(t.text, t.footnotes, t.unused) for t in transcript.turns]
            if current == self.current and is_other and not transcript.page.is_running:
                self._show(conversation)

        self._work.do(lambda session: session.conversation(current), on_loaded)

    def _show(self, conversation: Conversation | None) -> None:
        self._panel.transcript.show_conversation(conversation)
        if conversation is None:
            self.current = self._title = ""
            self._panel.show_title("")
        else:
            self._name(conversation.conversation_id, conversation.title)

    def _name(self, conversation_id: str, title: str) -> None:
        self.current, self._title = conversation_id, title
        self._panel.show_title(title, is_kept=True)
        self._memory.set_open_conversation(conversation_id)

    def search(self, words: str) -> None:
        """List the conversations in which all words stand, or all of them."""
        self._listing += 1
        listing = self._listing

        def on_found(found: tuple[ConversationSummary, ...]) -> None:
            if listing == self._listing:
                self._panel.list.show_found(found, self.current)

        self._work.do(
            lambda session: (
                session.search_conversations(words) if words else session.conversations()
            ),
            on_found,
        )

    # What is done with one --------------------------------------------------------------------

    def ask_name(self) -> None:
        """Ask for another name."""
        rename = partial(self.rename, self.current)
        label = "Name of the conversation"
        ask_text(self._window, "Rename the conversation", label, self._title, rename)

    def rename(self, conversation_id: str, name: str) -> None:
        """Give a conversation another name; an empty one changes nothing."""
        title = " ".join(name.split())
        if not title:
            return

        def on_renamed(_none: object) -> None:
            if conversation_id == self.current:
                self._name(conversation_id, title)
            self._work.say("Renamed")

        self._work.do(
            lambda session: session.rename_conversation(conversation_id, title),
            on_renamed,
            must_run=True,
        )

    def ask_to_delete(self) -> None:
        """Ask, then remove the conversation for good."""
        conversation_id = self.current
        confirm(
            self._window,
            "Delete the conversation",
            "Delete this conversation?",
            f"“{self._title}”\n\nIt cannot be brought back. What was inserted into drafts stays.",
            {"Delete": lambda: self.delete(conversation_id)},
        )

    def delete(self, conversation_id: str) -> None:
        """Remove a conversation for good."""
        if conversation_id == self.current:
            self.leaving.emit()

        def on_deleted(_none: object) -> None:
            if conversation_id == self.current:
                self._show(None)
            self._work.say("Deleted")

        self._work.do(
            lambda session: session.delete_conversation(conversation_id), on_deleted, must_run=True
        )

    def ask_file(self, wanted: ExportFormat) -> None:
        """Ask for a file, then write the conversation into it."""
        name, export = f"{file_stem(self._title)}{wanted.value}", partial(self.export, self.current)
        title, kinds = "Export the conversation", FILE_KINDS[wanted]
        ask_file(self._window, title, name, kinds, export)

    def export(self, conversation_id: str, path: Path) -> None:
        """Write a conversation as a file, by its ending."""
        self._work.say(f"Exporting to {path.name}…")
        self._work.do(
            lambda session: session.export_conversation(conversation_id, path),
            lambda _none: self._work.say(f"Exported to {path.name}"),
            must_run=True,
        )
