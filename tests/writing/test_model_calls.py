"""The calls of a draft are counted with what they took, also those that are ended early."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise

from hypothesis import example, given, settings
from hypothesis import strategies as st

from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.profiles.model import ModelMarks
from phasergun_desktop.writing.answer_stream import AnswerStream
from phasergun_desktop.writing.citation_marks import without_marks
from phasergun_desktop.writing.model import AnswerMetrics, StreamDiscarded, TextStreamed
from phasergun_desktop.writing.model_calls import ModelCalls
from tests.fakes.scripted_model import ScriptedModel

PROMPT = ModelPrompt("Rules.", "The meter is small.", "Describe the meter.")


class TimedModel(ScriptedModel):
    """Says at its end, as the real ones do, how long a call took."""

    def generate(
        self,
        prompt: ModelPrompt,
        settings: GenerationSettings,
        metrics: GenerationMetrics,
        should_stop: Callable[[], bool],
    ) -> Iterator[str]:
        try:
            yield from super().generate(prompt, settings, metrics, should_stop)
        finally:
            metrics.total_ms = 125.0


def test_a_call_that_is_ended_early_is_counted_with_its_time() -> None:
    model = TimedModel(["The meter is small. It is light. It is blue."])
    metrics = AnswerMetrics()
    calls = ModelCalls(model, metrics, lambda: False, time.perf_counter())
    stream = calls.sentences("write", PROMPT, 40)
    first = next(item for item in stream if not isinstance(item, Event))
    assert first == "The meter is small."
    stream.close()
    assert model.stopped_early == 1
    assert metrics.generation_ms == 125.0
    (step,) = metrics.trace
    assert step.ms == 125.0
    assert step.completion_tokens > 0


def test_a_mark_in_a_streamed_answer_stays_with_its_sentence_and_is_shown_as_it_is() -> None:
    said = "It is small. [source: ISO 1. Ed. 3, page 4] It is light. [source: Plan] It is blue."
    calls = ModelCalls(ScriptedModel([said]), AnswerMetrics(), lambda: False, time.perf_counter())
    items = list(calls.sentences("write", PROMPT, 90, AnswerStream(expects_heading=False)))
    assert [item for item in items if not isinstance(item, Event)] == [
        "It is small [source: ISO 1. Ed. 3, page 4].",
        "It is light [source: Plan].",
        "It is blue.",
    ]
    shown = "".join(item.text for item in items if isinstance(item, TextStreamed))
    assert "\ue000" not in shown


class ChoppedModel(ScriptedModel):
    """Says one text, in the pieces that are given."""

    def __init__(self, pieces: Sequence[str]) -> None:
        super().__init__(["".join(pieces)])
        self._pieces = pieces

    def tokens_of(self, text: str) -> Sequence[str]:
        return self._pieces


def _said(pieces: Sequence[str]) -> list[tuple[str, tuple[str, ...]]] | None:
    """Return the sentences of an answer with what their marks name; None where it looped."""
    calls = ModelCalls(ChoppedModel(pieces), AnswerMetrics(), lambda: False, time.perf_counter())
    items = list(calls.sentences("write", PROMPT, 10_000, AnswerStream(expects_heading=False)))
    if any(isinstance(item, StreamDiscarded) for item in items):
        return None
    said = [item for item in items if not isinstance(item, Event)]
    return [without_marks(str(item), ModelMarks.CHUNK_ID) for item in said]


@settings(max_examples=500, deadline=None)
@given(
    st.lists(
        st.sampled_from(
            [
                "It stops", "it lasts 5", "See No", "e.g", "etc", "A", "b", ". ", ".", ".\n", "!",
                "? ", "\n", "\n\n", " ", "- ", "2. ", "[cite:a1]", "[cite:b2, c3]", "[cite:",
                "[see 2]", "[", "]", "”", ")", ",", "https://a.b/c",
            ]
        ),
        max_size=14,
    ),
    st.lists(st.integers(0, 10_000), max_size=40),
)  # fmt: skip
@example(["It stops. ", "2. ", "2. ", "It lasts 5 seconds."], [])
def test_an_answer_has_the_same_sentences_and_marks_however_it_is_chopped(
    parts: list[str], cuts: list[int]
) -> None:
    text = "".join(parts)
    at = sorted({0, len(text), *(cut % (len(text) + 1) for cut in cuts)})
    chopped = [[text[a:b] for a, b in pairwise(at)], list(text)]
    whole = _said([text])
    for pieces in chopped:
        said = _said(pieces)
        # A loop ends a call when it is seen: in small pieces it is seen while it is written.
        assert None in (said, whole) or said == whole
