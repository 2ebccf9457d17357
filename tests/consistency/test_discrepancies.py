"""What the sources disagree in is found, and what only looks like it is not."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import pytest

from phasergun_desktop.consistency.statements import statements
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.planning.model import DiscrepancyKind
from tests.consistency.doubtful_project import (
    BOOTSTRAP,
    DESCRIPTION,
    MINUTES,
    PREDICATE,
    RECORD,
    REPORT,
    found,
)
from tests.fakes.fake_documents import fake_document

HEATER = "Device Name: Heater H1\nPredicate Device: K111222\n"


@pytest.mark.parametrize(
    ("one", "other", "values"),
    [
        ("Warm-up Time: 8 minutes", "The warm-up time is 12 minutes.", ("8 minutes", "12 minutes")),
        (
            "Measuring Range: 20 to 600 mg/dL",
            "The measuring range is 10 to 600 mg/dL.",
            ("20 to 600 mg/dL", "10 to 600 mg/dL"),
        ),
        ("Sample Volume: 0.6 microlitres", "Sample volume | 0.9 µL", ("0.6", "0.9")),
        (
            "The shelf life of the strip is 24 months.",
            "Strip shelf life stays at 18 months.",
            ("24 months", "18 months"),
        ),
        (
            "Charging from empty to full takes 90 minutes.",
            "Charging time: 45 minutes from empty to full.",
            ("90 minutes", "45 minutes"),
        ),
        ("Battery life: 10 hours", "The battery life is 600 seconds.", ("10 hours", "600 seconds")),
        ("Storage Temperature: 5 to 30 °C", "The storage temperature is 2 to 30 °C.", ("5", "2")),
        (
            "Sample Volume: 0.6 microlitres",
            "The strip works with a sample volume of 0.8 µL.",
            ("0.6", "0.8"),
        ),
        (
            "Test Time: 5 seconds",
            "The test time has been reduced to 7 seconds.",
            ("5 seconds", "7 seconds"),
        ),
        (
            "Alarm Sound Level: at least 60 dB",
            "The alarm sound level is at least 65 dB.",
            ("60 dB", "65 dB"),
        ),
        # The unit stands in the label; the row has a number and a source beside its one value.
        ("Mass (kg): 84", "The mass is 86 kg.", ("84", "86")),
        ("Mass (kg): 84", "DI-7 | Mass | 86 kg | TR-9", ("84", "86")),
        # A name directly before its value.
        ("Service Life: 5 years", "Service life 8 years from delivery.", ("5 years", "8 years")),
        (
            "Storage Temperature: -20 to 60 °C",
            "Storage temperature −20 to +45 °C",
            ("-20 to 60 °C", "−20 to +45 °C"),
        ),
        # The master record says more, and counts although it knows of the other value.
        (
            "Ruling Shelf Life: 2 years (replaces 3 years)",
            "Shelf life 3 years, closed.",
            ("2 years", "3 years"),
        ),
        # The name of the device is no part of its attribute's.
        ("Service Life: 5 years", "The service life of Heater H1 is 8 years.", ("5", "8")),
        # Two long texts that differ in their one number.
        (
            "The heater is meant to warm adults who are 18 years or older after surgery.",
            "It is meant to warm adults (22 years and older) after surgery.",
            ("18 years", "22 years"),
        ),
    ],
)
def test_the_same_attribute_with_another_value(
    one: str, other: str, values: tuple[str, str]
) -> None:
    result = found({RECORD: HEATER + one, REPORT: f"# Report\n{other}"}, REPORT)
    assert [each.kind for each in result] == [DiscrepancyKind.VALUES]
    assert all(value in result[0].message for value in values)
    said = {side.file: side.value for side in result[0].sides}
    assert values[0] in said[RECORD]
    assert values[1] in said[REPORT]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        # The same value in another unit, form or number of digits.
        ("Sample Volume: 0.6 microlitres", "The sample volume is 0.60 µL."),
        ("Charging Time: 90 minutes", "The charging time is 1.5 hours."),
        ("Shelf Life: 2 years", "The shelf life is 24 months."),
        # A requirement that the value keeps.
        ("Test Time: 5 seconds", "A result appears within 10 seconds."),
        ("Surface Temperature: 38.6 °C", "The surface temperature is at most 41 °C."),
        # Another condition, another part, another study.
        ("Storage Temperature: -20 to 60 °C", "The operating temperature is 5 to 40 °C."),
        ("Strip Shelf Life: 24 months", "The shelf life of the control solution is 3 months."),
        ("Shelf Life: 24 months", "Real-time data covers 18 months."),
        ("Pulse Rate Accuracy: 2 beats", "The accuracy of SpO2 is 3 beats."),
        # Rough, or a step of something.
        ("Warm-up Time: 8 minutes", "The warm-up time is about 10 minutes."),
        ("Warm-up Time: 8 minutes", "Wait another 10 minutes after the warm-up."),
        # Another device.
        ("Weight: 3.2 kg", "The weight of K111222 is 4.1 kg."),
        # Two values of one name.
        ("Wavelengths: 660 nm and 905 nm", "The wavelengths are 660 nm and 940 nm apart."),
        # The document's own fields, and a table of measurements.
        ("Date: 2026-01-02", "Date: 2026-05-06"),
        ("Burst | limit 6 bar | 9 bar", "Burst | limit 6 bar | 8 bar"),
        ("Burst pressure | 9 bar | 6 bar", "Burst pressure | 8 bar | 6 bar"),
        # Several values of one sort, a value that is denied, and both values in one sentence.
        ("Warm-up time 8 minutes", "Warm-up time 9 minutes at best, 12 minutes at worst"),
        ("Shelf Life: 3 years", "A shelf life of 4 years was not tried."),
        ("Shelf Life: 36 months", "The shelf life is 24 months instead of 36 months."),
        # Parts of the same kind have numbers.
        (
            "Filter F-31 takes dust of 5 µm from the air that flows to the heater.",
            "Filter F-32 takes dust of 1 µm from the air that flows to the heater.",
        ),
    ],
)
def test_what_is_no_disagreement(one: str, other: str) -> None:
    assert found({RECORD: HEATER + one, REPORT: f"# Report\n{other}"}) == ()


@pytest.mark.parametrize(
    ("record", "report", "counts"),
    [
        ("", "The warm-up time is 12 minutes.", True),
        ("\nFirst issue | 2024-02-12", "Rev A, 2023-05-06.\nThe warm-up time is 12 minutes.", True),
        (
            "\nFirst issue | 2024-02-12",
            "Rev B, 2025-05-06.\nThe warm-up time is 12 minutes.",
            False,
        ),
        ("", "The warm-up time is 12 minutes. It was raised from 8 minutes in May.", False),
    ],
)
def test_the_master_record_counts_unless_the_other_may_be_newer(
    record: str, report: str, *, counts: bool
) -> None:
    text = f"{HEATER}Warm-up Time: 8 minutes{record}"
    [told] = found({RECORD: text, REPORT: f"# Report\n{report}"}, REPORT)
    assert ("counts for the project" in told.message) is counts


def test_only_what_the_plan_reads_is_told() -> None:
    files = {
        RECORD: HEATER + "Warm-up Time: 8 minutes",
        REPORT: "# Report\nThe warm-up time is 12 minutes.",
        DESCRIPTION: "# Description\nThe heater is blue.",
    }
    assert found(files, DESCRIPTION) == ()
    assert len(found(files, REPORT)) == 1


def test_a_superseded_document_states_nothing_any_more() -> None:
    old = "Context/Ongoing/TR-7_OLD.md"
    files = {
        RECORD: HEATER + "Warm-up Time: 8 minutes",
        old: "# Report\nThe warm-up time is 12 minutes.",
    }
    assert [each.kind for each in found(files)] == [DiscrepancyKind.SUPERSEDED]


def test_the_head_of_a_column_gives_the_unit(tmp_path: Path) -> None:
    file = tmp_path / "parts.md"
    file.write_text("| Part | Mass (kg) |\n|---|---|\n| Battery | 2.4 |\n")
    [made] = statements(parse_file(file))
    assert (made.name, made.value.key, made.value.unit, made.said) == (
        "Battery, Mass",
        "2400",
        "g",
        "2.4",
    )


def test_a_predicate_is_another_device() -> None:
    files = {
        RECORD: HEATER + "Warm-up Time: 8 minutes",
        PREDICATE: "# K111222\nThe warm-up time is 12 minutes.",
    }
    assert found(files) == ()


@pytest.mark.parametrize(
    ("question", "answer", "source", "is_denied"),
    [
        ("Is the heater supplied sterile?", "No.", "The heater is supplied sterile.", True),
        ("Is the heater supplied sterile?", "No.", "The heater is not supplied sterile.", False),
        ("Is the heater supplied sterile?", "Yes.", "The heater is not supplied sterile.", True),
        ("What is the warm-up time?", "8 minutes.", "The warm-up time is 12 minutes.", True),
        ("What is the warm-up time?", "8 minutes.", "The warm-up time is 480 seconds.", False),
        ("Who approves the plan?", "The design lead.", "Nobody knows the plan.", False),
    ],
)
def test_a_bootstrap_answer_against_a_source(
    question: str, answer: str, source: str, *, is_denied: bool
) -> None:
    files = {
        RECORD: HEATER,
        BOOTSTRAP: f"# Plan\nQ: {question} A: {answer}",
        REPORT: f"# Report\n{source}",
    }
    kinds = [each.kind for each in found(files)]
    assert kinds == ([DiscrepancyKind.BOOTSTRAP] if is_denied else [])


def test_an_older_version_and_one_that_says_so() -> None:
    old, new = "Context/Ongoing/Spec-V1.2.docx", "Context/Ongoing/Spec-V1.10.docx"
    files = {old: "# Spec\nIt is blue.", new: "# Spec\nIt is red."}
    result = found(files, old)
    assert [each.kind for each in result] == [DiscrepancyKind.SUPERSEDED]
    assert "is revision 1.10." in result[0].message
    assert found(files, new) == ()
    stamped = found({REPORT: "# Report\nStatus: superseded\nIt is blue.", MINUTES: "# M"}, REPORT)
    assert [each.kind for each in stamped] == [DiscrepancyKind.SUPERSEDED]
    withdrawn = "Context/Ongoing/TR-14_RevA_SUPERSEDED.md"
    [named] = found({withdrawn: "# Report\nIt is blue.", MINUTES: "# M"}, withdrawn)
    assert named.kind is DiscrepancyKind.SUPERSEDED
    assert "TR-14_RevA_SUPERSEDED.md is not in force any more, by its name." in named.message
    rule = "# Report\nSuperseded revisions are marked superseded and kept in the archive."
    assert found({REPORT: rule}) == ()


@pytest.mark.parametrize(
    ("read", "text"),
    [
        (statements, "the time of 5 s is 6 s and " * 750),
        (statements, "the time of 5 s, instead of 6 s. " * 600),
    ],
    ids=["one sentence", "many sentences"],
)
def test_hostile_text_is_read_in_time(read: Callable[[ParsedDocument], object], text: str) -> None:
    document = fake_document([text])
    start = time.process_time()
    read(document)
    assert time.process_time() - start < 0.5


def test_a_link_far_from_the_beginning_of_its_sentence_is_read() -> None:
    lead = "As the report of the laboratory says of the meter that was measured in the spring, "
    sentence = f"{lead}the test time is now set to 7 seconds."
    made, whole = statements(fake_document([sentence]))
    assert whole.name == ""  # The sentence as a whole, which is compared with ones that are alike.
    assert made.name.endswith("test time")
    assert made.said == "7 seconds"
