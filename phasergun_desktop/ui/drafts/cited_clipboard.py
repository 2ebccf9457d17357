"""What is copied from a source carries the footnote of the passage that it is."""

from __future__ import annotations

import json
from typing import Any

from PySide6.QtCore import QByteArray, QMimeData

from phasergun_desktop.grounding.footnote_codec import decode_footnote, encode_footnote
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.storage.small_files import parse_json

CITED_TYPE = "application/x-phasergun-passage"


def cited_data(text: str, footnote: Footnote | None) -> QMimeData:
    """Return ``text`` with ``footnote`` beside it; without one the type alone, by which the
    clipboard is known to hold an object of Python's."""
    data = QMimeData()
    data.setText(text)
    stored = json.dumps(encode_footnote(footnote), ensure_ascii=False) if footnote else ""
    data.setData(CITED_TYPE, QByteArray(stored.encode("utf-8")))
    return data


def citation_in(data: QMimeData) -> Footnote | None:
    """Return the footnote beside the text in ``data``; None where there is none, or another
    program wrote it."""
    if not data.hasFormat(CITED_TYPE):
        return None
    try:
        stored: Any = parse_json(bytes(data.data(CITED_TYPE).data()))
        return decode_footnote(stored)
    except ValueError:
        return None
