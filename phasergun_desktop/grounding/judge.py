"""Judges whether evidence states a statement; drafts, edits, answers and evaluation all ask here.

The support is a trained probability. What likeness cannot tell (a value, a denial, another device)
is looked for by ``CHECKS``, one after another, and where they find nothing a cross-encoder reads
statement and evidence together; what one of them finds something of is at most carried in part.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.grounding.contradiction import meaning_problems
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem, Support
from phasergun_desktop.grounding.statement_reading import StatementModel, StatementReader
from phasergun_desktop.grounding.support_check import (
    SupportCheck,
    SupportChecker,
    load_support_figures,
)
from phasergun_desktop.paths import resources_path
from phasergun_desktop.text.values import ValueKind, missing_values
from phasergun_desktop.text.words import fold

# A statement with a problem is carried in part at best.
_MOST_WITH_A_PROBLEM = 0.5
# From what log odds that the evidence says all of it a statement is left unmarked. Of 2,225 claims
# on twelve projects that were not learnt of 0.78 of the unfaithful ones and 0.41 of the others are
# marked, from 0 0.75 and 0.38, from 0.5 0.80 and 0.44. With rules of words for denials, exchanges
# and duties in free wording beside it, from -1.0, they were 0.74 and 0.40; of 150 paraphrases by
# another writer 0.58 and 0.29, and are 0.55 and 0.26 (``python -m tests.benchmarks claims``).
_CARRIED_FROM = 0.25


@dataclass(frozen=True, slots=True)
class EvidenceText:
    """A piece of a source. ``context`` is what stands above it, its document's title first."""

    text: str
    context: str = ""
    title: str = ""
    is_of_a_third_device: bool = False


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a statement rests on, best first. ``given`` needs no source: the names of the
    devices."""

    texts: tuple[EvidenceText, ...]
    given: str = ""

    @property
    def pieces(self) -> tuple[str, ...]:
        """The texts alone."""
        return tuple(each.text for each in self.texts)

    @property
    def stated(self) -> str:
        """All that is stated, a text on each line."""
        return "\n".join(self.pieces)

    @property
    def about(self) -> str:
        """What stands above the texts, each once."""
        return " ".join(dict.fromkeys(each.context for each in self.texts))


@dataclass(frozen=True, slots=True)
class Judgement:
    """``support`` and its ``score``, 0..1, with what was found. ``probability`` is that of the
    trained check alone, ``contradiction`` that the evidence says the opposite, both 0..1."""

    support: Support
    score: float
    problems: tuple[SentenceProblem, ...] = ()
    probability: float = 0.0
    contradiction: float = 0.0


class Judge:
    """Judges statements; what was read is kept for the next one. Not safe between threads."""

    def __init__(self, checker: SupportChecker, model: StatementModel) -> None:
        self._checker = checker
        self._reader = StatementReader(model)

    @property
    def checker(self) -> SupportChecker:
        """The trained check."""
        return self._checker

    def judge(self, statement: str, evidence: Evidence) -> Judgement:
        """Return how far ``evidence`` states ``statement`` and what is wrong with it.

        Text that speaks to a language model is never support, and a statement that does is none.
        """
        if is_instruction_like(statement):
            return Judgement(Support.UNSUPPORTED, 0.0, (_INSTRUCTION_LIKE,))
        texts = tuple(each for each in evidence.texts if not is_instruction_like(each.text))
        if not texts:
            return NOTHING
        stated = _without_title(statement, texts)
        case = _Case(stated, Evidence(texts, evidence.given), self._checker, self._reader)
        found = self._likeness(case)
        support = self.verdict(found.probability)
        problems = tuple(problem for check in CHECKS for problem in check(case))
        if not problems and support is not Support.UNSUPPORTED:
            problems = tuple(_read(case))
        score = found.probability
        if any(problem.code is ProblemCode.CONTRADICTED for problem in problems):
            support = Support.CONTRADICTED  # However little else of it is stated.
        elif support is Support.UNSUPPORTED:
            problems = NOTHING.problems
        elif problems:
            support = Support.PARTLY
        if problems:
            score = min(score, _MOST_WITH_A_PROBLEM)
        return Judgement(support, score, problems, *_chances(found))

    def verdict(self, probability: float) -> Support:
        """Return what a probability means, contradiction apart."""
        return self._checker.model.verdict(probability)

    def _likeness(self, case: _Case) -> SupportCheck:
        """A second text adds a value or a few words; it must not cost what the first carries."""
        pieces, given = case.evidence.pieces, case.evidence.given
        ways = (pieces, pieces[:1]) if len(pieces) > 1 else (pieces,)
        checked = [self._checker.check(case.statement, way, given) for way in ways]
        return max(checked, key=lambda each: each.probability)


def load_judge(embedder: Embedder, model: StatementModel) -> Judge:
    """Return the judge with the product's own coefficients (read in 80 ms, the first time). Raises
    ``ModelError`` where they are damaged."""
    return Judge(SupportChecker(embedder, load_support_figures(resources_path() / "models")), model)


@dataclass(frozen=True, slots=True)
class _Case:
    statement: str
    evidence: Evidence
    checker: SupportChecker
    reader: StatementReader


def _without_title(statement: str, texts: Sequence[EvidenceText]) -> str:
    """Return ``statement`` without the title of its source before a colon: that says whose it is,
    and is no part of what is stated."""
    title, colon, rest = statement.partition(": ")
    is_title = colon and any(each.title and each.title == title for each in texts)
    return rest if is_title else statement


Check = Callable[[_Case], Iterator[SentenceProblem]]


def _values(case: _Case) -> Iterator[SentenceProblem]:
    """Numbers with their units, dates, identifiers and names that the evidence does not state; a
    name or an identifier may stand in the headings above it."""
    evidence = case.evidence
    missing = missing_values(case.statement, f"{evidence.stated}\n{evidence.given}")
    nowhere = {each.text for each in missing_values(case.statement, evidence.about)}
    for value in missing:
        if value.kind is ValueKind.NAME and fold(value.text) in fold(evidence.about):
            continue
        if value.kind is ValueKind.IDENTIFIER and value.text not in nowhere:
            continue
        message = f"“{value.text}” does not occur in the cited passage."
        yield SentenceProblem(ProblemCode.VALUE_MISSING, value.text, message)


def _meaning(case: _Case) -> Iterator[SentenceProblem]:
    """Another amount, unit, bound, opposite, denial or duty in a sentence that is copied."""
    yield from meaning_problems(case.statement, case.evidence.stated)


def _other_device(case: _Case) -> Iterator[SentenceProblem]:
    """What is said of a predicate's predicate."""
    if case.evidence.texts[0].is_of_a_third_device:
        yield _no_source("The cited passage says this of another device.")


def _read(case: _Case) -> Iterator[SentenceProblem]:
    """Whatever else makes a trained reader of both doubt that the evidence says it all: another
    thing, role or condition, an addition, a joint that no passage makes."""
    evidence = case.evidence
    pieces = [(each.context, each.text) for each in evidence.texts]
    odds = case.reader.odds(case.statement, pieces, evidence.given)
    if odds is None or odds >= _CARRIED_FROM:
        return
    known = (*evidence.pieces, evidence.about)
    foreign = " ".join(case.checker.foreign(case.statement, known, evidence.given))
    says = f"says nothing of: {foreign}" if foreign else "says something else than this, or less"
    yield SentenceProblem(ProblemCode.NO_SOURCE, foreign, f"The cited passage {says}.")


CHECKS: tuple[Check, ...] = (_values, _meaning, _other_device)


def _no_source(message: str) -> SentenceProblem:
    return SentenceProblem(ProblemCode.NO_SOURCE, "", message)


def _chances(found: SupportCheck) -> tuple[float, float]:
    return found.probability, found.contradiction


_INSTRUCTION_LIKE = SentenceProblem(
    ProblemCode.INSTRUCTION_LIKE,
    "",
    "This reads like an instruction to a language model, not like a statement.",
)
NOTHING = Judgement(
    Support.UNSUPPORTED, 0.0, (_no_source("No passage that was read states this sentence."),)
)
