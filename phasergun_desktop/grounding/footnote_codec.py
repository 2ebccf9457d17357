"""Footnotes as JSON with the product's field names, and back."""

from __future__ import annotations

from typing import Any

from phasergun_desktop.documents.document_codec import decoded, encoded
from phasergun_desktop.documents.model import PageLocator
from phasergun_desktop.grounding.model import Footnote

# What JSON calls an object; these stay at the border of files and the command line.
JsonObject = dict[str, Any]


def encode_footnote(footnote: Footnote) -> JsonObject:
    """Return the footnote with its contract's names; ``page`` is there for pages."""
    stored: JsonObject = encoded(footnote)
    if isinstance(footnote.locator, PageLocator):
        stored["page"] = footnote.locator.page
    return stored


def decode_footnote(stored: object) -> Footnote:
    """Return the footnote that ``encode_footnote`` wrote. Raises ValueError on anything else."""
    return decoded(stored, Footnote)
