"""Parses the XML of Office files that nobody vouches for.

No entity is resolved (a document type definition is left out of what the parser sees), nothing
is fetched, bytes that XML does not allow are dropped, and the namespaces of Strict Open XML are
read as the usual ones. What was parsed before a damage is kept.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Iterable, Iterator
from html.entities import name2codepoint
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from phasergun_desktop.documents.container.zip_parts import PartError

_STRICT = "http://purl.oclc.org/ooxml/"
_STRICT_NAMESPACE = re.compile(r"""http://purl\.oclc\.org/ooxml/(\w+)/([\w/]+)(?=["'])""")
_USUAL_NAMESPACE = r"http://schemas.openxmlformats.org/\1/2006/\2"
_ENCODING = re.compile(rb"""^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.-]{1,40})["']""")
# Python knows codecs that unpack or execute nothing but are no spellings of text either.
_TEXT_CODEC = re.compile(
    r"^(utf|iso|latin|windows|cp|us-ascii|ascii|koi8|gb|big5|shift|sjis|euc|mac)"
)
_PROLOG = re.compile(r"\s*(?:(?:<\?.*?\?>|<!--.*?-->)\s*)*", re.DOTALL)
_DOCTYPE = re.compile(r"<!DOCTYPE[^>\[]*(?:\[.*?\]\s*)?>", re.DOTALL)
_REFERENCE = re.compile(r"&(#?\w{0,40};?)")
_DECLARATION = re.compile(r"^<\?xml[^>]*\?>")
_CONTROLS = bytes(code for code in range(32) if code not in b"\t\n\r")
_NOT_CHARACTERS = (b"\xef\xbf\xbe", b"\xef\xbf\xbf")
_KNOWN = frozenset({"amp;", "lt;", "gt;", "quot;", "apos;"})
_CARRIED = 1 << 20


class XmlPart:
    """One part being parsed; ``root`` is what there is of it so far.

    ``has_entities`` says that the part declares entities of its own; they are not resolved.
    """

    def __init__(self) -> None:
        self._builder = TreeBuilder()
        # It never sees a document type definition, so that there is no entity to resolve.
        self._parser = XMLParser(target=self._builder)  # noqa: S314
        self._decoder: codecs.IncrementalDecoder | None = None
        self._pending = ""
        self._has_started = False
        self.has_entities = False

    @property
    def root(self) -> Element | None:
        """The outermost element, None as long as it has not begun."""
        # The builder gives what it has at any time; it is the parser that is closed at the end.
        return self._builder.close()

    def feed(self, chunk: bytes) -> None:
        """Parse further bytes. Raises PartError where they are not well formed."""
        if self._decoder is None:
            self._decoder = _decoder(chunk)
        self._pending += self._decoder.decode(chunk)
        # Cut after a tag, so that no reference to a character is torn apart.
        whole, mark, rest = self._pending.rpartition(">")
        if not mark and len(rest) < _CARRIED:
            return
        self._pending = rest if mark else ""
        self._parse(whole + mark if mark else rest)

    def close(self) -> None:
        """Parse what is left. Raises PartError where the part is not complete."""
        self._parse(self._pending)
        self._pending = ""
        try:
            self._parser.close()
        except ParseError as error:
            raise PartError("its XML is not complete") from error
        if self.root is None:
            raise PartError("a part is empty")

    def _parse(self, text: str) -> None:
        if not self._has_started:
            text = self._without_document_type(text)
        if "&" in text:
            text = _REFERENCE.sub(_plain_reference, text)
        if _STRICT in text:
            text = _STRICT_NAMESPACE.sub(_USUAL_NAMESPACE, text)
        # The parser reads UTF-8 whatever the part was; what is forbidden in XML is left out.
        encoded = text.encode("utf-8", errors="replace").translate(None, _CONTROLS)
        for code in _NOT_CHARACTERS:
            encoded = encoded.replace(code, b"")
        try:
            self._parser.feed(encoded)
        except ParseError as error:
            raise PartError("its XML is not well formed") from error

    def _without_document_type(self, text: str) -> str:
        text = _DECLARATION.sub("", text.removeprefix("\ufeff").lstrip())
        prolog = _PROLOG.match(text)
        start = prolog.end() if prolog else 0
        if start < len(text):
            self._has_started = True
        if not text.startswith("<!DOCTYPE", start):
            return text
        self.has_entities = "<!ENTITY" in text
        declared = _DOCTYPE.match(text, start)
        if declared is None:
            raise PartError("it defines its own XML entities")
        return text[:start] + text[declared.end() :]


def read_xml(chunks: Iterable[bytes], part: XmlPart) -> PartError | None:
    """Read ``part`` as far as it goes; return the damage that ends it, None at its end."""
    try:
        for chunk in chunks:
            part.feed(chunk)
        part.close()
    except PartError as error:
        return error
    return None


def streamed_children(chunks: Iterable[bytes], part: XmlPart, tag: str) -> Iterator[Element]:
    """Yield the children of the first ``tag`` below the outermost element, one after the other.

    A child is handed out once it is complete and forgotten then, so that memory does not grow
    with the part. Where the part is damaged, what was read of it comes out before PartError.
    """
    holder: Element | None = None
    damage: PartError | None = None
    try:
        for chunk in chunks:
            part.feed(chunk)
            if holder is None and part.root is not None:
                holder = part.root.find(tag)
            if holder is not None and len(holder) > 1:
                # Only the last child can still be growing.
                complete = holder[:-1]
                del holder[:-1]
                yield from complete
        part.close()
    except PartError as error:
        damage = error
    if holder is None and part.root is not None:
        holder = part.root.find(tag)
    if holder is not None:
        yield from holder
    if damage is not None:
        raise damage


def _decoder(start: bytes) -> codecs.IncrementalDecoder:
    for mark, name in (
        (codecs.BOM_UTF32_LE, "utf-32"),
        (codecs.BOM_UTF16_LE, "utf-16"),
        (codecs.BOM_UTF16_BE, "utf-16"),
        (b"<\x00", "utf-16-le"),
        (b"\x00<", "utf-16-be"),
    ):
        if start.startswith(mark):
            return codecs.getincrementaldecoder(name)(errors="replace")
    stated = _ENCODING.match(start)
    name = stated[1].decode("ascii").lower() if stated else "utf-8"
    if not _TEXT_CODEC.match(name):
        name = "utf-8"
    try:
        # UTF-16 without its mark or zeros is a wrong statement.
        return codecs.getincrementaldecoder("utf-8" if name.startswith("utf") else name)(
            errors="replace"
        )
    except LookupError:
        return codecs.getincrementaldecoder("utf-8")(errors="replace")


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
