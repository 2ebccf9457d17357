"""What happens with discrepancies: both passages beside each other, and the way to each source."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy
from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.ports import SessionPort
from phasergun_desktop.ui.source_flow import SourceFlow
from phasergun_desktop.ui.sources.side_by_side import SideBySideDialog, Surroundings

LONGEST_SURROUNDINGS = 260


class DiscrepancyFlow(QObject):
    """Shows the chosen discrepancy; the text around its passages follows when it is read."""

    def __init__(self, parts: DeskParts, sources: SourceFlow, window: QWidget) -> None:
        super().__init__(window)
        self._parts = parts
        self._session: SessionPort | None = None
        self._shown: Discrepancy | None = None
        self.dialog = SideBySideDialog(parts.icons, window)
        self.dialog.place_activated.connect(sources.open_place)
        parts.problems_panel.discrepancy_activated.connect(self.show)

    def set_session(self, session: SessionPort | None) -> None:
        """Read the sources of another project from now on."""
        self._session = session
        self._shown = None
        self.dialog.hide()

    def show_chosen(self) -> None:
        """Show the discrepancy that is chosen in the list, else the first one."""
        chosen = self._parts.problems_panel.chosen_discrepancy()
        if chosen is None:
            self._parts.status_bar.show_work("No sources disagree in this draft")
        else:
            self.show(chosen)

    def show(self, discrepancy: Discrepancy) -> None:
        """Show the passages of ``discrepancy``; one without passages is all in its message."""
        if not discrepancy.sides:
            self._parts.message_bar.show_text(discrepancy.message)
            return
        self._shown = discrepancy
        self.dialog.show_discrepancy(discrepancy)
        self.dialog.draw()
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.cards[0].button.setFocus()
        session = self._session
        if session is None:
            return
        job = self._parts.runners.interactive.submit_call(
            lambda: [surroundings(session, side) for side in discrepancy.sides]
        )

        def on_read(around: list[Surroundings]) -> None:
            if self._shown is discrepancy:
                self.dialog.show_discrepancy(discrepancy, around)

        job.succeeded.connect(on_read)


def surroundings(session: SessionPort, place: SourcePlace) -> Surroundings:
    """Return what stands before and after ``place`` in its paragraph, if it is still there."""
    try:
        document = session.source(place.file).document
    except PhaserGunError:
        return Surroundings()
    if document.text[place.start : place.end] != place.quote:
        return Surroundings()
    block = next((one for one in document.blocks if one.start <= place.start < one.end), None)
    if block is None:
        return Surroundings()
    before = document.text[block.start : place.start]
    after = document.text[place.end : max(place.end, block.end)]
    if len(before) > LONGEST_SURROUNDINGS:
        before = "… " + before[-LONGEST_SURROUNDINGS:].partition(" ")[2]
    if len(after) > LONGEST_SURROUNDINGS:
        after = after[:LONGEST_SURROUNDINGS].rpartition(" ")[0] + " …"
    return Surroundings(before, after)
