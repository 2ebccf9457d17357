"""Finds the parts of a Word file, wherever they are, and what it says of itself."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element

from phasergun_desktop.documents.container.office_package import OfficePackage
from phasergun_desktop.documents.container.zip_parts import PartTooLargeError, part_key
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.word.word_names import W

_DOCUMENT_NAME = re.compile(r"(?:^|/)document\d*\.xml$", re.IGNORECASE)
_MAIN_TYPE = re.compile(r"(?:wordprocessingml|ms-word)\.(?:document|template).*main\+xml")
_MAX_SEARCHED_PARTS = 100
# What programs keep in a file for themselves.
_OWN_PROPERTY = re.compile(r"^(?:_|ContentType|MediaService|KSO|MSIP_|TaxKeyword|Classification)")
_MAX_PROPERTIES = 60
MAX_EMBEDDED_BYTES = 50_000_000


@dataclass(slots=True)
class WordDocument:
    """A document of another format in the XML of Word files: its body, and parts by their kind."""

    main: Element
    parts: dict[str, list[Element]] = field(default_factory=dict)

    def body(self) -> Element:
        """Return the document's body."""
        return self.main

    def parts_of(self, kind: str) -> Iterator[Element]:
        """Yield the parts of a kind ("styles", "header")."""
        yield from self.parts.get(kind, ())

    def linked(self, relation_id: str) -> Element | None:
        """Return None: no part is linked."""
        return None

    def embedded(self, relation_id: str) -> tuple[str, bytes | None]:
        """Return nothing: no file is embedded."""
        return "", None


class WordPackage(OfficePackage):
    """The parts of the Word file in ``data``. Raises DocumentError as the package does."""

    def __init__(self, data: bytes) -> None:
        super().__init__(data, "Word")
        self._main = self._main_part()
        self._main_relations = self.relations_of(self._main)

    def body(self) -> Element:
        """Return the document's body; damage becomes a remark.

        Raises DocumentError where the part is not a document or bursts.
        """
        root, damage = self.readable(self._main)
        if damage is not None:
            if root is None or isinstance(damage, PartTooLargeError):
                raise self.failure(damage)
            self.remarks.append(f"The file is damaged ({damage}); it was read as far as it goes.")
        if root is None or root.tag not in (f"{W}document", f"{W}glossaryDocument"):
            raise self.damaged("its main part is not a document")
        body = root.find(f"{W}body")
        return root if body is None else body

    def parts_of(self, kind: str) -> Iterator[Element]:
        """Yield the readable parts of a kind ("styles", "header")."""
        for name in self._names_of(kind):
            root = self.xml(name)
            if root is not None:
                yield root

    def _names_of(self, kind: str) -> tuple[str, ...]:
        """Return the names of the parts of a kind that the document refers to.

        Where it refers to none, parts beside it with the usual name are taken.
        """
        stated = tuple(dict.fromkeys(self.targets(self._main_relations, kind)))
        if stated:
            return stated
        folder = self._main.rpartition("/")[0]
        usual = re.compile(rf"{re.escape(folder)}/{kind}\d*\.xml", re.IGNORECASE)
        found = (name for name in self.parts.names if usual.fullmatch(name))
        return tuple(sorted(found, key=lambda name: (len(name), name)))

    def inner_files(self) -> list[str]:
        """Return the names of the files and objects that the document embeds."""
        kinds = ("package", "oleObject")
        targets = (name for kind in kinds for name in self.targets(self._main_relations, kind))
        return [name.rpartition("/")[2] for name in targets]

    def linked(self, relation_id: str) -> Element | None:
        """Return the XML of the part that the document means by an id."""
        return self.xml(self._target(relation_id))

    def embedded(self, relation_id: str) -> tuple[str, bytes | None]:
        """Return name and content of the file that the document means by an id."""
        name = self._target(relation_id)
        data, damage = self.parts.read(name, MAX_EMBEDDED_BYTES)
        return name, data if damage is None else None

    def _target(self, relation_id: str) -> str:
        relation = self._main_relations.get(relation_id)
        return relation.target if relation is not None else ""

    def properties(self, language: str) -> FileProperties:
        """Return what the file says of itself; ``language`` is that of its styles."""
        core = self.core_properties()
        counts = self.texts_of("extended-properties", "docProps/app.xml")
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

    def _custom_properties(self) -> tuple[tuple[str, str], ...]:
        """Return the properties that the company has added, such as a document number."""
        root = self.described("custom-properties", "docProps/custom.xml")
        found: list[tuple[str, str]] = []
        for element in root if root is not None else ():
            name = element.get("name", "").strip()
            text = " ".join("".join(element.itertext()).split())
            if name and text and len(text) <= 500 and not _OWN_PROPERTY.match(name):
                found.append((name[:100], text))
        return tuple(found[:_MAX_PROPERTIES])

    def _main_part(self) -> str:
        for name in self.targets(self.relations, "officeDocument"):
            return name
        types = self.xml("[Content_Types].xml")
        for element in types if types is not None else ():
            name = element.get("PartName", "")
            if name in self.parts and _MAIN_TYPE.search(element.get("ContentType", "")):
                return name.lstrip("/")
        named = [name for name in self.parts.names if _DOCUMENT_NAME.search(name)]
        named.sort(key=lambda name: (not part_key(name).startswith("word/"), len(name)))
        others = (name for name in self.parts.names if part_key(name).endswith(".xml"))
        for name in [*named, *others][:_MAX_SEARCHED_PARTS]:
            root, damage = self.readable(name)
            if isinstance(damage, PartTooLargeError):
                raise self.failure(damage)
            if root is not None and root.tag == f"{W}document":
                return name
        raise self.damaged("its main part is missing")


def _count(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None
