"""Reads what a frame on a slide holds: a table, or the texts of a diagram (SmartArt)."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from phasergun_desktop.documents.model import Locator
from phasergun_desktop.documents.slides.slide_names import DGM, A
from phasergun_desktop.documents.slides.slide_text import paragraphs
from phasergun_desktop.documents.table_blocks import TableRow

_MAX_SPAN = 200
# Points of a diagram that hold no text of their own.
_CONNECTIONS = frozenset({"parTrans", "sibTrans", "pres"})


def table_rows(table: Element, locator: Locator) -> list[TableRow]:
    """Return the rows of an ``a:tbl``, merged cells repeated in every cell that they cover."""
    properties = table.find(f"{A}tblPr")
    has_header = properties is not None and properties.get("firstRow") in ("1", "true")
    rows: list[TableRow] = []
    above: dict[int, tuple[int, str]] = {}
    for index, row in enumerate(table.iterfind(f"{A}tr")):
        texts, repeated = _row_texts(row, above)
        spans = [_number(cell.get("gridSpan")) for cell in row.iterfind(f"{A}tc")]
        rows.append(
            TableRow(
                tuple(texts),
                locator,
                spanning=len(texts) > 1 and bool(spans) and spans[0] >= len(texts),
                marked_header=has_header and index == 0,
                repeated=repeated,
            )
        )
    return rows


def _row_texts(row: Element, above: dict[int, tuple[int, str]]) -> tuple[list[str], frozenset[int]]:
    """Return one text per column, and the columns that a cell to their left covers.

    ``above`` holds what cells of earlier rows go on to cover.
    """
    texts: list[str] = []
    repeated: set[int] = set()
    covering = ""
    covered = 0
    for column, cell in enumerate(row.iterfind(f"{A}tc")):
        text = "\n".join(paragraphs(cell.find(f"{A}txBody")))
        left, held = above.pop(column, (0, ""))
        if cell.get("hMerge") in ("1", "true") and column:
            repeated.add(column)
        if cell.get("vMerge") in ("1", "true") and left:
            text = text or held
            if left > 1:
                above[column] = (left - 1, held)
        elif cell.get("hMerge") in ("1", "true") and covered:
            text = text or covering
        covered = max(0, covered - 1)
        if cell.get("gridSpan"):
            covering, covered = text, _number(cell.get("gridSpan")) - 1
        height = _number(cell.get("rowSpan"))
        if height > 1:
            for covered_column in range(column, column + _number(cell.get("gridSpan"))):
                above[covered_column] = (height - 1, text)
        texts.append(text)
    return texts, frozenset(repeated)


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


def _number(value: str | None) -> int:
    """Return a count of the file within reason, 1 where it says nothing."""
    if not value or not value.isdecimal():
        return 1
    return max(1, min(int(value[:4]), _MAX_SPAN))
