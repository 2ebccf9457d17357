"""The profiles of the product, and what a user's own file may say wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.model import (
    MOST_READING_TOKENS,
    BandAction,
    ChunkRules,
    ChunkStrategy,
    ConfidenceMeasure,
    FusionMethod,
    ModelMarks,
    Profile,
    TextUnit,
)
from phasergun_desktop.profiles.profile_file import read_profile
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.profiles.settings_reader import read_settings_text
from phasergun_desktop.profiles.templates import fill

NAMES = ("regulatory", "disclosure", "evidence", "knowledge-base", "literature")
SHIPPED = resources_path() / "profiles"


@pytest.fixture
def store(tmp_path: Path) -> ProfileStore:
    return ProfileStore(resources_path(), tmp_path / "profiles")


def load_profile(path: Path) -> Profile:
    return read_profile(path.name, read_settings_text(path))


def _edited(tmp_path: Path, old: str, new: str) -> Path:
    text = (SHIPPED / "regulatory.yaml").read_text(encoding="utf-8")
    assert old in text
    path = tmp_path / "regulatory.yaml"
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return path


def _line_of(path: Path, words: str) -> int:
    lines = path.read_text(encoding="utf-8").splitlines()
    return next(number for number, line in enumerate(lines, start=1) if words in line)


@pytest.mark.parametrize("name", NAMES)
def test_every_profile_of_the_product_is_sound(store: ProfileStore, name: str) -> None:
    profile = store.load(name)
    assert profile.name == name
    assert profile.warnings == ()
    assert profile.prompt.reading_budget_tokens <= MOST_READING_TOKENS
    assert "NOT FOUND" in profile.prompt.instructions
    for text in (profile.answer.fallback, profile.answer.not_in_documents):
        assert text == text.strip() != ""
        assert "\n" not in text


def test_the_regulatory_profile_says_what_the_product_promises(store: ProfileStore) -> None:
    profile = store.load()
    assert profile.chunking.procedures == ChunkRules(ChunkStrategy.SECTIONS, 0, 2000, 4000)
    assert profile.chunking.context == ChunkRules(ChunkStrategy.PARAGRAPHS, 3000, 0, 4000, 400)
    retrieval = profile.retrieval
    assert (retrieval.procedure_passages, retrieval.context_passages) == (5, 3)
    assert retrieval.procedure_passages_unreferenced == 2
    assert retrieval.context_passages_unreferenced == 2
    assert retrieval.fusion.method is FusionMethod.CONVEX
    assert retrieval.fusion.keyword_weight == 0.6
    assert profile.answer.temperature == 0
    assert profile.prompt.summary_words == 250
    assert profile.citation.inline == "[{number}]"


def test_the_other_profiles_hold_their_references_numbers(store: ProfileStore) -> None:
    brain = store.load("knowledge-base")
    assert brain.chunking.context.unit is TextUnit.TOKENS
    assert (brain.retrieval.keyword_candidates, brain.retrieval.vector_candidates) == (20, 40)
    assert brain.retrieval.limit == 15
    disclosure = store.load("disclosure")
    assert (disclosure.chunking.context.target, disclosure.chunking.context.overlap) == (500, 50)
    assert disclosure.chunking.context.separators[:2] == ("\n\n\n", "\n\n")
    confidence = disclosure.confidence
    assert (confidence.measure, confidence.counted) == (ConfidenceMeasure.RETRIEVAL, 5)
    assert [
        (confidence.band(score), confidence.action(score)) for score in (0.6, 0.4, 0.2, 0.1)
    ] == [
        ("high", BandAction.ANSWER),
        ("medium", BandAction.CAVEAT),
        ("low", BandAction.WARNING),
        ("very_low", BandAction.FALLBACK),
    ]
    for other in (name for name in NAMES if name != "disclosure"):
        assert store.load(other).confidence.measure is ConfidenceMeasure.ANSWER
    assert disclosure.answer.fallback.endswith("provided disclosures to answer that question.")
    assert store.load("literature").retrieval.earlier_passages == 15
    evidence = store.load("evidence")
    assert (evidence.retrieval.graph.m, evidence.retrieval.graph.ef_search) == (16, 40)
    assert evidence.retrieval.rerank.keep == 8
    assert evidence.citation.model_marks is ModelMarks.CHUNK_ID


def test_profiles_that_cut_alike_share_chunks(store: ProfileStore) -> None:
    cut = {name: store.load(name).chunking for name in NAMES}
    assert len({repr(each) for each in cut.values()}) == len(NAMES)
    assert cut["regulatory"] == store.load("regulatory").chunking


def test_a_value_outside_its_usual_range_is_a_warning(tmp_path: Path) -> None:
    path = _edited(tmp_path, "temperature: 0\n", "temperature: 1.2\n")
    profile = load_profile(path)
    assert profile.answer.temperature == 1.2
    assert len(profile.warnings) == 1
    assert "answer.temperature" in profile.warnings[0]
    assert f"line {_line_of(path, 'temperature: 1.2')}" in profile.warnings[0]


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("temperature: 0\n", "temperature: -1\n", "possible is 0 to 2"),
        ("temperature: 0\n", "temperature: hot\n", "must be a number"),
        ("temperature: 0\n", "temperature: true\n", "must be a number"),
        ("temperature: 0\n", "temperature: .nan\n", "possible is"),
        ("temperature: 0\n", "temprature: 0\n", "temprature"),
        ("keyword_weight: 0.6", "keyword_weight: 6", "possible is 0 to 1"),
        ("limit: 10", "limit: 10.5", "whole number"),
        ("limit: 10", "", "“retrieval.limit” is missing"),
        ("method: convex", "method: convx", "must be one of"),
        ("enabled: false", "enabled: maybe", "true or false"),
        ("maximum: 4000}", "maximum: 1500}", "must be the largest"),
        ("overlap: 400", "overlap: 2000", "at most half"),
        (
            "sections, unit: chars, minimum: 2000,",
            "separators, target: 500,",
            "“chunking.procedures",
        ),
        ("sections, unit: chars", "separators, target: 500", "“chunking.procedures.minimum”"),
        ("medium: 0.6", "medium: 0.9", "bands must rise"),
        ("counted: 5", "counted: 5, measure: mood", "must be one of answer, retrieval"),
        ("counted: 5", "counted: 5, actions: {low: shout}", "must be one of answer, caveat"),
        ("counted: 5", "counted: 5, actions: {lowest: caveat}", "“confidence.actions.lowest”"),
        ("counted: 5", "counted: 5, actions: {low: fallback}", "needs “measure: retrieval”"),
        ("      {text}\n", "      text\n", "{text}"),
        ("{number}] Context", "{nmber}] Context", "{nmber}"),
        ("name: regulatory", "name: other", "the file is called"),
        ("  transcripts: {", "  transcripts: [", ""),
        ("summary_words: 250", "summary_words: 250\n  summary_words: 250", "twice"),
    ],
)
def test_nonsense_is_an_error_with_its_line(tmp_path: Path, old: str, new: str, words: str) -> None:
    with pytest.raises(ProfileError) as caught:
        load_profile(_edited(tmp_path, old, new))
    assert words in caught.value.message
    assert "line " in caught.value.message
    assert "column " in caught.value.message
    assert caught.value.remedy


def test_an_unknown_key_is_told_with_line_column_and_the_likely_one(tmp_path: Path) -> None:
    path = _edited(tmp_path, "  threshold: -1\n", "  treshold: -1\n")
    with pytest.raises(ProfileError) as caught:
        load_profile(path)
    assert f"line {_line_of(path, 'treshold')}, column 3" in caught.value.message
    assert "Did you mean “threshold”?" in caught.value.remedy


def test_the_users_copy_outranks_the_products(store: ProfileStore, tmp_path: Path) -> None:
    folder = tmp_path / "profiles"
    folder.mkdir()
    copied = _edited(folder, "limit: 10", "limit: 12")
    assert store.path("regulatory") == copied
    assert store.load("regulatory").retrieval.limit == 12
    copied.rename(folder / "mine.yaml")
    assert store.names() == ("regulatory", *sorted([*NAMES[1:], "mine"]))


@pytest.mark.parametrize("name", ["regulatry", "../regulatory", "", "a" * 300])
def test_unknown_names_are_one_sentence(store: ProfileStore, name: str) -> None:
    with pytest.raises(ProfileError, match="There is no profile") as caught:
        store.load(name)
    assert "regulatory" in caught.value.remedy


def test_files_that_are_no_profile(tmp_path: Path) -> None:
    for content in (b"\xff\xfe\x00", b"", b"- a\n", b"a: *b\n", b"\x00"):
        path = tmp_path / "regulatory.yaml"
        path.write_bytes(content)
        with pytest.raises(ProfileError):
            load_profile(path)


def test_templates_are_filled_in_one_pass() -> None:
    values = {"title": "{text}", "text": "x {title}", "locator": ""}
    assert fill("[{title}]\n{locator}\n{text}", values) == "[{text}]\nx {title}"


def test_profiles_are_values(store: ProfileStore) -> None:
    first, second = store.load("evidence"), store.load("evidence")
    assert first == second
    assert isinstance(first, Profile)
    assert len({first, second}) == 1


# The user's own files -------------------------------------------------------------------------


def test_a_copy_is_saved_only_when_it_is_valid(store: ProfileStore) -> None:
    text = store.text("evidence").replace("name: evidence", "name: mine", 1)
    store.save("mine", text)
    assert store.is_own("mine")
    assert store.load("mine").name == "mine"
    assert store.text("mine") == text
    with pytest.raises(ProfileError) as caught:
        store.save("mine", text.replace("limit: 10", "limit: ten", 1))
    line = text[: text.index("limit: 10")].count("\n") + 1
    assert f"mine.yaml, line {line}, column " in caught.value.message
    assert store.text("mine") == text


@pytest.mark.parametrize("name", ["", "../evil", "a b", "x" * 65, ".hidden"])
def test_a_profile_has_a_plain_name(store: ProfileStore, name: str, tmp_path: Path) -> None:
    with pytest.raises(ProfileError, match="cannot be the name"):
        store.save(name, store.text("evidence"))
    assert list(tmp_path.rglob("*.yaml")) == []
