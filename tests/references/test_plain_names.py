"""Documents that a prompt names without brackets: by file name, or by the number of the file."""

from __future__ import annotations

import pytest

from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document

RISK = "Context/Ongoing/RM-002-FMEA-Extract.docx"
BENCH = "Context/Ongoing/TR-014-Bench-Report.docx"
LIFE = "Context/Ongoing/life_test_README.md"
MEMO = "Context/Ongoing/ME-2026-117.md"
STANDARD = "Context/General/ISO-14971.md"
PREDICATE = "Context/Predicates/K240666.pdf"
WEAR = "Context/Ongoing/T-305 Wear study.md"
SOFTWARE = "Context/Ongoing/SVR-P2-03 Software Verification.docx"
EMC = "Context/Ongoing/22-E-118 EMC extract.html"
DATED = "Context/Ongoing/2022-01-20 Design review.txt"
FIRST = "Context/Ongoing/TR-031_RevA_Noise_SUPERSEDED.md"
SECOND = "Context/Ongoing/TR-031_RevB_Noise.md"
NEWEST = "Context/Ongoing/TR-031_RevC_Noise.md"
SPACED = "Context/Ongoing/Pathway memo (draft).docx"
LONG = "The text of this document goes on for a while, so that it is not thin at all. " * 4


@pytest.fixture
def resolver() -> PromptResolver:
    files = (
        FIRST,
        SECOND,
        NEWEST,
        RISK,
        BENCH,
        LIFE,
        MEMO,
        PREDICATE,
        SPACED,
        WEAR,
        SOFTWARE,
        EMC,
        DATED,
    )
    documents = {file: fake_document(["# It", LONG]) for file in files}
    title = "# ISO 14971:2019 Application of risk management"
    return PromptResolver(FakeDocuments({**documents, STANDARD: fake_document([title, LONG])}))


@pytest.mark.parametrize(
    ("prompt", "files"),
    [
        ("Risk summary from RM-002: hazards and their controls.", {RISK}),
        ("Which pathway was taken from pathway memo (draft).docx?", {SPACED}),
        ("State what TR-014-Bench-Report.docx says of the pressure.", {BENCH}),
        ("State the hours of Life_Test_readme.md, and of tr-014.", {LIFE, BENCH}),
        ("Summarise ME-2026-117.", {MEMO}),
        ("How many wore it in T-305?", {WEAR}),
        ("Summarise SVR-P2-03 and 22-E-118.", {SOFTWARE, EMC}),
        ("State what was decided on 2022-01-20.", set()),
        ("Only from TR-031 Rev B: the noise.", {SECOND}),
        ("Only from TR-031 (rev. a): the noise.", {FIRST}),
        ("Only from TR-031, revision C: the noise.", {NEWEST}),
        ("Only from TR-031: the noise.", {NEWEST}),
        ("Only from TR-031 Rev B: 14 of 20 samples.", {SECOND}),
        ("What changed from rev A to B of TR-031?", {FIRST, SECOND}),
        ("Noise by TR-031 revision C, marked against rev B.", {SECOND, NEWEST}),
        ("Which issue a reviewer may raise, by TR-031.", {NEWEST}),
        ("Hazards of software version A by TR-031.", {NEWEST}),
        ("TR-031 Rev B in C sentences.", {SECOND}),
        ("The noise by TR-031 and the pressure by TR-014 Rev B.", {NEWEST, BENCH}),
        ("State the alarm; requirement RM-0021 and RM-002-A are not named.", set()),
        ("Compare the pressure with that of K240666.", set()),
        ("Describe the life test.", set()),
        ("Describe the risks according to ISO-14971.", set()),
        ("Summarise ISO-14971.md.", {STANDARD}),
    ],
)
def test_a_sentence_rests_on_the_documents_it_names(
    prompt: str, files: set[str], resolver: PromptResolver
) -> None:
    resolution = resolver.resolve(prompt)
    [sentence] = resolution.sentences
    assert sentence.scope.files == files
    assert resolution.task == prompt
    assert not resolution.problems


def test_a_revision_that_no_document_is_is_told(resolver: PromptResolver) -> None:
    resolution = resolver.resolve("Only from TR-031 Rev D: the noise.")
    assert resolution.sentences[0].scope.files == {NEWEST}
    [problem] = resolution.problems
    assert problem.code == "other_revision"
    assert "number TR-031 is “TR-031 Rev D”: TR-031_RevC_Noise.md is used" in problem.message
    assert not resolver.resolve("Only from TR-014 Rev D: the pressure.").problems


def test_what_is_told_of_a_number_that_no_document_has_rests_on_no_other(
    resolver: PromptResolver,
) -> None:
    resolution = resolver.resolve("Summarise TR-027: purpose and method. Then describe the device.")
    first, then = resolution.sentences
    assert not first.scope.files
    assert not first.scope.layers
    assert then.scope.layers
    assert [each.message for each in resolution.problems] == ["No document here is TR-027."]
    assert not resolution.is_blocked
    asked = resolver.resolve("Why was TR-027 withdrawn?")
    assert asked.sentences[0].scope.layers
    assert [each.code for each in asked.problems] == ["missing_number"]
    assert resolver.resolve("From TR-027 and TR-014: the noise.").sentences[0].scope.files == {
        BENCH
    }


@pytest.mark.parametrize(
    "prompt", ["Describe the limits of requirement TR-027.", "Bench tests (see TR-027): the noise."]
)
def test_a_number_that_is_only_mentioned_restricts_nothing(
    prompt: str, resolver: PromptResolver
) -> None:
    resolution = resolver.resolve(prompt)
    assert resolution.sentences[0].scope.layers
    assert [each.code for each in resolution.problems] == ["missing_number"]


@pytest.mark.parametrize("prompt", ["Describe ME-2026-118.", "Trace SRS-014.", "Cite TR-0271."])
def test_a_number_of_no_series_of_documents_is_none(prompt: str, resolver: PromptResolver) -> None:
    resolution = resolver.resolve(prompt)
    assert not resolution.problems
    assert resolution.sentences[0].scope.layers


def test_a_sentence_that_only_names_documents_holds_for_all(resolver: PromptResolver) -> None:
    prompt = "State the durability. Take it from life_test_README.md and TR-014 only."
    first, second = resolver.resolve(prompt).sentences
    assert second.is_directive
    assert first.scope.files == {LIFE, BENCH}


def test_a_name_inside_a_bracket_is_the_brackets(resolver: PromptResolver) -> None:
    prompt = "State the hours of [Context|Ongoing|life_test_README.md]."
    resolution = resolver.resolve(prompt)
    [reference] = resolution.references
    assert reference.files == (LIFE,)
    assert reference.text.startswith("[")
