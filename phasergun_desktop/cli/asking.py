"""The command that asks: ``ask``."""

from __future__ import annotations

from argparse import Namespace

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.drafting import check_model, joins, run_writing
from phasergun_desktop.cli.prompt_input import bring_up_to_date, opened
from phasergun_desktop.cli.report import note_checks, note_problems
from phasergun_desktop.conversations.model import Question, Turn, TurnStarted, TurnStatus
from phasergun_desktop.conversations.turns import how_looked_up
from phasergun_desktop.jobs import Event
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.json_form import plan_json
from phasergun_desktop.workspace.turn_json import turn_json
from phasergun_desktop.writing.model import PlanReady

_DONE = (TurnStatus.COMPLETE, TurnStatus.ABSTAINED)


def ask(application: Application, options: Namespace, console: Console) -> int:
    """Answer one question, in a conversation where one is named."""
    question = Question(
        options.question,
        profile=options.profile,
        agent=options.agent,
        filters=tuple(options.filters),
        is_fast=options.fast,
        uses_model=joins(options),
    )
    with opened(application, options.project, console) as session:
        if options.conversation:
            # Before documents are read: it may not be there.
            session.conversation(options.conversation)
        bring_up_to_date(session, console, options.profile)
        if question.uses_model:
            check_model(session, question.agent)
        job = session.ask(
            question, options.conversation, should_stop=lambda: console.stop_requested
        )
        told = _Told(console)
        turn = run_writing(job, console, told.on_event)
    return _finish(console, turn, told.conversation_id)


class _Told:
    """What is said of a question before its answer."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self.conversation_id = ""

    def on_event(self, event: Event) -> None:
        match event:
            case TurnStarted(conversation_id=conversation_id, turn=turn):
                self.conversation_id = conversation_id
                how, words = how_looked_up(turn)
                if how and not (self._console.wants_json or self._console.streams):
                    self._console.note(f"{how}: {words}")
            case PlanReady(plan=made) if self._console.streams:
                plan = plan_json(made)
                self._console.stream("start", plan=plan, conversation_id=self.conversation_id)
                self._console.stream("evidence", passages=plan["passages"])


def _finish(console: Console, turn: Turn, conversation_id: str) -> int:
    is_done = turn.status in _DONE
    if console.streams:
        event = "complete" if is_done else "error"
        console.stream(event, **turn_json(turn, conversation_id))
    elif console.wants_json:
        console.result(turn_json(turn, conversation_id))
    elif turn.status is TurnStatus.BLOCKED and turn.result is not None:
        note_problems(console, turn.result.plan)
    else:
        console.say(turn.text)
        if turn.result is not None:
            note_checks(console, turn.result)
        if turn.status is TurnStatus.CANCELLED:
            console.note("Stopped.")
        if turn.error:
            console.note(turn.error)
        console.note(f"Conversation {conversation_id}")
    return 0 if is_done else 1
