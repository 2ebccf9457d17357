"""Ends a text at a stop word, also where the word comes in pieces."""

from __future__ import annotations


class StopWords:
    """Holds back as much text as could begin a stop word."""

    def __init__(self, words: tuple[str, ...]) -> None:
        self._words = words
        self._longest = max((len(word) for word in words), default=0)
        self._held = ""
        self._is_met = False

    @property
    def is_met(self) -> bool:
        """Whether a stop word came: the text is over."""
        return self._is_met

    def feed(self, text: str) -> str:
        """Return what is sure to stand before any stop word."""
        if self._is_met:
            return ""
        self._held += text
        cuts = [at for word in self._words if (at := self._held.find(word)) >= 0]
        if cuts:
            self._is_met = True
            self._held = self._held[: min(cuts)]
        safe = len(self._held) - (0 if self._is_met else self._longest)
        if safe <= 0:
            return ""
        text, self._held = self._held[:safe], self._held[safe:]
        return text

    def rest(self) -> str:
        """Return what was held back, at the end of the text."""
        text, self._held = self._held, ""
        return text
