"""Markdown, plain text and CSV: structure, readable text, lines and rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.model import (
    BlockKind,
    LineLocator,
    ParsedDocument,
    RowLocator,
)
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError

MARKDOWN = """---
id: SOP-9
title: "Risk"
training:
  departments:
    - Quality
    - Engineering
---

# Risk *management*

First line with [a link](http://x.y) and \\*stars\\*
goes on.

> **Owner**: Quality
> **Status**: Effective

Setext
------

1. one
   - two

```
code |x|
```

| Acronym | Meaning |
|---|---|
| CAPA | **Corrective** action |

<table><tr><td>Item</td><td>Device</td><td>Predicate</td></tr>
<tr><td rowspan=2>Range</td><td>20</td><td>50</td></tr><tr><td>21</td><td>51</td></tr></table>
"""


def parsed(path: Path, content: str | bytes) -> ParsedDocument:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return parse_file(path)


def texts(document: ParsedDocument, kind: BlockKind | None = None) -> list[str]:
    return [
        document.block_text(block)
        for block in document.blocks
        if kind is None or block.kind is kind
    ]


def test_markdown_structure(tmp_path: Path) -> None:
    document = parsed(tmp_path / "a.md", MARKDOWN)
    assert texts(document) == [
        "Risk management",
        "First line with a link and *stars* goes on.",
        "Owner: Quality\nStatus: Effective",
        "Setext",
        "1. one",
        "two",
        "code |x|",
        "Acronym | Meaning",
        "Acronym: CAPA; Meaning: Corrective action",
        "Item | Device | Predicate",
        "Item: Range; Device: 20; Predicate: 50",
        "Item: Range; Device: 21; Predicate: 51",
    ]
    lines = MARKDOWN.split("\n")
    for block in document.blocks:
        assert isinstance(block.locator, LineLocator)
        word = document.block_text(block).split()[-1].strip(".")
        near = "\n".join(lines[block.locator.line - 1 : block.locator.line + 1])
        assert word in near
    assert document.blocks[-1].heading_path == ("Risk management", "Setext")
    assert document.blocks[8].cells == (("Acronym", "CAPA"), ("Meaning", "Corrective action"))


def test_front_matter_is_read_without_yaml(tmp_path: Path) -> None:
    metadata = parsed(tmp_path / "a.md", MARKDOWN).metadata
    assert dict(metadata.front_matter) == {
        "id": "SOP-9",
        "title": "Risk",
        "training.departments": "Quality, Engineering",
    }
    assert metadata.document_number == "SOP-9"
    assert metadata.title == "Risk management"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "cp1252"])
def test_encodings(tmp_path: Path, encoding: str) -> None:
    content = "Größe des Geräts: 5 µl, prüfen.\nZweite Zeile – Ende"
    document = parsed(tmp_path / "a.txt", content.encode(encoding))
    assert document.text == content
    assert bool(document.warnings) is (encoding == "cp1252")


def test_text_headings_and_paragraphs(tmp_path: Path) -> None:
    document = parsed(
        tmp_path / "a.txt", "Intro\r\nmore\r\n\r\n3.2 Scope\r\n\r\nBody.\r\n\r\n- x\r\n- y\r\n"
    )
    assert [block.kind for block in document.blocks] == [
        BlockKind.PARAGRAPH,
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.LIST_ITEM,
        BlockKind.LIST_ITEM,
    ]
    assert document.blocks[2].heading_path == ("3.2 Scope",)
    assert document.blocks[2].locator == LineLocator(6)
    assert document.text.endswith("- x\n- y")


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_rows_carry_their_headers(tmp_path: Path, mark: str) -> None:
    content = f'Item{mark}Value\n"a{mark}b"{mark}1\n\nc{mark}2\n'
    document = parsed(tmp_path / "a.csv", content)
    cell = f"a{mark}b"
    assert texts(document) == ["Item | Value", f"Item: {cell}; Value: 1", "Item: c; Value: 2"]
    assert document.blocks[-1].locator == RowLocator(4)
    assert document.blocks[0].is_table_header


def test_csv_without_header_and_with_too_many_rows(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phasergun_desktop.documents.plain.csv_rows.MAX_ROWS", 3)
    document = parsed(tmp_path / "a.csv", "1,2\n3,4\n5,6\n7,8\n")
    assert texts(document) == ["1: 2", "3: 4", "5: 6"]
    assert document.warnings == ("Only the first 3 rows were read.",)


@pytest.mark.parametrize("name", ["a.txt", "a.md", "a.csv", "a.pdf", "a.docx"])
def test_an_empty_file_is_named_as_such(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_bytes(b"")
    with pytest.raises(DocumentError, match="0 bytes") as caught:
        parse_file(tmp_path / name)
    assert caught.value.remedy
