"""Finds the shapes of a slide: their numbers, places, placeholders and groups."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import folded
from phasergun_desktop.documents.container.xml_parts import MC, A, chosen_branch
from phasergun_desktop.documents.slides.placement import Box, Shape
from phasergun_desktop.documents.slides.slide_text import paragraphs

P = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_TITLES = frozenset({"title", "ctrTitle"})
_MARGINS = frozenset({"dt", "ftr", "sldNum", "hdr"})
_LEAVES = frozenset({f"{P}sp", f"{P}pic", f"{P}graphicFrame", f"{P}cxnSp", f"{P}contentPart"})
_READABLE = frozenset({f"{P}graphicFrame", f"{A}t"})

# Places of placeholders by (type, index); the index is "" where only the type is known.
Places = Mapping[tuple[str, str], Box]


def shapes_of(slide: Element, places: Places) -> list[Shape]:
    """Return the shapes of a slide, layout, master or notes page in the order of the file."""
    tree = slide.find(f"{P}cSld/{P}spTree")
    return [] if tree is None else list(_ShapeCounter(places).shapes(tree))


def placeholder_places(shapes: Iterable[Shape]) -> dict[tuple[str, str], Box]:
    """Return where placeholders stand that say no place of their own."""
    places: dict[tuple[str, str], Box] = {}
    for shape in shapes:
        kind, index = _placeholder(shape.element)
        if kind and shape.box is not None:
            for key in ((kind, ""), (kind, index), ("", index)):
                places.setdefault(key, shape.box)
    return places


class _ShapeCounter:
    """Numbers the shapes of one slide."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._number = 0

    def shapes(self, container: Element) -> Iterator[Shape]:
        for child in container:
            if child.tag in _LEAVES:
                self._number += 1
                if not _is_hidden(child):
                    yield self._leaf(child)
            elif child.tag == f"{P}grpSp":
                members = tuple(self.shapes(child))
                if members and not _is_hidden(child):
                    yield Shape(0, _box(child), members=members)
            elif child.tag == f"{MC}AlternateContent":
                branch = chosen_branch(child, _READABLE)
                if branch is not None:
                    yield from self.shapes(branch)

    def _leaf(self, element: Element) -> Shape:
        kind, index = _placeholder(element)
        box = _box(element)
        if box is None and kind:
            keys = ((kind, index), ("", index), (kind, ""), (_SIMILAR.get(kind, ""), ""))
            box = next((self._places[key] for key in keys if key in self._places), None)
        return Shape(
            self._number,
            box,
            "\n".join(map(folded, paragraphs(element.find(f"{P}txBody")))),
            is_placeholder=bool(kind),
            is_title=kind in _TITLES,
            is_margin=kind in _MARGINS,
            element=element,
        )


_SIMILAR = {"ctrTitle": "title", "subTitle": "body", "obj": "body"}


def _placeholder(element: Element | None) -> tuple[str, str]:
    """Return type and index of the placeholder that ``element`` fills, or two empty texts."""
    properties = element[0] if element is not None and len(element) else None
    found = properties.find(f"{P}nvPr/{P}ph") if properties is not None else None
    if found is None:
        return "", ""
    return found.get("type", "obj"), found.get("idx", "0")


def _is_hidden(element: Element) -> bool:
    named = element.find(f"*/{P}cNvPr")
    return named is not None and named.get("hidden") in ("1", "true")


def _box(element: Element) -> Box | None:
    frame = element.find(f"{P}xfrm")
    if frame is None:
        frame = element.find(f"{P}spPr/{A}xfrm")
    if frame is None:
        frame = element.find(f"{P}grpSpPr/{A}xfrm")
    if frame is None:
        return None
    corner, size = frame.find(f"{A}off"), frame.find(f"{A}ext")
    if corner is None or size is None:
        return None
    try:
        x, y = int(corner.get("x", "")), int(corner.get("y", ""))
        return Box(x, y, max(0, int(size.get("cx", ""))), max(0, int(size.get("cy", ""))))
    except ValueError:
        return None
