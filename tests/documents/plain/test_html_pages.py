"""HTML pages and web archives: readable text, nothing run, nothing fetched."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, LineLocator
from phasergun_desktop.documents.plain.html_pages import read_html_page

PAGE = """<!DOCTYPE html>
<html lang="en-GB"><head><title>Use
 plan</title><meta name="author" content="Ann Lee">
<style>p { color: red }</style></head>
<body onload="evil()">
<h1>Use &amp; care</h1>
<p>Keep it dry,<br>and
 clean.</p>
<script>document.write("<p>never</p>")</script>
<iframe src="http://x.y/">never</iframe>
<ol><li>Open<li>Close<ul><li>gently</li></ul></ol>
<h2>Limits</h2>
<table><tr><th>Part</th><th>Limit</th></tr><tr><td rowspan=2>Pump</td><td>5 kPa</td></tr>
<tr><td>6 kPa</td></tr></table>
loose words
"""


def read(content: str | bytes) -> tuple[DocumentBuilder, FileProperties]:
    builder = DocumentBuilder()
    data = content.encode() if isinstance(content, str) else content
    return builder, read_html_page(data, builder)


def test_a_page_is_read_as_its_reader_sees_it() -> None:
    builder, properties = read(PAGE)
    found = [(block.kind, builder.text[block.start : block.end]) for block in builder.blocks]
    assert found == [
        (BlockKind.HEADING, "Use & care"),
        (BlockKind.PARAGRAPH, "Keep it dry,\nand clean."),
        (BlockKind.LIST_ITEM, "1. Open"),
        (BlockKind.LIST_ITEM, "2. Close"),
        (BlockKind.LIST_ITEM, "gently"),
        (BlockKind.HEADING, "Limits"),
        (BlockKind.TABLE_ROW, "Part | Limit"),
        (BlockKind.TABLE_ROW, "Part: Pump; Limit: 5 kPa"),
        (BlockKind.TABLE_ROW, "Part: Pump; Limit: 6 kPa"),
        (BlockKind.PARAGRAPH, "loose words"),
    ]
    assert properties == FileProperties(title="Use plan", author="Ann Lee", language="en-GB")
    assert builder.blocks[-1].heading_path == ("Use & care", "Limits")
    lines = PAGE.split("\n")
    for block in builder.blocks:
        assert isinstance(block.locator, LineLocator)
        word = builder.text[block.start : block.end].split()[-1]
        assert word in " ".join(lines[block.locator.line - 1 : block.locator.line + 1])


def test_the_page_of_a_web_archive_is_read() -> None:
    archive = (
        b"MIME-Version: 1.0\nContent-Type: multipart/related; boundary=b\n\n--b\n"
        b"Content-Type: text/html; charset=utf-8\nContent-Transfer-Encoding: quoted-printable\n\n"
        b"<html><body><p>Gr=C3=B6=C3=9Fe</p></body></html>\n--b\n"
        b"Content-Type: image/png\nContent-Transfer-Encoding: base64\n\nAAAA\n--b--\n"
    )
    builder, _ = read(archive)
    assert builder.text == "Größe"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("<p>open <b>tags", "open tags"),
        ("</p></table></div>words", "words"),
        ("<table><tr><td>never closed", "never closed"),
        ("<p>5 < 6 &nonsense; &#0; end", "5 < 6 &nonsense; \ufffd end"),
        ("<div>" * 20_000 + "deep", "deep"),
        ("<style>p{}", ""),
        ("<p>1.6 &times; 10<sup>6</sup> in 5 cm<sup>2</sup>", "1.6 × 10⁶ in 5 cm²"),
        ("<table><tr><td>SAL 10<sup>&minus;6</sup></td><td>b", "SAL 10⁻⁶: b"),
        ("<p>the cells<sup>1</sup> at 10<sup>th</sup>.<sup>2</sup>", "the cells1 at 10th.2"),
        ("<p>never <sup>closed</p><p>10 4</p>", "never closed\n\n10 4"),
        ("<table><tr><td><pre>a 1\nb 2</pre></td><td>c</td></tr></table>", "a 1\nb 2: c"),
        ("<?xml version='1.0'?><notes><p>One</p><p>Two</p></notes>", "One\n\nTwo"),
    ],
)
def test_careless_markup_is_read_as_far_as_it_goes(content: str, text: str) -> None:
    assert read(content)[0].text == text
