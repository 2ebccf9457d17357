"""A turn while it is answered: what a result makes of it, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from phasergun_desktop.conversations.model import Turn, TurnStatus
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId, DocumentRecord
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.references.model import Severity
from phasergun_desktop.retrieval.model import Passage, Place
from phasergun_desktop.writing.gaps import nearest_passages
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


def earlier_passages(
    turns: Sequence[Turn], documents: Iterable[DocumentRecord]
) -> tuple[Passage, ...]:
    """Return what ``turns`` have cited of ``documents`` as they are now, the last one first."""
    records = {(each.file, each.sha256): each for each in documents}
    found: dict[Place, Passage] = {}
    for turn in reversed(turns):
        for note in turn.footnotes:
            record = records.get((note.file, note.sha256))
            if record is not None:
                passage = _passage(note, record)
                found.setdefault(passage.place, passage)
    return tuple(found.values())


def _passage(note: Footnote, record: DocumentRecord) -> Passage:
    return Passage(
        document_id=record.document_id,
        file=note.file,
        sha256=note.sha256,
        title=record.title,
        layer=record.layer,
        chunk_id=note.chunk_id or ChunkId(""),
        start=note.start,
        end=note.end,
        text=note.quote,
        heading_path=note.heading_path,
        score=note.score,
    )


def _unused(plan: Plan, notes: tuple[Footnote, ...]) -> tuple[Passage, ...]:
    """Return what was looked at and is not cited: of a question without an answer what comes
    nearest, then the best of what was retrieved."""
    nearest = () if notes else nearest_passages(plan)
    left = [
        each
        for each in dict.fromkeys((*nearest, *plan.passages, *plan.retrieved))
        if not any(_is_cited(each, note) for note in notes)
    ]
    return tuple(left[:_MOST_UNUSED])


def _is_cited(passage: Passage, note: Footnote) -> bool:
    return passage.file == note.file and passage.start < note.end and note.start < passage.end
