"""Writing to the work database: the log and autosave."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable
from pathlib import Path

from phasergun_desktop.activity.log import ActivityLog, add_activity_texts, create_activity
from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.drafts.draft_store import DraftStore
from phasergun_desktop.drafts.draft_tables import create_draft_versions, create_drafts
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.word import draft_to_docx
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.storage.database import Database
from tests.benchmarks.frame import Figure, figure, repeat_ms


def work_database() -> Iterable[Figure]:
    """Append an entry, save a draft of 60 sentences, verify the log, write the Word file."""
    entry = Activity(ActivityKind.ASK, prompt="How wide is the range?" * 5, answer="x" * 2000)
    draft = _draft()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "work.db"
        with Database(
            path, [create_activity, add_activity_texts, create_drafts, create_draft_versions]
        ) as database:
            log, store = ActivityLog(database), DraftStore(database)
            yield figure("activity_append", "ms", repeat_ms(lambda: log.append(entry), 500))
            yield figure("draft_save", "ms", repeat_ms(lambda: store.save(draft), 50))
            yield figure("activity_verify_501", "ms", repeat_ms(log.verify, 5))
    yield figure("draft_to_docx", "ms", repeat_ms(lambda: draft_to_docx(draft), 5))


def _draft() -> Draft:
    footnotes = tuple(
        Footnote(n, "context", f"[{n}] Context: a.docx", "A", "a.docx", quote="word " * 40)
        for n in range(1, 21)
    )
    units = tuple(
        DraftSentence("The meter measures glucose in whole blood. " * 2, citations=(n % 20 + 1,))
        for n in range(60)
    )
    now = "2026-01-02T03:04:05+00:00"
    return Draft("d", "Draft", "p.md", "Describe.", "complete", units, footnotes, now, now)
