"""What happens with marked sentences: going from one to the next and mending them."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QAction, QTextDocument
from PySide6.QtWidgets import QMenu, QToolTip

from phasergun_desktop.drafts.draft_shape import NO_UNIT
from phasergun_desktop.drafts.export import page_confidence
from phasergun_desktop.drafts.source_changes import SourceState
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.ui.editor import problem_steps
from phasergun_desktop.ui.editor.draft_hover import hover_html
from phasergun_desktop.ui.editor.draft_revision import DraftRevision
from phasergun_desktop.ui.editor.problem_steps import MarkedSentence
from phasergun_desktop.ui.editor.unit_places import UnitPlace, place_at
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.wording import count, file_name

CHANGED = "has changed since it was cited"
GONE = "is not among the documents of the project any more"


class ProblemFlow(Flow):
    """The fixes of a sentence, each one undo step."""

    # What else can be done at the cursor goes into this menu.
    fixes_wanted = Signal(QMenu)

    def __init__(self, desk: Desk, show_dock: Callable[[str], None]) -> None:
        super().__init__(desk)
        self._show_dock = show_dock
        # What the menu of a marked sentence offers, and of any other.
        self.fix_actions: list[QAction] = []
        self.other_actions: list[QAction] = []
        self._revision = DraftRevision(desk.parts.draft_panel)
        desk.parts.problems_panel.sentence_activated.connect(self.go_to)
        desk.parts.draft_panel.problems_changed.connect(self._list_problems)
        desk.parts.status_bar.problems_button.clicked.connect(self._show_problems)
        desk.parts.draft_panel.editor.menu_wanted.connect(self._on_menu_wanted)
        desk.parts.draft_panel.editor.paste_refused.connect(desk.work.tell)

    def _show_problems(self) -> None:
        self._show_dock("problems")

    def _list_problems(self) -> None:
        panel = self._draft_panel
        notes = self._changed_sources()
        # What was found when it was written is kept with the draft.
        draft = panel.draft
        if draft is not None:
            notes.extend(draft.warnings)
        self._problems_panel.show_problems(
            panel.sentences,
            tuple(notes),
            draft.discrepancies if draft is not None else (),
            panel.text.edit_log.settled,
        )
        self._status_bar.show_words(sum(len(one.text.split()) for one in panel.text.followed))
        self._status_bar.show_problem_count(self._problems_panel.total)
        self._show_confidence()

    def _changed_sources(self) -> list[str]:
        """Say of each document that is not as it was cited what became of it, and where it is."""
        panel = self._draft_panel
        changed = panel.editor.highlighter.changed_footnotes
        numbers: dict[tuple[str, bool], list[str]] = {}
        for number, key, note in panel.text.footnotes():
            if key in changed:
                is_missing = panel.changed_sources.get(key) is SourceState.MISSING
                numbers.setdefault((note.file, is_missing), []).append(str(number))
        return [
            f"{file_name(file)} {GONE if is_missing else CHANGED}: "
            f"footnote{'' if len(cited) == 1 else 's'} {', '.join(cited)}."
            for (file, is_missing), cited in numbers.items()
        ]

    def _show_confidence(self) -> None:
        """Show the confidence of the page as it stands; an empty one and text that was not drafted
        have none."""
        panel = self._draft_panel
        draft, units = panel.draft, panel.text.followed
        is_drafted = draft is not None and bool(draft.confidence_level) and bool(units)
        if draft is None or panel.is_generating or not is_drafted:
            self._status_bar.show_confidence(None)
            return
        self._status_bar.show_confidence(page_confidence(draft, units))

    def step(self, step: int) -> None:
        """Go to the next (1) or previous (-1) marked sentence."""
        panel = self._draft_panel
        panel.refresh()
        cursor = panel.editor.textCursor()
        position = cursor.selectionEnd() if step > 0 else cursor.selectionStart()
        found = problem_steps.next_sentence(panel.sentences, position, step)
        listed = self._problems_panel
        if found is None and listed.total:
            # What stands at no sentence (sources that disagree, that changed) is in the list.
            self._show_problems()
            listed.show_rest()
            self._work.say(f"{count(listed.total, 'problem')} in the list")
        elif found is None:
            self._work.say("No problems in this draft")
        else:
            self.go_to(found)

    def go_to_first(self) -> None:
        """Go to the first marked sentence, or show the list where no sentence is."""
        marked = self._draft_panel.sentences
        if marked:
            self.go_to(marked[0])
        else:
            self.step(1)

    def go_to(self, sentence: MarkedSentence) -> None:
        """Select a marked sentence and say why it is marked."""
        editor = self._draft_panel.editor
        editor.move_cursor(sentence.end, anchor=sentence.start)
        editor.setFocus(Qt.FocusReason.OtherFocusReason)
        self._work.say(sentence.reason.replace("\n", " "))
        unit = self._draft_panel.book.units.get(sentence.unit)
        where = editor.viewport().mapToGlobal(editor.cursorRect().bottomLeft())
        QToolTip.showText(where, hover_html(unit), editor.viewport())

    def drop_sentence(self) -> None:
        """Take the sentence at the cursor out."""
        self._with_marked(lambda place: problem_steps.drop(self._document(), [place]))

    def mark_checked(self) -> None:
        """Let the writer answer for the sentence at the cursor, marked or not, or no longer."""
        panel = self._draft_panel
        panel.refresh()
        place = self._revision.here()
        if place is None or place.key == NO_UNIT or place.level or place.is_header:
            self._work.say("The cursor is not in a sentence of the sources")
        elif not panel.editor.isReadOnly():
            is_accepted = self._revision.accept(place)
            self._show_change()
            said = "Checked by you" if is_accepted else "No longer marked as checked"
            self._work.say(said)

    def turn_into_todo(self) -> None:
        """Put a TODO in the place of the sentence at the cursor."""
        self._with_marked(lambda place: self._revision.to_todos([place]))

    def turn_all_into_todos(self) -> None:
        """Turn every gap and every sentence without a source into a TODO."""
        panel = self._draft_panel
        if panel.editor.isReadOnly():
            return
        panel.refresh()
        gaps = self._revision.gaps()
        if gaps:
            self._revision.to_todos(gaps)
            self._show_change()
        said = f"{count(len(gaps), 'gap')} turned into TODOs (Ctrl+Z brings the words back)"
        self._work.say(said if gaps else "There are no gaps in this draft")

    def find_another_source(self) -> None:
        """Search all documents for the sentence at the cursor, or the selected words."""
        cursor = self._draft_panel.editor.textCursor()
        text = cursor.selectedText()
        if not text:
            sentence = self._sentence()
            text = sentence.text if sentence is not None else cursor.block().text()
        self._show_dock("search")
        self._search_panel.search_for(" ".join(text.split()))

    def keep_supported(self) -> None:
        """Take out every sentence that has no source."""
        panel = self._draft_panel
        if panel.editor.isReadOnly():
            return
        panel.refresh()
        places = self._revision.places()
        unsupported = [
            place
            for place in places
            if (unit := panel.book.units.get(place.key)) is not None
            and unit.kind not in (UnitKind.TODO, UnitKind.HEADING)
            and not unit.is_own
            and not place.is_header
            and problem_steps.has_no_source(unit)
            and not problem_steps.is_accepted(place, panel.book)
        ]
        if unsupported:
            dropped = problem_steps.with_empty_headings(places, unsupported)
            problem_steps.drop(self._document(), dropped)
        self._show_change()
        self._work.say(
            count(len(unsupported), "sentence") + " without a source taken out (Ctrl+Z brings "
            "them back)"
            if unsupported
            else ("Every sentence has a source" if places else "There is no text in this draft")
        )

    def show_fixes(self) -> None:
        """Offer the fixes of the sentence at the cursor."""
        if self._document().isEmpty():
            self._work.say("There is no text in this draft")
            return
        editor = self._draft_panel.editor
        menu = QMenu(editor)
        menu.addActions(self.fix_actions)
        self.fixes_wanted.emit(menu)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(editor.viewport().mapToGlobal(editor.cursorRect().bottomLeft()))

    def _document(self) -> QTextDocument:
        return self._draft_panel.editor.document()

    def _sentence(self) -> MarkedSentence | None:
        panel = self._draft_panel
        panel.refresh()
        cursor = panel.editor.textCursor()
        return problem_steps.sentence_at(panel.sentences, cursor.selectionStart())

    def _with_marked(self, mend: Callable[[UnitPlace], None]) -> None:
        panel = self._draft_panel
        sentence, place = self._sentence(), self._revision.here()
        if sentence is None or place is None:
            self._work.say("The cursor is not in a marked sentence")
        elif not panel.editor.isReadOnly():
            mend(place)
            self._show_change()

    def _show_change(self) -> None:
        panel = self._draft_panel
        panel.refresh()
        panel.editor.highlighter.rehighlight()

    def _on_menu_wanted(self, menu: QMenu, position: int) -> None:
        panel = self._draft_panel
        selected = panel.editor.textCursor()
        is_inside = selected.selectionStart() <= position <= selected.selectionEnd()
        keeps_selection = selected.hasSelection() and is_inside
        if keeps_selection:
            # Copy and Cut are of what is selected, the fixes of the sentence that it begins in.
            position = selected.selectionStart()
        place = place_at(self._revision.places(), position)
        if place is None or place.key == NO_UNIT or place.level:
            return
        is_marked = problem_steps.sentence_at(panel.sentences, position) is not None
        if not keeps_selection:
            panel.editor.move_cursor(position)
        menu.addSeparator()
        menu.addActions(self.fix_actions if is_marked else self.other_actions)
