"""Counts paragraphs and tables of a Word file, so that a locator can be followed anywhere.

What the numbers of a ``ParagraphLocator`` of a Word file mean, in XPath on the main part
(``w`` is the WordprocessingML namespace; nothing is left out, neither deleted paragraphs nor
those in text boxes, content controls or the second branch of ``mc:AlternateContent``):

- ``paragraph`` n is ``(//w:body//w:p[not(ancestor::w:tbl)])[n]``.
- ``table`` n is ``(//w:body//w:tbl)[n]``: nested tables count after the table they are in.
- ``row`` n is the n-th ``w:tr`` of that table in the order of the file, without the rows of the
  tables in its cells: ``(TABLE//w:tr[ancestor::w:tbl[1] is TABLE])[n]``.
- ``column`` n is the n-th ``w:tc`` of that row, counted likewise (cells, not grid columns).

A block of a row has ``table`` and ``row``; a paragraph of a text box that is anchored in a cell
has that cell's ``table``, ``row`` and ``column``. A paragraph whose end was deleted goes on in the
next one: its block has the number of the first of them.

The text of a block is that of the ``w:t`` (and ``m:t``) there, white space folded, tabs and breaks
as white space, ``w:noBreakHyphen`` as a hyphen, without soft hyphens (U+00AD). It has in addition
what Word shows and ``w:t`` does not hold: the number of a list item (at its start), signs of
symbol fonts, ticked boxes and chosen entries of forms, and signs between the parts of a formula.
It lacks what is deleted, moved away, hidden, an instruction of a field, or a phonetic guide.

Content that another file holds is found where it is anchored: texts of charts and diagrams have
the ``paragraph`` of their drawing, footnotes, endnotes and comments the place of their first
reference (``paragraph``, or ``table``, ``row`` and ``column``), files that are embedded as text
(``w:altChunk``) and headers and footers have none.
"""

from __future__ import annotations

from itertools import count
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.word_names import PARAGRAPH, TABLE


def places(body: Element) -> dict[Element, int]:
    """Return the numbers of the tables in ``body`` and of its paragraphs outside of tables."""
    found: dict[Element, int] = {}
    in_tables: set[Element] = set()
    for number, table in enumerate(body.iter(TABLE), start=1):
        found[table] = number
        if table not in in_tables:
            in_tables.update(table.iter())
    found.update(zip((p for p in body.iter(PARAGRAPH) if p not in in_tables), count(1)))
    return found


def own_parts(element: Element, tag: str) -> list[Element]:
    """Return the rows of a table or the cells of a row, without those of tables inside."""
    found: list[Element] = []
    stack = [iter(element)]
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif child.tag == tag:
            found.append(child)
        elif child.tag not in (TABLE, PARAGRAPH) and len(child):
            stack.append(iter(child))
    return found
