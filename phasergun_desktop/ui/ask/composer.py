"""Where a question is made: the field, how it is asked, and the button that asks or stops."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QPushButton, QVBoxLayout, QWidget

from phasergun_desktop.conversations.model import Question
from phasergun_desktop.ui.ask.filter_chips import FilterButton, FilterChips
from phasergun_desktop.ui.ask.question_box import QuestionBox
from phasergun_desktop.ui.choice_button import ChoiceButton
from phasergun_desktop.ui.laid_out import laid_out
from phasergun_desktop.ui.notice_label import NoticeLabel
from phasergun_desktop.ui.outlined_checks import OutlinedCheckBox

IN_MODELS_WORDS = "The language model words the answer; it takes longer. Each sentence is checked."
ALONE = "This question is looked up alone, without the ones before it: say all that it is about."
FAST = "Leave out the second ranking of what is found: sooner, sometimes less exact"


class Composer(QWidget):
    """Knows the question as it would be asked now; asks nothing by itself."""

    ask_wanted = Signal()
    stop_wanted = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notice = NoticeLabel()
        self.notice.hide()
        self.chips = FilterChips()
        self.box = QuestionBox()
        self.profile = ChoiceButton("Profile")
        self.agent = ChoiceButton("Agent")
        for button in (self.profile, self.agent):
            button.hide()
        self.add_filter = FilterButton()
        self.model_box = OutlinedCheckBox("In the &model's words")
        self.model_box.setToolTip(IN_MODELS_WORDS)
        self.fast_box = OutlinedCheckBox("Fas&t")
        self.fast_box.setToolTip(FAST)
        self.button = QPushButton(autoDefault=False)
        self._is_running = self._is_remote = False
        # Whether the question is looked up without those before it.
        self._is_alone = False
        self._build()
        self.box.asked.connect(self._on_return)
        self.box.paste_refused.connect(self.tell)
        self.box.textChanged.connect(self._show_state)
        self.button.clicked.connect(self._on_button)
        self.add_filter.chosen.connect(self.chips.add)
        self._show_state()

    def _build(self) -> None:
        how = laid_out(QHBoxLayout(), self.profile, self.agent, self.add_filter, 1, spacing=2)
        last = laid_out(QHBoxLayout(), self.model_box, self.fast_box, 1, self.button)
        rows = self.notice, self.chips, self.box, how, last
        laid_out(QVBoxLayout(self), *rows, margins=(8, 4, 8, 8), spacing=4)

    def begin(self, *, is_open: bool) -> None:
        """Begin anew, with nothing asked: another project, or none, is open."""
        self.box.clear()
        self.chips.show_filters(())
        self.tell("")
        self.set_model_problem("")
        self.agent.show_choices((), "")
        self.setEnabled(is_open)

    def question(self) -> Question:
        """Return the question as it stands."""
        text = self.box.question
        return Question(
            text,
            profile=self.profile.wish,
            agent=self.agent.wish,
            filters=self.chips.filters,
            is_fast=self.fast_box.isChecked(),
            uses_model=self.model_box.isEnabled() and self.model_box.isChecked(),
            rewritten=text if self._is_alone else "",
        )

    def show_question(self, question: Question, text: str = "", *, is_alone: bool = False) -> None:
        """Put a question in as it was asked, with another ``text`` if there is one. ``is_alone``:
        it is to be looked up alone, as one is that was asked so."""
        self.profile.choose(question.profile or self.profile.usual)
        self.agent.choose(question.agent)
        self.chips.show_filters(question.filters)
        self.fast_box.setChecked(question.is_fast)
        self.model_box.setChecked(question.uses_model and self.model_box.isEnabled())
        self.box.put(text or question.rewritten or question.text)
        self._set_alone(is_alone or bool(question.rewritten))

    def titled(self, question: Question) -> Question:
        """Return a question with the titles of its profile and agent in the place of their names;
        empty ones stay so."""
        return replace(
            question,
            profile=question.profile and self.profile.title_of(question.profile),
            agent=question.agent and self.agent.title_of(question.agent),
        )

    def set_model_problem(self, why: str) -> None:
        """Take away the wish for the model's words, with the reason, or offer it again."""
        self.model_box.setEnabled(not why)
        self.model_box.setToolTip(why or IN_MODELS_WORDS)
        self.model_box.setAccessibleDescription(why)

    def set_remote(self, is_remote: bool) -> None:
        """Wish for the model's words from a server, which is quick, and not from this computer;
        what the writer chooses holds until another model is in use."""
        if is_remote != self._is_remote:
            self._is_remote = is_remote
            self.model_box.setChecked(is_remote)

    def set_running(self, is_running: bool) -> None:
        """Turn the button into Stop, and back."""
        self._is_running = is_running
        self._show_state()

    def tell(self, words: str) -> None:
        """Say something above the field; empty takes it away, unless the question is looked up
        alone."""
        words = words or (ALONE if self._is_alone else "")
        self.notice.setText(words)
        self.notice.setVisible(bool(words))

    def _set_alone(self, is_alone: bool) -> None:
        if is_alone != self._is_alone:
            self._is_alone = is_alone
            self.tell("")

    def _on_return(self) -> None:
        if not self._is_running and self.button.isEnabled():
            self.ask_wanted.emit()

    def _on_button(self) -> None:
        (self.stop_wanted if self._is_running else self.ask_wanted).emit()

    def _show_state(self) -> None:
        if not self.box.question:
            # The next question is another one.
            self._set_alone(False)
        running = self._is_running
        self.button.setText("Stop" if running else "Ask")
        self.button.setToolTip("Stop; what is written stays (Esc)" if running else "Ask (Return)")
        self.button.setEnabled(running or bool(self.box.question))
