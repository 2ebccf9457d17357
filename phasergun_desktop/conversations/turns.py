"""A turn while it is answered: what a result makes of it, and how it is asked."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.conversations.model import Turn, TurnStatus
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.references.model import Severity
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus

_MOST_UNUSED = 10
_ENDS = ("?", ".", "!", "？", "。")


def as_question(text: str) -> str:
    """Return ``text`` as a question that one sentence may answer."""
    text = text.strip()
    return text if text.endswith(_ENDS) else f"{text}?"


def answered(turn: Turn, result: AnswerResult, band: str) -> Turn:
    """Return ``turn`` with its answer."""
    error = error_line(result.error) if result.error is not None else ""
    if result.status is AnswerStatus.BLOCKED:
        blocking = [p for p in result.plan.problems if p.severity is Severity.BLOCKS]
        error = " ".join(dict.fromkeys(f"{p.message} {p.remedy}".strip() for p in blocking))
    return replace(
        turn,
        status=TurnStatus(result.status.value),
        text=result.text,
        sentences=result.sentences,
        footnotes=result.footnotes,
        confidence=result.confidence,
        band=band,
        unused=_unused(result.plan, result.footnotes),
        warnings=(*turn.warnings, *result.warnings),
        model=result.metrics.model,
        total_ms=result.metrics.total_ms,
        error=error,
        result=result,
    )


def error_line(error: PhaserGunError) -> str:
    """Return the error as a sentence with its remedy."""
    return f"{error.message} {error.remedy}".strip()


def _unused(plan: Plan, notes: tuple[Footnote, ...]) -> tuple[Passage, ...]:
    """Return the best of what was found and is not cited."""
    found = [(unit.score, unit.passage) for need in plan.needs for unit in need.units]
    found.sort(key=lambda one: -one[0])
    passages = dict.fromkeys((*plan.passages, *(passage for _, passage in found)))
    left = [each for each in passages if not any(_is_cited(each, note) for note in notes)]
    return tuple(left[:_MOST_UNUSED])


def _is_cited(passage: Passage, note: Footnote) -> bool:
    return passage.file == note.file and passage.start < note.end and note.start < passage.end
