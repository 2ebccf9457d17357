"""Where a sentence of a prompt ends, and what it is for."""

from __future__ import annotations

import pytest

from phasergun_desktop.references.notation import read_notation
from phasergun_desktop.references.prompt_sentences import split_sentences
from phasergun_desktop.references.sentence_roles import is_directive, modifies_previous


def _split(prompt: str) -> list[str]:
    protected = [(token.start, token.end) for token in read_notation(prompt).tokens]
    return [prompt[span.start : span.end] for span in split_sentences(prompt, protected)]


@pytest.mark.parametrize(
    ("prompt", "count"),
    [
        ("Write it. Use [Context|Initiation|Device-Description. V1.docx]. Stop.", 3),
        ("State values, e.g. The range, of approx. 0.6 microlitres.", 1),
        ("See K231192.pdf and 21 C.F.R. Part 820, No. 5 and Fig. 3.", 1),
        ("Is it sterile? No. Then say so!", 3),
        ("Approved by Dr. J. Smith of Acme Inc. in 2024.", 1),
        ("Summarise phase B. Use these.", 2),
        ('Say "done." Then stop.', 2),
        ("This is one sentence that was wrapped by an editor at the width of its\nwindow here.", 1),
        ("Use [Bootstrap|x]\nWrite the scope.", 2),
        ("Cover:\n- Purpose\n- Scope\n\n# Title\nWrite it", 5),
        ("first line\n\nsecond", 2),
        ("  \n ", 0),
    ],
)
def test_sentences(prompt: str, count: int) -> None:
    assert len(_split(prompt)) == count, _split(prompt)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Use [Context|General|a.docx].", True),
        ("Based on @sops and [Bootstrap|x] only.", True),
        ("Use the facts in [Bootstrap|x], please; do not use anything else.", True),
        ("Sources: @sops, @general", True),
        ("Use [Bootstrap|x] to write the scope.", False),
        ("Summarise [Bootstrap|x].", False),
        ("Answer only from @sops.", True),
        ("Write it by @sops.", False),
        ("Using @sops, write:", False),
        ("Use nothing.", False),
        ("Take everything from [Bootstrap|x], 200 words at most.", True),
        ("Take the method from [Bootstrap|x], 200 words at most.", False),
    ],
)
def test_directives_only_name_sources(text: str, expected: bool) -> None:
    spans = [(token.start, token.end) for token in read_notation(text).tokens]
    assert is_directive(text, spans) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Name the record each step produces.", True),
        ("State differences plainly.", True),
        ("Cover intended use, technology, measuring range and sample type.", True),
        ("Do not add headings.", True),
        ("Keep it short.", True),
        ("State it plainly.", True),
        ("State its battery capacity.", False),
        ("State the software level.", False),
        ("Describe the principle of operation.", False),
        ("What does it do?", False),
        ("The device is small.", False),
    ],
)
def test_qualifications_belong_to_the_sentence_before(text: str, expected: bool) -> None:
    assert modifies_previous(text) is expected
