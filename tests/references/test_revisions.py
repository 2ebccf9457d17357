"""Which documents are not in force any more, by their names and numbers."""

from __future__ import annotations

import pytest

from phasergun_desktop.references.revisions import (
    is_named_superseded,
    newer_versions,
    revision_named,
    says_superseded,
)
from tests.fakes.fake_documents import FakeDocuments, fake_document


@pytest.mark.parametrize(
    ("file", "base", "revision"),
    [
        ("Context/Ongoing/DDP-Phase1-V1.10.docx", "ddp phase1", "1.10"),
        ("STB-077_rev_A_Stability.md", "stb 077 stability", "A"),
        ("TR-014_revB_SUPERSEDED_Wear.md", "tr 014 wear", "B"),
        ("[SUPERSEDED] TR-0447 Rev. a Flow.md", "tr 0447 flow", "A"),
        ("TR-014 (Rev B).md", "tr 014", "B"),
        ("Design-issue-3.md", "design issue 3", ""),
        ("Known-revs_A_vs_B.md", "known revs a vs b", ""),
        ("RMF-001_v7_Risk_File.md", "rmf 001 risk file", "7"),
        ("TR-0447 Rev A Flow SUPERSEDED.txt", "tr 0447 flow", "A"),
        ("CLR-031 Rev 01 Report (SUPERSEDED).md", "clr 031 report", "01"),
        ("K182640_CompaSter-V2_Summary.md", "k182640 compaster v2 summary", ""),
        ("DRM-4_Design_Review_4_Minutes.txt", "drm 4 design review 4 minutes", ""),
    ],
)
def test_a_revision_is_read_wherever_it_stands_in_a_name(
    file: str, base: str, revision: str
) -> None:
    assert revision_named(file) == (base, revision)


def test_the_newest_of_several_revisions_is_found() -> None:
    names = [
        "Context/Ongoing/TR-9_revA_Wear.md",
        "Context/Ongoing/TR-9_revC_Wear.md",
        "Context/Ongoing/TR-9_revB_Wear.md",
        "Context/Ongoing/TR-9_rev4_Wear.md",
        "Context/Predicates/TR-9_revD_Wear.md",
        "Context/Ongoing/TR-8_revD_Wear.md",
    ]
    records = FakeDocuments({name: fake_document(["# Wear", "9 N."]) for name in names}).documents()
    found = newer_versions(records)
    newest = [found.get(record.file) for record in records]
    assert [each and each.file[-12:] for each in newest] == [
        "revC_Wear.md",
        None,
        "revC_Wear.md",
        None,
        None,
        None,
    ]


def test_one_that_is_withdrawn_supersedes_nothing() -> None:
    names = ["Procedures/SOPs/SOP-4_rev_B.md", "Procedures/SOPs/SOP-4_rev_C_WITHDRAWN.md"]
    records = FakeDocuments({name: fake_document(["# Rules", "Do it."]) for name in names})
    assert newer_versions(records.documents()) == {}


@pytest.mark.parametrize(
    ("file", "is_named"),
    [
        ("Context/Ongoing/TR-014_RevA_Wear_SUPERSEDED.md", True),
        ("Context/Ongoing/TR-014_SUPERSEDED_Wear.md", True),
        ("Context/Ongoing/SUPERSEDED TR-014.md", True),
        ("Context/Ongoing/TR-014 (withdrawn).md", True),
        ("Context/Initiation/DD-210 Description rev A (old).md", True),
        ("Context/Ongoing/TR-014 wear superseded.md", True),
        ("Context/Ongoing/TR-014 REV A FLOW SUPERSEDED.md", True),
        ("Context/Ongoing/TR-08_OLD_Power_fail.md", True),
        ("Context/Ongoing/OLD-Stem-Fatigue.md", True),
        ("Context/Ongoing/Old-Stem-Fatigue.md", True),
        ("Context/Ongoing/TR-309-Endurance-old.txt", True),
        ("Context/Ongoing/KR-T-09_Old_recipe_2024.md", False),
        ("Context/Ongoing/RE-323 Bridging old and new head.md", False),
        ("Context/Ongoing/Threshold.md", False),
        ("Procedures/SOPs/SOP-4_Superseded-documents.md", False),
        ("Procedures/SOPs/SOP-12_CONTROL_OF_OBSOLETE_DOCUMENTS.md", False),
        ("Context/Ongoing/CIP-03_Subjects_Withdrawn.md", False),
    ],
)
def test_a_name_says_that_a_document_is_not_in_force(file: str, *, is_named: bool) -> None:
    assert is_named_superseded(file) is is_named


@pytest.mark.parametrize(
    ("text", "is_said"),
    [
        ("Trials of prototype B (SUPERSEDED by KM-7)\n\nKept for the file.", True),
        ("TR-11 rev 1   *** OBSOLETE - replaced by TR-21 ***\nTen ports.", True),
        ("B-108 Bench report - WITHDRAWN, see B-55\nEight units.", True),
        ("The first stem (superseded)\nSix stems.", True),
        ("Air sensor\nTR-126, May 2023. Superseded by TR-214. For history only.\nIt stops.", True),
        ("Fatigue\nMT-19, 4 October. Replaced by MT-41. Do not cite.\nSix stems.", True),
        ("Needs\nThe petition is not wanted. Replaced by notch.\nIt holds.", False),
        ("Subjects enrolled, excluded, withdrawn\nSixty.", False),
        ("Subjects withdrawn from the study\nFour of them.", False),
        ("CONTROL OF OBSOLETE DOCUMENTS\nThey are kept apart.", False),
        # Both revisions in one file: the second is in force.
        ("BT-6 Particles, revision A (SUPERSEDED)\nTen.\nBT-6 Particles, revision B\nTen.", False),
    ],
)
def test_a_title_says_that_a_document_is_not_in_force(text: str, *, is_said: bool) -> None:
    assert (says_superseded(text) is not None) is is_said
