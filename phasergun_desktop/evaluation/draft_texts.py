"""The texts of a plan and of a draft in which wanted facts are looked for."""

from __future__ import annotations

from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus

_WRITTEN = (AnswerStatus.COMPLETE, AnswerStatus.ERROR)


def evidence_texts(plan: Plan) -> tuple[list[str], list[str]]:
    """Return the texts that were looked at for the plan's needs, and those that it selected; what
    stands word for word is in both. Of a plan without needs, those of its passages for both."""
    if not plan.needs:
        selected = [passage.text for passage in plan.passages]
        return selected, selected
    units = [unit for need in plan.needs for unit in need.units]
    values = [point.value.text for point in plan.points if point.value is not None]
    values += [pair.answer.text for point in plan.points for pair in point.pairs]
    selected = [unit.passage.text for unit in units if unit.selected]
    return [*values, *(unit.passage.text for unit in units)], [*values, *selected]


def stated_texts(result: AnswerResult) -> list[str]:
    """Return what the draft states, unit by unit: its sentences, list items and rows of tables,
    a row as ``A | B``. Headings, the headers of tables and gaps state nothing, and neither does a
    draft that is not shown, because it abstained or was blocked."""
    if result.status not in _WRITTEN:
        return []
    return [_text(unit) for unit in result.sentences if _states(unit)]


def gap_texts(result: AnswerResult) -> list[str]:
    """Return what the draft reports as missing: its gaps, and what an abstention names."""
    gaps = [unit.text for unit in result.sentences if unit.kind is UnitKind.TODO]
    return [*gaps, result.missing] if result.missing else gaps


def _states(unit: DraftSentence) -> bool:
    return unit.kind not in (UnitKind.HEADING, UnitKind.TODO) and not unit.is_header


def _text(unit: DraftSentence) -> str:
    return " | ".join(unit.cells) if unit.cells else unit.text
