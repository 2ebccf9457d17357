"""What a file is: by its content, whatever it is called."""

from __future__ import annotations

import io
import struct
import zipfile
from pathlib import Path

import pytest

from phasergun_desktop.documents.formats import Format, detect_bytes, detect_format
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError

OLE_MAGIC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0\0\0\rIHDR"
BMP = b"BM" + struct.pack("<IIIIiiHH", 100, 0, 54, 40, 1, 1, 1, 24) + bytes(60)
HTML = b"<!DOCTYPE html>\n<html><body><p>Dear reviewer</p><script>evil()</script></body></html>"
WORD_2003 = (
    b'<?xml version="1.0"?><?mso-application progid="Word.Document"?>'
    b'<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml"'
    b' xmlns:o="urn:schemas-microsoft-com:office:office"'
    b' xmlns:aml="http://schemas.microsoft.com/aml/2001/core"'
    b' xmlns:wx="http://schemas.microsoft.com/office/word/2003/auxHint">'
    b"<o:DocumentProperties><o:Title>Use plan</o:Title></o:DocumentProperties>"
    b"<w:body><wx:sect><w:p><w:r><w:t>The pump stops </w:t></w:r>"
    b'<aml:annotation w:type="Word.Deletion"><aml:content><w:r><w:delText>never</w:delText></w:r>'
    b"</aml:content></aml:annotation>"
    b'<aml:annotation w:type="Word.Insertion"><aml:content><w:r><w:t>at once.</w:t></w:r>'
    b"</aml:content></aml:annotation></w:p>"
    b"<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Rate</w:t></w:r></w:p></w:tc>"
    b"<w:tc><w:p><w:r><w:t>5 ml/h</w:t></w:r></w:p></w:tc></w:tr></w:tbl></wx:sect></w:body>"
    b"</w:wordDocument>"
)
FLAT_PACKAGE = (
    b'<?xml version="1.0"?><pkg:package'
    b' xmlns:pkg="http://schemas.microsoft.com/office/2006/xmlPackage">'
    b'<pkg:part pkg:name="/_rels/.rels"><pkg:xmlData><Relationships'
    b' xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1"'
    b' Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"'
    b' Target="word/document.xml"/></Relationships></pkg:xmlData></pkg:part>'
    b'<pkg:part pkg:name="/word/document.xml"><pkg:xmlData><w:document'
    b' xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"><w:body><w:p><w:r>'
    b"<w:t>Flat but whole.</w:t></w:r></w:p></w:body></w:document></pkg:xmlData></pkg:part>"
    b"</pkg:package>"
)


def zipped(*names: str, **contents: str) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name in names:
            archive.writestr(name, "x" * 200)
        for name, content in contents.items():
            archive.writestr(name, content)
    return buffer.getvalue()


def ole(*names: str, before: int = 0) -> bytes:
    """An OLE file whose directory is one chain of sectors, ``before`` empty sectors first."""
    entries = []
    for number, name in enumerate(["Root Entry", *names]):
        raw = name.encode("utf-16-le") + b"\0\0"
        right = number + 1 if 0 < number < len(names) else 0xFFFFFFFF
        child = 1 if number == 0 and names else 0xFFFFFFFF
        entries.append(
            raw.ljust(64, b"\0")
            + struct.pack("<HBB", len(raw), 5 if number == 0 else 2, 1)
            + struct.pack("<III", 0xFFFFFFFF, right, child)
            + bytes(48)
        )
    directory = b"".join(entries)
    sectors = -(-len(directory) // 512)
    first = 1 + before
    table = [0xFFFFFFFD, *[0xFFFFFFFF] * before]
    table += [first + index + 1 for index in range(sectors - 1)] + [0xFFFFFFFE]
    header = OLE_MAGIC + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(14)
    header += struct.pack("<I", first) + bytes(24) + struct.pack("<I", 0)
    header = header.ljust(512, b"\xff")
    fat = struct.pack(f"<{len(table)}I", *table).ljust(512, b"\xff")
    return header + fat + bytes(512 * before) + directory.ljust(sectors * 512, b"\0")


def circular(data: bytes) -> bytes:
    """``data`` of ``ole`` with a directory that leads in a circle."""
    damaged = bytearray(data)
    struct.pack_into("<I", damaged, 512 + 4, 1)
    struct.pack_into("<I", damaged, 1024 + 128 + 72, 1)
    return bytes(damaged)


TYPES_OF_SLIDES = "<Types><Override ContentType='application/presentationml.main+xml'/></Types>"


@pytest.mark.parametrize(
    ("name", "content", "expected", "mime"),
    [
        ("a.pdf", b"%PDF-1.4", Format.PDF, "application/pdf"),
        ("a.pdf", b"@PJL SET\r\n" * 200 + b"%PDF-1.4", Format.PDF, "application/pdf"),
        ("a.pdf", b"1 0 obj <<>> endobj", Format.PDF, "application/pdf"),
        ("a.doc", b"%PDF-1.4", Format.PDF, "application/pdf"),
        ("a.dotx", zipped("word/document.xml"), Format.DOCX, ""),
        ("a.pdf", zipped("word/document.xml"), Format.DOCX, ""),
        ("a.docx", zipped("ppt/presentation.xml"), Format.PPTX, ""),
        ("a.bin", zipped(**{"[Content_Types].xml": TYPES_OF_SLIDES}), Format.PPTX, ""),
        ("a.docx", zipped("word/document.xml")[:120], Format.DOCX, ""),
        ("a.doc", ole("Data", "WordDocument"), Format.DOC, "application/msword"),
        ("a.ppt", ole("WordDocument"), Format.DOC, "application/msword"),
        ("a.pps", ole(*"abcdefgh", "PowerPoint Document", before=400), Format.PPT, ""),
        ("a.docx", ole("EncryptionInfo", "EncryptedPackage"), Format.ENCRYPTED_OFFICE, ""),
        ("a.bin", circular(ole("WordDocument", "1Table")), Format.DOC, ""),
        ("a.doc", OLE_MAGIC + bytes(20), Format.DOC, "application/msword"),
        ("a.doc", b"{\\rtf1 text}", Format.RTF, "application/rtf"),
        ("a.rtf", b"{\\rtf1 text}", Format.RTF, "application/rtf"),
        ("a.doc", HTML, Format.HTML, "text/html"),
        ("a.htm", b"<p>loose</p>", Format.HTML, "text/html"),
        ("a.doc", b"<?xml version='1.0'?><notes>x</notes>", Format.HTML, "text/html"),
        ("a.doc", WORD_2003, Format.WORD_XML, "application/xml"),
        ("a.txt", HTML, Format.TXT, "text/plain"),
        ("a.doc", b"plain text", Format.TXT, "text/plain"),
        ("README", b"plain text", Format.TXT, "text/plain"),
        ("a.txt", PNG, Format.IMAGE, "image/png"),
        ("a.jpg", PNG, Format.IMAGE, "image/png"),
        ("a.jpg", b"\xff\xd8\xff\xe0", Format.IMAGE, "image/jpeg"),
        ("a.gif", b"GIF89a\x01\0", Format.IMAGE, "image/gif"),
        ("a.png", BMP, Format.IMAGE, "image/bmp"),
        ("a.tif", b"MM\x00*\0\0", Format.IMAGE, "image/tiff"),
        ("a.txt", b"BMI was measured in all subjects.", Format.TXT, "text/plain"),
        ("a.vtt", b"\xef\xbb\xbfWEBVTT\n\n", Format.TRANSCRIPT, "text/vtt"),
        ("a.srt", b"WEBVTT\n\n", Format.TRANSCRIPT, "text/vtt"),
        (
            "a.txt",
            "1\r\n00:00:01,000 --> 00:00:02,000\r\nHi\r\n".encode("utf-16"),
            Format.TRANSCRIPT,
            "application/x-subrip",
        ),
        ("a.srt", b"Just words.", Format.TXT, "text/plain"),
        (
            "a.json",
            b'{"segments": [{"start": 0.5, "end": 2, "text": "Hi"}]}',
            Format.TRANSCRIPT,
            "application/json",
        ),
        ("a.tsv", b"a\tb\n", Format.CSV, "text/csv"),
        ("a.txt", "Größe".encode("cp500") * 20 + b"@", Format.TXT, "text/plain"),
    ],
)
def test_the_content_decides_the_format(
    tmp_path: Path, name: str, content: bytes, expected: Format, mime: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = detect_format(path)
    assert found.format is expected
    assert found.mime == mime or not mime
    assert found.reason == ""
    assert detect_bytes(content, path.suffix) == found


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.yaml", b"a: b", "YAML files are not a format"),
        ("a.md", b"\x00\x01\x02\x03", "The content is not text"),
        ("a.docx", zipped("xl/workbook.xml"), "save the sheet as CSV"),
        ("a.xls", ole("Workbook"), "save the sheet as CSV"),
        ("a.doc", ole("__properties_version1.0"), "E-mails are not read"),
        ("a.odt", zipped("content.xml", "META-INF/manifest.xml"), "OpenDocument"),
        ("a.docx", zipped("notes.txt"), "unpack it"),
        ("a.zip", zipped("notes.txt"), "unpack it"),
        ("a.pages", zipped("Index/Document.iwa"), "export the file as PDF"),
        ("a.eml", b"From: a@b.c\nSubject: x\n\nHello", "E-mails are not read"),
        ("a.json", b'{"name": "x", "version": 3}', "not a transcript"),
        ("a.xml", b"<?xml version='1.0'?><a/>", "XML files"),
        ("a.bin", b"\x00\x00\x00\x20ftypisom\0\0", "Recordings are not read"),
        ("a.webp", b"RIFF\0\0\0\0WEBPVP8 \0", "save a copy as PNG"),
        ("a", b"\x7fELF\x02\x01\0\0" + bytes(40), "not a format that is read"),
    ],
)
def test_what_is_not_read_says_what_to_do(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    found = detect_format(path)
    assert found.format is Format.UNSUPPORTED
    assert words in found.reason
    assert found.reason.endswith(".")
    with pytest.raises(DocumentError, match="Format not read"):
        parse_file(path)


@pytest.mark.parametrize(
    ("name", "content", "note"),
    [
        ("a.doc", b"%PDF-1.4", "The file is named .doc but its content is PDF."),
        ("a.jpg", PNG, "The file is named .jpg but its content is a PNG picture."),
        ("a.docx", b"words", "The file is named .docx but its content is plain text."),
        ("a.srt", b"WEBVTT\n", "The file is named .srt but its content is a VTT transcript."),
        ("a.jpeg", b"\xff\xd8\xff\xe0", ""),
        ("a.dotm", zipped("word/document.xml"), ""),
        ("a.mht", b"MIME-Version: 1.0\nContent-Type: multipart/related\n\nx", ""),
        ("a", b"%PDF-1.4", ""),
    ],
)
def test_a_name_that_says_something_else_is_noted(
    tmp_path: Path, name: str, content: bytes, note: str
) -> None:
    (tmp_path / name).write_bytes(content)
    assert detect_format(tmp_path / name).note == note


def test_word_xml_is_read_like_a_word_file(tmp_path: Path) -> None:
    (tmp_path / "a.doc").write_bytes(WORD_2003)
    document = parse_file(tmp_path / "a.doc")
    texts = [document.block_text(block) for block in document.blocks]
    assert texts == ["The pump stops at once.", "Rate: 5 ml/h"]
    assert document.metadata.title == "Use plan"
    assert document.warnings == ("The file is named .doc but its content is Word XML.",)
    (tmp_path / "b.xml").write_bytes(FLAT_PACKAGE)
    assert parse_file(tmp_path / "b.xml").text == "Flat but whole."


@pytest.mark.parametrize("end", [b"", b"<w:styles><w:style/></w:styles></w:wordDocument>"])
def test_word_xml_without_a_body_is_damaged(tmp_path: Path, end: bytes) -> None:
    (tmp_path / "a.doc").write_bytes(WORD_2003[: WORD_2003.index(b"<o:Document")] + end)
    with pytest.raises(DocumentError, match="damaged"):
        parse_file(tmp_path / "a.doc")
