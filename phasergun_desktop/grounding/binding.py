"""Finds, after a sentence is written, the span that carries it, and says how well it does."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.grounding.candidates import (
    CandidateSpan,
    candidate_spans,
    is_of_a_third_device,
    overlap,
    whole_span,
)
from phasergun_desktop.grounding.clause_checks import (
    added_clauses,
    is_condition_of_two,
    stated_exceptions,
)
from phasergun_desktop.grounding.contradiction import meaning_problems
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem, Support
from phasergun_desktop.grounding.self_reference import (
    speaks_of_another,
    speaks_of_another_device,
)
from phasergun_desktop.grounding.support_check import SupportChecker, load_support_figures
from phasergun_desktop.grounding.values import Value, ValueKind, extract_values, missing_values
from phasergun_desktop.grounding.words import content_words, fold, squeezed
from phasergun_desktop.paths import resources_path
from phasergun_desktop.retrieval.model import Passage

# The probability is learnt on published claims, which state freely what an article finds. Drafts
# keep close to their sources: verbatim copies are above 0.9, light rewordings above 0.75, and
# sentences about something else below 0.4 (read on sentences of our own, see the tests).
SUPPORTED_FROM = 0.6
PARTLY_FROM = 0.4
# One word that the source knows nothing of may be another name ("DHF"); two are an addition.
_MADE_UP_FROM = 2
_MADE_UP_SCORE = 0.5
# Words for pieces of a document: a sentence may say that "the procedure" states something.
_OF_DOCUMENTS = frozenset(
    content_words("step section part procedure process document documents chapter paragraph")
)
_MAX_SPANS = 3
# A sentence that lists the items of a list rests on each of them that gives it a value.
_MAX_LISTED = 5
_EMBEDDED_CANDIDATES = 8
# Words of a sentence that two of its spans share if they speak of one thing, and those that each
# has alone if the sentence takes a part from each.
_IN_COMMON = 2
_OWN_PART = 2
_MIN_GAIN = 0.12


@dataclass(frozen=True, slots=True)
class Binding:
    """The spans of one sentence, best first; none if nothing carries it. ``score`` in 0..1."""

    spans: tuple[CandidateSpan, ...]
    support: Support
    score: float
    problems: tuple[SentenceProblem, ...]


@dataclass(frozen=True, slots=True)
class _Scored:
    span: CandidateSpan
    words: frozenset[str]
    coverage: float
    score: float


class SpanBinder:
    """Binds sentences to spans of the passages that were in their prompt.

    Spans are chosen by the mean of the share of the sentence's content words (weighted by how
    rare they are in the passages) that a span states and of their cosine; what the chosen spans
    are worth together is the probability of the trained support check. Not safe between threads.
    """

    def __init__(
        self,
        embedder: Embedder,
        parsed: Callable[[int], ParsedDocument],
        checker: SupportChecker | None = None,
    ) -> None:
        """Without a ``checker`` the product's own coefficients are read (50 ms)."""
        self._parsed = parsed
        self._checker = checker or SupportChecker(
            embedder, load_support_figures(resources_path() / "models")
        )

    def spans_of(self, passages: Sequence[Passage]) -> list[CandidateSpan]:
        """Return every span that a sentence written from ``passages`` may cite."""
        spans: list[CandidateSpan] = []
        for passage in passages:
            spans.extend(candidate_spans(passage, self._parsed(passage.document_id)))
        return spans

    def span_of(self, unit: Passage) -> CandidateSpan:
        """Return a unit of evidence as the span that it is."""
        return whole_span(unit, self._parsed(unit.document_id))

    def bind(self, sentence: str, passages: Sequence[Passage], given: str = "") -> Binding:
        """Return what carries ``sentence``. ``given`` is text of the task (the device's name):
        its words and values need no source of their own.

        Text that speaks to a language model is never support, and a sentence that does is marked.
        """
        if is_instruction_like(sentence):
            return _instruction_like()
        spans = [span for span in self.spans_of(passages) if not is_instruction_like(span.text)]
        weights = _rarity(spans)
        words = [word for word in content_words(sentence) if word not in _given_words(given)]
        if not spans or not words:
            return _nothing()
        ranked = self._ranked(sentence, words, spans, weights)
        chosen = self._choose(sentence, words, ranked, weights)
        return self._judge(sentence, [item.span for item in chosen], given)

    def addresses(
        self, question: str, binding: Binding, passages: Sequence[Passage], given: str = ""
    ) -> float:
        """Return the share (0..1, weighted by rarity) of the words of ``question`` that stand in
        the bound spans or in the headings above them: whether they speak of what is asked.
        The words of ``given`` (the device's name) do not count: they stand everywhere."""
        stated: set[str] = set()
        for span in binding.spans:
            stated.update(content_words(span.text), content_words(span.context))
        weights = _rarity(self.spans_of(passages))
        asked = [word for word in content_words(question) if word not in _given_words(given)]
        return _coverage(asked, frozenset(stated), weights)

    def similarity(self, left: str, right: str) -> float:
        """Return the cosine of two texts, -1..1."""
        return self._cosine(left, right)

    def _ranked(
        self,
        sentence: str,
        words: list[str],
        spans: list[CandidateSpan],
        weights: dict[str, float],
    ) -> list[_Scored]:
        values = extract_values(sentence)
        rough: list[tuple[float, int, frozenset[str], float]] = []
        for index, span in enumerate(spans):
            in_span = frozenset(content_words(span.text))
            coverage = _coverage(words, in_span, weights)
            # Headings say what a span is about, but are not what it states: a small credit.
            about = _coverage(words, in_span | frozenset(content_words(span.context)), weights)
            agreement = _value_agreement(values, sentence, span.text)
            rough.append(
                (coverage + 0.15 * (about - coverage) + 0.3 * agreement, index, in_span, coverage)
            )
        rough.sort(key=lambda item: (-item[0], item[1]))
        scored = []
        for value, index, in_span, coverage in rough[:_EMBEDDED_CANDIDATES]:
            span = spans[index]
            mixed = _mix(coverage, self._cosine(sentence, span.text))
            # A short exact span beats the pair that contains it.
            length_cost = 0.02 * math.log1p(len(span.text) / 200)
            scored.append(
                (mixed + 0.1 * value - length_cost, _Scored(span, in_span, coverage, mixed))
            )
        scored.sort(key=lambda item: (-item[0], item[1].span.passage.file, item[1].span.start))
        return [item[1] for item in scored]

    def _choose(
        self,
        sentence: str,
        words: list[str],
        ranked: list[_Scored],
        weights: dict[str, float],
    ) -> list[_Scored]:
        whole = squeezed(sentence)
        copied = next((item for item in ranked if whole in squeezed(item.span.text)), None)
        if copied is not None:
            return [copied]
        chosen = [ranked[0]]
        for item in ranked[1:]:
            if len(chosen) == _MAX_LISTED:
                break
            if any(overlap(item.span, other.span) for other in chosen):
                continue
            text = "\n".join(other.span.text for other in chosen)
            covered = frozenset().union(*(other.words for other in chosen))
            gain = _coverage(words, covered | item.words, weights) - _coverage(
                words, covered, weights
            )
            missing = len(missing_values(sentence, text))
            fewer = missing - len(missing_values(sentence, text + "\n" + item.span.text))
            if fewer > 0 or (gain >= _MIN_GAIN and len(chosen) < _MAX_SPANS):
                chosen.append(item)
        return chosen

    def _judge(self, sentence: str, chosen: list[CandidateSpan], given: str) -> Binding:
        together = tuple(span.text for span in chosen)
        ways = [together]
        if len(chosen) > 1:
            # A second span adds a value or a few words; it must not cost what the first carries.
            ways.append(together[:1])
        score = max(self._checker.check(sentence, way, given).probability for way in ways)
        text = "\n".join(together)
        about = " ".join(dict.fromkeys(span.context for span in chosen))
        problems = [
            _value_problem(value)
            for value in missing_values(sentence, f"{text}\n{given}")
            if not _is_name_of(value, about)
        ]
        problems.extend(meaning_problems(sentence, text))
        if is_condition_of_two(sentence, together, f"{given}\n{about}"):
            problems.append(_condition_problem())
            score = min(score, _MADE_UP_SCORE)
        if excepted := stated_exceptions(sentence, together):
            problems.append(_exception_problem(excepted))
            score = min(score, _MADE_UP_SCORE)
        if _joins_strangers(sentence, chosen, given):
            problems.append(_joined_problem())
            score = min(score, _MADE_UP_SCORE)
        if speaks_of_another(sentence, together[0], about):
            problems.append(_other_document(chosen[0].passage.title))
            score = min(score, _MADE_UP_SCORE)
        if is_of_a_third_device(chosen[0]) or speaks_of_another_device(
            sentence, together[0], given
        ):
            problems.append(_other_device())
            score = min(score, _MADE_UP_SCORE)
        support = _verdict(score)
        # A heading says what its section is about: its words are not made up.
        foreign = tuple(
            word
            for word in self._checker.foreign(sentence, together, given)
            if not set(content_words(word)) <= set(content_words(about)) | _OF_DOCUMENTS
        )
        if len(foreign) >= _MADE_UP_FROM and support is not Support.UNSUPPORTED:
            problems.append(_made_up(foreign))
            score = min(score, _MADE_UP_SCORE)
        elif support is not Support.UNSUPPORTED and (
            added := added_clauses(sentence, f"{text}\n{given}\n{about}")
        ):
            problems.append(_made_up(tuple(f"“{clause}”" for clause in added)))
            score = min(score, _MADE_UP_SCORE)
        if any(problem.code is ProblemCode.CONTRADICTED for problem in problems):
            # The span is kept: the footnote opens the passage that says otherwise.
            return Binding(tuple(chosen), Support.CONTRADICTED, score, tuple(problems))
        if support is Support.UNSUPPORTED:
            nothing = _nothing()
            return Binding((), nothing.support, score, nothing.problems)
        return Binding(
            tuple(chosen), Support.PARTLY if problems else support, score, tuple(problems)
        )

    def _cosine(self, left: str, right: str) -> float:
        return float(np.dot(self._checker.read(left).mean(), self._checker.read(right).mean()))


def _nothing() -> Binding:
    problem = SentenceProblem(
        ProblemCode.NO_SOURCE, "", "No passage that was read states this sentence."
    )
    return Binding((), Support.UNSUPPORTED, 0.0, (problem,))


def _verdict(score: float) -> Support:
    if score >= SUPPORTED_FROM:
        return Support.SUPPORTED
    return Support.PARTLY if score >= PARTLY_FROM else Support.UNSUPPORTED


def _is_name_of(value: Value, about: str) -> bool:
    """Whether a name that the span does not state stands in the headings above it."""
    return value.kind is ValueKind.NAME and fold(value.text) in fold(about)


def _condition_problem() -> SentenceProblem:
    message = "No one passage states this condition together with what follows from it."
    return SentenceProblem(ProblemCode.NO_SOURCE, "", message)


def _exception_problem(excepted: Sequence[str]) -> SentenceProblem:
    named = ", ".join(f"“{each}”" for each in excepted)
    message = f"The cited passage takes out what this states: {named}."
    return SentenceProblem(ProblemCode.NEGATION, "", message)


def _other_document(title: str) -> SentenceProblem:
    named = f"“{title}”" if title else "the document"
    message = f"The cited passage says this of {named} itself, not of another document."
    return SentenceProblem(ProblemCode.NO_SOURCE, "", message)


def _other_device() -> SentenceProblem:
    message = "The cited passage says this of another device."
    return SentenceProblem(ProblemCode.NO_SOURCE, "", message)


def _joined_problem() -> SentenceProblem:
    message = "No one passage states this: it is joined of passages on different things."
    return SentenceProblem(ProblemCode.NO_SOURCE, "", message)


def _joins_strangers(sentence: str, chosen: Sequence[CandidateSpan], given: str) -> bool:
    """Whether ``sentence`` puts together what two blocks state that have nothing in common in it:
    the subject of one and what the other says. Words of ``given`` (the device's name) stand with
    everything; rows and items of one list belong together."""
    words = set(content_words(sentence)) - _given_words(given)
    head = chosen[0]
    first = words & set(content_words(head.text))
    for span in chosen[1:]:
        if _is_beside(head, span):
            continue
        own = words & set(content_words(span.text))
        takes_a_part = min(len(first - own), len(own - first)) >= _OWN_PART
        if takes_a_part and len(first & own) < _IN_COMMON:
            return True
    return False


def _is_beside(left: CandidateSpan, right: CandidateSpan) -> bool:
    """Whether two spans stand in one block, or are rows or items under one heading."""
    if left.passage.file != right.passage.file:
        return False
    listed = (BlockKind.TABLE_ROW, BlockKind.LIST_ITEM)
    are_listed = left.block.kind in listed and right.block.kind in listed
    is_one_list = are_listed and left.block.heading_path == right.block.heading_path
    return left.block.ordinal == right.block.ordinal or is_one_list


def _made_up(words: tuple[str, ...]) -> SentenceProblem:
    named = " ".join(words)
    return SentenceProblem(
        ProblemCode.NO_SOURCE, named, f"The cited passage says nothing of: {', '.join(words)}."
    )


def _instruction_like() -> Binding:
    problem = SentenceProblem(
        ProblemCode.INSTRUCTION_LIKE,
        "",
        "This reads like an instruction to a language model, not like a statement.",
    )
    return Binding((), Support.UNSUPPORTED, 0.0, (problem,))


def _value_problem(value: Value) -> SentenceProblem:
    return SentenceProblem(
        ProblemCode.VALUE_MISSING,
        value.text,
        f"“{value.text}” does not occur in the cited passage.",
    )


def _value_agreement(values: list[Value], sentence: str, text: str) -> float:
    if not values:
        return 0.0
    return max(0.0, 1.0 - len(missing_values(sentence, text)) / len(values))


def _mix(coverage: float, cosine: float) -> float:
    return 0.5 * coverage + 0.5 * min(1.0, max(0.0, cosine))


def _rarity(spans: Sequence[CandidateSpan]) -> dict[str, float]:
    counts: Counter[str] = Counter()
    for span in spans:
        counts.update(set(content_words(span.text)))
    total = len(spans)
    return {word: math.log1p(total / count) for word, count in counts.items()}


def _coverage(words: Sequence[str], stated: frozenset[str], weights: dict[str, float]) -> float:
    # A word that no passage has weighs as much as the rarest one that does.
    unknown = max(weights.values(), default=1.0)
    total = sum(weights.get(word, unknown) for word in words)
    found = sum(weights.get(word, unknown) for word in words if word in stated)
    return found / total if total else 0.0


def _given_words(given: str) -> frozenset[str]:
    return frozenset(content_words(given))
