"""Who each document of a project speaks of is learnt from its papers."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.subject import Role, Subject, Subjects, subjects_of
from tests.fakes.fake_documents import FakeDocuments, fake_document
from tests.planning.implant_project import (
    IMPLANT,
    MASTER,
    OLD_PLAN,
    OLDER,
    PREDICATE,
    RIVAL,
    STRAY,
    WITHDRAWN,
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


def test_without_a_master_record_nobody_is_a_stranger() -> None:
    documents = FakeDocuments({STRAY: fake_document(["# Requirements", "Device: Airwell RW-11"])})
    assert subjects_of(documents).others == {}


def test_a_type_number_inside_a_name_is_one() -> None:
    master = fake_document(["# Device", "Device Name: Breatha Ventilator RW-300"])
    assert "RW-300" in subjects_of(FakeDocuments({MASTER: master})).device.names


def test_a_paper_that_only_mentions_the_model_before_is_the_devices_own() -> None:
    documents = {
        MASTER: fake_document(["# Device", "Device Name: Breatha 3 ventilator"]),
        "Context/Initiation/needs.md": fake_document(
            ["# User needs", "From 212 complaints on the Breatha 2.", "It shall be quiet."]
        ),
        "Context/Ongoing/field.md": fake_document(["# Breatha 2 in the field", "It was loud."]),
        "Context/Ongoing/usability.md": fake_document(["# Study", "15 nurses took part."]),
    }
    others = subjects_of(FakeDocuments(documents)).others
    assert {file: other.role for file, other in others.items()} == {
        "Context/Ongoing/field.md": Role.PREDECESSOR
    }


def test_a_name_with_a_comma_is_one_unless_another_begins_behind_it() -> None:
    fields = [
        "Models: PU-7 (unit), PN-1",
        "Common name: Dose calculator software, prescription use",
    ]
    made = subjects_of(FakeDocuments({MASTER: fake_document(["# Device", *fields])}))
    assert {"PU-7 (unit)", "PN-1", "Dose calculator software"} <= set(made.device.names)
    assert "prescription use" not in made.device.names


def test_what_a_supplier_certifies_to_the_company_is_no_other_device() -> None:
    fields = ["Device Name: Breatha Ventilator RW-300", "Manufacturer: The Corro Company"]
    product = ["# Certificate", "Product: Round bar, dia 30 h8", "The bar is sound."]
    own, stray = "Context/Ongoing/certificate.txt", "Context/Ongoing/other.txt"
    documents = {
        MASTER: fake_document(["# Device", *fields]),
        own: fake_document([*product, "Customer: Corro, PO 45012"]),
        stray: fake_document(product),
    }
    assert set(subjects_of(FakeDocuments(documents)).others) == {stray}


def test_a_submission_is_known_by_what_its_file_and_its_title_call_the_device() -> None:
    file, other = "Context/Predicates/K201774 Kestrova summary.md", "Context/Predicates/two.md"
    summary = ["# Kestrova Home Monitor", "The monitor is for use at home. Kestrova Ltd made it."]
    two = ["# Two summaries", "# Corkwell Plug", "The two summaries, on each a plug."]
    own = ["# Bench report", "A summary for home use. The Kestrova has a plug."]
    documents = FakeDocuments(
        {
            file: fake_document(summary),
            other: fake_document(two),
            "Context/Ongoing/bench.md": fake_document(own),
        }
    )
    others = subjects_of(documents).others
    assert others[file].names == ("K201774", "Kestrova")
    assert others[other].names == ("Corkwell",)
    assert others[file].is_asked_by("Table: ours / the kestrova / why it does not matter")


def test_a_submission_is_not_called_what_the_device_is() -> None:
    file = "Context/Predicates/K998877 Kestrova against Spinora II of Halden.md"
    lines = ["# Kestrova against Spinora II", "The cage bears 9 kN."]
    master = next(each for each in IMPLANT.documents() if each.file == MASTER)
    documents = FakeDocuments(
        {MASTER: IMPLANT.parsed(master.document_id), file: fake_document(lines)}
    )
    assert subjects_of(documents).others[file].names == ("K998877", "Kestrova")


def test_a_word_of_a_trade_name_is_no_name_of_a_column() -> None:
    subject = Subject(Role.PREDICATE, ("K231192", "Kestrova Home Max", "Kestrova"))
    assert subject.whole_names == ("K231192", "Kestrova Home Max")
    assert Subject(Role.PREDICATE, ("Solvane",)).whole_names == ("Solvane",)


def test_a_heading_that_names_another_device_is_on_it(subjects: Subjects) -> None:
    other = subjects.of_headings(("Bench tests", "Results of the predecessor"))
    assert other is not None
    assert other.role is Role.PREDECESSOR
    assert subjects.of_headings(("Results of the Spinora II and its predecessor",)) is None
