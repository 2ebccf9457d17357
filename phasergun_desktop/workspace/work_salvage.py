"""Makes a new work database of what can be read of a damaged one and of its safety copies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from sqlite3 import Connection

from phasergun_desktop.activity.log import ACTIVITY_COLUMNS, put_entries
from phasergun_desktop.conversations.conversation_store import CONVERSATION_TABLES, put_row
from phasergun_desktop.drafts.draft_codec import draft_from_json
from phasergun_desktop.drafts.draft_store import DraftStore, put_version
from phasergun_desktop.drafts.draft_tables import DRAFT_COLUMNS, VERSION_COLUMNS
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.typed_prompts import TypedPrompt, TypedPromptStore
from phasergun_desktop.storage.database import Database
from phasergun_desktop.storage.readable_rows import Row, readable_rows
from phasergun_desktop.storage.row_digests import row_digest

_TABLES = {
    "drafts": (*DRAFT_COLUMNS, "digest"),
    "draft_versions": (*VERSION_COLUMNS, "digest"),
    "typed_prompts": ("file", "text", "is_shown"),
    "activity": ACTIVITY_COLUMNS,
    **CONVERSATION_TABLES,
}
# Those of the first form of the database: they are in every copy.
_FIRST_TABLES = ("drafts", "activity")


class Saved(StrEnum):
    """What became of a draft."""

    WHOLE = "whole"
    EARLIER = "earlier"
    DOUBTFUL = "doubtful"
    LOST = "lost"


@dataclass(frozen=True, slots=True)
class SavedDraft:
    """A draft after damage. ``modified`` is when the words that it has now were written (ISO 8601
    in UTC), empty where it is lost."""

    title: str
    saved: Saved
    modified: str = ""


@dataclass(frozen=True, slots=True)
class Salvage:
    """What was saved of a damaged database, which is kept as ``aside`` (empty: it was gone).
    ``lost_turns`` counts the turns of conversations that nothing tells any more."""

    drafts: tuple[SavedDraft, ...]
    aside: str = ""
    lost_turns: int = 0

    def count(self, saved: Saved) -> int:
        """Return how many drafts became this."""
        return sum(one.saved is saved for one in self.drafts)


@dataclass(frozen=True, slots=True)
class _File:
    """The rows of each table by their number, and the tables of which every row is known."""

    rows: Mapping[str, Mapping[int, Row]]
    whole: frozenset[str]
    is_copy: bool


def salvage_into(
    target: Database, damaged: Path, copies: Sequence[Path]
) -> tuple[tuple[SavedDraft, ...], int]:
    """Write into the empty ``target`` what can be read of ``damaged`` (it may be absent), and what
    only ``copies`` (newest first) still have; return what became of each draft, the latest first,
    and how many turns of conversations are lost.

    A draft is what stands in the damaged file where its digest bears it out; else the latest of
    its versions and of its forms in the copies; else what is left, whose words may have changed.
    What a damaged file that still names every draft does not name was deleted, and stays so.
    Raises ``StorageError`` and ``OSError``.
    """
    files = [_read(damaged, copies, is_copy=False)] if damaged.exists() else []
    files += [_read(copy, (), is_copy=True) for copy in copies]
    saved: dict[str, tuple[SavedDraft, Draft | None]] = {}
    for draft_id, title in _named(_telling(files, "drafts")).items():
        saved[draft_id] = _saved_draft(draft_id, title, files)
    drafts = DraftStore(target)
    with target.transaction() as connection:
        for _, draft in sorted(saved.values(), key=lambda one: one[0].modified):
            if draft is not None:
                drafts.save(draft)
        for number, row in _merged(files, "draft_versions").items():
            if _text(row[0]) in saved:
                put_version(connection, number, [_stored(value) for value in row[:-1]])
        TypedPromptStore(target).save(
            [
                TypedPrompt(file, text, bool(row[2]))
                for one in reversed(_telling(files, "typed_prompts"))
                for row in one.rows["typed_prompts"].values()
                if (file := _text(row[0])) is not None and (text := _text(row[1]))
            ]
        )
        put_entries(connection, [one.rows["activity"] for one in files])
        lost_turns = _put_conversations(connection, files)
    told = (one for one, _ in saved.values())
    return tuple(sorted(told, key=lambda one: one.modified, reverse=True)), lost_turns


def _put_conversations(connection: Connection, files: Sequence[_File]) -> int:
    """Write every row that some file has sound of those that were there; return how many turns are
    lost. A row that is lost costs itself alone."""
    lost = 0
    for table in CONVERSATION_TABLES:
        named = {number for one in _telling(files, table) for number in one.rows[table]}
        found: dict[int, Row] = {}
        for one in files:
            for number in named & one.rows[table].keys():
                if _is_sound(one, one.rows[table][number]):
                    found.setdefault(number, one.rows[table][number])
        for number, row in sorted(found.items()):
            put_row(connection, table, [_stored(value) for value in row[:-1]], number)
        if table == "turns":
            lost = len(named - found.keys())
    return lost


def _read(path: Path, copies: Sequence[Path], *, is_copy: bool) -> _File:
    found, whole = {}, set()
    with readable_rows(path, _FIRST_TABLES, copies) as rows:
        for table, columns in _TABLES.items():
            found[table], is_whole = rows.rows(table, columns)
            if is_whole:
                whole.add(table)
    return _File(found, frozenset(whole), is_copy)


def _telling(files: Sequence[_File], table: str) -> Sequence[_File]:
    """Return the files that tell which rows ``table`` had: the first alone where it tells all."""
    return files[:1] if files and table in files[0].whole else files


def _named(files: Sequence[_File]) -> dict[str, str]:
    """Return the titles of the drafts that ``files`` name, by their ids."""
    named: dict[str, str] = {}
    for one in files:
        for row in one.rows["drafts"].values():
            draft_id = _text(row[0])
            if draft_id is not None:
                named.setdefault(draft_id, _text(row[2]) or "")
        # Where the way to the drafts is damaged, their versions still name them.
        versions = () if "drafts" in one.whole else one.rows["draft_versions"].values()
        for row in versions:
            draft_id = _text(row[0])
            if draft_id is not None:
                named.setdefault(draft_id, "")
    return named


def _saved_draft(
    draft_id: str, title: str, files: Sequence[_File]
) -> tuple[SavedDraft, Draft | None]:
    for row in () if files[0].is_copy else files[0].rows["drafts"].values():
        if _text(row[0]) == draft_id and _is_sound(files[0], row):
            whole = _draft(row[-2])
            if whole is not None:
                return SavedDraft(whole.title, Saved.WHOLE, whole.modified), whole
    forms = [
        (one, table, row, draft)
        for one in files
        for table in ("drafts", "draft_versions")
        for row in one.rows[table].values()
        if _text(row[0]) == draft_id and (draft := _draft(row[-2])) is not None
    ]
    if not forms:
        return SavedDraft(title, Saved.LOST), None
    sound = [form for form in forms if _is_sound(form[0], form[2])]
    # Of two of one time, the draft is the later; of what is left, the damaged file's own.
    *_, draft = (
        max(sound, key=lambda form: (form[3].modified, form[1] == "drafts")) if sound else forms[0]
    )
    saved = Saved.EARLIER if sound else Saved.DOUBTFUL
    return SavedDraft(draft.title or title, saved, draft.modified), draft


def _merged(files: Sequence[_File], table: str) -> dict[int, Row]:
    """Return the sound rows by their number, each from the first file that has it."""
    merged: dict[int, Row] = {}
    for one in _telling(files, table):
        for number, row in one.rows[table].items():
            if _is_sound(one, row):
                merged.setdefault(number, row)
    return merged


def _is_sound(file: _File, row: Row) -> bool:
    *values, digest = row
    # A copy was sound when it was made; those of an older form have no digests.
    return (digest is None and file.is_copy) or _text(digest) == row_digest(values)


def _draft(body: object) -> Draft | None:
    try:
        return draft_from_json(_text(body) or "")
    except ValueError:
        return None


def _stored(value: object) -> object:
    return _text(value) if isinstance(value, bytes) else value


def _text(value: object) -> str | None:
    """Return text as Python has it; None for what is none."""
    try:
        return value.decode() if isinstance(value, bytes) else None
    except UnicodeDecodeError:
        return None
