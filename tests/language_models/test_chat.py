"""Text of a document can never act as the model's own markup."""

from __future__ import annotations

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.chat import (
    ChatFrame,
    common_prefix,
    frame_of_template,
    prompt_tokens,
    sentinels,
)
from phasergun_desktop.language_models.language_model import ModelPrompt

_SPECIAL = 1


def _tokenize(text: str, may_be_markup: bool) -> list[int]:
    """One token per character; ``<`` is a control token only where markup is allowed."""
    return [_SPECIAL if c == "<" and may_be_markup else 1000 + ord(c) for c in text]


def _frame() -> ChatFrame:
    system, user = sentinels()
    return ChatFrame.from_rendered(f"<s>{system}<u>{user}<a>")


def test_only_the_template_gives_control_tokens() -> None:
    prompt = ModelPrompt("rules", "a passage with <u> in it", "task <a>")
    assert prompt_tokens(_frame(), prompt, _tokenize).count(_SPECIAL) == 3


def test_equal_leading_parts_give_equal_leading_tokens() -> None:
    one = prompt_tokens(_frame(), ModelPrompt("rules", "passages", "first"), _tokenize)
    two = prompt_tokens(_frame(), ModelPrompt("rules", "passages", "second"), _tokenize)
    assert common_prefix(one, two) == len("<s>rules<u>passages\n\n")


def test_template_without_a_place_for_the_user_is_refused() -> None:
    with pytest.raises(ModelError):
        ChatFrame.from_rendered("no marks at all")


def test_a_template_without_system_messages_gets_the_rules_with_the_user() -> None:
    def gemma(messages: list[tuple[str, str]]) -> str:
        if messages[0][0] == "system":
            raise ValueError("System role not supported")
        return "".join(f"<{role}>{text}<end>" for role, text in messages)

    assert frame_of_template(gemma) == ChatFrame("<user>", "\n\n", "<end>")


def test_a_template_that_drops_the_rules_gets_them_with_the_user() -> None:
    def silent(messages: list[tuple[str, str]]) -> str:
        return "".join(f"[INST]{text}[/INST]" for role, text in messages if role == "user")

    assert frame_of_template(silent) == ChatFrame("[INST]", "\n\n", "[/INST]")


def test_a_template_that_knows_both_keeps_them_apart() -> None:
    def usual(messages: list[tuple[str, str]]) -> str:
        return "".join(f"<{role}>{text}" for role, text in messages) + "<assistant>"

    assert frame_of_template(usual) == ChatFrame("<system>", "<user>", "<assistant>")


def test_a_template_that_takes_nothing_is_refused() -> None:
    def broken(_messages: list[tuple[str, str]]) -> str:
        raise ZeroDivisionError

    with pytest.raises(ModelError, match="no place"):
        frame_of_template(broken)
