"""A turn while it is answered: what a result makes of it, and how it is asked."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from phasergun_desktop.conversations.greetings import is_greeting
from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.joined_questions import NAMES_ENOUGH
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.references.model import Severity
from phasergun_desktop.retrieval.model import Passage, Place
from phasergun_desktop.storage.row_digests import storable
from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.gaps import nearest_passages
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus

_MOST_UNUSED = 10
_ENDS = ("?", ".", "!", "？", "。")
_STANDING_FOR = frozenset(
    word for name in ("pronouns", "owners", "pointing") for word in listed("conversation", name)
)

# A longer question is no question that another goes on from, and would fill what a model reads.
_LONGEST_BEFORE = 1000


def as_question(text: str) -> str:
    """Return ``text`` as a question that one sentence may answer."""
    text = text.strip()
    return text if text.endswith(_ENDS) else f"{text}?"


def questions_before(turns: Sequence[Turn], question: Question, most: int) -> tuple[str, ...]:
    """Return the questions of ``turns`` that ``question`` goes on from, the first one first: the
    last one, and where that has few words of its own ("and the predicate?") the one before it, up
    to ``most``. No greeting, no page of text, none twice, and not itself. One that the writer gave
    whole goes on from none, nor does one that names what it asks for: of 180 follow-ups on fifteen
    projects 145 have few words or one that stands for another, of the same whole 18."""
    text = question.text
    names_all = not _has_few_words(text) and _STANDING_FOR.isdisjoint(_folded(text).split())
    if question.rewritten or names_all or is_greeting(text):
        return ()
    asked = [turn.question.rewritten or turn.question.text for turn in reversed(turns)]
    own, found = {_folded(question.text)}, list[str]()
    for each in map(storable, asked):
        if _folded(each) in own or len(each) > _LONGEST_BEFORE or is_greeting(each):
            continue
        own.add(_folded(each))
        found.insert(0, each)
        if len(found) == most or not _has_few_words(each):
            break
    return tuple(found)


def _has_few_words(text: str) -> bool:
    return len(set(content_words(text))) < NAMES_ENOUGH


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(" ?.!")


def looked_up_as(question: Question, before: Sequence[str]) -> str:
    """Return how ``question`` is looked up with those ``before`` it, for people to read; empty
    where it stands alone as it is."""
    return question.rewritten or (f"{question.text} – after {_quoted(before)}" if before else "")


def how_looked_up(turn: Turn) -> tuple[str, str]:
    """Return what is said of how a question was looked up ("Looked up with") and the words that
    follow; two empty texts where it was looked up as it stands."""
    if turn.before:
        return "Looked up with", _quoted(turn.before)
    # A turn that an earlier version kept may have a question that was made whole.
    is_another = turn.rewritten.strip() not in ("", turn.question.text.strip())
    return ("Looked up as", turn.rewritten) if is_another else ("", "")


def as_alone(turn: Turn) -> str:
    """Return the question of ``turn`` as it can be understood without its conversation: with the
    ones before it in brackets, as a prompt asks for one thing."""
    if not turn.before:
        return turn.rewritten or turn.question.text
    return f"{turn.question.text.rstrip(' ?.!')} (after {_quoted(turn.before)})?"


def _quoted(questions: Sequence[str]) -> str:
    return ", ".join(f"“{' '.join(each.split())}”" for each in questions)


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
                passage = Passage.of(
                    record,
                    note.start,
                    note.end,
                    note.quote,
                    note.heading_path,
                    note.chunk_id,
                    note.score,
                )
                found.setdefault(passage.place, passage)
    return tuple(found.values())


def _unused(plan: Plan, notes: tuple[Footnote, ...]) -> tuple[Passage, ...]:
    """Return what was looked at and is not cited: of a question without an answer what comes
    nearest, then the best of what was retrieved."""
    nearest = () if notes else nearest_passages(plan)
    left: list[Passage] = []
    for each in (*nearest, *plan.passages, *plan.retrieved):
        is_there = any(_is_part(each, one) or _is_part(one, each) for one in left)
        if not is_there and not any(_is_cited(each, note) for note in notes):
            left.append(each)
    return tuple(left[:_MOST_UNUSED])


def _is_part(inner: Passage, outer: Passage) -> bool:
    return inner.file == outer.file and outer.start <= inner.start and inner.end <= outer.end


def _is_cited(passage: Passage, note: Footnote) -> bool:
    return passage.file == note.file and passage.start < note.end and note.start < passage.end
