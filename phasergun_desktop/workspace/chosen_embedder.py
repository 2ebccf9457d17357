"""The embedder of searches, by the settings as they are now."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from phasergun_desktop.embedding.embedder import SearchEmbedder
from phasergun_desktop.settings.model import SearchEmbedding


class ChosenEmbedder:
    """Gives the embedder of the user's own that ``settings`` name now, made by ``make`` of its path
    and kept until another is named. Safe on any thread."""

    def __init__(
        self, settings: Callable[[], SearchEmbedding], make: Callable[[Path], SearchEmbedder]
    ) -> None:
        self._settings = settings
        self._make = make
        self._lock = threading.Lock()
        self._made: tuple[str, SearchEmbedder] | None = None

    def get(self) -> SearchEmbedder | None:
        """Return it, None where the bundled embedder searches. Whether it can be used shows at
        first use."""
        chosen = self._settings()
        with self._lock:
            if not chosen.is_own:
                self._made = None
            elif self._made is None or self._made[0] != chosen.path:
                self._made = chosen.path, self._make(Path(chosen.path))
            return None if self._made is None else self._made[1]
