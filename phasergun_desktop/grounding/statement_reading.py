"""A statement read together with its evidence: what a cross-encoder's log odds say of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from phasergun_desktop.errors import ModelError
from phasergun_desktop.text.words import squeezed

_ENDS = (".", ":", "?", "!", ";")


class StatementModel(Protocol):
    """Reads a statement and a text together."""

    def carrying(self, statement: str, text: str) -> float | None:
        """Return the log odds that ``text`` says all that ``statement`` does; None where both
        together are longer than it reads. Raises ``ModelError``."""
        ...


def source_text(pieces: Sequence[tuple[str, str]]) -> str:
    """Return what is read of evidence: each of ``pieces`` is what stands above a text, said once
    for those that follow one another, and the text."""
    lines = []
    above = ""
    for context, text in pieces:
        line = f"{context}: {text}" if context and context != above else text
        lines.append(line if line.endswith(_ENDS) else f"{line}.")
        above = context
    return "\n".join(lines)


class StatementReader:
    """Reads statements with their evidence; what was read is kept. Not safe between threads."""

    def __init__(self, model: StatementModel) -> None:
        self._model = model
        self._read: dict[tuple[str, str], float | None] = {}
        self._can_be_used = True

    def odds(
        self, statement: str, pieces: Sequence[tuple[str, str]], given: str = ""
    ) -> float | None:
        """Return the log odds that ``pieces`` (see ``source_text``) say all of ``statement``; None
        where it is copied from one of them, which needs no reading, where they are too long, or
        where the model cannot be used: then the other checks judge alone. ``given`` is known
        besides."""
        whole = squeezed(statement)
        if any(whole in squeezed(text) for _, text in pieces):
            return None
        source = source_text([(f"{given} {above}".strip(), text) for above, text in pieces])
        key = statement, source
        if key not in self._read and self._can_be_used:
            try:
                self._read[key] = self._model.carrying(statement, source)
            except ModelError:
                self._can_be_used = False
        return self._read.get(key)
