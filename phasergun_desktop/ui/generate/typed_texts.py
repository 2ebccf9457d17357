"""The texts that were typed for prompts and differ from their files."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from phasergun_desktop.drafts.typed_prompts import TypedPrompt

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session_prompts import PromptFile


class TypedTexts:
    """By file; the empty one stands for a prompt that has none yet."""

    def __init__(self, prompts: Sequence[TypedPrompt] = ()) -> None:
        # Empty where nothing is left to keep: that has to be stored as well.
        self._texts = {each.file: each.text for each in prompts}
        self._loaded = {each.file: each.loaded for each in prompts if each.loaded}

    def text_of(self, file: str) -> str:
        """What was typed; empty if nothing was."""
        return self._texts.get(file, "")

    def note(self, file: str, text: str) -> bool:
        """Take in what stands there now, empty for none; whether that is new."""
        if self.text_of(file) == text:
            return False
        self._texts[file] = text
        return True

    def loaded(self, file: str) -> str:
        """Return the digest of the text of the file as it was loaded; empty if it never was."""
        return self._loaded.get(file, "")

    def note_loaded(self, prompt: PromptFile) -> None:
        """Take in that the writer has the text of this file before him."""
        self._loaded[prompt.file] = prompt.digest

    def note_listed(self, prompts: Iterable[PromptFile], changed: str) -> None:
        """Take in what the files hold now; what was typed, and the text of ``changed``, is based
        on what they held before."""
        for each in prompts:
            if (not self.text_of(each.file) and each.file != changed) or not self.loaded(each.file):
                self.note_loaded(each)

    def follow(self, file: str, new: str) -> None:
        """The file has another name, or is gone."""
        loaded = self._loaded.pop(file, "")
        if new and loaded:
            self._loaded[new] = loaded

    def all(self, shown: str | None) -> tuple[TypedPrompt, ...]:
        """Everything, with the one that stands in the field marked."""
        return tuple(
            TypedPrompt(file, text, file == shown, self.loaded(file))
            for file, text in self._texts.items()
        )
