"""What is written can be read, and only what has changed is touched."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.chunking.separators import SeparatorChunker
from phasergun_desktop.chunking.strategies import Chunking
from phasergun_desktop.index.chunk_sets import ChunkSets
from phasergun_desktop.index.keyword_index import KeywordIndex, match_expression, query_terms
from phasergun_desktop.index.vector_cache import SNAPSHOT_FILE, SNAPSHOT_RECORD
from tests.fakes.small_project import SmallProject

SOP = "# Change control\n\nA major change is approved by the review board.\n\n# Records\n\nKept."
PLAN = "# Plan\n\nThe meter GT2-310 needs 0.6 µL of blood."


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write("Procedures/SOPs/sop.md", SOP)
    made.write("Context/Initiation/plan.md", PLAN)
    made.sync()
    yield made
    made.close()


def document_id(project: SmallProject, file: str) -> int:
    return project.document(file).document_id


def test_a_document_comes_back_as_it_was_parsed(project: SmallProject) -> None:
    record = project.document("Procedures/SOPs/sop.md")
    parsed = project.store.parsed(record.document_id)
    assert parsed == project.reader.parse(project.root / record.file)
    assert project.store.parsed(record.document_id) is parsed
    assert project.store.text(record.document_id) == SOP
    assert record.title == "Change control"
    with pytest.raises(KeyError):
        project.store.parsed(999)


def test_windows_and_chunks_are_slices_of_the_text(project: SmallProject) -> None:
    number = document_id(project, "Procedures/SOPs/sop.md")
    windows = project.windows(number)
    assert [SOP[each.start : each.end].partition("\n")[0] for each in windows] == [
        "# Change control",
        "# Records",
    ]
    (chunk,) = ChunkSets(project.store, project.chunking).chunks(number)
    assert SOP[chunk.start : chunk.end] == SOP
    assert json.loads(windows[1].locator) == {"type": "line", "line": 5}


def test_an_edit_keeps_the_windows_and_words_of_other_sections(project: SmallProject) -> None:
    number = document_id(project, "Procedures/SOPs/sop.md")
    before = {each.start: each.window_id for each in project.windows(number)}
    project.embedder.embedded.clear()
    project.write("Procedures/SOPs/sop.md", SOP.replace("Kept.", "Kept for 15 years."))
    project.sync()
    after = project.windows(number)
    assert document_id(project, "Procedures/SOPs/sop.md") == number
    assert after[0].window_id == before[0]
    assert after[1].window_id not in before.values()
    assert sorted(project.embedder.embedded) == [
        "# Records\n\nKept for 15 years.",
        "# Records : Kept for 15 years.",
    ]


def test_a_chunk_id_survives_indexing_again(project: SmallProject, tmp_path: Path) -> None:
    chunks = ChunkSets(project.store, project.chunking)
    number = document_id(project, "Procedures/SOPs/sop.md")
    (tmp_path / "other").mkdir()
    other = SmallProject(tmp_path / "other")
    other.write("Context/Initiation/aaa.md", "First in line.")
    other.write("Procedures/SOPs/sop.md", SOP)
    other.sync()
    again = ChunkSets(other.store, other.chunking).chunks(
        document_id(other, "Procedures/SOPs/sop.md")
    )
    other.close()
    assert [each.chunk_id for each in again] == [each.chunk_id for each in chunks.chunks(number)]


def test_keyword_search_keeps_to_its_documents(project: SmallProject) -> None:
    keywords = KeywordIndex(project.store)
    sop = document_id(project, "Procedures/SOPs/sop.md")
    plan = document_id(project, "Context/Initiation/plan.md")
    found = keywords.search("who approves major changes", 5, [sop, plan])
    assert {each.document_id for each in found} == {sop}
    assert found[0].score > found[1].score  # the title counts, the text counts more
    assert keywords.search("major change", 5, [plan]) == ()
    assert keywords.search("who approves major changes", 1, [sop, plan]) == found[:1]
    (hit,) = keywords.search("GT2-310", 5, [sop, plan])
    assert hit.document_id == plan
    assert hit.score > 0


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "NEAR(a b)",
        "text:AND OR NOT",
        "a* ^b",
        "'; DROP TABLE windows; --",
        "()",
        "-",
        "\x00 µ",
    ],
)
def test_no_query_is_read_as_a_language(project: SmallProject, query: str) -> None:
    sop = document_id(project, "Procedures/SOPs/sop.md")
    KeywordIndex(project.store).search(query, 5, [sop])


def test_terms_leave_stop_words_out_and_identifiers_whole() -> None:
    assert query_terms("What is the retention of K231192 and GT2-310?") == (
        "retention",
        "k231192",
        "gt2-310",
    )
    assert query_terms("what is it") == ("what", "is", "it")
    assert match_expression(["over-the-counter"]) == '"over-the-counter" OR "counter"'
    assert match_expression(["820.30", 'a"b']) == '"820.30" OR "a""b"'


def test_vectors_follow_the_database(project: SmallProject) -> None:
    vectors = project.vectors()
    vectors.refresh()
    assert len(vectors) == 3
    project.write("Context/Initiation/new.md", "Packaging of lancets.")
    (project.root / "Context/Initiation/plan.md").unlink()
    project.sync()
    vectors.refresh()
    assert len(vectors) == 3
    (question,) = project.embedder.embed(["Packaging of lancets."])
    best = max(vectors.search(question, 3).items(), key=lambda each: each[1])
    wanted = document_id(project, "Context/Initiation/new.md")
    assert best[0] == project.windows(wanted)[0].window_id
    assert best[1] == pytest.approx(1.0, abs=1e-5)


def test_kills_while_a_snapshot_is_written_do_not_add_up(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed = project.vectors()
    killed.refresh()
    with monkeypatch.context() as kill:
        # Nothing is tidied up by a process that is killed.
        kill.setattr(Path, "unlink", lambda _path, missing_ok=False: None)
        kill.setattr(Path, "replace", lambda _path, _target: 1 / 0)
        for process in (1, 2, 3):
            kill.setattr(os, "getpid", lambda process=process: process)
            with pytest.raises(ZeroDivisionError):
                killed.snapshot()
    assert len(list(project.cache.glob("*.tmp"))) == 1
    assert killed.snapshot()
    assert list(project.cache.glob("*.tmp")) == []


def test_a_snapshot_is_used_and_a_damaged_one_is_not(project: SmallProject) -> None:
    vectors = project.vectors()
    vectors.refresh()
    assert vectors.snapshot()
    assert not vectors.snapshot()
    (question,) = project.embedder.embed(["review board"])
    expected = vectors.search(question, 5)
    project.write("Context/Initiation/late.md", "After the snapshot.")
    project.sync()
    loaded = project.vectors()
    loaded.refresh()
    assert len(loaded) == 4
    for name, is_flipped in product((SNAPSHOT_FILE, SNAPSHOT_RECORD), (False, True)):
        damaged = project.cache / name
        content = damaged.read_bytes()
        ids = content.find(b'"ids": "') + 10
        flipped = content[:ids] + bytes([content[ids] ^ 1]) + content[ids + 1 :]
        damaged.write_bytes(flipped if is_flipped else content[: len(content) // 2])
        again = project.vectors()
        again.refresh()
        assert len(again) == 4
        found = again.search(question, 5)
        assert all(found[each] == pytest.approx(expected[each], abs=1e-6) for each in expected)
        damaged.write_bytes(content)


def test_a_snapshot_of_what_was_read_before_the_index_was_mended_is_not_used(
    project: SmallProject,
) -> None:
    number = document_id(project, "Context/Initiation/plan.md")
    with project.database.transaction() as connection:
        connection.execute("UPDATE contents SET text = '' WHERE document_id = ?", (number,))
    project.open_again()
    vectors = project.vectors()
    vectors.refresh()
    assert "mended" in project.sync().warnings[0]
    assert vectors.snapshot()
    again = project.vectors()
    again.refresh()
    assert len(again) == project.store.window_count()


def test_window_vectors_are_unit_vectors_of_the_windows(project: SmallProject) -> None:
    number = document_id(project, "Procedures/SOPs/sop.md")
    vectors = project.stored_vectors(number)
    assert set(vectors) == {each.window_id for each in project.windows(number)}
    assert all(np.linalg.norm(row) == pytest.approx(1.0, abs=1e-5) for row in vectors.values())
    assert project.stored_vectors(number, "another") == {}


def test_another_profile_cuts_on_first_use_and_writes_nothing(project: SmallProject) -> None:
    other = Chunking(SeparatorChunker(40, 5), SeparatorChunker(40, 5))
    version = project.store.version()
    number = document_id(project, "Procedures/SOPs/sop.md")
    assert len(ChunkSets(project.store, other).chunks(number)) > 1
    assert project.store.version() == version
    assert len(ChunkSets(project.store, project.chunking).chunks(number)) == 1
