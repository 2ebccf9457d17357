"""An embedder of the user's own reads what the bundled one reads, and leaves nothing behind."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from phasergun_desktop.errors import ModelError
from phasergun_desktop.index.document_digests import is_intact
from phasergun_desktop.index.own_vector_caches import OwnVectorCaches
from phasergun_desktop.index.stored_vectors import OWN_EMBEDDER
from phasergun_desktop.index.vector_cache import SNAPSHOT_FILE
from phasergun_desktop.index.vector_index import DEFAULT_GRAPH
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.retrieval.retriever import Retriever
from phasergun_desktop.sync.events import FileChanged
from tests.fakes.hash_embedder import HashEmbedder
from tests.fakes.profiles import small_profile
from tests.fakes.small_project import SmallProject

ONE, TWO, THREE = (f"Context/General/{name}.md" for name in ("one", "two", "three"))
ANYWHERE = SearchScope(layers=frozenset(Layer))
NOT_READ = "has not read all documents"


@pytest.fixture
def project(tmp_path: Path) -> Iterator[SmallProject]:
    made = SmallProject(tmp_path)
    made.write(ONE, "# One\n\nThe alarm sounds.\n\n# More\n\nThe heater glows.")
    # A text that stands elsewhere too.
    made.write(TWO, "# One\n\nThe alarm sounds.")
    made.sync()
    yield made
    made.close()


def own_embedder(name: str = "own:1", dimensions: int = 24) -> HashEmbedder:
    return HashEmbedder(identity=name, dimensions=dimensions)


def caches(project: SmallProject) -> OwnVectorCaches:
    return OwnVectorCaches(project.store, project.cache / "own", lambda: project.own)


def retriever(project: SmallProject, own: OwnVectorCaches) -> Retriever:
    return Retriever(project.store, project.vectors(), project.embedder, small_profile(), own=own)


def identities(project: SmallProject) -> list[str]:
    with project.store.reading() as connection:
        rows = connection.execute("SELECT DISTINCT identity FROM embeddings ORDER BY 1")
        return [str(row[0]) for row in rows]


def test_it_reads_what_is_there_and_what_comes(project: SmallProject) -> None:
    project.own = own = own_embedder()
    project.embedder.embedded.clear()
    assert project.sync().embedded == 2
    assert len(own.embedded) == 2
    assert project.embedder.embedded == []
    assert project.store.meta(OWN_EMBEDDER) == "own:1"
    own.embedded.clear()
    project.write(THREE, "# Three\n\nThe pump runs.")
    project.sync()
    assert len(own.embedded) == 1
    assert identities(project) == ["hash:1", "own:1"]
    vectors = caches(project).get(DEFAULT_GRAPH)
    assert vectors is not None
    vectors[1].refresh()
    assert len(vectors[1]) == 4


def test_back_to_the_bundled_one_needs_no_embedding(project: SmallProject) -> None:
    project.own = own_embedder()
    project.sync()
    project.own = None
    project.embedder.embedded.clear()
    assert project.sync().embedded == 0
    assert project.embedder.embedded == []
    assert identities(project) == ["hash:1"]
    assert project.store.meta(OWN_EMBEDDER) == ""
    # And nothing is taken for damage.
    project.open_again()
    assert project.sync().mended == ()


def test_searches_are_the_bundled_ones_until_it_has_read_everything(project: SmallProject) -> None:
    own = caches(project)
    search = retriever(project, own)
    usual = search.search("alarm heater", ANYWHERE, 5)
    project.own = own_embedder()
    early = search.search("alarm heater", ANYWHERE, 5)
    assert [hit.score for hit in early.hits] == [hit.score for hit in usual.hits]
    assert [NOT_READ in warning for warning in early.warnings] == [True]
    assert search.own_embedder == ""
    project.sync()
    project.own.embedded.clear()
    found = search.search("alarm heater", ANYWHERE, 5)
    assert found.warnings == ()
    assert project.own.embedded == ["alarm heater"]
    assert search.own_embedder == "own:1"
    # What profiles judge by stays the bundled model's.
    judged = {hit.chunk_id: hit.similarity for hit in usual.hits}
    assert {hit.chunk_id: hit.similarity for hit in found.hits} == judged
    assert [hit.score for hit in found.hits] != [hit.score for hit in usual.hits]
    search.search("alarm heater", ANYWHERE, 5)
    assert project.own.embedded == ["alarm heater"]
    project.own = None
    assert search.search("alarm heater", ANYWHERE, 5).hits == usual.hits


def test_where_it_fails_the_bundled_one_searches_and_where_that_fails_words_do(
    project: SmallProject,
) -> None:
    project.own = own_embedder()
    project.sync()
    search = retriever(project, caches(project))
    project.embedder.fail()
    found = search.search("alarm", ANYWHERE, 5)
    assert found.warnings == ()
    assert {hit.similarity for hit in found.hits} == {None}
    project.own.fail()
    found = search.search("heater", ANYWHERE, 5)
    assert found.hits
    assert [warning.split(":")[0].split(".")[0] for warning in found.warnings] == [
        "The bundled model searched, not your own",
        "The search was by keywords alone",
    ]


def test_a_document_that_it_fails_on_is_indexed_and_read_the_next_time(
    project: SmallProject,
) -> None:
    project.own = own_embedder()
    project.sync()
    search = retriever(project, caches(project))
    assert search.search("pump", ANYWHERE, 5).warnings == ()
    project.write(THREE, "# Three\n\nThe pump runs.")
    project.own.fail()
    report = project.sync()
    assert report.indexed == 3
    assert report.warnings == ("The file is not there. Install it.",)
    project.own = own_embedder()
    found = search.search("pump", ANYWHERE, 5)
    assert found.hits[0].file == THREE
    assert NOT_READ in found.warnings[0]
    assert project.sync().embedded == 1
    # The others were kept, and the vectors in memory have the new one.
    assert len(project.own.embedded) == 1
    assert search.search("pump", ANYWHERE, 5).warnings == ()


def test_a_sync_that_is_broken_off_keeps_what_was_read(project: SmallProject) -> None:
    project.write(THREE, "# Three\n\nThe pump runs.")
    project.sync()
    project.own = own_embedder()
    job = project.job()
    for event in job:
        if isinstance(event, FileChanged):
            break
    job.close()
    read = len(project.own.embedded)
    assert 0 < read < 3
    assert project.store.meta(OWN_EMBEDDER) == ""
    project.open_again()
    assert project.sync().mended == ()
    assert len(project.own.embedded) == 3


def test_a_damaged_vector_of_its_own_is_found_and_mended(project: SmallProject) -> None:
    project.own = own_embedder()
    project.sync()
    with project.database.transaction() as connection:
        connection.execute(
            "UPDATE embeddings SET vector = zeroblob(length(vector)) WHERE identity = 'own:1' AND "
            "text_hash IN (SELECT text_hash FROM windows WHERE ordinal = 1)"
        )
    project.open_again()
    report = project.sync()
    assert "documents read again: 1" in report.mended[0]
    assert project.store.meta(OWN_EMBEDDER) == "own:1"
    project.open_again()
    assert project.sync().mended == ()


def test_its_vectors_are_saved_beside_the_others_and_go_with_it(project: SmallProject) -> None:
    project.own = own_embedder()
    project.sync()
    own = caches(project)
    made = own.get(DEFAULT_GRAPH)
    assert made is not None
    made[1].refresh()
    own.snapshot()
    file = project.cache / "own" / SNAPSHOT_FILE
    assert file.stat().st_size == 3 * 24 * 4
    again = caches(project).get(DEFAULT_GRAPH)
    assert again is not None
    again[1].refresh()
    # Nothing to write: they are those of the file.
    assert not again[1].snapshot()
    project.own = None
    project.sync()
    own.snapshot()
    assert not file.parent.exists()


def everything(project: SmallProject) -> dict[str, list[tuple[object, ...]]]:
    """The index without its ids: windows, vectors and what names their embedder."""
    queries = {
        "windows": "SELECT file, ordinal, start, end, text_hash FROM windows "
        "JOIN documents USING (document_id) ORDER BY 1, 2",
        "vectors": "SELECT identity, text_hash, vector FROM embeddings ORDER BY 1, 2",
        "units": "SELECT identity, text_hash, vector FROM unit_vectors ORDER BY 1, 2",
        "embedders": "SELECT file, identity, own_identity FROM document_digests "
        "JOIN documents USING (document_id) ORDER BY 1",
        "own": f"SELECT value FROM meta WHERE key = '{OWN_EMBEDDER}' AND value <> ''",
    }
    with project.store.reading() as connection:
        return {name: connection.execute(query).fetchall() for name, query in queries.items()}


def nearest(project: SmallProject, own: OwnVectorCaches) -> list[tuple[str, int, float]]:
    """The windows as a search with the chosen embedder finds them."""
    with project.store.reading():
        made = own.get(DEFAULT_GRAPH)
        embedder, cache = made or (project.embedder, project.vectors())
        cache.refresh()
        found = cache.search(embedder.embed_query("alarm heater"), 99)
        windows = project.store.windows(found)
    files = {one.document_id: one.file for one in project.store.documents()}
    return sorted(
        (files[each.document_id], each.start, round(found[number], 6))
        for number, each in windows.items()
    )


_TEXTS = st.lists(
    st.sampled_from(["alarm sounds", "heater glows", "pump runs", "valve shuts"]),
    min_size=0,
    max_size=3,
)
_EDITS = st.tuples(st.sampled_from([ONE, TWO, THREE]), _TEXTS)
_CHOICES = st.sampled_from([None, ("own:1", 24), ("own:2", 40)])
# A renamed document, a sync that runs to its end, one that is broken off after so many events, one
# in which the embedder fails from some text on, a search, a restart.
_STEPS = st.one_of(
    _EDITS,
    _CHOICES.map(lambda chosen: ("choose", chosen)),
    st.just(("rename", 0)),
    st.just(("sync", 999)),
    st.integers(1, 14).map(lambda events: ("sync", events)),
    st.just(("fail", 0)),
    st.just(("search", 0)),
    st.just(("restart", 0)),
)
_numbers = count()


@settings(max_examples=30, deadline=None)
@given(steps=st.lists(_STEPS, min_size=3, max_size=14), last=_CHOICES)
def test_after_changes_there_and_back_the_index_equals_a_fresh_one(
    tmp_path_factory: pytest.TempPathFactory, steps: list[tuple[str, object]], last: object
) -> None:
    folder = tmp_path_factory.mktemp("switched")
    made = SmallProject(folder)
    own = caches(made)
    for what, value in [*steps, ("choose", last), ("sync", 999)]:
        if isinstance(value, list):
            text = "".join(f"# {one}\n\nThe {one}.\n\n" for one in value)
            made.write(what, text) if text else (made.root / what).unlink(missing_ok=True)
        elif what == "rename" and (made.root / ONE).exists():
            (made.root / ONE).replace(made.root / THREE)
        elif what == "choose":
            made.own = own_embedder(*value) if isinstance(value, tuple) else None
        elif what == "sync" and isinstance(value, int):
            job = made.job()
            for _, _ in zip(range(value), job, strict=False):
                pass
            job.close()
        elif what == "fail" and made.own is not None:
            made.own.fail()
        elif what == "search":
            try:
                nearest(made, own)
            except ModelError:
                continue
        elif what == "restart":
            own.snapshot()
            made.open_again()
            own = caches(made)
        with made.store.reading() as connection:
            numbers = [one.document_id for one in made.store.documents()]
            assert all(is_intact(connection, number) for number in numbers)
    fresh = SmallProject(tmp_path_factory.mktemp("fresh"))
    shutil.copytree(made.root, fresh.root, dirs_exist_ok=True)
    fresh.own = made.own
    fresh.sync()
    assert nearest(made, own) == nearest(fresh, caches(fresh))
    assert everything(made) == everything(fresh)
    made.close()
    fresh.close()
    shutil.rmtree(folder)
