"""Part of a draft as RTF for the clipboard: headings, lists, tables and footnotes as Word's own."""

from __future__ import annotations

from collections.abc import Mapping

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

_HEADINGS = 6
# Half points; the numbers of the styles are the levels.
_SIZES = (32, 26, 24, 22, 22, 22)
_NOTE_STYLE, _MARK_STYLE = 15, 16
_LINE_TWIPS = 9000
_STYLES = "".join(
    f"{{\\s{level}\\sbasedon0\\snext0\\sb240\\sa60\\keepn\\outlinelevel{level - 1}\\b\\fs{size} "
    f"heading {level};}}"
    for level, size in enumerate(_SIZES, start=1)
)
_LEVELS = "".join(
    "{\\listlevel\\levelnfc23\\leveljc0\\levelfollow0\\levelstartat1"
    "{\\leveltext\\'01\\u8226 ?;}{\\levelnumbers;}"
    f"\\fi-360\\li{720 + 360 * depth}}}"
    for depth in range(9)
)
_HEAD = (
    "{\\rtf1\\ansi\\ansicpg1252\\uc1\\deff0{\\fonttbl{\\f0\\froman Times New Roman;}}"
    f"{{\\stylesheet{{\\s0\\sa120 Normal;}}{_STYLES}"
    f"{{\\s{_NOTE_STYLE}\\sbasedon0\\fs20 footnote text;}}"
    f"{{\\*\\cs{_MARK_STYLE}\\super footnote reference;}}}}"
    f"{{\\*\\listtable{{\\list\\listtemplateid1{_LEVELS}\\listid1}}}}"
    "{\\*\\listoverridetable{\\listoverride\\listid1\\listoverridecount0\\ls1}}\n"
)


def rich_text(shape: DraftShape, footnotes: Mapping[int, Footnote]) -> str:
    """Return ``shape``, whose marks name keys of ``footnotes``, as RTF in ASCII; every mark is a
    footnote of its own."""
    alone = words_alone(shape)
    if alone is not None:
        pieces = [_runs(alone, footnotes)]
    else:
        pieces = [_piece(piece, footnotes) for piece in shape]
    return f"{_HEAD}{''.join(pieces)}}}\n"


def _piece(piece: Paragraph | Table, footnotes: Mapping[int, Footnote]) -> str:
    if isinstance(piece, Table):
        width = max(len(row.cells) for row in piece.rows) or 1
        return "".join(_row(row, width, footnotes) for row in piece.rows) + "\\pard\n"
    words = _runs(piece.runs, footnotes)
    if piece.kind is ParagraphKind.HEADING:
        level = min(max(piece.level, 1), _HEADINGS)
        return (
            f"\\pard\\plain\\s{level}\\sb240\\sa60\\keepn\\outlinelevel{level - 1}"
            f"\\b\\fs{_SIZES[level - 1]} {words}\\par\n"
        )
    if piece.kind is ParagraphKind.LIST_ITEM:
        depth = min(max(piece.level, 1), 9) - 1
        return (
            f"\\pard\\plain\\s0\\ilvl{depth}\\ls1\\fi-360\\li{720 + 360 * depth} "
            f"{{\\listtext\\u8226 ?\\tab}}{words}\\par\n"
        )
    return f"\\pard\\plain\\s0\\sa120 {words}\\par\n"


def _row(row: Row, width: int, footnotes: Mapping[int, Footnote]) -> str:
    line = "".join(f"\\clbrdr{side}\\brdrs\\brdrw10" for side in "tlbr")
    edges = "".join(
        f"{line}\\cellx{_LINE_TWIPS * number // width}" for number in range(1, width + 1)
    )
    cells = [*row.cells, *[()] * (width - len(row.cells))]
    texts = "".join(f"\\pard\\plain\\s0\\intbl {_runs(cell, footnotes)}\\cell\n" for cell in cells)
    header = "\\trhdr" if row.is_header else ""
    return f"\\trowd\\trgaph108\\trkeep{header}{edges}\n{texts}\\row\n"


def _runs(runs: tuple[Run, ...], footnotes: Mapping[int, Footnote]) -> str:
    parts, after_mark = [], False
    for run in runs:
        if run.footnote:
            note = footnotes.get(run.footnote)
            if note is not None:
                parts.append(("{\\super ,}" if after_mark else "") + _mark(note))
                after_mark = True
            continue
        after_mark = False
        looks = ("\\b" if run.is_bold else "") + ("\\i" if run.is_italic else "")
        text = _escaped(run.text)
        parts.append(f"{{{looks} {text}}}" if looks else text)
    return "".join(parts)


def _mark(note: Footnote) -> str:
    sign = f"{{\\cs{_MARK_STYLE}\\super\\chftn}}"
    text = _escaped(whole_note(note))
    return (
        f"{{\\cs{_MARK_STYLE}\\super\\chftn"
        f"{{\\footnote\\pard\\plain\\s{_NOTE_STYLE}\\fs20 {sign} {text}}}}}"
    )


def _escaped(text: str) -> str:
    parts = []
    for one in xml_text(text):
        if one in "\\{}":
            parts.append(f"\\{one}")
        elif one == "\n":
            parts.append("\\line ")
        elif one == "\t":
            parts.append("\\tab ")
        elif one.isascii():
            parts.append(one)
        else:
            units = one.encode("utf-16-le")
            for low, high in zip(units[::2], units[1::2], strict=True):
                code = low + 256 * high
                parts.append(f"\\u{code - 65536 if code > 32767 else code}?")
    return "".join(parts)
