"""What can be named in a project, what is offered while it is typed, and what is meant instead."""

from __future__ import annotations

import time

import pytest

from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.completion import completions
from phasergun_desktop.references.model import Severity
from phasergun_desktop.references.reference_names import ReferenceNames, names_of
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document

LONG = "The text of this document goes on for a while, so that it is not thin at all. " * 4


@pytest.fixture
def documents() -> FakeDocuments:
    return FakeDocuments(
        {
            "Procedures/SOPs/SOP-003.docx": fake_document(["# SOP-003: Risk Management", LONG]),
            "Procedures/SOPs/plain.docx": fake_document(["# Some procedure", LONG]),
            "Procedures/QPs/manual.docx": fake_document(["# Quality Manual", LONG]),
            "Context/Project-Master-Record.docx": fake_document(
                [
                    "Project Overview:",
                    "Device Name: GlucoTrace G2",
                    "Owner: Anna",
                    "Bad [name]: x",
                    "Regulatory Information:",
                    "Owner: Ben",
                    "Empty Part:",
                ]
            ),
            "Context/notes.docx": fake_document(["# Notes", LONG]),
            "Context/Initiation/Device-Description.docx": fake_document(["# Device", LONG]),
            "Context/Initiation/Tests/Bench.docx": fake_document(["# Bench", LONG]),
            "Context/Regulatory Strategy/predicate.docx": fake_document(["# Predicate", LONG]),
            "Bootstrap/DDP-Phase1-V1.2.docx": fake_document(
                ["Q: Who? A: New.", "LEVEL: New", "TWICE: a", "TWICE: b"]
            ),
        }
    )


@pytest.fixture
def names(documents: FakeDocuments) -> ReferenceNames:
    return names_of(DocumentCatalog(documents))


def _shown(before: str, names: ReferenceNames) -> list[str]:
    return [one.shown for one in completions(before, names)]


def _instead(prompt: str, documents: FakeDocuments) -> tuple[str, ...]:
    (problem,) = PromptResolver(documents).resolve(prompt).problems
    return tuple(
        prompt[: problem.start] + one + prompt[problem.end :] for one in problem.replacements
    )


def test_whatever_is_offered_resolves(documents: FakeDocuments, names: ReferenceNames) -> None:
    resolver = PromptResolver(documents)
    every = [*names.brackets, *names.scopes]
    assert len(every) > 30
    for each in every:
        found = resolver.resolve(f"Describe the device with {each.text}.")
        assert not found.is_blocked, (each.text, found.problems)
        assert len(found.references) == 1, each.text
        assert each.means


def test_each_part_is_offered_with_what_it_means(names: ReferenceNames) -> None:
    kinds = ["Procedure", "Master Record", "Context", "Bootstrap", "Doc"]
    assert _shown("Use [", names) == kinds
    assert _shown("Use [Procedure|", names) == [
        "sops", "sops|…", "quality_policies", "quality_policies|…",
    ]  # fmt: skip
    assert "risk_management" in _shown("[procedure|SOPs|", names)
    assert _shown("[Context|", names) == [
        "Initiation", "Initiation|…", "Regulatory Strategy", "Regulatory Strategy|…",
        "Project-Master-Record.docx", "notes.docx",
    ]  # fmt: skip
    assert _shown("[Context|Initiation|", names) == ["Tests", "Tests|…", "Device-Description.docx"]
    assert _shown("[Context|Initiation|Tests|", names) == ["Bench.docx"]
    assert _shown("[Master Record|", names)[:2] == ["Device Name", "Project Overview"]
    assert _shown("[Master Record|Regulatory Information|", names) == ["Owner"]
    assert _shown("[Bootstrap|", names) == ["DDP-Phase1"]
    assert _shown("[Doc|ddp phase1|", names) == ["LEVEL"]
    assert completions("[Doc|DDP-Phase1|", names)[0].means == "New"
    assert completions("[Master Record|", names)[0].means == "GlucoTrace G2"


def test_what_is_typed_is_found_anywhere_and_further_inside(names: ReferenceNames) -> None:
    assert _shown("[Context|Initiation|DESC", names) == ["Device-Description.docx"]
    assert _shown("[rec", names)[0] == "Master Record"
    found = completions("Use [descr", names)
    assert found[0].shown == "Context|Initiation|Device-Description.docx"
    assert (found[0].insert, found[0].length) == ("Context|Initiation|Device-Description.docx]", 5)
    # By its title too.
    assert "SOP-003.docx" in _shown("[Procedure|sops|risk", names)


def test_scopes_are_offered_after_an_at(names: ReferenceNames) -> None:
    assert len(_shown("Use @", names)) == 14
    assert _shown("Use @STAND", names)[:2] == ["@external_standards", "@global_standards"]
    sops = completions("Use @sop", names)[0]
    assert (sops.insert, sops.length) == ("@sops", 4)
    assert sops.means == "the standard operating procedures: 2 documents"
    # Nothing where all is written, in an address, or behind a bracket that is closed.
    for before in ("Use @initiation", "me@sop", "[Context|Initiation]", "see [1", "plain"):
        assert completions(before, names) == (), before


def test_problems_say_what_may_be_written_instead(documents: FakeDocuments) -> None:
    def first(prompt: str) -> str:
        return _instead(prompt, documents)[0]

    assert "Use @global_standards for it." in _instead("Use @globl for it.", documents)
    assert first("😀 Use @initation.") == "😀 Use @initiation."
    assert (
        first("Use [Context|Initiation|Device-Descripton.docx] now.")
        == "Use [Context|Initiation|Device-Description.docx] now."
    )
    assert (
        first("See [Context|Initiation|predicate.docx].")
        == "See [Context|Regulatory Strategy|predicate.docx]."
    )
    assert first("[Master Record|Devce Name]") == "[Master Record|Device Name]"
    assert _instead("Name [Master Record|Owner].", documents) == (
        "Name [Master Record|Project Overview|Owner].",
        "Name [Master Record|Regulatory Information|Owner].",
    )
    assert first("[Contxt|Initiation]") == "[Context|Initiation]"
    assert first("[Doc|DDP-Phase1|LEVL]") == "[Doc|DDP-Phase1|LEVEL]"
    assert first("[Procedure|risk management]") == "[Procedure|sops|risk_management]"
    # What stands behind a bracket that was not closed stays.
    assert first("Use [Context|Initiation|Device-Description.docx. It is long") == (
        "Use [Context|Initiation|Device-Description.docx]. It is long"
    )
    assert first("Context|Initiation]") == "[Context|Initiation]"


def test_nothing_far_is_offered_and_every_offer_resolves(documents: FakeDocuments) -> None:
    assert _instead("@zzzzqq", documents) == ()
    assert _instead("[Master Record|Colour of the moon]", documents) == ()
    resolver = PromptResolver(documents)
    for prompt in ("@reg", "@quality", "[Context|Init]", "[Procedure|sops|risk]", "[Doc|DDP|LEV]"):
        for problem in resolver.resolve(prompt).problems:
            for one in problem.replacements:
                found = [p for p in resolver.resolve(one).problems if p.severity is Severity.BLOCKS]
                assert found == [], (prompt, one)


def test_a_prompt_full_of_mistakes_is_answered_in_time() -> None:
    files = {
        f"Context/General/document-{n:04}.docx": fake_document([f"# Document {n}", LONG])
        for n in range(2000)
    }
    resolver = PromptResolver(FakeDocuments(files))
    prompt = " ".join(f"[Context|General|dokument {n} absent.docx]" for n in range(40))
    began = time.perf_counter()
    found = resolver.resolve(prompt)
    assert len(found.problems) == 40
    assert sum(bool(each.replacements) for each in found.problems) == 12
    assert time.perf_counter() - began < 20
