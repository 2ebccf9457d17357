"""Reads what stands beside the body of a Word file: notes, margins, texts of charts."""

from __future__ import annotations

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.container.xml_parts import A, C
from phasergun_desktop.documents.word.grid import table_lines
from phasergun_desktop.documents.word.package import WordDocument, WordPackage
from phasergun_desktop.documents.word.styles import Styles
from phasergun_desktop.documents.word.word_names import PARAGRAPH, TABLE, W
from phasergun_desktop.documents.word.word_text import flat_children, read_paragraph

_NOTE_PARTS = (("footnote", "footnotes"), ("endnote", "endnotes"), ("comment", "comments"))


def note_texts(package: WordPackage | WordDocument, styles: Styles) -> dict[tuple[str, str], str]:
    """Return the text of each footnote, endnote and comment by kind and id.

    It begins with what it is ("Footnote: ", "Comment by R. Writer: ").
    """
    found: dict[tuple[str, str], str] = {}
    for kind, part_kind in _NOTE_PARTS:
        for note in next(package.parts_of(part_kind), ()):
            text = "\n".join(lines_of(note, styles))
            author = " ".join(note.get(f"{W}author", "").split())
            label = f"{kind.capitalize()} by {author}" if author else kind.capitalize()
            if text:
                found[kind, note.get(f"{W}id", "")] = f"{label}: {text}"
    return found


def margin_texts(package: WordPackage | WordDocument, styles: Styles) -> Iterator[str]:
    """Yield the text of each header, then of each footer, every text once."""
    seen: set[str] = set()
    for root in (*package.parts_of("header"), *package.parts_of("footer")):
        text = "\n".join(lines_of(root, styles))
        if text and text not in seen:
            seen.add(text)
            yield text


def part_text(root: Element | None) -> str:
    """Return the words of a chart or diagram, one text per line: titles, categories, boxes."""
    lines: list[str] = []
    for element in root.iter() if root is not None else ():
        if element.tag == f"{A}p":
            lines.append("".join(each.text or "" for each in element.iter(f"{A}t")))
        elif element.tag in (f"{C}strCache", f"{C}lvl"):
            lines.extend(each.text or "" for each in element.iter(f"{C}v"))
    folded = (" ".join(line.split()) for line in lines)
    # Every series of a chart repeats the names of its categories.
    return "\n".join(dict.fromkeys(line for line in folded if line))


def lines_of(container: Element, styles: Styles) -> list[str]:
    """Return the paragraphs of ``container`` and the rows of its tables, each as lines."""
    lines: list[str] = []
    stack = [flat_children(container)]
    carried = ""
    while stack:
        child = next(stack[-1], None)
        if child is None:
            stack.pop()
        elif child.tag == PARAGRAPH:
            content = read_paragraph(child, styles)
            content.raw = carried + content.raw
            carried = content.raw if content.goes_on else ""
            if not content.goes_on:
                lines.append(content.text)
            stack.extend(flat_children(box) for box in reversed(content.boxes))
        elif child.tag == TABLE:
            rows, inside = table_lines(child, styles)
            lines.extend(rows)
            stack.extend(
                iter((each,)) if each.tag == TABLE else flat_children(each)
                for each in reversed(inside)
            )
    lines.append(" ".join(carried.split()))
    return [line for line in lines if line]
