"""Text from a word processor or browser: its headings, lists and tables, none of its looks."""

from __future__ import annotations

import re
from dataclasses import replace

from PySide6.QtCore import QUrl
from PySide6.QtGui import QTextDocument, QTextTable

from phasergun_desktop.drafts.draft_shape import NO_UNIT, DraftShape, Paragraph, Run, Table, rekeyed
from phasergun_desktop.ui.editor.draft_reader import read_shape

# What has more is read as plain text: Qt's time grows with the square, and the window waits.
MOST_TAGS = 12_000
MOST_CHARACTERS = 2_000_000
# Few tags make many cells where a cell spans columns.
MOST_COLUMNS = 64
MOST_CELLS = 5_000
_STRUCTURE = re.compile(r"<(?:h[1-6]|ul|ol|table)\b", re.IGNORECASE)
# Footnotes of others cite nothing here, and their numbers would read as part of a value. Qt takes
# what follows a link of Word's to its files for a part of that.
_LEFT_OUT = re.compile(
    r"<link\b[^>]*>"
    r"|<!(?:--)?\[if !supportLists\](?:--)?>.{0,9999}?<!(?:--)?\[endif\](?:--)?>"
    # The bullet or number of a list of Word's, where that condition is not around it.
    r"|<span\b[^<>]{0,999}mso-list:\s*Ignore[^<>]{0,999}>[^<]{0,99}"
    r"(?:<span\b[^<>]{0,999}>[^<]{0,99}</span>[^<]{0,99})?</span>"
    r"|<del\b[^>]{0,999}>.{0,9999}?</del>"
    r"|<a\b[^>]{0,999}(?:sdfootnote|mso-footnote-id)[^>]{0,999}>.{0,999}?</a>"
    r"|<div\b[^>]{0,999}(?:id=[\"']?(?:sd)?(?:foot|end)note\d|mso-element:footnote).{0,9999}?</div>",
    re.IGNORECASE | re.DOTALL,
)
# Word writes its lists as paragraphs.
_PARAGRAPH = re.compile(
    r"<p\b([^<>]{0,9999})>(?=(\s*<!(?:--)?\[if !supportLists\])?)|</p\s*>", re.IGNORECASE
)
_WORD_LEVEL = re.compile(r"mso-list:\s*l\d+\s+level([1-9])", re.IGNORECASE)
# Pictures, and what Qt leaves of empty elements.
_SPACE = re.compile(r"[\t\n\r\v\f]")
_NO_TEXT = re.compile("[\ufffc\x00-\x1f]")


class _ClosedDocument(QTextDocument):
    """Fetches nothing that its text names, on no disk and in no network."""

    def loadResource(self, kind: int, name: QUrl | str) -> object:
        """Return nothing."""
        del kind, name
        return None


def shape_of_foreign(html: str) -> DraftShape:
    """Return the paragraphs and tables of ``html``; empty where it has nothing but paragraphs, or
    tables within tables: then its plain text says as much."""
    if len(html) > MOST_CHARACTERS:
        return ()
    html = _with_lists(html)
    if html.count("<") > MOST_TAGS or not _STRUCTURE.search(html):
        return ()
    document = _ClosedDocument()
    document.setHtml(_LEFT_OUT.sub("", html))
    if _has_unfit_table(document):
        return ()
    shape = rekeyed(read_shape(document), lambda _unit: NO_UNIT, lambda _mark: 0)
    return tuple(piece for one in shape if (piece := _tidy(one)) is not None)


def _with_lists(html: str) -> str:
    """Return ``html`` with the list items of Word, which are paragraphs with a bullet or number in
    their text, as items of lists."""
    end = ""

    def tag(found: re.Match[str]) -> str:
        nonlocal end
        before, end = end, ""
        if found[1] is None:
            return before or found[0]
        level = _WORD_LEVEL.search(found[1])
        if level is None and not (found[2] and "MsoListParagraph" in found[1]):
            return before + found[0]
        depth = int(level[1]) if level is not None else 1
        end = "</li>" + "</ul>" * depth
        return before + "<ul>" * depth + "<li>"

    return _PARAGRAPH.sub(tag, html)


def _has_unfit_table(document: QTextDocument) -> bool:
    frames = list(document.rootFrame().childFrames())
    while frames:
        frame = frames.pop()
        below = frame.childFrames()
        if isinstance(frame, QTextTable):
            size = frame.rows() * frame.columns()
            if below or frame.columns() > MOST_COLUMNS or size > MOST_CELLS:
                return True
        frames += below
    return False


def _tidy(piece: Paragraph | Table) -> Paragraph | Table | None:
    if isinstance(piece, Table):
        return Table(tuple(replace(row, cells=tuple(map(_words, row.cells))) for row in piece.rows))
    runs = _words(piece.runs)
    return replace(piece, runs=runs) if any(run.text.strip() for run in runs) else None


def _words(runs: tuple[Run, ...]) -> tuple[Run, ...]:
    """Return ``runs`` without pictures, nor white space at either end."""
    kept = [replace(one, text=_NO_TEXT.sub("", _SPACE.sub(" ", one.text))) for one in runs]
    if kept:
        kept[0] = replace(kept[0], text=kept[0].text.lstrip())
        kept[-1] = replace(kept[-1], text=kept[-1].text.rstrip())
    return tuple(one for one in kept if one.text)
