"""Reads Word documents that are one XML file: Word 2003 XML, and packages as Flat OPC."""

from __future__ import annotations

import io
import zipfile
from xml.etree.ElementTree import Element, tostring

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container.xml_parts import parse_xml
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.word.package import WordDocument
from phasergun_desktop.documents.word.word_format import read_docx, read_word
from phasergun_desktop.errors import DocumentError, DocumentProblem

_PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"
_OLD_W = "{http://schemas.microsoft.com/office/word/2003/wordml}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HINT = "{http://schemas.microsoft.com/office/word/2003/auxHint}"
_ANNOTATION = "{http://schemas.microsoft.com/aml/2001/core}"
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_PROPERTIES = f"{_OFFICE}DocumentProperties"
_MAX_DEPTH = 400


def read_word_xml(data: bytes, builder: DocumentBuilder) -> FileProperties:
    """Append the blocks of the Word XML ``data``; return its properties. Raises DocumentError."""
    root = parse_xml(data)[0]
    if root is None:
        raise _damaged()
    if root.tag == f"{_PKG}package":
        return read_docx(_packed(root), builder)
    body = root.find(f"{_OLD_W}body")
    if body is None:
        raise _damaged()
    styles = root.findall(f"{_OLD_W}styles")
    parts = {"styles": [new for each in styles for new in _today(each)]}
    read_word(WordDocument(_today(body)[0], parts), builder)
    stated = {each.tag: (each.text or "").strip() for each in root.iterfind(f"{_PROPERTIES}/*")}
    return FileProperties(
        title=stated.get(f"{_OFFICE}Title", ""),
        author=stated.get(f"{_OFFICE}Author", ""),
        created=stated.get(f"{_OFFICE}Created", ""),
        modified=stated.get(f"{_OFFICE}LastSaved", ""),
    )


def _packed(package: Element) -> bytes:
    """Return a Flat OPC package as a DOCX file, without pictures and other binary parts."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for part in package.iter(f"{_PKG}part"):
            name = part.get(f"{_PKG}name", "").lstrip("/")
            xml = part.find(f"{_PKG}xmlData")
            if name and xml is not None and len(xml):
                archive.writestr(name, tostring(xml[0], encoding="utf-8"))
    return buffer.getvalue()


def _today(element: Element, depth: int = 0) -> list[Element]:
    """Return ``element`` in the names of DOCX: one element, none, or the children of a wrapper."""
    if depth > _MAX_DEPTH:
        raise _damaged()
    children = [new for child in element for new in _today(child, depth + 1)]
    if element.tag in (f"{_HINT}sect", f"{_HINT}sub-section"):
        return children
    if element.tag in (f"{_ANNOTATION}annotation", f"{_ANNOTATION}content"):
        kind = element.get(f"{_OLD_W}type", "")
        # The accepted view: what was deleted is gone; comments are no text of the document.
        return [] if kind.endswith(("Deletion", "Comment")) else children
    name = element.tag
    if name == f"{_OLD_W}listPr":
        name = f"{_W}numPr"
    elif name == f"{_OLD_W}ilfo":
        name = f"{_W}numId"
    new = Element(
        name.replace(_OLD_W, _W),
        {key.replace(_OLD_W, _W): value for key, value in element.attrib.items()},
    )
    new.text, new.tail = element.text, element.tail
    new.extend(children)
    return [new]


def _damaged() -> DocumentError:
    return DocumentError(
        "Damaged Word file",
        "The Word XML file is damaged.",
        "Open it in Word and save a copy as DOCX.",
        DocumentProblem.DAMAGED,
    )
