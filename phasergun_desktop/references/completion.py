"""What can be written next where a bracket or an ``@`` stands open before the cursor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.references.model import ReferenceKind
from phasergun_desktop.references.notation import KIND_WORDS
from phasergun_desktop.references.reference_names import ReferenceName, ReferenceNames

_BRACKET = re.compile(r"\[([^\[\]\n]{0,300})$")
# Not inside a word: an e-mail address is no scope.
_AT = re.compile(r"(?<![\w.@/\\+%-])@([\w-]{0,40})$")
# So many letters are looked for in names further inside and in what names mean as well.
_ENOUGH_LETTERS = 2
_MOST_BELOW, _MOST_SHOWN = 40, 200
_KINDS_MEAN = {
    ReferenceKind.PROCEDURE: "procedures by group and category",
    ReferenceKind.MASTER_RECORD: "a value or a section of the master record",
    ReferenceKind.CONTEXT: "a folder or a document of Context",
    ReferenceKind.BOOTSTRAP: "questions and answers, used word for word",
    ReferenceKind.DOC_FIELD: "a field of a bootstrap document",
}


@dataclass(frozen=True, slots=True)
class Completion:
    """``insert`` takes the place of the last ``length`` code points before the cursor; ``shown``
    and ``means`` are what a list shows. It ends in ``|`` where another part follows."""

    shown: str
    means: str
    insert: str
    length: int


def completions(before: str, names: ReferenceNames) -> tuple[Completion, ...]:
    """Return what can follow ``before``, the line up to the cursor, best first."""
    bracket, at = _BRACKET.search(before), _AT.search(before)
    found: list[Completion] = []
    if bracket is not None:
        *parts, typed = bracket[1].split("|")
        found = [*_of_level(parts, typed, names), *_further_inside(parts, typed, names)]
    if not found and at is not None:
        length = len(at[0])
        wanted = at[1].replace("-", "_")
        found = _matching(
            [Completion(one.text, one.means, one.text, length) for one in names.scopes], wanted
        )
    # Where all is written nothing is left to choose: Return is a new line again.
    is_written = len(found) == 1 and before.endswith(found[0].insert)
    return () if is_written else tuple(found[:_MOST_SHOWN])


def _of_level(parts: list[str], typed: str, names: ReferenceNames) -> list[Completion]:
    """Return the next parts below ``parts``: each with what it names, or with what follows."""
    depth, length = len(parts), len(typed)
    whole: dict[str, ReferenceName] = {}
    deeper: dict[str, int] = {}
    order: dict[str, str] = {}
    if not parts:
        order = {word: _KINDS_MEAN[kind] for kind, word in KIND_WORDS.items()}
        deeper = dict.fromkeys(order, 0)
    for each in _below(parts, names):
        name = each.parts[depth]
        order.setdefault(name, each.means)
        if len(each.parts) == depth + 1:
            whole[name] = each
        else:
            deeper[name] = deeper.get(name, 0) + 1
    found = []
    for name, means in order.items():
        if name in whole:
            found.append(Completion(name, whole[name].means, f"{name}]", length))
        if name in deeper:
            shown = f"{name}|…" if name in whole else name
            inside = f"{means} ({deeper[name] or 'none'} here)" if not parts else "a part of it"
            found.append(Completion(shown, inside, f"{name}|", length))
    return _matching(found, typed)


def _further_inside(parts: list[str], typed: str, names: ReferenceNames) -> list[Completion]:
    """Return whole references some parts further on that begin with what is typed, or hold it."""
    wanted, depth = typed.strip().casefold(), len(parts)
    if len(wanted) < _ENOUGH_LETTERS:
        return []
    found: dict[tuple[str, str, str], tuple[str, ...]] = {}
    for each in _below(parts, names):
        rest = each.parts[depth:]
        if len(rest) > 1 and wanted in rest[-1].casefold():
            # A field of a section that needs no section to be told is one name.
            found.setdefault((each.parts[0], rest[-1], each.means), rest)
    begun = sorted(found.items(), key=lambda item: not item[0][1].casefold().startswith(wanted))
    return [
        Completion("|".join(rest), means, f"{'|'.join(rest)}]", len(typed))
        for (_, _, means), rest in begun[:_MOST_BELOW]
    ]


def _below(parts: list[str], names: ReferenceNames) -> Iterator[ReferenceName]:
    keys = [_key(part) for part in parts]
    for each in names.brackets:
        if len(each.parts) > len(keys) and [_key(p) for p in each.parts[: len(keys)]] == keys:
            yield each


def _matching(found: list[Completion], typed: str) -> list[Completion]:
    """Return those that begin with ``typed``, then those that hold it, then by their meaning."""
    wanted = typed.strip().casefold()
    names = [one for one in found if wanted in one.shown.casefold()]
    names.sort(key=lambda one: not one.shown.casefold().lstrip("@").startswith(wanted))
    if len(wanted) < _ENOUGH_LETTERS:
        return names
    return names + [one for one in found if one not in names and wanted in one.means.casefold()]


def _key(part: str) -> str:
    return re.sub(r"[\s_\-]+", "", part).casefold()
