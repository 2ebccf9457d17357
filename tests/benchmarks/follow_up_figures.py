"""Questions that go on from another, asked in a conversation and each whole, without a model.

``follow_up_questions.jsonl`` has those on the three projects of ``projects``: what is asked
``before``, the ``question`` that goes on from it, the same ``whole``, and a regular expression that
the right answer matches.
"""

from __future__ import annotations

import json
import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, share
from tests.benchmarks.glucose import opened
from tests.benchmarks.project_figures import PROJECTS

_FILE = Path(__file__).with_name("follow_up_questions.jsonl")


def follow_up_figures() -> Iterator[Figure]:
    """Yield the shares of right answers to whole questions and to the follow-ups, of the whole ones
    that are right those whose follow-up is, too, and of the follow-ups those that are wrong."""
    rows = [json.loads(line) for line in _FILE.read_text("utf-8").splitlines()]
    told: list[tuple[str, Turn, Turn, str]] = []
    for name in dict.fromkeys(row["project"] for row in rows):
        with tempfile.TemporaryDirectory(prefix="phasergun-benchmark-") as folder:
            root = Path(folder) / "project"
            shutil.copytree(PROJECTS / name / "project", root, copy_function=shutil.copyfile)
            with opened(root, Path(folder) / "home") as (_, session):
                run_to_end(session.sync())
                for row in (each for each in rows if each["project"] == name):
                    whole = _asked(session, row["whole"])
                    _asked(session, row["before"])
                    going_on = session.conversations()[0].conversation_id
                    asked = _asked(session, row["question"], going_on)
                    about = f"{row['before']} {row['question']}"
                    told.append((about, whole, asked, row["must_contain"]))
    wholes = [(about, _is_right(whole, wanted)) for about, whole, _, wanted in told]
    follow_ups = [(about, _is_right(asked, wanted)) for about, _, asked, wanted in told]
    both = [again for (_, is_right), again in zip(wholes, follow_ups, strict=True) if is_right]
    missed = "; ".join(about for about, is_right in both if not is_right)
    yield share("whole questions, right", wholes)
    yield share("follow-ups, right", follow_ups)
    yield share("of whole ones that are right, follow-ups right", both, note=f"missed: {missed}")
    yield share("whole questions, wrong", [(a, _is_wrong(turn, w)) for a, turn, _, w in told])
    yield share("follow-ups, wrong", [(a, _is_wrong(turn, w)) for a, _, turn, w in told])


def _asked(session: ProjectSession, text: str, conversation: str = "") -> Turn:
    question = Question(text, uses_model=False)
    return run_to_end(session.ask(question, conversation, should_stop=lambda: False))


def _is_right(turn: Turn, wanted: str) -> bool:
    said = "\n".join(" | ".join(unit.cells) or unit.text for unit in turn.sentences)
    is_answer = turn.status is TurnStatus.COMPLETE
    return is_answer and re.search(wanted, said, re.IGNORECASE) is not None


def _is_wrong(turn: Turn, wanted: str) -> bool:
    return turn.status is TurnStatus.COMPLETE and not _is_right(turn, wanted)
