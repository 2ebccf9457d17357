"""The grammar of references: what is one, what is not, and where it is broken."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.references.model import ReferenceKind, Severity
from phasergun_desktop.references.notation import read_notation
from phasergun_desktop.references.prompt_sentences import split_sentences


def _brackets(prompt: str) -> list[tuple[ReferenceKind, list[str]]]:
    return [
        (token.kind, list(token.parts))
        for token in read_notation(prompt).tokens
        if token.kind is not ReferenceKind.SCOPE
    ]


def _scopes(prompt: str) -> list[str]:
    return [
        token.parts[0]
        for token in read_notation(prompt).tokens
        if token.kind is ReferenceKind.SCOPE
    ]


@pytest.mark.parametrize(
    ("prompt", "kind", "parts"),
    [
        ("[Procedure|sops|risk_management]", ReferenceKind.PROCEDURE, ["sops", "risk_management"]),
        ("[procedure | quality_policies ]", ReferenceKind.PROCEDURE, ["quality_policies"]),
        ("[MASTER_RECORD|Device Name]", ReferenceKind.MASTER_RECORD, ["Device Name"]),
        ("[Master Record|Sec|Field]", ReferenceKind.MASTER_RECORD, ["Sec", "Field"]),
        ("[Master Record|Device\nName]", ReferenceKind.MASTER_RECORD, ["Device\nName"]),
        ("[Context|General|a.docx]", ReferenceKind.CONTEXT, ["General", "a.docx"]),
        ("[Bootstrap|DDP]", ReferenceKind.BOOTSTRAP, ["DDP"]),
        ("[Doc|DDP|LEVEL]", ReferenceKind.DOC_FIELD, ["DDP", "LEVEL"]),
    ],
)
def test_every_form(prompt: str, kind: ReferenceKind, parts: list[str]) -> None:
    assert _brackets(f"Use {prompt}.") == [(kind, parts)]
    assert read_notation(prompt).problems == ()


@pytest.mark.parametrize(
    "prompt", ["as shown in [1]", "[see note] and [a, b]", "[x|y]", "mean [0, 1)", "a [ b", "]["]
)
def test_ordinary_brackets_are_no_references(prompt: str) -> None:
    assert read_notation(prompt).tokens == ()
    assert read_notation(prompt).problems == ()


@pytest.mark.parametrize(
    ("prompt", "code", "text"),
    [
        ("Use [Procedure|sops and go", "broken_syntax", "[Procedure|sops and go"),
        ("Use [Doc|a|B and [Bootstrap|x]", "broken_syntax", "[Doc|a|B and "),
        ("[Context|a\n\nb]", "broken_syntax", "[Context|a"),
        ("[Procedure|]", "broken_syntax", "[Procedure|]"),
        ("[Master Record||x]", "broken_syntax", "[Master Record||x]"),
        ("[Doc|a]", "broken_syntax", "[Doc|a]"),
        ("[Bootstrap|a|b]", "broken_syntax", "[Bootstrap|a|b]"),
        ("Use Bootstrap|a].", "broken_syntax", "Bootstrap|a]"),
        ("[Procedur|sops]", "unknown_reference", "[Procedur|sops]"),
        ("[MasterRecrod|x]", "unknown_reference", "[MasterRecrod|x]"),
        ("use @global_standard here", "unknown_scope", "@global_standard"),
        ("use @my_sources here", "unknown_scope", "@my_sources"),
        ("use @globl here", "unknown_scope", "@globl"),
        ("use @standards.", "unknown_scope", "@standards"),
    ],
)
def test_what_is_broken_is_reported_where_it_is(prompt: str, code: str, text: str) -> None:
    problems = read_notation(prompt).problems
    assert [problem.code for problem in problems] == [code]
    assert prompt[problems[0].start : problems[0].end] == text
    assert problems[0].severity is Severity.BLOCKS
    assert problems[0].remedy


def test_the_message_names_line_and_column() -> None:
    problem = read_notation("Write it.\nUse [Procedure|sops").problems[0]
    assert "line 2, column 5" in problem.message


def test_all_problems_at_once_and_what_is_sound_still_counts() -> None:
    notation = read_notation("[Procedur|a] [Context|b] @sop_s [Doc|x")
    assert len(notation.problems) == 3
    assert len(notation.tokens) == 1


def test_a_lone_word_of_the_notation_is_a_warning() -> None:
    problem = read_notation("See [Master Record] for it.").problems[0]
    assert (problem.code, problem.severity) == ("incomplete_reference", Severity.WARNING)


@pytest.mark.parametrize(
    ("prompt", "scopes"),
    [
        ("by @sops, @Global_Standards.", ["sops", "global_standards"]),
        ("(@us-regulations)", ["us_regulations"]),
        ("mail me@sops.com or x.y@general", []),
        ("@example.com and 2 @ 5 V", []),
        ("[Context|General|a @sops b.docx]", []),
    ],
)
def test_scopes_are_no_addresses(prompt: str, scopes: list[str]) -> None:
    assert _scopes(prompt) == scopes
    assert read_notation(prompt).problems == ()


_PIECES = st.sampled_from(
    ["[", "]", "|", "@", "Procedure", "Master Record", "Doc", "sops", "\n", "\n\n", " ", ". ", "x",
     "a.docx", "- ", "1. ", "# ", "é", "\u2028", "No. ", "?"]
)  # fmt: skip


@given(st.one_of(st.lists(_PIECES, max_size=40).map("".join), st.text(max_size=80)))
def test_any_text_is_read_and_positions_reproduce_it(prompt: str) -> None:
    notation = read_notation(prompt)
    end = 0
    for token in notation.tokens:
        assert end <= token.start < token.end <= len(prompt)
        end = token.end
        written = prompt[token.start : token.end]
        assert token.text == written
        if token.kind is ReferenceKind.SCOPE:
            assert [written.casefold().replace("-", "_")] == [f"@{name}" for name in token.parts]
        else:
            assert (written[0], written[-1]) == ("[", "]")
            assert [part.strip() for part in written[1:-1].split("|")[1:]] == list(token.parts)
            assert all(token.parts)
    for problem in notation.problems:
        assert 0 <= problem.start < problem.end <= len(prompt)


@given(st.one_of(st.lists(_PIECES, max_size=40).map("".join), st.text(max_size=80)))
def test_sentences_hold_all_text_and_cut_no_reference(prompt: str) -> None:
    tokens = read_notation(prompt).tokens
    spans = split_sentences(prompt, [(token.start, token.end) for token in tokens])
    end, gaps = 0, ""
    for span in spans:
        assert end <= span.start < span.end
        gaps += prompt[end : span.start]
        end = span.end
    assert not (gaps + prompt[end:]).strip()
    for token in tokens:
        assert any(span.start <= token.start and token.end <= span.end for span in spans)
