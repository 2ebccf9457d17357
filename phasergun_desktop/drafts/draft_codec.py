"""A draft as JSON with the product's field names, and back."""

from __future__ import annotations

import json

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.proof_codec import decode_proof, encode_proof
from phasergun_desktop.grounding.sentence_codec import (
    JsonObject,
    JsonView,
    decode_footnote,
    decode_unit,
    encode_footnote,
    encode_unit,
    plain_number,
)


def encode_draft(draft: Draft) -> JsonObject:
    """Return the whole draft as a JSON object."""
    return {
        "format": 1,
        "draft_id": draft.draft_id,
        "title": draft.title,
        "prompt_file": draft.prompt_file,
        "prompt": draft.prompt,
        "status": draft.status,
        "units": [encode_unit(unit) for unit in draft.units],
        "footnotes": [encode_footnote(footnote) for footnote in draft.footnotes],
        "created": draft.created,
        "modified": draft.modified,
        "model": draft.model,
        "profile": draft.profile,
        "confidence_level": draft.confidence_level,
        "confidence_score": draft.confidence_score,
        "confidence_rationale": draft.confidence_rationale,
        "plan_json": draft.plan_json,
        "edited_html": draft.edited_html,
        **encode_proof(draft),
    }


def decode_draft(stored: JsonView) -> Draft:
    """Return the draft that ``encode_draft`` wrote."""
    return Draft(
        draft_id=stored["draft_id"],
        title=stored["title"],
        prompt_file=stored["prompt_file"],
        prompt=stored["prompt"],
        status=stored["status"],
        units=tuple(decode_unit(unit) for unit in stored["units"]),
        footnotes=tuple(decode_footnote(footnote) for footnote in stored["footnotes"]),
        created=stored["created"],
        modified=stored["modified"],
        model=stored["model"],
        profile=stored["profile"],
        confidence_level=stored["confidence_level"],
        confidence_score=stored["confidence_score"],
        confidence_rationale=stored["confidence_rationale"],
        plan_json=stored["plan_json"],
        edited_html=stored["edited_html"],
        **decode_proof(stored),
    )


def draft_to_json(draft: Draft) -> str:
    """Return the draft as JSON text; ASCII, so that any code point of a source survives."""
    return json.dumps(encode_draft(draft), separators=(",", ":"), default=plain_number)


def draft_from_json(text: str) -> Draft:
    """Return the draft; ``ValueError`` when the text is none."""
    try:
        stored = json.loads(text)
        if not isinstance(stored, dict):
            raise ValueError("not a draft")
        return decode_draft(stored)
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise ValueError("not a draft") from error
