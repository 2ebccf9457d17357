"""Packs a Word document that is one XML file (Word 2003 XML, Flat OPC) as a DOCX package."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterable
from xml.etree.ElementTree import Element, SubElement, tostring

from phasergun_desktop.documents.container.xml_parts import parse_xml
from phasergun_desktop.errors import DocumentError, DocumentProblem

_PKG = "{http://schemas.microsoft.com/office/2006/xmlPackage}"
_OLD_W = "{http://schemas.microsoft.com/office/word/2003/wordml}"
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_HINT = "{http://schemas.microsoft.com/office/word/2003/auxHint}"
_ANNOTATION = "{http://schemas.microsoft.com/aml/2001/core}"
_OFFICE = "{urn:schemas-microsoft-com:office:office}"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_KINDS = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_CORE = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties"
_DUBLIN_CORE = "{http://purl.org/dc/elements/1.1/}"
_TERMS = "{http://purl.org/dc/terms/}"
_CONTENT_TYPES = (
    b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">'
    b'<Default Extension="rels" ContentType='
    b'"application/vnd.openxmlformats-package.relationships+xml"/>'
    b'<Default Extension="xml" ContentType="application/xml"/>'
    b'<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-'
    b'officedocument.wordprocessingml.document.main+xml"/></Types>'
)
_MAX_DEPTH = 400
_PROPERTIES = (
    ("Title", f"{_DUBLIN_CORE}title"),
    ("Author", f"{_DUBLIN_CORE}creator"),
    ("Created", f"{_TERMS}created"),
    ("LastSaved", f"{_TERMS}modified"),
)


def packed_word_xml(data: bytes) -> bytes:
    """Return the DOCX package that says what the Word XML ``data`` says. Raises DocumentError."""
    root = parse_xml(data)[0]
    if root is None:
        raise _damaged()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name, content in _flat_parts(root) if root.tag == f"{_PKG}package" else _parts(root):
            archive.writestr(name, content)
    return buffer.getvalue()


def _flat_parts(package: Element) -> Iterable[tuple[str, bytes]]:
    """Yield the parts of a Flat OPC package, without pictures and other binary ones."""
    yield "[Content_Types].xml", _CONTENT_TYPES
    for part in package.iter(f"{_PKG}part"):
        name = part.get(f"{_PKG}name", "").lstrip("/")
        xml = part.find(f"{_PKG}xmlData")
        if name and xml is not None and len(xml):
            yield name, tostring(xml[0], encoding="utf-8")


def _parts(root: Element) -> Iterable[tuple[str, bytes]]:
    """Yield the parts of the package for a Word 2003 document."""
    body = root.find(f"{_OLD_W}body")
    if body is None:
        raise _damaged()
    document = Element(f"{_W}document")
    document.extend(_today(body))
    yield "[Content_Types].xml", _CONTENT_TYPES
    kinds = (
        (f"{_KINDS}/officeDocument", "word/document.xml"),
        (f"{_RELATIONS}/metadata/core-properties", "docProps/core.xml"),
    )
    yield "_rels/.rels", _relations(kinds)
    yield "word/_rels/document.xml.rels", _relations(((f"{_KINDS}/styles", "styles.xml"),))
    yield "word/document.xml", tostring(document, encoding="utf-8")
    styles = root.find(f"{_OLD_W}styles")
    if styles is not None:
        for each in _today(styles):
            yield "word/styles.xml", tostring(each, encoding="utf-8")
    yield "docProps/core.xml", _core(root)


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


def _core(root: Element) -> bytes:
    core = Element(f"{{{_CORE}}}coreProperties")
    properties = root.find(f"{_OFFICE}DocumentProperties")
    for name, new_name in _PROPERTIES:
        text = (properties.findtext(f"{_OFFICE}{name}") or "") if properties is not None else ""
        if text.strip():
            SubElement(core, new_name).text = text.strip()
    return bytes(tostring(core, encoding="utf-8"))


def _relations(kinds: tuple[tuple[str, str], ...]) -> bytes:
    root = Element(f"{{{_RELATIONS}}}Relationships")
    for number, (kind, target) in enumerate(kinds, start=1):
        fields = {"Id": f"rId{number}", "Type": kind, "Target": target}
        SubElement(root, f"{{{_RELATIONS}}}Relationship", fields)
    return bytes(tostring(root, encoding="utf-8"))


def _damaged() -> DocumentError:
    return DocumentError(
        "Damaged Word file",
        "The Word XML file is damaged.",
        "Open it in Word and save a copy as DOCX.",
        DocumentProblem.DAMAGED,
    )
