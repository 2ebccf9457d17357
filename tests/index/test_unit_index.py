"""The units of documents in the index: kept in step, found by words and by vectors."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from phasergun_desktop.embedding.pooling import normalised
from phasergun_desktop.index import unit_index
from phasergun_desktop.index.unit_index import TABLE_FILE, UnitIndex
from phasergun_desktop.index.unit_rows import compressed, decompressed
from phasergun_desktop.index.unit_table import UnitTable, load_table
from tests.fakes.small_project import SmallProject

_READ = unit_index._read
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


def test_a_kept_table_is_brought_up_to_date_and_a_damaged_one_is_not_used(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(20):
        project.write(f"Context/General/{number}.md", f"# Part {number}\n\nIt has {number} teeth.")
    (project.root / "Context/General/empty.md").write_text("# Nothing", "utf-8")
    project.sync()
    first = UnitIndex(project.store, project.embedder.identity, project.cache)
    whole = first.table()
    first.snapshot()
    file = project.cache / TABLE_FILE
    kept = file.read_bytes()

    def same_as_anew(index: UnitIndex) -> bool:
        table, anew = index.table(), UnitIndex(project.store, project.embedder.identity).table()
        # Sections are told apart, whatever their numbers.
        pairs = set(zip(table.sections.tolist(), anew.sections.tolist(), strict=True))
        assert len(pairs) == len(set(table.sections.tolist())) == len(set(anew.sections.tolist()))
        names = set(UnitTable.names()) - {"sections"}
        return all(np.array_equal(getattr(table, n), getattr(anew, n)) for n in names)

    read: list[object] = []

    def noted(*asked: object) -> UnitTable:
        read.append(asked[2:])
        return _READ(*asked)  # type: ignore[arg-type]

    monkeypatch.setattr(unit_index, "_read", noted)
    again = UnitIndex(project.store, project.embedder.identity, project.cache)
    assert len(again.table()) == len(whole)
    assert read == []
    project.write("Procedures/SOPs/sop.md", SOP.replace("It is recorded.", "It is filed. Twice."))
    project.write("Context/General/a.md", "# A\n\nA new one is there.")
    (project.root / "Context/General/7.md").unlink()
    (project.root / "Context/Initiation/plan.md").unlink()
    project.sync()
    for index in (first, again, UnitIndex(project.store, project.embedder.identity, project.cache)):
        read.clear()
        assert same_as_anew(index)
        assert len(read) == 2  # Two documents of this index; all of the one that is compared.
        assert len(read[0][0]) == 2  # type: ignore[index]
    (project.root / "Context/General/8.md").unlink()
    project.sync()
    assert same_as_anew(again)
    first.table()
    first.snapshot()
    assert file.read_bytes() != kept
    for damage in (kept[: len(kept) // 2], b"", kept.replace(kept[2000:2010], b"0123456789")):
        file.write_bytes(damage)
        assert same_as_anew(UnitIndex(project.store, project.embedder.identity, project.cache))


def test_a_kept_table_with_a_flipped_bit_is_not_used(project: SmallProject) -> None:
    units = UnitIndex(project.store, project.embedder.identity, project.cache)
    units.table()
    units.snapshot()
    file = project.cache / TABLE_FILE
    content = file.read_bytes()
    sound = load_table(file)
    assert sound is not None
    entry = content.index(b"PK\1\2")  # the first of the directory at the end of a ZIP file
    for bit in range(entry * 8, (entry + 46) * 8):
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        file.write_bytes(flipped)
        found = load_table(file)
        assert found is None or repr(found) == repr(sound)


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
    steps, scales = decompressed([compressed(row) for row in rows], 384)
    again = steps.astype(np.float32) * scales[:, None]
    cosines = (rows @ rows.T) - (again @ again.T)
    assert float(np.abs(cosines).max()) < 0.005
    assert decompressed([], 0)[0].shape == (0, 0)


def test_a_vector_of_zeros_is_stored() -> None:
    steps, scales = decompressed([compressed(np.zeros(8, dtype=np.float32))], 8)
    assert not steps.any()
    assert np.isfinite(scales).all()
