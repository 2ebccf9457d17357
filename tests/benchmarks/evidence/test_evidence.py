"""How prompts without an answer are made, and which units are drawn and judged."""

from __future__ import annotations

import json
from pathlib import Path

from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.references.model import ReferenceKind, ResolvedReference, SourceValue
from tests.benchmarks.evidence import judged_units
from tests.benchmarks.evidence.judged_units import SelectedUnit, Verdict, draw, judged_figures
from tests.benchmarks.evidence.unanswerable import (
    Case,
    KnownProject,
    KnownPrompt,
    Rule,
    bare_text,
    cases_of,
)


def _prompt(name: str, text: str, *sources: str) -> KnownPrompt:
    is_searched = any(not source.startswith("Bootstrap") for source in sources)
    return KnownPrompt(name, text, text, sources, (*sources, "Record.docx") if is_searched else ())


_PUMP = KnownProject(
    "pump",
    ("Aldor Infusion Pump", "AP-2"),
    (
        _prompt("alarms.md", "Alarms of the AP-2.", "Context/SRS.docx"),
        _prompt("weight.md", "Weight and size.", "Context/SD.docx"),
        _prompt("kind.md", "How the pump is cleaned.", "Context/SD.docx"),
        _prompt("same.md", "Compare with the predicate K123456.", "Context/SD.docx"),
        _prompt("capa.md", "How is a CAPA closed?", "Procedures/SOPs/CAPA.md"),
        _prompt("plan.md", "Scope of the plan.", "Bootstrap/Plan.docx"),
        _prompt("moon.md", "Use on the moon."),
    ),
)
_METER = KnownProject("meter", ("Belcor Meter",), ())


def _made(rule: Rule) -> dict[str, Case]:
    return {case.made_of: case for case in cases_of(_PUMP, _METER) if case.rule is rule}


def test_every_prompt_on_the_device_is_put_to_the_other_project_by_name() -> None:
    put = _made(Rule.OTHER_PROJECT)
    assert set(put) == {"alarms.md", "weight.md", "kind.md", "same.md", "plan.md", "moon.md"}
    assert {case.project for case in put.values()} == {"meter"}
    assert put["alarms.md"].text == "Alarms of the AP-2."
    assert put["weight.md"].text == "# Aldor Infusion Pump\n\nWeight and size."


def test_a_device_is_exchanged_where_nothing_else_tells_it() -> None:
    exchanged = _made(Rule.OTHER_DEVICE)
    assert {name: case.text for name, case in exchanged.items()} == {
        "alarms.md": "Alarms of the Belcor Meter.",
        "weight.md": "# Belcor Meter\n\nWeight and size.",
        "plan.md": "# Belcor Meter\n\nScope of the plan.",
    }


def test_a_removed_answer_is_asked_for_in_the_same_words_as_one_that_is_there() -> None:
    bare, removed = _made(Rule.BARE), _made(Rule.REMOVED)
    assert set(bare) == {"alarms.md", "weight.md", "kind.md", "same.md", "capa.md"}
    assert {n: c.text for n, c in bare.items()} == {n: c.text for n, c in removed.items()}
    assert removed["alarms.md"].removed == ("Context/SRS.docx", "Record.docx")
    assert not bare["alarms.md"].removed


def test_what_no_document_answers_is_never_counted_as_answerable() -> None:
    assert set(_made(Rule.NO_DOCUMENT)) == {"moon.md"}
    assert "moon.md" not in _made(Rule.WRITTEN)
    assert all(Half.EVEN.has(c.made_of) is (c.half is Half.EVEN) for c in cases_of(_PUMP, _METER))


def test_values_are_put_in_and_documents_left_out() -> None:
    text = "Weight of [Master Record|Device Name] from [Context|SD.docx] only."
    value = SourceValue("AP-2", "Record.docx", 0, 4)
    references = [
        ResolvedReference(ReferenceKind.MASTER_RECORD, text[10:37], 10, 37, "", value=value),
        ResolvedReference(ReferenceKind.CONTEXT, text[43:60], 43, 60, "", files=("SD.docx",)),
    ]
    assert bare_text(text, references) == "Weight of AP-2 from only."


def _unit(number: int, unit: str = "") -> SelectedUnit:
    return SelectedUnit(
        f"p{number % 3}.md", "Weight?", "Weight", "a.md", unit or f"Unit {number}.", 0.3
    )


def test_a_draw_keeps_what_is_selected_again_and_counts_a_unit_once() -> None:
    units = [_unit(number) for number in range(40)]
    first = draw(units, 10)
    kept = [*first, *units[:3], *(_unit(number) for number in range(40, 80))]
    second = draw(kept, 10)
    assert len(set(second)) == 10
    assert [unit for unit in second if unit in set(units)] == [u for u in first if u in second]
    assert draw(list(reversed(kept)), 10) == second


def test_figures_are_of_judged_units_alone() -> None:
    units = [_unit(1), _unit(2, "It weighs 2.1 kg."), _unit(3, "The other weighs 3 kg.")]
    assert not list(judged_figures(units, {}))
    verdicts = {
        units[1].key: Verdict(units[1].key, answers=True, subject="device"),
        units[2].key: Verdict(units[2].key, answers=False, subject="as_device"),
    }
    noise, likely, subject = judged_figures(units, verdicts)
    assert (likely.name, likely.n) == ("units of a probability of 0.2 to 0.4 that answer", 2)
    assert (noise.n, noise.median, subject.n, subject.median) == (2, 0.5, 2, 0.5)
    assert "2 of 3 drawn" in noise.note
    assert "2 of 2 drawn" in subject.note


def test_kept_verdicts_hold_no_text(tmp_path: Path) -> None:
    rows, verdicts = tmp_path / "rows.jsonl", tmp_path / "verdicts.jsonl"
    for key, answers in (("k1", True), ("k2", False)):
        row = {"key": key, "unit": "Secret text", "answers": answers, "why": "", "subject": ""}
        rows.write_text(json.dumps(row) + "\n", "utf-8")
        assert judged_units.main(["--keep", str(rows)], verdicts) == 0
    kept = judged_units.read_verdicts(verdicts)
    assert kept == {"k1": Verdict("k1", answers=True), "k2": Verdict("k2", answers=False)}
    assert "Secret" not in verdicts.read_text("utf-8")
