"""Words that stand in the documents, as they are written there."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.index.keyword_index import KeywordIndex
from tests.fakes.small_project import SmallProject

SOP = "# Sensora\n\nIt occurred to Müller that Sensora’s potentiosta submits l'hôpital (ampometry)."


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write("Procedures/SOPs/sop.md", SOP)
    made.sync()
    yield made
    made.close()


def _found(project: SmallProject, words: str) -> list[str]:
    return sorted(KeywordIndex(project.store).occurring(frozenset(words.split())))


def test_words_occur_as_they_are_written(project: SmallProject) -> None:
    there = ["Müller", "Sensora", "Sensora's", "ampometry", "l'hôpital", "occurred", "potentiosta"]
    assert _found(project, " ".join(there)) == there
    assert _found(project, "sensora Muller Potentiosta potentio hospital") == []


def test_a_misspelled_word_with_the_stem_of_a_right_one_does_not_occur(
    project: SmallProject,
) -> None:
    assert _found(project, "occured occuring submited submitts potentiostas Sensor") == []


def test_what_was_read_meanwhile_occurs(project: SmallProject) -> None:
    assert _found(project, "Zellwand") == []
    project.write("Context/Initiation/plan.md", "# Plan\n\nThe Zellwand is thin.")
    project.sync()
    assert _found(project, "Zellwand") == ["Zellwand"]
    (project.root / "Context/Initiation/plan.md").unlink()
    project.sync()
    assert _found(project, "Zellwand") == []
