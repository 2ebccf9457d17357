"""Where the units of a draft stand in the editor's document."""

from __future__ import annotations

from dataclasses import dataclass, replace

from PySide6.QtGui import QTextCursor, QTextDocument

from phasergun_desktop.ui.editor.draft_formats import acceptance_mark, footnote_of, unit_of
from phasergun_desktop.ui.editor.draft_shape import CELL_SEPARATOR, NO_FOOTNOTE, NO_UNIT
from phasergun_desktop.ui.qt_absent import table_of


@dataclass(frozen=True, slots=True)
class UnitPlace:
    """One unit: ``stretches`` are UTF-16 positions (a row has one for each cell with text), its
    footnote marks included; ``text`` is without them. ``block`` is the number of its paragraph.
    ``level`` is that of a heading (0: none), ``mark`` its mark of acceptance."""

    key: int
    stretches: tuple[tuple[int, int], ...]
    text: str
    block: int
    is_row: bool = False
    is_header: bool = False
    level: int = 0
    mark: str = ""

    @property
    def start(self) -> int:
        """Where it begins."""
        return self.stretches[0][0]

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.stretches[-1][1]


def unit_places(document: QTextDocument) -> list[UnitPlace]:
    """Return every unit in the order of the text; text of the writer's own has ``NO_UNIT``."""
    found: list[UnitPlace] = []
    block = document.begin()
    while block.isValid():
        table = table_of(QTextCursor(block))
        headers = table.format().headerRowCount() if table is not None else 0
        is_header = table is not None and table.cellAt(block.position()).row() < headers
        iterator = block.begin()
        while not iterator.atEnd():
            fragment = iterator.fragment()
            iterator += 1
            text_format = fragment.charFormat()
            start = fragment.position()
            is_mark = footnote_of(text_format) != NO_FOOTNOTE
            one = UnitPlace(
                unit_of(text_format),
                ((start, start + fragment.length()),),
                "" if is_mark else fragment.text(),
                block.blockNumber(),
                table is not None,
                is_header,
                block.blockFormat().headingLevel(),
                acceptance_mark(text_format),
            )
            if one.key == NO_UNIT and not one.text.strip():
                continue
            last = found[-1] if found else None
            if last is not None and _goes_on(last, one):
                found[-1] = _joined(last, one)
            else:
                found.append(one)
        block = block.next()
    return found


def place_at(places: list[UnitPlace], position: int) -> UnitPlace | None:
    """Return the unit that ``position`` stands in or directly behind; a unit of the sources goes
    before the writer's own text."""
    touching = [one for one in places for start, end in one.stretches if start <= position <= end]
    inside = [one for one in touching if one.start <= position < one.end]
    for one in (*inside, *touching):
        if one.key != NO_UNIT:
            return one
    return touching[0] if touching else None


def _goes_on(last: UnitPlace, one: UnitPlace) -> bool:
    if last.key != one.key or last.is_row != one.is_row:
        return False
    if one.is_row:
        return one.key != NO_UNIT
    return last.block == one.block and last.end == one.start


def _joined(last: UnitPlace, one: UnitPlace) -> UnitPlace:
    if last.end == one.start:
        stretches = (*last.stretches[:-1], (last.stretches[-1][0], one.end))
        text = last.text + one.text
    else:
        stretches = (*last.stretches, *one.stretches)
        text = f"{last.text}{CELL_SEPARATOR}{one.text}" if one.text else last.text
    return replace(last, stretches=stretches, text=text, mark=last.mark or one.mark)
