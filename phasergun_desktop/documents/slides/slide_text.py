"""Reads the paragraphs of a shape, a table cell or a label."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import folded_lines
from phasergun_desktop.documents.container.xml_parts import MC, chosen_branch
from phasergun_desktop.documents.slides.slide_names import A, M

_TEXTS = frozenset({f"{A}t", f"{M}t"})
_DROPPED = frozenset({f"{A}pPr", f"{A}rPr", f"{A}endParaRPr", f"{M}rPr", f"{M}ctrlPr"})
# A character that XML cannot hold, as Office spells it; x000B is a line break in a title.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")


def paragraphs(body: Element | None) -> list[str]:
    """Return the text of each ``a:p`` in ``body`` that has any, line breaks as ``\\n``."""
    if body is None:
        return []
    found = (paragraph_text(paragraph) for paragraph in body.iter(f"{A}p"))
    return [text for text in found if text]


def paragraph_text(paragraph: Element) -> str:
    """Return the text of one ``a:p``, white space folded, line breaks as ``\\n``."""
    pieces: list[str] = []
    _collect(paragraph, pieces)
    return folded_lines("".join(pieces))


def _collect(element: Element, pieces: list[str]) -> None:
    for child in element:
        if child.tag in _TEXTS:
            text = _ESCAPED.sub(_character, child.text or "")
            pieces.append(text.replace("\r", "\n").replace("\v", "\n"))
        elif child.tag == f"{A}br":
            pieces.append("\n")
        elif child.tag == f"{MC}AlternateContent":
            branch = chosen_branch(child, _TEXTS)
            if branch is not None:
                _collect(branch, pieces)
        elif child.tag not in _DROPPED and not _is_empty_number(child):
            _collect(child, pieces)


def _is_empty_number(element: Element) -> bool:
    """Whether this is the field of a slide's number that shows its stand-in (``<number>``)."""
    if element.tag != f"{A}fld" or element.get("type") != "slidenum":
        return False
    return not any(character.isdigit() for character in "".join(element.itertext()))


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))
