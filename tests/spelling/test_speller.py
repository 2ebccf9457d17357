"""What is checked, what is known, and that it takes no time."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.spelling.checked_words import checked_words
from phasergun_desktop.spelling.speller import Speller

DICTIONARIES = resources_path() / "dictionaries"


def _speller(folder: Path, language: str = "en_US") -> Speller:
    speller = Speller(DICTIONARIES, folder / "dictionary.txt")
    speller.use(*speller.read(language))
    return speller


def _wrong(speller: Speller, text: str) -> list[str]:
    return [one.text for one in speller.misspelled(text)]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("The meter's strips, and/or its cap.", ["The", "meter's", "strips", "and", "its", "cap"]),
        ("a well-known device\u2014without mains", ["well", "known", "device", "without", "mains"]),
        ("Glucoze was found.\u202f12 Teh end.", ["Glucoze", "was", "found", "Teh", "end"]),
        # Nothing of these.
        ("SOP-003-risk K231192 GS-100 12-month 5mmol 37,5 510(k)", []),
        ("PCB, MRIs, PhaserGun, iOS, mL, mg/dL, pH", []),
        ("form.docx, www.example.org, user@host, C:\\temp\\teh, e.g. [Doc|teh|FIELD]", []),
        ("He said “teh ende” and \"teh ende\" and «teh ende».", ["said", "and", "and"]),
        ("α-helix Ωmega метр 器具", ["helix"]),
        ("a" * 60, []),
    ],
)  # fmt: skip
def test_only_prose_is_checked(text: str, words: list[str]) -> None:
    found = list(checked_words(text))
    assert [one.text for one in found] == words
    assert [text[one.start : one.end] for one in found] == words


def test_a_quotation_that_does_not_end_is_checked() -> None:
    assert [one.text for one in checked_words("He said “teh end.")] == ["said", "teh", "end"]


def test_the_language_decides(tmp_path: Path) -> None:
    text = "The colour of the color, analyzers and analysers, recieved."
    assert _wrong(_speller(tmp_path), text) == ["colour", "analysers", "recieved"]
    british = _speller(tmp_path, "en_GB")
    assert _wrong(british, text) == ["color", "analyzers", "recieved"]
    assert _wrong(british, "5 mmol of mcg and kilopascals at rpm and db") == []
    assert british.suggestions("recieved")[0] == "received"
    assert british.suggestions("Teh")[0] == "The"
    assert "Germany" in british.suggestions("Germny")


def test_terms_of_medical_devices_are_known_and_suggested(tmp_path: Path) -> None:
    text = "Biocompatibility and cytotoxicity of the oximeter, hemolysis, haemolysis"
    speller = _speller(tmp_path)
    assert _wrong(speller, text) == ["haemolysis"]
    assert speller.suggestions("biocompatiblity")[0] == "biocompatibility"
    assert _wrong(_speller(tmp_path, "en_GB"), text) == ["hemolysis"]


SENSORA = "Ampometrically, Sensora’s potentiosta and the sensora."


def test_sources_are_asked_once_for_what_the_dictionary_lacks(tmp_path: Path) -> None:
    speller, asked = _speller(tmp_path), list[frozenset[str]]()
    assert _wrong(speller, SENSORA) == ["Ampometrically", "Sensora’s", "potentiosta", "sensora"]
    assert speller.unsure == frozenset()
    speller.use_sources(lambda: asked.append(speller.unsure))
    # Nothing is marked before there is an answer.
    assert _wrong(speller, SENSORA) == _wrong(speller, SENSORA) == []
    words = {"Ampometrically", "ampometrically", "potentiosta", "Sensora", "sensora"}
    assert speller.unsure == {*words, "Sensora's", "sensora's"}
    assert [len(one) for one in asked] == [2, 5, 6, 7]
    speller.answer(speller.unsure, frozenset({"ampometrically", "potentiosta", "Sensora"}))
    assert _wrong(speller, SENSORA) == ["sensora"]
    assert speller.unsure == frozenset()
    assert len(asked) == 4
    # Without a project there is nobody to be asked.
    speller.use_sources(None)
    assert len(_wrong(speller, SENSORA)) == 4


def test_sources_that_changed_are_asked_again_for_what_they_had_not(tmp_path: Path) -> None:
    speller = _speller(tmp_path)
    speller.use_sources(lambda: None)
    assert _wrong(speller, "potentiosta by Sensora") == []
    speller.answer(speller.unsure, frozenset({"Sensora"}))
    assert _wrong(speller, "potentiosta by Sensora") == ["potentiosta"]
    speller.ask_again()
    # Marked until there is another answer.
    assert _wrong(speller, "potentiosta by Sensora") == ["potentiosta"]
    assert speller.unsure == {"potentiosta"}
    speller.answer(speller.unsure, frozenset({"potentiosta"}))
    assert _wrong(speller, "potentiosta by Sensora") == []


def test_words_of_the_writer_are_kept(tmp_path: Path) -> None:
    speller = _speller(tmp_path)
    for word in ("glucometry", "Müllerian’s", "hematocrits"):
        speller.ignore(word)
    speller.keep("glucometry")
    speller.keep("Müllerian’s")
    assert _wrong(speller, "Glucometry, Müllerian’s hematocrits, glucometri") == ["glucometri"]
    # Also suggested.
    assert "glucometry" in speller.suggestions("glucometri")
    assert (tmp_path / "dictionary.txt").read_text("utf-8") == "glucometry\nMüllerian's\n"
    again = _speller(tmp_path, "en_GB")
    assert _wrong(again, "Glucometry, Müllerian’s hematocrits") == ["hematocrits"]


def test_a_dictionary_of_ones_own_that_is_no_file_harms_nothing(tmp_path: Path) -> None:
    (tmp_path / "dictionary.txt").mkdir()
    speller = _speller(tmp_path)
    assert _wrong(speller, "teh end") == ["teh"]
    with pytest.raises(StorageError):
        speller.keep("teh")


def test_without_a_dictionary_nothing_is_marked(tmp_path: Path) -> None:
    speller = Speller(DICTIONARIES, tmp_path / "dictionary.txt")
    assert _wrong(speller, "teh end") == []
    assert speller.suggestions("teh") == ()


def test_sixty_pages_are_checked_in_a_moment(tmp_path: Path) -> None:
    speller = _speller(tmp_path)
    words = (DICTIONARIES / "en_US.dic").read_text("utf-8").split("\n")[1:]
    text = " ".join(word.split("/")[0] for word in words[:: len(words) // 4000])
    pages = [text] * 8
    started = time.perf_counter()
    for page in pages:
        speller.misspelled(page)
    took = time.perf_counter() - started
    print(f"{sum(len(page.split()) for page in pages)} words in {took * 1000:.0f} ms")
    # 30,000 words, 4,000 different ones: some 60 ms on two cores.
    assert took < 2
