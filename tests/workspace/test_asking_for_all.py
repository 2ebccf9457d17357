"""Questions for all rows of a table, how many there are, and those that fulfil a condition."""

from __future__ import annotations

from phasergun_desktop.conversations.model import Question, Turn
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession

REQUIREMENTS = """\
Req ID,Requirement,Priority,Verification method,Remark
REQ-001,The pump shall deliver 5 mL/h.,M,Test,
REQ-002,The pump shall weigh at most 400 g.,S,Inspection,see DR3
REQ-003,The line shall have one connector (no Luer).,M,Inspection,
REQ-004,The bolus error shall be at most 5 %.,M,Test,from the clinic
REQ-005,The housing shall have a life of 5 years.,S,Analysis,
"""


def _ask(session: ProjectSession, text: str, **documents: str) -> Turn:
    for name, said in documents.items():
        (session.project.root / f"Context/Ongoing/{name}.csv").write_text(said, "utf-8")
    run_to_end(session.sync())
    return run_to_end(session.ask(Question(text), should_stop=lambda: False))


def _named(turn: Turn) -> list[int]:
    return [at for at in range(1, 10) if f"REQ-00{at}" in turn.text]


def test_rows_with_an_empty_cell_are_of_the_whole_table(session: ProjectSession) -> None:
    turn = _ask(session, "List all requirements of the pump", Pump_requirements=REQUIREMENTS)
    assert _named(turn) == [1, 2, 3, 4, 5]


def test_a_number_in_what_a_requirement_says_counts_none(session: ProjectSession) -> None:
    turn = _ask(session, "How many requirements are there?", Pump_requirements=REQUIREMENTS)
    assert _named(turn) == [1, 2, 3, 4, 5]


def test_rows_that_fulfil_what_is_said_of_a_column_are_stated(session: ProjectSession) -> None:
    asked = "How many requirements are verified by inspection?"
    turn = _ask(session, asked, Pump_requirements=REQUIREMENTS)
    assert _named(turn) == [2, 3]
    assert turn.warnings[0].endswith("whose “Verification method” is “Inspection”: 2.")
    assert not any("stated in part" in warning for warning in turn.warnings)


def test_a_range_of_numbers_names_all_of_them(session: ProjectSession) -> None:
    turn = _ask(session, "What are REQ-002 to REQ-004?", Pump_requirements=REQUIREMENTS)
    assert _named(turn) == [2, 3, 4]
    turn = _ask(session, "All requirements REQ-003 to REQ-005 of priority M")
    assert _named(turn) == [3, 4]


def _stated(session: ProjectSession, prompt: str) -> tuple[list[int], tuple[str, ...]]:
    plan = session.plan(prompt)
    texts = [unit.passage.text for need in plan.needs for unit in need.chosen]
    return [
        at for at in range(1, 10) if any(f"REQ-00{at}" in text for text in texts)
    ], plan.warnings


def test_a_text_states_the_rows_of_a_range_or_a_condition_and_no_others(
    session: ProjectSession,
) -> None:
    _ask(session, "List all requirements of the pump", Pump_requirements=REQUIREMENTS)
    rows, warnings = _stated(session, "Requirements REQ-002 to REQ-004 of the pump: limit, method")
    assert rows == [2, 3, 4]
    assert not any("those are stated" in warning for warning in warnings)
    rows, warnings = _stated(session, "List all requirements of the pump of priority S.")
    assert rows == [2, 5]
    assert any("“Priority” is “S”: 2." in warning for warning in warnings)


def test_the_number_of_a_row_may_stand_behind_another_column(session: ProjectSession) -> None:
    first, *rest = REQUIREMENTS.splitlines()
    said = "\n".join([f"Group,{first}", *(f"Pump,{row}" for row in rest)]) + "\n"
    turn = _ask(session, "What are REQ-002 to REQ-004?", Pump_requirements=said)
    assert _named(turn) == [2, 3, 4]


def test_each_need_has_the_rows_of_its_own_range(session: ProjectSession) -> None:
    said = REQUIREMENTS.replace("see DR3", "see REQ-004")
    _ask(session, "List all requirements of the pump", Pump_requirements=said)
    rows, _ = _stated(
        session, "The limits of REQ-001 to REQ-002\n\nThe methods of REQ-004 to REQ-005"
    )
    assert rows == [1, 2, 4, 5]


def test_a_text_that_says_of_no_column_has_the_rows_that_were_chosen(
    session: ProjectSession,
) -> None:
    _ask(session, "List all requirements of the pump", Pump_requirements=REQUIREMENTS)
    _, warnings = _stated(session, "List all requirements of the pump that somebody doubts.")
    assert not any("those are stated" in warning for warning in warnings)


def test_a_bound_on_a_column_leaves_the_rows_beyond_it_out_of_a_text(
    session: ProjectSession,
) -> None:
    head, *rows = REQUIREMENTS.splitlines()
    said = "\n".join([f"{head},Severity", *(f"{row},{at}" for at, row in enumerate(rows, 1))])
    _ask(session, "List all requirements of the pump", Pump_requirements=f"{said}\n")
    asked = "The requirements of the pump, their severity and their verification method"
    stated, warnings = _stated(session, f"{asked}.")
    assert {1, 2, 3} & set(stated)
    assert warnings == ()
    stated, warnings = _stated(session, f"{asked}: severity 4 or higher.")
    assert stated
    assert set(stated) <= {4, 5}
    assert any("“Severity” is ≥ 4: 2." in warning for warning in warnings)
    # A length bounds no column.
    stated, warnings = _stated(session, f"{asked}, at most 120 words.")
    assert {1, 2, 3} & set(stated)
    assert warnings == ()
