"""Opens the package of an Office file: its parts, how they refer to one another, its properties.

A file with a missing, broken or wrongly named part is read as far as it goes; nothing outside of
the file is ever fetched.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.container.xml_parts import parse_xml
from phasergun_desktop.documents.container.zip_parts import (
    PartError,
    PartTooLargeError,
    ZipParts,
)
from phasergun_desktop.errors import DocumentError, DocumentProblem

_ENTITIES_LEFT_OUT = "The file defines XML entities of its own; they were left out."


@dataclass(frozen=True, slots=True)
class Relation:
    """One reference of a part: the last word of its type, and the name of the part meant."""

    kind: str
    target: str


class OfficePackage:
    """The parts of the Office file in ``data``; ``program`` is named in the sentences of errors.

    Raises DocumentError where the file is damaged beyond reading, a bomb, or has a password.
    ``remarks`` are sentences about what could not be read, each for the reader of the document.
    """

    def __init__(self, data: bytes, program: str) -> None:
        self._program = program
        self.remarks: list[str] = []
        try:
            self.parts = ZipParts(data)
        except PartError as error:
            raise self.failure(error) from error
        if self.parts.is_encrypted:
            raise DocumentError(
                "Password protected",
                f"The {program} file is password protected.",
                "Save a copy without the password.",
                DocumentProblem.PASSWORD,
            )
        if self.parts.is_recovered:
            self.remarks.append("The file was cut off; what is left of it was read.")
        self.relations = self.relations_of("")

    def damaged(self, detail: str) -> DocumentError:
        """Return the error of a file that cannot be read."""
        return DocumentError(
            f"Damaged {self._program} file",
            f"The {self._program} file is damaged: {detail}.",
            f"Open it in {self._program}, save it again, and it will be read.",
            DocumentProblem.DAMAGED,
        )

    def failure(self, error: PartError) -> DocumentError:
        """Return the error of a file of which a part that it cannot do without is unreadable."""
        if not isinstance(error, PartTooLargeError):
            return self.damaged(str(error))
        return DocumentError(
            f"{self._program} file too large",
            f"The {self._program} file cannot be read: {error}.",
            f"Check where it comes from, or save a smaller copy in {self._program}.",
            DocumentProblem.TOO_LARGE,
        )

    def readable(self, name: str) -> tuple[Element | None, PartError | None]:
        """Return the XML of the part ``name`` as far as it is readable, and what ends it."""
        root, damage, has_entities = parse_xml(*self.parts.read(name))
        if has_entities and _ENTITIES_LEFT_OUT not in self.remarks:
            self.remarks.append(_ENTITIES_LEFT_OUT)
        return root, damage

    def xml(self, name: str) -> Element | None:
        """Return the XML of the part ``name`` as far as it is readable; None where it is not."""
        return self.readable(name)[0]

    def relations_of(self, name: str) -> dict[str, Relation]:
        """Return what the part ``name`` (empty: the package) refers to inside of the file."""
        folder, _, file = name.rpartition("/")
        root = self.xml(posixpath.join(folder, "_rels", f"{file}.rels"))
        found: dict[str, Relation] = {}
        for element in root if root is not None else ():
            target = unquote(element.get("Target", "")).replace("\\", "/")
            if element.get("TargetMode") == "External" or not target:
                continue
            joined = posixpath.normpath(posixpath.join("/", folder, target)).lstrip("/")
            kind = element.get("Type", "").rpartition("/")[2]
            found[element.get("Id", "")] = Relation(kind, joined)
        return found

    def targets(self, relations: dict[str, Relation], kind: str) -> Iterator[str]:
        """Yield the names of the parts of a kind that ``relations`` lead to and the file has."""
        for relation in relations.values():
            if relation.kind == kind and relation.target in self.parts:
                yield relation.target

    def described(self, kind: str, usual_name: str) -> Element | None:
        """Return the part of the package that describes the file in one way."""
        return self.xml(next(self.targets(self.relations, kind), usual_name))

    def core_properties(self) -> dict[str, str]:
        """Return title, creator, created, modified, language and others, as far as stated."""
        return self.texts_of("core-properties", "docProps/core.xml")

    def texts_of(self, kind: str, usual_name: str) -> dict[str, str]:
        """Return the texts of a part that describes the file, by the names of their elements."""
        root = self.described(kind, usual_name)
        found = {
            element.tag.rpartition("}")[2]: (element.text or "").strip()
            for element in (root if root is not None else ())
        }
        return {key: text for key, text in found.items() if text}
