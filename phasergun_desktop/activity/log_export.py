"""The log as a file: JSON lines, whose chain can be verified, or CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Sequence
from dataclasses import fields
from pathlib import Path

from phasergun_desktop.activity.anchor import START_HASH, Anchor
from phasergun_desktop.activity.chain import ChainedRow, verify_rows
from phasergun_desktop.activity.codec import TEXTS, canonical, decode_entry
from phasergun_desktop.activity.model import Activity, VerifyResult
from phasergun_desktop.errors import ExportError, PhaserGunError, StorageError
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.small_files import UnusableFileError, parse_json, read_small_text

ENDINGS = (".jsonl", ".csv")
_MOST_BYTES = 2_000_000_000
_END = "end"
# What a spreadsheet would take for a formula.
_FORMULA = ("=", "+", "-", "@", "\t", "\r")
_NOT_IN_TABLES = ("kind", "removed", "texts_upto")
_COLUMNS = tuple(each.name for each in fields(Activity) if each.name not in _NOT_IN_TABLES)


def export_log(
    path: Path, rows: Sequence[ChainedRow], *, with_texts: bool, is_whole: bool = True
) -> None:
    """Write entries, the first one first, by the ending of ``path``. ``is_whole``: they are all
    entries of the log. Raises ``ExportError``."""
    try:
        if path.suffix.lower() == ".csv":
            text = _csv(rows, with_texts)
        else:
            lines = (*_lines(rows, with_texts), _closing(rows, is_whole))
            text = "".join(f"{line}\n" for line in lines)
        write_atomically(path, text, usual_rights=True)
    except StorageError as error:
        raise ExportError("Not exported", error.message, error.remedy) from error


def verify_export(path: Path) -> VerifyResult:
    """Check the chain of an export. What has no texts is checked as far as it goes.

    Raises ``PhaserGunError`` for a file that is no whole export.
    """
    try:
        lines = read_small_text(path, _MOST_BYTES).splitlines()
    except FileNotFoundError as error:
        raise PhaserGunError(
            "File not readable", f"{path.name} is not there.", "Check the path."
        ) from error
    except UnusableFileError as error:
        raise PhaserGunError("File not readable", error.message, error.remedy) from error
    closing = _object(lines[-1]).get(_END) if lines else None
    told = closing if isinstance(closing, dict) else {}
    entries, digest, is_whole = (told.get(key) for key in ("entries", "hash", "is_whole"))
    if not (isinstance(entries, int) and isinstance(digest, str) and isinstance(is_whole, bool)):
        raise PhaserGunError(
            "The export is not complete",
            f"{path.name} has no closing line: its end is missing, or it is no export of a log.",
            "Export the log again as JSON lines.",
        )
    if not is_whole:
        raise PhaserGunError(
            "The export cannot be verified",
            f"{path.name} holds chosen entries only, which cannot show what is missing.",
            "Export the log without filters.",
        )
    rows = tuple(_read(lines[:-1]))
    result = verify_rows(rows, Anchor(entries, digest), entries, needs_texts=False)
    last = rows[-1].number if rows else 0
    # A closing line that names an earlier end was changed itself.
    return result if last <= entries or not result.ok else VerifyResult(False, last + 1, len(rows))


def _lines(rows: Sequence[ChainedRow], with_texts: bool) -> Iterator[str]:
    for row in rows:
        told: dict[str, object] = {
            "number": row.number,
            "at": _text(row.at),
            "kind": _text(row.kind),
            "body": _as_object(row.body or b""),
            "previous": _text(row.previous),
            "hash": _text(row.hash),
        }
        body = told["body"]
        if with_texts and row.texts is not None:
            told["texts"] = _as_object(row.texts)
        elif not with_texts and row.texts_digest is None:
            # Of the earlier form: its hash covers the texts themselves.
            told["body"] = None
            told["rest"] = (
                {key: value for key, value in body.items() if key not in TEXTS}
                if isinstance(body, dict)
                else {}
            )
        yield json.dumps(told, ensure_ascii=True)


def _closing(rows: Sequence[ChainedRow], is_whole: bool) -> str:
    last = rows[-1] if rows else None
    end = {
        "entries": last.number if last else 0,
        "hash": _text(last.hash) if last else START_HASH,
        "is_whole": is_whole,
    }
    return json.dumps({_END: end})


def _read(lines: Sequence[str]) -> Iterator[ChainedRow]:
    last = 0
    for line in lines:
        told = _object(line)
        number = told.get("number")
        is_number = isinstance(number, int) and number > 0
        last = number if isinstance(number, int) and is_number else last + 1
        body = told.get("body", "")
        yield ChainedRow(
            last,
            _bytes(told.get("at")),
            _bytes(told.get("kind")),
            None if body is None and "rest" in told else _bytes(body),
            _bytes(told.get("previous")),
            # A line that is none is told as an entry that does not bear out its hash.
            _bytes(told.get("hash")) if is_number else b"",
            _bytes(told["texts"]) if "texts" in told else None,
        )


def _csv(rows: Sequence[ChainedRow], with_texts: bool) -> str:
    file = io.StringIO()
    writer = csv.writer(file)
    columns = [name for name in _COLUMNS if with_texts or name not in TEXTS]
    writer.writerow(["number", "at", "kind", *columns, "previous", "hash"])
    for row in rows:
        try:
            texts = None if row.texts is None else row.texts.decode()
            activity = decode_entry((row.body or b"").decode(), texts)
            cells = [_cell(getattr(activity, name)) for name in columns]
        except ValueError:
            cells = ["damaged", *[""] * (len(columns) - 1)]
        ends = _text(row.previous), _text(row.hash)
        writer.writerow([row.number, _text(row.at), _text(row.kind), *cells, *ends])
    return file.getvalue()


def _cell(value: object) -> str:
    if isinstance(value, tuple):
        return "; ".join(_cell(getattr(each, "file", each)) for each in value)
    text = "" if value is None else str(value)
    is_text = isinstance(value, str) and text.startswith(_FORMULA)
    return f"'{text}" if is_text else text


def _as_object(stored: bytes) -> object:
    """Return JSON as an object where that gives the same bytes again, else as text."""
    text = stored.decode("utf-8", "replace")
    try:
        told: object = parse_json(text)
    except ValueError:
        return text
    return told if isinstance(told, dict) and canonical(told) == text else text


def _bytes(told: object) -> bytes:
    text = told if isinstance(told, str) else canonical(told)
    return text.encode("utf-8", "replace")


def _object(line: str) -> dict[str, object]:
    try:
        told = parse_json(line)
    except ValueError:
        return {}
    return told if isinstance(told, dict) else {}


def _text(stored: bytes) -> str:
    return stored.decode("utf-8", "replace")
