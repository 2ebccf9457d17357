"""Drafts come back as they were, the last one first, after a kill too."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from dataclasses import fields, replace
from pathlib import Path

import pytest
from hypothesis import given, settings

from phasergun_desktop.activity.log import (
    ActivityLog,
    add_activity_texts,
    create_activity,
)
from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.drafts.draft_codec import draft_from_json, draft_to_json, encode_draft
from phasergun_desktop.drafts.draft_store import UNNAMED_VERSIONS, DraftStore
from phasergun_desktop.drafts.draft_tables import (
    DRAFT_COLUMNS,
    add_draft_digests,
    create_draft_trash,
    create_draft_versions,
    create_drafts,
)
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.row_digests import row_digest
from phasergun_desktop.writing.model import PromptCall, TraceStep
from tests.drafts.strategies import drafts

MIGRATIONS = [
    create_activity,
    create_drafts,
    create_draft_versions,
    add_draft_digests,
    create_draft_trash,
    add_activity_texts,
]
DRAFT = Draft(
    draft_id="d1",
    title="Device \ud800description",
    prompt_file="describe.md",
    prompt="Describe.",
    status="complete",
    units=(DraftSentence("One."), DraftSentence("Two.", support=Support.UNSUPPORTED)),
    footnotes=(),
    created="2026-01-02T03:04:05+00:00",
    modified="2026-01-02T03:04:05+00:00",
)

NEWER_FIELDS = (
    "confidence_criteria",
    "discrepancies",
    "warnings",
    "template",
    "model_digest",
    "prompt_sha256",
    "calls",
    "trace",
    "edits",
)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path / "work.db", MIGRATIONS) as opened:
        yield opened


@pytest.fixture
def store(database: Database) -> DraftStore:
    return DraftStore(database)


@given(drafts)
@settings(max_examples=80, deadline=None)
def test_every_draft_survives_json(draft: Draft) -> None:
    assert draft_from_json(draft_to_json(draft)) == draft


def test_every_field_is_in_the_json() -> None:
    assert set(encode_draft(DRAFT)) - {"format"} == {f.name for f in fields(Draft)}


@pytest.mark.parametrize("text", ["", "[]", "{}", '{"units": 3}'])
def test_what_is_no_draft_is_a_value_error(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        draft_from_json(text)


def test_save_load_list_latest_delete(store: DraftStore) -> None:
    assert store.latest() is None
    assert store.list() == ()
    second = replace(DRAFT, draft_id="d2", title="Second", edited_html="<p>x</p>")
    store.save(DRAFT)
    store.save(second)
    assert store.latest() == second
    assert store.load("d1") == DRAFT
    changed = replace(DRAFT, status="cancelled")
    store.save(changed)
    assert store.latest() == changed
    assert [each.draft_id for each in store.list()] == ["d1", "d2"]
    first = store.list()[0]
    assert (first.marked, first.is_edited, first.status) == (1, False, "cancelled")
    assert store.list()[1].is_edited
    store.delete("d1")
    store.delete("absent")
    assert [each.title for each in store.list()] == ["Second"]
    with pytest.raises(StorageError) as caught:
        store.load("d1")
    assert caught.value.remedy


def test_a_draft_is_there_after_reopening_beside_the_log(tmp_path: Path) -> None:
    path = tmp_path / "w.db"
    migrations = MIGRATIONS
    with Database(path, migrations) as database:
        DraftStore(database).save(DRAFT)
        ActivityLog(database).append(Activity(ActivityKind.DRAFT))
    with Database(path, migrations) as database:
        assert DraftStore(database).latest() == DRAFT
        assert ActivityLog(database).verify().checked == 1


def test_a_damaged_draft_is_a_sentence_and_the_list_still_works(
    database: Database, store: DraftStore
) -> None:
    store.save(DRAFT)
    stored = json.loads(draft_to_json(DRAFT))
    stored["units"][0]["kind"] = "hologram"
    with database.transaction() as connection:
        connection.execute("UPDATE drafts SET body = ?", (json.dumps(stored),))
        row = connection.execute(f"SELECT {', '.join(DRAFT_COLUMNS)} FROM drafts").fetchone()
        connection.execute("UPDATE drafts SET digest = ?", (row_digest(row),))
    with pytest.raises(StorageError, match="newer version"):
        store.latest()
    assert len(store.list()) == 1


@pytest.mark.parametrize("body", [b'{"title":"\xff\xfe"}', b"[" * 100_000, b"[1]", b"{}"])
def test_a_draft_that_cannot_be_read_is_a_sentence(
    database: Database, store: DraftStore, body: bytes
) -> None:
    store.save(DRAFT)
    with database.transaction() as connection:
        connection.execute("UPDATE drafts SET body = CAST(? AS TEXT)", (body,))
    with pytest.raises(StorageError):
        store.latest()
    assert len(store.list()) == 1


def test_threads_may_save_at_once(store: DraftStore) -> None:
    def save(name: str) -> None:
        for _ in range(10):
            store.save(replace(DRAFT, draft_id=name))

    threads = [threading.Thread(target=save, args=(f"d{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.list()) == 4


def test_a_draft_of_an_earlier_version_of_the_product_is_read() -> None:
    """What was written before drafts kept their proof has none of the newer fields."""
    stored = json.loads(draft_to_json(DRAFT))
    for name in NEWER_FIELDS:
        del stored[name]
    for unit in stored["units"]:
        for name in ("point", "accepted", "needs_check"):
            del unit[name]
    assert draft_from_json(json.dumps(stored)) == DRAFT


def test_a_database_of_an_earlier_version_gets_its_versions(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    with Database(path, MIGRATIONS[:2]) as database, database.transaction() as connection:
        connection.execute(
            "INSERT INTO drafts VALUES ('d1', 1, 't', 'p', 'complete', 'c', 'm', 0, 0, ?)",
            (draft_to_json(DRAFT),),
        )
    with Database(path, MIGRATIONS) as database:
        store = DraftStore(database)
        assert store.load("d1") == DRAFT
        assert store.versions("d1") == ()
        store.keep_version(DRAFT, "Saved", "2026-01-01T00:00:00+00:00")
        assert store.versions("d1")[0].words == 2


def test_versions_are_kept_once_each_and_the_last_ones(store: DraftStore) -> None:
    def version(number: int) -> Draft:
        return replace(DRAFT, units=(DraftSentence(f"Number {number} of many."),))

    assert store.keep_version(version(0), "Written", "t0", name="Sent to QA") is not None
    # Saved again without a change, with another time: the same version.
    assert store.keep_version(replace(version(0), modified="later"), "Exported", "t0") is None
    assert store.keep_version(version(0), "Saved", "t0", name="Sent to RA") is not None
    for number in range(1, UNNAMED_VERSIONS + 11):
        assert store.keep_version(version(number), "Exported", f"t{number}") is not None
    assert store.keep_version(replace(DRAFT, draft_id="other"), "Written", "t") is not None
    kept = store.versions("d1")
    assert len(kept) == UNNAMED_VERSIONS + 2
    assert [one.name for one in kept[-2:]] == ["Sent to RA", "Sent to QA"]
    assert kept[0].made == f"t{UNNAMED_VERSIONS + 10}"
    assert store.version(kept[-1].version_id) == version(0)
    assert store.version(kept[0].version_id) == version(UNNAMED_VERSIONS + 10)
    store.delete("d1")
    assert store.versions("d1") == ()
    assert len(store.versions("other")) == 1
    with pytest.raises(StorageError, match="no longer kept") as caught:
        store.version(kept[0].version_id)
    assert caught.value.remedy


def test_an_accepted_sentence_is_not_counted_as_marked(store: DraftStore) -> None:
    accepted = replace(DRAFT.units[1], accepted="2026-02-03T04:05:06+00:00")
    store.save(replace(DRAFT, units=(DRAFT.units[0], accepted)))
    assert store.list()[0].marked == 0
    loaded = store.load("d1").units[1]
    assert loaded.is_accepted
    # What was found about it stays beside the writer's word.
    assert loaded.support is Support.UNSUPPORTED


def _texts(draft: Draft) -> list[str]:
    return [unit.text for unit in draft.units]


def _saying(text: str) -> Draft:
    return replace(DRAFT, units=(DraftSentence(text),))


def test_what_another_window_kept_becomes_a_version(database: Database) -> None:
    first, second = DraftStore(database), DraftStore(database)
    first.save(_saying("Begun."))
    assert second.latest() is not None
    first.save(_saying("Mine."))
    assert first.versions("d1") == ()
    second.save(_saying("Theirs."))
    (version,) = first.versions("d1")
    assert version.why == "Changed in another window"
    assert _texts(first.version(version.version_id)) == ["Mine."]
    # Whoever saves again without having looked keeps the other's text too.
    first.save(_saying("Mine again."))
    assert _texts(first.version(first.versions("d1")[0].version_id)) == ["Theirs."]
    # A draft that was read anew is nobody's surprise.
    second.load("d1")
    second.save(_saying("Joint."))
    assert len(second.versions("d1")) == 2


def test_the_editors_text_does_not_replace_the_record_of_its_making(store: DraftStore) -> None:
    standard = Footnote(2, "standard", "[2] ISO 14971", "ISO 14971")
    cited = Footnote(1, "context", "[1] TR-100", "TR-100", "report.md")
    kept = replace(
        DRAFT,
        plan_json='{"title": "x"}',
        footnotes=(cited, standard),
        confidence_level="high",
        confidence_score=0.9,
        confidence_rationale="All is cited.",
        warnings=("w",),
        template="t",
        model_digest="m",
        prompt_sha256=("p",),
        calls=(PromptCall("p", "s", "h", "t"),),
        trace=(TraceStep("write", "m"),),
    )
    store.save(kept)
    snapshot = replace(_saying("As the editor has it."), footnotes=(cited,), status="cancelled")
    store.save(snapshot)
    stored = store.load("d1")
    assert stored == replace(kept, units=snapshot.units, status="cancelled")
    # A draft with a record of its own replaces the one before.
    store.save(replace(snapshot, plan_json="{}"))
    assert store.load("d1") == replace(snapshot, plan_json="{}")


def test_what_is_in_the_trash_is_told_apart_and_comes_back(store: DraftStore) -> None:
    store.save(DRAFT)
    store.save(replace(DRAFT, draft_id="d2"))
    store.throw_away("d2")
    assert {one.draft_id: bool(one.thrown) for one in store.list()} == {"d1": False, "d2": True}
    latest = store.latest()
    assert latest is not None
    assert latest.draft_id == "d1"
    store.put_back("d2")
    assert not any(one.thrown for one in store.list())
    store.throw_away("d1")
    store.empty_trash()
    assert [one.draft_id for one in store.list()] == ["d2"]
    # A draft of the same id that comes later is not in the trash.
    store.save(DRAFT)
    assert not any(one.thrown for one in store.list())
