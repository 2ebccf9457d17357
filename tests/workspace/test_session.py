from __future__ import annotations

import errno
import shutil
import sqlite3
import threading
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.documents.model import PageLocator
from phasergun_desktop.embedding.embedder import Vector
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.errors import ModelError, ProjectError, StorageError
from phasergun_desktop.grounding.support_check import load_support_figures
from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.jobs import Event, run_to_end
from phasergun_desktop.planning.looked_at import LookedAt
from phasergun_desktop.planning.model import PointKind
from phasergun_desktop.planning.pool import UnitPools
from phasergun_desktop.planning.prompt_warnings import little_evidence, unstated_parts
from phasergun_desktop.projects.categories import CategoryEntry
from phasergun_desktop.projects.category_edits import edit_categories
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.session import ProjectInUseError, ProjectSession
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus, PlanReady
from tests.documents.sample_files import Page, PdfFile, paragraph_lines
from tests.fakes.warmer_project import TEST_REPORT, make_warmer_project
from tests.workspace.conftest import places_in

PROMPT = "Write the Performance section for [Master Record|Device Name]: alarm behaviour."


def _extract(session: ProjectSession, prompt: str = PROMPT) -> AnswerResult:
    job = session.draft(session.plan(prompt), should_stop=lambda: False, use_model=False)
    return run_to_end(job)


_TEMPERATURE = ("temperature", "temprature")


def test_prompts_are_read_and_saved(session: ProjectSession) -> None:
    files = [prompt.file for prompt in session.prompts()]
    assert files == sorted(files)
    saved = session.save_prompt("Context/Prompt/alarm-level.md", "  State the alarm level.\n\n")
    assert (saved.title, saved.text) == ("Alarm level", "State the alarm level.")
    assert saved in session.prompts()
    # A prompt never lands outside of its folder.
    escaped = session.save_prompt("../../outside.md", "text")
    assert escaped.file == "Context/Prompt/outside.md"
    assert not (session.project.root.parent.parent / "outside.md").exists()


def test_a_new_prompt_does_not_replace_another(session: ProjectSession) -> None:
    before = session.prompts()
    with pytest.raises(ProjectError, match="not replaced") as caught:
        session.save_prompt("Context/Prompt/accuracy.md", "Other words.", is_new=True)
    assert caught.value.remedy
    assert session.prompts() == before
    session.save_prompt("Context/Prompt/of-my-own.md", "Words.", is_new=True)
    assert len(session.prompts()) == len(before) + 1


def test_a_prompt_that_cannot_be_read_does_not_hide_the_others(session: ProjectSession) -> None:
    before = {prompt.file for prompt in session.prompts()}
    folder = session.prompt_folder
    (folder / "a-folder.md").mkdir()
    (folder / "b-gone.md").symlink_to(folder / "nowhere.md")
    (folder / "c-temperature.txt").write_bytes("Wärme über 42 °C beschreiben.".encode("cp1252"))
    found = {prompt.file: prompt.text for prompt in session.prompts()}
    assert set(found) == {*before, "Context/Prompt/c-temperature.txt"}
    assert found["Context/Prompt/c-temperature.txt"] == "Wärme über 42 °C beschreiben."


def test_a_prompt_folder_that_cannot_be_made_is_told(session: ProjectSession) -> None:
    (session.prompt_folder / "blocked").write_text("a file", "utf-8")
    with pytest.raises(StorageError):
        session.save_prompt("Context/Prompt/blocked/new.md", "Words.")


def test_a_source_is_what_was_indexed(session: ProjectSession) -> None:
    source = session.source(TEST_REPORT)
    assert source.record.file == TEST_REPORT
    assert "42.5 °C" in source.document.text
    with pytest.raises(ProjectError):
        session.source("Context/Ongoing/absent.md")


def test_words_of_any_format_occur_as_they_are_written(session: ProjectSession) -> None:
    there = frozenset({"Calmera", "cassette", "Haemolysis", "Bubble", "predicate"})
    assert session.occurring(there | {"Calmeras", "cassete", "measureing", "bubble"}) == there


def test_nothing_is_stated_on_a_device_that_no_document_names(session: ProjectSession) -> None:
    plan = session.plan("Describe the AeroMist N3 nebulizer: alarm temperature.\n\n- weight")
    assert not any(need.selected for need in plan.needs)
    told = next(each for each in plan.problems if each.code == "unknown_device")
    assert "“AeroMist N3”" in told.message
    assert told.remedy
    assert plan.tokens == 0
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    assert result.status is AnswerStatus.ABSTAINED
    # In one need among others it is a gap there alone.
    plan = session.plan("State the temperature of the alarm.\n\nCompare it with the AeroMist N3.")
    assert [bool(need.selected) for need in plan.needs] == [True, False]


def test_a_misspelt_word_is_looked_for_as_the_documents_write_it(session: ProjectSession) -> None:
    right, wrong = (session.plan(f"State the {word} of the alarm.") for word in _TEMPERATURE)
    stated = [[unit.place for need in p.needs for unit in need.selected] for p in (right, wrong)]
    assert stated[0] == stated[1] != []
    assert wrong.needs[0].need.quote == "State the temprature of the alarm"
    told = [each.message for each in wrong.problems if each.code == "misspelt_word"]
    assert told == ["No document has “temprature”; looked for “temperature”."]
    assert not any(each.code == "misspelt_word" for each in right.problems)
    # Of a prompt in another language every word would be one.
    foreign = session.plan("Nenne die Temperaturen und Grenzen des Alarms der Pumpe.")
    assert not any(each.code == "misspelt_word" for each in foreign.problems)


def test_without_an_answer_the_nearest_passages_are_shown(session: ProjectSession) -> None:
    def asked(question: str) -> AnswerResult:
        plan = session.plan(question, asks=True)
        return run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))

    near = asked("What is the price of the over-temperature alarm?")
    assert near.status is AnswerStatus.ABSTAINED
    said, _, shown = near.text.partition("The passages that come nearest:")
    assert said.startswith("Not in these documents: ")
    quoted = [line for line in shown.splitlines() if line.startswith("- “")]
    assert 0 < len(quoted) <= 3
    assert any("alarm" in line and line.endswith(f"({TEST_REPORT})") for line in quoted)
    assert "would help" in near.text
    far = asked("What does the AeroMist N3 nebulizer weigh?")
    assert far.status is AnswerStatus.ABSTAINED
    assert "nearest" not in far.text
    assert "would help" in far.text


PATHWAY = "Which regulatory pathway is chosen, and why was a Special 510(k) rejected?"


def _with_pathway(session: ProjectSession, *files: str) -> None:
    """Add a log that is searched, and ``files`` that are not and tell the pathway."""
    entries = (f"On day {day} the bath held {30 + day % 7} °C for {day} min." for day in range(120))
    log = "# Bath log\n\n" + "\n\n".join(entries)
    said = (
        "# Regulatory strategy\n\nThe regulatory pathway is a Traditional 510(k). A Special 510(k) "
        "was rejected as the pathway, since the predicate is of another company.\n\nLEVEL: B\n"
    )
    for file, text in (("Context/Ongoing/bath-log.md", log), *((file, said) for file in files)):
        path = session.project.root / file
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    run_to_end(session.sync())


def test_a_document_that_is_only_read_when_named_is_hinted_at(session: ProjectSession) -> None:
    strategy = "Context/Regulatory Strategy/RS-7-Strategy.md"
    # By its name it comes before the other one, which says the same.
    _with_pathway(session, strategy, strategy.replace("7-Strategy", "6-Strategy_SUPERSEDED"))
    plan = session.plan(PATHWAY)
    [told] = [each for each in plan.problems if each.code == "unread_document"]
    assert told.message.startswith("RS-7-Strategy.md is only read where a prompt names it")
    assert "from RS-7-Strategy.md" in told.remedy
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    assert result.status is AnswerStatus.ABSTAINED
    assert told.message in result.text
    assert "would help" not in result.text
    plan = session.plan(PATHWAY.replace("?", " from RS-7-Strategy.md?"))
    assert "unread_document" not in {each.code for each in plan.problems}
    stated = [unit.text for need in plan.needs for unit in need.selected]
    assert "The regulatory pathway is a Traditional 510(k)." in stated
    plan = session.plan("State the temperature at which the alarm sounds.")
    assert "unread_document" not in {each.code for each in plan.problems}


def test_a_document_that_gives_a_value_is_not_hinted_at(session: ProjectSession) -> None:
    _with_pathway(session, "Bootstrap/DDP-Phase1.md")
    [told] = [each for each in session.plan(PATHWAY).problems if each.code == "unread_document"]
    assert told.message.startswith("DDP-Phase1.md is only read where a prompt names it")
    plan = session.plan(PATHWAY.replace(" is chosen", " is chosen at [Doc|DDP-Phase1|Level]"))
    assert [each.value.text for each in plan.references if each.value is not None] == ["B"]
    assert "unread_document" not in {each.code for each in plan.problems}


def test_little_evidence_is_told(session: ProjectSession) -> None:
    plan = session.plan("State the temperature of the alarm.")
    assert "little_evidence" not in {each.code for each in plan.problems}
    doubtful = replace(plan.needs[0], chance=0.3)
    assert [each.code for each in little_evidence((doubtful,), ())] == ["little_evidence"]
    assert little_evidence((doubtful, replace(doubtful, chance=0.6)), ()) == ()
    assert little_evidence((replace(doubtful, units=()),), ()) == ()
    stated = replace(plan.points[0], kind=PointKind.COMPARE)
    assert little_evidence((doubtful,), (stated,)) == ()


def test_a_part_of_which_nothing_is_stated_is_named(session: ProjectSession) -> None:
    stated = session.plan("State the temperature of the alarm.").needs[0]
    assert stated.selected
    left = replace(stated, units=(), may_be_stated=True)
    [told] = unstated_parts((stated, left))
    assert told.message == (
        "Nothing of its own is stated for “temperature of the alarm”: it may stand under another "
        "point."
    )
    assert unstated_parts((stated, replace(left, may_be_stated=False))) == ()  # is a gap
    assert unstated_parts((left,)) == ()


def test_a_plan_warns_of_a_part_that_it_cannot_tell_to_be_missing(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chances(_pools: UnitPools, looked: LookedAt, *_: object) -> dict[str, float]:
        return {need_id: 0.001 if at else 0.9 for at, need_id in enumerate(looked.matches)}

    monkeypatch.setattr(UnitPools, "_chances", chances)
    monkeypatch.setattr("phasergun_desktop.planning.pool.told_gaps", lambda *_: frozenset())
    prompt = "State the temperature of the alarm. State the colour of the saddle."
    told = [each for each in session.plan(prompt).problems if each.code == "unstated_part"]
    assert ["“colour of the saddle”" in each.message for each in told] == [True]
    # A question's answer may stand under another part of it.
    asked = session.plan(prompt, asks=True).problems
    assert "unstated_part" not in {each.code for each in asked}


def test_a_page_of_a_pdf_is_cited_and_shown(session: ProjectSession) -> None:
    lines = ["The bubble detector was verified with 200 air bubbles of 50 microlitres each."]
    path = session.project.root / "Context/Ongoing/TR-101.pdf"
    PdfFile([Page(paragraph_lines(["Cover page."])), Page(paragraph_lines(lines))]).save(path)
    run_to_end(session.sync())
    result = _extract(session, "With how many air bubbles was the bubble detector verified?")
    note = next(note for note in result.footnotes if note.file.endswith("TR-101.pdf"))
    assert isinstance(note.locator, PageLocator)
    assert note.locator.page == 2
    assert note.locator.rects
    image = session.page_image(note.file, note.locator.page, 1.0)
    assert image.png.startswith(b"\x89PNG")
    assert (image.width, image.height) == (612, 792)


def test_a_kept_draft_comes_back_and_knows_a_changed_source(session: ProjectSession) -> None:
    result = _extract(session)
    kept = session.keep(result, "Context/Prompt/performance.md")
    assert session.drafts.latest() == kept
    assert kept.title == "Performance"
    assert session.changed_sources(kept) == ()
    path = session.project.root / TEST_REPORT
    path.write_text(path.read_text("utf-8").replace("42.5", "41.0"), encoding="utf-8")
    run_to_end(session.sync())
    changed = {note.number for note in kept.footnotes if note.file == TEST_REPORT}
    assert changed
    assert {one.note.number for one in session.changed_sources(kept)} == changed
    assert [entry.activity.kind for entry in session.activity.entries(2)] == ["index", "draft"]


def test_the_title_of_a_draft_without_a_section(session: ProjectSession) -> None:
    result = _extract(session, "At which temperature does the alarm sound?")
    assert session.keep(result, "Context/Prompt/alarm-level.md").title == "Alarm level"
    assert session.keep(result, "").title.startswith("At which temperature")


def test_a_blocked_plan_needs_no_model(session: ProjectSession) -> None:
    events: list[Event] = []
    plan = session.plan("Describe [Context|Initiation|absent.docx].")
    assert plan.is_blocked
    result = run_to_end(session.draft(plan, should_stop=lambda: False), events.append)
    assert result.status is AnswerStatus.BLOCKED
    assert [type(event) for event in events] == [PlanReady]


def test_without_a_model_there_is_one_sentence(tmp_path: Path, session: ProjectSession) -> None:
    missing = str(tmp_path / "absent.gguf")
    home = places_in(tmp_path / "home", tmp_path / "no-models")
    with (
        closing(build_application(home, model=missing)) as application,
        closing(application.workspace.open(session.project.root)) as other,
    ):
        assert "absent.gguf" in other.model_status()
        assert other.model_name() == "absent"
        run_to_end(other.warm())
        with pytest.raises(ModelError):
            run_to_end(other.draft(other.plan(PROMPT), should_stop=lambda: False))
        assert _extract(other).status is AnswerStatus.COMPLETE
    with closing(build_application(home)) as application:
        opened = application.workspace.open(session.project.root)
        with closing(opened):
            assert "models fetch" in opened.model_status()


def test_what_judges_answers_is_loaded_before_the_first_of_them(session: ProjectSession) -> None:
    load_support_figures.cache_clear()
    run_to_end(session.warm())
    assert load_support_figures.cache_info().misses == 1
    assert _extract(session).status is AnswerStatus.COMPLETE
    assert load_support_figures.cache_info().misses == 1


def test_only_one_instance_writes_the_index(
    tmp_path: Path, session: ProjectSession, models_path: Path
) -> None:
    with (
        closing(build_application(places_in(tmp_path / "home", models_path))) as application,
        closing(application.workspace.open(session.project.root)) as other,
    ):
        with pytest.raises(ProjectInUseError):
            run_to_end(other.sync())
        assert other.search("alarm").hits
        assert other.files() == session.files()


def test_projects_do_not_see_one_another(application: Application, tmp_path: Path) -> None:
    roots = [tmp_path / name for name in ("one", "two")]
    for root in roots:
        root.mkdir()
        (root / f"{root.name}.md").write_text(f"# {root.name}\n\nThe alarm of {root.name}.\n")
        with closing(application.workspace.open(root)) as opened:
            run_to_end(opened.sync())
            assert [hit.file for hit in opened.search("alarm").hits] == [f"{root.name}.md"]
    known = application.workspace.known()
    assert [each.name for each in known] == ["two", "one"]
    assert len({each.project_id for each in known}) == 2


def test_a_new_project_has_its_folders_and_can_be_forgotten(
    application: Application, tmp_path: Path
) -> None:
    root = tmp_path / "New device"
    workspace = application.workspace
    with closing(workspace.create(root)) as opened:
        assert (root / "Procedures" / "SOPs").is_dir()
        assert opened.files_now() == ()
        identity = opened.project.project_id
    (root / "Context" / "note.md").write_text("x")
    with pytest.raises(ProjectError):
        workspace.create(root)
    workspace.forget(root)
    assert workspace.known() == ()
    assert not (tmp_path / "home" / "cache" / "projects" / identity).exists()
    assert (tmp_path / "home" / "data" / "projects" / identity).is_dir()
    assert (root / "Context" / "note.md").is_file()


def test_projects_share_vectors_until_they_are_forgotten(
    application: Application, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two = (make_warmer_project(tmp_path / name) for name in ("one", "two"))
    read: list[str] = []
    embed = OnnxEmbedder.embed

    def counted(embedder: OnnxEmbedder, texts: Sequence[str]) -> Vector:
        read.extend(texts)
        return embed(embedder, texts)

    monkeypatch.setattr(OnnxEmbedder, "embed", counted)
    for root, reads in ((one, True), (two, False)):
        read.clear()
        with closing(application.workspace.open(root)) as session:
            run_to_end(session.sync())
            assert bool(read) == reads
            assert session.search("alarm", limit=1).hits
    application.workspace.forget(one)
    application.workspace.forget(two)
    read.clear()
    with closing(application.workspace.open(two)) as session:
        run_to_end(session.sync())
    assert read
    assert application.workspace.clear_shared_vectors() > 0


def test_a_folder_that_was_moved_has_its_drafts_again(
    application: Application, tmp_path: Path
) -> None:
    old, new = tmp_path / "old", tmp_path / "other-disk" / "new"
    with closing(application.workspace.open(make_warmer_project(old))) as session:
        run_to_end(session.sync())
        kept = session.keep(_extract(session), "Context/Prompt/performance.md")
    assert application.workspace.moved_from(old) == ()
    # As from one disk to another: the folder is another one, its files are the same.
    shutil.copytree(old, new)
    assert application.workspace.moved_from(new) == ()
    shutil.rmtree(old)
    (found,) = application.workspace.moved_from(new)
    assert found.root == old
    with closing(application.workspace.open_moved(old, new)) as session:
        assert session.project.root == new
        assert session.drafts.latest() == kept
        assert session.search("alarm", limit=1).hits
    assert application.workspace.moved_from(new) == ()


def test_a_prompt_is_planned_while_documents_come(
    session: ProjectSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = session.plan(PROMPT)
    embed, is_grown = OnnxEmbedder.embed, threading.Event()

    def grow() -> None:
        text = "".join(f"The alarm of unit {n} sounds after {n} s.\n\n" for n in range(40))
        (session.project.root / "Context" / "Ongoing" / "AA-Alarm.md").write_text(text)
        run_to_end(session.sync())

    def embed_late(self: OnnxEmbedder, texts: Sequence[str]) -> object:
        """In the middle of a plan, a document with the words of the prompt is read."""
        if not is_grown.is_set():
            is_grown.set()
            other = threading.Thread(target=grow)
            other.start()
            other.join()
        return embed(self, texts)

    monkeypatch.setattr(OnnxEmbedder, "embed", embed_late)
    during = session.plan(PROMPT)
    assert [one.text for one in during.passages] == [one.text for one in before.passages]
    # The next plan knows it.
    assert "AA-Alarm.md" in {one.file.rpartition("/")[2] for one in session.search("alarm").hits}


def test_the_sample_is_a_copy_of_the_users_own(application: Application) -> None:
    sample = application.workspace.sample()
    assert (sample / "Context" / "Prompt").is_dir()
    (sample / "mine.md").write_text("x")
    assert application.workspace.sample() == sample
    assert (sample / "mine.md").is_file()


def test_chosen_settings_are_kept(application: Application) -> None:
    settings = application.workspace.settings.load()
    changed = replace(settings, generation=replace(settings.generation, threads=1))
    application.workspace.settings.change(lambda _: changed)
    assert application.workspace.settings.load() == changed


def test_half_a_sample_does_not_pass_for_the_whole(
    application: Application, monkeypatch: pytest.MonkeyPatch
) -> None:
    def stop(source: Path, target: Path) -> None:
        (Path(target) / "Context").mkdir(parents=True)
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as full:
        full.setattr(shutil, "copytree", stop)
        with pytest.raises(StorageError):
            application.workspace.sample()
    sample = application.workspace.sample()
    assert (sample / "Context" / "Prompt").is_dir()
    assert [each.name for each in sample.parent.iterdir() if "ample" in each.name] == [sample.name]


def test_what_the_user_made_outlives_a_power_cut(session: ProjectSession) -> None:
    """Level 2 is FULL: a draft that is said to be saved has reached the disk itself."""
    for kept in (session.drafts, session.activity):
        connection = kept._database.connection()
        assert connection.execute("PRAGMA synchronous").fetchone() == (2,)


def test_a_prompt_is_renamed_and_deleted_in_its_folder_alone(session: ProjectSession) -> None:
    file = "Context/Prompt/accuracy.md"
    text = next(one.text for one in session.prompts() if one.file == file)
    made = session.rename_prompt(file, "  Accuracy: of 2 ")
    assert (made.file, made.text) == ("Context/Prompt/Accuracy-of-2.md", text)
    assert file not in {one.file for one in session.prompts()}
    # Another case is the same prompt; another prompt is not replaced.
    assert session.rename_prompt(made.file, "accuracy of 2").file.endswith("accuracy-of-2.md")
    session.save_prompt("Context/Prompt/other.md", "Other.")
    with pytest.raises(ProjectError, match="not replaced"):
        session.rename_prompt("Context/Prompt/other.md", "accuracy of 2")
    with pytest.raises(ProjectError, match="letters or numbers"):
        session.rename_prompt("Context/Prompt/other.md", "…")
    session.delete_prompt("Context/Prompt/other.md")
    assert not (session.prompt_folder / "other.md").exists()
    record = next(one.file for one in session.files() if one.file.endswith(".docx"))
    for outside in ("../../etc/passwd", record, "Context/Prompt/absent.md", "Context/Prompt"):
        with pytest.raises(ProjectError, match="not among the prompts"):
            session.delete_prompt(outside)
    assert (session.project.root / record).exists()


def test_categories_are_written_and_hold_after_the_next_sync(session: ProjectSession) -> None:
    sheet = session.category_sheet()
    file = sheet.files[0]
    entry = CategoryEntry("training", "plan", ("a", "b"), "confidential")
    made = edit_categories(sheet.text, {file: entry})
    session.save_categories(sheet.text, made.text)
    run_to_end(session.sync())
    again = session.category_sheet()
    assert again.categories.entry(file) == entry
    assert dict(again.taken)[file] == entry
    # It was changed since: nothing is written over it.
    with pytest.raises(ProjectError, match="changed by another program"):
        session.save_categories(sheet.text, "documents:\n")
    assert session.category_sheet().text == made.text


def test_no_categories_in_a_folder_that_they_would_change(
    application: Application, tmp_path: Path
) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "notes.md").write_text("Notes.", "utf-8")
    with (
        closing(application.workspace.open(tmp_path / "plain")) as plain,
        pytest.raises(ProjectError, match="no Procedures, Context or Bootstrap"),
    ):
        plain.category_sheet()


def test_a_prompt_leaves_the_documents_of_a_plain_folder_indexed(
    application: Application, tmp_path: Path
) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "notes.md").write_text("The alarm sounds at 42 °C.", "utf-8")
    with closing(application.workspace.open(tmp_path / "plain")) as plain:
        saved = plain.save_prompt("Context/Prompt/mine.md", "Describe the alarm.")
        run_to_end(plain.sync())
        assert [one.file for one in plain.files() if one.layer is not None] == ["notes.md"]
        assert "42 °C" in plain.source("notes.md").document.text
        assert plain.prompts() == (saved,)


def test_what_can_be_named_is_what_there_is(session: ProjectSession) -> None:
    names = session.reference_names()
    texts = {one.text for one in names.brackets}
    assert "[Master Record|Device Name]" in texts
    for one in names.brackets[:12]:
        plan = session.plan(f"Describe the alarm with {one.text}.")
        assert not plan.is_blocked, one.text
    (session.project.root / TEST_REPORT).unlink()
    run_to_end(session.sync())
    name = Path(TEST_REPORT).name
    assert any(name in text for text in texts)
    assert not any(name in one.text for one in session.reference_names().brackets)


def test_damage_that_a_search_meets_is_mended_by_who_watches(
    application: Application, session: ProjectSession
) -> None:
    root = session.project.root
    path = session._parts.index_folder / INDEX_FILE
    session.close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE contents SET text = replace(text, '78 dB', '79 dB')")
        connection.commit()
    dirty = threading.Event()
    with closing(application.workspace.open(root)) as opened:
        stop = opened.watch(dirty.set)
        for read in (lambda: opened.search("78 dB"), lambda: opened.plan(PROMPT)):
            with pytest.raises(StorageError, match="damaged"):
                read()
        assert dirty.is_set()
        report = run_to_end(opened.sync())
        assert "documents read again: 1" in report.warnings[0]
        assert "78 dB" in opened.source(TEST_REPORT).document.text
        assert any("78 dB" in hit.text for hit in opened.search("78 dB").hits)
        stop()
