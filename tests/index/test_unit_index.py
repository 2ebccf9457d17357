"""The units of documents in the index: kept in step, found by words and by vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding.pooling import normalised
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.unit_rows import compressed, decompressed
from tests.fakes.small_project import SmallProject

SOP = "# Change control\n\nA major change is approved by the board. It is recorded."
PLAN = "# Plan\n\nThe meter GT2-310 needs 0.6 µL of blood."


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write("Procedures/SOPs/sop.md", SOP)
    made.write("Context/Initiation/plan.md", PLAN)
    made.sync()
    yield made
    made.close()


def texts(project: SmallProject, index: UnitIndex) -> list[str]:
    table = index.table()
    return [
        project.store.text(int(document))[start:end]
        for document, start, end in zip(table.documents, table.start, table.end, strict=True)
    ]


def test_the_table_follows_the_documents(project: SmallProject) -> None:
    index = UnitIndex(project.store, project.embedder.identity)
    assert sorted(texts(project, index)) == [
        "A major change is approved by the board.",
        "It is recorded.",
        "The meter GT2-310 needs 0.6 µL of blood.",
    ]
    assert index.table() is index.table()
    project.write("Procedures/SOPs/sop.md", SOP.replace("It is recorded.", "It is filed."))
    (project.root / "Context/Initiation/plan.md").unlink()
    project.embedder.embedded.clear()
    project.sync()
    assert texts(project, index) == ["A major change is approved by the board.", "It is filed."]
    assert [each for each in project.embedder.embedded if "approved" in each] == [
        # The window; the unit that did not change is not embedded again.
        "# Change control\n\nA major change is approved by the board. It is filed."
    ]
    stored = project.database.connection().execute("SELECT count(*) FROM unit_vectors").fetchone()
    assert stored == (2,)


def test_terms_of_a_table_stay_in_it_while_the_folder_is_read(project: SmallProject) -> None:
    index = UnitIndex(project.store, project.embedder.identity)
    before = index.table()
    places = index.terms("board", before)
    project.write("Procedures/SOPs/a.md", "# A\n\nThe board meets. The board decides at once.")
    project.sync()
    assert len(index.table()) > len(before)
    assert [list(one) for one in index.terms("board", before)] == [list(one) for one in places]


def test_terms_are_found_in_text_and_headings(project: SmallProject) -> None:
    index = UnitIndex(project.store, project.embedder.identity)
    told = texts(project, index)
    changes, board, blood, absent = index.terms("the changes of the board, blood and recall")
    # "It is recorded." stands under the heading "Change control".
    assert {told[place] for place in changes} == {
        "A major change is approved by the board.",
        "It is recorded.",
    }
    assert [told[place] for place in board] == ["A major change is approved by the board."]
    assert [told[place] for place in blood] == ["The meter GT2-310 needs 0.6 µL of blood."]
    assert not len(absent)
    assert index.terms("") == ()


def test_units_of_a_section_share_its_number(project: SmallProject) -> None:
    index = UnitIndex(project.store, project.embedder.identity)
    table = index.table()
    told = texts(project, index)
    approved, recorded, meter = (told.index(each) for each in sorted(told))
    assert table.words[[approved, recorded, meter]].tolist() == [8, 3, 8]
    assert table.sections[approved] == table.sections[recorded] != table.sections[meter]


def test_a_compressed_vector_keeps_its_direction() -> None:
    rows = normalised(np.random.default_rng(1).standard_normal((200, 384)).astype(np.float32))
    steps, scales = decompressed(compressed(row) for row in rows)
    again = steps.astype(np.float32) * scales[:, None]
    cosines = (rows @ rows.T) - (again @ again.T)
    assert float(np.abs(cosines).max()) < 0.005
    assert decompressed([])[0].shape == (0, 0)


def test_a_vector_of_zeros_is_stored() -> None:
    steps, scales = decompressed([compressed(np.zeros(8, dtype=np.float32))])
    assert not steps.any()
    assert np.isfinite(scales).all()
