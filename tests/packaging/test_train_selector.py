"""The training of the selector: its regression, and what it learns of a judged project."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest
import train_selector

SECTIONS = ("Alarm", "Battery", "Cleaning", "Storage")


def digest(file: str, text: str) -> str:
    return hashlib.sha256(f"{file}\n{text}".encode()).hexdigest()[:8]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of two papers with a prompt that is answered and one that is not."""
    folder = tmp_path / "pump" / "project" / "Context" / "Ongoing"
    folder.mkdir(parents=True)
    for section in SECTIONS[:2]:
        text = f"# {section}\n\nThe {section.lower()} of the pump was tried for ten hours.\n"
        (folder / f"{section}.md").write_text(text, "utf-8")
    alarm = digest("Context/Ongoing/Alarm.md", "The alarm of the pump was tried for ten hours.")
    rows = [
        {"prompt": "How was the alarm tried?", "belongs": [alarm], "doubtful": [], "beside": []},
        {"prompt": "sterilisation", "belongs": [], "doubtful": [], "beside": [alarm]},
    ]
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    (tmp_path / "pump" / "judged.jsonl").write_text(lines, "utf-8")
    return tmp_path / "pump"


def test_a_regression_finds_what_made_the_answers() -> None:
    choice = np.random.default_rng(1)
    columns = choice.normal(3.0, [1.0, 10.0], (20_000, 2))
    odds = -1.0 + 2.0 * columns[:, 0] - 0.3 * columns[:, 1]
    answers = (choice.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    found = train_selector.fitted(columns, answers)
    assert found.intercept == pytest.approx(-1.0, abs=0.2)
    assert found.weights == pytest.approx((2.0, -0.3), abs=0.1)


def test_judged_prompts_have_their_answers_and_are_tried_without_them(
    project: Path, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    made = list(train_selector.judged_prompts(project, tmp_path / "home", ["the shelf life"]))
    answered, unanswered, strange = made
    assert sorted(answered.answers) == [0.0, 1.0]
    assert answered.weights.tolist().count(1.0) == 1
    assert answered.without is not None
    assert len(answered.without.units.rows) == 1
    assert (answered.is_answered, unanswered.is_answered) == (True, False)
    assert unanswered.without is None
    assert unanswered.weights.any()
    assert not strange.weights.any()
    unit = train_selector.fitted(answered.looked.units.columns, answered.answers)
    told = [is_answered for _, is_answered, _ in train_selector.need_rows(made, unit)]
    assert told == [True, False, False, False]
