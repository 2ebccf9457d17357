from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from phasergun_desktop.evaluation.json_lines import EvaluationFileError
from phasergun_desktop.evaluation.wanted_facts import (
    LARGEST_FILE_BYTES,
    LONGEST_PATTERN,
    Half,
    Wanted,
    read_facts,
)

GOOD = '{"prompt": "a.md", "fact": "f", "pattern": "x"}\n'


def _row(**changed: object) -> bytes:
    row = {"prompt": "a.md", "fact": "f", "pattern": "x", **changed}
    return (GOOD + json.dumps(row) + "\n").encode()


def test_what_a_row_wants(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    rows = [
        {"prompt": "a.md", "fact": "one", "pattern": "\\b35\\s*kg", "source": "A.docx"},
        {"prompt": "a.md", "fact": "two", "pattern": "language", "source": "", "missing": True},
        {"prompt": "b.md", "fact": "abstains", "pattern": "", "file": ""},
    ]
    path.write_text("\n\n".join(json.dumps(row) for row in rows), "utf-8-sig")
    file = read_facts(path)
    assert [each.wanted for each in file.facts] == [Wanted.FACT, Wanted.MISSING, Wanted.ABSTENTION]
    assert [each.line for each in file.facts] == [1, 3, 5]
    assert file.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"", "no rows"),
        (b"\n \n", "no rows"),
        (b"not json\n", "Line 1"),
        (b"[" * 100_000, "Line 1"),
        (GOOD.encode() + b"[1]\n", "Line 2 .* no.* object|Line 2 .* is not an object"),
        (b'{"prompt": "a.md", "fact": "f"}\n', "Line 1 .*pattern"),
        (_row(prompt=" "), "Line 2 .*prompt"),
        (_row(fact=7), "Line 2 .*fact"),
        (_row(pattern=None), "Line 2 .*pattern"),
        (_row(missing="yes"), "Line 2 .*missing"),
        (_row(missing=True, pattern=""), "Line 2 .*missing"),
        (_row(pattern="("), "Line 2 .*not valid"),
        (_row(pattern="a{99999999999}"), "Line 2 .*not valid"),
        (_row(pattern="x" * (LONGEST_PATTERN + 1)), "Line 2 .*more than"),
        (b"\xff\xfe\x00", "UTF-8"),
        (b" " * (LARGEST_FILE_BYTES + 1), "larger"),
    ],
)
def test_bad_rows_are_named(tmp_path: Path, content: bytes, says: str) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_bytes(content)
    with pytest.raises(EvaluationFileError, match=says) as told:
        read_facts(path)
    assert told.value.remedy


def test_a_pattern_of_which_python_warns_is_read(tmp_path: Path) -> None:
    path = tmp_path / "facts.jsonl"
    path.write_text(json.dumps({"prompt": "a.md", "fact": "f", "pattern": "[[a]b"}), "utf-8")
    assert read_facts(path).facts[0].pattern == "[[a]b"


def test_an_absent_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(EvaluationFileError, match=r"none\.jsonl"):
        read_facts(tmp_path / "none.jsonl")


def test_every_prompt_is_in_one_half_whatever_its_folder() -> None:
    names = [f"prompt-{number}.md" for number in range(40)]
    even = [name for name in names if Half.EVEN.has(name)]
    assert [name for name in names if not Half.ODD.has(name)] == even
    assert 0 < len(even) < len(names)
    assert Half.EVEN.has(f"folder/{even[0]}")
    # The rule is a contract with those who split prompts elsewhere.
    digest = hashlib.sha256(b"prompt-0.md").hexdigest()
    assert Half.EVEN.has("prompt-0.md") is (int(digest, 16) % 2 == 0)
