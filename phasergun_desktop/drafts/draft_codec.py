"""A draft as JSON with the product's field names, and back."""

from __future__ import annotations

import json

from phasergun_desktop.documents.document_codec import decoded, encoded
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.footnote_codec import JsonObject, encode_footnote


def encode_draft(draft: Draft) -> JsonObject:
    """Return the whole draft as a JSON object; the sides of a discrepancy are its ``passages``."""
    stored: JsonObject = {"format": 1, **encoded(draft)}
    stored["footnotes"] = [encode_footnote(footnote) for footnote in draft.footnotes]
    for one in stored["discrepancies"]:
        one["passages"] = one.pop("sides")
    return stored


def decode_draft(stored: JsonObject) -> Draft:
    """Return the draft that ``encode_draft`` wrote; one of an earlier version has the defaults of
    what was added since. Raises ``ValueError``, ``KeyError`` or ``TypeError`` on anything else."""
    told = [{**one, "sides": one["passages"]} for one in stored.get("discrepancies", ())]
    return decoded({**stored, "discrepancies": told}, Draft)


def draft_to_json(draft: Draft) -> str:
    """Return the draft as JSON text; ASCII, so that any code point of a source survives."""
    return json.dumps(encode_draft(draft), separators=(",", ":"))


def draft_from_json(text: str) -> Draft:
    """Return the draft; ``ValueError`` when the text is none."""
    try:
        stored = json.loads(text)
        if not isinstance(stored, dict):
            raise ValueError("not a draft")
        return decode_draft(stored)
    except (KeyError, TypeError, RecursionError) as error:
        raise ValueError("not a draft") from error
