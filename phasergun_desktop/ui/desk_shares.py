"""How the prompt with its evidence and the page share the height of the desk."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSplitter

# An empty page needs no room, and evidence is read before there is a draft; behind it the page has.
_WITHOUT_A_DRAFT, _WITH_A_DRAFT = (700, 300), (300, 700)


class DeskShares(QObject):
    """Gives the evidence the room while there is no draft, and the page when there is one.

    Where the writer drags the border, it stays there for either state.
    """

    def __init__(self, splitter: QSplitter) -> None:
        super().__init__(splitter)
        self._splitter = splitter
        self._sizes: dict[bool, list[int]] = {
            False: list(_WITHOUT_A_DRAFT),
            True: list(_WITH_A_DRAFT),
        }
        self._has_draft = False
        splitter.splitterMoved.connect(self._on_moved)
        splitter.setSizes(self._sizes[False])

    def show_draft(self, has_draft: bool) -> None:
        """Share the height as it is shared with a draft on the page, or without one."""
        if has_draft != self._has_draft:
            self._has_draft = has_draft
            self._splitter.setSizes(self._sizes[has_draft])

    def _on_moved(self) -> None:
        self._sizes[self._has_draft] = self._splitter.sizes()
