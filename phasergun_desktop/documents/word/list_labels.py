"""Says what stands before a paragraph of a Word file: its number in a list, or nothing."""

from __future__ import annotations

from dataclasses import dataclass
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.numbering import Numbering
from phasergun_desktop.documents.word.styles import ParagraphStyle, Styles
from phasergun_desktop.documents.word.word_names import W, number, value

_STYLE, _NUMBERING = f"{W}pStyle", f"{W}numPr"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A paragraph's style and its place in a list.

    ``label`` ends with what separates it from the text; ``depth`` is the level of the list from
    1, 0 outside of lists.
    """

    style: ParagraphStyle
    label: str = ""
    depth: int = 0


class Labels:
    """Counts the numbered paragraphs of a file in the order in which they are asked for."""

    def __init__(self, styles: Styles, numbering: Numbering) -> None:
        self._styles = styles
        self._numbering = numbering

    def next(self, properties: Element | None) -> Labelled:
        """Return style and label of the next paragraph, whose ``w:pPr`` is ``properties``."""
        if properties is None:
            return Labelled(self._styles.paragraph(""))
        style = self._styles.paragraph(value(properties.find(_STYLE)))
        stated = properties.find(_NUMBERING)
        list_id, depth = style.numbering, style.depth
        if stated is not None:
            list_id = value(stated.find(f"{W}numId")) or list_id
            level = stated.find(f"{W}ilvl")
            depth = number(level, 0, 8) if level is not None else depth
        if not list_id or list_id == "0":
            in_list = style.is_list and list_id != "0"
            return Labelled(style, depth=1 if in_list else 0)
        if depth is None:
            depth = self._numbering.level_of_style(list_id, style.style_id) or 0
        counted = self._numbering.advance(list_id, depth)
        is_item = counted.is_item or style.is_list
        return Labelled(style, counted.text, depth + 1 if is_item else 0)
