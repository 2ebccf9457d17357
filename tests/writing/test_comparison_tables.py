"""Columns of a comparison table by their role; a torn head gives nothing, not a wrong column."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.planning.comparing.tables import ColumnRole, compared_rows, read_columns

NAMES = ("K111222", "Heater H1")


def _parsed(folder: Path, *lines: str) -> ParsedDocument:
    file = folder / "summary.md"
    file.write_text("# Comparison\n\n" + "\n".join(lines) + "\n", "utf-8")
    return parse_file(file)


def _table(*rows: str) -> list[str]:
    return [rows[0], "|" + "---|" * rows[0].strip("|").count("|") + "---|", *rows[1:]]


def _stated(document: ParsedDocument) -> dict[str, dict[str, str]]:
    """Return what each row states, by role; the cell that a "same" refers to behind it."""
    found: dict[str, dict[str, str]] = {}
    for row in compared_rows(document, NAMES, ["OrthoLift 300"]):
        for cell in row.cells:
            text = document.text[cell.start : cell.end]
            if cell.referred is not None:
                text += " = " + document.text[slice(*cell.referred)]
            found.setdefault(row.label, {})[cell.column.role.value] = text
    return found


@pytest.mark.parametrize(
    ("head", "is_subject_first"),
    [
        ("| Item | Subject device | Predicate device |", True),
        ("| Item | Predicate: OrthoLift (k654321) | Candidate: Lifter |", False),
        ("| Device & Predicate Device(s): | K111222 | K654321 |", True),
        ("| Merkmal | Neues Produkt | Prädikat |", True),
        ("| Caractéristique | Dispositif proposé | Dispositif prédicat |", True),
        ("| Característica | Nuevo producto | Predicado |", True),
        ("| Item | OrthoLift 300 | Heater H1 |", False),
        ("| Item | PredicateAcme Kit | DeviceAcme Kit II |", False),
    ],
)
def test_a_column_is_known_by_its_role(tmp_path: Path, head: str, is_subject_first: bool) -> None:
    document = _parsed(tmp_path, *_table(head, "| Range | 20 to 600 | 50 to 550 |"))
    subject, predicate = ("20 to 600", "50 to 550")[:: 1 if is_subject_first else -1]
    assert _stated(document)["Range"] == {"subject": subject, "predicate": predicate}


def test_a_device_is_not_the_one_whose_name_begins_alike() -> None:
    heads = ("Item", "Heater H1", "Heater H10")
    _, own, other = read_columns(heads, NAMES, ["Heater H10"]) or (None, None, None)
    assert own is not None
    assert other is not None
    assert (own.role, other.role) == (ColumnRole.SUBJECT, ColumnRole.PREDICATE)


def test_same_is_what_the_other_device_has(tmp_path: Path) -> None:
    document = _parsed(
        tmp_path,
        *_table(
            "| Item | New device | Predicate (K654321) |",
            "| Range | Same | 50 to 550 |",
            "| Weight | 3 kg | Identical to the subject |",
            "| Alarm | Same, with a lamp | 60 dB |",
            "| Colour | Same | same |",
            "| Power | N/A | 12 V |",
        ),
    )
    stated = _stated(document)
    assert stated["Range"]["subject"] == "Same = 50 to 550"
    assert stated["Weight"]["predicate"] == "Identical to the subject = 3 kg"
    assert stated["Alarm"]["subject"] == "Same, with a lamp = 60 dB"
    assert "Colour" not in stated
    assert stated["Power"] == {"predicate": "12 V"}


@pytest.mark.parametrize(
    "rows",
    [
        ("| Item | Value | Unit |", "| Range | 20 | V |"),
        ("| Disease | Predicate positive | Predicate negative |", "| Flu | 10 | 3 |"),
        ("| Item | New and predicate device | Comment |", "| Range | 20 | V |"),
        ("| Item | K111222 | K111222 |", "| Range | 20 | 30 |"),
        ("| Item | Subject device (K999999) | Predicate |", "| Range | 20 | 30 |"),
        ("| Item | polymer battery (5 V) | charge voltage) |", "| Range | 20 | 30 |"),
    ],
)
def test_a_table_without_both_roles_states_nothing(tmp_path: Path, rows: tuple[str, ...]) -> None:
    assert _stated(_parsed(tmp_path, *_table(*rows))) == {}


def test_a_head_that_contradicts_the_one_above_ends_the_table(tmp_path: Path) -> None:
    document = _parsed(
        tmp_path,
        *_table(
            "| Item | Subject device | Predicate device |",
            "| Range | 20 | 30 |",
            "| Item | Predicate device | Subject device |",
            "| Weight | 3 kg | 4 kg |",
        ),
    )
    assert set(_stated(document)) == {"Range"}


def test_cells_of_one_head_that_differ_are_nobodys(tmp_path: Path) -> None:
    document = _parsed(
        tmp_path,
        *_table(
            "| Item | Device | Predicate | Predicate |",
            "| Range | 20 | 30 | 40 |",
            "| Method | Dry | Wet | Wet |",
        ),
    )
    assert _stated(document)["Range"] == {"subject": "20"}
    assert _stated(document)["Method"] == {"subject": "Dry", "predicate": "Wet"}


def test_a_row_of_numbers_names_the_columns(tmp_path: Path) -> None:
    document = _parsed(
        tmp_path,
        *_table(
            "| Item | New device | Predicate one | Predicate two |",
            "| Submission | this | K654321 | K765432 |",
            "| Range | 20 | 30 | 40 |",
        ),
    )
    [row] = compared_rows(document, NAMES)
    numbers = [sorted(c.column.numbers) for c in row.cells if c.column.role is ColumnRole.PREDICATE]
    assert numbers == [["K654321"], ["K765432"]]
