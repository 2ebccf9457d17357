"""Finds, after a sentence is written, the span that carries it, and says how well it does."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.grounding.candidate_spans import (
    CandidateSpan,
    candidate_spans,
    is_of_a_third_device,
    overlap,
    whole_span,
)
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.grounding.judge import Evidence, EvidenceText, Judge
from phasergun_desktop.grounding.model import SentenceProblem, Support
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.values import Value, extract_values, missing_values
from phasergun_desktop.text.words import content_words, squeezed

_MAX_SPANS = 3
# A sentence that lists the items of a list rests on each of them that gives it a value.
_MAX_LISTED = 5
_EMBEDDED_CANDIDATES = 8
_MIN_GAIN = 0.12


@dataclass(frozen=True, slots=True)
class Binding:
    """The spans of one sentence, best first; none if nothing carries it. ``score`` in 0..1."""

    spans: tuple[CandidateSpan, ...]
    support: Support
    score: float
    problems: tuple[SentenceProblem, ...]

    @property
    def is_faultless(self) -> bool:
        """Whether the spans carry the whole sentence and no check finds a fault with it."""
        return self.support is Support.SUPPORTED and not self.problems


@dataclass(frozen=True, slots=True)
class _Scored:
    span: CandidateSpan
    words: frozenset[str]


class SpanBinder:
    """Binds sentences to spans of the passages that were in their prompt.

    Spans are chosen by the mean of the share of the sentence's content words (weighted by how
    rare they are in the passages) that a span states and of their cosine; what the chosen spans
    are worth together is the probability of the trained support check. Not safe between threads.
    """

    def __init__(self, judge: Judge, parsed: Callable[[int], ParsedDocument]) -> None:
        self._judge = judge
        self._parsed = parsed

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
        return self.bind_to(sentence, self.spans_of(passages), given)

    def bind_to(self, sentence: str, among: Sequence[CandidateSpan], given: str = "") -> Binding:
        """Return which spans ``among`` these carry ``sentence``: see ``bind``."""
        spans = [span for span in among if not is_instruction_like(span.text)]
        weights = _rarity(spans)
        words = [word for word in content_words(sentence) if word not in _given_words(given)]
        if not spans or not words:
            return self._judged(sentence, (), given)
        ranked = self._ranked(sentence, words, spans, weights)
        chosen = self._choose(sentence, words, ranked, weights)
        return self._judged(sentence, [item.span for item in chosen], given)

    def _ranked(
        self, sentence: str, words: list[str], spans: list[CandidateSpan], weights: dict[str, float]
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
            scored.append((mixed + 0.1 * value - length_cost, _Scored(span, in_span)))
        scored.sort(key=lambda item: (-item[0], item[1].span.passage.file, item[1].span.start))
        return [item[1] for item in scored]

    def _choose(
        self, sentence: str, words: list[str], ranked: list[_Scored], weights: dict[str, float]
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

    def _judged(self, sentence: str, chosen: Sequence[CandidateSpan], given: str) -> Binding:
        judged = self._judge.judge(sentence, evidence_of(chosen, given))
        # Where the sources say otherwise the spans are kept: a footnote opens the passage.
        spans = () if judged.support is Support.UNSUPPORTED else tuple(chosen)
        return Binding(spans, judged.support, judged.score, judged.problems)

    def _cosine(self, left: str, right: str) -> float:
        read = self._judge.checker.read
        return float(np.dot(read(left).mean(), read(right).mean()))


def evidence_of(spans: Sequence[CandidateSpan], given: str = "") -> Evidence:
    """Return ``spans``, best first, as the evidence of a sentence."""
    return Evidence(tuple(map(_evidence_text, spans)), given)


def _evidence_text(span: CandidateSpan) -> EvidenceText:
    return EvidenceText(span.text, span.context, span.passage.title, is_of_a_third_device(span))


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
