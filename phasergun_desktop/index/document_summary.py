"""The summary of a document: its first words as they stand there."""

from __future__ import annotations

import re

from phasergun_desktop.documents.model import ParsedDocument

SUMMARY_WORDS = 250
_WORD = re.compile(r"\S+")


def summary_of(document: ParsedDocument, words: int = SUMMARY_WORDS) -> str:
    """Return the first ``words`` words of the document's body, white space kept."""
    end = 0
    start: int | None = None
    remaining = words
    for block in document.blocks:
        if not block.kind.is_body:
            continue
        for match in _WORD.finditer(document.text, block.start, block.end):
            start = match.start() if start is None else start
            end = match.end()
            remaining -= 1
            if remaining == 0:
                return document.text[start:end]
    return "" if start is None else document.text[start:end]
