"""Which rows of a table fulfil what a question says of its columns: "verified by analysis"."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from operator import eq, ge, gt, le, lt

from phasergun_desktop.documents.model import Block
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.value_model import Bound, ValueKind
from phasergun_desktop.text.values import extract_values
from phasergun_desktop.text.words import STOP_WORDS, content_words, even

_TOKEN = re.compile(r"[^\W_]+(?:[-/.][^\W_]+)*|[^\w\s]")
_NUMBER = re.compile(r"[-+]?\d+(?:\.\d+)?")
_NEGATORS = frozenset(listed("negation", "negators"))
_COMPARED: Mapping[Bound, Callable[[Decimal, Decimal], bool]] = {
    Bound.NONE: eq,
    Bound.AT_LEAST: ge,
    Bound.ABOVE: gt,
    Bound.AT_MOST: le,
    Bound.BELOW: lt,
}
# A column, what is said of it, and its cells that fulfil that.
_Condition = tuple[str, str, frozenset[str]]
# A shorter value ("S") is one only behind the name of its column.
_SHORTEST = 3


def has_bound(text: str) -> bool:
    """Whether ``text`` has a bound on a number without a unit ("4 or higher")."""
    return any(
        value.kind is ValueKind.NUMBER and value.bound is not Bound.NONE and not value.unit
        for value in extract_values(text)
    )


def fulfilling(
    question: str, title: str, rows: Sequence[Block], *, by_bound: bool = False
) -> tuple[list[Block], str]:
    """Return those of ``rows``, all of the table ``title``, that fulfil what ``question`` says of
    their columns, and that in words; all of them and ``""`` where it is not certain: the question
    does not name what the table has, denies something, or has a number or a value that may be that
    of no or another column. Values of one column are alternatives. ``by_bound``: only numbers are
    read; in an order to write a word of it may well be a value by chance."""
    if any(len({name for name, _ in row.cells}) < len(row.cells) for row in rows):
        return list(rows), ""  # Two columns of one name.
    columns: dict[str, list[str]] = {}
    for name, cell in (pair for row in rows for pair in row.cells):
        columns.setdefault(name, []).append(cell)
    tokens = _tokens(question)
    named = set(content_words(" ".join((title, *columns))))
    counted = next((at for at, each in enumerate(tokens) if named & set(content_words(each))), None)
    if counted is None or not _NEGATORS.isdisjoint(map(str.casefold, tokens)):
        return list(rows), ""
    said: dict[str, list[str]] = {}
    allowed: dict[str, set[str]] = {}
    valued = () if by_bound else _valued(tokens, counted, columns)
    for condition in (*_compared(question, columns), *valued):
        if condition is None:
            return list(rows), ""
        name, words, cells = condition
        said.setdefault(name, []).append(words)
        allowed.setdefault(name, set()).update(cells)
    kept = [
        row for row in rows if all(dict(row.cells).get(name) in allowed[name] for name in allowed)
    ]
    if not (kept and said):
        return list(rows), ""
    return kept, " and ".join(f"“{name}” is {' or '.join(said[name])}" for name in said)


def _compared(question: str, columns: Mapping[str, Sequence[str]]) -> Iterator[_Condition | None]:
    """Yield what is said with a number behind the name of a column; None for another number."""
    for value in extract_values(question):
        if value.kind not in (ValueKind.NUMBER, ValueKind.RANGE):
            continue
        before = content_words(even(question)[: value.start])[-2:]
        names = [name for name in columns if set(before[-1:]) & set(content_words(name))]
        if len(names) > 1:
            names = [name for name in names if set(before) <= set(content_words(name))]
        compares = _COMPARED.get(value.bound) if value.kind is ValueKind.NUMBER else None
        cells = columns[names[0]] if len(names) == 1 else []
        if compares is None or value.unit or not cells or not all(map(_NUMBER.fullmatch, cells)):
            yield None
            continue
        fit = frozenset(cell for cell in cells if compares(Decimal(cell), Decimal(value.key)))
        yield names[0], f"{value.bound} {value.raw}".strip(), fit


def _valued(
    tokens: Sequence[str], counted: int, columns: Mapping[str, Sequence[str]]
) -> Iterator[_Condition | None]:
    """Yield what is said with a value, all of a cell, that ends a phrase of ``tokens`` or stands
    right before what is ``counted``; None for a value of several columns."""
    folded = [each.casefold() for each in tokens]
    found: dict[tuple[int, int], dict[str, str]] = {}
    for name, cells in columns.items():
        for cell in dict.fromkeys(cells):
            value = _tokens(cell.casefold())
            for at in _places(value, folded) if content_words(cell) else ():
                end = at + len(value)
                ends = end in (counted, len(folded)) or not folded[end][:1].isalnum()
                ends = ends or folded[end] in STOP_WORDS
                is_named = at and set(content_words(folded[at - 1])) & set(content_words(name))
                is_value = not cell.isdecimal() and not at <= counted < end
                if ends and is_value and (len(cell) >= _SHORTEST or is_named):
                    found.setdefault((at, end), {})[name] = cell
    for (at, end), cells_of in found.items():
        name, cell = next(iter(cells_of.items()))
        fit = frozenset(each for each in columns[name] if _says(each, folded[at:end]))
        yield (name, f"“{cell}”", fit) if len(cells_of) == 1 else None


def _says(cell: str, value: Sequence[str]) -> bool:
    own = _tokens(cell.casefold())
    return any(True for _ in _places(value, own)) and _NEGATORS.isdisjoint(own)


def _places(some: Sequence[str], tokens: Sequence[str]) -> Iterator[int]:
    return (at for at in range(len(tokens)) if list(tokens[at : at + len(some)]) == list(some))


def _tokens(text: str) -> list[str]:
    return _TOKEN.findall(even(text))
