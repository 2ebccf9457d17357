"""Reads CSV: one block per row, each with the column headers."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.encodings import decoded_lines
from phasergun_desktop.documents.model import BlockKind, RowLocator
from phasergun_desktop.documents.table_blocks import TableRow, add_table

MAX_ROWS = 50_000
MAX_COLUMNS = 16_384
# Headers are repeated in every row, so that the text is longer than the file.
MAX_CHARACTERS = 20_000_000
_SAMPLE_CHARACTERS = 65_536
_SAMPLE_LINES = 50
_DELIMITERS = ",;\t|"
# In no text file: makes every line one cell.
_NO_DELIMITER = "\x1f"
_MAX_FIELD_CHARACTERS = 40_000_000
# As many as a spreadsheet has; empty ones are counted, too.
_MAX_LINES = 1_048_576
_MAX_LINES_OF_A_CELL = 200
_QUOTED = re.compile(r'"(?:[^"]|"")*"')
_EXCEL_SEPARATOR = re.compile(r"\A\s*sep=(?P<mark>[^\n])\n", re.IGNORECASE)
_NUMBER = re.compile(r"[<>≤≥±~]?\s*[-+]?[\d.,'\s]*\d[\d.,]*(?:[eE][-+]?\d+)?\s*[%€$£]?")
_YEAR = re.compile(r"(?:19|20)\d\d")


@dataclass(frozen=True, slots=True)
class _Record:
    """Row ``number`` with its cells."""

    number: int
    cells: tuple[str, ...]

    @property
    def filled(self) -> int:
        return sum(1 for cell in self.cells if cell.strip())


def read_csv(data: bytes, builder: DocumentBuilder) -> None:
    """Append the rows of a CSV file to ``builder``.

    Rows are numbered as a spreadsheet numbers them: the first record is row 1, an empty line is
    a row, a line break inside of quotes is none. Lines above the header with one cell are the
    table's title. What is beyond MAX_ROWS, MAX_COLUMNS or MAX_CHARACTERS is left out, with a
    warning.
    """
    csv.field_size_limit(_MAX_FIELD_CHARACTERS)
    text = decoded_lines(data, builder).replace("\x00", " ")
    stated = _EXCEL_SEPARATOR.match(text)
    if stated:
        text = text[stated.end() :]
    delimiter = stated["mark"] if stated else _delimiter(text[:_SAMPLE_CHARACTERS])
    records = _records(text, delimiter, builder)
    width = max((len(record.cells) for record in records), default=0)
    if width <= 1:
        for record in records:
            add_table(builder, [_row(record)], group="csv")
        return
    first = next((at for at, record in enumerate(records) if record.filled > 1), 0)
    for record in records[:first]:
        builder.add(BlockKind.CAPTION, "".join(record.cells), RowLocator(record.number))
    table = records[first:]
    has_header = _is_header(table)
    headers = table[0].cells if has_header else ()
    rows = [
        _row(record, is_header=has_header and index == 0)
        for index, record in enumerate(_fitting(table, headers, builder))
    ]
    add_table(builder, rows, group="csv")


def _row(record: _Record, *, is_header: bool = False) -> TableRow:
    return TableRow(record.cells, RowLocator(record.number), marked_header=is_header)


def _fitting(
    records: list[_Record], headers: tuple[str, ...], builder: DocumentBuilder
) -> Iterator[_Record]:
    """Yield the records that fit into a document."""
    room = MAX_CHARACTERS
    repeated = sum(len(header) + 4 for header in headers)
    for record in records:
        room -= repeated + sum(len(cell) + 3 for cell in record.cells)
        if room < 0:
            builder.warn(f"Only the rows up to {record.number - 1:,} were read.")
            return
        yield record


def _records(text: str, delimiter: str, builder: DocumentBuilder) -> list[_Record]:
    """Return the rows that are not empty; a quote that is never closed is taken as a character."""
    sample = text[:_SAMPLE_CHARACTERS]
    try:
        records = _parsed(text, _dialect(sample, delimiter, csv.QUOTE_MINIMAL), builder)
    except csv.Error:
        records = []
    else:
        cells = (cell for record in records for cell in record.cells)
        if all(cell.count("\n") <= _MAX_LINES_OF_A_CELL for cell in cells):
            return records
    builder.warn("The table has a quotation mark that is never closed; quotes were ignored.")
    try:
        return _parsed(text, _dialect(sample, delimiter, csv.QUOTE_NONE), builder)
    except csv.Error:
        builder.warn("A cell of the table is too long; what follows it was left out.")
        return records


def _parsed(text: str, dialect: type[csv.Dialect], builder: DocumentBuilder) -> list[_Record]:
    records: list[_Record] = []
    for number, cells in enumerate(csv.reader(io.StringIO(text, newline=""), dialect), start=1):
        if len(records) >= MAX_ROWS or number > _MAX_LINES:
            builder.warn(f"Only the first {number - 1:,} rows were read.")
            break
        if len(cells) > MAX_COLUMNS:
            builder.warn(f"Only the first {MAX_COLUMNS:,} columns were read.")
        record = _Record(number, tuple(cells[:MAX_COLUMNS]))
        if record.filled:
            records.append(record)
    return records


def _dialect(sample: str, delimiter: str, quoting: int) -> type[csv.Dialect]:
    class Found(csv.excel):
        pass

    Found.delimiter = delimiter
    Found.quoting = quoting  # type: ignore[assignment]
    # Only then may a quoted cell come after a space.
    Found.skipinitialspace = re.search(re.escape(delimiter) + ' +"', sample) is not None
    if '\\"' in sample and '""' not in sample:
        Found.escapechar, Found.doublequote = "\\", False
    elif '"' not in sample and "\\" + delimiter in sample:
        Found.escapechar = "\\"
    return Found


def _delimiter(sample: str) -> str:
    """Return the mark that parts the cells; one that stands in no other line parts nothing."""
    whole_lines = sample[: sample.rfind("\n") + 1] or sample
    unquoted = _QUOTED.sub("", whole_lines)
    lines = [line for line in unquoted.split("\n") if line.strip()][:_SAMPLE_LINES]
    best = max(_DELIMITERS, key=lambda mark: _agreement(lines, mark))
    with_mark = sum(1 for line in lines if best in line)
    if with_mark * 2 <= len(lines):
        return _NO_DELIMITER
    return best


def _agreement(lines: list[str], delimiter: str) -> float:
    """Score a delimiter: how often it occurs, and how many lines agree on that."""
    counts = [line.count(delimiter) for line in lines]
    used = [count for count in counts if count]
    if not used:
        return 0.0
    common = max(set(used), key=used.count)
    return used.count(common) / len(lines) + min(common, 20) / 100


def _is_header(records: list[_Record]) -> bool:
    """Say whether the first record names the columns: words where others have values."""
    if len(records) < 2:
        return False
    texts = [folded(cell) for cell in records[0].cells]
    filled = [text for text in texts if text]
    numbers = [text for text in filled if _NUMBER.fullmatch(text)]
    if numbers and not (len(numbers) < len(filled) and all(map(_YEAR.fullmatch, numbers))):
        return False
    # Two columns may share a name where the numbers below show that it is one.
    has_values = any(
        _NUMBER.fullmatch(cell.strip()) for record in records[1:6] for cell in record.cells
    )
    return len(set(filled)) == len(filled) or has_values
