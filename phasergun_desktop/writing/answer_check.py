"""Whether a sentence answers a question from its sources, and what is said where it does not."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.contradiction import meaning_problems
from phasergun_desktop.grounding.model import ProblemCode, Support
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans, sentences
from phasergun_desktop.text.words import content_words
from phasergun_desktop.writing.question_form import (
    AskedFor,
    asked_for,
    has_value_asked_for,
    topic_text,
    without_names,
)

_MIN_ADDRESSED = 0.5
# Sixteen made-up pairs of a question and a sentence: answers without the word asked for resemble
# their question from 0.67, others mostly below.
_MIN_ALIKE = 0.65
_MAX_QUOTED_CHARACTERS = 400
_MAX_DISAGREEING = 2

Statement = tuple[str, Binding]


class AnswerCheck:
    """Decides what may be stated in answer to a question. ``given`` needs no source."""

    def __init__(self, binder: SpanBinder, given: str = "") -> None:
        self._binder = binder
        self._given = given

    def statements(
        self, question: str, sentence: str, binding: Binding, passages: Sequence[Passage]
    ) -> list[Statement]:
        """Return what may be stated: the sentence, or what its source says instead, or nothing.

        A small model answers whatever it is asked. Its sentence is kept when a span carries it
        with all its values, the span speaks of what was asked, and the sentence says more than
        the question did. Where the source says the opposite, the source is quoted. Other
        documents that say otherwise are quoted beside it.
        """
        if not self._speaks_of(question, sentence, binding, passages):
            return []
        if binding.support is Support.CONTRADICTED or self._is_doubtful_yes_or_no(
            question, binding
        ):
            return self._quoted(binding.spans[:1], ())
        if not _is_carried(binding) or not self._says_more(question, sentence):
            return []
        if not has_value_asked_for(question, sentence):
            return []
        spans = self._disagreeing(question, sentence, binding, passages)
        return [(sentence, binding), *self._quoted(spans, binding.spans)]

    def _speaks_of(
        self, question: str, sentence: str, binding: Binding, passages: Sequence[Passage]
    ) -> bool:
        if not binding.spans:
            return False
        # A sentence that its span plainly carries may resemble the question in the span's stead.
        is_plain = binding.support is Support.SUPPORTED and not binding.problems
        return self._addresses(question, binding, passages, sentence if is_plain else "")

    def _addresses(
        self, question: str, binding: Binding, passages: Sequence[Passage], sentence: str = ""
    ) -> bool:
        """Whether the spans speak of what is asked: of the whole, and of it without names.

        "Which enzyme is on the strip?" is answered without the word enzyme: then the span must
        resemble the question. What says the opposite of the question need not have its word for
        it ("open", where it is closed).
        """
        topic = topic_text(question)
        if self._share(topic, binding, passages) < _MIN_ADDRESSED:
            return False
        text = "\n".join(span.text for span in binding.spans)
        plain = without_names(topic)
        if not content_words(plain) or _is_opposed(question, text):
            return True
        if self._share(plain, binding, passages) >= _MIN_ADDRESSED:
            return True
        asked = without_names(question)
        stated = [each for span in binding.spans for each in sentences(span.text)]
        return any(
            self._binder.similarity(asked, without_names(each)) >= _MIN_ALIKE
            for each in (*stated, sentence)
            if each
        )

    def _share(self, text: str, binding: Binding, passages: Sequence[Passage]) -> float:
        return self._binder.addresses(text, binding, passages, self._given)

    def _says_more(self, question: str, sentence: str) -> bool:
        if asked_for(question) is AskedFor.YES_OR_NO:
            return True
        given = set(content_words(question)) | set(content_words(self._given))
        return bool(set(content_words(sentence)) - given)

    @staticmethod
    def _is_doubtful_yes_or_no(question: str, binding: Binding) -> bool:
        """Whether a yes or a no is less than plainly stated: its source then speaks for itself."""
        is_plain = binding.support is Support.SUPPORTED and not binding.problems
        return asked_for(question) is AskedFor.YES_OR_NO and not is_plain

    def _disagreeing(
        self, question: str, sentence: str, binding: Binding, passages: Sequence[Passage]
    ) -> list[CandidateSpan]:
        """Return spans of other documents that speak of the same and say the opposite."""
        found: dict[str, CandidateSpan] = {}
        cited = {span.passage.file for span in binding.spans}
        for span in self._binder.spans_of(passages):
            if span.passage.file in cited | found.keys() or len(found) == _MAX_DISAGREEING:
                continue
            if not _is_opposed(sentence, span.text):
                continue
            alone = Binding((span,), Support.SUPPORTED, 1.0, ())
            if self._addresses(question, alone, passages):
                found[span.passage.file] = span
        return list(found.values())

    @staticmethod
    def _quoted(spans: Sequence[CandidateSpan], beside: Sequence[CandidateSpan]) -> list[Statement]:
        said = {(span.passage.file, span.start) for span in beside}
        return [
            (quotation(span), Binding((span,), Support.SUPPORTED, 1.0, ()))
            for span in spans
            if (span.passage.file, span.start) not in said
        ]


def quotation(span: CandidateSpan) -> str:
    """Return ``span`` as a sentence of its own, word for word, with where it stands."""
    return f"According to {span.passage.title or span.passage.file}, “{quotable(span)}”"


def quotable(span: CandidateSpan) -> str:
    """Return the text of ``span`` on one line; a long one only with its first sentences."""
    text = " ".join(span.text.split())
    if len(text) > _MAX_QUOTED_CHARACTERS:
        ends = [end for _, end in sentence_spans(text) if end <= _MAX_QUOTED_CHARACTERS]
        text = text[: max(ends)] if ends else text
    return text


def _is_carried(binding: Binding) -> bool:
    is_missing = any(problem.code is ProblemCode.VALUE_MISSING for problem in binding.problems)
    return binding.support is not Support.UNSUPPORTED and not is_missing


def _is_opposed(sentence: str, source: str) -> bool:
    problems = meaning_problems(sentence, source)
    return any(problem.code is ProblemCode.CONTRADICTED for problem in problems)
