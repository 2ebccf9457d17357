from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.answering.model import AnswerStatus, PlannedPoint
from phasergun_desktop.answering.passes.reading_room import ReadingBudget
from phasergun_desktop.language_models.protocol import ModelPrompt
from tests.answering.conftest import Desk
from tests.fakes.paragraph_reader import MarkdownReader
from tests.fakes.small_project import SmallProject

LONG = "Context/Ongoing/long.md"
OTHER = "Context/Ongoing/other.md"
FACT = "The alarm of the heater sounds at 78 dB."


def _filler(topic: str, count: int) -> str:
    return "\n\n".join(
        f"The alarm of the heater is not like {topic} number {number}: it has {number + 3} parts."
        for number in range(count)
    )


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    """A long report with one fact in its middle, and a report that says nothing of it."""
    project = SmallProject(tmp_path)
    text = f"# Heater\n\n{_filler('cables', 12)}\n\n{FACT}\n\n{_filler('screws', 12)}\n"
    project.write(LONG, text)
    project.write(OTHER, f"# Heater alarm\n\n{_filler('paint', 10)}\n")
    yield project
    project.close()


def _read(desk: Desk, points: tuple[PlannedPoint, ...]) -> list[str]:
    for point in points:
        for passage in point.passages:
            assert desk.text(passage.file)[passage.start : passage.end] == passage.text
    return [passage.text for point in points for passage in point.passages]


def test_what_does_not_fit_keeps_the_best_sentences_word_for_word(project: SmallProject) -> None:
    desk = Desk(project, budget=ReadingBudget(40, 40))
    written = desk.write("Describe the alarm of the heater.", [FACT])
    result = written.result
    assert written.model is not None
    [prompt] = written.model.prompts
    texts = _read(desk, result.plan.points)
    assert any(FACT in text for text in texts)
    assert all(text in prompt.shared for text in texts)
    assert sum(len(text.split()) for text in texts) <= 40
    assert [unit.text for unit in result.sentences] == [FACT]
    assert result.footnotes[0].quote == FACT
    assert any("left out to fit" in warning for warning in result.warnings)
    steps = [step for step in result.metrics.trace if step.step == "compress"]
    assert len(steps) == 1
    assert "left out" in steps[0].note


def test_what_fits_is_read_as_it_is(project: SmallProject) -> None:
    desk = Desk(project, budget=ReadingBudget(4000, 4000))
    plan = desk.plan("Describe the alarm of the heater.")
    written = desk.write("Describe the alarm of the heater.", [FACT])
    assert written.result.plan.points == plan.points
    assert not any("left out" in warning for warning in written.result.warnings)


def test_the_warning_names_the_passages_that_nothing_is_read_of(project: SmallProject) -> None:
    desk = Desk(project, budget=ReadingBudget(9, 9))
    result = desk.write("Describe the alarm of the heater.", [FACT]).result
    [warning] = [warning for warning in result.warnings if "left out" in warning]
    assert "were left out to fit what the model can read: Heater" in warning


def test_a_row_keeps_its_place_in_the_table(tmp_path: Path) -> None:
    project = SmallProject(tmp_path)
    project.reader = MarkdownReader("markdown")
    rows = "".join(f"| part {number} | {number} kg of steel |\n" for number in range(30))
    head = "| Part | Property |\n|---|---|\n"
    project.write(LONG, f"# Parts\n\n{head}{rows}| heater alarm | 78 dB |\n")
    desk = Desk(project, budget=ReadingBudget(30, 30))
    result = desk.write("Describe the heater alarm.", ["The heater alarm is 78 dB."]).result
    texts = _read(desk, result.plan.points)
    assert any("heater alarm" in text and "78 dB" in text for text in texts)
    project.close()


def test_the_context_of_the_model_bounds_what_is_read(project: SmallProject) -> None:
    desk = Desk(project)
    prompts: list[ModelPrompt] = []

    def reply(prompt: ModelPrompt) -> str:
        prompts.append(prompt)
        return FACT

    model_context = 600
    written = desk.write("Describe the alarm of the heater.", reply, context_tokens=model_context)
    assert written.result.status is AnswerStatus.COMPLETE
    for prompt in prompts:
        assert len(prompt.shared.split()) < model_context


def test_a_stop_while_it_is_compressed(project: SmallProject) -> None:
    desk = Desk(project, budget=ReadingBudget(20, 20))
    asked = 0

    def should_stop() -> bool:
        nonlocal asked
        asked += 1
        return asked > 3

    result = desk.write("Describe the alarm.", [FACT], should_stop=should_stop).result
    assert result.status is AnswerStatus.CANCELLED
    assert result.sentences == ()


def test_a_remote_model_reads_more() -> None:
    budget = ReadingBudget(local_tokens=1000, remote_tokens=6000)

    class Wide:
        context_tokens = 32_000
        is_remote = True

        @staticmethod
        def count_tokens(text: str) -> int:
            return len(text.split())

    wide = Wide()
    assert budget.tokens(wide, "a b c") == 6000  # type: ignore[arg-type]
    wide.is_remote = False
    assert budget.tokens(wide, "a b c") == 1000  # type: ignore[arg-type]
