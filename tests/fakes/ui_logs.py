"""A real activity log and real evaluation runs for tests of the window."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from pathlib import Path

from phasergun_desktop.activity.anchor import START_HASH
from phasergun_desktop.activity.chain import ChainedRow, chain_hash
from phasergun_desktop.activity.codec import divide
from phasergun_desktop.activity.log import (
    ActivityLog,
    add_activity_texts,
    create_activity,
    put_entries,
)
from phasergun_desktop.activity.model import Activity, ActivityKind, LoggedCitation
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.storage.database import Database

QUESTIONS = (
    "Which enzyme is on the GlucoTrace G2 test strip?",
    "How long must CAPA records be kept, and who signs them?",
    "What was the largest haematocrit bias found, and at which level?",
    "Who sewed the leather saddle?",
)
_STATUS = ("complete", "complete", "complete", "abstained", "error")


class DeskLogs:
    """The databases of one project, opened on first use; ``close`` ends them."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._database: Database | None = None

    @property
    def runs_file(self) -> Path:
        """The database of the runs."""
        return self._folder / RUNS_FILE

    @property
    def activity(self) -> ActivityLog:
        """The log."""
        return ActivityLog(self.database)

    @property
    def database(self) -> Database:
        """The database of the log."""
        if self._database is None:
            forms = [create_activity, add_activity_texts]
            self._database = Database(self._folder / "work.db", forms)
        return self._database

    def close(self) -> None:
        """Close what was opened."""
        if self._database is not None:
            self._database.close()


def fill_log(logs: DeskLogs, entries: int, *, days: int = 60) -> None:
    """Write ``entries`` as they come about in that many days up to now."""
    rows: dict[int, tuple[object, ...]] = {}
    previous = START_HASH.encode()
    start = datetime.now(UTC) - timedelta(days=days)
    for number in range(1, entries + 1):
        when = start + timedelta(days=days * number / (entries + 1))
        row = _row(number, when.isoformat(timespec="milliseconds"), previous)
        rows[number] = (number, row.at, row.kind, row.body, row.previous, row.hash, row.texts)
        previous = row.hash
    with logs.database.transaction() as connection:
        put_entries(connection, [rows])
    logs.activity.note_end()


def _row(number: int, at: str, previous: bytes) -> ChainedRow:
    kinds = (ActivityKind.ASK, ActivityKind.DRAFT, ActivityKind.EDIT, ActivityKind.EXPORT)
    kind = kinds[number % 7 % 4]
    is_answer = kind in (ActivityKind.ASK, ActivityKind.DRAFT)
    activity = Activity(
        kind,
        prompt=QUESTIONS[number % len(QUESTIONS)] if kind is not ActivityKind.EXPORT else "",
        answer="Glucose dehydrogenase (FAD-dependent).[1]" if is_answer else "",
        status=_STATUS[number % len(_STATUS)] if is_answer else "complete",
        citations=(LoggedCitation(1, "Context/Initiation/Device-Description.docx"),),
        confidence=0.5 + 0.4 * math.sin(number / 9) if is_answer else None,
        retrieval_ms=120.0,
        generation_ms=3000.0 + 40 * (number % 50) if is_answer else 0.0,
        total_ms=3200.0 + 40 * (number % 50) if is_answer else 0.0,
        prompt_tokens=900,
        completion_tokens=120,
        model="Qwen2.5 1.5B Instruct" if is_answer else "",
        profile="regulatory",
        subject="Device Description.docx" if kind is ActivityKind.EXPORT else "draft-1",
        cost=0.0123 if number % 11 == 0 and is_answer else None,
    )
    body, texts = divide(activity)
    parts = (each.encode() for each in (at, kind.value, body))
    digest = chain_hash(previous, number, *parts)
    return ChainedRow(
        number, at.encode(), kind.value.encode(), body.encode(), previous, digest, texts.encode()
    )


def fill_runs(path: Path, runs: int) -> None:
    """Keep ``runs`` of twenty questions, each a little better than the one before."""
    store = RunStore(path)
    for run in range(runs):
        rows = [_question(at, run) for at in range(20)]
        first = sum(float(str(row["recall@1"])) for row in rows) / 20
        right = sum(float(str(row["right"])) for row in rows) / 20
        report: dict[str, object] = {
            "rows": 20,
            "metrics": {
                "recall@1": first,
                "recall@5": 0.9,
                "recall@10": 0.95,
                "mrr@10": 0.8,
                "ndcg@10": 0.85,
                "map@10": 0.82,
                "latency_ms": {"p50": 20.0 + run, "p95": 44.0},
                "answers_right": right,
                "refused_rightly": 0.9,
                "wrong": 1 - right,
                "wrong_sure": 0.0,
            },
            "intervals": {"recall@1": [max(0.0, first - 0.2), min(1.0, first + 0.2)]},
            "questions": rows,
        }
        file = "project-glucose-questions.jsonl"
        store.add("questions", file, "ab", f"index {run}; profile regulatory", report)
    store.close()


def _question(at: int, run: int) -> dict[str, object]:
    is_right = float(at < 8 + run % 12)
    return {
        "id": f"g{at + 1:02d}",
        "question": QUESTIONS[at % len(QUESTIONS)],
        "recall@1": is_right,
        "recall@10": 1.0 if at else 0.0,
        "right": is_right,
        "wrong": 1 - is_right,
        "refused": 0.0,
    }
