"""A JSON file of sections, each a frozen dataclass: read with patience, written whole."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Hashable
from dataclasses import Field, asdict, fields
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast, get_type_hints

from phasergun_desktop.errors import StorageError
from phasergun_desktop.storage.atomic_files import move_aside, write_atomically
from phasergun_desktop.storage.small_files import UnusableFileError, parse_json, read_small_file

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

SectionsT = TypeVar("SectionsT", bound="DataclassInstance")
JsonObject = dict[str, Any]
_LARGEST = sys.float_info.max


class SectionsFile(Generic[SectionsT]):
    """Loads and changes one file. Neither a damaged file nor a strange value stops it.

    ``kind`` is a dataclass of sections. A field's metadata may say the ``range`` of a number
    (lowest, highest) or the ``pattern`` that a text matches as a whole. ``version`` is
    the one that this program writes; a file without one is version 1.
    """

    def __init__(self, path: Path, kind: type[SectionsT], version: int = 1) -> None:
        self._path = path
        self._kind = kind
        self._version = version
        self._notices: tuple[str, ...] = ()

    @property
    def path(self) -> Path:
        """The settings file."""
        return self._path

    @property
    def notices(self) -> tuple[str, ...]:
        """What the last ``load()`` has to tell the user, in sentences; empty when all is well."""
        return self._notices

    def load(self) -> SectionsT:
        """Return the settings; what is absent or unusable has its default (see ``notices``)."""
        notices: list[str] = []
        try:
            stored = self._read(notices)
        except UnusableFileError as error:
            notices.append(
                f"The settings could not be read (the file {error.why}); the defaults are used."
            )
            stored = {}
        settings = self._settings_of(stored, notices)
        self._notices = tuple(notices)
        return settings

    def change(self, edit: Callable[[SectionsT], SectionsT]) -> SectionsT:
        """Read the settings, write what ``edit`` makes of them, and return it; nothing is written
        where it changes nothing. Keys that this version does not know stay in the file.

        Raises ``StorageError``, also where the file is there but cannot be read: the defaults
        must not take the place of what it says. The old file is untouched then.
        """
        notices: list[str] = []
        stored = self._read(notices)
        settings = self._settings_of(stored, notices)
        self._notices = tuple(notices)
        changed = edit(settings)
        if changed != settings:
            self._write(stored, changed)
        return changed

    def _settings_of(self, stored: JsonObject, notices: list[str]) -> SectionsT:
        if _version_of(stored) > self._version:
            notices.append(
                "The settings were written by a newer version of PhaserGun; "
                "what this version does not know is kept but not used."
            )
        return cast("SectionsT", _build(self._kind, stored, "", notices))

    def _write(self, stored: JsonObject, settings: SectionsT) -> None:
        merged = _merge(stored, asdict(settings))
        merged["version"] = max(self._version, _version_of(stored))
        text = json.dumps(merged, indent=2, ensure_ascii=False, sort_keys=True)
        write_atomically(self._path, text + "\n")

    def _read(self, notices: list[str]) -> JsonObject:
        """Return what the file says; ``UnusableFileError`` where it cannot be read."""
        try:
            content = read_small_file(self._path)
        except FileNotFoundError:
            return {}
        try:
            found = parse_json(content)
        except ValueError:
            found = None
        if isinstance(found, dict):
            return found
        notices.append(self._put_aside())
        return {}

    def _put_aside(self) -> str:
        try:
            aside = move_aside(self._path)
        except StorageError:
            return "The settings file is damaged; the defaults are used."
        return f"The settings file was damaged and is kept as {aside.name}; the defaults are used."


def _version_of(stored: JsonObject) -> int:
    version = stored.get("version", 1)
    return version if isinstance(version, int) and version >= 1 else 1


def _merge(stored: JsonObject, known: JsonObject) -> JsonObject:
    merged = dict(stored)
    for key, value in known.items():
        below = merged.get(key)
        if isinstance(value, dict):
            merged[key] = _merge(below if isinstance(below, dict) else {}, value)
        else:
            merged[key] = value
    return merged


@cache
def _type_hints(kind: Hashable) -> dict[str, Any]:
    # A search reads the settings; most of their time went into this.
    return get_type_hints(kind)


def _build(kind: type[Any], stored: object, place: str, notices: list[str]) -> object:
    """Make a section from JSON, field by field, leaving out what cannot be used."""
    if not isinstance(stored, dict):
        notices.append(f"The setting “{place}” is not valid; its default is used.")
        return kind()
    hints = _type_hints(cast("Hashable", kind))
    names = {each.name for each in fields(kind)}
    unknown = sorted(set(stored) - names - ({"version"} if not place else set()))
    if unknown:
        listed = ", ".join(f"“{_name(place, key)}”" for key in unknown)
        notices.append(f"Unknown settings are kept but not used: {listed}.")
    values: dict[str, object] = {}
    for each in fields(kind):
        if each.name not in stored:
            continue
        name = _name(place, each.name)
        hint = hints[each.name]
        if hasattr(hint, "__dataclass_fields__"):
            values[each.name] = _build(hint, stored[each.name], name, notices)
            continue
        try:
            values[each.name] = _convert(hint, stored[each.name], each)
        except ValueError:
            notices.append(f"The setting “{name}” is not valid; its default is used.")
    return kind(**values)


def _name(place: str, key: str) -> str:
    return f"{place}.{key}" if place else key


def _convert(hint: object, value: object, each: Field[Any]) -> object:
    """Return ``value`` as the field's type; ``ValueError`` where it is of another or outside."""
    if isinstance(hint, type) and issubclass(hint, StrEnum) and isinstance(value, str):
        return hint(value)
    if hint is bool or hint is str:
        if not isinstance(value, cast("type[object]", hint)) or not _matches(value, each):
            raise ValueError(each.name)
        return value
    if hint is int or hint is float:
        return _number(hint is int, value, each)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return tuple(value)
    raise ValueError(each.name)


def _number(is_whole: bool, value: object, each: Field[Any]) -> int | float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise ValueError(each.name)
    lowest, highest = each.metadata.get("range", (-_LARGEST, _LARGEST))
    # Written so that "not a number" is refused too; no number is too large to be compared.
    if not lowest <= value <= highest or (is_whole and value != int(value)):
        raise ValueError(each.name)
    return int(value) if is_whole else float(value)


def _matches(value: object, each: Field[Any]) -> bool:
    pattern = each.metadata.get("pattern")
    return pattern is None or re.fullmatch(pattern, str(value)) is not None
