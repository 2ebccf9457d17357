"""What happens when the writer says how a text is to be rewritten: asked, shown, taken or left."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor

from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.ui.drafts.draft_flow import DraftFlow
from phasergun_desktop.ui.drafts.proof_flow import NO_SENTENCE, ProofFlow, Rewritten, rewritable
from phasergun_desktop.ui.editor.unit_places import UnitPlace
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.text_stretches import stretch
from phasergun_desktop.ui.wording import count, why_marked

BEFORE = "Before a part was rewritten"
CARRIED = "Every sentence of it is carried by its sources."
# So that the mark is a word of its own where differences are looked for.
_HAIR_SPACE = "\u200a"
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


class RewriteFlow(Flow):
    """Connects the bar under the draft with ``proof``, which does the writing."""

    def __init__(self, desk: Desk, proof: ProofFlow, drafts: DraftFlow) -> None:
        super().__init__(desk)
        self._proof = proof
        self._rewritten: Rewritten | None = None
        self.bar = desk.parts.rewrite_bar
        # Where the cursor stood when the bar was opened: what is rewritten becomes selected.
        self._asked_at = QTextCursor()
        self.bar.wished.connect(self._on_wished)
        self.bar.whole_box.toggled.connect(self._on_widened)
        self.bar.accepted.connect(self._on_accepted)
        self.bar.left.connect(self.leave)
        proof.proposed.connect(self._on_proposed)
        proof.running_changed.connect(self.bar.set_running)
        drafts.leaving.connect(self.close)
        drafts.generation.begun.connect(self.close)

    def open(self) -> None:
        """Ask how the sentence at the cursor, or what is selected, is to be rewritten; asked once
        more, it is the whole paragraph."""
        editor, session = self._draft_panel.editor, self._work.session
        if session is None or self._proof.is_running:
            return
        if self.bar.isVisible() and not editor.hasFocus():
            self.bar.whole_box.toggle()
            return
        why = session.model_status()
        if why:
            self._work.tell(f"Rewriting needs a language model. {why}")
            return
        self._asked_at = editor.textCursor()
        self._ask()

    def _ask(self) -> None:
        revision = self._proof.revision
        is_whole = self.bar.whole_box.isChecked()
        places = rewritable(revision.paragraph_here() if is_whole else revision.selected_here())
        if not places:
            self._work.say(NO_SENTENCE)
            return
        self._rewritten = None
        self._select(places)
        several = f"these {count(len(places), 'sentence')}" if len(places) > 1 else "this sentence"
        self.bar.ask("this paragraph" if is_whole else several)

    def _select(self, places: Sequence[UnitPlace]) -> None:
        editor = self._draft_panel.editor
        editor.setTextCursor(stretch(editor.document(), places[0].start, places[-1].end))

    def _on_widened(self, _is_whole: bool) -> None:
        if self.bar.isVisible():
            self._draft_panel.editor.setTextCursor(self._asked_at)
            self._ask()

    def _on_wished(self, wish: str) -> None:
        self._proof.rewrite(self._proof.revision.selected_here(), wish)

    def _on_proposed(self, rewritten: Rewritten) -> None:
        groups = [group for group in rewritten.made.groups if group.units]
        kept = dict.fromkeys(g.why_kept for g in rewritten.made.groups if not g.units)
        if not groups:
            self._work.say(" ".join(kept))
            return
        self._rewritten = rewritten
        old = [_text([rewritten.draft.units[i] for i in group.indices]) for group in groups]
        new = [_text(group.units) for group in groups]
        marked = [why_marked(unit) for group in groups for unit in group.units]
        lost = [value for group in groups for value in group.lost]
        said = list(dict.fromkeys(line for why in marked if why for line in why.split("\n")))
        said = said or [CARRIED]
        if lost:
            said.append(f"It no longer says: {', '.join(lost)}.")
        self._work.say("Rewritten: accept or reject it")
        self.bar.propose("\n".join(old), "\n".join(new), "\n".join([*said, *kept]))

    def _on_accepted(self) -> None:
        rewritten = self._rewritten
        self.leave()
        if rewritten is not None:
            draft = rewritten.draft
            self._work.do(lambda session: session.save_version(draft, BEFORE), must_run=True)
            self._proof.take(rewritten)

    def leave(self) -> None:
        """Put the bar away and go back to the draft."""
        self.close()
        self._work.say("")
        self._draft_panel.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def close(self, _about: object = None) -> None:
        """Put the bar away; what was proposed is dropped."""
        self._rewritten = None
        self.bar.hide()
        self.bar.whole_box.setChecked(False)


def _text(units: Sequence[DraftSentence]) -> str:
    """Return the words of a paragraph with its footnote marks."""
    marked = []
    for unit in units:
        marks = "".join(_HAIR_SPACE + str(n).translate(_RAISED) for n in unit.citations)
        marked.append(" ".join(unit.text.split()) + marks)
    return " ".join(marked)
