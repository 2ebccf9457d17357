"""The texts that were typed for prompts and differ from their files."""

from __future__ import annotations

from collections.abc import Iterable

from phasergun_desktop.drafts.typed_prompts import TypedPrompt


class TypedTexts:
    """By file; the empty one stands for a prompt that has none yet."""

    def __init__(self, prompts: Iterable[TypedPrompt] = ()) -> None:
        # Empty where nothing is left to keep: that has to be stored as well.
        self._texts = {each.file: each.text for each in prompts}

    def text_of(self, file: str) -> str:
        """What was typed; empty if nothing was."""
        return self._texts.get(file, "")

    def note(self, file: str, text: str) -> bool:
        """Take in what stands there now, empty for none; whether that is new."""
        if self.text_of(file) == text:
            return False
        self._texts[file] = text
        return True

    def all(self, shown: str | None) -> tuple[TypedPrompt, ...]:
        """Everything, with the one that stands in the field marked."""
        return tuple(TypedPrompt(file, text, file == shown) for file, text in self._texts.items())
