"""Writes files that are meant to exhaust whoever reads them."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from pathlib import Path

from tests.documents.sample_files import W_NAMESPACE, word_file

_ENTITIES = "".join(
    f'<!ENTITY l{n} "{"&l" + str(n - 1) + ";" if n else "lol"}'
    + (f"&l{n - 1};" * 9 if n else "")
    + '">'
    for n in range(12)
)
BOMB_HEAD = f'<?xml version="1.0"?><!DOCTYPE bomb [{_ENTITIES}]>'
A_NAMESPACE = "http://schemas.openxmlformats.org/drawingml/2006/main"
P_NAMESPACE = "http://schemas.openxmlformats.org/presentationml/2006/main"


def docx_zip_bomb(path: Path) -> None:
    """A Word file of some MB that unpacks to 1 GB."""
    _bomb(path, "word/document.xml", f'<w:document xmlns:w="{W_NAMESPACE}"><w:body>')


def pptx_zip_bomb(path: Path) -> None:
    """Slides of some MB that unpack to 1 GB."""
    _bomb(path, "ppt/slides/slide1.xml", f'<p:sld xmlns:p="{P_NAMESPACE}">')


def docx_many_parts(path: Path) -> None:
    """A Word file of a hundred thousand empty parts."""
    word_file(path, "<w:p/>")
    with zipfile.ZipFile(path, "a") as archive:
        for number in range(100_000):
            archive.writestr(f"word/media/{number}", b"")


def docx_entity_bomb(path: Path) -> None:
    """A billion laughs as the text of a Word file."""
    body = "<w:p><w:r><w:t>&l11;</w:t></w:r></w:p>"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "word/document.xml",
            f'{BOMB_HEAD}<w:document xmlns:w="{W_NAMESPACE}"><w:body>{body}</w:body></w:document>',
        )


def pptx_entity_bomb(path: Path) -> None:
    """A billion laughs in a slide, in a file that is otherwise in order."""
    from pptx import Presentation

    slides = Presentation()
    slides.slides.add_slide(slides.slide_layouts[5]).shapes[0].text_frame.text = "TITLE"
    slides.save(str(path))
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    slide = parts["ppt/slides/slide1.xml"].decode().replace("TITLE", "&l11;")
    parts["ppt/slides/slide1.xml"] = (BOMB_HEAD + slide[slide.index("?>") + 2 :]).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)


def docx_external_entity(path: Path) -> None:
    """A Word file that wants a file of this machine in its text."""
    head = '<?xml version="1.0"?><!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/passwd">]>'
    body = "<w:p><w:r><w:t>before &f; after</w:t></w:r></w:p>"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr(
            "word/document.xml",
            f'{head}<w:document xmlns:w="{W_NAMESPACE}"><w:body>{body}</w:body></w:document>',
        )


def docx_nested_tables(path: Path) -> None:
    """Five thousand tables, each in a cell of the one before."""
    word_file(path, "<w:tbl><w:tr><w:tc>" * 5000 + "<w:p/>" + "</w:tc></w:tr></w:tbl>" * 5000)


def docx_nested_runs(path: Path) -> None:
    """Elements nested below what an XML parser refuses, over and over."""
    deep = "<w:ins>" * 200 + "<w:r><w:t>x</w:t></w:r>" + "</w:ins>" * 200
    word_file(path, f"<w:p>{deep}</w:p>" * 2000)


def md_nested_quotes(path: Path) -> None:
    """Quotes and lists five thousand deep."""
    path.write_text(">" * 5000 + " text\n\n" + "- " * 5000 + "text\n\n" + "[" * 50_000, "utf-8")


def md_nested_html(path: Path) -> None:
    """HTML tables in Markdown, five thousand deep."""
    path.write_text("<table><tr><td>" * 5000 + "x" + "</td></tr></table>" * 5000, "utf-8")


def csv_many_rows(path: Path) -> None:
    """Forty million rows."""
    with path.open("w", encoding="ascii") as stream:
        block = "a,b\n" * 1_000_000
        for _ in range(40):
            stream.write(block)


def csv_one_cell(path: Path) -> None:
    """A quote that never ends."""
    with path.open("w", encoding="ascii") as stream:
        stream.write('head\n"')
        for _ in range(100):
            stream.write("text,\n" * 200_000)


def csv_wide(path: Path) -> None:
    """Two rows of a million columns."""
    row = ",".join(map(str, range(1_000_000)))
    path.write_text(f"{row}\n{row}\n", "ascii")


def csv_sparse(path: Path) -> None:
    """A file that says it has 600 MB and holds next to nothing."""
    with path.open("wb") as stream:
        stream.write(b"a,b\n1,2\n")
        stream.truncate(600 * 1024 * 1024)


def txt_one_line(path: Path) -> None:
    """A single line of a hundred million letters."""
    with path.open("w", encoding="ascii") as stream:
        for _ in range(100):
            stream.write("x" * 1_000_000)


def pdf_many_pages(path: Path) -> None:
    """A hundred thousand empty pages."""
    _pdf(path, 100_000, lambda number: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>")


def pdf_claims_pages(path: Path) -> None:
    """A PDF that says it has two billion pages."""
    pages = b"<</Type/Pages/Kids[3 0 R]/Count 2000000000>>"
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]>>"
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", pages, page])


def pdf_nested_objects(path: Path) -> None:
    """Arrays in arrays, a hundred thousand deep."""
    deep = b"[" * 100_000 + b"]" * 100_000
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Annots " + deep + b">>"
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", _pages(1), page])


def pdf_nested_pages(path: Path) -> None:
    """Each node of the page tree below the one before, 20,000 deep."""
    nodes = [b"<</Type/Pages/Count 1/Kids[%d 0 R]>>" % (number + 3) for number in range(20_000)]
    page = b"<</Type/Page/MediaBox[0 0 612 792]>>"
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", *nodes, page])


def pdf_form_loop(path: Path) -> None:
    """A form that draws itself twice."""
    draws = b"/F Do /F Do"
    form = (
        b"<</Type/XObject/Subtype/Form/BBox[0 0 9 9]/Resources<</XObject<</F 4 0 R>>>>"
        b"/Length %d>>stream\n%s\nendstream" % (len(draws), draws)
    )
    page = (
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 5 0 R"
        b"/Resources<</XObject<</F 4 0 R>>>>>>"
    )
    content = b"<</Length %d>>stream\n%s\nendstream" % (len(draws), draws)
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", _pages(1), page, form, content])


def pdf_stream_bomb(path: Path) -> None:
    """A page whose content unpacks to 2 GB of drawing."""
    import zlib

    packer = zlib.compressobj(1)
    block = b"0 0 m 9 9 l S\n" * 100_000
    packed = b"".join(packer.compress(block) for _ in range(1500)) + packer.flush()
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents 4 0 R>>"
    content = b"<</Filter/FlateDecode/Length %d>>stream\n%s\nendstream" % (len(packed), packed)
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", _pages(1), page, content])


def png_giant(path: Path) -> None:
    """A picture of 100,000 by 100,000 dots that takes next to no room."""
    import struct
    import zlib

    def chunk(kind: bytes, data: bytes) -> bytes:
        check = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)

    header = struct.pack(">IIBBBBB", 100_000, 100_000, 1, 0, 0, 0, 0)
    packed = zlib.compress(bytes(10_000_000), 9)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", packed) + chunk(b"IEND", b"")
    )


def json_deep(path: Path) -> None:
    """A transcript of nothing but brackets."""
    path.write_text("[" * 200_000 + "]" * 200_000, "ascii")


def _bomb(path: Path, part: str, start: str) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        with archive.open(part, "w", force_zip64=True) as stream:
            stream.write(start.encode())
            block = b"<a/>" * 250_000
            for _ in range(1000):
                stream.write(block)


def _pages(count: int) -> bytes:
    kids = b" ".join(b"%d 0 R" % (number + 3) for number in range(count))
    return b"<</Type/Pages/Kids[%s]/Count %d>>" % (kids, count)


def _pdf(path: Path, count: int, page: Callable[[int], bytes]) -> None:
    bodies = [page(number) for number in range(count)]
    _write_pdf(path, [b"<</Type/Catalog/Pages 2 0 R>>", _pages(count), *bodies])


def _write_pdf(path: Path, bodies: list[bytes]) -> None:
    offsets = []
    with path.open("wb") as stream:
        stream.write(b"%PDF-1.4\n")
        for number, body in enumerate(bodies, start=1):
            offsets.append(stream.tell())
            stream.write(b"%d 0 obj\n%s\nendobj\n" % (number, body))
        start = stream.tell()
        stream.write(b"xref\n0 %d\n0000000000 65535 f \n" % (len(bodies) + 1))
        stream.writelines(b"%010d 00000 n \n" % offset for offset in offsets)
        stream.write(
            b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(bodies) + 1, start)
        )


# By the ending of the file that each writes.
QUICK: tuple[tuple[Callable[[Path], None], str], ...] = (
    (docx_entity_bomb, ".docx"),
    (docx_external_entity, ".docx"),
    (docx_nested_tables, ".docx"),
    (pptx_entity_bomb, ".pptx"),
    (md_nested_quotes, ".md"),
    (md_nested_html, ".md"),
    (csv_sparse, ".csv"),
    (pdf_claims_pages, ".pdf"),
    (pdf_nested_objects, ".pdf"),
    (pdf_nested_pages, ".pdf"),
    (png_giant, ".png"),
    (json_deep, ".json"),
)
SLOW: tuple[tuple[Callable[[Path], None], str], ...] = (
    (docx_zip_bomb, ".docx"),
    (docx_many_parts, ".docx"),
    (docx_nested_runs, ".docx"),
    (pptx_zip_bomb, ".pptx"),
    (csv_many_rows, ".csv"),
    (csv_one_cell, ".csv"),
    (csv_wide, ".csv"),
    (txt_one_line, ".txt"),
    (pdf_many_pages, ".pdf"),
    (pdf_form_loop, ".pdf"),
    (pdf_stream_bomb, ".pdf"),
)
