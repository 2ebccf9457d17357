"""A turn of a conversation as JSON, and back."""

from __future__ import annotations

import json
from dataclasses import replace

from phasergun_desktop.conversations.model import Turn
from phasergun_desktop.documents.document_codec import decoded, encoded
from phasergun_desktop.grounding.footnote_codec import encode_footnote


def turn_to_json(turn: Turn) -> str:
    """Return the turn as JSON text; ASCII, so that any code point of a source survives."""
    stored = encoded(replace(turn, result=None))
    del stored["result"]
    stored["footnotes"] = [encode_footnote(note) for note in turn.footnotes]
    return json.dumps(stored, separators=(",", ":"))


def turn_from_json(text: str) -> Turn:
    """Return the turn; ``ValueError`` when the text is none."""
    try:
        return decoded(json.loads(text), Turn)
    except (ValueError, RecursionError) as error:
        raise ValueError("not a turn") from error
