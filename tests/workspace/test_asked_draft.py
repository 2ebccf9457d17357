"""A conversation in the form of a draft."""

from __future__ import annotations

from phasergun_desktop.conversations.model import Conversation, Question, Turn
from phasergun_desktop.workspace.asked_draft import draft_of_conversation


def test_what_a_long_conversation_leaves_out_is_said() -> None:
    turn = Turn(1201, Question("How loud is it?"), "2026-01-02T03:04:05")
    whole = Conversation("c", "Talk", "", "", (turn,), 0)
    assert [unit.text for unit in draft_of_conversation(whole).units] == ["How loud is it?"]
    cut = Conversation("c", "Talk", "", "", (turn,), 1200)
    assert [unit.text for unit in draft_of_conversation(cut).units] == [
        "The first 1,200 questions are left out here.",
        "How loud is it?",
    ]
