"""What documents can be filtered by."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.retrieval.filters import FilterKey, filter_values
from tests.fakes.ui_documents import device_description, risk_procedure


def test_each_key_has_the_values_that_there_are_once_and_sorted() -> None:
    one, two = device_description().record, risk_procedure().record
    records = (
        replace(one, tags=("clinical", "Bench"), confidentiality="internal"),
        replace(two, tags=("clinical",), confidentiality=" "),
    )
    found = filter_values(records)
    assert found[FilterKey.TAG] == ("Bench", "clinical")
    assert found[FilterKey.CONFIDENTIALITY] == ("internal",)
    assert found[FilterKey.LAYER] == ("initiation", "sops")
    assert found[FilterKey.FOLDER] == (
        "Context",
        "Context/Initiation",
        "Procedures",
        "Procedures/SOPs",
    )
    assert found[FilterKey.DOCUMENT] == (one.file, two.file)
    assert found[FilterKey.AFTER] == ()
