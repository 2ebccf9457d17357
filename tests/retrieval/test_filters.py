from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.documents.model import DocumentMetadata
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import (
    Filter,
    FilterKey,
    allowed_documents,
    document_date,
    parse_filter,
)

RECORD = DocumentRecord(
    document_id=1,
    file="Context/Ongoing/Sub/RM-002-Risk-Table.docx",
    layer=Layer.ONGOING,
    sha256="",
    format="docx",
    title="Risk table",
    category="risk_management",
    kind="report",
    tags=("Clinical", "risk"),
    confidentiality="Internal",
    metadata=DocumentMetadata(
        language="en-US", document_number="RM-002", journal="The Lancet", published="2024-05"
    ),
)


def _allows(*filters: str, record: DocumentRecord = RECORD) -> bool:
    return bool(allowed_documents([parse_filter(each) for each in filters], [record]))


@pytest.mark.parametrize(
    "written",
    [
        "layer=ongoing", "LAYER = Ongoing", "folder=Context/Ongoing", "folder=context/ongoing/sub/",
        "folder=Context\\Ongoing", "document=RM-002-Risk-Table.docx", "document=rm-002",
        "document=Risk table", "document=Context/Ongoing/Sub/RM-002-Risk-Table.docx",
        "document=RM-002-Risk-Table", "format=docx", "format=.DOCX", "kind=Report", "tag=clinical",
        "confidentiality=internal", "language=en", "language=en-us", "journal=the lancet",
        "after=2024", "after=2024-05", "after=2024-05-31", "before=2024", "before=2024-05-01",
        "after=2023-12-31", "before=2025",
    ],
)  # fmt: skip
def test_a_filter_allows(written: str) -> None:
    assert _allows(written)


@pytest.mark.parametrize(
    "written",
    [
        "layer=sops", "folder=Context/Ongo", "folder=Ongoing", "document=RM-00", "format=pdf",
        "kind=repor", "tag=clin", "confidentiality=secret", "language=e", "journal=Lancet",
        "after=2025", "after=2024-06", "before=2023", "before=2024-04-30",
    ],
)  # fmt: skip
def test_a_filter_excludes(written: str) -> None:
    assert not _allows(written)


def test_filters_of_one_key_add_up_and_those_of_several_restrict() -> None:
    assert _allows("format=pdf", "format=docx")
    assert not _allows("format=docx", "kind=standard")
    assert _allows("format=pdf", "format=docx", "kind=report", "tag=none", "tag=risk")
    assert allowed_documents([], [RECORD]) == (RECORD,)


@pytest.mark.parametrize(
    ("metadata", "date"),
    [
        (DocumentMetadata(published="2020", modified="2021-02-03T04:05:06Z"), "2020"),
        (DocumentMetadata(modified="2021-02-03T04:05:06Z", created="2019-01-01"), "2021-02-03"),
        (DocumentMetadata(published="undated", created="2019-1-1"), "2019-1-1"),
        (DocumentMetadata(), ""),
    ],
)
def test_the_date_of_a_document(metadata: DocumentMetadata, date: str) -> None:
    assert document_date(replace(RECORD, metadata=metadata)) == date


def test_what_has_no_date_is_neither_before_nor_after() -> None:
    undated = replace(RECORD, metadata=DocumentMetadata())
    assert not _allows("after=1900", record=undated)
    assert not _allows("before=2100", record=undated)


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("layr=sops", "Did you mean “layer”?"),
        ("", "Possible are layer, folder"),
        ("=x", "Possible are layer, folder"),
        ("xyzzy=1", "Possible are layer, folder"),
        ("kind", "kind=standard"),
        ("kind=  ", "kind=standard"),
        ("layer=sop", "Did you mean “sops”?"),
        ("after=last year", "2024-05-31"),
        ("before=2024-13", "2024-05-31"),
        ("before=2024-01-32", "2024-05-31"),
        ("after=0000", "2024-05-31"),
    ],
)
def test_what_is_not_possible_is_told(written: str, told: str) -> None:
    with pytest.raises(ProjectError) as caught:
        parse_filter(written)
    assert told in caught.value.remedy
    assert caught.value.message


def test_a_filter_that_was_not_parsed_is_checked_too() -> None:
    with pytest.raises(ProjectError, match="not a date"):
        allowed_documents([Filter(FilterKey.AFTER, "soon")], [RECORD])
