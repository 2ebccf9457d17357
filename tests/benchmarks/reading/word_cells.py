"""The table cells of a Word file by a walk of its own over the XML (python-docx opens it)."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_MC_FALLBACK = "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback"
_TEXT_TAGS = {f"{_W}tab": " ", f"{_W}br": "\n", f"{_W}cr": "\n", f"{_W}noBreakHyphen": "-"}
_FORMULA_TEXT = "{http://schemas.openxmlformats.org/officeDocument/2006/math}t"
_REMOVED = frozenset({f"{_W}del", f"{_W}moveFrom"})


def word_table_cells(path: Path) -> list[str]:
    """Return the text of every cell of every table, nested ones too, cells without text left out.

    A merged cell is there once. The text is that of the accepted view; what is in a nested
    table belongs to the nested cells, what is in a text box to no cell.
    """
    from docx import Document

    body = Document(str(path)).element.body
    found: list[str] = []
    for cell in body.iter(f"{_W}tc"):
        if any(
            above.tag in _REMOVED or above.tag == _MC_FALLBACK for above in cell.iterancestors()
        ):
            continue
        row = next(cell.iterancestors(f"{_W}tr"))
        if row.find(f"{_W}trPr/{_W}del") is not None:
            continue
        paragraphs = [paragraph_text(each) for each in own_paragraphs(cell)]
        text = "\n".join(each for each in paragraphs if each.strip())
        if text.strip():
            found.append(text)
    return found


def own_paragraphs(cell: Any) -> Iterator[Any]:
    """Yield the paragraphs of a cell, not those of tables or text boxes inside of it."""
    for paragraph in cell.iter(f"{_W}p"):
        holder = next(paragraph.iterancestors(f"{_W}tc", f"{_W}txbxContent"))
        if holder is cell:
            yield paragraph


def paragraph_text(paragraph: Any) -> str:
    """Return the text of a ``w:p`` in the accepted view, without text boxes inside of it."""
    pieces: list[str] = []
    for element in paragraph.iter(f"{_W}t", _FORMULA_TEXT, *_TEXT_TAGS):
        above = list(element.iterancestors())
        inner = above[: above.index(paragraph)]
        if any(each.tag in _REMOVED or each.tag == _MC_FALLBACK for each in inner):
            continue
        if any(each.tag in (f"{_W}p", f"{_W}pPr", f"{_W}rt") for each in inner) or _is_hidden(
            element
        ):
            continue
        pieces.append(_TEXT_TAGS.get(element.tag) or element.text or "")
    return "".join(pieces)


def _is_hidden(element: Any) -> bool:
    run = next(element.iterancestors(f"{_W}r"), None)
    hidden = run.find(f"{_W}rPr/{_W}vanish") if run is not None else None
    return hidden is not None and hidden.get(f"{_W}val", "1") not in ("0", "false", "off")
