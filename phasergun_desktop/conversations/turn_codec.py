"""A turn of a conversation as JSON, and back."""

from __future__ import annotations

import json
from dataclasses import asdict

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.grounding.sentence_codec import (
    JsonObject,
    JsonView,
    decode_footnote,
    decode_unit,
    encode_footnote,
    encode_unit,
    plain_number,
)
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.model import Confidence, ConfidenceLevel, Criterion

_PLAIN = ("number", "asked", "rewritten", "text", "band", "model", "total_ms", "error")


def turn_to_json(turn: Turn) -> str:
    """Return the turn as JSON text; ASCII, so that any code point of a source survives."""
    stored: JsonObject = {
        **{name: getattr(turn, name) for name in _PLAIN},
        "question": asdict(turn.question),
        "status": turn.status.value,
        "sentences": [encode_unit(unit) for unit in turn.sentences],
        "footnotes": [encode_footnote(note) for note in turn.footnotes],
        "confidence": asdict(turn.confidence) if turn.confidence is not None else None,
        "unused": [asdict(passage) for passage in turn.unused],
        "warnings": list(turn.warnings),
    }
    return json.dumps(stored, separators=(",", ":"), default=plain_number)


def turn_from_json(text: str) -> Turn:
    """Return the turn; ``ValueError`` when the text is none."""
    try:
        stored = json.loads(text)
        confidence = stored["confidence"]
        return Turn(
            **{name: stored[name] for name in _PLAIN},
            question=_question(stored["question"]),
            status=TurnStatus(stored["status"]),
            sentences=tuple(decode_unit(each) for each in stored["sentences"]),
            footnotes=tuple(decode_footnote(each) for each in stored["footnotes"]),
            confidence=None if confidence is None else _confidence(confidence),
            unused=tuple(_passage(each) for each in stored["unused"]),
            warnings=tuple(stored["warnings"]),
        )
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("not a turn") from error


def _question(stored: JsonView) -> Question:
    filters = tuple(Filter(FilterKey(each["key"]), each["value"]) for each in stored["filters"])
    return Question(**{**stored, "filters": filters})


def _confidence(stored: JsonView) -> Confidence:
    return Confidence(
        ConfidenceLevel(stored["level"]),
        stored["score"],
        tuple(Criterion(**each) for each in stored["criteria"]),
        stored["rationale"],
    )


def _passage(stored: JsonView) -> Passage:
    return Passage(
        **{
            **stored,
            "layer": Layer(stored["layer"]),
            "chunk_id": ChunkId(stored["chunk_id"]),
            "heading_path": tuple(stored["heading_path"]),
        }
    )
