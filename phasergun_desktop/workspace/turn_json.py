"""The JSON of a draft and of an answered question, as the contract of the command line words it."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.documents.document_codec import encoded
from phasergun_desktop.workspace.json_form import (
    Json,
    answer_json,
    blocked_json,
    error_json,
    footnote_json,
    stopped_json,
)
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus, Confidence, ConfidenceLevel


def turn_json(turn: Turn, conversation_id: str) -> Json:
    """Return a turn: what ``answer_json`` says of its answer, and what it is in its
    conversation."""
    found: Json = {
        **(result_json(turn.result) if turn.result is not None else _without_result(turn)),
        "conversation_id": conversation_id,
        "turn": turn.number,
        "question": turn.question.text,
        "rewritten_query": turn.rewritten or None,
        "agent": turn.question.agent or None,
        "warnings": list(turn.warnings),
        "unused": [
            {"file": each.file, "start": each.start, "end": each.end, "text": each.text}
            for each in turn.unused
        ],
    }
    confidence = found["confidence"]
    if isinstance(confidence, dict):
        confidence["band"] = turn.band or "very_low"
    return found


def result_json(result: AnswerResult) -> Json:
    """Return a draft or an answer, and where there is none, why."""
    match result.status:
        case AnswerStatus.BLOCKED:
            return {**answer_json(result), **blocked_json(result.plan)}
        case AnswerStatus.CANCELLED:
            return {**answer_json(result), **stopped_json()}
        case AnswerStatus.ERROR if result.error is not None:
            return {**answer_json(result), **error_json(result.error)}
        case _:
            return answer_json(result)


def _without_result(turn: Turn) -> Json:
    """Return the contract's fields for a greeting, a failure, or a turn that was read back."""
    confidence = turn.confidence or Confidence(ConfidenceLevel.VERY_LOW, 0.0)
    found: Json = {
        "status": turn.status.value,
        "text": turn.text,
        "sentences": [encoded(unit) for unit in turn.sentences],
        "footnotes": [footnote_json(note) for note in turn.footnotes],
        "confidence": encoded(replace(confidence, criteria=())),
        "discrepancies": [],
        "missing": "",
        "profile": turn.question.profile,
        "plan": None,
        "metrics": {"total_ms": round(turn.total_ms, 1), "model": turn.model},
    }
    if turn.error:
        found["error"] = {"title": "Not answered", "message": turn.error, "remedy": ""}
    return found
