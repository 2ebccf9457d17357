"""What a draft says already."""

from __future__ import annotations

from phasergun_desktop.writing.said import Said

HEADERS = "Risk: leak; Severity before: 4; Severity after: 2"


def test_the_headers_of_a_row_say_nothing_but_beside_another_row() -> None:
    said = Said()
    said.add("leak 4 2", HEADERS)
    assert said.has(HEADERS, is_row=True)
    assert said.has("leak")
    assert not said.has("Each risk has a severity before and after.")
    assert not said.has("Risk: burst; Severity before: 4; Severity after: 2", is_row=True)


def test_what_is_denied_is_another_statement() -> None:
    said = Said()
    said.add("It is indicated for adults at home.")
    assert said.has("- It is indicated for adults.")
    assert not said.has("It is not indicated for adults.")
