"""Reads what a slide says: the paragraphs of a shape or a label, tables, diagrams (SmartArt)."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.builder import folded_lines
from phasergun_desktop.documents.container.xml_parts import DGM, MC, A, M, chosen_branch
from phasergun_desktop.documents.exponents import raised, with_exponents
from phasergun_desktop.documents.model import Locator
from phasergun_desktop.documents.table_blocks import TableRow

_TEXTS = frozenset({f"{A}t", f"{M}t"})
_DROPPED = frozenset({f"{A}pPr", f"{A}rPr", f"{A}endParaRPr", f"{M}rPr", f"{M}ctrlPr"})
# A character that XML cannot hold, as Office spells it; x000B is a line break in a title.
_ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# Points of a diagram that hold no text of their own.
_CONNECTIONS = frozenset({"parTrans", "sibTrans", "pres"})


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
    return folded_lines(with_exponents("".join(pieces)))


def _collect(element: Element, pieces: list[str]) -> None:
    is_raised = _is_raised(element.find(f"{A}rPr"))
    for child in element:
        if child.tag in _TEXTS:
            text = _ESCAPED.sub(_character, child.text or "")
            text = text.replace("\r", "\n").replace("\v", "\n")
            pieces.append(raised(text) if is_raised else text)
        elif child.tag == f"{A}br":
            pieces.append("\n")
        elif child.tag == f"{MC}AlternateContent":
            branch = chosen_branch(child, _TEXTS)
            if branch is not None:
                _collect(branch, pieces)
        elif child.tag == f"{M}sup":
            inside: list[str] = []
            _collect(child, inside)
            pieces.append(raised("".join(inside)))
        elif child.tag not in _DROPPED and not _is_empty_number(child):
            _collect(child, pieces)


def _is_raised(properties: Element | None) -> bool:
    place = properties.get("baseline", "") if properties is not None else ""
    return place.strip("0%.") != "" and not place.startswith("-")


def _is_empty_number(element: Element) -> bool:
    """Whether this is the field of a slide's number that shows its stand-in (``<number>``)."""
    if element.tag != f"{A}fld" or element.get("type") != "slidenum":
        return False
    return not any(character.isdigit() for character in "".join(element.itertext()))


def _character(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def table_rows(table: Element, locator: Locator) -> list[TableRow]:
    """Return the rows of an ``a:tbl``, merged cells repeated in every cell that they cover."""
    properties = table.find(f"{A}tblPr")
    has_header = properties is not None and properties.get("firstRow") in ("1", "true")
    rows: list[TableRow] = []
    above: dict[int, str] = {}
    for index, row in enumerate(table.iterfind(f"{A}tr")):
        texts: list[str] = []
        repeated: set[int] = set()
        # Every cell that is covered by another one is there, and says by which.
        for column, cell in enumerate(row.iterfind(f"{A}tc")):
            text = "\n".join(paragraphs(cell.find(f"{A}txBody")))
            if column and cell.get("hMerge") in ("1", "true"):
                repeated.add(column)
                text = text or texts[-1]
            elif cell.get("vMerge") in ("1", "true"):
                text = text or above.get(column, "")
            above[column] = text
            texts.append(text)
        rows.append(
            TableRow(
                tuple(texts),
                locator,
                spanning=0 < len(repeated) == len(texts) - 1,
                marked_header=has_header and index == 0,
                repeated=frozenset(repeated),
            )
        )
    return rows


def diagram_lines(data: Element) -> list[str]:
    """Return the texts of a diagram's data part, each followed by those below it."""
    texts: dict[str, list[str]] = {}
    roots: list[str] = []
    for point in data.iterfind(f"{DGM}ptLst/{DGM}pt"):
        kind = point.get("type", "node")
        name = point.get("modelId", "")
        if kind == "doc":
            roots.append(name)
        if kind not in _CONNECTIONS:
            texts[name] = paragraphs(point.find(f"{DGM}t"))
    below: dict[str, list[tuple[str, str]]] = {}
    for link in data.iterfind(f"{DGM}cxnLst/{DGM}cxn"):
        if link.get("type", "parOf") == "parOf":
            place = link.get("srcOrd", "").zfill(10)
            below.setdefault(link.get("srcId", ""), []).append((place, link.get("destId", "")))
    lines: list[str] = []
    waiting = list(reversed(roots))
    while waiting:
        name = waiting.pop()
        if name in texts:
            lines.extend(texts.pop(name))
            children = sorted(below.get(name, ()), key=lambda child: child[0], reverse=True)
            waiting.extend(child for _, child in children)
    for unconnected in texts.values():
        lines.extend(unconnected)
    return lines
