"""Which names in a request are those of a device, and what of the request is on it."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.features import is_of_another_language
from phasergun_desktop.planning.needs import Need, Request
from phasergun_desktop.planning.unknown_devices import unknown_devices
from phasergun_desktop.retrieval.model import SearchScope

KNOWN = frozenset("the fda iso 10993-1 warmer-100 testing battery of summary".split())  # noqa: SIM905


def request(*queries: str, title: str = "") -> Request:
    needs = [Need(f"n{i}", q, 0, len(q), q, SearchScope()) for i, q in enumerate(queries, 1)]
    return Request(tuple(needs), " ".join(queries), 700, title=title)


def found(*queries: str, title: str = "") -> dict[str, tuple[str, ...]]:
    made = request(*queries, title=title)
    is_foreign = is_of_another_language(made.topic, lambda word: [_is_known(word)], 100)
    names = unknown_devices(
        made, _is_known, lambda text: "WARMER-100" in text, is_foreign=is_foreign
    )
    return dict(names)


def _is_known(word: str) -> bool:
    return all(part in KNOWN for part in word.casefold().split())


@pytest.mark.parametrize(
    ("query", "name"),
    [
        ("Describe the GlucoTrace for the reviewer", "GlucoTrace"),
        ("the alarm of CPX-M2", "CPX-M2"),
        ("the alarm of the Corvane PX", "Corvane PX"),
        ("Corvane PX Oxygenator System", "Corvane PX Oxygenator System"),
        ("Beschreiben Sie das GlucoTrace G2", "GlucoTrace G2"),
    ],
)
def test_a_name_that_no_document_has_is_told(query: str, name: str) -> None:
    assert found(query) == {"n1": (name,)}


@pytest.mark.parametrize(
    "query",
    [
        "Describe the WARMER-100",
        "Compare the WARMER-100 with the AeroMist N3",
        "compare with K231192",
        "Cytotoxicity Testing and Pyrogenicity Summary",
        "the content of the SBOM, EUDAMED registration",
        "Describe SBOM contents",
        "Explain SBOM contents",
        "RISK MANAGEMENT PLAN",
        "MDR Annex XIV",
        "Beschreiben Sie EMV und Risiken",
        "testing to ISO10993-1, EN60601-1 and FDA guidance V2.1 of Q3 2026",
        "dose in kGy, pressure in cmH2O, SpO2, CO2, HbA1c, H2O",
        "Describe USB-C and IP22, UTF-8",
        "Die Gefährdungssituationen und der Nutzen",
        f"A{'aA' * 20_000}/",
    ],
)
def test_terms_standards_units_and_versions_are_no_devices(query: str) -> None:
    assert found(query) == {}


def test_what_title_and_first_need_name_with_its_model_all_the_others_are_on() -> None:
    assert set(found("Describe the AeroMist N3", "power", "storage")) == {"n1", "n2", "n3"}
    assert set(found("power", "storage", title="AeroMist N3: description")) == {"n1", "n2"}
    assert set(found("power", "what the AeroMist N3 has instead", "storage")) == {"n2"}
    assert found() == {}


def test_a_brand_or_number_alone_is_missed_where_it_is_asked_for() -> None:
    assert found("what VP-0042 says", "weight") == {"n1": ("VP-0042",)}
    assert found("weight", title="Drop Test Protocol VP-0042") == {}
    assert set(found("records in MedWatch", "weight")) == {"n1"}
