"""Drafts survive damage to their database: nothing is lost that could be read, none changes in
silence."""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from phasergun_desktop.activity.model import Activity, ActivityKind
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.typed_prompts import TypedPrompt, TypedPromptStore
from phasergun_desktop.errors import StorageError
from phasergun_desktop.grounding.model import DraftSentence
from phasergun_desktop.storage.safety_copies import KEPT, SafetyCopies
from phasergun_desktop.workspace.work_salvage import Saved
from phasergun_desktop.workspace.work_storage import (
    WORK_FILE,
    WORK_MIGRATIONS,
    WorkStorage,
    open_work,
)

PAGE = 4096
COUNT = 8
TODAY = datetime.now(UTC)


def _draft(number: int) -> Draft:
    """A draft of some pages of the file, none like another."""
    words = random.Random(number).choices(["alarm", "cuff", "79.5 kPa", "±2 %", "strap"], k=1500)
    return Draft(
        draft_id=f"draft-{number}",
        title=f"Section {number}",
        prompt_file="",
        prompt="Describe it.",
        status="complete",
        units=(DraftSentence(f"Draft {number}: {' '.join(words)}."),),
        footnotes=(),
        created="2026-01-02T03:04:05+00:00",
        modified=f"2026-01-02T03:{number:02}:05+00:00",
    )


DRAFTS = {f"draft-{number}": _draft(number) for number in range(COUNT)}


@pytest.fixture(scope="module")
def worked_in(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A project's folder after work: drafts with a version each, entries of the log, a prompt."""
    folder = tmp_path_factory.mktemp("worked_in")
    work = open_work(folder)
    for draft in DRAFTS.values():
        work.drafts.keep_version(replace(draft, title="Before"), "written", draft.created)
        work.drafts.save(draft)
        work.activity.append(Activity(ActivityKind.DRAFT))
    TypedPromptStore(work.database).save([TypedPrompt("a.md", "What is the range?")])
    work.database.close()
    return folder


def _copied(worked_in: Path, folder: Path, *, has_copy: bool) -> Path:
    shutil.copytree(worked_in, folder, dirs_exist_ok=True)
    if has_copy:
        assert SafetyCopies(folder / WORK_FILE, len(WORK_MIGRATIONS)).make_if_due(TODAY)
    return folder


def _kept(work: WorkStorage) -> dict[str, Draft]:
    return {one.draft_id: work.drafts.load(one.draft_id) for one in work.drafts.list()}


def _assert_all_there(folder: Path) -> WorkStorage:
    work = open_work(folder)
    assert _kept(work) == DRAFTS
    assert work.activity.verify().ok
    assert [len(work.drafts.versions(one)) for one in DRAFTS] == [1] * COUNT
    assert [one.text for one in TypedPromptStore(work.database).load()] == ["What is the range?"]
    work.database.close()
    again = open_work(folder)
    assert (again.salvage, again.warnings) == (None, ())
    again.database.close()
    return work


def _cut(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size * 2 // 3 + 100)


def _behead(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"\xff" * PAGE)


def _flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    at = content.index(b'"Section 4"') + 1
    content[at] ^= 1
    path.write_bytes(content)


def _no_text(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[content.index(b"Section 3")] = 0xFF
    path.write_bytes(content)


def _nothing(path: Path) -> None:
    path.unlink()


def _empty(path: Path) -> None:
    path.write_bytes(b"")


def _noise(path: Path) -> None:
    path.write_bytes(random.Random(7).randbytes(path.stat().st_size))


@pytest.mark.parametrize("damage", [_cut, _behead, _flip, _no_text, _nothing, _empty, _noise])
def test_with_a_copy_everything_is_brought_back(
    worked_in: Path, tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    folder = _copied(worked_in, tmp_path, has_copy=True)
    damage(folder / WORK_FILE)
    salvage = _assert_all_there(folder).salvage
    assert salvage is not None
    assert len(salvage.drafts) == COUNT
    assert salvage.count(Saved.LOST) == salvage.count(Saved.DOUBTFUL) == 0
    assert (folder / salvage.aside).exists() if damage is not _nothing else salvage.aside == ""


@given(
    st.lists(st.integers(0, 400), min_size=1, max_size=6, unique=True),
    st.sampled_from([b"\xff" * PAGE, bytes(PAGE), b"\x0d" * PAGE]),
)
@example([0], b"\xff" * PAGE)
@settings(max_examples=25, deadline=None, derandomize=True)
def test_what_is_still_readable_is_kept_without_a_copy(
    worked_in: Path, tmp_path_factory: pytest.TempPathFactory, pages: list[int], rubbish: bytes
) -> None:
    folder = _copied(worked_in, tmp_path_factory.mktemp("damaged"), has_copy=False)
    path = folder / WORK_FILE
    length = path.stat().st_size
    with path.open("r+b") as file:
        for page in pages:
            file.seek(page * PAGE % length)
            file.write(rubbish)
    work = open_work(folder)
    told = {one.title: one.saved for one in work.salvage.drafts} if work.salvage else {}
    for draft_id, draft in _kept(work).items():
        # Nothing that was changed by the damage passes for what was written.
        if draft != DRAFTS[draft_id]:
            assert draft == replace(DRAFTS[draft_id], title="Before") or (
                told[draft.title] is Saved.DOUBTFUL
            )
    if work.salvage is None:
        assert _kept(work) == DRAFTS
    elif 0 not in {page * PAGE % length // PAGE for page in pages}:
        # A page damages one draft or the way to several; most are there.
        assert len(_kept(work)) >= COUNT - 2 * len(pages)
    work.database.close()


def test_a_changed_letter_brings_back_the_version_and_says_so(
    worked_in: Path, tmp_path: Path
) -> None:
    folder = _copied(worked_in, tmp_path, has_copy=False)
    path = folder / WORK_FILE
    content = bytearray(path.read_bytes())
    with closing(sqlite3.connect(path)) as connection:
        (body,) = connection.execute(
            "SELECT body FROM drafts WHERE draft_id = 'draft-2'"
        ).fetchone()
    at = content.index(body.encode()[:300])
    content[at + content[at:].index(b"Draft 2")] ^= 1
    path.write_bytes(content)
    work = open_work(folder)
    assert work.salvage is not None
    told = {one.title: one.saved for one in work.salvage.drafts}
    assert told["Before"] is Saved.EARLIER
    assert "7 whole, 1 as they were earlier" in work.warnings[0]
    assert work.drafts.load("draft-2") == replace(DRAFTS["draft-2"], title="Before")
    work.database.close()


def test_a_draft_that_changes_while_the_project_is_open_is_not_shown(
    worked_in: Path, tmp_path: Path
) -> None:
    work = open_work(_copied(worked_in, tmp_path, has_copy=False))
    with work.database.transaction() as connection:
        connection.execute("UPDATE drafts SET body = replace(body, 'alarm', 'alert')")
    with pytest.raises(StorageError, match="damaged"):
        work.drafts.load("draft-1")
    work.database.close()


def test_what_was_deleted_stays_deleted(worked_in: Path, tmp_path: Path) -> None:
    folder = _copied(worked_in, tmp_path, has_copy=True)
    work = open_work(folder)
    work.drafts.delete("draft-5")
    work.database.close()
    _flip(folder / WORK_FILE)
    work = open_work(folder)
    assert set(_kept(work)) == set(DRAFTS) - {"draft-5"}
    work.database.close()


def test_a_kill_before_the_new_one_takes_its_place_loses_nothing(
    worked_in: Path, tmp_path: Path
) -> None:
    folder = _copied(worked_in, tmp_path, has_copy=False)
    (folder / WORK_FILE).replace(folder / "work.db.salvaged")
    work = open_work(folder)
    assert (_kept(work), work.salvage) == (DRAFTS, None)
    work.database.close()


def test_the_words_still_in_the_log_of_a_kill_are_read(worked_in: Path, tmp_path: Path) -> None:
    folder = _copied(worked_in, tmp_path / "one", has_copy=False)
    work = open_work(folder)
    newest = replace(DRAFTS["draft-6"], title="Newest", modified="2026-01-03T00:00:00+00:00")
    work.drafts.save(newest)
    # As a kill leaves it: the words are in the write-ahead log alone.
    killed = tmp_path / "two"
    shutil.copytree(folder, killed)
    work.database.close()
    assert (killed / f"{WORK_FILE}-wal").stat().st_size > 0
    with (killed / WORK_FILE).open("r+b") as file:
        file.seek(PAGE * 20)
        file.write(b"\xff" * PAGE)
    work = open_work(killed)
    assert work.salvage is not None
    assert work.drafts.load("draft-6") == newest
    work.database.close()


def test_there_is_a_copy_of_each_day_and_form_and_only_of_a_sound_database(
    worked_in: Path, tmp_path: Path
) -> None:
    path = _copied(worked_in, tmp_path, has_copy=False) / WORK_FILE
    copies = SafetyCopies(path, 4)
    assert [copies.make_if_due(TODAY), copies.make_if_due(TODAY)] == [True, False]
    assert SafetyCopies(path, 5).make_if_due(TODAY + timedelta(milliseconds=1))
    assert len(copies.newest_first()) == 2
    days = [TODAY + timedelta(days=number) for number in range(1, 10)]
    assert all(copies.make_if_due(day) for day in days)
    kept = [f"{day:%Y%m%d}" for day in days[: -KEPT - 1 : -1]]
    assert [copy.name[5:13] for copy in copies.newest_first()] == kept
    _cut(path)
    with pytest.raises(StorageError):
        copies.make_if_due(TODAY + timedelta(days=20))
    assert [copy.name[5:13] for copy in copies.newest_first()] == kept


def test_copies_of_a_clock_that_was_ahead_do_not_take_the_place_of_new_ones(
    worked_in: Path, tmp_path: Path
) -> None:
    path = _copied(worked_in, tmp_path, has_copy=False) / WORK_FILE
    copies = SafetyCopies(path, 4)
    ahead = [TODAY + timedelta(days=3650 + number) for number in range(KEPT)]
    assert all(copies.make_if_due(day) for day in ahead)
    days = [TODAY + timedelta(days=number) for number in range(KEPT + 1)]
    for day in days:
        assert [copies.make_if_due(day), copies.make_if_due(day)] == [True, False]
    kept = [f"{day:%Y%m%d}" for day in (*ahead[::-1], *days[:0:-1])]
    assert [copy.name[5:13] for copy in copies.newest_first()] == kept


def test_lost_entries_of_the_log_are_told_without_the_drafts_that_are_there(
    worked_in: Path, tmp_path: Path
) -> None:
    folder = _copied(worked_in, tmp_path, has_copy=True)
    work = open_work(folder)
    for _ in range(3):
        work.activity.append(Activity(ActivityKind.ASK))
    work.database.close()
    _empty(folder / WORK_FILE)
    work = open_work(folder)
    assert work.warnings[0] == "3 entries of the activity log could not be brought back."
    work.database.close()
