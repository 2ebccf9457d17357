"""Questions with and without an answer: made by rule, and written by people for 19 projects."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.benchmarks.frame import Unavailable
from tests.benchmarks.glucose import data_rows

_FILE = Path(__file__).with_name("questions.jsonl")
_SMALL_PROJECTS = Path(__file__).with_name("small_projects.jsonl")
OXYGENATOR = "oxygenator"
# Things that no project has: what a question is about is replaced by one of them.
_OTHER_THINGS = (
    "Zelmora X7",
    "quellidine",
    "Pravotane",
    "Velithrin 40",
    "Ostrenol",
    "Marquine B",
    "Tavrexin",
    "Holbrane S2",
)
# Attributes that no project states; the second words must not occur in any of its documents.
_OTHER_ATTRIBUTES = (
    ("mercury content", r"mercury"),
    ("list price in dollars", r"\bprice"),
    ("latex content", r"\blatex"),
    ("gamma sterilisation dose", r"\bgamma\b"),
    ("share of recycled plastic", r"recycl"),
    ("customs tariff number", r"tariff"),
    ("maximum magnetic field strength", r"magnetic field"),
    ("royalty rate", r"royalt"),
)


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """A question; ``must_contain`` are regular expressions of the right answer (none: there is
    no answer), ``absent`` one that no document of the project may match. ``rule`` says how it
    was made, ``scope`` what it is asked in."""

    name: str
    project: str
    text: str
    must_contain: tuple[str, ...]
    rule: str
    absent: str
    scope: str = ""

    @property
    def prompt(self) -> str:
        """What is asked: the question after its scope."""
        return f"{self.scope} {self.text}".strip()

    @property
    def is_answerable(self) -> bool:
        """Whether the project answers it."""
        return bool(self.must_contain)


def asked_questions() -> tuple[AskedQuestion, ...]:
    """Return all questions: each with an answer, followed by the one made from it.

    The rules: every other question asks for the same of another thing (what it is about is
    replaced by a name that no document has); the rest asks for another attribute of the same
    thing (one that no document states).
    """
    found: list[AskedQuestion] = []
    lines = _FILE.read_text("utf-8").splitlines()
    for number, row in enumerate(json.loads(line) for line in lines if line.strip()):
        found.append(
            AskedQuestion(
                row["id"],
                row["project"],
                row["question"],
                tuple(row["must_contain"]),
                "as written",
                "",
            )
        )
        if number % 2 == 0:
            thing = _OTHER_THINGS[number // 2 % len(_OTHER_THINGS)]
            text = row["question"].replace(row["about"], thing)
            rule, absent = "another thing", re.escape(thing)
        else:
            attribute, absent = _OTHER_ATTRIBUTES[number // 2 % len(_OTHER_ATTRIBUTES)]
            text = f"What is the {attribute} of {row['about']}?"
            rule = "another attribute"
        found.append(AskedQuestion(f"{row['id']}-none", row["project"], text, (), rule, absent))
    return tuple(found)


def written_questions() -> tuple[AskedQuestion, ...]:
    """Return the questions that people wrote, with those on project-oxygenator."""
    rows = data_rows(f"project-{OXYGENATOR}-questions.jsonl")
    return small_project_questions() + tuple(_written(OXYGENATOR, row) for row in rows)


def small_project_questions() -> tuple[AskedQuestion, ...]:
    """Return the questions that people wrote on the small projects that the selector learns from,
    a third of them near misses without an answer."""
    rows = map(json.loads, _SMALL_PROJECTS.read_text("utf-8").splitlines())
    return tuple(_written(row["project"], row) for row in rows)


def _written(project: str, row: dict[str, Any]) -> AskedQuestion:
    return AskedQuestion(
        f"{project} {row['id']}",
        project,
        row["question"],
        tuple(row["must_contain"]) if row["answerable"] else (),
        "as written" if row["answerable"] else "near miss",
        "",
        row.get("scope", ""),
    )


def check_absent(questions: tuple[AskedQuestion, ...], texts: Mapping[str, str]) -> None:
    """Raise ``Unavailable`` where a question that must have no answer could have one: ``texts``
    is everything that the documents of each project say."""
    for question in questions:
        if question.absent and re.search(question.absent, texts[question.project], re.IGNORECASE):
            raise Unavailable(f"{question.name}: {question.absent} occurs in {question.project}")
