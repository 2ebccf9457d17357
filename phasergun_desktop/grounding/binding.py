"""Finds, after a sentence is written, the span that carries it, and says how well it does."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.protocol import Embedder, Vector
from phasergun_desktop.grounding.candidates import CandidateSpan, candidate_spans
from phasergun_desktop.grounding.modality import modality_problems
from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem, Support
from phasergun_desktop.grounding.values import Value, extract_values, missing_values
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.retrieval.model import Passage

# Chosen by reading bound sentences of the sample project, not by a published set: a copied
# sentence scores above 0.8, a faithful rewording 0.6 to 0.8, an invention below 0.45.
SUPPORTED_FROM = 0.6
PARTLY_FROM = 0.45
_MAX_SPANS = 3
_EMBEDDED_CANDIDATES = 8
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

    A sentence's score with a span is the mean of the share of its content words (weighted by
    how rare they are in the passages) that the span states and of their cosine, both in 0..1.
    """

    def __init__(self, embedder: Embedder, parsed: Callable[[int], ParsedDocument]) -> None:
        self._embedder = embedder
        self._parsed = parsed
        self._vectors: dict[str, Vector] = {}

    def spans_of(self, passages: Sequence[Passage]) -> list[CandidateSpan]:
        """Return every span that a sentence written from ``passages`` may cite."""
        spans: list[CandidateSpan] = []
        for passage in passages:
            spans.extend(candidate_spans(passage, self._parsed(passage.document_id)))
        return spans

    def bind(self, sentence: str, passages: Sequence[Passage], given: str = "") -> Binding:
        """Return what carries ``sentence``. ``given`` is text of the task (the device's name):
        its words and values need no source of their own."""
        spans = self.spans_of(passages)
        weights = _rarity(spans)
        words = [word for word in content_words(sentence) if word not in _given_words(given)]
        if not spans or not words:
            return _nothing()
        ranked = self._ranked(sentence, words, spans, weights)
        chosen = self._choose(sentence, words, ranked, weights)
        text = "\n".join(item.span.text for item in chosen)
        covered = frozenset().union(*(item.words for item in chosen))
        score = max(
            chosen[0].score,
            _mix(_coverage(words, covered, weights), self._cosine(sentence, text)),
        )
        return _judge(sentence, chosen, score, text, given)

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
        chosen = [ranked[0]]
        for item in ranked[1:]:
            if len(chosen) == _MAX_SPANS:
                break
            if any(_overlap(item.span, other.span) for other in chosen):
                continue
            text = "\n".join(other.span.text for other in chosen)
            covered = frozenset().union(*(other.words for other in chosen))
            gain = _coverage(words, covered | item.words, weights) - _coverage(
                words, covered, weights
            )
            missing = len(missing_values(sentence, text))
            fewer = missing - len(missing_values(sentence, text + "\n" + item.span.text))
            if fewer > 0 or gain >= _MIN_GAIN:
                chosen.append(item)
        return chosen

    def _cosine(self, left: str, right: str) -> float:
        return float(np.dot(self._vector(left), self._vector(right)))

    def _vector(self, text: str) -> Vector:
        vector = self._vectors.get(text)
        if vector is None:
            if len(self._vectors) > 4000:
                self._vectors.clear()
            vector = self._embedder.embed([text])[0]
            self._vectors[text] = vector
        return vector


def _judge(sentence: str, chosen: list[_Scored], score: float, text: str, given: str) -> Binding:
    spans = tuple(item.span for item in chosen)
    if score < PARTLY_FROM:
        nothing = _nothing()
        return Binding((), nothing.support, score, nothing.problems)
    problems = [_value_problem(value) for value in missing_values(sentence, f"{text}\n{given}")]
    problems.extend(modality_problems(sentence, text))
    support = Support.SUPPORTED if score >= SUPPORTED_FROM else Support.PARTLY
    if problems:
        support = Support.PARTLY
    return Binding(spans, support, min(1.0, score), tuple(problems))


def _nothing() -> Binding:
    problem = SentenceProblem(
        ProblemCode.NO_SOURCE, "", "No passage that was read states this sentence."
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
    return 1.0 - len(missing_values(sentence, text)) / len(values)


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


def _overlap(left: CandidateSpan, right: CandidateSpan) -> bool:
    return (
        left.passage.file == right.passage.file
        and left.start < right.end
        and right.start < left.end
    )
