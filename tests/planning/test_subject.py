"""A need gets what is stated of the device, and of another subject only where it asks for it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.unit_index import UnitTable
from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.pool import Pool, PooledUnit
from phasergun_desktop.planning.subject import (
    Role,
    Subjects,
    subjects_of,
    without_other_headings,
    without_other_subjects,
    without_own_names,
)
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document

MASTER = "Context/Project-Master-Record.docx"
PREDICATE = "Context/Predicates/K998877-Summary.md"
OWN = "Context/Initiation/Description.md"
BENCH = "Context/Ongoing/TR-310-Compression.md"
OLDER = "Context/Ongoing/TR-120-Compression.md"
OLD_PLAN = "Context/Ongoing/Test-Plan-V1.docx"
NEW_PLAN = "Context/Ongoing/Test-Plan-V2.docx"
WITHDRAWN = "Context/Ongoing/Prototype-Memo.md"
RIVAL = "Context/Initiation/Market.md"
STRAY = "Context/Initiation/pump_requirements.md"
AGAINST = "Context/Ongoing/Comparison-K998877.md"
SHORT = "Context/Initiation/User-Needs.md"


def _submission(number: str, lines: list[str]) -> ParsedDocument:
    document = fake_document(lines)
    return replace(document, metadata=replace(document.metadata, k_number=number))


IMPLANT = FakeDocuments(
    {
        MASTER: fake_document(
            [
                "# Project",
                "Device Name: Spinora II Lumbar Cage",
                "Models: SPC-210, SPC-220",
                "Manufacturer: Halden Spine",
                "# Regulatory",
                "Predicate Device: K998877",
            ]
        ),
        PREDICATE: _submission("K998877", ["# 510(k) summary", "The cage bears 9 kN."]),
        OWN: fake_document(["# Spinora II Lumbar Cage", "The cage is made of PEEK."]),
        BENCH: fake_document(
            [
                "# TR-310: compression of SPC-210",
                "The cage bears 12 kN.",
                "# Results of the predecessor",
                "It bore 8 kN.",
                "The Spinora II bears more.",
            ]
        ),
        OLDER: fake_document(["# TR-120: compression of Spinora I", "The cage bears 8 kN."]),
        OLD_PLAN: fake_document(["# Test plan", "Spinora II: five cages are tested."]),
        NEW_PLAN: fake_document(["# Test plan", "Spinora II: six cages are tested."]),
        WITHDRAWN: fake_document(["# Memo", "Status: withdrawn", "SPC-210 bears 20 kN."]),
        RIVAL: fake_document(["# Competitors", "Product: OrthoLift 300", "It bears 15 kN."]),
        STRAY: fake_document(
            ["# Requirements", *("RW-11 The pump delivers 5 L/min." for _ in range(80))]
        ),
        AGAINST: _submission("K998877", ["# Spinora II against K998877", "Both are of PEEK."]),
        SHORT: fake_document(["# User needs", "The surgeon sees the cage in X-ray."]),
    }
)


@pytest.fixture(scope="module")
def subjects() -> Subjects:
    return subjects_of(IMPLANT)


def test_who_a_document_speaks_of_is_learnt_from_the_project(subjects: Subjects) -> None:
    roles = {file: subject.role for file, subject in subjects.others.items()}
    assert roles == {
        PREDICATE: Role.PREDICATE,
        OLDER: Role.PREDECESSOR,
        OLD_PLAN: Role.SUPERSEDED,
        WITHDRAWN: Role.SUPERSEDED,
        RIVAL: Role.OTHER,
        STRAY: Role.OTHER,
    }
    assert subjects.predicates == ("K998877",)
    assert subjects.of_file(OLDER).names == ("Spinora I",)


def test_the_title_of_a_superseded_paper_does_not_exclude_the_one_in_force(
    subjects: Subjects,
) -> None:
    assert subjects.of_headings(("Test plan", "Memo on the test plan")) is None


def _allowed(prompt: str, subjects: Subjects) -> set[str]:
    request = read_request(PromptResolver(IMPLANT).resolve(prompt))
    [need, *_] = without_other_subjects(request, prompt, subjects).needs
    return {r.file for r in IMPLANT.documents() if need.scope.allows(r.file, r.layer)}


@pytest.mark.parametrize(
    ("prompt", "others"),
    [
        ("Which load does the cage bear?", set()),
        ("Compare the load with that of the predicate.", {PREDICATE}),
        ("Which load does K998877 bear?", {PREDICATE}),
        ("The load of the predecessor.", {OLDER}),
        ("What does the Spinora I bear?", {OLDER}),
        ("Loads that competitors state.", {RIVAL, STRAY}),
        ("What did the withdrawn memo say?", {WITHDRAWN, OLD_PLAN}),
        ("Summarise the memo.", {WITHDRAWN}),
        ("Summarise the test plan.", set()),
        ("Welche Last trägt das Prädikat?", {PREDICATE}),
    ],
)
def test_only_who_asks_for_a_subject_gets_it(
    prompt: str, others: set[str], subjects: Subjects
) -> None:
    assert _allowed(prompt, subjects) == {MASTER, OWN, BENCH, NEW_PLAN, AGAINST, SHORT} | others


def test_the_devices_own_name_is_not_searched_for(subjects: Subjects) -> None:
    name = next(each for each in subjects.device.names if " " in each)
    request = read_request(PromptResolver(IMPLANT).resolve(f"The load that {name} bears; {name}"))
    load, alone = without_own_names(request, subjects.device).needs
    assert load.query == "load that bears"
    assert alone.query == name


def test_a_document_that_the_prompt_names_is_read_whoever_it_speaks_of(subjects: Subjects) -> None:
    assert OLDER in _allowed(f"The load [Context|Ongoing|{OLDER.rsplit('/', 1)[1]}]", subjects)
    assert PREDICATE in _allowed("The load. Use @predicates.", subjects)
    assert STRAY not in _allowed("The load. Sources: @initiation", subjects)


def test_an_item_asks_for_what_the_line_above_the_list_names(subjects: Subjects) -> None:
    prompt = "Of our cage:\n- load\n- material\n\nOf the predicate:\n- load"
    request = without_other_subjects(
        read_request(PromptResolver(IMPLANT).resolve(prompt)), prompt, subjects
    )
    loads = [need for need in request.needs if need.quote == "load"]
    assert [each.scope.allows(PREDICATE, Layer.PREDICATES) for each in loads] == [False, True]


def test_a_unit_under_a_heading_on_another_device_is_no_evidence(subjects: Subjects) -> None:
    record = next(each for each in IMPLANT.documents() if each.file == BENCH)
    blocks = IMPLANT.parsed(record.document_id).blocks
    units = tuple(
        PooledUnit(place, record.document_id, block.start, block.end, place, 1.0, 1.0)
        for place, block in enumerate(blocks)
        if not block.level
    )
    no = np.zeros(0, dtype=np.int64)
    vectors = (np.zeros((0, 0), np.int8), np.zeros(0, np.float32))
    table = UnitTable(no, no, no, no, no, no, no, *vectors)

    def kept(prompt: str) -> list[str]:
        request = read_request(PromptResolver(IMPLANT).resolve(prompt))
        pool = Pool(table, {need.need_id: units for need in request.needs})
        left = without_other_headings(pool, request, prompt, subjects, IMPLANT)
        text = IMPLANT.parsed(record.document_id).text
        return [text[u.start : u.end] for u in left.of_need[request.needs[0].need_id]]

    own = ["The cage bears 12 kN.", "The Spinora II bears more."]
    assert kept("Which load does the cage bear?") == own
    assert len(kept("How does the load differ from that of the predecessor?")) == len(units)
    assert len(units) == len(own) + 1


def test_without_a_master_record_nobody_is_a_stranger() -> None:
    documents = FakeDocuments({STRAY: fake_document(["# Requirements", "word " * 500])})
    assert subjects_of(documents).others == {}


LONG = ["The pressure is held within 2 cmH2O." for _ in range(60)]


def test_papers_that_call_the_device_by_its_type_number_or_its_kind_are_its_own() -> None:
    made = subjects_of(
        FakeDocuments(
            {
                MASTER: fake_document(["# Device", "Device Name: Breatha Ventilator RW-300"]),
                "Context/General/guidance.md": fake_document(["# Guidance", "A system."]),
                "Context/Ongoing/bench.md": fake_document(["# Test of the RW-300", *LONG]),
                "Context/Initiation/kind.md": fake_document(["# For the ventilator", *LONG]),
                **{f"Context/Ongoing/{n}.md": fake_document(["# RW-300"]) for n in range(9)},
            }
        )
    )
    assert "RW-300" in made.device.names
    assert made.others == {}


@pytest.mark.parametrize(("own", "strangers", "found"), [(6, 1, 1), (6, 2, 0), (1, 1, 0)])
def test_a_paper_is_a_strangers_only_as_the_exception(own: int, strangers: int, found: int) -> None:
    documents = {MASTER: fake_document(["# Device", "Device Name: Breatha Ventilator RW-300"])}
    for number in range(own):
        documents[f"Context/Ongoing/TR-{number}.md"] = fake_document(["# Test of the RW-300"])
    for number in range(strangers):
        documents[f"Context/Ongoing/stray-{number}.md"] = fake_document(["# Pump", *LONG])
    assert len(subjects_of(FakeDocuments(documents)).others) == found


def test_a_word_of_the_name_that_every_paper_has_links_nothing() -> None:
    documents = {
        MASTER: fake_document(["# Device", "Device Name: Breatha RW-300 System"]),
        "Context/General/guidance.md": fake_document(["# Guidance", "A system for patients."]),
        "Context/Ongoing/stray.md": fake_document(["# Pump", "The system pumps.", *LONG]),
    }
    for number in range(7):
        documents[f"Context/Ongoing/TR-{number}.md"] = fake_document(["# Test of the RW-300"])
    assert set(subjects_of(FakeDocuments(documents)).others) == {"Context/Ongoing/stray.md"}
