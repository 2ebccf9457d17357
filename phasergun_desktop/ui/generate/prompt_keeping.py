"""What the writer types as a prompt is kept by itself until it is saved in the prompt's file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.ui.editor.autosave import Autosave, SaveWay
from phasergun_desktop.ui.flow import Desk, Flow

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

TypedPrompts = tuple[TypedPrompt, ...]


class PromptKeeping(Flow):
    """Each project has its own; the files of the prompts are written by Save prompt alone."""

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        way: SaveWay[TypedPrompts] = SaveWay(
            desk.parts.prompt_panel.typed_prompts,
            lambda _prompts: "typed prompts",
            lambda session, prompts: session.keep_typed_prompts(prompts),
        )
        self.autosave = Autosave(desk.work.runners.interactive, way, self)
        desk.parts.prompt_panel.typed.connect(self.autosave.mark_dirty)

    def set_session(self, session: ProjectSession | None) -> None:
        """Show the prompts of another project: call it before anything else is fetched of it."""
        self.autosave.save_now()
        self.autosave.set_session(session)
        panel = self._prompt_panel
        panel.start_anew()
        if session is None:
            return
        # What could not be saved when the project was left is newer than what is stored.
        unsaved = self.autosave.unsaved_of(session)

        def on_loaded(stored: TypedPrompts) -> None:
            panel.show_typed((*stored, *(each for one in unsaved for each in one)))

        self._work.call(session.typed_prompts, on_loaded)
