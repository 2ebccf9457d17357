"""Two things that changed places are found; a sentence that is turned round is left alone."""

from __future__ import annotations

import pytest

from phasergun_desktop.grounding.exchanges import exchanged


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "The mean was 4.6 for the drops and the lowest, 3.9, for the instructions.",
            "The mean for the instructions was 4.6, the lowest was 3.9 for the drops.",
        ),
        (
            "When the power fails, our device locks the wheels, while theirs rolls slowly.",
            "On power failure theirs locks the wheels, ours rolls slowly.",
        ),
        (
            "Veldra announced in PCN 25-009 that the membrane ends on 28 April.",
            "Veldra wrote on 28 April (their PCN 25-009) that the membrane ends.",
        ),
    ],
)
def test_an_exchange_is_found(sentence: str, source: str) -> None:
    (problem,) = exchanged(sentence, source)
    assert problem.code == "contradicted"
    assert not list(exchanged(source, source))


@pytest.mark.parametrize(
    ("sentence", "source"),
    [
        (
            "Each quarter the risk manager is sent 12 numbers by K. Wallgren.",
            "K. Wallgren sends 12 numbers to the risk manager each quarter.",
        ),
        (
            "For the drops the lowest mean was 3.9; the instructions had a mean of 4.6.",
            "The mean for the instructions was 4.6, the lowest mean was 3.9 for the drops.",
        ),
        ("On 11 March 2024 the inspection began.", "The inspection began (2024-03-11)."),
    ],
)
def test_another_order_is_no_exchange(sentence: str, source: str) -> None:
    assert not list(exchanged(sentence, source))
