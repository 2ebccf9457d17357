"""A parsed document: its text, its blocks, and for each block a locator a click can go to.

The fields' names are those in the index and in the product's JSON: see ``codec``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from msgspec import Struct, field


class BlockKind(StrEnum):
    """What a block is; notes, headers and footers are kept but not chunked."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    TABLE_ROW = "table_row"
    LIST_ITEM = "list_item"
    CAPTION = "caption"
    CODE = "code"
    NOTE = "note"
    HEADER_FOOTER = "header_footer"
    SLIDE = "slide"
    CUE = "cue"

    @property
    def is_body(self) -> bool:
        """Whether blocks of this kind are chunked, embedded and searched."""
        return self not in (BlockKind.NOTE, BlockKind.HEADER_FOOTER)


class Rect(Struct, frozen=True, array_like=True):
    """A rectangle on a page in points (1/72 inch), origin at the top left."""

    x0: float
    y0: float
    x1: float
    y1: float


class PageLocator(Struct, frozen=True, tag="page"):
    """A place on a page: PDF pages and images. ``page`` counts from 1."""

    page: int
    rects: tuple[Rect, ...] = ()


class ParagraphLocator(Struct, frozen=True, tag="paragraph", omit_defaults=True):
    """A place in a word-processor file: paragraph, or table cell; counts from 1.

    Never a page number: pages differ on every machine that lays the file out.
    """

    # Made by a call, so that it is written where it is empty too.
    heading_path: tuple[str, ...] = field(default_factory=lambda: ())
    paragraph: int | None = None
    table: int | None = None
    row: int | None = None
    column: int | None = None


class SlideLocator(Struct, frozen=True, tag="slide"):
    """A shape on a slide, both counted from 1."""

    slide: int
    shape: int | None = None


class LineLocator(Struct, frozen=True, tag="line"):
    """A line of a text file, counted from 1."""

    line: int


class RowLocator(Struct, frozen=True, tag="row"):
    """A row of a CSV file, counted from 1 as a spreadsheet does.

    The header is row 1, an empty line is a row, a line break inside of quotes is none.
    """

    row: int


class TimeLocator(Struct, frozen=True, tag="time"):
    """A stretch of a transcript in seconds."""

    start_s: float
    end_s: float
    speaker: str | None = None


Locator = PageLocator | ParagraphLocator | SlideLocator | LineLocator | RowLocator | TimeLocator


class Segment(Struct, frozen=True, array_like=True):
    """A line of a block on a page, or a word of it where the text was recognised.

    ``start``..``end`` are code points of the document's text.
    """

    start: int
    end: int
    page: int
    rect: Rect


class Block(Struct, frozen=True, omit_defaults=True):
    """One unit of a document.

    ``start``/``end`` are code points in ``ParsedDocument.text``; the block's text is exactly
    that slice. ``level`` is 1 to 9 for headings, else 0 (list items: nesting depth).
    ``heading_path`` holds the headings above the block, outermost first (without itself).
    ``cells`` holds (column header, cell text) of a table or CSV row; the header is ``""`` where
    the table has none. ``segments`` is filled for pages only.
    ``ocr_confidence`` is 0 to 1 for recognised text, else None.
    """

    ordinal: int
    kind: BlockKind
    start: int
    end: int
    locator: Locator
    heading_path: tuple[str, ...] = ()
    level: int = 0
    cells: tuple[tuple[str, str], ...] = ()
    is_table_header: bool = False
    segments: tuple[Segment, ...] = ()
    ocr_confidence: float | None = None

    @property
    def block_id(self) -> str:
        """The name of this block in JSON (``b12``)."""
        return f"b{self.ordinal}"


@dataclass(frozen=True, slots=True)
class DocumentMetadata:
    """What the file says of itself; None or empty where it says nothing.

    ``read_with`` names the program or library that converted or recognised the file, where one
    did. ``published``, ``journal``, ``authors``, ``doi``, ``pmid`` and ``pmcid`` are those of a
    paper; ``k_number`` is the submission that an FDA summary is about; ``abbreviations`` are those
    that the text defines, each with its words.
    """

    title: str = ""
    author: str = ""
    created: str = ""
    modified: str = ""
    pages: int | None = None
    words: int = 0
    language: str = ""
    document_number: str = ""
    revision: str = ""
    journal: str = ""
    authors: tuple[str, ...] = ()
    published: str = ""
    doi: str = ""
    pmid: str = ""
    pmcid: str = ""
    k_number: str = ""
    read_with: str = ""
    front_matter: tuple[tuple[str, str], ...] = ()
    abbreviations: tuple[tuple[str, str], ...] = ()


class Page(Struct, frozen=True, array_like=True):
    """A page: width and height in points, and whether its text was recognised.

    ``ocr_confidence`` is 0 to 1 (mean over the words) where the text of the page was recognised
    from its picture, else None.
    """

    width: float
    height: float
    ocr_confidence: float | None = None


@dataclass(frozen=True, slots=True)
class ParsedDocument:
    """The text of a file with its structure. Blocks are in reading order and do not overlap."""

    format: str
    mime: str
    text: str
    blocks: tuple[Block, ...]
    metadata: DocumentMetadata
    parser_version: str
    pages: tuple[Page, ...] = ()
    warnings: tuple[str, ...] = ()

    def block_text(self, block: Block) -> str:
        """Return the text of ``block``."""
        return self.text[block.start : block.end]
