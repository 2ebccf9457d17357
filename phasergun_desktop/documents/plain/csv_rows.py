"""Reads CSV: one block per row, each with the column headers."""

from __future__ import annotations

import csv
import io

from phasergun_desktop.documents.builder import DocumentBuilder, folded
from phasergun_desktop.documents.model import RowLocator
from phasergun_desktop.documents.plain.encodings import decode_text
from phasergun_desktop.documents.tables import TableRow, add_table

MAX_ROWS = 50_000
_SAMPLE_CHARACTERS = 16_384
_DELIMITERS = ",;\t|"
_MAX_FIELD_CHARACTERS = 4_000_000


def read_csv(data: bytes, builder: DocumentBuilder) -> None:
    """Append the rows of a CSV file to ``builder``; rows beyond MAX_ROWS are left out."""
    decoded = decode_text(data)
    if decoded.guessed:
        builder.warn("The encoding is not stated in the file; Windows-1252 was assumed.")
    csv.field_size_limit(_MAX_FIELD_CHARACTERS)
    text = decoded.text.replace("\x00", " ")
    records = _records(text, _dialect(text[:_SAMPLE_CHARACTERS]), builder)
    if not records:
        return
    width = max(len(cells) for _, cells in records)
    has_header = len(records) > 1 and _is_header(records[0][1])
    rows = [
        TableRow(
            tuple(cells), RowLocator(number), marked_header=has_header and number == records[0][0]
        )
        for number, cells in records
    ]
    if has_header or width > 1:
        add_table(builder, rows, group="csv")
    else:
        for row in rows:
            add_table(builder, [row], group="csv")


def _records(
    text: str, dialect: csv.Dialect | type[csv.Dialect], builder: DocumentBuilder
) -> list[tuple[int, list[str]]]:
    """Return (row number from 1, cells) of the rows that are not empty."""
    records: list[tuple[int, list[str]]] = []
    reader = csv.reader(io.StringIO(text, newline=""), dialect)
    try:
        for number, cells in enumerate(reader, start=1):
            if len(records) >= MAX_ROWS:
                builder.warn(f"Only the first {MAX_ROWS:,} rows were read.")
                break
            if any(cell.strip() for cell in cells):
                records.append((number, cells))
    except csv.Error:
        builder.warn(f"The table is damaged after row {len(records)}; the rest was left out.")
    return records


def _dialect(sample: str) -> csv.Dialect | type[csv.Dialect]:
    whole_lines = sample[: sample.rfind("\n") + 1] or sample
    lines = [line for line in whole_lines.split("\n") if line.strip()][:20]
    best = max(_DELIMITERS, key=lambda mark: _agreement(lines, mark))
    if not _agreement(lines, best):
        best = ","
    try:
        sniffed = csv.Sniffer().sniff(whole_lines, delimiters=best)
    except csv.Error:
        return _plain(best)
    # The sniffer invents quote characters; only the usual one is believed.
    quoted = _plain(best)
    quoted.skipinitialspace = sniffed.skipinitialspace
    if '"' not in sample and "\\" + best in sample:
        quoted.escapechar = "\\"
    return quoted


def _plain(delimiter: str) -> type[csv.Dialect]:
    class Plain(csv.excel):
        pass

    Plain.delimiter = delimiter
    return Plain


def _agreement(lines: list[str], delimiter: str) -> float:
    """Score a delimiter: how often it occurs, and how many lines agree on that."""
    counts = [line.count(delimiter) for line in lines]
    used = [count for count in counts if count]
    if not used:
        return 0.0
    common = max(set(used), key=used.count)
    return used.count(common) / len(lines) + min(common, 20) / 100


def _is_header(cells: list[str]) -> bool:
    texts = [folded(cell) for cell in cells]
    filled = [text for text in texts if text]
    if not filled or len(set(filled)) < len(filled):
        return False
    return not any(_is_number(text) or len(text) > 200 for text in filled)


def _is_number(text: str) -> bool:
    try:
        float(text.replace(",", ".").rstrip("%"))
    except ValueError:
        return False
    return True
