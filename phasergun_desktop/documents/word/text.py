"""Reads the text of Word paragraphs in the accepted view of their changes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.package import W

_M_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_TEXTS = frozenset({f"{W}t", _M_TEXT})
_DROPPED = frozenset(
    {
        f"{W}del",
        f"{W}moveFrom",
        f"{W}instrText",
        f"{W}delText",
        f"{W}pPr",
        f"{W}rPr",
        f"{W}sdtPr",
        f"{W}rt",
    }
)
_FIXED = {
    f"{W}tab": " ",
    f"{W}br": "\n",
    f"{W}cr": "\n",
    f"{W}noBreakHyphen": "-",
    f"{W}ptab": " ",
}
_SYMBOLS = {
    "F0B7": "•",
    "F0A8": "☐",
    "F06F": "☐",
    "F071": "☐",
    "F0FE": "☒",
    "F078": "☒",
    "F0FC": "✓",
    "F0B0": "°",
    "F0B1": "±",
    "F0A3": "≤",
    "F0B3": "≥",
    "F06D": "µ",
    "F0AE": "→",
    "F0E0": "→",
}


@dataclass(slots=True)
class ParagraphText:
    """The text of a paragraph and the text boxes that are anchored in it."""

    text: str = ""
    boxes: list[Element] = field(default_factory=list)
    bold: bool = False
    mark_deleted: bool = False


def read_paragraph(paragraph: Element) -> ParagraphText:
    """Return the text of a ``w:p``: insertions kept, deletions and hidden text left out."""
    found = ParagraphText()
    pieces: list[str] = []
    weights: list[bool] = []
    _collect(paragraph, pieces, found, weights)
    lines = (" ".join(line.split()) for line in "".join(pieces).split("\n"))
    found.text = "\n".join(line for line in lines if line)
    found.bold = bool(weights) and all(weights)
    mark = paragraph.find(f"{W}pPr/{W}rPr")
    found.mark_deleted = mark is not None and mark.find(f"{W}del") is not None
    return found


def _collect(
    element: Element, pieces: list[str], found: ParagraphText, weights: list[bool]
) -> None:
    for child in element:
        tag = child.tag
        if tag in _DROPPED:
            continue
        if tag in _TEXTS:
            pieces.append((child.text or "").replace("\n", " "))
        elif tag == f"{W}r":
            _collect_run(child, pieces, found, weights)
        elif tag in _FIXED:
            pieces.append(_FIXED[tag])
        elif tag == f"{W}sym":
            pieces.append(_SYMBOLS.get(child.get(f"{W}char", "").upper(), ""))
        elif tag == f"{W}txbxContent":
            found.boxes.append(child)
        elif tag == f"{_MC}AlternateContent":
            # Choice and Fallback show the same content twice.
            choice = child.find(f"{_MC}Choice")
            branch = choice if choice is not None else child.find(f"{_MC}Fallback")
            if branch is not None:
                _collect(branch, pieces, found, weights)
        else:
            _collect(child, pieces, found, weights)


def _collect_run(
    run: Element, pieces: list[str], found: ParagraphText, weights: list[bool]
) -> None:
    properties = run.find(f"{W}rPr")
    if is_on(properties, "vanish"):
        return
    before = len(pieces)
    _collect(run, pieces, found, weights)
    if any(piece.strip() for piece in pieces[before:]):
        weights.append(is_on(properties, "b"))


def is_on(properties: Element | None, name: str) -> bool:
    """Say whether the switch ``name`` is present in ``properties`` and not turned off."""
    switch = properties.find(f"{W}{name}") if properties is not None else None
    return switch is not None and switch.get(f"{W}val", "1") not in ("0", "false", "off")


def flat_children(element: Element) -> Iterator[Element]:
    """Yield paragraphs, tables, rows and cells in order, through wrappers and insertions."""
    for child in element:
        if child.tag in (f"{W}p", f"{W}tbl", f"{W}tr", f"{W}tc", f"{W}altChunk"):
            yield child
        elif child.tag in (f"{W}sdt", f"{W}sdtContent", f"{W}ins", f"{W}moveTo", f"{W}customXml"):
            yield from flat_children(child)
        elif child.tag == f"{_MC}AlternateContent":
            choice = child.find(f"{_MC}Choice")
            branch = choice if choice is not None else child.find(f"{_MC}Fallback")
            if branch is not None:
                yield from flat_children(branch)
