"""What prompts in the shapes that people type ask for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.planning.form_words import without_joining_words, without_remarks_on_form
from phasergun_desktop.planning.needs import (
    MOST_NEEDS,
    Request,
    read_request,
)
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document


def request(prompt: str, title: str = "") -> Request:
    return read_request(PromptResolver(FakeDocuments({})).resolve(prompt), title)


def queries(prompt: str, title: str = "") -> list[str]:
    return [need.query for need in request(prompt, title).needs]


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "MR safety of the monitor: field strength, distance from the bore, standard.",
            [
                "MR safety of the monitor: field strength",
                "MR safety of the monitor: distance from the bore",
                "MR safety of the monitor: standard",
            ],
        ),
        (
            "Write the section. It must contain\n1. what it is for\n2. key data: flow, prime",
            ["what it is for", "key data: flow", "key data: prime"],
        ),
        ("which standard, what broke, are the seals ok", ["which standard", "what broke"]),
        ("Open points (who, what, until when). Not the closed ones.", ["Open points (who, what"]),
        ("Alarms; batteries", ["Alarms", "batteries"]),
        ("<<mains, fuse, battery>>\n> [Describe the lamp]", ["mains", "fuse", "battery", "lamp"]),
        (
            "By our own procedure, when may a limit be altered, and who signs?",
            ["By our own procedure, when may a limit be altered, and who signs?"],
        ),
        ("Beschreiben Sie die Alarme. Welche Grenzen gelten?", ["Beschreiben Sie die Alarme"]),
    ],
)
def test_a_prompt_is_cut_by_its_punctuation_and_layout(prompt: str, expected: list[str]) -> None:
    found = queries(prompt)
    for wanted, query in zip(expected, found, strict=False):
        assert query.startswith(wanted)
    assert len(found) >= len(expected)


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("Based on TR-1 and TR-2 only, describe the pump and the cart", ["pump and the cart"]),
        ("From TR-1, the pump, the cart", ["the pump", "the cart"]),
        ("From TR-1, how is it cleaned, and who may do it?", ["how is it", "who may do it?"]),
        ("Based on TR-1 only: the failed tests, their cause", ["the failed tests", "their cause"]),
        ("only from TR-1: when, and who saw it?", ["when", "who saw it?"]),
    ],
)
def test_the_source_that_a_prompt_opens_with_is_no_item_of_a_list(
    prompt: str, expected: list[str]
) -> None:
    files = ("Context/Ongoing/TR-1 Bench.md", "Context/Ongoing/TR-2 Bench.md")
    resolver = PromptResolver(FakeDocuments({file: fake_document(["# T"]) for file in files}))
    found = [need.query for need in read_request(resolver.resolve(prompt)).needs]
    assert len(found) == len(expected)
    for wanted, query in zip(expected, found, strict=True):
        assert query.startswith(wanted)


def test_what_is_left_beside_an_exclusion_asks_for_nothing() -> None:
    prompt = "Alarm limits, the design measures and the evidence, but nothing about the old pump"
    assert queries(prompt) == ["Alarm limits", "the design measures and the evidence"]
    assert queries("Why was it left, the first plan, in May?")[-1] == "in May?"
    assert queries("Clinical evidence: do we have any?") == ["Clinical evidence: do we have any?"]
    assert queries("Open actions, who and until when")[-1] == "until when"


def test_what_is_said_of_the_form_asks_for_nothing() -> None:
    asked = queries("Describe the alarm limits. One page at most, factual. No table, no headings.")
    assert asked == ["alarm limits"]


def test_a_prompt_of_remarks_alone_asks_for_what_they_say() -> None:
    assert queries("Write a short text.") == ["Write a short text"]


def test_the_name_of_the_section_is_no_need_beside_others() -> None:
    prompt = "Write the Device Description section. It must contain\n- weight\n- display"
    assert queries(prompt, "Device Description") == ["weight", "display"]


@pytest.mark.parametrize(
    ("before", "left"),
    [
        ("What was promised from", "What was promised "),
        ("how risk is managed according to", "how risk is managed "),
        ("the section on the basis of", "the section "),
        ("alarms, based on", "alarms, "),
        ("in accordance with", ""),
        ("Based on", ""),
        ("the follow-up", "the follow-up"),
    ],
)
def test_what_leads_to_a_source_asks_for_nothing(before: str, left: str) -> None:
    assert without_joining_words(before).strip() == left.strip()


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("Write the device description for the 510(k), half a page", "device description"),
        ("Write the Device Description section", "Device Description"),
        ("Summarise the performance testing for the 510(k)", "performance testing"),
        ("Draft the executive summary of the 510(k) submission", "executive summary"),
        ("instructions for use", "instructions for use"),
        ("What is the shelf life", "What is the shelf life"),
        ("how gently it treats blood", "how gently it treats blood"),
        ("The 510(k)", "The 510(k)"),
        ("one page", "one page"),
        ("Write a short text", "Write a short text"),
    ],
)
def test_what_is_said_of_the_text_is_not_searched_for(said: str, asked: str) -> None:
    assert without_remarks_on_form(said) == asked
    assert queries(f"{said}.") == [asked]


def test_what_stands_before_a_colon_is_the_topic_of_its_parts() -> None:
    needs = request("Alarm of the heater: limit, sound level, delay.").needs
    assert [need.part for need in needs] == ["limit", "sound level", "delay"]
    assert needs[0].query == "Alarm of the heater: limit"
    assert queries("Alarm of the heater, half a page: limit")[0] == "Alarm of the heater: limit"
    # A word on form is no topic, and what has no label is whole.
    assert [need.part for need in request("Write in short: the limit.").needs] == [""]
    assert [need.part for need in request("Describe the limit.").needs] == [""]


def test_a_blank_of_a_form_asks_for_what_stands_before_it() -> None:
    prompt = "Fill in:\nAnimals lost: ____\nReason: ______ (if any)\nDefect: bone\nTime: ...."
    needs = request(prompt).needs
    assert [need.query for need in needs] == ["Animals lost", "Reason", "Defect: bone", "Time"]
    assert [need.quote for need in needs] == ["Animals lost", "Reason", "bone", "Time"]


def test_a_line_before_a_list_asks_for_what_the_list_does() -> None:
    assert queries("Cover:\n1. alarm limits\n2. battery life") == ["alarm limits", "battery life"]
    assert queries("Alarm system:\nno marketing words in it")[0] == "Alarm system"


def test_a_heading_belongs_to_the_need_behind_it_or_asks_itself() -> None:
    needs = request("# Alarms\nState the limits of the pump.\n\n# Batteries").needs
    assert [(need.heading, need.query) for need in needs] == [
        ("Alarms", "limits of the pump"),
        ("Batteries", "Batteries"),
    ]


def test_a_german_remark_on_form_asks_for_nothing() -> None:
    asked = "Welche Alarme gibt es? Bitte als kurze Zusammenfassung auf Deutsch, in 80 Wörtern."
    assert queries(asked) == ["Welche Alarme gibt es?"]


def test_lines_with_numbers_of_sections_are_headings_and_ask_for_themselves() -> None:
    needs = request("Write it.\n\n14.1 Alarms, limits, delay\n14.2 Batteries\n").needs
    assert [(need.heading, need.query) for need in needs] == [
        ("14.1 Alarms", "Alarms"),
        ("", "limits"),
        ("", "delay"),
        ("14.2 Batteries", "Batteries"),
    ]
    needs = request("14.1 Scope\n14.2 Sterilisation: method, cycle, validation").needs
    assert [need.heading for need in needs] == ["14.1 Scope", "14.2 Sterilisation", "", ""]
    needs = request("1.5 T scanners: the limit\n3.0 mm lead: the load").needs
    assert [need.heading for need in needs] == ["", ""]
    [need, *_] = request("3.5 mm needles\nand their limits").needs
    assert need.query.startswith("3.5 mm")
    fields = request("Fill in:\n3.1 Waveform: ____\n3.2 Field: ____").needs
    assert [(need.heading, need.query) for need in fields] == [("", "Waveform"), ("", "Field")]


def test_an_item_that_has_items_of_its_own_is_a_heading_of_theirs() -> None:
    needs = request("1. Alarms:\n   - limit\n   - delay\n2. Batteries\n   - life\n3. Mass").needs
    assert [(need.heading, need.query) for need in needs] == [
        ("Alarms", "limit"),
        ("", "delay"),
        ("Batteries", "life"),
        ("Mass", "Mass"),
    ]


@pytest.mark.parametrize(
    ("prompt", "words"),
    [
        ("Describe the alarm.", 700),
        ("max. 120 words. intended use, population, Rx/OTC", 120),
        ("Summarise the EMC testing in at most 100 words.", 100),
        ("Beschreiben Sie den Alarm in höchstens 80 Wörtern.", 80),
        ("Describe the alarm in two sentences; the battery in one sentence.", 700),
        ("Describe the alarm, then one sentence what the test found", 700),
        ("Two paragraphs on how gently it treats blood. No table.", 240),
        ("Bitte einen Abschnitt verfassen (ca. 150 Wörter): Welche Alarme gibt es?", 150),
        ("Accuracy - one sentence on the method, table over all points, limits", 700),
        ("Welche Alarme gibt es? Bitte als kurze Zusammenfassung, höchstens 80 Wörter.", 80),
        ("Summary\n- alarms\n- roles\nBullets, one or two lines each.", 90),
        ("Risk summary, about 400 words: process, what is still open", 400),
        ("Labels: one line on the pouch, one on the carton", 700),
    ],
)
def test_the_length_of_the_whole_is_told_from_that_of_a_part(prompt: str, words: int) -> None:
    assert request(prompt).words == words


def test_what_is_beyond_the_most_needs_is_named() -> None:
    made = request("\n".join(f"- value of part {number}" for number in range(MOST_NEEDS + 3)))
    assert len(made.needs) == MOST_NEEDS
    assert [need.quote for need in made.left_out] == [
        f"value of part {number}" for number in range(MOST_NEEDS, MOST_NEEDS + 3)
    ]


@pytest.mark.parametrize(
    ("prompt", "title"),
    [
        ("Write the Device Description section.", "Device Description"),
        ("Write the Description section: alarm of the heater, weight.", "Description"),
        ("Summarise the sheep study for section 20: animals, hours.", ""),
        ("# Risk summary\n\n## Hazards\n\n## Controls", "Risk summary"),
        ("# Hazards\nList the hazards of the pump.", ""),
        ("Describe the alarm of the heater.", ""),
    ],
)
def test_the_name_of_the_section_is_its_title(prompt: str, title: str) -> None:
    assert request(prompt).title == title


def test_a_list_of_sections_asks_for_each_under_its_heading() -> None:
    made = request("Draft the Purpose, Scope and Approval sections of the test plan.")
    assert [need.heading for need in made.needs] == ["Purpose", "Scope", "Approval"]
    assert [need.query for need in made.needs] == [
        "Purpose sections of the test plan",
        "Scope sections of the test plan",
        "Approval sections of the test plan",
    ]


def test_two_sections_are_two_headings() -> None:
    made = request("Write the Sound and Alarm sections on the heater.")
    assert [need.heading for need in made.needs] == ["Sound", "Alarm"]
    assert made.title == ""


def test_a_value_alone_is_stated_word_for_word() -> None:
    text = ["# Device Information", "Device Name: Heater H1", "Software Level: Level B"]
    resolver = PromptResolver(
        FakeDocuments({"Context/Project-Master-Record.docx": fake_document(text)})
    )
    prompt = (
        "State the software level: [Master Record|Software Level].\n"
        "Describe the alarm of [Master Record|Device Name]."
    )
    level, alarm = read_request(resolver.resolve(prompt)).needs
    assert level.value is not None
    assert level.value.text == "Level B"
    assert level.label == "State the software level"
    assert alarm.value is None
    assert alarm.query == "alarm of Heater H1"


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        ("How loud is the alarm?", [True]),
        ("警报有多响？", [True]),
        ("Describe the alarm. How loud is it?", [False, True]),
        ("Describe how loud the alarm is.", [False]),
    ],
)
def test_a_need_that_ends_with_a_question_mark_is_a_question(
    prompt: str, expected: list[bool]
) -> None:
    assert [need.is_question for need in request(prompt).needs] == expected


def test_a_field_at_the_end_is_all_that_its_sentence_wants() -> None:
    documents = {"Bootstrap/Plan.docx": fake_document(["SOFTWARE_LEVEL: Level B"])}
    prompt = "State the level of the software, [Doc|Plan|SOFTWARE_LEVEL]. Describe the alarm."
    level, alarm = read_request(PromptResolver(FakeDocuments(documents)).resolve(prompt)).needs
    assert level.value is not None
    assert (level.label, level.value.text) == ("State the level of the software", "Level B")
    assert alarm.value is None


def test_a_record_of_which_only_a_value_is_taken_is_no_source() -> None:
    record, paper = "Context/Project-Master-Record.docx", "Context/Initiation/Paper.docx"
    text = ["# Device Information", "Device Name: Heater H1"]
    documents = {record: fake_document(text), paper: fake_document(["# Paper", "It is loud."])}
    named = (
        "Describe the alarm of [Master Record|Device Name]. Use [Context|Initiation|Paper.docx]."
    )
    resolver = PromptResolver(FakeDocuments(documents))
    [need] = read_request(resolver.resolve(named)).needs
    assert need.scope.files == {paper}


def test_a_value_that_a_prompt_opens_with_is_an_item_of_its_list() -> None:
    record = "Context/Project-Master-Record.docx"
    text = ["# Device Information", "Sterile: No"]
    resolver = PromptResolver(FakeDocuments({record: fake_document(text)}))
    found = read_request(resolver.resolve("[Master Record|Sterile], the pump, the cart")).needs
    assert [need.value is not None for need in found] == [True, False, False]


@pytest.mark.parametrize(
    ("prompt", "query"),
    [
        ("What does the alarm say from Paper.docx?", "What does the alarm say?"),
        ("List the limits in Paper.docx with their units", "limits with their units"),
        ("Alarms per [Context|Initiation|Paper.docx], loudest first", "Alarms, loudest first"),
        ("State the follow-up Paper.docx", "follow-up"),
    ],
)
def test_the_word_that_joins_a_source_is_not_searched_for(prompt: str, query: str) -> None:
    documents = {"Context/Initiation/Paper.docx": fake_document(["# Paper", "It is loud."])}
    need = read_request(PromptResolver(FakeDocuments(documents)).resolve(prompt)).needs[0]
    assert need.query.startswith(query)


@given(st.text(alphabet="ab, .:;?!\n-#()1[]|@é", max_size=120))
def test_every_need_quotes_the_prompt(prompt: str) -> None:
    for need in request(prompt).needs:
        assert prompt[need.start : need.end] == need.quote
        assert need.quote.strip()


@pytest.mark.parametrize(
    ("prompt", "expected"),
    [
        (
            "State the intended use, the strip chemistry and the list price.",
            ["intended use", "the strip chemistry", "the list price"],
        ),
        (
            "Figures for the 10 mL at windows of 2, 5 and 11 min",
            ["Figures for the 10 mL at windows of 2, 5 and 11 min"],
        ),
        (
            "EMC, battery and transport tests in one section",
            ["EMC", "battery", "transport tests in one"],
        ),
    ],
)
def test_the_last_two_of_a_list_need_no_comma_between_them(
    prompt: str, expected: list[str]
) -> None:
    assert queries(prompt) == expected
