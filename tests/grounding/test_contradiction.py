"""A sentence that says the opposite of its source is found, and one that rewords it is not."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.contradiction import meaning_problems


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        # opposites
        ("Glucose increases the current.", "Glucose decreases the current."),
        ("Store the strips above 30 °C.", "Store the strips below 30 °C."),
        ("The meter is supplied sterile.", "The meter is supplied non-sterile."),
        ("The lancet is a reusable device.", "The lancet is a single-use device."),
        ("The plan was approved by the lead.", "The plan was rejected by the lead."),
        ("The signature is valid for the record.", "The signature is invalid for the record."),
        ("The study passed the criterion.", "The study failed the criterion."),
        ("Review the plan before the test.", "Review the plan after the test."),
        ("The minimum volume is 5 µL.", "The maximum volume is 5 µL."),
        ("The kit is supplied with a lancet.", "The kit is supplied without a lancet."),
        ("Training of staff is optional here.", "Training of staff is required here."),
        ("The meter uses an external sensor.", "The meter uses an internal sensor."),
        ("The audit is held annually by quality.", "The audit is held monthly by quality."),
        ("Supplier audits are included in scope.", "Supplier audits are excluded from scope."),
        # denials
        ("It is not intended for screening.", "It is intended for screening."),
        ("It is intended for screening.", "It is not intended for screening."),
        ("The meter cannot measure lactate.", "The meter measures lactate."),
        ("The meter measures lactate.", "The meter is unable to measure lactate."),
        ("The meter detects haemolysis.", "The meter fails to detect haemolysis."),
        ("The device contains latex.", "The device does not contain latex."),
        ("The staff may open the pouch.", "The staff may never open the pouch."),
        ("There is a risk of burns to the user.", "There is no risk of burns to the user."),
        ("The pump can be sterilised in steam.", "The pump cannot be sterilised in steam."),
        ("The pump cannot be sterilised in steam.", "The pump can be sterilised in steam."),
        ("The meter has an alarm for low glucose.", "The meter has no alarm for low glucose."),
        ("An event was seen in the study.", "No event was seen in the study."),
        # values and names in the same place, though they stand elsewhere in the source
        (
            "Level 1 reads 60 mg/dL in blood.",
            "Level 1 reads 30 mg/dL in blood. The control of level 2 has 60 mg/dL.",
        ),
        ("The meter measures 20 to 550 mg/dL.", "The meter measures 20 to 600 mg/dL."),
        ("The limit is < 5 % of samples.", "The limit is > 5 % of samples."),
        # reversals without a mark
        ("The meter is contraindicated in neonates.", "The meter is indicated in neonates."),
        ("The meter is prohibited for use at home.", "The meter is intended for use at home."),
        ("Avoid wiping the meter with alcohol.", "Wipe the meter with alcohol."),
        ("Wipe the meter with alcohol.", "Refrain from wiping the meter with alcohol."),
        ("It shows the systolic pressure.", "It shows the diastolic pressure."),
        ("Close the inlet of the chamber.", "Close the outlet of the chamber."),
        ("The anode carries the enzyme.", "The cathode carries the enzyme."),
        # a number that is kept while its bound is changed
        ("The result appears after 5 seconds.", "The result appears within 5 seconds."),
        ("The test takes at most 5 s to start.", "The test takes 5 s to start."),
    ],
)
def test_contradicted(sentence: str, source: str) -> None:
    assert "contradicted" in [problem.code for problem in meaning_problems(sentence, source)]


def test_a_contradiction_names_both_values() -> None:
    [problem] = meaning_problems(
        "The meter measures up to 550 mg/dL.", "The meter measures up to 600 mg/dL."
    )
    assert problem.code == "contradicted"
    assert "550" in problem.message
    assert "600" in problem.message


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("The plan shall be reviewed.", "The plan may be reviewed."),
        ("The plan may be reviewed.", "The plan shall be reviewed."),
        ("The plan must be reviewed.", "The plan should be reviewed."),
        ("The plan was reviewed by the lead.", "The plan shall be reviewed by the lead."),
        ("The strip may be used.", "The strip may be used only if the pouch is dry."),
        ("Trained staff may use it.", "Only trained staff may use it."),
        ("The result is shown.", "The result is shown unless the battery is low."),
        ("Call the service centre.", "If the meter is wet, call the service centre."),
        ("Keep the strip in its vial.", "Keep the strip in its vial until use."),
        ("No event was reported.", "No event was reported except mild pain."),
    ],
)
def test_another_duty_or_a_dropped_condition_is_marked(sentence: str, source: str) -> None:
    assert [problem.code for problem in meaning_problems(sentence, source)] == ["modality"]


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        ("Twelve units were dropped.", "Twelve units were dropped, and none of them failed."),
        ("Some of the pumps are heated.", "Some of the pumps are heated and some are not."),
        ("The first lot was dark.", "The first lot was dark, those of the other were not."),
        ("The plan is reviewed.", "The plan is reviewed."),
        ("The plan must be reviewed.", "The plan shall be reviewed."),
        ("The study was repeated.", "The study was repeated, which should help."),
        ("It is not sterile.", "The device is supplied without sterilisation."),
        ("Action A-17 is not closed.", "Action A-17 is open."),
        ("Action A-17 is open.", "Action A-17 was not closed. It is open."),
        ("The meter is not sterile.", "The meter is non-sterile."),
        ("The meter cannot measure lactate.", "The meter does not measure lactate."),
        ("The meter is unable to store results.", "The meter cannot store results."),
        # a denial elsewhere in the source
        (
            "The system measures glucose for self-testing.",
            "The system is not for screening. The system measures glucose for self-testing.",
        ),
        ("The strips are for single use.", "Strips are single-use; do not share the lancets."),
        ("The meter displays results.", "The meter displays results but does not store results."),
        # "No" as an answer and as "number"
        ("Change: minor; Approval: Yes", "Change: minor; Approval: Yes; Training: No"),
        ("Is the device intended for that?", "1. No. 2. Is the device intended for that? No."),
        ("No. examples of tasks: 2", "Task: any; No. examples of tasks: 2"),
        # restrictions reworded
        ("Untrained staff may not use it.", "Only trained staff may use it."),
        # both opposites are there
        ("The lid is open.", "The lid is open when the door is closed."),
        # other numbers beside the one that is stated
        (
            "Level 2 reads 60 mg/dL in blood.",
            "Level 1 reads 30 mg/dL in blood.\nLevel 2 reads 60 mg/dL in blood.",
        ),
        ("The study had 100 users.", "The study had 100 users over 3 weeks in 2 clinics."),
        # shortened, with the condition in other words or of something else
        ("The strip may be used when it is dry.", "The strip may be used only if it is dry."),
        ("Press the button.", "Press the button, and if nothing happens, call the service centre."),
        ("The meter stores results.", "The meter not only stores results but also sends them."),
        ("The label names all uses.", "The label names all uses, including if it is for lay use."),
        # forbidden in other words
        ("Do not wipe the meter.", "Avoid wiping the meter."),
        ("The device is not indicated in neonates.", "The device is contraindicated in neonates."),
        ("The result appears in 5 seconds.", "The result appears within 5 seconds."),
        ("It is for hypoxia and hyperoxia.", "It is for hyperoxia and hypoxia."),
    ],
)
def test_not_marked(sentence: str, source: str) -> None:
    assert meaning_problems(sentence, source) == []


def test_a_sentence_never_contradicts_itself() -> None:
    for text in (
        "Do not use the strips after 3 months, and never above 30 °C, unless they are sealed.",
        "The minimum is 5 and the maximum is 9; no value below or above is valid.",
        "A non-sterile, reusable device shall not be sterilised before, but after, first use.",
    ):
        assert meaning_problems(text, text) == []
