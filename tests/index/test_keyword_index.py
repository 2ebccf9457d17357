"""Words that stand in the documents, as they are written there."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.index.keyword_index import KeywordIndex, match_expression, query_terms
from phasergun_desktop.index.window_table import word_counts
from phasergun_desktop.index.word_parts import COLUMN_WEIGHTS
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


@pytest.mark.parametrize("query", ["10^6", "10⁶", "cm2", "CM²", "10^-7", "10⁻⁷"])
def test_exponents_are_found_as_they_are_typed(project: SmallProject, query: str) -> None:
    index = KeywordIndex(project.store)
    assert len(index.search(query, 5)) == 0
    project.write("Procedures/a.md", "1.6 × 10⁶ spores on 5 cm² at 10⁻⁷.")
    project.write("Procedures/b.md", "1.6 x 10^6 spores on 5 cm2 at 10^-7.")
    project.sync()
    assert len(index.search(query, 5)) == 2


def test_what_was_read_meanwhile_occurs(project: SmallProject) -> None:
    assert _found(project, "Zellwand") == []
    project.write("Context/Initiation/plan.md", "# Plan\n\nThe Zellwand is thin.")
    project.sync()
    assert _found(project, "Zellwand") == ["Zellwand"]
    (project.root / "Context/Initiation/plan.md").unlink()
    project.sync()
    assert _found(project, "Zellwand") == []


def _by_fts5(project: SmallProject, query: str, files: list[str]) -> list[tuple[int, float]]:
    """Return what SQLite's own ranking finds, best first."""
    marks = ", ".join("?" for _ in files)
    with project.store.reading() as connection:
        rows = connection.execute(
            "SELECT window_id, -bm25(window_words, ?, ?, ?, ?, ?) AS score FROM window_words "
            "JOIN windows ON window_id = window_words.rowid JOIN documents USING (document_id) "
            f"WHERE window_words MATCH ? AND file IN ({marks}) ORDER BY score DESC, window_id",
            (*COLUMN_WEIGHTS, match_expression(query_terms(query)), *files),
        ).fetchall()
    return [(int(window_id), float(score)) for window_id, score in rows]


def test_windows_are_ranked_as_fts5_ranks_them_whatever_happened_before(tmp_path: Path) -> None:
    words = [
        "meter",
        "meters",
        "strip",
        "blood-glucose",
        "GT2-310",
        "Müller",
        "820.30",
        "test",
        "l'hôpital",
        "the",
        "of",
    ]
    chance = random.Random(4)
    project = SmallProject(tmp_path)
    keywords, warm = KeywordIndex(project.store), KeywordIndex(project.store)
    files = [f"Context/Ongoing/{number} meter.md" for number in range(12)]
    for turn in range(4):
        for file in chance.sample(files, 12 if turn == 0 else 3):
            sections = [" ".join(chance.choices(words, k=chance.randint(1, 300))) for _ in "abc"]
            project.write(file, "\n\n".join(f"# Strip {s[:20]}\n\n{s}" for s in sections))
        if turn == 2:
            (project.root / files[0]).unlink()
            files = files[1:]
        project.sync()
        warm.warm()
        documents = {each.file: each.document_id for each in project.store.documents()}
        for query in (
            *words,
            "meter strips",
            "GT2-310 blood-glucose test",
            "Müller 820.30 unheard",
        ):
            for some in (files, files[::2]):
                wanted = _by_fts5(project, query, some)
                allowed = None if some == files else [documents[file] for file in some]
                found = keywords.search(query, 1000, allowed)
                assert [hit.window_id for hit in found] == [each for each, _ in wanted], query
                assert [hit.score for hit in found] == pytest.approx([one for _, one in wanted])
                assert keywords.search(query, 5, allowed) == found[:5]
        assert keywords.search("meter strips", 1000) == warm.search("meter strips", 1000)
    project.close()


def test_numbers_of_several_bytes_are_read() -> None:
    rows = [b"\x05\x00", b"\x81\x00\x01", b"\x81\x80\x00\x7f\x82\x03"]
    assert word_counts(rows).tolist() == [5, 129, 16_384 + 127 + 259]
    assert word_counts([]).tolist() == []
