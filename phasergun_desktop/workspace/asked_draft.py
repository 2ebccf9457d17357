"""A conversation in the form of a draft, which the exporters write."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

from phasergun_desktop.conversations.model import Conversation, Turn
from phasergun_desktop.conversations.turns import how_looked_up
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind


def draft_of_conversation(conversation: Conversation) -> Draft:
    """Return a draft with each question as a heading above its answer; sources keep their
    numbers."""
    notes: dict[int, Footnote] = {}
    for turn in conversation.turns:
        notes.update((note.number, note) for note in turn.footnotes)
    return Draft(
        draft_id=conversation.conversation_id,
        title=conversation.title,
        prompt_file="",
        prompt="",
        status="complete",
        units=(*_left_out(conversation), *chain.from_iterable(map(_units, conversation.turns))),
        footnotes=tuple(notes[number] for number in sorted(notes)),
        created=conversation.created,
        modified=conversation.modified,
    )


def _left_out(conversation: Conversation) -> Iterator[DraftSentence]:
    if conversation.left_out:
        yield _paragraph(f"The first {conversation.left_out:,} questions are left out here.")


def _units(turn: Turn) -> Iterator[DraftSentence]:
    yield _paragraph(turn.question.text, UnitKind.HEADING)
    how, words = how_looked_up(turn)
    if how:
        yield _paragraph(f"{how}: {words}")
    for unit in turn.sentences:
        yield replace(unit, level=unit.level + 1) if unit.kind is UnitKind.HEADING else unit
    if not turn.sentences:
        for part in filter(None, (turn.text or turn.error).split("\n\n")):
            yield _paragraph(part)


def _paragraph(text: str, kind: UnitKind = UnitKind.SENTENCE) -> DraftSentence:
    return DraftSentence(text, kind, starts_paragraph=True, level=int(kind is UnitKind.HEADING))
