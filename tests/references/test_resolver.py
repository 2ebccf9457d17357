"""Prompts against a small project: what each sentence reads like, may use, and lacks."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, PROCEDURES, Layer
from phasergun_desktop.references.model import Resolution, Severity
from phasergun_desktop.references.resolver import PromptResolver
from phasergun_desktop.retrieval.model import SearchScope
from tests.fakes.fake_documents import FakeDocuments, fake_document

LONG = "The text of this document goes on for a while, so that it is not thin at all. " * 4
RISK = "Procedures/SOPs/SOP-003.docx"
PREDICATE = "Context/Regulatory Strategy/predicate.docx"
BOOT_2 = "Bootstrap/DDP-Phase1-V1.2.docx"
BOOT_10 = "Bootstrap/DDP-Phase1-V1.10.docx"
RECORD = "Context/Project-Master-Record.docx"
ISO = "Context/General/iso.docx"


@pytest.fixture
def documents() -> FakeDocuments:
    return FakeDocuments(
        {
            RISK: fake_document(["# SOP-003: Risk Management", LONG]),
            "Procedures/SOPs/capa-1.docx": fake_document(["# Corrective Action", LONG]),
            "Procedures/SOPs/capa-2.docx": fake_document(["# CAPA Records", LONG]),
            "Procedures/QPs/manual.docx": fake_document(["# Quality Manual", LONG]),
            RECORD: fake_document(
                [
                    "Project Overview:",
                    "Device Name: GlucoTrace G2",
                    "Owner: Anna",
                    "Regulatory Information:",
                    "Owner: Ben",
                    "Same: 1",
                    "Empty Part:",
                    "Others:",
                    "Same: 1",
                ]
            ),
            "Context/Initiation/Device-Description.docx": fake_document(["# Device", LONG]),
            "Context/Initiation/tiny.docx": fake_document(["Little."]),
            PREDICATE: fake_document(["# Predicate", LONG]),
            ISO: fake_document(["# ISO 14971:2019 Application of risk management", LONG]),
            BOOT_2: fake_document(["Q: Who? A: Old.", "LEVEL: Old"]),
            BOOT_10: fake_document(["Q: Who? A: New.", "LEVEL: New"]),
            "Bootstrap/DDP-Phase10-V9.docx": fake_document(["Q: Who? A: Wrong."]),
        }
    )


@pytest.fixture
def resolver(documents: FakeDocuments) -> PromptResolver:
    return PromptResolver(documents)


def _codes(resolution: Resolution) -> list[str]:
    return [problem.code for problem in resolution.problems]


def test_a_field_is_replaced_and_does_not_restrict(resolver: PromptResolver) -> None:
    resolution = resolver.resolve("Describe [Master Record|DEVICE_NAME] for [1] reader.")
    assert resolution.task == "Describe GlucoTrace G2 for [1] reader."
    assert resolution.scope == SearchScope(ALWAYS_SEARCHED, frozenset({RECORD}))
    value = resolution.references[0].value
    assert value is not None
    assert (value.text, value.file) == ("GlucoTrace G2", RECORD)
    assert resolution.problems == ()


def test_documents_and_scopes_of_a_sentence_are_a_union(resolver: PromptResolver) -> None:
    prompt = (
        "Summarise our [Procedure|sops|risk_management] process by @quality_policies for "
        "[Master Record|Device Name]. Name the record each step produces. Describe the strips."
    )
    first, second, third = resolver.resolve(prompt).sentences
    assert first.text == (
        "Summarise our risk management procedure (SOP-003: Risk Management) process by "
        "the quality policies for GlucoTrace G2."
    )
    wanted = SearchScope(frozenset({Layer.QUALITY_POLICIES}), frozenset({RISK, RECORD}))
    assert first.scope == wanted
    assert second.scope == wanted
    assert third.scope == SearchScope()


def test_a_directive_holds_for_sentences_without_their_own(resolver: PromptResolver) -> None:
    prompt = "Write the scope. Use [Context|regulatory_strategy|predicate.docx]. Quote @sops."
    resolution = resolver.resolve(prompt)
    first, second, third = resolution.sentences
    assert first.scope == SearchScope(frozenset(), frozenset({PREDICATE}))
    assert second.is_directive
    assert second.text == 'Use the document "Predicate".'
    assert third.scope == SearchScope(frozenset({Layer.SOPS}))
    assert resolution.scope == SearchScope(frozenset({Layer.SOPS}), frozenset({PREDICATE}))
    assert not resolution.is_blocked


def test_list_items_have_the_scope_of_their_lead_in(resolver: PromptResolver) -> None:
    prompt = (
        "Using @sops, write:\n- Purpose\n- Scope from @general\n- Approval\n\nDescribe the strips."
    )
    scopes = [each.scope for each in resolver.resolve(prompt).sentences]
    sops = SearchScope(frozenset({Layer.SOPS}))
    assert scopes == [sops, sops, SearchScope(frozenset({Layer.GENERAL})), sops, SearchScope()]


def test_the_newest_bootstrap_wins_and_a_prefix_ends_at_a_word(resolver: PromptResolver) -> None:
    resolution = resolver.resolve("By [Bootstrap|ddp-phase1] state [Doc|DDP-Phase1|level].")
    bracket, field = resolution.references
    assert bracket.files == (BOOT_10,)
    assert [pair.answer.text for pair in bracket.pairs] == ["New."]
    assert field.value is not None
    assert field.value.text == "New"
    assert resolution.sentences[0].scope == SearchScope(frozenset(), frozenset({BOOT_10}))
    named = resolver.resolve("By [Bootstrap|DDP-Phase1-V1.2].").references[0]
    assert named.files == (BOOT_2,)
    assert _codes(resolver.resolve("By [Bootstrap|DDP].")) == ["ambiguous_document"]


@pytest.mark.parametrize(
    ("scope", "files", "layers"),
    [
        ("@company_processes", (), PROCEDURES),
        ("@global_standards", (ISO,), frozenset()),
        ("@external_standards", (ISO,), frozenset()),
        ("@master_record", (), frozenset({Layer.MASTER_RECORD})),
        ("@regulatory_strategy", (), frozenset({Layer.REGULATORY_STRATEGY})),
        ("@document_bootstraps", (), frozenset()),
    ],
)
def test_scopes(
    resolver: PromptResolver, scope: str, files: tuple[str, ...], layers: frozenset[Layer]
) -> None:
    sentence = resolver.resolve(f"Write it by {scope}.").sentences[0]
    assert sentence.scope == SearchScope(layers, frozenset(files))
    assert "@" not in sentence.text


def test_bootstraps_named_anywhere_are_what_their_scope_means(resolver: PromptResolver) -> None:
    prompt = "State [Doc|DDP-Phase1|LEVEL] again. Write the scope by @document_bootstraps."
    assert resolver.resolve(prompt).sentences[1].scope.files == {BOOT_10}


@pytest.mark.parametrize(
    ("reference", "code", "remedy"),
    [
        ("[Master Record|Device Nmae]", "unknown_field", "Did you mean “Device Name”?"),
        ("[Master Record|Owner]", "ambiguous_field", "[Master Record|Project Overview|Owner]"),
        ("[Master Record|Others|Owner]", "unknown_field", "It is in “Project Overview”"),
        ("[Master Record|Overview|Owner]", "unknown_field", "Project Overview"),
        ("[Master Record|Empty Part]", "empty_field", "after “Empty Part:”"),
        ("[Procedure|sops|risk_managment]", "unknown_category", "“risk_management”"),
        ("[Procedure|quality_policies|capa]", "unknown_category", "[Procedure|sops|capa]"),
        ("[Procedure|brewing|capa]", "unknown_category", "quality_policies"),
        ("[Procedure|Brewing Procedure]", "unknown_category", "[Procedure|sops|"),
        ("[Procedure|project_quality_plans]", "missing_document", "folder"),
        ("[Context|Initiation|Device-Descripton.docx]", "missing_document", "Device-Description"),
        ("[Context|General|predicate.docx]", "missing_document", "Regulatory Strategy|predicate"),
        ("[Context|predicate.docx]", "missing_document", "Regulatory Strategy|predicate"),
        ("[Context|Initation|a.docx]", "unknown_folder", "Initiation"),
        ("[Bootstrap|DDP-Phase2]", "missing_document", "DDP-Phase1"),
        ("[Doc|DDP-Phase1|LEVLE]", "unknown_field", "LEVEL"),
    ],
)
def test_what_names_nothing_blocks_and_says_what_to_do(
    resolver: PromptResolver, reference: str, code: str, remedy: str
) -> None:
    prompt = f"Write it for {reference} now."
    resolution = resolver.resolve(prompt)
    problem = resolution.problems[0]
    assert (problem.code, problem.severity) == (code, Severity.BLOCKS)
    assert prompt[problem.start : problem.end] == reference
    assert remedy in problem.remedy
    assert resolution.is_blocked
    assert not resolution.references[0].resolved
    assert len(resolution.problems) == 1


@pytest.mark.parametrize(
    ("reference", "files"),
    [
        ("[Procedure|Risk Management Procedure]", (RISK,)),
        ("[Procedure|SOP-003: Risk Management]", (RISK,)),
        ("[Procedure|Corrective Action]", ("Procedures/SOPs/capa-1.docx",)),
    ],
)
def test_the_older_form_is_understood_with_a_notice(
    resolver: PromptResolver, reference: str, files: tuple[str, ...]
) -> None:
    resolution = resolver.resolve(f"Write it by {reference}.")
    assert resolution.references[0].files == files
    assert _codes(resolution) == ["old_form"]
    assert not resolution.is_blocked
    assert "[Procedure|sops|" in resolution.problems[0].remedy


def test_several_documents_of_a_category_are_all_opened(resolver: PromptResolver) -> None:
    resolution = resolver.resolve("[Procedure|sops|capa] is to be described.")
    assert len(resolution.references[0].files) == 2
    assert resolution.task == (
        "The capa procedures (Corrective Action; CAPA Records) is to be described."
    )


def test_sections_stand_for_their_text(resolver: PromptResolver) -> None:
    reference = resolver.resolve("Repeat [Master Record|Project Overview].").references[0]
    assert reference.value is not None
    assert reference.value.text == "Device Name: GlucoTrace G2\n\nOwner: Anna"
    repeated = resolver.resolve("Repeat [Master Record|Same].")
    assert (_codes(repeated), repeated.is_blocked) == (["repeated_field"], False)


def test_thin_scopes_are_warnings(resolver: PromptResolver) -> None:
    empty = resolver.resolve("Write it by @predicates.")
    assert (_codes(empty), empty.is_blocked) == (["thin_scope"], False)
    assert empty.sentences[0].scope == SearchScope(frozenset({Layer.PREDICATES}))
    assert _codes(resolver.resolve("Write it by [Context|Initiation|tiny.docx].")) == ["thin_scope"]


def test_every_problem_is_reported_at_once(resolver: PromptResolver) -> None:
    resolution = resolver.resolve("Use [Doc|x|Y], [Procedur|a], @predicates and [Context|a")
    assert set(_codes(resolution)) == {
        "missing_document",
        "unknown_reference",
        "broken_syntax",
        "thin_scope",
    }


def test_nothing_to_resolve_against() -> None:
    resolver = PromptResolver(FakeDocuments({}))
    assert _codes(resolver.resolve(" \n")) == ["empty_prompt"]
    problem = resolver.resolve("Name [Master Record|x].").problems[0]
    assert problem.code == "no_master_record"
    assert resolver.resolve("Hello.").problems == ()


def test_only_what_is_named_is_parsed(resolver: PromptResolver, documents: FakeDocuments) -> None:
    resolver.resolve("Use [Master Record|Device Name], [Master Record|Same] and @sops.")
    assert documents.parse_calls == 1


_PIECES = st.sampled_from(
    ["[", "]", "|", "@sops", "@", "Procedure", "Master Record", "Doc", "Bootstrap", "Context", "x",
     "sops", "DDP-Phase1", "LEVEL", "Device Name", "Others", "General", "\n", "\n\n", " ", ". ",
     "Use ", "Name each", "- ", ":", "[Master Record|Device Name]", "[Bootstrap|DDP-Phase1]",
     "[Procedure|capa]", "[Context|Initiation]", "[Doc|DDP-Phase1|LEVEL]"]
)  # fmt: skip
_SMALL = FakeDocuments(
    {
        RISK: fake_document(["# SOP-003: Risk Management", LONG]),
        RECORD: fake_document(["Overview:", "Device Name: G2 | x [y", "Others:"]),
        BOOT_10: fake_document(["Q: Who? A: New.", "LEVEL: New"]),
    }
)


@given(st.lists(_PIECES, max_size=25).map("".join))
def test_any_prompt_resolves_to_something_consistent(prompt: str) -> None:
    resolution = PromptResolver(_SMALL).resolve(prompt)
    for sentence in resolution.sentences:
        assert prompt[sentence.start : sentence.end] == sentence.raw
        assert sentence.scope.layers <= resolution.scope.layers
        assert sentence.scope.files <= resolution.scope.files
        assert sentence.text in resolution.task
    placed = [each for sentence in resolution.sentences for each in sentence.references]
    assert placed == list(resolution.references)
    for reference in resolution.references:
        assert prompt[reference.start : reference.end] == reference.text
        if not reference.resolved:
            assert resolution.is_blocked


@pytest.mark.parametrize("piece", ["[Doc|", "Doc|", "a", " ", "x. ", "@sops ", "[", "- a\n"])
def test_long_prompts_take_no_square_of_the_time(piece: str) -> None:
    began = time.perf_counter()
    PromptResolver(_SMALL).resolve(piece * (20_000 // len(piece)))
    assert time.perf_counter() - began < 5
