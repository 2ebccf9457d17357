"""Reads the comments of a PDF page, and tells which of its annotations are drawn as text."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

from phasergun_desktop.documents.builder import folded
from phasergun_desktop.documents.model import Rect
from phasergun_desktop.documents.pdf.placed_words import PageFrame

_MAX_ANNOTATIONS = 2_000
_MAX_CHARACTERS = 20_000
# Subtypes as pdfium numbers them: free text, stamps and form fields show text on the page.
_FREE_TEXT, _STAMP, _WIDGET, _XFA_WIDGET = 3, 13, 20, 27
_DRAWN = frozenset({_FREE_TEXT, _STAMP, _WIDGET, _XFA_WIDGET})
# Notes, lines and shapes, marks on text, carets and ink carry a comment that is not drawn.
_COMMENTS = frozenset({1, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 15, _FREE_TEXT, _STAMP})
_HIDDEN = 1 << 1

# The text of a comment and its rectangle on the page as rendered.
Comment = tuple[str, Rect]


def has_drawn_annotations(page: Any) -> bool:
    """Say whether ``page`` has form fields or comments whose text is drawn on it."""
    return any(subtype in _DRAWN for subtype, _ in _annotations(page))


def page_comments(page: Any, frame: PageFrame) -> tuple[Comment, ...]:
    """Return the comments on ``page`` that are not empty, in the order of the file."""
    from pypdfium2 import raw  # noqa: PLC0415

    found: list[Comment] = []
    for subtype, annotation in _annotations(page):
        if subtype not in _COMMENTS or raw.FPDFAnnot_GetFlags(annotation) & _HIDDEN:
            continue
        text = _contents(raw, annotation)
        box = raw.FS_RECTF()
        if folded(text) and raw.FPDFAnnot_GetRect(annotation, box):
            found.append((text, frame.shown.rect(box.left, box.bottom, box.right, box.top)))
    return tuple(found)


def _annotations(page: Any) -> Iterator[tuple[int, Any]]:
    from pypdfium2 import raw  # noqa: PLC0415

    for index in range(min(raw.FPDFPage_GetAnnotCount(page.raw), _MAX_ANNOTATIONS)):
        annotation = raw.FPDFPage_GetAnnot(page.raw, index)
        if not annotation:
            continue
        try:
            yield raw.FPDFAnnot_GetSubtype(annotation), annotation
        finally:
            raw.FPDFPage_CloseAnnot(annotation)


def _contents(raw: Any, annotation: Any) -> str:
    size = raw.FPDFAnnot_GetStringValue(annotation, b"Contents", None, 0)
    if not 2 < size <= 2 * _MAX_CHARACTERS:
        return ""
    buffer = (ctypes.c_ushort * (size // 2 + 1))()
    raw.FPDFAnnot_GetStringValue(annotation, b"Contents", buffer, size)
    return bytes(buffer)[: size - 2].decode("utf-16-le", "replace").replace("\r", "\n")
