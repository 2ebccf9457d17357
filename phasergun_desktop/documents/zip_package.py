"""Opens the package of an Office file: its parts and how they refer to one another, safely.

Nothing outside of the file is ever fetched, entity definitions are refused, and what unpacks
to an unreasonable size ends as an error.
"""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
import zlib
from dataclasses import dataclass
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from phasergun_desktop.errors import DocumentError, DocumentProblem

MAX_PART_BYTES = 400_000_000
MAX_DEPTH = 400
_MAX_ENTRIES = 20_000
_FEED_BYTES = 1 << 20
_STRICT = b"http://purl.oclc.org/ooxml/"
# The namespaces of Strict Open XML that are spelled differently from the usual ones.
_TRANSITIONAL = (
    (b"officeDocument/relationships", b"officeDocument/2006/relationships"),
    (b"officeDocument/math", b"officeDocument/2006/math"),
    (b"presentationml/main", b"presentationml/2006/main"),
    (b"wordprocessingml/main", b"wordprocessingml/2006/main"),
    (b"drawingml/main", b"drawingml/2006/main"),
    (b"drawingml/chart", b"drawingml/2006/chart"),
    (b"drawingml/diagram", b"drawingml/2006/diagram"),
)


@dataclass(frozen=True, slots=True)
class Relationship:
    """One reference of a part: the last word of its type and the part it leads to."""

    kind: str
    target: str


class ZipPackage:
    """The parts of one Office file by name; ``program`` is named in the sentences of errors.

    Part names are compared without regard to case, as the format asks for.
    """

    def __init__(self, data: bytes, program: str) -> None:
        self._program = program
        try:
            self._archive = zipfile.ZipFile(io.BytesIO(data))
        except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError, ValueError) as error:
            raise self.damaged("its archive cannot be opened") from error
        entries = self._archive.infolist()
        if len(entries) > _MAX_ENTRIES:
            raise self.damaged("it has too many parts")
        if sum(entry.file_size for entry in entries) > 4 * MAX_PART_BYTES:
            raise self.damaged("it unpacks to an unreasonable size")
        if any(entry.flag_bits & 1 for entry in entries):
            raise DocumentError(
                "Password protected",
                f"The {program} file is password protected.",
                "Save a copy without the password.",
                DocumentProblem.PASSWORD,
            )
        self._entries = {_key(entry.filename): entry for entry in entries}

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all parts in lower case, in the order of the archive."""
        return tuple(self._entries)

    def damaged(self, detail: str) -> DocumentError:
        """Return the error of a file that cannot be read."""
        return DocumentError(
            f"Damaged {self._program} file",
            f"The {self._program} file is damaged: {detail}.",
            f"Open it in {self._program}, save it again, and it will be read.",
            DocumentProblem.DAMAGED,
        )

    def part(self, name: str) -> Element:
        """Return the XML of the part ``name``. Raises DocumentError."""
        entry = self._entries.get(_key(name))
        if entry is None:
            raise self.damaged("one of its parts is missing")
        parser: XMLPullParser[Element] = XMLPullParser(events=("start", "end"))
        depth = size = 0
        root: Element | None = None
        try:
            with self._archive.open(entry) as stream:
                while chunk := stream.read(_FEED_BYTES):
                    # Without the zeros: the text may be UTF-16.
                    if size == 0 and b"<!DOCTYPE" in chunk.replace(b"\0", b""):
                        raise self.damaged("it defines its own XML entities")
                    size += len(chunk)
                    if size > MAX_PART_BYTES:
                        raise self.damaged("it unpacks to an unreasonable size")
                    parser.feed(_transitional(chunk))
                    for item in parser.read_events():
                        event, element = item[0], item[-1]
                        if not isinstance(element, Element):
                            continue
                        root = element if root is None else root
                        depth += 1 if event == "start" else -1
                        if depth > MAX_DEPTH:
                            raise self.damaged("it is nested too deeply")
            parser.close()
        except (ParseError, LookupError) as error:
            # LookupError: the part names an encoding that does not exist.
            raise self.damaged("its XML is not well formed") from error
        except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as error:
            raise self.damaged("its archive cannot be unpacked") from error
        except (NotImplementedError, RuntimeError) as error:
            raise self.damaged("its archive is packed in an unknown way") from error
        if root is None:
            raise self.damaged("a part is empty")
        return root

    def optional(self, name: str) -> Element | None:
        """Return a part that the text can do without; None where it is absent or broken."""
        if _key(name) not in self._entries:
            return None
        try:
            return self.part(name)
        except DocumentError:
            return None

    def relationships(self, name: str) -> dict[str, Relationship]:
        """Return what the part ``name`` refers to inside of the file, by relationship id.

        ``name`` is empty for the package itself. References to the outside are left out.
        """
        folder, _, file = name.rpartition("/")
        root = self.optional(f"{folder}/_rels/{file}.rels")
        found: dict[str, Relationship] = {}
        for relation in root if root is not None else ():
            target = _unquoted(relation.get("Target", ""))
            if relation.get("TargetMode") == "External" or not target:
                continue
            joined = posixpath.normpath(posixpath.join("/", folder, target))
            kind = relation.get("Type", "").rpartition("/")[2]
            found[relation.get("Id", "")] = Relationship(kind, joined.lstrip("/"))
        return found

    def core_properties(self) -> dict[str, str]:
        """Return title, creator, created, modified, language and others, as far as stated."""
        root = self.optional("docProps/core.xml")
        found = {
            element.tag.rpartition("}")[2]: (element.text or "").strip()
            for element in (root if root is not None else ())
        }
        return {key: value for key, value in found.items() if value}


def _key(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _unquoted(target: str) -> str:
    """Return ``target`` with ``%20`` and the like as the characters they stand for."""
    plain = re.sub(
        rb"%([0-9A-Fa-f]{2})", lambda match: bytes([int(match[1], 16)]), target.encode("utf-8")
    )
    return plain.decode("utf-8", errors="replace")


def _transitional(chunk: bytes) -> bytes:
    if _STRICT not in chunk:
        return chunk
    for strict, usual in _TRANSITIONAL:
        chunk = chunk.replace(_STRICT + strict, b"http://schemas.openxmlformats.org/" + usual)
    return chunk
