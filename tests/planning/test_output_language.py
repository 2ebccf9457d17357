from __future__ import annotations

import pytest

from phasergun_desktop.planning.output_language import (
    is_other_language,
    language_of,
    language_to_write,
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Describe the alarms of the pump and state the part number of each.", "English"),
        ("Nennen Sie die Alarme der Pumpe und die Teilenummer von jedem.", "German"),
        (
            "Décrivez les alarmes de la pompe et le numéro de chaque pièce pour les essais.",
            "French",
        ),
        ("Describa las alarmas de la bomba y los números de cada pieza según el plan.", "Spanish"),
        ("描述泵的报警和每个部件的编号", "Chinese"),
        ("ポンプの警報を説明してください", "Japanese"),
        ("Опишите сигналы тревоги насоса", "Russian"),
        ("Pump?", ""),
        ("GT2-100 K123456 ISO 14971", ""),
    ],
)
def test_the_language_of_a_prompt(text: str, language: str) -> None:
    assert language_of(text) == language


def test_references_and_quotations_do_not_count() -> None:
    text = "Beschreiben Sie die Pumpe und die Alarme: [Context|General|The history of the state.md]"
    assert language_to_write(text) == "German"
    assert language_to_write("Describe the pump of “der die das und ist sind”.") == ""


def test_only_a_plain_difference_is_one() -> None:
    english = "The alarm of the pump sounds at 78 dB and it is silenced by a button."
    assert is_other_language("German", english)
    assert not is_other_language("", english)
    assert not is_other_language("German", "78 dB")
