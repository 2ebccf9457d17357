"""A value of another device is never read for the device that was asked about."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.answering.comparing.devices import files_of_other_devices
from phasergun_desktop.index.records import Chunk
from tests.fakes.fake_documents import FakeDocuments, fake_document

_REVIEW = "Context/Predicates/K233058.md"
_COMPARISON = "Context/Predicates/Comparison.md"


class _Documents(FakeDocuments):
    def chunks(self, document_id: int) -> Sequence[Chunk]:
        del document_id
        return ()


def _documents() -> _Documents:
    return _Documents(
        {
            "Context/Project-Master-Record.docx": fake_document(
                ["Project Overview:", "Device Name: GlucoTrace G2 Blood Glucose System"]
            ),
            _REVIEW: fake_document(
                ["# Review", "The blood glucose meter has a battery of 800 mAh."]
            ),
            _COMPARISON: fake_document(["# Comparison", "GlucoTrace G2 against K233058."]),
        }
    )


def test_documents_without_the_devices_name_are_left_out() -> None:
    query = "What is the battery capacity of GlucoTrace G2 in mAh?"
    assert files_of_other_devices(query, _documents()) == {_REVIEW}


def test_a_query_that_names_no_device_leaves_nothing_out() -> None:
    assert files_of_other_devices("What is the battery capacity of K233058?", _documents()) == set()


def test_common_words_of_the_name_leave_nothing_out() -> None:
    assert files_of_other_devices("Which blood glucose meters exist?", _documents()) == set()
