"""Parsed documents and locators as JSON, for the index and for the pipe of the child process."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import cast

from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    LineLocator,
    Locator,
    Page,
    PageLocator,
    ParagraphLocator,
    ParsedDocument,
    Rect,
    RowLocator,
    Segment,
    SlideLocator,
    TimeLocator,
)

Json = dict[str, object]


def locator_to_json(locator: Locator) -> Json:
    """Return ``locator`` in the form of the product's JSON (``type`` and its fields)."""
    match locator:
        case PageLocator():
            return {
                "type": "page",
                "page": locator.page,
                "rects": [_rect_to_json(rect) for rect in locator.rects],
            }
        case ParagraphLocator():
            found: Json = {"type": "paragraph", "heading_path": list(locator.heading_path)}
            for name in ("paragraph", "table", "row", "column"):
                value = getattr(locator, name)
                if value is not None:
                    found[name] = value
            return found
        case SlideLocator():
            return {"type": "slide", "slide": locator.slide, "shape": locator.shape}
        case LineLocator():
            return {"type": "line", "line": locator.line}
        case RowLocator():
            return {"type": "row", "row": locator.row}
        case TimeLocator():
            return {
                "type": "time",
                "start_s": locator.start_s,
                "end_s": locator.end_s,
                "speaker": locator.speaker,
            }


def locator_from_json(data: Mapping[str, object]) -> Locator:
    """Return the locator that ``locator_to_json`` wrote. Raises ValueError on anything else."""
    match data.get("type"):
        case "page":
            rects = tuple(_rect_from_json(rect) for rect in _list(data.get("rects")))
            return PageLocator(_int(data.get("page")), rects)
        case "paragraph":
            return ParagraphLocator(
                _strings(data.get("heading_path")),
                _optional_int(data.get("paragraph")),
                _optional_int(data.get("table")),
                _optional_int(data.get("row")),
                _optional_int(data.get("column")),
            )
        case "slide":
            return SlideLocator(_int(data.get("slide")), _optional_int(data.get("shape")))
        case "line":
            return LineLocator(_int(data.get("line")))
        case "row":
            return RowLocator(_int(data.get("row")))
        case "time":
            speaker = data.get("speaker")
            start, end = _float(data.get("start_s")), _float(data.get("end_s"))
            return TimeLocator(start, end, None if speaker is None else _str(speaker))
        case other:
            raise ValueError(f"unknown locator type {other!r}")


def block_to_json(block: Block) -> Json:
    """Return ``block`` as JSON; fields with their default value are left out."""
    found: Json = {
        "ordinal": block.ordinal,
        "kind": block.kind.value,
        "start": block.start,
        "end": block.end,
        "locator": locator_to_json(block.locator),
    }
    if block.heading_path:
        found["heading_path"] = list(block.heading_path)
    if block.level:
        found["level"] = block.level
    if block.cells:
        found["cells"] = [list(cell) for cell in block.cells]
    if block.is_table_header:
        found["is_table_header"] = True
    if block.segments:
        found["segments"] = [
            [item.start, item.end, item.page, _rect_to_json(item.rect)] for item in block.segments
        ]
    if block.ocr_confidence is not None:
        found["ocr_confidence"] = block.ocr_confidence
    return found


def block_from_json(data: Mapping[str, object]) -> Block:
    """Return the block that ``block_to_json`` wrote. Raises ValueError on anything else."""
    confidence = data.get("ocr_confidence")
    return Block(
        ordinal=_int(data.get("ordinal")),
        kind=BlockKind(_str(data.get("kind"))),
        start=_int(data.get("start")),
        end=_int(data.get("end")),
        locator=locator_from_json(_object(data.get("locator"))),
        heading_path=_strings(data.get("heading_path")),
        level=_int(data.get("level", 0)),
        cells=_pairs(data.get("cells")),
        is_table_header=data.get("is_table_header") is True,
        segments=tuple(_segment_from_json(item) for item in _list(data.get("segments"))),
        ocr_confidence=None if confidence is None else _float(confidence),
    )


def metadata_to_json(metadata: DocumentMetadata) -> Json:
    """Return ``metadata`` as JSON."""
    return {
        "title": metadata.title,
        "author": metadata.author,
        "created": metadata.created,
        "modified": metadata.modified,
        "pages": metadata.pages,
        "words": metadata.words,
        "language": metadata.language,
        "document_number": metadata.document_number,
        "revision": metadata.revision,
        "journal": metadata.journal,
        "authors": list(metadata.authors),
        "published": metadata.published,
        "doi": metadata.doi,
        "pmid": metadata.pmid,
        "pmcid": metadata.pmcid,
        "k_number": metadata.k_number,
        "read_with": metadata.read_with,
        "front_matter": [list(item) for item in metadata.front_matter],
    }


def metadata_from_json(data: Mapping[str, object]) -> DocumentMetadata:
    """Return the metadata that ``metadata_to_json`` wrote. Raises ValueError."""
    return DocumentMetadata(
        title=_str(data.get("title", "")),
        author=_str(data.get("author", "")),
        created=_str(data.get("created", "")),
        modified=_str(data.get("modified", "")),
        pages=_optional_int(data.get("pages")),
        words=_int(data.get("words", 0)),
        language=_str(data.get("language", "")),
        document_number=_str(data.get("document_number", "")),
        revision=_str(data.get("revision", "")),
        journal=_str(data.get("journal", "")),
        authors=_strings(data.get("authors")),
        published=_str(data.get("published", "")),
        doi=_str(data.get("doi", "")),
        pmid=_str(data.get("pmid", "")),
        pmcid=_str(data.get("pmcid", "")),
        k_number=_str(data.get("k_number", "")),
        read_with=_str(data.get("read_with", "")),
        front_matter=_pairs(data.get("front_matter")),
    )


def pages_to_json(pages: Sequence[Page]) -> list[object]:
    """Return ``pages`` as JSON: [width, height] or [width, height, confidence] each."""
    return [
        [page.width, page.height, *([] if (found := page.ocr_confidence) is None else [found])]
        for page in pages
    ]


def pages_from_json(data: object) -> tuple[Page, ...]:
    """Return the pages that ``pages_to_json`` wrote. Raises ValueError on anything else."""
    pages = []
    for values in map(_list, _list(data)):
        if len(values) not in (2, 3):
            raise ValueError("a page has two or three numbers")
        pages.append(Page(*(_float(value) for value in values)))
    return tuple(pages)


def to_json(document: ParsedDocument) -> Json:
    """Return ``document`` as JSON."""
    return {
        "format": document.format,
        "mime": document.mime,
        "text": document.text,
        "blocks": [block_to_json(block) for block in document.blocks],
        "metadata": metadata_to_json(document.metadata),
        "parser_version": document.parser_version,
        "pages": pages_to_json(document.pages),
        "warnings": list(document.warnings),
    }


def from_json(data: Mapping[str, object]) -> ParsedDocument:
    """Return the document that ``to_json`` wrote.

    Raises ValueError where a type is wrong or an offset lies outside of the text, since the
    data may come from a child process that a document has taken over.
    """
    text = _str(data.get("text"))
    blocks = tuple(block_from_json(_object(item)) for item in _list(data.get("blocks")))
    last = 0
    for block in blocks:
        if not last <= block.start <= block.end <= len(text):
            raise ValueError("a block lies outside of the text")
        last = block.end
    return ParsedDocument(
        format=_str(data.get("format")),
        mime=_str(data.get("mime")),
        text=text,
        blocks=blocks,
        metadata=metadata_from_json(_object(data.get("metadata"))),
        parser_version=_str(data.get("parser_version")),
        pages=pages_from_json(data.get("pages")),
        warnings=_strings(data.get("warnings")),
    )


def dumps(data: Json) -> bytes:
    """Return ``data`` as compact UTF-8 JSON."""
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode("utf-8")


def loads(data: bytes) -> Json:
    """Return the JSON object in ``data``. Raises ValueError if it is none."""
    return dict(_object(json.loads(data)))


def _rect_to_json(rect: Rect) -> list[float]:
    return [round(value, 2) for value in (rect.x0, rect.y0, rect.x1, rect.y1)]


def _rect_from_json(data: object) -> Rect:
    values = _list(data)
    if len(values) != 4:
        raise ValueError("a rectangle has four numbers")
    return Rect(*(_float(value) for value in values))


def _segment_from_json(data: object) -> Segment:
    values = _list(data)
    if len(values) != 4:
        raise ValueError("a segment has four fields")
    start, end, page, rect = values
    return Segment(_int(start), _int(end), _int(page), _rect_from_json(rect))


def _str(value: object) -> str:
    if not isinstance(value, str):
        raise ValueError("a text is expected")
    return value


def _int(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise ValueError("a whole number is expected")
    return value


def _float(value: object) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool):
        raise ValueError("a number is expected")
    return float(value)


def _optional_int(value: object) -> int | None:
    return None if value is None else _int(value)


def _list(value: object) -> list[object]:
    if value is None:
        return []
    if not isinstance(value, list):
        raise ValueError("a list is expected")
    return cast("list[object]", value)


def _object(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise ValueError("an object is expected")
    return cast("dict[str, object]", value)


def _strings(value: object) -> tuple[str, ...]:
    return tuple(_str(item) for item in _list(value))


def _pairs(value: object) -> tuple[tuple[str, str], ...]:
    pairs = [_strings(item) for item in _list(value)]
    if any(len(pair) != 2 for pair in pairs):
        raise ValueError("a pair is expected")
    return tuple((pair[0], pair[1]) for pair in pairs)
