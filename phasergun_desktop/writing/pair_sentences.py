"""Sentences that hold a bootstrap answer word for word, by rule."""

from __future__ import annotations

import re

_SPEAKS_FOR_ITSELF = 6
_ASKING = re.compile(
    r"^(?:who|what|which|when|where|why|how(?: (?:long|many|much|often))?)\s+"
    r"(?:(?:is|are|was|were|does|do|did|has|have|can|shall|will|must)\s+)?(?:the\s+)?"
    r"|^(?:is|are|was|were|does|do|did|has|have|can|shall|will|must)\s+(?:the\s+)?",
    re.IGNORECASE,
)


def sentence_of_pair(question: str, answer: str) -> str:
    """Return the answer word for word as a sentence; one of a few words behind what was asked for.
    The question itself is no text of a document."""
    without_yes = re.sub(r"^(?:yes|no)[.,;:]\s+", "", answer, flags=re.IGNORECASE)
    if without_yes != answer and len(without_yes.split()) >= 4:
        return without_yes
    match = re.match(
        r"^what (?P<verb>is|are) (?P<subject>.+?)\?*$", question.strip(), re.IGNORECASE
    )
    if match:
        subject = match["subject"]
        return f"{subject[:1].upper()}{subject[1:]} {match['verb'].lower()}: {_ended(answer)}"
    if len(answer.split()) >= _SPEAKS_FOR_ITSELF:
        return _ended(answer)
    topic = _ASKING.sub("", question.strip().rstrip("? "))
    return f"{topic[:1].upper()}{topic[1:]}: {_ended(answer)}"


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
