"""Reads one section of a file of settings: types, ranges, unknown keys, with line and column."""

from __future__ import annotations

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path
from typing import TypeVar

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.yaml_nodes import (
    Mark,
    YamlList,
    YamlMap,
    YamlNode,
    YamlProblem,
    YamlScalar,
    parse_yaml,
)
from phasergun_desktop.storage.small_files import UnusableFileError, read_small_text

_Choice = TypeVar("_Choice", bound=StrEnum)
Range = tuple[float, float]


class SettingsReader:
    """A mapping of the file. Every key that is asked for is known; ``finish`` refuses others.

    ``usual`` is the range outside of which a value is used but warned of, ``possible`` the one
    outside of which it is nonsense. Every method raises ``ProfileError``.
    """

    def __init__(
        self, file: str, node: YamlMap, path: str = "", warnings: list[str] | None = None
    ) -> None:
        self._file = file
        self._node = node
        self._path = path
        self._known: list[str] = []
        self.warnings: list[str] = [] if warnings is None else warnings

    @classmethod
    def open(cls, path: Path) -> SettingsReader:
        """Read the file at ``path``."""
        return cls.parse(path.name, read_settings_text(path))

    @classmethod
    def parse(cls, name: str, text: str) -> SettingsReader:
        """Read ``text``, the content of the file ``name``."""
        try:
            node = parse_yaml(text)
        except YamlProblem as problem:
            raise _error(name, problem.mark, f"{problem.message}.") from problem
        if not isinstance(node, YamlMap):
            raise _error(name, node.mark, "the file must consist of lines “key: value”.")
        return cls(name, node)

    def has(self, key: str) -> bool:
        """Whether ``key``, which need not be there, is."""
        return self._value(key) is not None

    def text(self, key: str, default: str | None = None) -> str:
        """Return a text; without ``default`` it must be there."""
        node = self._value(key)
        if node is None:
            if default is None:
                raise self._missing(key)
            return default
        if isinstance(node, YamlScalar):
            if node.value is None:
                return ""
            return node.value if isinstance(node.value, str) else node.text
        raise self.wrong(node.mark, f"“{self._full(key)}” must be a text")

    def integer(self, key: str, usual: Range, possible: Range, default: int | None = None) -> int:
        """Return a whole number in ``possible``."""
        value = self.number(key, usual, possible, default)
        if value != int(value):
            raise self.wrong(self.mark(key), f"“{self._full(key)}” must be a whole number")
        return int(value)

    def number(
        self, key: str, usual: Range, possible: Range, default: float | None = None
    ) -> float:
        """Return a number in ``possible``."""
        node = self._value(key)
        if node is None:
            if default is None:
                raise self._missing(key)
            return default
        value = node.value if isinstance(node, YamlScalar) else None
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise self.wrong(node.mark, f"“{self._full(key)}” must be a number")
        # Written so that "not a number" is refused too.
        if not possible[0] <= value <= possible[1]:
            written = node.text[:40] if isinstance(node, YamlScalar) else ""
            message = f"“{self._full(key)}” is {written}; possible is {_range(possible)}"
            raise self.wrong(node.mark, message)
        if not usual[0] <= value <= usual[1]:
            self.warnings.append(
                f"{self._file}, line {node.mark.line}: “{self._full(key)}” is {value:g}; "
                f"usual is {_range(usual)}."
            )
        return value

    def flag(self, key: str, default: bool) -> bool:
        """Return true or false."""
        node = self._value(key)
        if node is None:
            return default
        if isinstance(node, YamlScalar) and isinstance(node.value, bool):
            return node.value
        raise self.wrong(node.mark, f"“{self._full(key)}” must be true or false")

    def choice(self, key: str, choices: type[_Choice], default: _Choice | None = None) -> _Choice:
        """Return one of ``choices``."""
        node = self._value(key)
        if node is None:
            if default is None:
                raise self._missing(key)
            return default
        word = node.text if isinstance(node, YamlScalar) else ""
        for each in choices:
            if each.value == word:
                return each
        known = ", ".join(choices)
        message = f"“{self._full(key)}” must be one of {known}"
        raise self.wrong(node.mark, message, did_you_mean(word, choices) if word else "")

    def texts(self, key: str) -> tuple[str, ...]:
        """Return a list of texts, empty where there is none."""
        node = self._value(key)
        if node is None:
            return ()
        items = node.items if isinstance(node, YamlList) else None
        if items is None or not all(isinstance(item, YamlScalar) for item in items):
            raise self.wrong(node.mark, f"“{self._full(key)}” must be a list of texts")
        return tuple(
            item.value if isinstance(item.value, str) else item.text
            for item in items
            if isinstance(item, YamlScalar)
        )

    def section(self, key: str) -> SettingsReader:
        """Return the reader of a section; an absent one is empty."""
        node = self._value(key)
        if node is None or (isinstance(node, YamlScalar) and node.value is None):
            node = YamlMap((), self._node.mark)
        if isinstance(node, YamlMap):
            return SettingsReader(self._file, node, self._full(key), self.warnings)
        raise self.wrong(node.mark, f"“{self._full(key)}” must consist of lines “key: value”")

    def sections(self, key: str) -> tuple[SettingsReader, ...]:
        """Return the readers of a list of sections, none where there is no list."""
        node = self._value(key)
        if node is None:
            return ()
        if not isinstance(node, YamlList):
            raise self.wrong(node.mark, f"“{self._full(key)}” must be a list")
        readers = []
        for item in node.items:
            if not isinstance(item, YamlMap):
                raise self.wrong(item.mark, f"“{self._full(key)}” must list “key: value” entries")
            readers.append(SettingsReader(self._file, item, self._full(key), self.warnings))
        return tuple(readers)

    def free_keys(self) -> tuple[str, ...]:
        """Return all keys of a section whose keys are the user's own, and take them as known."""
        keys = tuple(entry.key for entry in self._node.entries)
        self._known.extend(keys)
        return keys

    def finish(self) -> None:
        """Refuse keys that nobody asked for."""
        for entry in self._node.entries:
            if entry.key not in self._known:
                message = f"“{self._full(entry.key)}” is not known"
                near = did_you_mean(entry.key, self._known)
                remedy = near or f"Known are: {', '.join(self._known)}."
                raise self.wrong(entry.mark, message, remedy)

    def mark(self, key: str) -> Mark:
        """Return where the value of ``key`` stands; the section where it is absent."""
        entry = self._node.get(key)
        return self._node.mark if entry is None else entry.value.mark

    def wrong(self, mark: Mark, message: str, remedy: str = "") -> ProfileError:
        """Return the error for the value at ``mark``."""
        return _error(self._file, mark, f"{message}.", remedy)

    def _value(self, key: str) -> YamlNode | None:
        self._known.append(key)
        entry = self._node.get(key)
        return None if entry is None else entry.value

    def _missing(self, key: str) -> ProfileError:
        # A misspelt key is the likelier mistake: name it instead of the missing one.
        names = [entry.key for entry in self._node.entries]
        near = did_you_mean(key, names)
        remedy = f"“{key}” is not there. {near}" if near else f"Add “{key}: …”."
        return self.wrong(self._node.mark, f"“{self._full(key)}” is missing", remedy)

    def _full(self, key: str) -> str:
        return f"{self._path}.{key}" if self._path else key


def read_settings_text(path: Path) -> str:
    """Return the text of a file of settings. Raises ``ProfileError``."""
    try:
        return read_small_text(path)
    except UnusableFileError as error:
        raise ProfileError("Settings not readable", error.message, error.remedy) from error
    except FileNotFoundError as error:
        raise ProfileError(
            "Settings not readable",
            f"{path.name} cannot be read ({error.strerror}).",
            "Check that the file is there and that you may read it.",
        ) from error


def _error(file: str, mark: Mark, message: str, remedy: str = "") -> ProfileError:
    return ProfileError(
        "Settings not valid",
        f"{file}, line {mark.line}, column {mark.column}: {message}",
        remedy or "Correct this line, or take the file of the product again.",
    )


def _range(bounds: Iterable[float]) -> str:
    low, high = bounds
    return f"{low:g} to {high:g}"
