"""What was asked and what came back, kept line by line so that a run that was cut off goes on."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path

from tests.benchmarks.glucose import ROOT

# Answers do not change with the weights: those are fitted from them.
_NOT_PART_OF_THE_ANSWER = ("confidence_weights.py",)
_WHAT_ANSWERS = (
    "planning",
    "writing",
    "grounding",
    "text",
    "retrieval",
    "references",
    "chunking",
    "embedding",
)


@dataclass(frozen=True, slots=True)
class KeptAnswer:
    """One question as it was answered. ``is_right``: the answer has everything that it must
    (False for an abstention); ``parts`` are the scores of its confidence by name."""

    name: str
    question: str
    status: str
    is_answered: bool
    is_right: bool
    score: float
    parts: dict[str, float]
    text: str
    seconds: float
    code: str


class KeptAnswers:
    """The file of one way of answering; lines of other code than today's are not used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._code = _digest_of_code()
        self._kept: dict[str, KeptAnswer] = {}
        if file.is_file():
            for line in file.read_text("utf-8").splitlines():
                answer = _read(line)
                if answer is not None and answer.code == self._code:
                    self._kept[answer.question] = answer

    @property
    def code(self) -> str:
        """The digest of what answers."""
        return self._code

    def get(self, question: str) -> KeptAnswer | None:
        """Return the answer to ``question`` if it was asked already."""
        return self._kept.get(question)

    def keep(self, answer: KeptAnswer) -> None:
        """Append ``answer``."""
        self._kept[answer.question] = answer
        self._file.parent.mkdir(parents=True, exist_ok=True)
        with self._file.open("a", encoding="utf-8") as out:
            out.write(json.dumps(asdict(answer), ensure_ascii=False) + "\n")


def _read(line: str) -> KeptAnswer | None:
    try:
        return KeptAnswer(**json.loads(line))
    except (ValueError, TypeError):
        # The line was being written when the run was cut off.
        return None


def _digest_of_code() -> str:
    digest = hashlib.sha256()
    for path in _sources():
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _sources() -> Iterator[Path]:
    for room in _WHAT_ANSWERS:
        for path in sorted((ROOT / "phasergun_desktop" / room).rglob("*.py")):
            if path.name not in _NOT_PART_OF_THE_ANSWER:
                yield path
    yield from sorted((ROOT / "resources" / "profiles").glob("*.yaml"))
