"""Joins the statements of a paragraph into prose with a language model, as far as it is judged
to say what they say."""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterator, Sequence
from contextlib import closing

from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import Event
from phasergun_desktop.planning.verbatim import word_for_word
from phasergun_desktop.text.sentences import without_list_mark
from phasergun_desktop.text.values import missing_values
from phasergun_desktop.text.words import content_words, squeezed
from phasergun_desktop.writing.arrangement import alone
from phasergun_desktop.writing.instructions import join_prompt
from phasergun_desktop.writing.model import StreamDiscarded
from phasergun_desktop.writing.model_calls import ModelCalls
from phasergun_desktop.writing.page import Page
from phasergun_desktop.writing.repetition import loops

Statement = tuple[str, Binding]

# Small steps: a model of 1.5B parameters loses or mixes up more of a longer list.
_AT_ONCE = 4
# A statement has been told where its values and so much of its words are in what cites it.
_TOLD = 0.7
_TOKENS_OVER = 40
_PARTS = re.compile(r"[-/]")
_MIN_RUN_TOGETHER = 5


class Joiner:
    """Joins for one ``page`` with the model behind ``calls``. ``system`` is tier 1."""

    def __init__(self, calls: ModelCalls, page: Page, *, system: str) -> None:
        self._calls = calls
        self._page = page
        self._system = system

    def joined(
        self, step: str, spans: Sequence[CandidateSpan], *, is_headed: bool = False
    ) -> Generator[Event, None, list[Statement]]:
        """Return ``spans``, which belong to one paragraph, as sentences in their order: the
        model's where the judge finds no fault with them and nothing is lost, else the words of the
        source. ``step`` names the calls; ``is_headed``: something stands above them that the page
        has not yet.

        Yields ``TextStreamed``, ``FirstToken`` and ``StreamDiscarded``. Raises ``Cancelled`` and
        the errors of the model.
        """
        found: list[Statement] = []
        last = self._page.units[-1:]
        # A heading, a gap or a row is nothing that a sentence can go on from.
        is_said = bool(last) and last[0].kind is UnitKind.SENTENCE and not last[0].is_header
        before = last[0].text if is_said and not is_headed else ""
        for at in range(0, len(spans), _AT_ONCE):
            found += yield from self._some(step, spans[at : at + _AT_ONCE], before)
            before = found[-1][0]
        return found

    def _some(
        self, step: str, spans: Sequence[CandidateSpan], before: str
    ) -> Generator[Event, None, list[Statement]]:
        own = [in_own_words(self._page, span) for span in spans]
        if len(own) == 1:
            return own
        texts = [text for text, _ in own]
        limit = sum(map(self._calls.count_tokens, texts)) + _TOKENS_OVER
        written: list[Statement] = []
        read = [span.passage.chunk_id for span in spans]
        prompt = join_prompt(self._system, texts, before, read)
        with closing(self._calls.sentences(step, prompt, limit)) as stream:
            for item in stream:
                if isinstance(item, Event):
                    yield item
                    continue
                sentence = self._page.cleaned(without_list_mark(item))
                bound = self._page.bind_to(sentence, spans)
                is_whole = sentence.endswith(".") and not loops(sentence)
                if is_whole and _may_stand(bound) and not brings_words(sentence, bound):
                    written.append((sentence, bound))
        yield StreamDiscarded()
        return list(_with_what_was_lost(spans, own, written))


def in_own_words(page: Page, span: CandidateSpan) -> Statement:
    """Return ``span`` word for word."""
    return page.cleaned(alone(span)), word_for_word(span)


def _may_stand(bound: Binding) -> bool:
    """Whether the judge finds no fault with a sentence, and what it rests on stands in one
    paragraph. Of eleven that rested on several statements three mixed up for whom these hold, two
    of them from two paragraphs ("Babies treated with photosensitising drugs are not to be used …");
    of 27 others two said something else (``Qwen2.5-Coder 1.5B``, drafts of five projects, 38 of
    whose 960 sentences were not the source's)."""
    blocks = {(each.passage.file, each.block.start) for each in bound.spans}
    return bound.is_faultless and len(blocks) == 1


def brings_words(sentence: str, bound: Binding, given: Collection[str] = ()) -> bool:
    """Whether ``sentence`` has a content word that neither its sources nor what stands above them
    nor ``given`` (stems) has. What a small model adds ("were tested", "leading to") the judge
    takes for likely: of 30 joined sentences that were read beside their sources 9 said more or
    else, of the 13 of them without words of their own one did (``Qwen2.5-Coder 1.5B``, paragraphs
    of 18 projects)."""
    read = " ".join(f"{span.text} {span.context}" for span in bound.spans)
    known, run_together = {*content_words(_PARTS.sub(" ", read)), *given}, squeezed(read)
    return any(
        # PDF files lose spaces: "wholeblood" is whole blood.
        stem not in known and (len(stem) < _MIN_RUN_TOGETHER or stem not in run_together)
        for stem in content_words(_PARTS.sub(" ", sentence))
    )


def _with_what_was_lost(
    spans: Sequence[CandidateSpan], own: Sequence[Statement], written: Sequence[Statement]
) -> Iterator[Statement]:
    """Yield ``written`` in the order of ``spans``, and in place of what it does not tell of a span
    that span's ``own`` words."""
    told = [_is_told(span, written) for span in spans]
    given: set[str] = set()
    for span, statement, is_told in zip(spans, own, told, strict=True):
        if not is_told:
            yield statement
            continue
        for sentence, bound in written:
            if sentence in given or not any(_is_same(span, each) for each in bound.spans):
                continue
            given.add(sentence)
            yield sentence, bound


def _is_told(span: CandidateSpan, written: Sequence[Statement]) -> bool:
    said = " ".join(
        sentence for sentence, bound in written if any(_is_same(span, each) for each in bound.spans)
    )
    words = set(content_words(span.text))
    share = len(words & set(content_words(said))) / len(words) if words else 0.0
    return share >= _TOLD and not missing_values(span.text, said)


def _is_same(left: CandidateSpan, right: CandidateSpan) -> bool:
    return (left.passage.file, left.start) == (right.passage.file, right.start)
