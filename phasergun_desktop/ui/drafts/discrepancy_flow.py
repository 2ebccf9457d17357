"""What happens with discrepancies: both passages beside each other, and the way to each source."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from phasergun_desktop.drafts.model import Edit, EditKind
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy
from phasergun_desktop.ui.confirmation import ask_text
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.generate.generation import utc_now
from phasergun_desktop.ui.sources.side_by_side import SideBySideDialog, Surroundings
from phasergun_desktop.ui.sources.source_flow import SourceFlow
from phasergun_desktop.ui.wording import literal

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

LONGEST_SURROUNDINGS = 260


class DiscrepancyFlow(Flow):
    """Shows the chosen discrepancy; the text around its passages follows when it is read."""

    def __init__(self, desk: Desk, sources: SourceFlow) -> None:
        super().__init__(desk)
        self._shown: Discrepancy | None = None
        self.dialog = SideBySideDialog(desk.parts.icons, desk.window)
        self.dialog.place_activated.connect(sources.open_place)
        self.dialog.settle_button.clicked.connect(self._settle_shown)
        desk.parts.problems_panel.discrepancy_activated.connect(self.show)
        desk.parts.problems_panel.settling_wanted.connect(self.ask_reason)

    def leave(self) -> None:
        """Show nothing of the project that is left."""
        self._shown = None
        self.dialog.hide()

    def show_chosen(self) -> None:
        """Show the discrepancy that is chosen in the list, else the first one."""
        chosen = self._problems_panel.chosen_discrepancy()
        if chosen is None:
            self._work.say("No sources disagree in this draft")
        else:
            self.show(chosen)

    # Settled ----------------------------------------------------------------------------------

    def settle_chosen(self) -> None:
        """Ask for the reason of the one that is chosen in the list."""
        chosen = self._problems_panel.discrepancy_to_settle()
        if chosen is None:
            self._work.say("Choose a disagreement in the list of problems first")
        else:
            self.ask_reason(chosen)

    def _settle_shown(self) -> None:
        if self._shown is not None:
            self.ask_reason(self._shown)

    def ask_reason(self, discrepancy: Discrepancy) -> None:
        """Ask why ``discrepancy`` is none, or which side holds; without words it is open again."""
        asked = literal(f"{discrepancy.message}\n\nWhich holds, and why? Empty: still open.")
        reason = self._draft_panel.text.edit_log.settled.get(discrepancy.message, "")
        settle = partial(self.settle, discrepancy)
        dialog = ask_text(self._window, "Settle a disagreement", asked, reason, settle)
        dialog.setOkButtonText("Keep")
        dialog.resize(520, dialog.height())

    def settle(self, discrepancy: Discrepancy, reason: str) -> None:
        """Keep with the draft why ``discrepancy`` needs no look any more; empty takes it back."""
        panel, words = self._draft_panel, " ".join(reason.split())
        if panel.draft is None or words == panel.text.edit_log.settled.get(discrepancy.message, ""):
            return
        kind = EditKind.SETTLED if words else EditKind.REOPENED
        panel.note_edit(Edit(utc_now(), kind, before=discrepancy.message, note=words))
        self.dialog.hide()
        said = "Settled; the reason is kept with the draft" if words else "Open again"
        self._work.say(said)

    def show(self, discrepancy: Discrepancy) -> None:
        """Show the passages of ``discrepancy``; one without passages is all in its message."""
        if not discrepancy.sides:
            self._work.tell(discrepancy.message)
            return
        self._shown = discrepancy
        self.dialog.show_discrepancy(discrepancy)
        self.dialog.show()
        self.dialog.raise_()
        self.dialog.cards[0].button.setFocus()

        def on_read(around: list[Surroundings]) -> None:
            if self._shown is discrepancy:
                self.dialog.show_discrepancy(discrepancy, around)

        self._work.do(
            lambda session: [surroundings(session, side) for side in discrepancy.sides],
            on_read,
            failed=lambda _error: None,
        )


def surroundings(session: ProjectSession, place: SourcePlace) -> Surroundings:
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
