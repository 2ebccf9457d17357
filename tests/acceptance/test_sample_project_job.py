from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from phasergun_desktop.index.records import FileState
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerStatus

PROMPTS = (
    "design-plan",
    "device-description",
    "performance-testing-summary",
    "risk-management-summary",
    "substantial-equivalence",
)


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory, models_path: Path) -> Iterator[ProjectSession]:
    """The sample project, indexed from nothing."""
    home = tmp_path_factory.mktemp("sample")
    places = Places(home / "cache", home / "data", home / "config", models_path)
    with (
        closing(build_application(places)) as application,
        closing(application.workspace.open(application.workspace.sample())) as session,
    ):
        run_to_end(session.sync())
        yield session


def test_every_document_of_the_sample_is_indexed(sample: ProjectSession) -> None:
    states = [record.state for record in sample.files()]
    assert states.count(FileState.INDEXED) >= 12
    assert set(states) == {FileState.INDEXED, FileState.SKIPPED}
    assert tuple(Path(prompt.file).stem for prompt in sample.prompts()) == PROMPTS


@pytest.mark.parametrize("name", PROMPTS)
def test_a_prompt_of_the_sample_gives_a_cited_draft(sample: ProjectSession, name: str) -> None:
    prompt = next(prompt for prompt in sample.prompts() if Path(prompt.file).stem == name)
    plan = sample.plan(prompt.text)
    assert not plan.is_blocked, [problem.message for problem in plan.problems]
    assert all(reference.resolved for reference in plan.references)
    assert plan.tokens > 0
    result = run_to_end(sample.draft(plan, should_stop=lambda: False, use_model=False))
    assert result.status is AnswerStatus.COMPLETE
    assert result.footnotes
    read = {(p.file, p.start, p.end) for p in plan.passages}
    values = [r.value for r in plan.references if r.value is not None]
    for note in result.footnotes:
        if note.kind == "standard":
            assert (note.file, note.quote) == ("", "")
            continue
        source = sample.source(note.file)
        assert source.document.text[note.start : note.end] == note.quote != ""
        assert source.record.sha256 == note.sha256
        # What carries a sentence was read for it, or is a value that the prompt names.
        within = any(f == note.file and s <= note.start and note.end <= e for f, s, e in read)
        pairs = [pair.answer for r in plan.references for pair in r.pairs]
        points = [point.value for point in plan.points if point.value is not None]
        # Above a list or a table stands what introduces it in its document.
        citing = [unit.text for unit in result.sentences if note.number in unit.citations]
        introduces = all(text.endswith(":") for text in citing) and note.file in {
            f for f, *_ in read
        }
        given = any(v.file == note.file for v in (*values, *pairs, *points))
        assert within or introduces or given
    cited = {number for unit in result.sentences for number in unit.citations}
    assert cited <= {note.number for note in result.footnotes}
    assert {n.number for n in result.footnotes if n.kind != "standard"} <= cited
