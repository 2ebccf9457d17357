"""Formulas in Markdown are read as the text that they show, and nothing else is taken for one."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import LineLocator
from phasergun_desktop.documents.plain.formulas import with_plain_formulas
from phasergun_desktop.documents.plain.markdown import read_markdown
from phasergun_desktop.text.values import extract_values


def read(source: str) -> list[tuple[int, str]]:
    """Return (line, text) of each block."""
    builder = DocumentBuilder()
    read_markdown(source.encode(), builder)
    return [
        (block.locator.line, builder.text[block.start : block.end])
        for block in builder.blocks
        if isinstance(block.locator, LineLocator)
    ]


@pytest.mark.parametrize(
    ("tex", "shown"),
    [
        (r"4 0 0 ~ \mathrm { m g / d L }", "400 mg/dL"),
        (r"4 0 0 \mathrm { m g / d L }", "400 mg/dL"),
        (r"2 0 { - } 6 0 0 ~ \mathrm { m g / d L }", "20-600 mg/dL"),
        (r"0 . 6 \mu \mathrm { L }", "0.6 μL"),
        (r"\pm 1 5 \%", "±15%"),
        (r"\leq 3 0 \ \mathrm { n g / m L }", "≤30 ng/mL"),
        (r"5 0 \mathrm { { } ^ { \circ } C }", "50°C"),
        (r"{ } ^ { } _ { - 2 0 } \mathrm { { \circ } C }", "^-20°C"),
        (r"3 9 ^ { \mathrm { o } } \mathrm { F }", "39°F"),
        (r"8 ^ { \mathrm { t h } }", "8th"),
        (r"( \mathrm { c K ^ { + } } )", "(cK+)"),
        (r"2 \times 1 0 ^ { - 7 }", "2×10^-7"),
        (r"1 0 ^ { 3 } \mathrm { C F U / m L }", "10^3 CFU/mL"),
        (r"5 1 0 ( \mathrm { k } )", "510(k)"),
        (r"\mathrm { C G } 8 +", "CG8+"),
        (r"\textsuperscript { \textregistered }", "®"),
        (r"\mathsf { p H }", "pH"),
        (r"\frac { a } { b }", "a/b"),
        ("C G 8 +", "CG8+"),
        ("E", "E"),
        ("9 0 %", "90%"),
    ],
)
def test_a_formula_is_what_its_reader_sees(tex: str, shown: str) -> None:
    assert with_plain_formulas(f"of ${tex}$ or") == f"of {shown} or"
    assert read(f"of ${tex}$ or") == [(1, f"of {shown} or")]
    assert read(f"| head |\n|---|\n| of ${tex}$ or |")[-1] == (3, f"of {shown} or")
    cell = tex.replace("<", "&lt;")
    assert read(f"<table><tr><td>of ${cell}$ or</td></tr></table>") == [(1, f"of {shown} or")]


def test_what_the_formula_shows_is_read_as_a_value() -> None:
    (_, text) = read(r"Linear from $2 0 \mathrm { m g / d L }$ on.")[0]
    assert [each.text for each in extract_values(text)] == ["20 mg/dL"]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "It costs $5-$10 or $20.",
        "$ 5 is no formula $ either.",
        r"An escaped \$5 and $5.",
        "$HOME/$USER and $PATH",
        "$one two$ are words.",
        "An open $ 5 \\mathrm { m g }",
        "$" + "{" * 200 + "x" + "}" * 200 + "$",
    ],
)
def test_what_is_no_formula_stays(text: str) -> None:
    assert with_plain_formulas(text) == text


def test_code_and_lines_stay() -> None:
    source = "# From $1 ^ { s t }$\n\n`$4 0$` is code.\n\n```\n$4 0 \\%$\n```\n\n"
    source += "At $4 0\n\\%$ it ends."
    assert read(source) == [
        (1, "From 1st"),
        (3, "$4 0$ is code."),
        (5, "$4 0 \\%$"),
        (9, "At 40% it ends."),
    ]


def test_a_formula_reads_no_file(tmp_path: Path) -> None:
    (tmp_path / "secret.tex").write_text("the secret", encoding="utf-8")
    place = (tmp_path / "secret").as_posix()
    for command in ("input", "include", "InputIfFileExists"):
        assert "the secret" not in with_plain_formulas(rf"$\{command}{{{place}}}$")
