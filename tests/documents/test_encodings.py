"""How the bytes of a text spell its characters."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import (
    decode_text,
    decoded_lines,
    looks_like_text,
)

GERMAN = (
    "Größe des Geräts: 5 µl. Die Prüfung der Teststreifen erfolgt jährlich.\n"
    "Für jede Charge wird ein Prüfbericht erstellt, der die Rückverfolgbarkeit gewährleistet.\n"
)
POLISH = (
    "Każda partia pasków testowych jest sprawdzana przed zwolnieniem do sprzedaży.\n"
    "Użytkownik powinien przechowywać urządzenie w suchym miejscu, chronić przed światłem.\n"
)
RUSSIAN = (
    "Прибор предназначен для измерения уровня глюкозы в крови.\n"
    "Перед использованием внимательно прочитайте инструкцию и проверьте срок годности.\n"
)
GREEK = (
    "Η συσκευή προορίζεται για τη μέτρηση της γλυκόζης στο αίμα.\n"
    "Διαβάστε προσεκτικά τις οδηγίες πριν από τη χρήση και ελέγξτε την ημερομηνία λήξης.\n"
)
JAPANESE = (
    "この装置は血液中のグルコースを測定するために使用されます。\n使用前に説明書を読んでください。\n"
)
CHINESE = (
    "本仪器用于测量血液中的葡萄糖。\n使用前请仔细阅读说明书,并检查有效期。请将试纸保存在干燥处。\n"
)
KOREAN = "이 장치는 혈액 내 포도당을 측정하는 데 사용됩니다.\n사용하기 전에 설명서를 읽으십시오.\n"
ENGLISH = "The meter reads the strip in five seconds, and it stores the result with its date.\n" * 4


@pytest.mark.parametrize(
    ("text", "encoding"),
    [
        (GERMAN, "utf-8"),
        (GERMAN, "utf-8-sig"),
        (GERMAN, "utf-16"),
        (GERMAN, "utf-16-le"),
        (GERMAN, "utf-16-be"),
        (GERMAN, "utf-32"),
        (GERMAN, "utf-32-be"),
        (GERMAN, "cp1252"),
        (POLISH, "cp1250"),
        (POLISH, "iso8859-2"),
        (RUSSIAN, "cp1251"),
        (RUSSIAN, "koi8-r"),
        (RUSSIAN, "cp866"),
        (RUSSIAN, "iso8859-5"),
        (RUSSIAN, "utf-16-le"),
        (GREEK, "iso8859-7"),
        (JAPANESE, "shift_jis"),
        (JAPANESE, "euc-jp"),
        (JAPANESE, "iso2022_jp"),
        (JAPANESE, "utf-16-be"),
        (CHINESE, "gb18030"),
        (CHINESE, "hz"),
        (CHINESE, "utf-16-le"),
        (KOREAN, "euc-kr"),
        (KOREAN, "iso2022_kr"),
        (KOREAN, "johab"),
        (ENGLISH, "cp500"),
        (GERMAN, "utf-7"),
        ("Range,Unit\n20.5,mg/dL\n" * 20, "utf-16-le"),
    ],
)
def test_the_characters_come_out_as_they_went_in(text: str, encoding: str) -> None:
    data = text.encode(encoding)
    assert looks_like_text(data)
    decoded = decode_text(data)
    assert decoded.text == text
    assert decoded.damaged is False


@pytest.mark.parametrize(
    "signs", ["5 µL", "± 0.5 °C", "“quoted” – and dashed", "GlucoTrace® ™", "a • b", "4.5 × 10²"]
)
def test_few_signs_in_english_text_are_windows_1252(signs: str) -> None:
    text = f"The result was {signs} in every run of the study.\n"
    assert decode_text(text.encode("cp1252")).text == text


def test_damaged_utf_8_stays_utf_8() -> None:
    data = GERMAN.encode().replace(b"Charge", b"Char\xffge", 1)
    decoded = decode_text(data)
    assert decoded.encoding == "utf-8"
    assert decoded.damaged
    assert decoded.text == GERMAN.replace("Charge", "Char\ufffdge", 1)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_every_kind_of_line_end_is_one(end: str) -> None:
    assert decode_text(f"a{end}b{end}{end}c".encode()).text == "a\nb\n\nc"


def test_ebcdic_lines_end_with_its_own_mark() -> None:
    data = ENGLISH.encode("cp500").replace(b"\x25", b"\x15")
    assert decode_text(data).text == ENGLISH


def test_a_guess_is_told_to_the_reader() -> None:
    builder = DocumentBuilder()
    assert decoded_lines(GERMAN.encode("cp1252"), builder) == GERMAN
    (warning,) = builder.warnings
    assert warning == "The encoding is not stated in the file; Windows-1252 was assumed."
    sure = DocumentBuilder()
    decoded_lines(GERMAN.encode("utf-16-le"), sure)
    assert sure.warnings == ()


def test_what_comes_late_in_a_long_file_is_seen() -> None:
    text = "Plain words of a long report.\n" * 30_000 + RUSSIAN * 3
    assert decode_text(text.encode("cp1251")).text == text


@pytest.mark.parametrize(
    "data",
    [
        bytes(range(256)) * 8,
        b"\x7fELF\x02\x01\x01" + bytes(64),
        b"PAR1" + bytes(range(1, 32)) * 9,
        b"GIF8" + b"\x10\x00\x80\x00\xf7\x00\x00\x9a" * 40,
    ],
)
def test_binary_data_is_no_text(data: bytes) -> None:
    assert not looks_like_text(data)


def test_random_bytes_are_no_text() -> None:
    drawn = random.Random(7)
    assert not any(looks_like_text(drawn.randbytes(size)) for size in [1000] * 20 + [30_000] * 3)


def test_few_random_bytes_are_seldom_text() -> None:
    drawn = random.Random(7)
    taken = sum(looks_like_text(drawn.randbytes(100)) for _ in range(300))
    # Two of 100 bytes may be controls in text, and chance draws no more in 0.5 % of the cases.
    assert taken <= 6


@pytest.mark.parametrize("text", ["", "a", "no", "C++ and +1-800-555-0199", "see ~{x} here"])
def test_short_and_odd_ascii_is_left_as_it_is(text: str) -> None:
    assert decode_text(text.encode()).text == text


def test_the_encodings_of_the_held_files(test_data: Path) -> None:
    """Every file whose name states its codec is decoded exactly (at most one in twenty not)."""
    known = {"MacCyrillic": "mac_cyrillic"}
    right = wrong = 0
    for path in sorted((test_data / "nasty" / "txt").glob("encoding__*__*.txt")):
        name = path.name.split("__")[1].rstrip("_")
        codec = known.get(name, "-".join(name.split("-")[:3]) if name.startswith("iso") else name)
        codec = "-".join(codec.split("-")[:2]) if codec.startswith("windows") else codec
        want = path.read_bytes().decode(codec).removeprefix("\ufeff")
        want = want.replace("\r\n", "\n").replace("\r", "\n")
        if decode_text(path.read_bytes()).text == want:
            right += 1
        else:
            wrong += 1
    assert right
    assert wrong * 20 <= right + wrong
