"""Damage to rows, indexes and pages is found, told and mended with what it costs alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, nullcontext
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.index.index_writer import IndexWriter
from phasergun_desktop.index.integrity import IndexIntegrity
from phasergun_desktop.index.keyword_index import KeywordIndex
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.storage.problems import StorageDamagedError
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.small_project import SmallProject
from tests.faults.index_rows import index_rows

ONE, TWO = "Context/General/one.md", "Context/General/two.md"
TEXTS = {
    ONE: "# One\n\nThe first document is short.\n\n# Shared\n\nBoth say this.",
    TWO: "# Two\n\nThe second one names a lancet.\n\n# Shared\n\nBoth say this.",
}


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    """A project as a process finds it that has just opened it."""
    made = SmallProject(tmp_path)
    for file, text in TEXTS.items():
        made.write(file, text)
    made.write("Context/General/bad.md", "!encrypted")
    made.sync()
    made.open_again()
    made.reader.parsed.clear()
    yield made
    made.close()


def damage(project: SmallProject, statement: str) -> None:
    """Change rows as the disk does: nobody is told."""
    project.database.connection().execute("PRAGMA foreign_keys = OFF")
    assert project.database.connection().execute(statement).rowcount
    project.database.connection().execute("PRAGMA foreign_keys = ON")


def kept(project: SmallProject) -> object:
    """All rows of the index without numbers that depend on its history."""
    return index_rows(project.database.path)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE contents SET text = replace(text, 'short', 'shorn') WHERE document_id = 1",
        "UPDATE contents SET text = CAST(x'ff' || text AS TEXT) WHERE document_id = 1",
        "UPDATE contents SET body = x'7b' WHERE document_id = 1",
        "UPDATE documents SET title = 'Ome' WHERE document_id = 1",
        "UPDATE documents SET layer = 'no layer' WHERE document_id = 1",
        "UPDATE documents SET file = 'Context/General/ome.md' WHERE document_id = 1",
        "UPDATE windows SET start = start + 1 WHERE window_id = 1",
        "UPDATE windows SET heading_path = '[\"On' WHERE window_id = 1",
        "UPDATE windows SET document_id = 9 WHERE window_id = 1",
        "UPDATE window_words_content SET c0 = 'The FIRST document' WHERE id = 1",
        "UPDATE units SET text_hash = x'00' WHERE unit_id = 1",
        "UPDATE chunks SET chunk_id = 'another' WHERE document_id = 1",
        "DELETE FROM document_digests WHERE document_id = 1",
        "UPDATE document_digests SET document_id = 9 WHERE document_id = 1",
        "UPDATE document_digests SET unit_digest = '' WHERE document_id = 1",
        "UPDATE files SET state = 'indexee' WHERE file LIKE '%one.md'",
        "UPDATE files SET file = 'Context/General/ome.md' WHERE file LIKE '%one.md'",
    ],
)
def test_a_damaged_row_has_its_document_read_again(project: SmallProject, statement: str) -> None:
    before = kept(project)
    damage(project, statement)
    report = project.sync()
    assert project.reader.parsed == ["one.md"]
    assert "documents read again: 1" in report.warnings[0]
    assert kept(project) == before
    assert project.sync().warnings == ()


def test_a_vector_that_two_documents_use_is_made_again(project: SmallProject) -> None:
    before = kept(project)
    project.embedder.embedded.clear()
    damage(
        project,
        "UPDATE embeddings SET vector = zeroblob(256) WHERE text_hash IN "
        "(SELECT text_hash FROM windows GROUP BY text_hash HAVING count(*) > 1)",
    )
    project.sync()
    assert sorted(project.reader.parsed) == ["one.md", "two.md"]
    assert "# Shared\n\nBoth say this." in project.embedder.embedded
    assert kept(project) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE window_words_data SET block = zeroblob(30) WHERE id > 10",
        "DELETE FROM unit_words_docsize WHERE id = 1",
    ],
)
def test_the_index_of_words_is_made_again_without_reading(
    project: SmallProject, statement: str
) -> None:
    before = kept(project)
    damage(project, statement)
    project.open_again()
    report = project.sync()
    assert project.reader.parsed == []
    assert "documents read again: 0" in report.warnings[0]
    assert kept(project) == before
    number = project.document(TWO).document_id
    assert KeywordIndex(project.store).search("lancet", 5, [number])


def test_what_was_read_by_damaged_indexes_is_read_again(project: SmallProject) -> None:
    units = UnitIndex(project.store, project.embedder.identity)
    before = len(units.table())
    connection = project.database.connection()
    # An index that lacks rows of the table: they are not found by it.
    name = "units_by_document"
    asked = "SELECT sql FROM sqlite_master WHERE name = ?"
    (whole,) = connection.execute(asked, (name,)).fetchone()
    connection.execute(f"DROP INDEX {name}")
    connection.execute(f"{whole} WHERE ordinal > 0")
    connection.execute("PRAGMA writable_schema = ON")
    connection.execute("UPDATE sqlite_master SET sql = ? WHERE name = ?", (whole, name))
    project.open_again()
    units = UnitIndex(project.store, project.embedder.identity, project.cache)
    assert len(units.table()) != before
    assert "documents read again: 0" in project.sync().warnings[0]
    # What is kept for the next session is what was read of the damaged index.
    units.snapshot()
    again = UnitIndex(project.store, project.embedder.identity, project.cache)
    assert len(again.table()) == before
    assert len(units.table()) == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = 'x' WHERE key = 'sequence'",
        "UPDATE meta SET value = '0' WHERE key = 'sequence'",
        "UPDATE meta SET key = 'index_ie' WHERE key = 'index_id'",
        "UPDATE sqlite_sequence SET seq = 0 WHERE name = 'windows'",
        "UPDATE sqlite_sequence SET name = 'windowt' WHERE name = 'windows'",
        "INSERT INTO removed_windows SELECT window_id, 1 FROM windows LIMIT 1",
        "ALTER TABLE units RENAME COLUMN block TO clock",
    ],
)
def test_what_belongs_to_no_document_makes_the_index_anew(
    project: SmallProject, statement: str
) -> None:
    before, identity = kept(project), project.store.index_id()
    vectors = project.vectors()
    vectors.refresh()
    damage(project, statement)
    report = project.sync()
    assert len(project.reader.parsed) == len(TEXTS) + 1
    assert "all documents were read again" in report.warnings[0]
    assert kept(project) == before
    assert project.store.index_id() != identity
    # What was kept in memory of the old one is not taken for the new one's.
    vectors.refresh()
    (question,) = project.embedder.embed(["The second one names a lancet."])
    found = vectors.search(question, 1)
    assert set(found) <= {each.window_id for each in project.windows(2)}
    assert project.store.text(project.document(ONE).document_id) == TEXTS[ONE]


def _spoil(path: Path, table: str) -> None:
    """Write rubbish over the first page of a table."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        (page,) = connection.execute(
            "SELECT rootpage FROM sqlite_master WHERE name = ?", (table,)
        ).fetchone()
    with path.open("r+b") as file:
        file.seek((page - 1) * 4096)
        file.write(b"\xff" * 4096)


def test_a_page_that_breaks_while_it_is_read_is_told_and_mended(project: SmallProject) -> None:
    before = kept(project)
    told: list[str] = []
    project.store.integrity.on_damage = lambda: told.append("damaged")
    _spoil(project.database.path, "contents")
    for _ in range(2):
        with pytest.raises(StorageDamagedError) as caught:
            project.store.text(1)
        assert "brought up to date" in caught.value.remedy
    assert told == ["damaged"]
    report = project.sync()
    assert "all documents were read again" in report.warnings[0]
    assert kept(project) == before
    assert project.store.text(project.document(ONE).document_id) == TEXTS[ONE]


def test_a_page_that_breaks_in_the_middle_of_a_sync_is_mended(project: SmallProject) -> None:
    project.sync()
    project.write(TWO, "# Two\n\nAnother text.")
    _spoil(project.database.path, "units")
    report = project.sync()
    assert "all documents were read again" in report.warnings[0]
    assert "Another text." in project.store.text(project.document(TWO).document_id)
    assert project.states()[ONE] == "indexed"


def test_a_reader_goes_on_reading_while_the_index_is_made_anew(project: SmallProject) -> None:
    with (
        closing(sqlite3.connect(project.database.path, isolation_level=None)) as reader,
    ):
        reader.execute("BEGIN")
        count = reader.execute("SELECT count(*) FROM windows").fetchone()
        project.store.integrity.make_anew()
        assert reader.execute("SELECT count(*) FROM windows").fetchone() == count
        reader.execute("COMMIT")
        assert reader.execute("SELECT count(*) FROM windows").fetchone() == (0,)


def test_what_is_read_before_the_index_was_checked_is_compared(project: SmallProject) -> None:
    damage(project, "UPDATE contents SET text = replace(text, 'short', 'shorn')")
    for read in (project.store.text, project.store.parsed):
        with pytest.raises(StorageDamagedError):
            read(1)
    with pytest.raises(StorageDamagedError):
        project.store.text_slice(1, 0, 5)
    assert project.store.text(2) == TEXTS[TWO]


@pytest.mark.parametrize(
    ("statement", "is_told"),
    [
        ("UPDATE windows SET heading_path = '[\"Ome\"]' WHERE document_id = 1", True),
        ("UPDATE chunks SET prefix = 'another' WHERE document_id = 1", True),
        ("UPDATE units SET start = start + 1 WHERE document_id = 1", False),
    ],
)
def test_what_a_search_shows_is_compared_without_the_units(
    project: SmallProject, statement: str, is_told: bool
) -> None:
    damage(project, statement)
    with pytest.raises(StorageDamagedError) if is_told else nullcontext():
        project.store.text_slice(1, 0, 5)
    with pytest.raises(StorageDamagedError):
        project.store.text(1)


def test_a_wrong_number_of_words_is_told_before_it_changes_a_score(project: SmallProject) -> None:
    keywords = KeywordIndex(project.store)
    sound = keywords.search("short", 5)
    assert sound
    damage(project, "UPDATE window_words_docsize SET sz = x'0901010101' WHERE id = 1")
    with pytest.raises(StorageDamagedError):
        KeywordIndex(project.store).search("short", 5)
    project.open_again()
    assert project.sync().warnings
    again = KeywordIndex(project.store).search("short", 5)
    assert [each.score for each in again] == [each.score for each in sound]


@pytest.mark.parametrize("window", [0, 1 << 40])
def test_a_size_of_a_window_that_is_not_there_is_told(project: SmallProject, window: int) -> None:
    damage(project, f"UPDATE window_words_docsize SET id = {window} WHERE id = 1")
    with pytest.raises(StorageDamagedError):
        KeywordIndex(project.store).search("short", 5)
    project.open_again()
    assert project.sync().warnings
    assert KeywordIndex(project.store).search("short", 5)


@pytest.mark.parametrize("window", [0, 1 << 40])
def test_a_word_of_a_window_that_is_not_there_is_told(project: SmallProject, window: int) -> None:
    keywords = KeywordIndex(project.store)
    # What it knows of windows it has read.
    keywords.search("lancet", 5)
    damage(project, f"INSERT INTO window_words (rowid, text) VALUES ({window}, 'short')")
    with pytest.raises(StorageDamagedError):
        keywords.search("short", 5)


def test_rows_that_cannot_be_read_are_damage_and_bugs_are_not(project: SmallProject) -> None:
    with pytest.raises(ZeroDivisionError), project.store.reading():
        _ = 1 / 0
    damage(project, "UPDATE files SET state = 'indexee' WHERE file LIKE '%one.md'")
    with pytest.raises(StorageDamagedError):
        project.store.files()
    with pytest.raises(StorageError):
        project.store.file(ONE)


def test_a_sync_that_was_broken_off_is_no_damage(project: SmallProject) -> None:
    project.write(ONE, "# One\n\nNew words.")
    job = project.job()
    while "pending" not in project.states().values():
        next(job)
    job.close()
    project.open_again()
    assert project.sync().warnings == ()
    assert project.store.text(1) == "# One\n\nNew words."


def test_vectors_that_a_broken_sync_has_left_are_removed_by_the_next_process(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.write(ONE, "# One\n\nNew words.")
    with monkeypatch.context() as broken:
        broken.setattr(IndexWriter, "remove_unused_vectors", lambda *_args: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            project.sync()
    project.open_again()
    project.sync()
    connection = project.database.connection()
    for used, kept_ in (("windows", "embeddings"), ("units", "unit_vectors")):
        unused = f"SELECT 1 FROM {kept_} WHERE text_hash NOT IN (SELECT text_hash FROM {used})"
        assert connection.execute(unused).fetchall() == []


def test_everything_is_compared_once(
    project: SmallProject, monkeypatch: pytest.MonkeyPatch
) -> None:
    project.sync()
    monkeypatch.setattr(IndexIntegrity, "_problem", lambda *_args: pytest.fail("compared again"))
    project.write(ONE, "# One\n\nNew words.")
    project.sync()
    assert project.store.text(1) == "# One\n\nNew words."


def test_digests_follow_every_change_of_a_document(project: SmallProject) -> None:
    project.write("Procedures/categories.yaml", f"documents:\n  {TWO}: {{category: capa}}\n")
    (project.root / ONE).rename(project.root / "Context/General/moved.md")
    project.sync()
    project.embedder = HashEmbedder(identity="hash:2", dimensions=32)
    project.sync()
    project.open_again()
    project.reader.parsed.clear()
    assert project.sync().warnings == ()
    assert project.reader.parsed == []


@pytest.mark.parametrize("form", [1, 8, 10])
def test_an_index_of_another_form_is_made_anew(project: SmallProject, form: int) -> None:
    before = kept(project)
    project.database.connection().execute(f"PRAGMA user_version = {form}")
    project.open_again()
    assert project.store.documents() == ()
    project.reader.parsed.clear()
    assert "all documents were read again" in project.sync().warnings[0]
    assert len(project.reader.parsed) == len(TEXTS) + 1
    assert kept(project) == before
