"""What the project says about a statement that the writer typed and that cites nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import shorten

from phasergun_desktop.grounding.binding import SpanBinder
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.footnotes import place_in_words
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, SentenceProblem, Support
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.values import is_label, missing_values

# How many passages of the project such a statement is compared with.
NEAREST = 12
NO_SOURCE_YET = "No source yet"
_LONGEST_QUOTE = 160


def without_source(
    unit: DraftSentence, near: Sequence[Passage], binder: SpanBinder, given: str = ""
) -> DraftSentence:
    """Return the statement marked as without a source, with where one may be found and the values
    that none of the passages ``near`` it (best first) has.

    It is never said to be contradicted: what is near need not speak of the same thing. ``given``
    is text of the task, of which the words need no source.
    """
    if is_label(unit.text):
        return replace(unit, support=Support.SUPPORTED, score=0.0, problems=(), needs_check=False)
    missing = missing_values(unit.text, "\n".join(passage.text for passage in near))
    found = binder.bind(unit.text, near, given)
    is_stated = found.support is Support.SUPPORTED and not found.problems and not missing
    says, support = f"{NO_SOURCE_YET}.", Support.UNSUPPORTED
    if is_stated and found.spans:
        says, support = (
            f"{NO_SOURCE_YET}; {where_it_stands(found.spans[0])} states it.",
            Support.PARTLY,
        )
    elif near:
        says = f"{NO_SOURCE_YET}; nearest to it is {_quoted(near[0])}."
    problems = [SentenceProblem(ProblemCode.NO_SOURCE, "", says)]
    for value in missing:
        says = f"“{value.text}” stands in none of the passages nearest to it."
        problems.append(SentenceProblem(ProblemCode.VALUE_MISSING, value.text, says))
    score = round(found.score, 4)
    return replace(unit, support=support, score=score, problems=tuple(problems), needs_check=False)


def where_it_stands(span: CandidateSpan) -> str:
    """Return the title of a span's document and its place in words."""
    where = place_in_words(span.block.locator, span.block.heading_path)
    title = span.passage.title or span.passage.file
    # A place that begins with the title's heading says it already.
    return where if where.startswith(title) else f"{title}, {where}"


def _quoted(passage: Passage) -> str:
    quote = shorten(passage.text, _LONGEST_QUOTE, placeholder=" …").rstrip(".")
    return f"“{quote}” ({passage.title or passage.file})"
