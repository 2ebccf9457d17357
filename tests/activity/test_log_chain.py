"""Whatever is changed, removed or left out of a log is told; what may be left out is not missed."""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phasergun_desktop.activity.anchor import START_HASH, Anchor
from phasergun_desktop.activity.chain import ChainedRow, chain_hash, verify_rows
from phasergun_desktop.activity.codec import decode_entry, divide, encode_activity
from phasergun_desktop.activity.entry_filter import EntryFilter
from phasergun_desktop.activity.log import (
    ActivityLog,
    add_activity_texts,
    create_activity,
    put_entries,
)
from phasergun_desktop.activity.log_export import export_log, verify_export
from phasergun_desktop.activity.model import Activity, ActivityKind, LoggedCitation, VerifyResult
from phasergun_desktop.errors import PhaserGunError, StorageError
from phasergun_desktop.storage.database import Database

SECRET = "The Calmera T1 \udc80 warms “saline” at ½ bar"
FORMS = (create_activity, add_activity_texts)


@pytest.fixture
def database(tmp_path: Path) -> Iterator[Database]:
    with Database(tmp_path / "work.db", FORMS) as opened:
        yield opened


@pytest.fixture
def log(database: Database) -> ActivityLog:
    return ActivityLog(database)


def _activity(at: int = 0) -> Activity:
    return Activity(
        ActivityKind.ASK if at % 2 else ActivityKind.DRAFT,
        prompt=f"{SECRET} {at}?",
        answer="At 20 °C.",
        status="complete" if at % 3 else "abstained",
        citations=(LoggedCitation(1, "a.pdf"),),
        prompt_tokens=at,
        cost=0.5,
        errors=("one",),
    )


def _chained(count: int, *, old: int = 0, days: int = 0) -> list[ChainedRow]:
    """Return a chain of ``count`` entries, the first ``old`` of them of the earlier form, an hour
    apart, the first one from ``days`` days ago."""
    rows: list[ChainedRow] = []
    previous = START_HASH.encode()
    start = datetime.now(UTC) - timedelta(days=days)
    for number in range(1, count + 1):
        activity = _activity(number)
        texts: str | None
        if number <= old:
            values = json.loads(encode_activity(activity))
            del values["removed"]
            body, texts = json.dumps(values, sort_keys=True, separators=(",", ":")), None
        else:
            body, texts = divide(activity)
        at = (start + timedelta(hours=number)).isoformat(timespec="milliseconds").encode()
        kind = activity.kind.value.encode()
        digest = chain_hash(previous, number, at, kind, body.encode())
        told = None if texts is None else texts.encode()
        rows.append(ChainedRow(number, at, kind, body.encode(), previous, digest, told))
        previous = digest
    return rows


def _fill(database: Database, rows: Sequence[ChainedRow]) -> None:
    with database.transaction() as connection:
        columns = [(r.number, r.at, r.kind, r.body, r.previous, r.hash, r.texts) for r in rows]
        put_entries(connection, [{r[0]: r for r in columns}])
    ActivityLog(database).note_end()


def _verified(rows: Sequence[ChainedRow], end: ChainedRow, *, needs_texts: bool) -> VerifyResult:
    anchor = Anchor(end.number, end.hash.decode())
    return verify_rows(rows, anchor, end.number, needs_texts=needs_texts)


ROWS = _chained(12, old=4)


@settings(max_examples=300)
@given(st.data())
def test_any_change_of_an_entry_is_found(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(ROWS) - 1))
    row = ROWS[place]
    column = data.draw(
        st.sampled_from(["number", "at", "kind", "body", "previous", "hash", "texts"])
    )
    stored = getattr(row, column)
    if column == "number":
        changed: object = data.draw(st.integers(-3, 40).filter(lambda other: other != stored))
    elif stored is None:
        changed = data.draw(st.binary(max_size=5))
    else:
        changed = data.draw(
            st.one_of(
                st.binary(max_size=80),
                st.builds(
                    lambda at, byte: stored[:at] + bytes([byte]) + stored[at + 1 :],
                    st.integers(0, len(stored) - 1),
                    st.integers(0, 255),
                ),
                st.just(None) if column == "texts" else st.nothing(),
            ).filter(lambda other: other != stored)
        )
    spoiled = [*ROWS]
    spoiled[place] = replace(row, **{column: changed})  # type: ignore[arg-type]
    result = _verified(spoiled, ROWS[-1], needs_texts=True)
    assert not result.ok
    assert result.first_bad is not None
    assert result.first_bad <= row.number + 1


@given(st.integers(0, 11), st.integers(1, 12), st.booleans())
def test_any_removal_is_found(first: int, count: int, has_texts: bool) -> None:
    rows = ROWS if has_texts else [r if r.number <= 4 else replace(r, texts=None) for r in ROWS]
    left = [*rows[:first], *rows[first + count :]]
    result = _verified(left, ROWS[-1], needs_texts=has_texts)
    assert not result.ok
    assert result.first_bad == first + 1
    assert result.missing == len(rows) - len(left)


@given(st.permutations(ROWS).filter(lambda rows: rows != ROWS))
def test_another_order_is_found(rows: list[ChainedRow]) -> None:
    assert not _verified(rows, ROWS[-1], needs_texts=True).ok


def test_texts_are_nowhere_but_apart() -> None:
    body, texts = divide(_activity())
    assert "Calmera" not in body
    assert "Calmera" in texts
    again = divide(_activity())
    # With a salt: the same question cannot be found by trying.
    assert again[0] != body
    assert decode_entry(body, texts) == _activity()
    without = decode_entry(body, None)
    assert (without.prompt, without.answer, without.errors) == ("", "", ())
    assert without.citations == _activity().citations


def test_entries_of_the_earlier_form_stay_readable_and_chained(
    database: Database, log: ActivityLog
) -> None:
    _fill(database, _chained(3, old=3))
    written = log.append(_activity(7))
    assert log.verify() == VerifyResult(ok=True, checked=4)
    entries = log.entries()
    assert entries[0] == written
    assert [entry.activity for entry in entries] == [_activity(at) for at in (7, 3, 2, 1)]


def test_a_log_of_the_earlier_form_is_brought_over(tmp_path: Path) -> None:
    path = tmp_path / "work.db"
    with Database(path, [create_activity]) as database:
        row = _chained(1, old=1)[0]
        with database.transaction() as connection:
            connection.execute(
                "INSERT INTO activity VALUES (1, ?, ?, ?, ?, ?)",
                [
                    (each or b"").decode()
                    for each in (row.at, row.kind, row.body, row.previous, row.hash)
                ],
            )
    with Database(path, FORMS) as database:
        log = ActivityLog(database)
        log.append(_activity(2))
        assert log.verify() == VerifyResult(ok=True, checked=2)
        assert [entry.activity for entry in log.entries()] == [_activity(2), _activity(1)]


# ------------------------------------------------------------ filters


def test_filters_choose_entries(database: Database, log: ActivityLog) -> None:
    _fill(database, _chained(48, old=10, days=10))
    log.append(Activity(ActivityKind.EXPORT, subject="100%_safe.docx", answer="ÉTUDE"))

    def numbers(wanted: EntryFilter) -> list[int]:
        return [entry.number for entry in log.entries(wanted=wanted)]

    assert numbers(EntryFilter(kind=ActivityKind.EXPORT)) == [49]
    assert numbers(EntryFilter(status="abstained")) == [at for at in range(48, 0, -1) if not at % 3]
    assert numbers(EntryFilter(text="calmera t1 \udc80 warms “SALINE” at ½ bar 7?")) == [7]
    assert numbers(EntryFilter(text="SALINE” at ⅓ bar 7?")) == []
    assert numbers(EntryFilter(text="saline” AT")) == list(range(48, 0, -1))
    assert numbers(EntryFilter(text="½ bar 7?")) == [7]
    assert numbers(EntryFilter(text="étude")) == [49]
    assert numbers(EntryFilter(text="100%_s")) == [49]
    assert numbers(EntryFilter(text="a%f")) == []
    day = (datetime.now(UTC) - timedelta(days=9)).date().isoformat()
    of_day = [e.number for e in log.entries() if e.at.startswith(day)]
    assert of_day
    assert numbers(EntryFilter(since=day, until=day)) == of_day
    assert numbers(EntryFilter(since="2999-01-01")) == []


@pytest.mark.parametrize(
    "text", ["'", '"', "; DROP TABLE activity", "\\", "%", "!", "\0", "\ud800"]
)
def test_hostile_texts_are_only_texts(database: Database, log: ActivityLog, text: str) -> None:
    _fill(database, _chained(3))
    assert log.entries(wanted=EntryFilter(text=text, status=text)) == ()
    log.append(Activity(ActivityKind.ASK, prompt=f"a {text} b"))
    assert log.entries(wanted=EntryFilter(text=text))[0].number == 4


def test_a_hundred_thousand_entries_are_filtered_at_once(
    database: Database, log: ActivityLog
) -> None:
    bodies = [divide(_activity(at)) for at in range(600)]
    rows, previous = [], START_HASH
    for number in range(1, 100_001):
        day = datetime(2020, 1, 1, tzinfo=UTC) + timedelta(minutes=30 * number)
        body, texts = bodies[number % 600]
        at, kind = day.isoformat(timespec="milliseconds"), _activity(number).kind.value
        chained = (each.encode() for each in (at, kind, body))
        digest = chain_hash(previous.encode(), number, *chained).decode()
        rows.append((number, at, kind, body, previous, digest, texts))
        previous = digest
    with database.transaction() as connection:
        connection.executemany("INSERT INTO activity VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    log.append(_activity(99_321))
    wanted = (
        EntryFilter(text="bar 99321?"),
        EntryFilter(kind=ActivityKind.ASK, status="abstained", since="2025-01-01"),
        EntryFilter(until="2024-01-01", text="nowhere"),
    )
    for one in wanted:
        best = 1e9
        for _ in range(3):
            started = time.perf_counter()
            log.entries(200, one)
            best = min(best, time.perf_counter() - started)
        assert best < 0.3
    assert log.entries(wanted=wanted[0])[0].number == 100_001
    # The middle cut out, by a tool that knows nothing of triggers.
    with database.transaction() as connection:
        connection.execute("DROP TRIGGER activity_no_delete")
        connection.execute("DELETE FROM activity WHERE number BETWEEN 40000 AND 60000")
    result = log.verify()
    assert (result.ok, result.first_bad, result.missing) == (False, 40_000, 20_001)


# ------------------------------------------------------------ export


@pytest.mark.parametrize("with_texts", [True, False])
def test_an_export_verifies_by_itself(
    database: Database, log: ActivityLog, tmp_path: Path, with_texts: bool
) -> None:
    _fill(database, _chained(6))
    path = tmp_path / "log.jsonl"
    export_log(path, log.chain(), with_texts=with_texts)
    assert verify_export(path) == VerifyResult(ok=True, checked=6)
    assert ("Calmera" in path.read_text("utf-8")) is with_texts


def test_the_earlier_form_is_exported_as_far_as_it_can_be(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    export_log(path, ROWS, with_texts=True)
    assert verify_export(path) == VerifyResult(ok=True, checked=12)
    export_log(path, ROWS, with_texts=False)
    result = verify_export(path)
    assert result == VerifyResult(ok=True, checked=12, untold=4)
    assert "4 entries of an earlier form" in result.in_words()
    assert "Calmera" not in path.read_text("utf-8")


@settings(max_examples=150, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.data())
def test_any_change_of_an_export_is_found(tmp_path: Path, data: st.DataObject) -> None:
    path = tmp_path / "log.jsonl"
    export_log(path, _chained(8), with_texts=data.draw(st.booleans()))
    lines = path.read_text("utf-8").splitlines()
    place = data.draw(st.integers(0, len(lines) - 1))
    if data.draw(st.booleans()):
        del lines[place]
    else:
        at = data.draw(st.integers(0, len(lines[place]) - 1))
        letter = data.draw(st.sampled_from('0a}{,:"[ '))
        spoiled = lines[place][:at] + letter + lines[place][at + 1 :]
        if _same(spoiled, lines[place]):
            return
        lines[place] = spoiled
    path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    with suppress(PhaserGunError):
        assert not verify_export(path).ok


def _same(one: str, other: str) -> bool:
    """Whether two lines say the same of what an export says."""
    try:
        left, right = json.loads(one), json.loads(other)
    except ValueError:
        return False
    keys = ("number", "at", "kind", "body", "texts", "previous", "hash", "end")
    if not isinstance(left, dict):
        return False
    # Without its texts an entry is as good.
    return all(left.get(key) == right.get(key) for key in keys if key != "texts") and (
        "texts" not in left or left.get("texts") == right.get("texts")
    )


def test_chosen_entries_are_no_whole_log(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    export_log(path, ROWS[2:4], with_texts=True, is_whole=False)
    with pytest.raises(PhaserGunError, match="cannot be verified"):
        verify_export(path)


@pytest.mark.parametrize("content", [b"", b"\n", b"{}", b"[1]\n[", b"\xff\0"])
def test_what_is_no_export_is_told(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "log.jsonl"
    path.write_bytes(content)
    with pytest.raises(PhaserGunError) as told:
        verify_export(path)
    assert told.value.remedy


def test_a_table_holds_no_formulas(database: Database, log: ActivityLog, tmp_path: Path) -> None:
    log.append(Activity(ActivityKind.ASK, prompt="=cmd|calc", answer="-1", total_ms=-2.0))
    path = tmp_path / "log.csv"
    export_log(path, log.chain(), with_texts=True)
    header, row = path.read_text("utf-8").splitlines()
    assert header.startswith("number,at,kind,prompt,answer,status")
    assert "'=cmd|calc,'-1," in row
    assert ",-2.0," in row
    export_log(path, log.chain(), with_texts=False)
    assert "calc" not in path.read_text("utf-8")


# ------------------------------------------------------------ retention


def _day(days_ago: float) -> str:
    return (datetime.now(UTC) - timedelta(days=days_ago)).isoformat(timespec="milliseconds")


def test_a_checkpoint_stands_for_what_was_removed(database: Database, log: ActivityLog) -> None:
    rows = _chained(48, old=10, days=5)
    _fill(database, rows)
    assert log.older_than(_day(4)) == 24
    entry = log.remove_older_than(_day(4), "Calmera")
    assert entry is not None
    removed = entry.activity.removed
    assert removed is not None
    assert (removed.upto, removed.entries) == (24, 24)
    assert removed.last_hash == rows[23].hash.decode()
    assert (removed.questions, removed.drafts) == (12, 12)
    assert removed.prompt_tokens == sum(range(25))
    assert removed.cost == pytest.approx(12.0)
    assert [each.number for each in log.entries()] == list(range(49, 24, -1))
    result = log.verify()
    assert result == VerifyResult(ok=True, checked=25, removed=24)
    assert "24 entries before were removed" in result.in_words()
    assert log.lost_entries() == 0
    log.append(_activity())
    # What is removed again, the checkpoint included, is summed up with what was before.
    last = log.remove_older_than(_day(-1), "Calmera")
    assert last is not None
    assert last.activity.removed is not None
    assert last.activity.removed.entries == 50
    assert last.activity.removed.prompt_tokens == sum(range(49))
    assert log.verify() == VerifyResult(ok=True, checked=1, removed=50)
    assert log.remove_older_than(_day(1), "Calmera") is None


def test_after_a_removal_the_past_is_as_closed_as_before(
    database: Database, log: ActivityLog
) -> None:
    _fill(database, _chained(48, days=5))
    log.remove_older_than(_day(4), "Calmera")
    refused = pytest.raises(sqlite3.IntegrityError, match="append-only")
    with refused, database.transaction() as connection:
        connection.execute("DELETE FROM activity WHERE number = 25")


def test_any_removal_after_a_checkpoint_is_found(database: Database, log: ActivityLog) -> None:
    _fill(database, _chained(8, days=2))
    log.remove_older_than(_day(1.9), "Calmera")
    rows = log.chain()
    for place in range(len(rows)):
        left = [row for at, row in enumerate(rows) if at != place]
        result = _verified(left, rows[-1], needs_texts=True)
        assert not result.ok
        assert result.missing


def test_nothing_is_removed_from_a_broken_chain(database: Database, log: ActivityLog) -> None:
    _fill(database, [row for row in _chained(48, days=5) if row.number != 30])
    with pytest.raises(StorageError, match="Nothing was removed"):
        log.remove_older_than(_day(4), "Calmera")
    assert log.entries()[-1].number == 1


def test_what_was_removed_does_not_come_back_from_a_copy(
    database: Database, log: ActivityLog, tmp_path: Path
) -> None:
    rows = _chained(48, days=5)
    _fill(database, rows)
    log.remove_older_than(_day(4), "Calmera")
    forms = [
        {r.number: (r.number, r.at, r.kind, r.body, r.previous, r.hash, r.texts) for r in found}
        for found in (log.chain(), rows)
    ]
    with Database(tmp_path / "new" / "work.db", FORMS) as made:
        with made.transaction() as connection:
            put_entries(connection, forms)
        assert ActivityLog(made).verify() == VerifyResult(ok=True, checked=25, removed=24)


def test_texts_are_removed_in_place_and_a_checkpoint_says_so(
    database: Database, log: ActivityLog
) -> None:
    _fill(database, _chained(48, old=10, days=5))
    before = log.entries()
    assert log.texts_older_than(_day(4)) == 14
    entry = log.remove_texts_older_than(_day(4), "Calmera")
    assert entry is not None
    assert (entry.activity.kind, entry.activity.texts_upto) == (ActivityKind.CHECKPOINT, 24)
    result = log.verify()
    assert result == VerifyResult(ok=True, checked=49, textless=14)
    assert result.in_words().endswith("whole. The texts of 14 entries were removed.")
    after = {each.number: each for each in log.entries()}
    for each in before:
        one = each.activity
        if 10 < each.number <= 24:
            one = replace(one, prompt="", answer="", errors=())
        assert after[each.number].activity == one
        assert after[each.number].hash == each.hash
    # Of the old form the hash covers the texts themselves.
    files = [*database.path.parent.glob("work.db*")]
    content = b"".join(path.read_bytes() for path in files)
    for number in (11, 24):
        assert f"½ bar {number}?".encode("unicode_escape") not in content
        assert f"bar {number}?".encode() not in content
    assert b"bar 10?" in content
    assert b"bar 25?" in content
    assert log.texts_older_than(_day(4)) == 0
    assert log.remove_texts_older_than(_day(4), "Calmera") is None
    # Later ones go the same way, and entries as they did.
    log.remove_texts_older_than(_day(3.5), "Calmera")
    assert log.verify().textless == 26
    removed = log.remove_older_than(_day(4), "Calmera")
    assert removed is not None
    assert removed.activity.removed is not None
    assert (removed.activity.removed.entries, log.verify().textless) == (24, 12)
    removed = log.remove_older_than(_day(3.5), "Calmera")
    assert removed is not None
    assert removed.activity.removed is not None
    assert (removed.activity.removed.entries, log.verify().ok) == (36, True)


def test_long_texts_are_written_over(database: Database, log: ActivityLog) -> None:
    # As many builds of SQLite have it: the pages of a long text are only given free.
    database.connection().execute("PRAGMA secure_delete = OFF")
    log.append(Activity(ActivityKind.ASK, answer="The pump primes. " * 900))
    assert log.remove_texts_older_than(_day(-1), "Calmera") is not None
    files = database.path.parent.glob("work.db*")
    assert not any(b"pump primes" in path.read_bytes() for path in files)


def test_texts_that_are_gone_without_a_word_are_found(
    database: Database, log: ActivityLog, tmp_path: Path
) -> None:
    _fill(database, _chained(48, days=5))
    log.remove_texts_older_than(_day(4), "Calmera")
    rows = log.chain()
    for number in (25, 48):
        gone = [replace(row, texts=None) if row.number == number else row for row in rows]
        result = _verified(gone, rows[-1], needs_texts=True)
        assert (result.ok, result.first_bad) == (False, number)
    # Nor does the checkpoint hide that one was put back otherwise.
    changed = [replace(row, texts=b"{}") if row.number == 3 else row for row in rows]
    assert _verified(changed, rows[-1], needs_texts=True).first_bad == 3
    refused = pytest.raises(sqlite3.IntegrityError, match="append-only")
    with refused, database.transaction() as connection:
        connection.execute("UPDATE activity SET texts = NULL WHERE number = 30")
    export_log(tmp_path / "log.jsonl", rows, with_texts=True)
    assert verify_export(tmp_path / "log.jsonl").ok


def test_no_texts_are_removed_from_a_broken_chain_nor_come_back_from_a_copy(
    database: Database, log: ActivityLog, tmp_path: Path
) -> None:
    rows = _chained(48, days=5)
    _fill(database, rows)
    log.remove_texts_older_than(_day(4), "Calmera")
    forms = [
        {r.number: (r.number, r.at, r.kind, r.body, r.previous, r.hash, r.texts) for r in found}
        for found in (rows, log.chain())
    ]
    with Database(tmp_path / "new" / "work.db", FORMS) as made:
        with made.transaction() as connection:
            put_entries(connection, forms)
        assert ActivityLog(made).verify() == VerifyResult(ok=True, checked=49, textless=24)
    with Database(tmp_path / "broken" / "work.db", FORMS) as broken:
        _fill(broken, [row for row in rows if row.number != 30])
        with pytest.raises(StorageError, match="Nothing was removed"):
            ActivityLog(broken).remove_texts_older_than(_day(4), "Calmera")
        assert all(each.activity.prompt for each in ActivityLog(broken).entries())
