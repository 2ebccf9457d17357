"""A comparison assembled by rule: a table and sentences from values the documents state."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.comparing.attributes import DEVICE_NAME, is_attribute_named
from phasergun_desktop.answering.model import PlannedPoint, UnitBound
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.grounding.turning_words import turning_words
from phasergun_desktop.grounding.values import ValueKind, extract_values
from phasergun_desktop.grounding.words import content_words, fold
from phasergun_desktop.references.model import SourceValue

NOT_STATED = "not stated"
_OF_SUBJECT = "a specification in Context/Ongoing, or a field of the master record in Context"
_OF_PREDICATE = "the 510(k) or decision summary of that device in Context/Predicates"
_EITHER = f"{_OF_SUBJECT}; {_OF_PREDICATE}"
_WORST_FIRST = (Support.CONTRADICTED, Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)
_SHORT = 14  # words; longer values are quoted instead of being built into a sentence


@dataclass(frozen=True, slots=True)
class Cell:
    """The value of one attribute for one device; ``text`` is ``""`` where nothing states it.

    ``elsewhere`` is what a document of another device says of it: no source for a value of this
    one, but the writer should know of it.
    """

    attribute: str
    device: str
    text: str = ""
    binding: Binding | None = None
    value: SourceValue | None = None
    elsewhere: str = ""

    def numbers(self, page: Page) -> tuple[int, ...]:
        """Return the footnotes of the value, given their numbers on first use."""
        if self.value is not None:
            return (page.number_value(self.value).number,)
        return page.note(self.binding) if self.binding else ()


def answered_cell(point: PlannedPoint) -> Cell | None:
    """Return the cell that a bootstrap answer fills: it outranks every other source and stands
    word for word. Its question must name the attribute; None where none does."""
    for pair in point.pairs:
        if is_attribute_named(point.attribute, pair.question):
            return Cell(point.attribute, point.device, pair.answer.text, value=pair.answer)
    return None


def write_comparison(page: Page, rows: Sequence[Sequence[Cell]]) -> list[UnitBound]:
    """Add the table and a sentence per attribute; return what was added, in order."""
    if not rows:
        return []
    added = _table(page, rows)
    for row in rows:
        page.new_paragraph()
        added.extend(_sentences(page, row))
    return added


def _table(page: Page, rows: Sequence[Sequence[Cell]]) -> list[UnitBound]:
    devices = [cell.device for cell in rows[0]]
    header = ("Attribute", *devices)
    added = [
        page.add_unit(
            DraftSentence(
                " | ".join(header),
                UnitKind.TABLE_ROW,
                cells=header,
                citations_per_cell=tuple(() for _ in header),
                is_header=True,
            )
        )
    ]
    for row in rows:
        cells = (capitalised(row[0].attribute), *(cell.text or NOT_STATED for cell in row))
        notes = [cell.numbers(page) for cell in row]
        problems = tuple(p for cell in row if cell.binding for p in cell.binding.problems)
        added.append(
            page.add_unit(
                DraftSentence(
                    " | ".join(cells),
                    UnitKind.TABLE_ROW,
                    citations=tuple(dict.fromkeys(n for numbers in notes for n in numbers)),
                    support=_support(row),
                    score=_score(row),
                    problems=problems,
                    cells=cells,
                    citations_per_cell=((), *notes),
                )
            )
        )
    return added


def _sentences(page: Page, row: Sequence[Cell]) -> list[UnitBound]:
    attribute = row[0].attribute
    stated = [cell for cell in row if cell.text]
    if not stated:
        return [page.gap(f"the {attribute} of either device", _EITHER)]
    added = []
    if len(stated) < len(row):
        for cell in row:
            if cell.text:
                added.append(_single(page, cell))
            else:
                missing = f"the {attribute} of {cell.device}"
                if cell.elsewhere:
                    missing += f" ({cell.elsewhere})"
                added.append(page.gap(missing, _belongs(row, cell)))
        return added
    subject, other = row[0], row[1]
    are, those = ("are", "those") if is_plural(attribute) else ("is", "that")
    if attribute == DEVICE_NAME:
        return _names(page, row)
    if same_value(subject.text, other.text):
        text = f"Both devices have the same {attribute}: {_bare(subject.text)}."
        return [_fused(page, text, (subject, other))]
    is_short = max(len(subject.text.split()), len(other.text.split())) <= _SHORT
    if is_short:
        text = (
            f"The {attribute} of {subject.device} {are} {_said(subject.text)}, whereas {those} of "
            f"{other.device} {are} {_said(other.text)}."
        )
        added.append(_fused(page, text, (subject, other)))
    else:
        added.extend((_single(page, subject), _single(page, other)))
    # Of two whole sentences with numbers a rule cannot say what they are numbers of.
    if is_short and differs(subject.text, other.text):
        verb = "differ" if is_plural(attribute) else "differs"
        added.append(_fused(page, f"The {attribute} {verb}.", (subject, other)))
    return added


def _names(page: Page, row: Sequence[Cell]) -> list[UnitBound]:
    """Say which device is meant where the comparison calls it by a number or another name."""
    named = [cell for cell in row if fold(cell.text) != fold(cell.device)]
    return [_fused(page, f"{cell.device} is the {_bare(cell.text)}.", (cell,)) for cell in named]


def _belongs(row: Sequence[Cell], cell: Cell) -> str:
    """Return where a document with the missing value belongs; the subject comes first."""
    return _OF_SUBJECT if cell is row[0] else _OF_PREDICATE


def _single(page: Page, cell: Cell) -> UnitBound:
    are = "are" if is_plural(cell.attribute) else "is"
    text = f"For {cell.device}, the {cell.attribute} {are} stated as: “{_bare(cell.text)}”."
    return _fused(page, text, (cell,))


def _fused(page: Page, text: str, cells: Sequence[Cell]) -> UnitBound:
    notes = [number for cell in cells for number in cell.numbers(page)]
    problems = tuple(p for cell in cells if cell.binding for p in cell.binding.problems)
    unit = DraftSentence(
        text,
        citations=tuple(dict.fromkeys(notes)),
        support=_support(cells),
        score=_score(cells),
        problems=problems,
    )
    return page.add_unit(unit)


def same_value(left: str, right: str) -> bool:
    """Whether two values say the same: equal values and bounds, equal content words, and the same
    words that deny or restrict."""
    keys = [
        sorted((v.kind, v.key, v.unit, v.bound) for v in extract_values(text))
        for text in (left, right)
    ]
    if keys[0] != keys[1] or turning_words(left) != turning_words(right):
        return False
    # PDF files lose spaces: "wholeblood" is whole blood.
    run_together = [re.sub(r"\W+", "", fold(text)) for text in (left, right)]
    return run_together[0] == run_together[1] or (
        set(content_words(left)) == set(content_words(right))
    )


def differs(left: str, right: str) -> bool:
    """Whether two values plainly differ: both have numbers, and not the same ones.

    Wordings that differ are set side by side; whether they mean the same is for the writer.
    """
    numbers = [
        {(v.key, v.unit, v.bound) for v in extract_values(text) if v.kind is ValueKind.NUMBER}
        for text in (left, right)
    ]
    return bool(numbers[0]) and bool(numbers[1]) and numbers[0] != numbers[1]


def _said(text: str) -> str:
    """Return a number as it stands, words in quotation marks: they are the document's own."""
    return _bare(text) if text[:1].isdigit() else f"“{_bare(text)}”"


def _bare(text: str) -> str:
    return text.strip().rstrip(".;,")


def _support(cells: Sequence[Cell]) -> Support:
    supports = [cell.binding.support for cell in cells if cell.binding]
    supports += [Support.SUPPORTED for cell in cells if cell.value]
    return min(supports, key=_WORST_FIRST.index) if supports else Support.UNSUPPORTED


def _score(cells: Sequence[Cell]) -> float:
    scores = [cell.binding.score for cell in cells if cell.binding]
    scores += [1.0 for cell in cells if cell.value]
    return round(min(scores, default=0.0), 4)


def bound_cell(cell: Cell, binding: Binding) -> Cell:
    """Return ``cell`` with its binding; a value that no passage carries is not stated. A number is
    marked where what it was taken from does not name the attribute: it may be one of another."""
    if not binding.spans or any(problem.code == "value_missing" for problem in binding.problems):
        return replace(cell, text="", binding=None)
    has_number = any(value.kind is ValueKind.NUMBER for value in extract_values(cell.text))
    if has_number and not any(names_attribute(cell.attribute, span) for span in binding.spans):
        message = f"The cited passage does not name the {cell.attribute}."
        problem = SentenceProblem(ProblemCode.NO_SOURCE, "", message)
        support = min(binding.support, Support.PARTLY, key=_WORST_FIRST.index)
        binding = replace(binding, support=support, problems=(*binding.problems, problem))
    return replace(cell, binding=binding)


def names_attribute(attribute: str, span: CandidateSpan) -> bool:
    """Whether ``span``, its column or what stands above it has a name of ``attribute``."""
    headers = " ".join(header for header, _ in span.block.cells)
    return is_attribute_named(attribute, f"{span.text} {headers} {span.context}")


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def is_plural(name: str) -> bool:
    """Whether ``name`` calls several things: "indications for use", not "device class"."""
    head = re.split(r"\s+(?:of|for|in)\s+", name.strip())[0].casefold()
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))
