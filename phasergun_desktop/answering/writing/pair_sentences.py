"""Sentences that hold a bootstrap answer word for word, by rule."""

from __future__ import annotations

import re


def sentence_of_pair(question: str, answer: str) -> str:
    """Return the answer as a sentence by rule, or ``""`` where a rule would read badly."""
    without_yes = re.sub(r"^(?:yes|no)[.,;:]\s+", "", answer, flags=re.IGNORECASE)
    if without_yes != answer and len(without_yes.split()) >= 4:
        return without_yes
    match = re.match(
        r"^what (?P<verb>is|are) (?P<subject>.+?)\?*$", question.strip(), re.IGNORECASE
    )
    if match:
        subject = match["subject"]
        return f"{subject[:1].upper()}{subject[1:]} {match['verb'].lower()}: {_ended(answer)}"
    return ""


def labelled_pair(question: str, answer: str) -> str:
    """Return question and answer side by side, the answer word for word."""
    return f"{question.strip().rstrip('?')}: {_ended(answer)}"


def _ended(text: str) -> str:
    text = text.strip()
    return text if text.endswith((".", "!", "?")) else f"{text}."
