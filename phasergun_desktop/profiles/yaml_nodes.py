"""YAML as typed nodes with line and column, read from files that may be hostile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import yaml

# libyaml's parser where the wheel has it: the same safe constructors, ten times as fast, and the
# profiles are read before the window can be used.
_Loader: type[yaml.SafeLoader] | type[yaml.CSafeLoader] = getattr(
    yaml, "CSafeLoader", yaml.SafeLoader
)
_AnyLoader = yaml.SafeLoader | yaml.CSafeLoader
MAX_SIZE = 1_000_000  # characters; a file of settings is never that long
MAX_DEPTH = 24
_LONGEST_NUMBER = 64  # characters; what is longer is a text, whatever it looks like
_TEXT_TAG = "tag:yaml.org,2002:str"


@dataclass(frozen=True, slots=True)
class Mark:
    """A place in a file, both counted from 1."""

    line: int
    column: int


@dataclass(frozen=True, slots=True)
class YamlScalar:
    """A single value; None for an empty one."""

    value: str | int | float | bool | None
    mark: Mark
    text: str = ""


@dataclass(frozen=True, slots=True)
class YamlList:
    """A list."""

    items: tuple[YamlNode, ...]
    mark: Mark


@dataclass(frozen=True, slots=True)
class YamlEntry:
    """A key with its value; ``mark`` is the key's. The text ``start``..``end`` (code points) is
    the entry, without what follows it, ``value_start`` is where its value begins."""

    key: str
    value: YamlNode
    mark: Mark
    start: int = 0
    value_start: int = 0
    end: int = 0


@dataclass(frozen=True, slots=True)
class YamlMap:
    """A mapping in the file's order, without duplicate keys; ``is_flow``: written in braces."""

    entries: tuple[YamlEntry, ...]
    mark: Mark
    is_flow: bool = False

    def get(self, key: str) -> YamlEntry | None:
        """Return the entry of ``key`` or None."""
        return next((entry for entry in self.entries if entry.key == key), None)


YamlNode = YamlScalar | YamlList | YamlMap


class YamlProblem(Exception):  # noqa: N818 - turned into the reader's own error by every caller
    """The text is not usable YAML; ``mark`` says where."""

    def __init__(self, message: str, mark: Mark) -> None:
        super().__init__(f"line {mark.line}, column {mark.column}: {message}")
        self.message = message
        self.mark = mark


def parse_yaml(text: str) -> YamlNode:
    """Parse one YAML document; an empty text gives an empty scalar.

    Aliases are refused (they can blow a small file up without end), so are tags, duplicate
    keys, deep nesting and files above ``MAX_SIZE``. Raises ``YamlProblem``.
    """
    if len(text) > MAX_SIZE:
        raise YamlProblem("the file is too long to be a file of settings", Mark(1, 1))
    loader = _Loader(text) if _is_harmless(text) else None
    if loader is None:
        return YamlScalar(None, Mark(1, 1))
    try:
        node = loader.get_single_node()
        return YamlScalar(None, Mark(1, 1)) if node is None else _convert(loader, node)
    except yaml.YAMLError as error:
        raise _problem(error) from error
    except (ValueError, OverflowError) as error:
        # An impossible date or number in a plain value.
        raise YamlProblem(f"a value cannot be read ({error})", Mark(1, 1)) from error
    finally:
        loader.dispose()


def _is_harmless(text: str) -> bool:
    """Read the events alone, which takes no recursion; False when there is no document."""
    depth = 0
    seen = False
    try:
        for event in yaml.parse(text, Loader=_Loader):
            mark = _mark(event.start_mark)
            if isinstance(event, yaml.AliasEvent):
                raise YamlProblem("aliases (*name) are not allowed here", mark)
            if isinstance(event, yaml.NodeEvent):
                seen = True
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
                if depth > MAX_DEPTH:
                    raise YamlProblem("too many levels inside one another", mark)
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
    except yaml.YAMLError as error:
        raise _problem(error) from error
    return seen


def _convert(loader: _AnyLoader, node: yaml.Node) -> YamlNode:
    mark = _mark(node.start_mark)
    if isinstance(node, yaml.SequenceNode):
        return YamlList(tuple(_convert(loader, item) for item in node.value), mark)
    if isinstance(node, yaml.MappingNode):
        return _convert_map(loader, node, mark)
    text = str(node.value)
    # “1:1:1:…” is one number of base 60 to YAML, and takes for ever when it is long.
    is_long = len(text) > _LONGEST_NUMBER and node.tag != _TEXT_TAG
    value = text if is_long else loader.construct_object(node)
    if not (value is None or isinstance(value, str | int | float | bool)):
        value = text  # dates and binaries stay what the user wrote
    return YamlScalar(value, mark, text)


def _convert_map(loader: _AnyLoader, node: yaml.MappingNode, mark: Mark) -> YamlMap:
    entries: list[YamlEntry] = []
    seen: set[str] = set()
    for key_node, value_node in node.value:
        key_mark = _mark(key_node.start_mark)
        if not isinstance(key_node, yaml.ScalarNode):
            raise YamlProblem("a key must be a word", key_mark)
        key = str(key_node.value)
        if key in seen:
            raise YamlProblem(f"“{key}” is given twice", key_mark)
        seen.add(key)
        places = (key_node.start_mark.index, value_node.start_mark.index, _end(value_node))
        entries.append(YamlEntry(key, _convert(loader, value_node), key_mark, *places))
    return YamlMap(tuple(entries), mark, bool(node.flow_style))


def _end(node: yaml.Node) -> int:
    """Return where a node ends: by itself one without braces ends where the next begins."""
    while isinstance(node, yaml.CollectionNode) and not node.flow_style and node.value:
        last = node.value[-1]
        node = last[1] if isinstance(last, tuple) else last
    return int(node.end_mark.index)


class _Position(Protocol):
    """What PyYAML's own marks (there are two classes) have in common; they count from 0."""

    @property
    def line(self) -> int: ...
    @property
    def column(self) -> int: ...


def _mark(position: _Position | None) -> Mark:
    return Mark(1, 1) if position is None else Mark(position.line + 1, position.column + 1)


def _problem(error: yaml.YAMLError) -> YamlProblem:
    mark = getattr(error, "problem_mark", None) or getattr(error, "context_mark", None)
    message = getattr(error, "problem", None) or getattr(error, "reason", None) or "not YAML"
    return YamlProblem(str(message), _mark(mark))
