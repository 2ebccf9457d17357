"""Read the text sources of the sample project's Word and PDF files.

A source is a head of ``key: value`` lines, a line ``---``, and a body in a small part of Markdown:
headings, list items, tables, and paragraphs of one line each.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path

COMPANY_FOOTER = "Tarnbeck Medical (fictitious company) - sample document"


class PartKind(StrEnum):
    """What a part of a source text becomes."""

    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST_ITEM = "list_item"
    TABLE = "table"


@dataclass(frozen=True, slots=True)
class Part:
    """A heading (``level`` from 1), paragraph, list item or table (``rows``) of a source text."""

    kind: PartKind
    text: str = ""
    level: int = 0
    rows: tuple[tuple[str, ...], ...] = ()
    has_header: bool = False


@dataclass(frozen=True, slots=True)
class Source:
    """A source text: what stands on its title block, and its parts in reading order."""

    title: str
    number: str
    revision: str
    date: str
    owner: str
    footer: str
    is_record: bool
    parts: tuple[Part, ...]

    @property
    def written(self) -> datetime:
        """The document's own date, used for every time stamp inside the file."""
        return datetime.fromisoformat(self.date).replace(hour=9, tzinfo=UTC)

    @property
    def header(self) -> str:
        """The line that stands at the top of every page."""
        revision = self.revision
        return f"{self.number}, revision {revision}" if len(revision) <= 4 else self.number

    @property
    def control_rows(self) -> tuple[tuple[str, str], ...]:
        """The rows of the document control table under the title."""
        return (
            ("Document number", self.number),
            ("Revision", self.revision),
            ("Date", self.date),
            ("Owner", self.owner),
        )


def read_source(path: Path) -> Source:
    """Read a source text. Raises ValueError where the head lacks a key."""
    head, _, body = path.read_text(encoding="utf-8").partition("\n---\n")
    fields: dict[str, str] = {}
    for line in head.splitlines():
        name, _, value = line.partition(":")
        fields[name.strip()] = value.strip()
    missing = {"title", "number", "revision", "date", "owner"} - fields.keys()
    if missing:
        raise ValueError(f"{path.name} lacks {', '.join(sorted(missing))} in its head")
    is_record = fields.get("layout") == "record"
    return Source(
        title=fields["title"],
        number=fields["number"],
        revision=fields["revision"],
        date=fields["date"],
        owner=fields["owner"],
        footer=fields.get("footer", COMPANY_FOOTER),
        is_record=is_record,
        parts=tuple(read_parts(body)),
    )


def read_parts(body: str) -> list[Part]:
    """Split a source text into parts: one line is one part, table rows belong together."""
    parts: list[Part] = []
    table: list[str] = []
    for line in [*body.splitlines(), ""]:
        if line.startswith("|"):
            table.append(line)
            continue
        if table:
            parts.append(read_table(table))
            table = []
        text = line.strip()
        if not text:
            continue
        marks = len(text) - len(text.lstrip("#"))
        if marks:
            parts.append(Part(PartKind.HEADING, text.lstrip("# "), level=marks))
        elif text.startswith("- "):
            parts.append(Part(PartKind.LIST_ITEM, text[2:]))
        else:
            parts.append(Part(PartKind.PARAGRAPH, text))
    return parts


def read_table(lines: list[str]) -> Part:
    """Read the lines of one table; a line of dashes after the first row makes that the header."""
    rows = [tuple(cell.strip() for cell in line.strip().strip("|").split("|")) for line in lines]
    has_header = len(rows) > 1 and all(set(cell) <= {"-"} for cell in rows[1])
    if has_header:
        del rows[1]
    return Part(PartKind.TABLE, rows=tuple(rows), has_header=has_header)


def column_shares(rows: tuple[tuple[str, ...], ...]) -> list[float]:
    """Each column's share of the table's width, in 0..1, from the length of its cells."""
    weights: list[float] = []
    for cells in zip(*rows, strict=True):
        longest_word = max(len(word) for cell in cells for word in cell.split() or [""])
        mean = sum(len(cell) for cell in cells) / len(cells)
        weights.append(min(max(longest_word + 2.0, mean), 42.0))
    return [weight / sum(weights) for weight in weights]
