"""A prompt as tokens: the model's chat template around text that can never act as markup."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.language_model import ModelPrompt

_SYSTEM_MARK = "\u2402system\u2403"
_USER_MARK = "\u2402user\u2403"

TokenizeText = Callable[[str, bool], list[int]]
# Renders messages of (role, text) with a model's chat template; raises what the template raises.
Render = Callable[[list[tuple[str, str]]], str]


@dataclass(frozen=True, slots=True)
class ChatFrame:
    """The fixed text of a chat template before, between and after system and user text."""

    before_system: str
    before_user: str
    after_user: str

    @classmethod
    def from_rendered(cls, rendered: str) -> ChatFrame:
        """Cut a template rendered with our marks; ``ModelError`` if a mark is lost."""
        head, found_system, rest = rendered.partition(_SYSTEM_MARK)
        middle, found_user, tail = rest.partition(_USER_MARK)
        if not found_system or not found_user:
            raise _no_place()
        return cls(head, middle, tail)


def sentinels() -> tuple[str, str]:
    """Return the marks to render a chat template with, for system and for user text."""
    return _SYSTEM_MARK, _USER_MARK


def frame_of_template(render: Render) -> ChatFrame:
    """Return the frame of a chat template; ``ModelError`` where it has no place for our text.

    Templates that know no system message (Gemma's, older Mistrals') raise or drop it: there the
    rules stand at the beginning of the user's message.
    """
    messages = (
        [("system", _SYSTEM_MARK), ("user", _USER_MARK)],
        [("user", f"{_SYSTEM_MARK}\n\n{_USER_MARK}")],
    )
    failure: ModelError | None = None
    for each in messages:
        try:
            return ChatFrame.from_rendered(render(each))
        except ModelError as error:
            failure = error
        except Exception:  # noqa: BLE001 - a template raises what it likes
            failure = _no_place()
    raise failure or _no_place()


def prompt_tokens(frame: ChatFrame, prompt: ModelPrompt, tokenize: TokenizeText) -> list[int]:
    """Return the token ids of ``prompt``.

    Only the template's own text may become control tokens: the sources are hostile, and a
    document that spells ``<|im_end|>`` must not end the message. The parts are tokenized one by
    one, so that equal leading parts give equal leading tokens and the prefix can be reused.
    """
    parts = (
        (frame.before_system, True),
        (prompt.system, False),
        (frame.before_user, True),
        (prompt.shared, False),
        ("\n\n" if prompt.shared else "", False),
        (prompt.task, False),
        (frame.after_user, True),
    )
    tokens: list[int] = []
    for text, may_be_markup in parts:
        if text:
            tokens.extend(tokenize(text, may_be_markup))
    return tokens


def _no_place() -> ModelError:
    return ModelError(
        "This model cannot be used",
        "Its chat template has no place for rules and a user message.",
        "Choose an instruction-tuned (chat) model.",
    )


def common_prefix(left: list[int], right: list[int]) -> int:
    """Return how many leading tokens are equal."""
    length = 0
    for one, other in zip(left, right, strict=False):
        if one != other:
            break
        length += 1
    return length
