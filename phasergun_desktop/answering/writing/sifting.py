"""Sifts the sentences of a model: what stands in the draft of each, or the source instead."""

from __future__ import annotations

import re
from dataclasses import dataclass

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.questions.answer_check import Statement
from phasergun_desktop.answering.writing.brought_words import brings_words, without_attribution
from phasergun_desktop.answering.writing.instructions import Task
from phasergun_desktop.answering.writing.kept_values import with_its_values
from phasergun_desktop.answering.writing.model_sentences import says_nothing
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.verbatim import (
    copies,
    goes_on,
    has_verb,
    heads_paper,
    is_of_the_paper,
    is_statement,
    own_sentence,
    under_its_heading,
    whole_sentence,
    word_for_word,
)
from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidates import CandidateSpan, sentences_of
from phasergun_desktop.grounding.modality import is_asked_for
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.grounding.self_reference import speaks_of_another
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.text.sentences import without_list_mark

_CONDITION = re.compile(
    r"(?:if|when|where|unless|until|once|provided that|in (?:the )?(?:cases?|event)s?)\b",
    re.IGNORECASE,
)
_SAYS_CONDITION = re.compile(
    r"\b(?:if|when|unless|until|once|only|provided|cases?|event)\b|^where\b", re.IGNORECASE
)
_MAX_UNSUPPORTED = 2
# The share of its words from which a sentence without a source retells a summary.
_RETOLD = 0.7


@dataclass(slots=True)
class Progress:
    """What has come of one point of a plan so far.

    ``has_spoken``: the model found something to say, be it worth nothing; where it did not, there
    may be nothing to be said.
    """

    repeats: int = 0
    unsupported: int = 0
    stated: int = 0
    is_over: bool = False
    has_spoken: bool = False


class Sifter:
    """Sifts for one draft. With ``completes`` a sentence that its source does not carry does not
    stand; without, it stands with its marks."""

    def __init__(self, page: Page, task: Task, *, completes: bool) -> None:
        self._page = page
        self._task = task
        self._completes = completes

    def kept(self, sentence: str, point: PlannedPoint, progress: Progress) -> list[Statement]:
        """Return what of ``sentence`` stands in the draft, or instead of it, each with what
        carries it."""
        if point.kind is not PointKind.VALUE:
            sentence = without_attribution(sentence, point.passages)
        binding = self._page.bind(sentence, point.passages)
        if point.kind is PointKind.VALUE:
            return self._page.answers(point.query, sentence, binding, point.passages)
        if says_nothing(sentence) and binding.support is not Support.SUPPORTED:
            progress.is_over = True
            return []
        if (
            self._only_introduces(sentence, binding)
            or self._has_left_its_sources(sentence, binding, progress)
            or _is_no_statement(sentence, binding)
        ):
            return []
        if self._completes and binding.support is Support.UNSUPPORTED:
            self._page.count_dropped()
            return []
        is_wrong = binding.support is Support.CONTRADICTED
        is_doubtful = self._completes and (
            binding.support is not Support.SUPPORTED
            or brings_words(sentence, binding.spans, self._page.given)
            or _loses_its_beginning(sentence, binding)
            or (len(binding.spans) > 1 and not has_verb(sentence))
        )
        if is_wrong or is_doubtful or _is_said_of_another(sentence, binding):
            own = self._as_the_source_says(binding)
            if is_doubtful and not own:
                self._page.count_dropped()
            return own if own or is_wrong or is_doubtful else [(sentence, binding)]
        if self._completes:
            sentence, binding = with_its_values(sentence, binding)
        text, bound = whole_sentence(sentence, binding)
        return [(self._page.cleaned(text), bound)]

    def _only_introduces(self, sentence: str, binding: Binding) -> bool:
        """Whether ``sentence`` retells the summaries: they tell the model what the documents are
        about and are never cited, so nothing can carry it."""
        if binding.support is not Support.UNSUPPORTED:
            return False
        read = " ".join(f"{each.title} {each.text}" for each in self._task.summaries)
        known, words = set(content_words(read)), content_words(sentence)
        return bool(known) and sum(word in known for word in words) >= _RETOLD * len(words)

    def _has_left_its_sources(self, sentence: str, binding: Binding, progress: Progress) -> bool:
        """Whether the model goes on without its sources; what follows would be worse."""
        if binding.support is not Support.UNSUPPORTED:
            progress.unsupported = 0
            return False
        progress.unsupported += 1
        is_lost = progress.unsupported >= _MAX_UNSUPPORTED and not self._task.is_translation
        progress.is_over = is_lost
        return is_lost

    def _as_the_source_says(self, binding: Binding) -> list[Statement]:
        """Return the source's own sentences and rows instead of what it does not carry."""
        return [each for span in binding.spans for each in self._own_statements(span)]

    def _own_statements(self, span: CandidateSpan) -> list[Statement]:
        if is_of_the_paper(span):
            return []
        if span.block.kind is BlockKind.TABLE_ROW:
            return [(span.text, word_for_word(span))]
        parts = sentences_of(span)
        if goes_on(parts[0].text):
            return []
        said: list[Statement] = []
        for part in parts:
            text, bound = own_sentence(part), word_for_word(part)
            if text and is_statement(part) and not is_of_the_paper(part):
                said.append((under_its_heading(self._page.cleaned(text), bound), bound))
        return said


def _is_no_statement(sentence: str, binding: Binding) -> bool:
    """Whether ``sentence`` copies what cannot stand by itself: a name in a list whose beginning is
    missing, the head of a document, a letter's standing text."""
    for span in binding.spans[:1]:
        if is_of_the_paper(span) or heads_paper(sentence):
            return True
        if copies(sentence, span) and not goes_on(sentence):
            return not is_statement(span)
    return False


def _loses_its_beginning(sentence: str, binding: Binding) -> bool:
    """Whether ``sentence`` says otherwise on what its one source sentence depends: it tells as it
    is what shall be, says "these" where the source names them, or leaves the "if" out."""
    spans = binding.spans
    if len(spans) != 1 or len(sentences_of(spans[0])) > 1:
        return False
    own = without_list_mark(spans[0].text)
    return (
        (is_asked_for(own) and not is_asked_for(sentence))
        or (goes_on(sentence) and not goes_on(own))
        or (bool(_CONDITION.match(own)) and not _SAYS_CONDITION.search(sentence))
    )


def _is_said_of_another(sentence: str, binding: Binding) -> bool:
    """Whether the source says of its own document what ``sentence`` says of another."""
    first = binding.spans[:1]
    return any(speaks_of_another(sentence, span.text, span.context) for span in first)
