"""A kept draft keeps its proof: it is checked again, rewritten, and follows its sources."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from phasergun_desktop.drafts.kept_plan import kept_plan
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.drafts.source_changes import SourceState
from phasergun_desktop.grounding.model import DraftSentence, ProblemCode, Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.draft_proof import (
    NO_PASSAGES,
    SOURCE_NOT_AS_IT_WAS,
    STAYS_HERE,
)
from phasergun_desktop.workspace.rewritten_groups import Regeneration
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.warmer_project import TEST_REPORT

PROMPT = "Write the Performance section for [Master Record|Device Name]: alarm behaviour, 50 words."
ALARM = "The over-temperature alarm sounds at 42.5 °C with 78 dB at a distance of one metre."

MORE = (
    "Silencing it lasts two minutes.",
    "A red lamp flashes meanwhile.",
    "The buzzer has a frequency of 2 kHz.",
    "The log keeps the last 200 entries.",
    "Its cause is shown on the display.",
    "The nurse call output closes a relay.",
)


@pytest.fixture
def draft(session: ProjectSession) -> Draft:
    """A draft of verbatim spans, kept; the report has more to say than goes into it."""
    change(session, ALARM, "\n\n".join((ALARM, *MORE)))
    job = session.draft(session.plan(PROMPT), should_stop=lambda: False, use_model=False)
    return session.keep(run_to_end(job), "Context/Prompt/performance.md")


def place_of(draft: Draft, text: str) -> int:
    return next(i for i, unit in enumerate(draft.units) if text in unit.text)


def with_text(draft: Draft, index: int, text: str, **more: object) -> Draft:
    units = list(draft.units)
    units[index] = replace(units[index], text=text, **more)  # type: ignore[arg-type]
    return replace(draft, units=tuple(units))


def change(session: ProjectSession, old: str, new: str, file: str = TEST_REPORT) -> None:
    path = session.project.root / file
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")
    run_to_end(session.sync())


def rewrite(session: ProjectSession, draft: Draft, indices: Sequence[int]) -> Regeneration:
    job = session.regenerate(draft, indices, should_stop=lambda: False, use_model=False)
    return run_to_end(job)


def test_a_statement_of_the_writers_own_is_compared_with_the_project(
    session: ProjectSession, draft: Draft
) -> None:
    texts = (
        ALARM,
        "The over-temperature alarm sounds at 43.9 °C.",
        "We are proud of it.",
        "The alarms are:",
        "[ask Anna about it]",
    )
    own = tuple(DraftSentence(text, needs_check=True, is_own=True) for text in texts)
    cited = next(unit for unit in draft.units if unit.citations)
    units = (*own, replace(own[0], citations=cited.citations[:1]))
    found = session.check(replace(draft, units=units), range(len(units)))
    stated, wrong, free, lead_in, note, with_source = found
    assert stated.support is Support.PARTLY
    assert "No source yet" in stated.problems[0].message
    assert "states it" in stated.problems[0].message
    assert [one.code for one in wrong.problems] == [
        ProblemCode.NO_SOURCE,
        ProblemCode.VALUE_MISSING,
    ]
    assert "43.9" in wrong.problems[1].value
    assert "42.5 °C" in wrong.problems[0].message
    assert [one.code for one in free.problems] == [ProblemCode.NO_SOURCE]
    assert free.support is Support.UNSUPPORTED
    assert (lead_in.problems, note.problems) == ((), ())
    assert not any("No source yet" in one.message for one in with_source.problems)
    assert not any(one.needs_check for one in found)


def test_the_kept_plan_has_every_passage_with_its_hash(
    session: ProjectSession, draft: Draft
) -> None:
    stored = json.loads(draft.plan_json)
    for passage in stored["passages"]:
        source = session.source(passage["file"])
        assert passage["sha256"] == source.record.sha256
        assert source.document.text[passage["start"] : passage["end"]] == passage["text"]
        assert passage["chunk_id"]
        assert len(passage["text_sha256"]) == 64
    assert len(stored["prompt_sha256"]) == 64
    plan = kept_plan(draft.plan_json)
    unit = draft.units[place_of(draft, ALARM)]
    point = plan.point(unit.point)
    assert point is not None
    assert any(ALARM in passage.text for passage in point.passages)
    assert "Calmera" in plan.given
    assert draft.confidence_criteria
    assert session.drafts.load(draft.draft_id) == draft


@pytest.mark.parametrize(
    ("text", "support", "codes"),
    [
        (ALARM, Support.SUPPORTED, []),
        ("The alarm sounds at 42.5 °C with 78 dB at one metre.", None, []),
        (ALARM.replace("42.5", "45.2"), None, [ProblemCode.VALUE_MISSING]),
        ("Visitors praise the museum for its garden.", Support.UNSUPPORTED, None),
    ],
)
def test_changed_words_are_checked_again(
    session: ProjectSession,
    draft: Draft,
    text: str,
    support: Support | None,
    codes: list[ProblemCode] | None,
) -> None:
    index = place_of(draft, ALARM)
    edited = with_text(draft, index, text, needs_check=True, support=Support.SUPPORTED)
    (unit,) = session.check(edited, [index])
    assert (unit.text, unit.needs_check) == (text, False)
    assert unit.citations == edited.units[index].citations
    if support is not None:
        assert unit.support is support
    if codes == [ProblemCode.VALUE_MISSING]:
        assert unit.support in (Support.PARTLY, Support.CONTRADICTED)
        assert "45.2 °C" in [problem.value for problem in unit.problems]
    elif codes is not None:
        assert unit.problems == ()


def test_a_sentence_whose_footnote_does_not_state_it_says_who_does(
    session: ProjectSession, draft: Draft
) -> None:
    index = place_of(draft, ALARM)
    edited = with_text(draft, index, ALARM, citations=())
    (unit,) = session.check(edited, [index])
    assert unit.support is Support.PARTLY
    assert "has no footnote" in unit.problems[0].message
    assert "TR-100" in unit.problems[0].message


def test_changed_words_without_a_source_to_compare_them_with_are_not_supported(
    session: ProjectSession, draft: Draft
) -> None:
    index = place_of(draft, ALARM)
    change(session, ALARM, "The alarm is described elsewhere.")
    words = "The alarm sounds at 12 °C."
    edited = with_text(draft, index, words, needs_check=True, support=Support.SUPPORTED)
    (unit,) = session.check(edited, [index])
    assert (unit.support, unit.needs_check) == (Support.UNSUPPORTED, False)
    assert [problem.code for problem in unit.problems] == [ProblemCode.NO_SOURCE]
    assert unit.problems[0].message == SOURCE_NOT_AS_IT_WAS
    # Words that were checked when the source was as it was keep what was found then.
    assert session.check(draft, [index]) == (draft.units[index],)


@pytest.mark.parametrize(("value", "is_stated"), [("78 dB", True), ("87 dB", False)])
def test_a_value_in_a_cell_without_a_footnote_is_compared(
    session: ProjectSession, draft: Draft, value: str, is_stated: bool
) -> None:
    index = place_of(draft, ALARM)
    numbers = draft.units[index].citations
    cells = ("Alarm", ALARM, value)
    row = DraftSentence(
        " | ".join(cells),
        UnitKind.TABLE_ROW,
        numbers,
        cells=cells,
        citations_per_cell=((), numbers, ()),
        needs_check=True,
    )
    (unit,) = session.check(replace(draft, units=(row,)), [0])
    missing = {problem.value for problem in unit.problems if problem.value}
    assert missing == (set() if is_stated else {value})


def test_what_states_nothing_and_what_is_the_writers_own_is_left(
    session: ProjectSession, draft: Draft
) -> None:
    own = DraftSentence("My own words about nothing.", needs_check=True)
    todo = DraftSentence("[TODO: x]", UnitKind.TODO, support=Support.UNSUPPORTED)
    more = replace(draft, units=(own, todo))
    assert session.check(more, [0, 1]) == (replace(own, needs_check=False), todo)


def test_the_next_best_span_takes_the_place_of_a_sentence(
    session: ProjectSession, draft: Draft
) -> None:
    index = place_of(draft, ALARM)
    made = rewrite(session, draft, [index])
    (group,) = made.groups
    assert group.indices == (index,)
    assert group.units
    texts = [unit.text for unit in made.draft.units]
    assert ALARM not in texts
    others = [unit.text for i, unit in enumerate(draft.units) if i != index]
    assert [text for text in texts if text in others] == others
    used = {number for unit in made.draft.units for number in unit.citations}
    assert used == {note.number for note in made.draft.footnotes if note.kind != "standard"}
    assert sorted(used) == list(range(1, len(used) + 1))
    for note in made.draft.footnotes:
        if note.file:
            source = session.source(note.file).document
            assert source.text[note.start : note.end] == note.quote
    assert [edit.kind for edit in made.draft.edits] == [EditKind.REGENERATED]
    assert made.draft.edits[0].before == ALARM
    whys = [version.why for version in session.versions(draft.draft_id)]
    # The first version is the draft as it was before.
    assert whys == ["A part was written again", "Written"]


def test_what_is_not_from_the_sources_is_not_rewritten(
    session: ProjectSession, draft: Draft
) -> None:
    own = replace(draft, units=(*draft.units, DraftSentence("Mine alone.")))
    made = rewrite(session, own, [len(draft.units)])
    assert [group.why_kept for group in made.groups] == [NO_PASSAGES]
    assert made.draft.units == own.units
    heading = next(i for i, unit in enumerate(draft.units) if unit.kind is UnitKind.HEADING)
    assert rewrite(session, draft, [heading]).groups == ()


def test_what_stays_on_this_machine_is_not_shown_to_a_remote_model(
    session: ProjectSession, draft: Draft
) -> None:
    class RemoteModel(ScriptedModel):
        is_remote = True

    model = RemoteModel([ALARM, ALARM])
    index = place_of(draft, ALARM)
    proof = session._proof()
    withheld = frozenset({TEST_REPORT})
    job = proof.regenerate(draft, [index], model, lambda: False, withheld)
    assert [group.why_kept for group in run_to_end(job).groups] == [STAYS_HERE]
    assert model.prompts == []
    # A gap is written from what may be shown.
    gap = with_text(draft, index, "[TODO: x]", kind=UnitKind.TODO, citations=())
    run_to_end(proof.regenerate(gap, [index], model, lambda: False, withheld))
    assert all("42.5" not in prompt.shared for prompt in model.prompts)


class AnotherRemoteModel(ScriptedModel):
    is_remote = True


def kept_here(session: ProjectSession, draft: Draft, withheld: str) -> bool:
    """Whether the sentence of the alarm is not written again, and nothing is sent."""
    model = AnotherRemoteModel([ALARM, ALARM])
    index = place_of(draft, ALARM)
    files = frozenset({withheld})
    job = session._proof().regenerate(draft, [index], model, lambda: False, files)
    whys = [group.why_kept for group in run_to_end(job).groups]
    return whys == [STAYS_HERE] and model.prompts == []


def test_a_value_of_a_withheld_file_in_the_instruction_stays_here(
    session: ProjectSession, draft: Draft
) -> None:
    assert kept_here(session, draft, "Context/Calmera-Master-Record.docx")
    assert not kept_here(session, draft, "Context/Initiation/Device-Description.txt")


def test_a_withheld_file_that_was_renamed_since_it_was_cited_stays_here(
    session: ProjectSession, draft: Draft
) -> None:
    renamed = "Context/Ongoing/TR-100-rev-B.md"
    root = session.project.root
    (root / TEST_REPORT).rename(root / renamed)
    run_to_end(session.sync())
    # Something else stands under the old name: only its content tells.
    (root / TEST_REPORT).write_text("# Another report\n\nNothing of note.\n", "utf-8")
    run_to_end(session.sync())
    assert kept_here(session, draft, renamed)


def test_what_cites_a_file_of_which_nothing_is_known_any_more_stays_here(
    session: ProjectSession, draft: Draft
) -> None:
    (session.project.root / TEST_REPORT).unlink()
    run_to_end(session.sync())
    assert kept_here(session, draft, "Context/Initiation/Device-Description.txt")


def test_rewriting_reads_a_changed_source_anew(session: ProjectSession, draft: Draft) -> None:
    change(session, "## Alarm behaviour\n\n", "## Alarm behaviour\n\nThe alarm has two stages. ")
    made = rewrite(session, draft, [place_of(draft, ALARM)])
    assert any("two stages" in unit.text for unit in made.draft.units)


def test_a_source_that_changed_shows_old_and_new_text(
    session: ProjectSession, draft: Draft
) -> None:
    assert session.changed_sources(draft) == ()
    change(session, "42.5 °C", "41.0 °C")
    changes = {one.note.quote: one for one in session.changed_sources(draft)}
    changed = changes[ALARM]
    assert changed.state is SourceState.CHANGED
    assert changed.place is not None
    assert changed.place.quote == ALARM.replace("42.5", "41.0")
    source = session.source(TEST_REPORT)
    assert changed.place.sha256 == source.record.sha256
    assert changed.place.chunk_id
    place = source.document.text[changed.place.start : changed.place.end]
    assert place == changed.place.quote
    # What the change did not touch only moved.
    rest = [
        one for quote, one in changes.items() if quote != ALARM and one.note.file == TEST_REPORT
    ]
    assert {one.state for one in rest} <= {SourceState.MOVED}


def test_the_new_text_is_used_where_it_carries_the_sentence(
    session: ProjectSession, draft: Draft
) -> None:
    index = place_of(draft, ALARM)
    number = draft.units[index].citations[0]
    assert session.use_new_place(draft, number).footnote is None
    change(session, ALARM, f"In every mode, {ALARM[:1].lower()}{ALARM[1:]}")
    taken = session.use_new_place(draft, number)
    assert taken.footnote is not None
    assert taken.footnote.quote.startswith("In every mode")
    assert taken.footnote.number == number
    assert [i for i, _ in taken.units] == [index]
    assert taken.units[0][1].problems == ()
    change(session, "42.5", "41.0")
    refused = session.use_new_place(draft, number)
    assert refused.footnote is None
    problems = refused.units[0][1].problems
    assert problems[0].code is ProblemCode.SOURCE_CHANGED
    assert "41.0 °C" in problems[0].message
    assert "42.5 °C" in [problem.value for problem in problems]


def test_a_passage_that_is_gone_and_a_file_that_was_renamed(
    session: ProjectSession, draft: Draft
) -> None:
    number = draft.units[place_of(draft, ALARM)].citations[0]
    root = session.project.root
    renamed = "Context/Ongoing/TR-100-rev-B.md"
    (root / TEST_REPORT).rename(root / renamed)
    run_to_end(session.sync())
    change_of = {one.note.number: one for one in session.changed_sources(draft)}
    moved = change_of[number]
    assert moved.state is SourceState.MOVED
    assert moved.place is not None
    assert (moved.place.file, moved.place.quote) == (renamed, ALARM)
    (root / renamed).unlink()
    run_to_end(session.sync())
    gone = {one.note.number: one for one in session.changed_sources(draft)}[number]
    assert (gone.state, gone.place) == (SourceState.MISSING, None)
    told = session.use_new_place(draft, number)
    assert told.footnote is None
    assert "gone" in told.units[0][1].problems[0].message


def test_sources_that_are_not_read_yet_are_not_called_changed(
    session: ProjectSession, draft: Draft, tmp_path: Path, models_path: Path
) -> None:
    # The same project with an index of its own, of which nothing is there yet.
    home = tmp_path / "home"
    places = Places(tmp_path / "cold", home / "data", home / "config", models_path)
    application = build_application(places)
    cold = application.workspace.open(session.project.root)
    assert cold.files() == ()
    assert cold.changed_sources(draft) == ()
    run_to_end(cold.sync())
    assert cold.changed_sources(draft) == ()
    (cold.project.root / TEST_REPORT).unlink()
    run_to_end(cold.sync())
    assert {one.state for one in cold.changed_sources(draft)} == {SourceState.MISSING}
    cold.close()
    application.close()


def test_what_was_settled_in_one_draft_is_settled_in_the_next(session: ProjectSession) -> None:
    result = run_to_end(
        session.draft(session.plan(PROMPT), should_stop=lambda: False, use_model=False)
    )
    result = replace(result, discrepancies=(Discrepancy(DiscrepancyKind.VALUES, "1 m or 2 m."),))
    first = session.keep(result, "Context/Prompt/performance.md")
    settled = Edit("2026-01-01T00:00:00", EditKind.SETTLED, before="1 m or 2 m.", note="1 m")
    session.save_draft(replace(first, edits=(settled,)))
    second = session.keep(result, "Context/Prompt/performance.md")
    assert second.settled == {"1 m or 2 m.": "1 m"}
    other = replace(result, discrepancies=(Discrepancy(DiscrepancyKind.VALUES, "3 m or 4 m."),))
    assert session.keep(other, "").settled == {}


def test_a_version_is_restored_and_what_stood_there_is_kept(
    session: ProjectSession, draft: Draft
) -> None:
    session.save_version(draft, name="Sent to QA")
    edited = with_text(draft, place_of(draft, ALARM), "Quite other words.")
    edit = Edit("2026-01-01T00:00:00+00:00", EditKind.EDITED, ALARM, "Quite other words.")
    edited = replace(edited, edits=(edit,))
    session.drafts.save(edited)
    named = next(one for one in session.versions(draft.draft_id) if one.name)
    back = session.restore(edited, named.version_id)
    assert back.units == draft.units
    assert [one.kind for one in back.edits] == [EditKind.EDITED, EditKind.RESTORED]
    assert session.drafts.load(draft.draft_id) == back
    latest = session.versions(draft.draft_id)[0]
    assert session.version(latest.version_id).units == edited.units
    kinds = [entry.activity.status for entry in session.activity.entries(1)]
    assert kinds == ["restored"]


def test_an_export_keeps_a_version_and_accepted_sentences_their_state(
    session: ProjectSession, draft: Draft, tmp_path: Path
) -> None:
    index = place_of(draft, ALARM)
    problem = session.check(with_text(draft, index, ALARM, citations=()), [index])[0].problems
    accepted = with_text(
        draft, index, ALARM, accepted="2026-02-03T04:05:06+00:00", problems=problem
    )
    session.export(accepted, tmp_path / "draft.json")
    session.export(accepted, tmp_path / "draft.md")
    stored = json.loads((tmp_path / "draft.json").read_text("utf-8"))
    assert stored["sentences"][index]["accepted"] == "2026-02-03T04:05:06+00:00"
    assert stored["sentences"][index]["problems"]
    assert "[check" not in (tmp_path / "draft.md").read_text("utf-8")
    version = session.versions(draft.draft_id)[0]
    assert version.why == "Exported to draft.json"
    assert session.version(version.version_id).units[index].is_accepted
