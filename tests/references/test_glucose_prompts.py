"""The five prompts of the glucose project, against its real documents."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.projects.categories import load_categories
from phasergun_desktop.projects.convention import FolderConvention, classify
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED
from phasergun_desktop.references.model import Resolution
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import SearchScope
from tests.fakes.fake_documents import FakeDocuments

RECORD = "Context/Project-Master-Record.docx"
BOOTSTRAP = "Bootstrap/DDP-Bootstrap-Phase1-V1.2.docx"
DESIGN = "Procedures/SOPs/CSC-PR-001-Design-and-Development.docx"
RISK = "Procedures/SOPs/SOP-003-risk-management.docx"
DEVICE = "GlucoTrace G2 Blood Glucose Monitoring System"


@pytest.fixture(scope="module")
def files(test_data: Path) -> dict[str, ParsedDocument]:
    root = test_data / "project-glucose"
    found = {}
    for path in sorted([*root.rglob("*.docx"), *root.rglob("*.md")]):
        file = path.relative_to(root).as_posix()
        if classify(PurePosixPath(file), FolderConvention.TREE).layer is not None:
            found[file] = parse_file(path)
    return found


@pytest.fixture
def documents(test_data: Path, files: dict[str, ParsedDocument]) -> FakeDocuments:
    root = test_data / "project-glucose"
    return FakeDocuments(files, load_categories(root / "Procedures" / "categories.yaml"))


def _resolve(test_data: Path, documents: FakeDocuments, name: str) -> Resolution:
    path = test_data / "project-glucose" / "Context" / "Prompt" / name
    resolution = PromptResolver(documents).resolve(path.read_text(encoding="utf-8"))
    assert resolution.problems == ()
    assert "[" not in resolution.task
    assert "@" not in resolution.task
    return resolution


def test_design_plan(
    test_data: Path, documents: FakeDocuments, files: dict[str, ParsedDocument]
) -> None:
    resolution = _resolve(test_data, documents, "design-plan.md")
    first, second = resolution.sentences
    assert first.scope == SearchScope(frozenset(), frozenset({BOOTSTRAP, DESIGN}))
    assert [pair.question for pair in first.references[0].pairs][
        1
    ] == "Who approves design outputs?"
    assert second.text == "State the software level: Basic documentation level."
    for pair in first.references[0].pairs:
        answer = pair.answer
        assert files[BOOTSTRAP].text[answer.start : answer.end] == answer.text


def test_device_description(test_data: Path, documents: FakeDocuments) -> None:
    first, second = _resolve(test_data, documents, "device-description.md").sentences
    source = "Context/Initiation/Device-Description.docx"
    assert first.text.startswith(f"Write the Device Description section for {DEVICE}: principle")
    assert first.scope == SearchScope(frozenset(), frozenset({source, RECORD}))
    assert second.is_directive


def test_not_in_the_sources(test_data: Path, documents: FakeDocuments) -> None:
    resolution = _resolve(test_data, documents, "not-in-the-sources.md")
    assert resolution.task.endswith(f"drop-test height of {DEVICE}.")
    assert resolution.scope.layers == ALWAYS_SEARCHED


def test_risk_management_summary(test_data: Path, documents: FakeDocuments) -> None:
    first, second = _resolve(test_data, documents, "risk-management-summary.md").sentences
    assert first.scope.layers == frozenset()
    assert RISK in first.scope.files
    assert "Context/General/21CFR_part-820.md" in first.scope.files
    assert "Context/Regulatory Strategy/21CFR_part-862.md" in first.scope.files
    assert not any("Predicates" in file or DESIGN in file for file in first.scope.files)
    assert first.text.endswith(
        "according to the risk management procedure (SOP-003: Risk Management) "
        "and the applicable standards and regulations."
    )
    assert second.scope == first.scope


def test_substantial_equivalence(test_data: Path, documents: FakeDocuments) -> None:
    resolution = _resolve(test_data, documents, "substantial-equivalence.md")
    assert f"comparing {DEVICE} with its predicate K231192." in resolution.task
    assert all(each.scope.layers == ALWAYS_SEARCHED for each in resolution.sentences)
