"""The calls of a draft are counted with what they took, also those that are ended early."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from phasergun_desktop.jobs import Event
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.writing.answer_stream import AnswerStream
from phasergun_desktop.writing.model import AnswerMetrics, TextStreamed
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
