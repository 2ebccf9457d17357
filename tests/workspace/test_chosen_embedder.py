"""An embedder of the user's own searches a project, with real models, as the settings say."""

from __future__ import annotations

import re
import shutil
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.conversations.model import Question
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.settings.model import SearchEmbedding
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.tiny_models import make_embedder
from tests.fakes.warmer_project import TEST_REPORT

ALARM = "At which temperature does the over-temperature alarm sound?"
BY_BUNDLED = "The bundled model searched, not your own."

Use = Callable[..., None]


@pytest.fixture
def use(application: Application) -> Use:
    """Choose what searches; the bundled model without a path."""
    store = application.workspace.settings

    def use(path: Path | None = None) -> None:
        chosen = SearchEmbedding(path is not None, str(path or ""))
        store.change(lambda before: replace(before, embedding=chosen))

    return use


def test_a_copy_of_the_bundled_model_finds_what_that_finds(
    session: ProjectSession, use: Use, tmp_path: Path
) -> None:
    usual = session.search(ALARM)
    models = resources_path() / "models"
    for name, copy in (("all-MiniLM-L6-v2-int8.onnx", "mine.onnx"), ("tokenizer.json",) * 2):
        shutil.copyfile(models / name, tmp_path / copy)
    (tmp_path / "sentence_bert_config.json").write_text('{"max_seq_length": 256}', "utf-8")
    use(tmp_path / "mine.onnx")
    early = session.search(ALARM)
    assert early.hits == usual.hits
    assert [BY_BUNDLED in warning for warning in early.warnings] == [True]
    assert run_to_end(session.sync()).embedded > 5
    found = session.search(ALARM)
    assert found.warnings == ()
    scores = {hit.chunk_id: hit.score for hit in usual.hits}
    assert {hit.chunk_id: hit.score for hit in found.hits} == pytest.approx(scores, abs=1e-5)
    assert found.hits[0].file == TEST_REPORT
    assert "searches with mine:" in session.versions_in_words()
    # What chooses and judges decides answers too.
    assert re.search(r"; models [0-9a-f]{16};", session.versions_in_words())


def test_a_folder_with_vectors_of_another_length_searches_and_goes_again(
    application: Application, session: ProjectSession, use: Use, tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")
    usual = session.search(ALARM)
    answered = run_to_end(session.ask(Question(ALARM), should_stop=lambda: False))
    folder = make_embedder(tmp_path / "tiny", dimensions=48)
    use(folder)
    report = run_to_end(session.sync())
    assert (report.warnings, report.failed) == ((), 0)
    found = session.search(ALARM)
    assert found.warnings == ()
    assert [hit.score for hit in found.hits] != [hit.score for hit in usual.hits]
    # What abstention and confidence go by is that of the bundled model.
    judged = {hit.chunk_id: hit.similarity for hit in usual.hits}
    both = [hit for hit in found.hits if hit.chunk_id in judged]
    assert both
    assert all(hit.similarity == judged[hit.chunk_id] for hit in both)
    turn = run_to_end(session.ask(Question(ALARM), should_stop=lambda: False))
    assert turn.text == answered.text
    assert turn.warnings == answered.warnings
    # Units and needs are the bundled model's.
    plan = session.plan(ALARM, asks=True)
    use()
    now = session.plan(ALARM, asks=True).needs
    assert [(need.need, need.units) for need in now] == [
        (need.need, need.units) for need in plan.needs
    ]
    again = session.search(ALARM)
    assert (again.hits, again.warnings) == (usual.hits, ())
    assert run_to_end(session.sync()).embedded == 0
    # The next process finds it as it was left.
    use(folder)
    run_to_end(session.sync())
    session.close()
    with closing(application.workspace.open(session.project.root)) as opened:
        assert opened.search(ALARM).hits == found.hits


def test_one_that_cannot_be_loaded_gives_way_and_its_vectors_wait(
    session: ProjectSession, use: Use, tmp_path: Path
) -> None:
    pytest.importorskip("sentence_transformers", reason="the extra custom-models is not installed")
    usual = session.search(ALARM)
    file = make_embedder(tmp_path / "tiny", onnx=True)
    use(file)
    run_to_end(session.sync())
    file.rename(file.with_suffix(".away"))
    # As the next process does.
    use()
    session.search(ALARM)
    use(file)
    found = session.search(ALARM)
    assert found.hits == usual.hits
    assert [warning.startswith(BY_BUNDLED) for warning in found.warnings] == [True]
    assert "Edit › Settings" in found.warnings[0]
    note = session.project.root / "Context/General/Note.md"
    note.write_text("# Note\n\nThe alarm is tested on Mondays.\n", "utf-8")
    report = run_to_end(session.sync())
    assert report.changed == 1
    assert any("model.onnx is not an embedder" in warning for warning in report.warnings)
    file.with_suffix(".away").rename(file)
    # The vectors of the others have waited.
    assert run_to_end(session.sync()).embedded == 1
    assert session.search(ALARM).warnings == ()
