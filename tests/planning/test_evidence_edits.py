"""What a writer ticks is planned and written, in the order in which it is shown."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.evidence_edits import (
    as_stated,
    in_text_order,
    place_for,
    rows_together,
    with_evidence,
)
from phasergun_desktop.planning.model import Plan, PlannedNeed, PlannedUnit, PointKind
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import Passage, SearchScope
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.desk import REPORT, Desk
from tests.planning.test_template_needs import ALARM, NAME, template

PROMPT = "Describe the alarm of the heater; its warming accuracy."
TABLE = ("report.md", ("Parts",), ("Part", "Number"))


def unit(
    start: int, *, file: str = "a.md", table: bool = False, selected: bool = True
) -> PlannedUnit:
    """A unit of a test, ten characters long."""
    passage = Passage(
        1, file, "", file, Layer.ONGOING, ChunkId("c"), start, start + 10, f"u{start}", (), 1.0
    )
    return PlannedUnit(passage, selected, 0.5, 0.5, table=TABLE if table else None)


def need(number: int, *units: PlannedUnit, ordered: bool = False, heading: str = "") -> PlannedNeed:
    """A need of a test."""
    asked = Need(f"n{number}", f"need {number}", 0, 1, f"need {number}", SearchScope(), heading)
    return PlannedNeed(asked, units, is_ordered=ordered)


def starts(units: tuple[PlannedUnit, ...] | list[PlannedUnit]) -> list[int]:
    return [each.passage.start for each in units]


def ticked(plan: Plan, *texts: str) -> Plan:
    """Return ``plan`` with the units selected that hold one of ``texts``, in their order."""
    order = {text: at for at, text in enumerate(texts)}

    def rank(each: PlannedUnit) -> int:
        return next((at for text, at in order.items() if text in each.passage.text), -1)

    needs = []
    for each in as_stated(plan.needs):
        units = [replace(u, selected=u.is_cell or rank(u) >= 0) for u in each.units]
        units.sort(key=lambda u: (not u.selected, rank(u)))
        needs.append(replace(each, units=tuple(units)))
    return with_evidence(plan, needs)


def said(result: AnswerResult) -> list[str]:
    """What stands below the headings of the prompt and of the sources ("Alarm:")."""
    stated = [u for u in result.sentences if u.kind not in (UnitKind.HEADING, UnitKind.TODO)]
    return [unit.text for unit in stated if not unit.text.endswith(":")]


def test_units_stand_in_reading_order_until_the_writer_orders_them() -> None:
    units = (unit(30), unit(10), unit(20, selected=False))
    assert [starts(each) for each in in_text_order([need(1, *units)])] == [[10, 30]]
    assert [starts(each) for each in in_text_order([need(1, *units, ordered=True)])] == [[30, 10]]


def test_rows_of_a_table_stand_where_most_of_them_were_selected() -> None:
    rows = [unit(20, table=True), unit(40, table=True), unit(60, table=True)]
    first = need(1, unit(90), rows[0], heading="Parts")
    second = need(2, rows[1], unit(5), heading="Alarm")
    assert [starts(each) for each in in_text_order([first, second])] == [[20, 40, 90], [5]]
    more = need(2, rows[1], rows[2], unit(5), heading="Alarm")
    assert [starts(each) for each in in_text_order([first, more])] == [[90], [5, 20, 40, 60]]
    ordered = replace(second, is_ordered=True)
    assert [starts(each) for each in in_text_order([first, ordered])] == [[20, 90], [40, 5]]
    assert starts(rows_together([rows[1], unit(1), rows[0]])) == [40, 20, 1]


def test_a_document_stands_together_where_no_heading_parts_it() -> None:
    first = need(1, unit(90, file="b.md"), unit(10))
    second = need(2, unit(20), unit(30))
    assert [starts(each) for each in in_text_order([first, second])] == [[90], [10, 20, 30]]
    of_one = need(3, unit(40))
    assert [starts(each) for each in in_text_order([second, of_one])] == [[20, 30, 40], []]
    own = need(3, unit(40), heading="Sounds")
    assert [starts(each) for each in in_text_order([second, own])] == [[20, 30], [40]]
    by_hand = replace(of_one, is_ordered=True)
    assert [starts(each) for each in in_text_order([second, by_hand])] == [[20, 30], [40]]
    # The heading stands before the first of its needs alone.
    alarm, weight = need(1, unit(10), heading="Alarm"), need(3, unit(30), heading="Weight")
    text = in_text_order([alarm, need(2, unit(20)), weight, need(4, unit(40), unit(50))])
    assert [starts(each) for each in text] == [[10], [20], [30], [40, 50]]


def test_the_document_with_the_most_probable_unit_comes_first() -> None:
    def of(file: str, start: int, score: float) -> PlannedUnit:
        one = unit(start)
        return replace(one, passage=replace(one.passage, file=file), score=score)

    units = (of("a.md", 10, 0.4), of("b.md", 30, 0.2), of("b.md", 20, 0.9), of("a.md", 5, 0.3))
    [stated] = in_text_order([need(1, *units)])
    assert [(each.passage.file, each.passage.start) for each in stated] == [
        ("b.md", 20), ("b.md", 30), ("a.md", 5), ("a.md", 10)
    ]  # fmt: skip


def test_a_new_unit_finds_its_place() -> None:
    inside = [unit(10), unit(30), unit(50)]
    assert place_for(inside, unit(40)) == 2
    assert place_for(inside[::-1], unit(40)) == 3
    rows = [unit(60), unit(20, table=True), unit(40, table=True), unit(10)]
    assert place_for(rows, unit(30, table=True)) == 2
    assert place_for(rows, unit(15, table=True)) == 1
    assert place_for(rows, unit(90, table=True)) == 3


def test_an_unchanged_selection_gives_the_same_plan(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    same = with_evidence(plan, as_stated(plan.needs))
    assert same.points == plan.points
    assert same.problems == plan.problems
    assert not same.is_settled
    settled = desk.settled(same)
    assert (settled.tokens, settled.summaries) == (plan.tokens, plan.summaries)
    assert settled.discrepancies == plan.discrepancies


def test_what_is_ticked_is_written_and_nothing_else(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    every = [u.passage.text for n in plan.needs for u in n.units if u.can_stand]
    wanted = [every[2], every[0]]
    edited = desk.settled(ticked(plan, *wanted))
    assert edited.is_settled
    assert edited.tokens < plan.tokens
    assert [p.text for p in edited.passages] == wanted
    assert {text.rstrip(".") for text in said(desk.verbatim(edited))} == {
        text.rstrip(".") for text in wanted
    }


def test_the_order_of_the_writer_is_that_of_the_text(desk: Desk) -> None:
    texts = [f"The alarm of the heater has part number {n} in it." for n in range(1, 6)]
    desk.project.write("Context/Ongoing/parts.md", "# Alarm parts\n\n" + "\n\n".join(texts) + "\n")
    bench = Desk(desk.project)
    plan = bench.plan("Describe the alarm of the heater.")
    order = [texts[3], texts[0], texts[4]]
    assert said(bench.verbatim(ticked(plan, *order))) == order


def test_what_stands_word_for_word_stays(desk: Desk) -> None:
    plan = desk.plan("", template(ALARM, NAME))
    edited = ticked(plan)
    alarm, name = edited.points
    assert alarm.evidence == ()
    assert (alarm.heading, alarm.is_required, alarm.helps) == ("Alarm", True, "a test report")
    assert name == plan.points[1]
    assert [p.code for p in edited.problems] == ["required_item_missing"]
    again = with_evidence(plan, plan.needs)
    assert again.problems == plan.problems == ()
    assert again.points == plan.points


def test_cells_of_a_comparison_stay_until_they_are_not_selected(desk: Desk) -> None:
    desk.project.write(
        "Context/Predicates/K111222.md",
        "# 510(k) Summary K111222\n\n## Alarm\n\nThe alarm of the warmer sounds at 81 dB.\n",
    )
    bench = Desk(desk.project)
    prompt = "Compare the Heater H1 with K111222: alarm, warming accuracy."
    plan = bench.plan(prompt)
    compared = [p for p in plan.points if p.kind is PointKind.COMPARE]
    assert compared
    kept = ticked(plan)
    assert [p for p in kept.points if p.kind is PointKind.COMPARE] == compared
    bare = [replace(n, units=()) for n in plan.needs]
    cells = [p for p in with_evidence(plan, bare).points if p.kind is PointKind.COMPARE]
    assert len(cells) == len(compared)
    assert all(p.value is None for p in cells)


def test_evidence_is_written_below_a_table_or_a_value(desk: Desk) -> None:
    plan = desk.plan("", template(ALARM, NAME))
    moved = next(u for u in plan.needs[0].units if u.can_stand)
    name = replace(plan.needs[1], units=(replace(moved, selected=True),), is_ordered=True)
    edited = with_evidence(plan, (plan.needs[0], name))
    *_, value, more = edited.points
    assert value.kind is PointKind.VERBATIM
    assert (more.evidence, more.heading, more.is_supplement) == ((moved.passage,), "", True)


def test_a_template_becomes_longer_where_the_writer_takes_in_more() -> None:
    words = " ".join(["word"] * 60)
    long = unit(1)
    long = replace(long, passage=replace(long.passage, text=words))
    made = need(1, long)
    plan = Plan("p", "p", "", "small", (), (), (), 0, maximum_words=50, needs=(made,))
    assert with_evidence(plan, (made,)).maximum_words == 72
    assert with_evidence(replace(plan, maximum_words=0), (made,)).maximum_words == 0


def test_what_may_be_stated_is_no_gap_where_nothing_is_selected_for_it() -> None:
    plan = Plan("p", "p", "", "small", (), (), (), 0)
    unsure = replace(need(2), may_be_stated=True)
    planned = (need(1, unit(10)), unsure)
    plan = with_evidence(plan, planned)
    assert [p.may_be_empty for p in with_evidence(plan, planned).points] == [False, True]
    others = (need(1, unit(10)), replace(unsure, may_be_stated=False))
    assert [p.may_be_empty for p in with_evidence(plan, others).points] == [False, False]


def test_nothing_selected_leaves_gaps(desk: Desk) -> None:
    plan = ticked(desk.plan(PROMPT))
    result = desk.verbatim(plan)
    assert said(result) == []
    assert [u.kind for u in result.sentences] == [UnitKind.TODO] * len(plan.needs)


def test_what_was_ticked_in_a_file_that_changed_is_left_out_and_told(desk: Desk) -> None:
    plan = desk.plan(PROMPT)
    edited = with_evidence(plan, as_stated(plan.needs))
    desk.project.write(REPORT, "# Test report\n\n## Alarm\n\nThe alarm of the heater is loud.\n")
    bench = Desk(desk.project)
    settled = bench.settled(edited)
    assert REPORT not in {p.file for p in settled.passages}
    assert any(REPORT in warning for warning in settled.warnings)
    assert settled.is_settled
    bench.verbatim(settled)


def test_units_of_any_document_are_found_by_hand(desk: Desk) -> None:
    found = desk.search_units("heater weighs in its crate")
    # No prompt may use this file unasked.
    assert found[0].passage.file == "Context/General/note.md"
    assert found[0].passage.text == "The heater weighs 9.9 kg in its crate."
    assert (found[0].selected, found[0].score) == (False, 1.0)
    assert len({unit.place for unit in found}) == len(found)
    plan = desk.plan(PROMPT)
    own = replace(plan.needs[0], units=(replace(found[0], selected=True),), is_ordered=True)
    assert said(desk.verbatim(with_evidence(plan, (own,)))) == [found[0].passage.text]


def test_what_a_writer_ticks_is_stated_though_another_passage_says_it(desk: Desk) -> None:
    short, long = "The alarm sounds loudly.", "The alarm sounds loudly and for long."
    desk.project.write("Context/Ongoing/loud.md", f"# Alarm\n\n{long}\n\n{short}\n")
    bench = Desk(desk.project)
    plan = bench.plan("Describe the alarm of the heater.")
    assert said(bench.verbatim(ticked(plan, long, short))) == [long, short]
