"""Reads what a frame on a slide holds: a table, or the texts of a diagram (SmartArt)."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from phasergun_desktop.documents.model import Locator
from phasergun_desktop.documents.slides.slide_names import DGM, A
from phasergun_desktop.documents.slides.slide_text import paragraphs
from phasergun_desktop.documents.table_blocks import TableRow

# Points of a diagram that hold no text of their own.
_CONNECTIONS = frozenset({"parTrans", "sibTrans", "pres"})


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
