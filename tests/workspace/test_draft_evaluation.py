from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.evaluation.draft_evaluation import DraftEvaluation, DraftsAsked
from phasergun_desktop.evaluation.json_lines import EvaluationFileError
from phasergun_desktop.evaluation.wanted_facts import read_facts
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.workspace.session import ProjectSession

PROMPT = "State the warming accuracy of [Master Record|Device Name]."


def _asked(folder: Path, *patterns: str) -> DraftsAsked:
    path = folder / "facts.jsonl"
    rows = [{"prompt": "a.md", "fact": each, "pattern": each} for each in patterns]
    path.write_text("\n".join(json.dumps(row) for row in rows), "utf-8")
    return DraftsAsked(read_facts(path), {"a.md": PROMPT}, use_model=False)


def test_a_slow_pattern_is_told_before_anything_is_drafted(
    shared_session: ProjectSession, tmp_path: Path
) -> None:
    evaluation = DraftEvaluation(tmp_path, "", limit_s=2.0)
    asked = _asked(tmp_path, "outlet", "(?:.|..)+#", "flow")
    events: list[Event] = []
    with pytest.raises(EvaluationFileError, match=r"Line 2 .* takes too long") as told:
        run_to_end(evaluation.run(asked, shared_session, lambda: False), events.append)
    assert "repetitions" in told.value.remedy
    assert [each.what for each in events if isinstance(each, Progress)] == ["Planning"]


@pytest.mark.parametrize("at", ["Planning", "Drafting"])
def test_a_stop_ends_it(shared_session: ProjectSession, tmp_path: Path, at: str) -> None:
    seen: list[str] = []
    evaluation = DraftEvaluation(tmp_path, "")
    job: Generator[Event, None, Any] = evaluation.run(
        _asked(tmp_path, "outlet"), shared_session, lambda: at in seen
    )

    def note(event: Event) -> None:
        if isinstance(event, Progress):
            seen.append(event.what)

    with pytest.raises(Cancelled):
        run_to_end(job, note)


def test_a_closed_evaluation_leaves_the_project_usable(
    shared_session: ProjectSession, tmp_path: Path
) -> None:
    evaluation = DraftEvaluation(tmp_path, "")
    job = evaluation.run(_asked(tmp_path, "outlet"), shared_session, lambda: False)
    assert isinstance(next(job), Progress)
    job.close()
    report = run_to_end(evaluation.run(_asked(tmp_path, "outlet"), shared_session, lambda: False))
    assert report.drafted.found == 1
