"""Reads the whole table or list for a question that asks how many there are, or for all of them."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.grounding.candidate_spans import block_before, first_of_table, table_around
from phasergun_desktop.planning.evidence_edits import with_evidence
from phasergun_desktop.planning.evidence_points import unit_passage
from phasergun_desktop.planning.model import Plan, PlannedNeed, PlannedUnit, Table
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.row_conditions import fulfilling, has_bound
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.numbered_series import Numbered, numbered_in, range_in, without_ranges
from phasergun_desktop.text.values import ValueKind, extract_values
from phasergun_desktop.text.words import content_words, even

MOST_WHOLE = 60
_ALL = re.compile(
    rf"^\W*(?:{'|'.join(map(re.escape, listed('questions', 'wants_all')))})\b", re.IGNORECASE
)
_WHICH = re.compile(r"^\W*which\b", re.IGNORECASE)
_COUNT = re.compile(r"\bhow many\b|\bwhat (?:is the )?number of\b", re.IGNORECASE)
_SMALL_NUMBER = re.compile(
    rf"\b(?:{'|'.join(listed('questions', 'small_numbers'))})\b", re.IGNORECASE
)
# So many words behind a number one may be what it counts: "25 sterile test strips".
_BESIDE = 3
# The entries of a list are together at least so probable to answer.
_LIST_FROM = 0.1
_ROWS = (BlockKind.TABLE_ROW, BlockKind.LIST_ITEM)
_PARTIAL = "This may be partial: what “{asked}” asks for stands in no single table or list."
_CUT = (
    "This is partial: the table or list in {file} has {some} such entries, of which the first "
    f"{MOST_WHOLE} are read."
)
_SOME = "Of the {total} rows of the table in {file} those are stated whose {said}: {some}."


def with_whole_lists(plan: Plan, documents: IndexedDocuments) -> Plan:
    """Return ``plan`` with the whole table or list that answers, and nothing else, for each need
    that asks for all of something, or for a number that is not stated; where there is none, a
    warning says that the answer may be partial. Of a table that is answered with, the rows are
    stated that are of a range of numbers that the need names and that fulfil what it says of their
    columns, which a warning tells."""
    warnings: list[str] = []
    needs: list[PlannedNeed] = []
    for need in plan.needs:
        made, said = _whole(need, documents)
        needs.append(made)
        warnings += said
    if any(made is not need for made, need in zip(needs, plan.needs, strict=True)):
        plan = with_evidence(plan, needs)
    return replace(plan, warnings=(*plan.warnings, *warnings)) if warnings else plan


def with_rows_asked_for(plan: Plan, documents: IndexedDocuments) -> Plan:
    """Return the ``plan`` of a text with the rows of a table that a need names by a range of
    numbers ("SRS-01 to SRS-18") or, where it asks for all, by what it says of their columns, and
    with no other rows of that table for this need and the others behind its label; rows beyond a
    bound that a need sets to a column are not stated. (Where it names none whole tables were tried:
    of what they add to the texts of judged prompts 2 of 7 units belong.)"""
    warnings: list[str] = []
    needs, asked = list(plan.needs), set[str]()
    for at, need in enumerate(plan.needs):
        text = f"{need.need.label} {need.need.quote}"
        of_label = need.need.label if range_in(need.need.label) else text
        # What stands before a colon is asked for with the first of the parts behind it.
        if of_label in asked or not (range_in(text) or asks_for_all(need.need)):
            continue
        best, block = _best_list(need, documents)
        if best is None or block is None or best.table is None:
            continue
        rows, told, is_certain = _asked_rows(text, best, block, documents)
        if is_certain:
            asked.add(of_label)
            label = need.need.label
            alike = [n is need or (label and n.need.label == label) for n in plan.needs]
            needs = [
                _without_table(each, best.table)
                if is_alike
                else _without_rows(each, best.passage.file, rows)
                for each, is_alike in zip(needs, alike, strict=True)
            ]
            needs[at] = _with_rows(needs[at], best, rows, documents)
            warnings += told
    for asked_for in (each.need for each in plan.needs):
        if has_bound(asked_for.quote):
            needs, told = _within_bounds(f"{asked_for.label} {asked_for.quote}", needs, documents)
            warnings += told
    if not (asked or warnings):
        return plan
    return replace(with_evidence(plan, needs), warnings=(*plan.warnings, *warnings))


def _within_bounds(
    text: str, needs: Sequence[PlannedNeed], documents: IndexedDocuments
) -> tuple[list[PlannedNeed], list[str]]:
    """Return ``needs`` with no rows selected that are beyond a bound that ``text`` sets to a column
    of their table ("severity 4 or higher"), and what is to be told of them."""
    made, warnings = list(needs), list[str]()
    selected = (unit for need in needs for unit in need.units if unit.selected and unit.table)
    for table, unit in {unit.table: unit for unit in selected}.items():
        rows, told, is_bound = _asked_rows(
            text, unit, _block_of(unit, documents), documents, by_bound=True
        )
        if table is not None and is_bound:
            file = unit.passage.file
            warnings += told
            made = [
                replace(need, units=tuple(_only(u, table, file, rows) for u in need.units))
                for need in made
            ]
    return made, warnings


def _only(unit: PlannedUnit, table: Table, file: str, rows: Sequence[Block]) -> PlannedUnit:
    """Return ``unit``, not selected if it is of ``table`` of ``file`` but in none of ``rows``."""
    is_left_out = unit.table == table and not any(_is_in(unit, file, row) for row in rows)
    return replace(unit, selected=unit.selected and not is_left_out)


def asks_for_all(need: Need) -> bool:
    """Whether ``need`` asks for all of something, not how many there are."""
    return _ALL.search(need.quote) is not None


def asks_for_number(need: Need) -> bool:
    """Whether ``need`` asks how many of something there are; "how many months" is a measure."""
    found = _COUNT.search(need.quote)
    if found is None:
        return False
    values = extract_values(f"5{need.quote[found.end() :]}")
    return not any(value.unit for value in values if value.start == 0)


def _whole(need: PlannedNeed, documents: IndexedDocuments) -> tuple[PlannedNeed, list[str]]:
    asked, within = need.need, range_in(need.need.quote)
    is_whole = asks_for_all(asked) or asks_for_number(asked)
    chosen = [unit for unit in need.units if unit.selected]
    if not (is_whole or within or (chosen and _WHICH.search(asked.quote))):
        return need, []
    # A sentence may well say how many there are.
    if asks_for_number(asked) and any(_says_how_many(asked, unit, documents) for unit in chosen):
        return need, []
    best, block = _best_list(need, documents)
    if best is None or block is None:
        is_partial = chosen and is_whole
        return need, [_PARTIAL.format(asked=asked.quote.rstrip("?. "))] if is_partial else []
    rows, told, is_certain = _asked_rows(asked.quote, best, block, documents)
    # What is no question for all is answered by rows where its answer is one of them.
    is_of_rows = all(unit.table and unit.table == best.table for unit in chosen)
    if not (chosen or is_certain) or not (is_whole or (is_certain and is_of_rows)):
        return need, []
    bare = replace(need, units=tuple(replace(unit, selected=False) for unit in need.units))
    return _with_rows(bare, best, rows, documents), told


def _asked_rows(
    text: str,
    best: PlannedUnit,
    block: Block,
    documents: IndexedDocuments,
    *,
    by_bound: bool = False,
) -> tuple[list[Block], list[str], bool]:
    """Return the rows that ``text`` asks for of the table or list of ``best``, which stands in
    ``block``; what is to be told of them; and whether it says which they are. ``by_bound``: by
    numbers in their columns alone."""
    document = documents.parsed(best.passage.document_id)
    every, within = _same_list(document, block), range_in(text)
    named = _numbered(every, within, lambda row: row.cells[0][1] if row.cells else "")
    # Its number may stand behind another column; what a row refers to does, too.
    named = named or _numbered(every, within, document.block_text)
    about = " ".join((best.passage.title, best.passage.file, *block.heading_path))
    rows, said = fulfilling(without_ranges(text), about, named or every, by_bound=by_bound)
    fields = {"file": best.passage.file, "total": len(every), "some": len(rows), "said": said}
    told = [_SOME.format(**fields)] if said else []
    told += [_CUT.format(**fields)] if len(rows) > MOST_WHOLE else []
    return rows[:MOST_WHOLE], told, bool(named or said)


def _numbered(
    rows: Sequence[Block], within: frozenset[Numbered], text_of: Callable[[Block], str]
) -> list[Block]:
    return [row for row in rows if within & numbered_in(text_of(row))] if within else []


def _best_list(
    need: PlannedNeed, documents: IndexedDocuments
) -> tuple[PlannedUnit, Block] | tuple[None, None]:
    """Return the best entry of the table or list whose entries together are most probable, if
    they are probable at all: one alone seldom looks like the answer to such a question."""
    lists: dict[object, list[tuple[PlannedUnit, Block]]] = {}
    for unit in need.units:
        block = _block_of(unit, documents)
        if block.kind in _ROWS:
            its_list = unit.table or (unit.passage.file, block.heading_path)
            lists.setdefault(its_list, []).append((unit, block))
    entries = max(lists.values(), key=_together, default=[])
    if _together(entries) < _LIST_FROM:
        return None, None
    return max(entries, key=lambda entry: entry[0].score)


def _together(entries: Sequence[tuple[PlannedUnit, Block]]) -> float:
    return sum(unit.score for unit, _ in entries)


def _says_how_many(need: Need, unit: PlannedUnit, documents: IndexedDocuments) -> bool:
    """Whether ``unit`` has a number that counts and that the question does not name: all 20 right
    answers to "how many …" of four projects of ``packaging/selector_data`` have one. In a row it
    stands beside the word that is counted, or is all of a cell with that word in its header: a
    severity is no number of hazards, and what a requirement says counts no requirements."""
    named = {value.key for value in extract_values(need.quote)}
    block = _block_of(unit, documents)
    if block.kind is not BlockKind.TABLE_ROW:
        return any(True for _ in _numbers(unit.passage.text, named))
    found = _COUNT.search(need.quote)
    counted = set(content_words(need.quote[found.end() :])[:1]) if found else set()
    return any(
        counted.intersection(before[-1:] or (() if after else content_words(name)), after[:_BESIDE])
        for name, cell in block.cells
        for before, after in _numbers(cell, named)
    )


def _numbers(text: str, named: Collection[str]) -> Iterator[tuple[list[str], list[str]]]:
    """Yield the words before and behind each number in ``text`` that may count: it has no unit, and
    its key is none of those ``named``."""
    text = even(text)
    places = [found.span() for found in _SMALL_NUMBER.finditer(text)]
    places += [
        (value.start, value.end)
        for value in extract_values(text)
        if value.kind is ValueKind.NUMBER and not value.unit and value.key not in named
    ]
    for start, end in places:
        yield content_words(text[:start]), content_words(text[end:])


def _block_of(unit: PlannedUnit, documents: IndexedDocuments) -> Block:
    return block_before(documents.parsed(unit.passage.document_id), unit.passage.start)


def _same_list(document: ParsedDocument, block: Block) -> list[Block]:
    """Return the entries of the list or the table of ``document`` that ``block`` stands in; a table
    goes on where its header stands again under the same heading."""
    same = [each for each in document.blocks if each.heading_path == block.heading_path]
    if block.kind is BlockKind.LIST_ITEM:
        return [each for each in same if each.kind is block.kind]
    first = first_of_table(block, document)
    heads = [each for each in same if each.is_table_header and each.cells == first.cells]
    tables = [table_around(each, document) for each in heads or [block]]
    return [row for table in tables for row in table if not row.is_table_header]


def _without_rows(need: PlannedNeed, file: str, rows: Sequence[Block]) -> PlannedNeed:
    """Return ``need`` with none of ``rows`` selected: they stand under another one."""
    units = (
        replace(u, selected=False) if any(_is_in(u, file, row) for row in rows) else u
        for u in need.units
    )
    return replace(need, units=tuple(units))


def _without_table(need: PlannedNeed, table: Table) -> PlannedNeed:
    units = (replace(u, selected=u.selected and u.table != table) for u in need.units)
    return replace(need, units=tuple(units))


def _with_rows(
    need: PlannedNeed, best: PlannedUnit, rows: Iterable[Block], documents: IndexedDocuments
) -> PlannedNeed:
    record = next(r for r in documents.documents() if r.file == best.passage.file)
    known = {unit.place: unit for unit in need.units}
    units = dict(known)
    for row in rows:
        inside = [u for u in known.values() if _is_in(u, best.passage.file, row)]
        for unit in inside:
            units[unit.place] = replace(unit, selected=True)
        if not inside:
            passage = unit_passage(documents, record, row.start, row.end, best.score)
            units[passage.place] = PlannedUnit(
                passage, selected=True, score=best.score, table=best.table
            )
    return replace(need, units=tuple(units.values()))


def _is_in(unit: PlannedUnit, file: str, row: Block) -> bool:
    passage = unit.passage
    return passage.file == file and row.start <= passage.start and passage.end <= row.end
