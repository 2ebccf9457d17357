"""Parses the XML of Office files that nobody vouches for.

No entity is resolved (no reference to one reaches the parser), nothing is fetched, characters
that XML does not allow are dropped, and the namespaces of Strict Open XML are read as the usual
ones. What was parsed before a damage is kept.
"""

from __future__ import annotations

import re
from collections.abc import Container
from html.entities import name2codepoint
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from phasergun_desktop.documents.container.zip_parts import PartError

MC = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
A = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
C = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
DGM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
M = "{http://schemas.openxmlformats.org/officeDocument/2006/math}"
R = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
_STRICT = "http://purl.oclc.org/ooxml/"
_STRICT_NAMESPACE = re.compile(r"""http://purl\.oclc\.org/ooxml/(\w+)/([\w/]+)(?=["'])""")
_USUAL_NAMESPACE = r"http://schemas.openxmlformats.org/\1/2006/\2"
_ENCODING = re.compile(rb"""^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{1,40})["']""")
_WIDE = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"<\0": "utf-16-le", b"\0<": "utf-16-be"}
_REFERENCE = re.compile(r"&(#?\w{0,40};?)")
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_NOT_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_KNOWN = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})


def parse_xml(
    data: bytes, damage: PartError | None = None
) -> tuple[Element | None, PartError | None, bool]:
    """Parse a part as far as it goes; ``damage`` is what has cut ``data`` off, if anything.

    Return its outermost element, its damage, and whether it declares entities of its own.
    """
    text = _DECLARATION.sub("", _decoded(data).lstrip("\ufeff \t\r\n"))
    if damage is not None:
        text = text[: text.rfind(">") + 1]
    has_entities = "<!ENTITY" in text
    if "&" in text:
        text = _REFERENCE.sub(_plain_reference, text)
    if _STRICT in text:
        text = _STRICT_NAMESPACE.sub(_USUAL_NAMESPACE, text)
    encoded = text.encode("utf-8", errors="replace").translate(None, _CONTROLS)
    for code in _NOT_CHARACTERS:
        encoded = encoded.replace(code, b"")
    builder = TreeBuilder()
    parser = XMLParser(target=builder)  # noqa: S314
    try:
        parser.feed(encoded)
        parser.close()
    except ParseError:
        damage = damage or PartError("its XML is not complete")
    # The builder gives what it has at any time.
    return builder.close(), damage, has_entities


def chosen_branch(element: Element, content: Container[str]) -> Element | None:
    """Return the branch of ``mc:AlternateContent`` that is read.

    All show the same; the first one with an element of ``content`` is taken, else the first.
    """
    branches = [branch for branch in element if branch.tag in (f"{MC}Choice", f"{MC}Fallback")]
    filled = (branch for branch in branches if any(each.tag in content for each in branch.iter()))
    return next(filled, next(iter(branches), None))


def _decoded(data: bytes) -> str:
    name = _WIDE.get(data[:2])
    if name is None:
        stated = _ENCODING.match(data)
        name = stated[1].decode("ascii").lower() if stated else "utf-8"
        # UTF-16 without its mark or zeros is a wrong statement.
        name = "utf-8" if name.startswith("utf") else name
    try:
        return data.decode(name, "replace")
    except (LookupError, UnicodeError):
        return data.decode("utf-8", "replace")


def _plain_reference(match: re.Match[str]) -> str:
    """Return what a reference may stand for: predefined ones and allowed characters stay."""
    name = match[1]
    if name in _KNOWN:
        return match[0]
    if not name.endswith(";"):
        return f"&amp;{name}"
    if name.startswith("#"):
        digits = name[1:-1]
        try:
            code = int(digits[1:], 16) if digits[:1] in ("x", "X") else int(digits)
        except ValueError:
            return ""
        allowed = code in (9, 10, 13) or 32 <= code < 0xD800 or 0xE000 <= code < 0xFFFE
        return match[0] if allowed or 0x10000 <= code <= 0x10FFFF else ""
    named = name2codepoint.get(name[:-1])
    return chr(named) if named else ""
