"""The evaluation runs as a table."""

from __future__ import annotations

from phasergun_desktop.ui.evaluation.run_rows import KINDS, RunRow
from phasergun_desktop.ui.record_model import Column
from phasergun_desktop.ui.wording import when_in_words


def _share(title: str, width: int, name: str, tip: str) -> Column[RunRow]:
    return Column(
        title,
        width,
        lambda row: row.told(name),
        lambda row: row.figures.get(name),
        is_number=True,
        tip=tip,
    )


def _questions(row: RunRow) -> str:
    return f"{row.rows:,}" if row.rows else ""


def _time(row: RunRow) -> str:
    return f"{row.p50_ms:.0f} ms" if row.p50_ms is not None else ""


COLUMNS: tuple[Column[RunRow], ...] = (
    Column("Run", 44, lambda row: str(row.run.run_id), lambda row: row.run.run_id),
    Column("When", 116, lambda row: when_in_words(row.run.made), lambda row: row.run.run_id),
    Column("Of", 78, lambda row: KINDS.get(row.run.kind, row.run.kind)),
    Column("File", 130, lambda row: row.run.file, is_long=True),
    Column("Questions", 70, _questions, lambda row: row.rows, is_number=True),
    _share("Found first", 80, "recall@1", "A right file comes first"),
    _share("In 10", 58, "recall@10", "A right file is among the first ten"),
    _share("Right", 58, "answers_right", "Answers that say what they must"),
    _share("Wrong", 58, "wrong", "Answers that state something else"),
    Column(
        "Time", 58, _time, lambda row: row.p50_ms, is_number=True, tip="Time of a search (median)"
    ),
)
NUMBER, FILE = 0, 3
