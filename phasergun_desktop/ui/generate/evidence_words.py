"""What the evidence board says of needs and units, in a writer's words."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.model import Plan, PlannedNeed, PlannedPoint, PlannedUnit, PointKind
from phasergun_desktop.references.model import ResolvedReference
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.snippets import one_line
from phasergun_desktop.text.words import content_words
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.generate.ticked_evidence import NeedRows
from phasergun_desktop.ui.wording import PATH_MARK, count, file_name

LONGEST_LABEL = 90
NOTHING_FOUND = "This was not found in the documents searched."
NOTHING_TICKED = "Nothing is ticked."
ELSEWHERE = "Nothing of its own was chosen: look whether another point says it."
IN_TABLE = "The table above answers this."
_MOST_WORDS, _LONGEST_NAME = 6, 60
_WORD = re.compile(r"[^\W_]+(?:[-.][^\W_]+)*")
# The selector's probability in words.
_VERY_LIKELY, _LIKELY, _MAYBE = 0.75, 0.5, 0.25


def words_of(units: list[PlannedUnit]) -> int:
    """Return how many words ``units`` have together."""
    return sum(len(unit.passage.text.split()) for unit in units)


def source_line(passage: Passage) -> str:
    """Say which document a passage stands in and under which heading."""
    name = passage.title or file_name(passage.file)
    headings = [each for each in passage.heading_path[-1:] if each.casefold() != name.casefold()]
    return PATH_MARK.join((name, *headings))


def stated_elsewhere(at: int, needs: Sequence[NeedRows]) -> str:
    """Say under which others the passages stand that were selected for the need at ``at``; ``""``
    where none does."""
    places = {unit.place for unit in needs[at].selected_for}
    found = {
        other: sum(unit.place in places for unit in need.ticked)
        for other, need in enumerate(needs)
        if other != at
    }
    under = [other for other, number in found.items() if number]
    if not under:
        return ""
    where = ", ".join(str(other + 1) for other in under)
    if len(under) == 1:
        where += f". {shortened(name_of(needs[under[0]]), _LONGEST_NAME)}"
    said = count(sum(found.values()), "passage for this stands", "passages for this stand")
    return f"{said} under {where}"


def name_of(need: NeedRows) -> str:
    """Return what a need asks for, as its line on the board calls it."""
    asked = need.planned.need
    name = one_line(asked.heading or asked.name or asked.quote)
    return f"{name[:1].upper()}{name[1:]}"


def point_state(
    need: NeedRows, points: tuple[PlannedPoint, ...], elsewhere: str
) -> tuple[str, bool]:
    """Say how much is ticked for a need, or ``elsewhere``, or that it is a gap; and whether it is
    one."""
    ticked = need.ticked
    parts = []
    if any(point.value is not None or point.pairs for point in points):
        parts.append("used word for word")
    if ticked:
        parts += [count(len(ticked), "passage"), count(words_of(ticked), "word")]
    if parts:
        return " · ".join(parts), False
    if any(point.kind is PointKind.COMPARE for point in points):
        return "no value is stated", True
    if elsewhere:
        return elsewhere, False
    if not points:
        return IN_TABLE, False
    if any(point.may_be_stated for point in points):
        return ELSEWHERE, False
    if any(point.may_be_empty for point in points):
        return "", False
    helps = next((point.helps for point in points if point.helps), "")
    said = NOTHING_TICKED if need.suggested else NOTHING_FOUND
    return (f"{said} It would stand in {helps}." if helps else said), True


def board_summary(plan: Plan, needs: list[NeedRows], gaps: int) -> str:
    """Say how long the text becomes, how much of what was considered it states, and its gaps."""
    of_units = words = sum(words_of(need.ticked) for need in needs)
    for point in plan.points:
        whole = [point.value] if point.value is not None else [p.answer for p in point.pairs]
        words += sum(len(value.text.split()) for value in whole)
    ticked = sum(len(need.ticked) for need in needs)
    considered = len({unit.place for need in needs for unit in (*need.shown, *need.more)})
    length = f"{words:,} words of about {plan.words:,}" if plan.words else count(words, "word")
    if plan.words and of_units > plan.words * TOLERANCE:
        length += " (longer than asked)"
    parts = [length]
    if considered:
        # A table alone takes its values from passages that are not chosen one by one.
        parts.append(f"{ticked:,} of {count(considered, 'passage')}")
    if gaps:
        parts.append(count(gaps, "gap"))
    return " · ".join(parts)


def why_here(unit: PlannedUnit, need: PlannedNeed) -> str:
    """Say why a unit stands under ``need``, without numbers of the ranking."""
    asked = shortened(need.need.name, _LONGEST_NAME)
    known = [each for each in need.units if not each.is_cell]
    places = [each.place for each in sorted(known, key=lambda each: -each.score)]
    if unit.place not in places:
        said = f"You put this here, under “{asked}”."
    else:
        rank = places.index(unit.place) + 1
        files = len({each.passage.file for each in known})
        where = f"{count(len(known), 'passage')} in {count(files, 'document')}"
        fits = "fits best of" if rank == 1 else f"is number {rank} of"
        said = f"{_likely(unit.score)} “{asked}”: it {fits} {where} that were considered for it."
    shared = shared_words(need.need.query or need.need.quote, unit.passage.text)
    if shared:
        said += f" It shares the words {', '.join(f'“{word}”' for word in shared)}."
    else:
        said += " It shares no word with what is asked, but is near to it in meaning."
    return said


def details_of(unit: PlannedUnit) -> str:
    """Return the numbers behind ``why_here``."""
    return f"Score {unit.score:.2f}, similarity {unit.similarity:.2f}"


def shared_words(asked: str, text: str) -> list[str]:
    """Return the words of ``asked`` that ``text`` has too, in any form, at most six."""
    said = set(content_words(text))
    found: dict[str, str] = {}
    for word in _WORD.findall(asked):
        stems = content_words(word)
        if stems and said.issuperset(stems):
            found.setdefault(stems[0], word.lower())
    return list(found.values())[:_MOST_WORDS]


def _likely(score: float) -> str:
    if score >= _VERY_LIKELY:
        return "Very likely answers"
    if score >= _LIKELY:
        return "Probably answers"
    return "May answer" if score >= _MAYBE else "Probably does not answer"


def reference_words(reference: ResolvedReference, *, is_hidden: bool) -> tuple[str, str]:
    """Say what a reference stands for; and name the file that it means."""
    if not reference.resolved:
        return "hidden by its label" if is_hidden else "not found", ""
    if reference.value is not None:
        return shortened(reference.value.text, LONGEST_LABEL), reference.value.file
    file = reference.files[0] if reference.files else ""
    if reference.pairs:
        return count(len(reference.pairs), "answer") + " to be used word for word", file
    if reference.files:
        return ", ".join(file_name(each) for each in reference.files), file
    return reference.label, ""
