"""The training of the selector: its regression, and the prompts that it is trained on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
import silver_set
import train_selector

from tests.fakes.small_project import SmallProject

SECTIONS = ("Alarm of the pump", "Battery of the pump", "Cleaning of the pump", "Storage place")


def document(number: int) -> str:
    sections = (
        f"## {heading}\n\nThe {heading.lower()} was tried {number} times by the maker. "
        f"It is written down in record {number}{place} of the {heading.lower()}."
        for place, heading in enumerate(SECTIONS)
    )
    return f"# Paper {number}\n\n" + "\n\n".join(sections)


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    for number in range(6):
        made.write(f"family{number % 3}/paper-{number}.md", document(number))
    made.write("510k_other/lamp.md", "# Lamp\n\nDevice Name: Glow Lamp\n\n" + document(9))
    made.sync()
    yield made
    made.close()


def test_a_regression_finds_what_made_the_answers() -> None:
    choice = np.random.default_rng(1)
    columns = choice.normal(3.0, [1.0, 10.0], (20_000, 2))
    odds = -1.0 + 2.0 * columns[:, 0] - 0.3 * columns[:, 1]
    answers = (choice.random(20_000) < 1 / (1 + np.exp(-odds))).astype(float)
    found = train_selector.fitted(columns, answers)
    assert found.intercept == pytest.approx(-1.0, abs=0.2)
    assert found.weights == pytest.approx((2.0, -0.3), abs=0.1)


def test_the_prompts_are_the_same_for_a_seed_and_their_answers_are_right(
    project: SmallProject,
) -> None:
    corpus = silver_set.Corpus(project.cache, project.embedder)
    silver = silver_set.SilverSet(corpus, 3)
    prompts = list(silver.prompts(silver.files, 30))
    assert prompts == list(silver_set.SilverSet(corpus, 3).prompts(silver.files, 30))
    of_sections = [n for p in prompts for n in p.needs if n.kind == "heading"]
    assert of_sections
    for need in of_sections:
        headings = {corpus.blocks[place].heading_path[-1] for place in need.answers}
        assert len(headings) == 1
        assert set(headings.pop().lower().split()) & set(need.query.lower().split())
    for prompt in prompts:
        for gap in prompt.gaps:
            assert prompt.needs[gap].answers <= prompt.removed
        if prompt.is_misnamed:
            assert "Glow Lamp" in prompt.topic
            assert "510k_other/lamp.md" not in prompt.files
    looked = train_selector.looked_at(prompts[0], corpus)
    assert len(looked.needs) == len(prompts[0].needs)
    corpus.database.close()


def test_a_masked_unit_does_not_know_its_heading(project: SmallProject) -> None:
    corpus = silver_set.Corpus(project.cache, project.embedder)
    place = next(i for i, text in enumerate(corpus.texts) if "00 of the alarm" in text)
    before = corpus.table.vectors(np.array([place]))
    corpus.mask_headings()
    connection = corpus.database.connection()
    contexts = {row[0] for row in connection.execute("SELECT context FROM unit_words")}
    assert not any(heading in context for heading in SECTIONS for context in contexts)
    assert not np.array_equal(before, corpus.table.vectors(np.array([place])))
    corpus.database.close()
