"""Opens the package of a Word file safely: its parts, styles and properties."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from dataclasses import dataclass, field
from xml.etree.ElementTree import Element, ParseError, XMLPullParser

from phasergun_desktop.errors import DocumentError

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_STRICT_W = "http://purl.oclc.org/ooxml/wordprocessingml/main"
_W_URI = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_RELATIONSHIP = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
MAX_PART_BYTES = 400_000_000
MAX_DEPTH = 400
_MAX_ENTRIES = 20_000
_FEED_BYTES = 1 << 20
_REMEDY = "Open it in Word, save it again, and it will be read."


def damaged(detail: str) -> DocumentError:
    """Return the error of a Word file that cannot be read."""
    return DocumentError("Damaged Word file", f"The Word file is damaged: {detail}.", _REMEDY)


@dataclass(frozen=True, slots=True)
class ParagraphStyle:
    """What a paragraph style means for the structure. ``level`` is 1 to 9, 0 for no heading."""

    level: int = 0
    is_title: bool = False
    is_list: bool = False
    is_caption: bool = False


@dataclass(slots=True)
class WordPackage:
    """The parts of a Word file that carry text."""

    body: Element
    styles: dict[str, ParagraphStyle] = field(default_factory=dict)
    notes: list[tuple[str, Element]] = field(default_factory=list)
    margins: list[Element] = field(default_factory=list)
    core: dict[str, str] = field(default_factory=dict)
    pages: int | None = None


def open_word_package(data: bytes) -> WordPackage:
    """Open the Word file in ``data``. Raises DocumentError where it is damaged or a bomb."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            return _read(archive)
    except (zipfile.BadZipFile, EOFError, OSError, NotImplementedError) as error:
        raise damaged("its archive cannot be opened") from error
    except RuntimeError as error:
        raise DocumentError(
            "Password protected",
            "The Word file is password protected.",
            "Save a copy without the password.",
        ) from error


def _read(archive: zipfile.ZipFile) -> WordPackage:
    entries = archive.infolist()
    if len(entries) > _MAX_ENTRIES:
        raise damaged("it has too many parts")
    if sum(entry.file_size for entry in entries) > 4 * MAX_PART_BYTES:
        raise damaged("it unpacks to an unreasonable size")
    names = {entry.filename for entry in entries}
    main = _main_part(archive, names)
    document = _parse(archive, main)
    body = document.find(f"{W}body")
    if body is None:
        raise damaged("it has no body")
    folder = main.rpartition("/")[0]
    package = WordPackage(body)
    styles = _optional(archive, names, f"{folder}/styles.xml")
    if styles is not None:
        package.styles = _paragraph_styles(styles)
    for label, name in (
        ("footnote", "footnotes"),
        ("endnote", "endnotes"),
        ("comment", "comments"),
    ):
        part = _optional(archive, names, f"{folder}/{name}.xml")
        if part is not None:
            package.notes.extend((label, item) for item in part)
    margins = sorted(
        (name for name in names if re.fullmatch(rf"{folder}/(?:header|footer)\d*\.xml", name)),
        key=lambda name: ("footer" in name, len(name), name),
    )
    parts = (_optional(archive, names, name) for name in margins)
    package.margins = [part for part in parts if part is not None]
    package.core = _core_properties(_optional(archive, names, "docProps/core.xml"))
    package.pages = _page_count(_optional(archive, names, "docProps/app.xml"))
    return package


def _main_part(archive: zipfile.ZipFile, names: set[str]) -> str:
    relations = _optional(archive, names, "_rels/.rels")
    for relation in relations if relations is not None else ():
        target = relation.get("Target", "").lstrip("/")
        if relation.get("Type", "").endswith("/officeDocument") and target in names:
            return target
    for name in ("word/document.xml", "word/document2.xml"):
        if name in names:
            return name
    raise damaged("its main part is missing")


def _optional(archive: zipfile.ZipFile, names: set[str], name: str) -> Element | None:
    """Return a part that the text can do without; None where it is absent or broken."""
    if name not in names:
        return None
    try:
        return _parse(archive, name)
    except DocumentError:
        return None


def _parse(archive: zipfile.ZipFile, name: str) -> Element:
    """Parse a part. External entities are never fetched and entity definitions are refused."""
    parser: XMLPullParser[Element] = XMLPullParser(events=("start", "end"))
    depth = size = 0
    root: Element | None = None
    try:
        with archive.open(name) as stream:
            while chunk := stream.read(_FEED_BYTES):
                if size == 0 and b"<!DOCTYPE" in chunk[:4096]:
                    raise damaged("it defines its own XML entities")
                size += len(chunk)
                if size > MAX_PART_BYTES:
                    raise damaged("it unpacks to an unreasonable size")
                parser.feed(_transitional(chunk))
                for item in parser.read_events():
                    event, element = item[0], item[-1]
                    if not isinstance(element, Element):
                        continue
                    root = element if root is None else root
                    depth += 1 if event == "start" else -1
                    if depth > MAX_DEPTH:
                        raise damaged("it is nested too deeply")
        parser.close()
    except ParseError as error:
        raise damaged("its XML is not well formed") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ValueError, OSError) as error:
        raise damaged("its archive cannot be unpacked") from error
    if root is None:
        raise damaged("a part is empty")
    return root


def _transitional(chunk: bytes) -> bytes:
    """Map the namespace of Strict Open XML to the usual one."""
    return chunk.replace(_STRICT_W.encode(), _W_URI.encode()) if b"purl.oclc" in chunk else chunk


def _paragraph_styles(root: Element) -> dict[str, ParagraphStyle]:
    found = {
        style.get(f"{W}styleId", ""): style
        for style in root.iter(f"{W}style")
        if style.get(f"{W}type", "paragraph") == "paragraph"
    }
    return {style_id: _style(style_id, found) for style_id in found}


def _style(style_id: str, found: dict[str, Element]) -> ParagraphStyle:
    """Return the meaning of a style by its name, its outline level or the one it is based on."""
    seen: set[str] = set()
    is_list = False
    while style_id in found and style_id not in seen:
        seen.add(style_id)
        style = found[style_id]
        name = _value(style.find(f"{W}name")).lower()
        match = re.fullmatch(r"heading\s*([1-9])", name)
        if match:
            return ParagraphStyle(level=int(match.group(1)))
        if name == "title":
            return ParagraphStyle(level=1, is_title=True)
        if name == "caption":
            return ParagraphStyle(is_caption=True)
        outline = style.find(f"{W}pPr/{W}outlineLvl")
        if outline is not None and _value(outline) in "012345678" and _value(outline):
            return ParagraphStyle(level=int(_value(outline)) + 1)
        numbered = style.find(f"{W}pPr/{W}numPr") is not None
        is_list = is_list or name.startswith("list ") or numbered
        style_id = _value(style.find(f"{W}basedOn"))
    return ParagraphStyle(is_list=is_list)


def _value(element: Element | None) -> str:
    return "" if element is None else element.get(f"{W}val", "")


def _core_properties(root: Element | None) -> dict[str, str]:
    """Return title, creator, created, modified and language, as far as they are stated."""
    if root is None:
        return {}
    found = {element.tag.rpartition("}")[2]: (element.text or "").strip() for element in root}
    return {key: value for key, value in found.items() if value}


def _page_count(root: Element | None) -> int | None:
    for element in root if root is not None else ():
        if element.tag.endswith("}Pages") and (element.text or "").strip().isdigit():
            return int((element.text or "0").strip()) or None
    return None
