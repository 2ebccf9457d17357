"""Following a locator by the rules that ``places`` states, with nothing else of the reader."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from phasergun_desktop.documents.model import Block, BlockKind, ParagraphLocator
from tests.documents.word.word_samples import Read, W, cell, paragraph, table, word_bytes

P, TBL, TR, TC, T = (f"{{{W}}}{name}" for name in ("p", "tbl", "tr", "tc", "t"))
BREAKS = frozenset(f"{{{W}}}{name}" for name in ("tab", "br", "cr"))


class Walk:
    """All paragraphs outside of tables and all tables of a body, in the order of the file."""

    def __init__(self, data: bytes) -> None:
        root = fromstring(data)
        self._parents = {child: parent for parent in root.iter() for child in parent}
        self.tables = list(root.iter(TBL))
        self.paragraphs = [each for each in root.iter(P) if self.nearest(each, TBL) is None]

    def nearest(self, element: Element, tag: str) -> Element | None:
        above = self._parents.get(element)
        while above is not None and above.tag != tag:
            above = self._parents.get(above)
        return above

    def texts_at(self, locator: ParagraphLocator) -> list[str]:
        """Return the texts of the paragraphs at ``locator``."""
        if locator.paragraph is not None:
            return [self._text(self.paragraphs[locator.paragraph - 1])]
        assert locator.table is not None
        assert locator.row is not None
        inside = self.tables[locator.table - 1]
        rows = [row for row in inside.iter(TR) if self.nearest(row, TBL) is inside]
        row = rows[locator.row - 1]
        return [self._text(each) for each in row.iter(P) if self.nearest(each, TR) is row]

    def _text(self, element: Element) -> str:
        own = (each for each in element.iter() if self.nearest(each, P) is element)
        return " ".join("".join(_written(each) for each in own).split())


def is_found(walk: Walk, block: Block, text: str) -> bool:
    assert isinstance(block.locator, ParagraphLocator)
    folded = " ".join(text.split())
    there = [each for each in walk.texts_at(block.locator) if each]
    if block.kind is BlockKind.TABLE_ROW:
        return bool(there) and all(each in folded for each in there)
    # The number of a list item is Word's own and not in the file.
    return folded.endswith(there[0]) and len(folded) - len(there[0]) < 20


def test_own_file() -> None:
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('box')}</w:txbxContent></w:pict></w:r>"
    inner = table(cell("inner a") + cell("inner b"))
    body = (
        paragraph("one")
        + "<w:p/>"
        + f"<w:p><w:r><w:t>two</w:t></w:r>{box}</w:p>"
        + table(f"<w:tc>{paragraph('outer')}{inner}</w:tc>" + cell("right"), cell("x") + cell("y"))
        + f"<w:sdt><w:sdtContent>{paragraph('three')}</w:sdtContent></w:sdt>"
        + table(cell("last") + cell("table"))
    )
    data = word_bytes(body)
    found = Read(data)
    walk = Walk(_document(data))
    assert len(found.blocks) == 8
    assert all(is_found(walk, block, found.text(block)) for block in found.blocks)


def test_real_forms(test_data: Path) -> None:
    paths = sorted((test_data / "regulatory" / "qms_mdn").glob("*.docx"))
    assert paths
    for path in paths:
        found = Read(path.read_bytes())
        walk = Walk(_document(path.read_bytes()))
        for block in found.blocks:
            if block.kind in (BlockKind.NOTE, BlockKind.HEADER_FOOTER):
                continue
            assert is_found(walk, block, found.text(block)), (path.name, block.locator)


@pytest.mark.parametrize("name", ["qms_mdn", "eu_forms_office"])
def test_every_cell_is_in_the_output(test_data: Path, name: str) -> None:
    paths = sorted((test_data / "regulatory" / name).glob("*.docx"))
    assert paths
    for path in paths:
        found = Read(path.read_bytes())
        text = " ".join(found.builder.text.split())
        cells = {" ".join(each.split()) for block in found.blocks for _, each in block.cells}
        for element in fromstring(_document(path.read_bytes())).iter(TC):
            own = "\n".join("".join(map(_written, each.iter())) for each in element.findall(P))
            folded = " ".join(own.split())
            assert folded in text or folded in cells, (path.name, folded)


def _written(element: Element) -> str:
    return element.text or "" if element.tag == T else " " if element.tag in BREAKS else ""


def _document(data: bytes) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return archive.read("word/document.xml")
