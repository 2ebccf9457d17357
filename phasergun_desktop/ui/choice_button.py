"""A button that shows what is chosen and opens the menu of the choices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QActionGroup
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.wording import literal

# A user's own profile or agent may have any name.
_LONGEST_TEXT = 34


@dataclass(frozen=True, slots=True)
class Choice:
    """A profile or an agent in a menu."""

    name: str
    title: str
    description: str = ""


def agent_choices(agents: Sequence[Agent]) -> tuple[Choice, ...]:
    """Return the entries for ``agents`` behind one for nobody; none where there are no agents."""
    choices = [Choice(one.name, one.title, shortened(one.persona)) for one in agents]
    return (Choice("", "No agent"), *choices) if choices else ()


class ChoiceButton(QToolButton):
    """``name`` is what is chosen, ``usual`` what is used where nothing is wished for."""

    chosen = Signal(str)

    def __init__(self, what: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._what = what
        self.name = self.usual = ""
        self.setAutoRaise(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.setMenu(QMenu(self))
        self.menu().setToolTipsVisible(True)
        self._group = QActionGroup(self)
        self._choices: tuple[Choice, ...] = ()

    @property
    def wish(self) -> str:
        """What is chosen where that is not the usual; empty otherwise."""
        return "" if self.name == self.usual else self.name

    def title_of(self, name: str) -> str:
        """Return the title of a choice, its name where it is not there."""
        return next((one.title for one in self._choices if one.name == name), name)

    def show_choices(
        self, choices: Sequence[Choice], usual: str, more: Sequence[QAction] = ()
    ) -> None:
        """Offer these choices, and ``more`` behind them; what is chosen stays while it is there."""
        self._choices, self.usual = tuple(choices), usual
        self.setVisible(bool(choices))
        menu = self.menu()
        menu.clear()
        self._group.deleteLater()
        self._group = QActionGroup(self)
        for one in choices:
            entry = menu.addAction(one.title.replace("&", "&&"))
            entry.setToolTip(literal(one.description))
            entry.setCheckable(True)
            entry.setData(one.name)
            self._group.addAction(entry)
            entry.triggered.connect(lambda _checked=False, name=one.name: self._on_chosen(name))
        menu.addSeparator()
        menu.addActions(list(more))
        self.choose(self.name or usual)

    def choose(self, name: str) -> None:
        """Choose an entry, the usual one where it is not there, without telling anyone; before
        there are any it waits for them."""
        known = {each.name: each for each in self._choices}
        one = known.get(name) or known.get(self.usual) or Choice("", "none")
        self.name = one.name if self._choices else name
        self.setText(shortened(one.title, _LONGEST_TEXT).replace("&", "&&"))
        self.setAccessibleName(f"{self._what}: {one.title}")
        is_cut = len(one.title) > _LONGEST_TEXT
        about = [self._what, one.title if is_cut else "", one.description]
        self.setToolTip(literal(": ".join(filter(None, about))))
        for action in self._group.actions():
            action.setChecked(action.data() == one.name)

    def _on_chosen(self, name: str) -> None:
        self.choose(name)
        self.chosen.emit(name)
