"""The fields of a form that a prompt gives to be filled in, and the draft that fills them in."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.forms import form_request
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.desk import REPORT, Desk
from tests.planning.implant_project import IMPLANT


@pytest.mark.parametrize(
    ("prompt", "fields", "about"),
    [
        (
            "Fill in:\nTest: threshold scan\nEars: ____\n2. Bias (SD): ___\n- Within 10 dB ____",
            ["Ears", "Bias (SD)", "Within 10 dB"],
            "Test threshold scan",
        ),
        (
            "[TEMPLATE] group of users: ____ / top speed: ____ / battery swap every ____",
            ["group of users", "top speed", "battery swap every"],
            "",
        ),
        (
            "Code ____; class ____; enrolled / analysed ____ / ____",
            ["Code", "class", "enrolled / analysed"],
            "",
        ),
        ("Fill it in. Max. load __\nType no. __\nClass: __", ["Max. load", "Type no", "Class"], ""),
        ("Flame: ____  Blood: ____  BFE: ____", ["Flame", "Blood", "BFE"], ""),
        # Sentences with blanks are no fields.
        ("The beam is a ____ nm diode with ____ mW. It is ____ wide and ____ long.", [], ""),
        (
            "Weight: ____\nVoltage ____\nClass (no device) | ____ |",
            ["Weight", "Voltage", "Class (no device)"],
            "",
        ),
        ("Bold: __Purpose__ and\n__Scope__ and\n__Methods__", [], ""),
        # What asks for more beside its fields is no form, nor what puts values in.
        (
            "Describe the alarm and its loudness.\nWeight: __\nSize: __\nClass: __",
            [],
            "",
        ),
        ("Name: [Master Record|Device Name]\nA: ____\nB: ____\nC: ____", [], ""),
        # Two blanks are none.
        ("Describe the alarm.\nWeight: ____\nColour: ____", [], ""),
    ],
)
def test_the_fields_of_a_form_are_found(prompt: str, fields: list[str], about: str) -> None:
    resolution = PromptResolver(IMPLANT).resolve(prompt)
    made = form_request(read_request(resolution), resolution)
    assert [need.heading for need in made.needs] == fields if made else not fields
    for need in made.needs if made else ():
        assert prompt[need.start : need.end] == need.quote == need.heading
        assert need.goes_on_from == about


def test_a_form_is_filled_in_from_the_document_that_it_names(desk: Desk) -> None:
    form = "Use report.md to fill in:\n- Alarm loudness: ____\n- Weight: ____\n- Latex: ____"
    plan = desk.plan(form)
    assert {file for each in plan.needs for file in each.need.scope.files} == {REPORT}
    assert [len(each.selected) for each in plan.needs] == [1, 1, 0]


def test_a_form_is_filled_in_field_by_field(desk: Desk) -> None:
    form = "Please fill in:\nAlarm loudness: ____\nAlarm duration: ____\nLatex content: ____"
    plan = desk.plan(form)
    draft = desk.verbatim(plan)
    assert [unit.text for unit in draft.sentences] == [
        "Alarm loudness",
        "The alarm of the heater sounds at 78 dB.",
        "Alarm duration",
        "The alarm lasts ten seconds.",
        "Latex content",
        draft.sentences[-1].text,
    ]
    assert draft.sentences[-1].text.startswith("[TODO: “Latex content” was not found")
