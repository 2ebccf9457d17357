"""Questions to a project with what is right about them: the files, and what an answer must say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.evaluation.json_lines import BadRowError, Row, Rows, read_rows, required
from phasergun_desktop.evaluation.wanted_facts import pattern_problem

_REMEDY = (
    'Write one JSON object a line: {"id": "q1", "question": "…", "answerable": true, '
    '"files": ["Context/…"], "must_contain": ["a regular expression"]}.'
)


@dataclass(frozen=True, slots=True)
class JudgedQuestion:
    """A question, the ``files`` that answer it (any one is enough), and what a right answer has.

    ``scope`` ("@general") is put before the question. ``must_contain`` are regular expressions,
    all of which the answer has to have. ``passage`` is the one that the writer found right, for
    people to read.
    """

    question_id: str
    text: str
    is_answerable: bool = True
    files: tuple[str, ...] = ()
    must_contain: tuple[str, ...] = ()
    scope: str = ""
    passage: str = ""

    @property
    def prompt(self) -> str:
        """The question as it is asked."""
        return f"{self.scope} {self.text}".strip()


def read_questions(path: Path) -> Rows[JudgedQuestion]:
    """Return the questions of a file. Raises ``EvaluationFileError``."""
    known: dict[str, int] = {}

    def made(row: Row, line: int) -> JudgedQuestion:
        question = question_of(row, line)
        first = known.setdefault(question.question_id, line)
        if first != line:
            raise BadRowError(f"has the id “{question.question_id}” of line {first}")
        return question

    return read_rows(path, made, _REMEDY)


def question_row(question: JudgedQuestion) -> Row:
    """Return a question as a row of a file."""
    row: Row = {
        "id": question.question_id,
        "question": question.text,
        "answerable": question.is_answerable,
        "files": list(question.files),
        "must_contain": list(question.must_contain),
    }
    more = {"scope": question.scope, "passage": question.passage}
    return row | {key: text for key, text in more.items() if text}


def question_of(row: Row, line: int) -> JudgedQuestion:
    """Return the question of a row. Raises ``BadRowError``."""
    text = required(row, "question")
    is_answerable = row.get("answerable", True)
    if not isinstance(is_answerable, bool):
        raise BadRowError("has an “answerable” that is neither true nor false")
    files, patterns = _texts(row, "files"), _texts(row, "must_contain")
    if is_answerable and not files:
        raise BadRowError("has no “files” that answer it")
    for pattern in patterns:
        problem = pattern_problem(pattern)
        if problem:
            raise BadRowError(problem)
    more = {key: row.get(key, "") for key in ("scope", "passage")}
    for key, value in more.items():
        if not isinstance(value, str):
            raise BadRowError(f"has a “{key}” that is no text")
    name = row.get("id", f"line {line}")
    return JudgedQuestion(
        str(name),
        text,
        is_answerable,
        files,
        patterns,
        str(more["scope"]).strip(),
        str(more["passage"]),
    )


def _texts(row: Row, key: str) -> tuple[str, ...]:
    found = row.get(key, [])
    if not isinstance(found, Sequence) or isinstance(found, str):
        raise BadRowError(f"has a “{key}” that is no list")
    if not all(isinstance(each, str) and each for each in found):
        raise BadRowError(f"has a “{key}” that holds more than texts")
    return tuple(found)
