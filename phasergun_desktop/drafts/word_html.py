"""Part of a draft as HTML for the clipboard, with the footnotes that word processors know."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from phasergun_desktop.drafts.draft_html import MAX_HEADING
from phasergun_desktop.drafts.draft_shape import (
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
    words_alone,
)
from phasergun_desktop.drafts.word_notes import whole_note, xml_text
from phasergun_desktop.grounding.model import Footnote

_HEAD = (
    '<html xmlns:o="urn:schemas-microsoft-com:office:office" '
    'xmlns:w="urn:schemas-microsoft-com:office:word" xmlns="http://www.w3.org/TR/REC-html40">'
    '<head><meta charset="utf-8"><meta name="ProgId" content="Word.Document">'
    "<style>table{border-collapse:collapse}td,th{border:solid windowtext 1.0pt;padding:2pt 5pt;"
    "text-align:left}</style></head>\n<body><!--StartFragment-->\n"
)
_FOOT = "<!--EndFragment--></body></html>\n"
_SIGN = '<span style="mso-special-character:footnote">{shown}</span>'


def word_html(shape: DraftShape, footnotes: Mapping[int, Footnote]) -> str:
    """Return ``shape``, whose marks name keys of ``footnotes``, with one footnote a mark: Word
    reads the ``mso-`` styles, LibreOffice the ``sdfootnote`` names."""
    return _Page(footnotes).write(shape)


class _Page:
    """Writes one page and collects its footnotes."""

    def __init__(self, footnotes: Mapping[int, Footnote]) -> None:
        self._footnotes = footnotes
        self._notes: list[str] = []

    def write(self, shape: DraftShape) -> str:
        """Return the whole page."""
        alone = words_alone(shape)
        if alone is not None:
            return self._page(self._runs(alone) + "\n")
        parts, depth = [], 0
        for piece in shape:
            wanted = 0
            if isinstance(piece, Paragraph) and piece.kind is ParagraphKind.LIST_ITEM:
                wanted = max(piece.level, 1)
            parts.append("<ul>\n" * (wanted - depth) + "</ul>\n" * (depth - wanted))
            depth = wanted
            parts.append(self._table(piece.rows) if isinstance(piece, Table) else self._line(piece))
        parts.append("</ul>\n" * depth)
        return self._page("".join(parts))

    def _page(self, body: str) -> str:
        notes = "".join(self._notes)
        listed = f'<div style="mso-element:footnote-list">\n{notes}</div>\n' if notes else ""
        return f"{_HEAD}{body}{listed}{_FOOT}"

    def _line(self, piece: Paragraph) -> str:
        tag = {ParagraphKind.TEXT: "p", ParagraphKind.LIST_ITEM: "li"}.get(piece.kind)
        tag = tag or f"h{min(max(piece.level, 1), MAX_HEADING)}"
        return f"<{tag}>{self._runs(piece.runs)}</{tag}>\n"

    def _table(self, rows: tuple[Row, ...]) -> str:
        lines = []
        for row in rows:
            tag = "th" if row.is_header else "td"
            cells = "".join(f"<{tag}>{self._runs(cell)}</{tag}>" for cell in row.cells)
            lines.append(f"<tr>{cells}</tr>\n")
        opening = '<table border="1" cellspacing="0" cellpadding="4">'
        return f"{opening}\n{''.join(lines)}</table>\n"

    def _runs(self, runs: tuple[Run, ...]) -> str:
        parts, after_mark = [], False
        for run in runs:
            if run.footnote:
                note = self._footnotes.get(run.footnote)
                if note is not None:
                    parts.append(("<sup>,</sup>" if after_mark else "") + self._mark(note))
                    after_mark = True
                continue
            after_mark = False
            inner = escape(xml_text(run.text), quote=False)
            inner = f"<b>{inner}</b>" if run.is_bold else inner
            parts.append(f"<i>{inner}</i>" if run.is_italic else inner)
        return "".join(parts)

    def _mark(self, note: Footnote) -> str:
        number = len(self._notes) + 1
        name = f"sdfootnote{number}"
        style = f'style="mso-footnote-id:{name}"'
        sign = _SIGN.format(shown=number)
        self._notes.append(
            f'<div style="mso-element:footnote" id="{name}"><p class="MsoFootnoteText">'
            f'<a {style} class="sdfootnotesym" name="{name}sym" href="#{name}anc">{sign}</a> '
            f"{escape(xml_text(whole_note(note)), quote=False)}</p></div>\n"
        )
        return (
            f'<a {style} class="sdfootnoteanc" name="{name}anc" href="#{name}sym">'
            f"<sup>{sign}</sup></a>"
        )
