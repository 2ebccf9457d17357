"""What the styles of a Word file say of a paragraph: heading, list, caption, its numbering."""

from __future__ import annotations

import re
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.word_names import W, is_on, number, value

# Word writes the names of its own styles in English whatever its language.
_HEADING = re.compile(r"^heading\s*([1-9])\b", re.IGNORECASE)
_NO_LEVEL = 9


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph style means for the structure.

    ``level`` is 1 to 9 for headings, else 0. ``numbering`` is the id of its list (``w:numId``),
    empty where it has none; ``depth`` the level in that list from 0, None where the list names
    the level of this style. ``is_bold`` concerns the whole paragraph.
    """

    style_id: str = ""
    level: int = 0
    is_list: bool = False
    is_caption: bool = False
    numbering: str = ""
    depth: int | None = None
    is_bold: bool = False


class Styles:
    """The styles of one file, looked up by id."""

    def __init__(self, root: Element | None) -> None:
        self._elements: dict[str, Element] = {}
        self._default = ""
        self._paragraph: dict[str, ParagraphStyle] = {}
        self._bold: dict[str, bool] = {}
        self.language = ""
        if root is None:
            return
        for style in root.iter(f"{W}style"):
            style_id = style.get(f"{W}styleId", "")
            self._elements.setdefault(style_id, style)
            if (
                style.get(f"{W}default") in ("1", "true", "on")
                and style.get(f"{W}type", "paragraph") == "paragraph"
            ):
                self._default = self._default or style_id
        language = root.find(f"{W}docDefaults/{W}rPrDefault/{W}rPr/{W}lang")
        self.language = value(language)

    def paragraph(self, style_id: str) -> ParagraphStyle:
        """Return the meaning of the paragraph style ``style_id`` (empty: the default one)."""
        style_id = style_id or self._default
        found = self._paragraph.get(style_id)
        if found is None:
            found = self._read_paragraph_style(style_id)
            self._paragraph[style_id] = found
        return found

    def is_bold(self, style_id: str) -> bool:
        """Say whether the character style ``style_id`` makes text bold."""
        if style_id not in self._bold:
            self._bold[style_id] = _is_bold(self._chain(style_id))
        return self._bold[style_id]

    def has_bold_first_row(self, style_id: str) -> bool:
        """Say whether the table style ``style_id`` sets the first row of a table in bold."""
        for style in self._chain(style_id):
            for part in style.iterfind(f"{W}tblStylePr"):
                if part.get(f"{W}type") == "firstRow" and is_on(part.find(f"{W}rPr"), f"{W}b"):
                    return True
        return False

    def numbering_of(self, style_id: str) -> str:
        """Return the id of the list that the style ``style_id`` names, or ``""``."""
        return _style_numbering(self._chain(style_id))[0]

    def _chain(self, style_id: str) -> list[Element]:
        """Return the style and those it is based on, nearest first."""
        chain: list[Element] = []
        seen: set[str] = set()
        while style_id in self._elements and style_id not in seen:
            seen.add(style_id)
            chain.append(self._elements[style_id])
            style_id = value(chain[-1].find(f"{W}basedOn"))
        return chain

    def _read_paragraph_style(self, style_id: str) -> ParagraphStyle:
        chain = self._chain(style_id)
        if not chain:
            # Without its definition a style still has its telling name.
            match = _HEADING.match(style_id)
            return ParagraphStyle(style_id, level=int(match[1]) if match else 0)
        names = [_name(style) for style in chain]
        numbering, depth = _style_numbering(chain)
        return ParagraphStyle(
            style_id,
            level=_level(chain, names),
            is_list=any(name.startswith("list ") for name in names) and numbering != "0",
            is_caption="caption" in names,
            numbering="" if numbering == "0" else numbering,
            depth=depth,
            is_bold=_is_bold(chain),
        )


def _level(chain: list[Element], names: list[str]) -> int:
    for style, name in zip(chain, names, strict=True):
        match = _HEADING.match(name)
        if match:
            return int(match[1])
        if name == "title":
            return 1
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        if outline is not None:
            stated = number(outline, _NO_LEVEL)
            return stated + 1 if stated < _NO_LEVEL else 0
    return 0


def _style_numbering(chain: list[Element]) -> tuple[str, int | None]:
    """Return the id of the list and the level in it, each from the nearest style that says so."""
    numbering = ""
    depth: int | None = None
    for style in chain:
        stated = style.find(f"{W}pPr/{W}numPr")
        if stated is None:
            continue
        level = stated.find(f"{W}ilvl")
        if depth is None and level is not None:
            depth = number(level, 0, 8)
        numbering = numbering or value(stated.find(f"{W}numId"))
        if numbering:
            break
    return numbering, depth


def _name(style: Element) -> str:
    # Further names may follow after a comma.
    return value(style.find(f"{W}name")).partition(",")[0].strip().lower()


def _is_bold(chain: list[Element]) -> bool:
    """Say whether the nearest style that speaks of it sets its text in bold."""
    for style in chain:
        properties = style.find(f"{W}rPr")
        if properties is not None and properties.find(f"{W}b") is not None:
            return is_on(properties, f"{W}b")
    return False
