"""Copies of what could not be saved, outside the place that takes no more."""

from __future__ import annotations

import json
import logging
import os
import re
import stat
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from phasergun_desktop.drafts.draft_codec import decode_draft, encode_draft
from phasergun_desktop.drafts.markdown_export import draft_to_markdown
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from phasergun_desktop.errors import PhaserGunError, StorageError
from phasergun_desktop.grounding.footnote_codec import JsonObject
from phasergun_desktop.storage.atomic_files import write_atomically
from phasergun_desktop.storage.problems import from_os_error
from phasergun_desktop.storage.small_files import parse_json, read_small_file

_LOG = logging.getLogger(__name__)


TypedPrompts = tuple[TypedPrompt, ...]
_PROMPTS = "prompts"
# Far more than a draft with its proof has: what lies in the temporary folder may be anything.
_MOST_BYTES = 50_000_000
_UNREADABLE = (
    OSError,
    StorageError,
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
)


class NotSavedError(StorageError):
    """The writer's words are not in their project; ``copy`` is the file that has them, if any."""

    def __init__(self, cause: PhaserGunError, copy: Path | None) -> None:
        where = f"A copy of your words is in {copy}." if copy else "There is no copy of your words."
        super().__init__(
            cause.title,
            f"{cause.message} What you wrote is not saved. {where}",
            f"{cause.remedy} Saving is tried again by itself.".strip(),
        )
        self.copy = copy


@dataclass(frozen=True, slots=True)
class RescueCopy:
    """A copy that an earlier run left, of a draft or of prompts. ``made`` is ISO 8601 in UTC."""

    path: Path
    item: Draft | TypedPrompts
    made: str


class RescueCopies:
    """The copies of one project's things, each as JSON (to bring it back) and Markdown (to read).

    ``folders`` are tried in their order; they are readable by this user alone. Every run has
    file names of its own: a copy that is not brought back yet is never written over.
    """

    def __init__(self, folders: Sequence[Path], project_id: str) -> None:
        self._folders = tuple(folders)
        self._project_id = project_id
        self._run = uuid.uuid4().hex[:8]
        self._lock = threading.Lock()
        # The copies that go when what they are of is saved.
        self._own: dict[str, set[Path]] = {}

    def write(self, item: Draft | TypedPrompts) -> Path:
        """Write a copy where there is room; return the file to read. Raises ``StorageError``."""
        content = json.dumps(
            {
                "format": 1,
                "project": self._project_id,
                "made": datetime.now(UTC).isoformat(timespec="seconds"),
                **_encoded(item),
            }
        )
        key = name_of(item)
        title = re.sub(r"[^\w\- ]+", "", title_of(item))[:40].strip()
        name = f"{title} {key[:8]}-{self._run}.json"
        with self._lock:
            before = self._own.get(key, set())
            path = self._write_somewhere(name, content)
            self._own[key] = {path}
            for other in before - {path}:
                _remove(other)
        readable = path.with_suffix(".md")
        try:
            write_atomically(readable, readable_form(item))
        except StorageError:
            _remove_quietly(readable)
            return path
        return readable

    def _write_somewhere(self, name: str, content: str) -> Path:
        problem = StorageError("No rescue copy", "There is no folder for a rescue copy.")
        for folder in self._folders:
            try:
                _make_private(folder)
                write_atomically(folder / name, content)
            except OSError as error:
                problem = from_os_error(error, folder)
            except StorageError as error:
                problem = error
            else:
                return folder / name
            with suppress(OSError):
                folder.rmdir()
        raise problem

    def left(self) -> tuple[RescueCopy, ...]:
        """Return what earlier runs left of this project, the newest first."""
        with self._lock:
            own = {path for paths in self._own.values() for path in paths}
        found = (copy for copy in self._all() if copy.path not in own)
        return tuple(sorted(found, key=lambda copy: copy.made, reverse=True))

    def _all(self) -> Iterator[RescueCopy]:
        for folder in self._folders:
            paths: list[Path] = []
            with suppress(OSError):
                if _is_private(folder):
                    paths = sorted(folder.glob("*.json"))
            for path in paths:
                try:
                    stored = parse_json(read_small_file(path, _MOST_BYTES))
                    if isinstance(stored, dict) and stored["project"] == self._project_id:
                        yield RescueCopy(path, _decoded(stored), str(stored["made"]))
                except _UNREADABLE:
                    _LOG.warning("a rescue copy could not be read")

    def has(self, name: str) -> bool:
        """Whether this run has a copy of the thing that ``name_of`` names so."""
        with self._lock:
            return name in self._own

    def take(self, copy: RescueCopy) -> None:
        """Let a copy go as soon as what it is of, which is on the desk again, is saved."""
        with self._lock:
            self._own.setdefault(name_of(copy.item), set()).add(copy.path)

    def remove(self, name: str) -> None:
        """Delete this run's copies of a thing that is saved now."""
        with self._lock:
            for path in self._own.pop(name, set()):
                _remove(path)

    def discard(self, copy: RescueCopy) -> None:
        """Delete a copy for good."""
        _remove(copy.path)


ItemT = TypeVar("ItemT", Draft, TypedPrompts)


def save_or_rescue(save: Callable[[ItemT], None], copies: RescueCopies, item: ItemT) -> None:
    """Save something; where that fails put its words into a rescue copy.

    Raises ``NotSavedError`` for a problem of the disk, and whatever else saving raises.
    """
    try:
        save(item)
    except PhaserGunError as error:
        raise NotSavedError(error, _rescued(copies, item, error)) from error
    except BaseException as error:
        _rescued(copies, item, error)
        raise
    copies.remove(name_of(item))


def name_of(item: Draft | TypedPrompts) -> str:
    """Return what tells a thing from the others of its project."""
    return item.draft_id if isinstance(item, Draft) else _PROMPTS


def title_of(item: Draft | TypedPrompts) -> str:
    """Return what the writer knows it by."""
    if isinstance(item, Draft):
        return " ".join(item.title.split()) or "Draft"
    return "What you typed as a prompt"


def readable_form(item: Draft | TypedPrompts) -> str:
    """Return it as Markdown."""
    if isinstance(item, Draft):
        return draft_to_markdown(item)
    return "\n\n".join(each.text for each in item if each.text) + "\n"


def _encoded(item: Draft | TypedPrompts) -> JsonObject:
    if isinstance(item, Draft):
        return {"draft": encode_draft(item)}
    return {_PROMPTS: [asdict(each) for each in item]}


def _decoded(stored: JsonObject) -> Draft | TypedPrompts:
    if _PROMPTS not in stored:
        return decode_draft(stored["draft"])
    return tuple(
        TypedPrompt(
            str(each["file"]),
            str(each["text"]),
            bool(each["is_shown"]),
            str(each.get("loaded", "")),
        )
        for each in stored[_PROMPTS]
    )


def _rescued(copies: RescueCopies, item: Draft | TypedPrompts, error: BaseException) -> Path | None:
    reason = error.title if isinstance(error, PhaserGunError) else type(error).__name__
    # It is tried again every few seconds: one line for all of that.
    level = logging.DEBUG if copies.has(name_of(item)) else logging.WARNING
    try:
        copy = copies.write(item)
    except PhaserGunError as problem:
        _LOG.warning(
            "the writer's words were not saved (%s), nor copied (%s)", reason, problem.title
        )
        return None
    _LOG.log(level, "the writer's words were not saved (%s); a copy is in %s", reason, copy.parent)
    return copy


def _make_private(folder: Path) -> None:
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _is_private(folder):
        raise PermissionError(f"{folder} belongs to somebody else")


def _is_private(folder: Path) -> bool:
    """Whether it is a folder of this user that nobody else can look into; false if absent."""
    try:
        status = folder.lstat()
    except FileNotFoundError:
        return False
    if not stat.S_ISDIR(status.st_mode):
        return False
    return os.name != "posix" or (status.st_uid == os.getuid() and not status.st_mode & 0o077)


def _remove(path: Path) -> None:
    for each in (path, path.with_suffix(".md")):
        _remove_quietly(each)
    # Not empty while there are others.
    with suppress(OSError):
        path.parent.rmdir()


def _remove_quietly(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)
