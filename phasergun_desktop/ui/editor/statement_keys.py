"""Gives every statement in the editor a key of its own, found by the words that stand there.

The formats of the text name the unit that it was written with, and typing, Return, paste and drag
carry that name to other words. So a name alone says nothing: among the stretches of one name the
one that is the unit keeps its key, and every other statement is one of the writer's own, known by
its words and footnotes. Nothing is written into the document, so that undo stays the writer's.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import partial

from phasergun_desktop.drafts.draft_shape import (
    CELL_SEPARATOR,
    NO_FOOTNOTE,
    NO_UNIT,
    Checked,
    DraftShape,
    Paragraph,
    ParagraphKind,
    Row,
    Run,
    Table,
    has_words,
    text_of_runs,
)
from phasergun_desktop.drafts.piece_memo import PieceMemo
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.ui.editor.draft_book import DraftBook
from phasergun_desktop.ui.sources.placed_text import utf16_length

# A sentence shares more than half of its letters with the one that it was edited from.
_SAME_SENTENCE = 0.5


@dataclass(frozen=True, slots=True)
class Stretch:
    """Neighbouring runs (of a row, those of all cells) that make one statement. ``unit`` is the
    key that their formats name, ``NO_UNIT`` where the words are the writer's. What does not state
    anything (a heading) needs no key."""

    unit: int
    runs: tuple[Run, ...]
    words: str
    notes: frozenset[int]
    states: bool = True


def identified(shape: DraftShape, book: DraftBook, memo: PieceMemo) -> DraftShape:
    """Return ``shape`` with the key of its statement on every run, and tell ``book`` what stands
    there. Headings that name no unit have no key; no key stands twice. What ``memo`` has of a
    piece is taken from there."""
    stretches = [_stretches(piece, book, memo) for piece in shape]
    rivals: dict[int, list[Stretch]] = defaultdict(list)
    for one in (each for found in stretches for each in found):
        if one.unit != NO_UNIT:
            rivals[one.unit].append(one)
    winners = {id(_winner(key, those, book)) for key, those in rivals.items()}
    seen: Counter[tuple[str, frozenset[int]]] = Counter()
    standing: dict[Checked, list[tuple[int, int]]] = defaultdict(list)
    keys: list[list[int]] = []
    for piece, found in zip(shape, stretches, strict=True):
        keys.append([])
        for at, one in enumerate(found):
            key = NO_UNIT
            if id(one) in winners:
                key = one.unit
            elif one.states and has_words(one.words):
                seen[one.words, one.notes] += 1
                key = book.own_statement(one.words, one.notes, seen[one.words, one.notes])
            block = piece.block if isinstance(piece, Paragraph) else piece.rows[at].block
            standing[one.unit, one.words, one.notes].append((block, key))
            keys[-1].append(key)
    book.stand(standing)
    those = zip(shape, stretches, keys, strict=True)
    return tuple(_keyed(piece, found, named, memo) for piece, found, named in those)


def runs_now(piece: Paragraph | Row, book: DraftBook) -> Iterator[Run]:
    """Yield the runs of a paragraph or row with the keys of their statements, as the whole text
    was read last; words typed since then belong to the unit that they were typed in."""
    if isinstance(piece, Row):
        found = [_row_stretch(piece, book)]
    else:
        found = _paragraph_stretches(piece, book)
    seen: Counter[Checked] = Counter()
    for one in found:
        at = (one.unit, one.words, one.notes)
        there = book.standing.get(at, ())
        here = [key for block, key in there if block == piece.block][seen[at] :]
        seen[at] += 1
        key = here[0] if here else there[0][1] if there else one.unit
        yield from _keyed_runs(one, key)


def _stretches(piece: Paragraph | Table, book: DraftBook, memo: PieceMemo) -> list[Stretch]:
    if isinstance(piece, Table):
        return [
            memo.get(
                "stretch",
                row.cells,
                (row.is_header, *(book.changes_of(cell) for cell in row.cells)),
                partial(_row_stretch, row, book),
            )
            for row in piece.rows
        ]
    state = (piece.kind, book.changes_of(piece.runs))
    return memo.get("stretches", piece.runs, state, partial(_paragraph_stretches, piece, book))


def _row_stretch(row: Row, book: DraftBook) -> Stretch:
    runs = tuple(run for cell in row.cells for run in cell)
    unit = next((run.unit for run in runs if run.unit in book.units), NO_UNIT)
    cells = tuple(text_of_runs(cell) for cell in row.cells)
    known = book.units.get(unit)
    same = known is not None and known.cells == cells
    words = " ".join(known.text.split()) if known and same else CELL_SEPARATOR.join(cells)
    words = words if any(cells) else ""
    return Stretch(unit, runs, words, _notes(runs), not row.is_header)


def _paragraph_stretches(paragraph: Paragraph, book: DraftBook) -> list[Stretch]:
    groups = _groups(paragraph.runs, book)
    if paragraph.kind is ParagraphKind.HEADING:
        # A heading is one unit, however it was pieced together.
        first = next((unit for unit, _runs in groups if unit != NO_UNIT), NO_UNIT)
        together = [run for _unit, runs in groups for run in runs]
        return [replace(_stretch(first, together), states=False)] if together else []
    found: list[Stretch] = []
    for unit, runs in groups:
        found += _sentences(unit, runs, book)
    return found


def _groups(runs: Sequence[Run], book: DraftBook) -> list[tuple[int, list[Run]]]:
    """Return the neighbours that name one unit; the writer's words in the midst of a sentence
    belong to it, and a mark to the words before it, whatever sentence it was moved from."""
    groups: list[tuple[int, list[Run]]] = []
    for run in runs:
        unit = run.unit if run.unit in book.units else NO_UNIT
        is_blank = run.footnote == NO_FOOTNOTE and not has_words(run.text)
        if groups and (is_blank or run.footnote != NO_FOOTNOTE or unit == groups[-1][0]):
            groups[-1][1].append(run)
        elif not is_blank or run.text.strip():
            groups.append((unit, [run]))
    joined: list[tuple[int, list[Run]]] = []
    for unit, those in groups:
        last = joined[-1] if joined else None
        if last is not None and (
            last[0] == unit
            or not has_words(_letters(last[1]))
            or ((last[0] == NO_UNIT) != (unit == NO_UNIT) and _goes_on(last[1], those))
        ):
            joined[-1] = (unit if unit != NO_UNIT else last[0], [*last[1], *those])
        else:
            joined.append((unit, those))
    return joined


def _goes_on(left: Sequence[Run], right: Sequence[Run]) -> bool:
    before, after = _letters(left), _letters(right)
    return any(a < len(before) < b for a, b in sentence_spans(before + after))


def _sentences(unit: int, runs: list[Run], book: DraftBook) -> list[Stretch]:
    """Return the sentences of a group; those that are the unit, edited or not, as one."""
    whole = _stretch(unit, runs)
    known = book.units.get(unit)
    if known is not None and (known.kind is UnitKind.TODO or book.has_words(unit, whole.words)):
        return [whole]
    letters = _letters(runs)
    spans = [(a, b) for a, b in sentence_spans(letters) if has_words(letters[a:b])]
    if len(spans) < 2:
        return [whole] if whole.words else []
    cuts = [start for start, _ in spans[1:]]
    parts = [_stretch(NO_UNIT, part) for part in _cut(runs, cuts)]
    if known is None:
        return parts
    first, last = _edited_from(book.origin(unit), parts)
    core = _stretch(unit, [run for part in parts[first : last + 1] for run in part.runs])
    return [*parts[:first], core, *parts[last + 1 :]]


def _edited_from(text: str, parts: Sequence[Stretch]) -> tuple[int, int]:
    """Return the first and last of ``parts`` that stand for ``text``: those most like each of its
    sentences, else the one with footnotes, else the first."""
    alike = []
    for start, end in sentence_spans(text):
        likeness = [_likeness(part.words, text[start:end]) for part in parts]
        if max(likeness) >= _SAME_SENTENCE:
            alike.append(likeness.index(max(likeness)))
    if not alike:
        alike = [at for at, part in enumerate(parts) if part.notes][:1] or [0]
    return min(alike), max(alike)


def _winner(unit: int, rivals: Sequence[Stretch], book: DraftBook) -> Stretch:
    if len(rivals) == 1:
        return rivals[0]
    text = book.origin(unit)

    def merit(one: Stretch) -> tuple[bool, bool, float]:
        was_checked = (unit, one.words, one.notes) in book.checked
        return was_checked, one.words == text, _likeness(one.words, text)

    return max(rivals, key=merit)


def _likeness(left: str, right: str) -> float:
    return SequenceMatcher(None, left, right, autojunk=False).ratio()


def _cut(runs: Sequence[Run], at: Sequence[int]) -> list[list[Run]]:
    """Return ``runs`` parted at offsets (code points of their letters); a mark belongs to the
    words before it."""
    parts: list[list[Run]] = [[]]
    waiting, offset = list(at), 0
    for run in runs:
        rest = run
        while waiting and run.footnote == NO_FOOTNOTE and waiting[0] < offset + len(rest.text):
            inside = waiting.pop(0) - offset
            head, tail = rest.text[:inside], rest.text[inside:]
            middle = rest.start + utf16_length(head)
            if head:
                parts[-1].append(replace(rest, text=head, end=middle))
            parts.append([])
            rest = replace(rest, text=tail, start=middle)
            offset += len(head)
        parts[-1].append(rest)
        offset += len(rest.text)
    return parts


def _stretch(unit: int, runs: Sequence[Run]) -> Stretch:
    return Stretch(unit, tuple(runs), text_of_runs(runs), _notes(runs))


def _letters(runs: Sequence[Run]) -> str:
    return "".join(run.text for run in runs)


def _notes(runs: Iterable[Run]) -> frozenset[int]:
    return frozenset(run.footnote for run in runs if run.footnote != NO_FOOTNOTE)


def _keyed(
    piece: Paragraph | Table, stretches: Sequence[Stretch], keys: Sequence[int], memo: PieceMemo
) -> Paragraph | Table:
    if isinstance(piece, Paragraph):
        pairs = zip(stretches, keys, strict=True)
        runs = memo.get(
            "keyed",
            stretches,
            tuple(keys),
            lambda: tuple(run for pair in pairs for run in _keyed_runs(*pair)),
        )
        return Paragraph(piece.kind, runs, piece.level, piece.block, piece.start)
    return Table(
        tuple(
            replace(row, cells=memo.get("cells", row.cells, key, partial(_keyed_cells, row, key)))
            for row, key in zip(piece.rows, keys, strict=True)
        )
    )


def _keyed_cells(row: Row, key: int) -> tuple[tuple[Run, ...], ...]:
    return tuple(tuple(replace(run, unit=key) for run in cell) for cell in row.cells)


def _keyed_runs(stretch: Stretch, key: int) -> Iterator[Run]:
    """Yield the runs of a statement; the space around it is part of none."""
    runs = stretch.runs
    last = max((at for at, run in enumerate(runs) if run.footnote or run.text.strip()), default=-1)
    for at, run in enumerate(runs):
        space = len(run.text) - len(run.text.rstrip()) if at == last and not run.footnote else 0
        if at > last:
            yield replace(run, unit=NO_UNIT)
        elif space:
            yield replace(run, unit=key, text=run.text[:-space], end=run.end - space)
            yield replace(run, unit=NO_UNIT, text=run.text[-space:], start=run.end - space)
        else:
            yield replace(run, unit=key)
