"""Opens the package of a Word file: its parts, how they refer to one another, its properties.

A file with a missing, broken or wrongly named part is read as far as it goes; nothing outside of
the file is ever fetched.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.word.word_names import W
from phasergun_desktop.documents.xml_parts import XmlPart, parse_xml, streamed_children
from phasergun_desktop.documents.zip_parts import (
    PartError,
    PartTooLargeError,
    ZipParts,
    part_key,
)
from phasergun_desktop.errors import DocumentError, DocumentProblem

_DOCUMENT_NAME = re.compile(r"(?:^|/)document\d*\.xml$", re.IGNORECASE)
_MAIN_TYPE = re.compile(r"(?:wordprocessingml|ms-word)\.(?:document|template).*main\+xml")
_MAX_SEARCHED_PARTS = 100
_PERCENT = re.compile(rb"%([0-9A-Fa-f]{2})")
# What programs keep in a file for themselves.
_OWN_PROPERTY = re.compile(r"^(?:_|ContentType|MediaService|KSO|MSIP_|TaxKeyword|Classification)")
_MAX_PROPERTIES = 60
_ENTITIES_LEFT_OUT = "The file defines XML entities of its own; they were left out."


def damaged(detail: str) -> DocumentError:
    """Return the error of a Word file that cannot be read."""
    return DocumentError(
        "Damaged Word file",
        f"The Word file is damaged: {detail}.",
        "Open it in Word, save it again, and it will be read.",
        DocumentProblem.DAMAGED,
    )


def _failure(error: PartError) -> DocumentError:
    if isinstance(error, PartTooLargeError):
        return DocumentError(
            "Word file too large",
            f"The Word file cannot be read: {error}.",
            "Check where it comes from, or save a smaller copy in Word.",
            DocumentProblem.TOO_LARGE,
        )
    return damaged(str(error))


@dataclass(frozen=True, slots=True)
class Relation:
    """One reference of a part: the last word of its type, and the name of the part meant."""

    kind: str
    target: str


class WordPackage:
    """The parts of the Word file in ``data``.

    Raises DocumentError where the file is damaged beyond reading, a bomb, or has a password.
    ``remarks`` are sentences about what could not be read, each for the reader of the document.
    """

    def __init__(self, data: bytes) -> None:
        self.remarks: list[str] = []
        try:
            self._parts = ZipParts(data)
        except PartError as error:
            raise _failure(error) from error
        if self._parts.is_encrypted:
            raise DocumentError(
                "Password protected",
                "The Word file is password protected.",
                "Save a copy without the password.",
                DocumentProblem.PASSWORD,
            )
        if self._parts.is_recovered:
            self.remarks.append("The file was cut off; what is left of it was read.")
        self._package_relations = self._relations_of("")
        self._main = self._main_part()
        self._relations = self._relations_of(self._main)

    def body(self) -> Iterator[Element]:
        """Yield the children of the document's body one after the other.

        Damage that is met on the way becomes a remark once the text before it is out. Raises
        DocumentError where the part is not a document or bursts.
        """
        part = XmlPart()
        try:
            yield from streamed_children(self._parts.chunks(self._main), part, f"{W}body")
        except PartTooLargeError as error:
            raise _failure(error) from error
        except PartError as error:
            if part.root is None:
                raise damaged(str(error)) from error
            self.remarks.append(f"The file is damaged ({error}); it was read as far as it goes.")
        if part.root is not None and part.root.tag not in (f"{W}document", f"{W}glossaryDocument"):
            raise damaged("its main part is not a document")
        if part.has_entities:
            self.remarks.append(_ENTITIES_LEFT_OUT)

    def part(self, kind: str) -> Element | None:
        """Return the part of a kind ("styles"), None where it is absent or unreadable."""
        for name in self.names_of(kind):
            root = self.xml(name)
            if root is not None:
                return root
        return None

    def names_of(self, kind: str) -> tuple[str, ...]:
        """Return the names of the parts of a kind that the document refers to.

        Where it refers to none, parts beside it with the usual name are taken.
        """
        stated = [each.target for each in self._relations.values() if each.kind == kind]
        if stated:
            return tuple(dict.fromkeys(stated))
        folder = self._main.rpartition("/")[0]
        usual = re.compile(rf"{re.escape(folder)}/{kind}\d*\.xml", re.IGNORECASE)
        found = (name for name in self._parts.names if usual.fullmatch(name))
        return tuple(sorted(found, key=lambda name: (len(name), name)))

    def target(self, relation_id: str) -> str:
        """Return the name of the part that the document means by an id, ``""`` where none is."""
        relation = self._relations.get(relation_id)
        return relation.target if relation is not None else ""

    def xml(self, name: str) -> Element | None:
        """Return the XML of the part ``name`` as far as it is readable; None where it is not."""
        if name not in self._parts:
            return None
        try:
            return parse_xml(self._parts.chunks(name))
        except PartError:
            return None

    def content(self, name: str, max_bytes: int) -> bytes | None:
        """Return the bytes of the part ``name``; None where it is absent, damaged or larger."""
        try:
            return self._parts.read(name, max_bytes)
        except PartError:
            return None

    def properties(self, language: str) -> FileProperties:
        """Return what the file says of itself; ``language`` is that of its styles."""
        core = self._texts("core-properties", "docProps/core.xml")
        counts = self._texts("extended-properties", "docProps/app.xml")
        return FileProperties(
            title=core.get("title", ""),
            author=core.get("creator", ""),
            created=core.get("created", ""),
            modified=core.get("modified", ""),
            language=core.get("language", "") or language,
            pages=_count(counts.get("Pages", "")) or None,
            stated_words=_count(counts.get("Words", "")),
            front_matter=self._custom_properties(),
        )

    def _texts(self, kind: str, usual_name: str) -> dict[str, str]:
        root = self._package_part(kind, usual_name)
        found = {
            element.tag.rpartition("}")[2]: (element.text or "").strip()
            for element in (root if root is not None else ())
        }
        return {key: text for key, text in found.items() if text}

    def _custom_properties(self) -> tuple[tuple[str, str], ...]:
        """Return the properties that the company has added, such as a document number."""
        root = self._package_part("custom-properties", "docProps/custom.xml")
        found: list[tuple[str, str]] = []
        for element in root if root is not None else ():
            name = element.get("name", "").strip()
            text = " ".join("".join(element.itertext()).split())
            if name and text and len(text) <= 500 and not _OWN_PROPERTY.match(name):
                found.append((name[:100], text))
        return tuple(found[:_MAX_PROPERTIES])

    def _package_part(self, kind: str, usual_name: str) -> Element | None:
        stated = (each.target for each in self._package_relations.values() if each.kind == kind)
        return self.xml(next(stated, usual_name))

    def _main_part(self) -> str:
        for relation in self._package_relations.values():
            if relation.kind == "officeDocument":
                return relation.target
        types = self.xml("[Content_Types].xml")
        for element in types if types is not None else ():
            name = element.get("PartName", "")
            if name in self._parts and _MAIN_TYPE.search(element.get("ContentType", "")):
                return name.lstrip("/")
        named = [name for name in self._parts.names if _DOCUMENT_NAME.search(name)]
        named.sort(key=lambda name: (not part_key(name).startswith("word/"), len(name)))
        others = (name for name in self._parts.names if part_key(name).endswith(".xml"))
        for name in [*named, *others][:_MAX_SEARCHED_PARTS]:
            if self._starts_document(name):
                return name
        raise damaged("its main part is missing")

    def _starts_document(self, name: str) -> bool:
        part = XmlPart()
        try:
            for chunk in self._parts.chunks(name):
                part.feed(chunk)
                if part.root is not None:
                    break
        except PartError:
            pass
        return part.root is not None and part.root.tag == f"{W}document"

    def _relations_of(self, name: str) -> dict[str, Relation]:
        """Return what the part ``name`` (empty: the package) refers to inside of the file."""
        folder, _, file = name.rpartition("/")
        root = self.xml(posixpath.join(folder, "_rels", f"{file}.rels"))
        found: dict[str, Relation] = {}
        for element in root if root is not None else ():
            target = _unquoted(element.get("Target", "")).replace("\\", "/")
            if element.get("TargetMode") == "External" or not target:
                continue
            joined = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            if joined in self._parts:
                kind = element.get("Type", "").rpartition("/")[2]
                found[element.get("Id", "")] = Relation(kind, joined)
        return found


def _unquoted(target: str) -> str:
    """Return ``target`` with ``%20`` and the like as the characters they stand for."""
    plain = _PERCENT.sub(
        lambda match: bytes([int(match[1], 16)]), target.encode("utf-8", errors="replace")
    )
    return plain.decode("utf-8", errors="replace")


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
