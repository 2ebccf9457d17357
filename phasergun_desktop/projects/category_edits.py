"""Changes to the text of ``categories.yaml`` that leave all the rest of it as it was written."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass

from phasergun_desktop.profiles.yaml_nodes import (
    YamlEntry,
    YamlList,
    YamlMap,
    YamlNode,
    YamlScalar,
    parse_yaml,
)
from phasergun_desktop.projects.categories import (
    CATEGORY_KEYS,
    Categories,
    CategoryEntry,
    clean_path,
    file_key,
    parse_categories,
)

HEADER = "# What each document is, where its own text does not say it.\n"
ALL_LOST = "The comments of the file and the keys that are not known here."
# Nothing that YAML reads as something else, inside of braces too.
_PLAIN = re.compile(r"[A-Za-z](?:[\w ./()+&-]*[\w/)+-])?")
_WORDS_OF_YAML = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ufeff\ufffe\uffff]")
_COMMENT = re.compile(r"(?:^|\s)#", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class CategoryEdit:
    """The new text, and what of the old one it does not have: nothing, usually."""

    text: str
    lost: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Cut:
    start: int
    end: int
    text: str


def edit_categories(text: str, changes: Mapping[str, CategoryEntry]) -> CategoryEdit:
    """Return ``text`` with the entries of ``changes`` in the place of those of the same files.

    Comments stay, and so do keys that are not known. ``lost`` says where a comment inside of an
    entry that is changed cannot. Raises ``YamlProblem`` where ``text`` cannot be read.
    """
    before = parse_categories(text)
    root = parse_yaml(text)
    edited = _edited(text, root, changes)
    if edited is not None and _holds(edited.text, before, changes):
        return edited
    # A form that is not foreseen: the entries alone, in the usual form.
    entries = {file: before.entry(file) for file in before.files}
    known = {file_key(file): file for file in entries}
    for file, entry in changes.items():
        entries[known.get(file_key(file), file)] = entry
    lines = [f"  {_word(file)}: {_braces(entry)}\n" for file, entry in entries.items()]
    return CategoryEdit(f"{HEADER}documents:\n{''.join(lines)}", (ALL_LOST,))


def _holds(text: str, before: Categories, changes: Mapping[str, CategoryEntry]) -> bool:
    after = parse_categories(text)
    changed = {file_key(file) for file in changes}
    kept = (file for file in before.files if file_key(file) not in changed)
    return all(after.entry(file) == entry for file, entry in changes.items()) and all(
        after.entry(file) == before.entry(file) for file in kept
    )


def _edited(text: str, root: YamlNode, changes: Mapping[str, CategoryEntry]) -> CategoryEdit | None:
    if isinstance(root, YamlScalar) and root.value is None:
        lines = "".join(_line("  ", file, entry) for file, entry in changes.items())
        return CategoryEdit(f"{_ended(text) or HEADER}documents:\n{lines}")
    if not isinstance(root, YamlMap) or root.is_flow:
        return None
    documents = root.get("documents")
    if documents is None:
        lines = "".join(_line("  ", file, entry) for file, entry in changes.items())
        return CategoryEdit(f"{_ended(text)}documents:\n{lines}")
    if not isinstance(documents.value, YamlMap) or documents.value.is_flow:
        return None if isinstance(documents.value, YamlMap) else _begun(text, documents, changes)
    return _in_block(text, documents.value, changes)


def _begun(
    text: str, documents: YamlEntry, changes: Mapping[str, CategoryEntry]
) -> CategoryEdit | None:
    if not isinstance(documents.value, YamlScalar) or documents.value.value is not None:
        return None
    at = _line_end(text, documents.end)
    lines = "".join(_line("  ", file, entry) for file, entry in changes.items())
    return CategoryEdit(f"{_ended(text[:at])}{lines}{text[at:]}")


def _in_block(
    text: str, documents: YamlMap, changes: Mapping[str, CategoryEntry]
) -> CategoryEdit | None:
    if not documents.entries:
        return None
    written = {file_key(clean_path(each.key) or ""): each for each in documents.entries}
    cuts: list[_Cut] = []
    lost: list[str] = []
    added = ""
    first, last = documents.entries[0], documents.entries[-1]
    indent = " " * (first.mark.column - 1)
    end = "\r\n" if "\r\n" in text else "\n"
    for file, entry in changes.items():
        there = written.get(file_key(file))
        if there is None:
            added += _line(indent, file, entry, end)
            continue
        if _COMMENT.search(text[there.start : there.end]):
            lost.append(f"The comments inside the entry of {file}.")
        braces = _braces(entry, there.value)
        key = text[there.start : there.value_start].split("\n", 1)[0].rstrip()
        cuts.append(_Cut(there.start, there.end, f"{key} {braces}"))
    at = _line_end(text, last.end)
    if added:
        needs_break = at == len(text) and not text.endswith("\n")
        cuts.append(_Cut(at, at, (end if needs_break else "") + added))
    for cut in sorted(cuts, key=lambda one: one.start, reverse=True):
        tail = "\n" if text[cut.start : cut.end].endswith("\n") else ""
        text = text[: cut.start] + cut.text + tail + text[cut.end :]
    return CategoryEdit(text, tuple(lost))


def _line(indent: str, file: str, entry: CategoryEntry, end: str = "\n") -> str:
    return f"{indent}{_word(file)}: {_braces(entry)}{end}"


def _braces(entry: CategoryEntry, before: YamlNode | None = None) -> str:
    """Return the entry in braces, with the unknown keys that it had."""
    parts = [
        f"{key}: {_word(value)}"
        for key, value in (("category", entry.category), ("kind", entry.kind))
        if value
    ]
    if entry.tags:
        parts.append(f"tags: [{', '.join(map(_word, entry.tags))}]")
    if entry.confidentiality:
        parts.append(f"confidentiality: {_word(entry.confidentiality)}")
    if isinstance(before, YamlMap):
        parts += [
            f"{_word(each.key)}: {_flow(each.value)}"
            for each in before.entries
            if each.key not in CATEGORY_KEYS
        ]
    return f"{{{', '.join(parts)}}}"


def _flow(node: YamlNode) -> str:
    if isinstance(node, YamlMap):
        return f"{{{', '.join(f'{_word(e.key)}: {_flow(e.value)}' for e in node.entries)}}}"
    if isinstance(node, YamlList):
        return f"[{', '.join(map(_flow, node.items))}]"
    if node.value is None:
        return "null"
    return _word(node.value) if isinstance(node.value, str) else node.text


def _word(text: str) -> str:
    """Return ``text`` as YAML reads it back, in quotes where it must be."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _WORDS_OF_YAML:
        return text
    quoted = json.dumps(text, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)


def _ended(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def _line_end(text: str, position: int) -> int:
    """Return where the line after the one of ``position`` begins."""
    if position and text[position - 1 : position] == "\n":
        return position
    found = text.find("\n", position)
    return len(text) if found < 0 else found + 1
