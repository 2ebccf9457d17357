"""What to try first in the sample: each note goes when its step was done, and does not return."""

from __future__ import annotations

from PySide6.QtGui import QKeySequence

from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.help.hint_strip import Hint
from phasergun_desktop.ui.window_actions import WindowActions
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.workspace.sample_project import SAMPLE_DRAFT_ID

FOOTNOTE, PROBLEM, GENERATE = "footnote", "problem", "generate"


class HintFlow(Flow):
    """Shows the notes while the draft of the sample was opened in this project."""

    def __init__(
        self, desk: Desk, memory: WindowMemory, actions: WindowActions, drafts: DraftFlow
    ) -> None:
        super().__init__(desk)
        self._hint_strip = desk.parts.hint_strip
        self._memory = memory
        self._actions = actions
        desk.parts.hint_strip.put_away.connect(self._done)
        desk.parts.draft_panel.draft_shown.connect(self._on_draft_shown)
        for marks in (desk.parts.draft_panel.editor, desk.parts.draft_panel.footnotes_box.list):
            marks.footnote_activated.connect(lambda _key: self._done(FOOTNOTE))
        actions["next-problem"].triggered.connect(lambda: self._done(PROBLEM))
        desk.parts.problems_panel.sentence_activated.connect(lambda _sentence: self._done(PROBLEM))
        drafts.generation.begun.connect(lambda _draft: self._done(GENERATE))

    def leave(self) -> None:
        """Take the notes away: another project is opened."""
        self._hint_strip.show_hints(())

    def _on_draft_shown(self) -> None:
        draft = self._draft_panel.draft
        if draft is not None and draft.draft_id == SAMPLE_DRAFT_ID:
            seen = self._memory.settings.window.hints_seen
            self._hint_strip.show_hints(tuple(one for one in self._hints() if one.name not in seen))
        else:
            # What it speaks of is in the draft of the sample alone; with that it comes back.
            self._hint_strip.remove(PROBLEM)

    def _hints(self) -> tuple[Hint, ...]:
        native = QKeySequence.SequenceFormat.NativeText
        key = self._actions["next-problem"].shortcut().toString(native)
        return (
            Hint(FOOTNOTE, "Click the small number behind a sentence: its source opens."),
            Hint(PROBLEM, f"Press {key}: it goes to the one problem of this draft."),
            Hint(GENERATE, "Choose another prompt at the left, then press Generate."),
        )

    def _done(self, name: str) -> None:
        if name in self._hint_strip.shown:
            self._memory.add_hint_seen(name)
            self._hint_strip.remove(name)
