"""Questions that go on from another: asked in a conversation and each whole, without a model; and
what a model keeps of its prompts from turn to turn.

``follow_ups.jsonl`` has those on a project, the three of ``projects`` and twelve of
``packaging/selector_data`` that the cross-encoder learnt nothing of: what is asked ``before``, the
``question`` that goes on from it (two of each of the twelve do not, and are whole), the same
``whole``, and a regular expression that the right answer matches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, figure, share
from tests.benchmarks.glucose import LANGUAGE_MODEL, ROOT, GlucoseProject, model_file, opened
from tests.benchmarks.indexed_copy import indexed_copy
from tests.benchmarks.project_figures import PROJECTS
from tests.workspace.test_long_conversations import TURNS

_FOLDERS = (PROJECTS, ROOT / "packaging" / "selector_data")


def follow_up_figures() -> Iterator[Figure]:
    """Yield the shares of right answers to whole questions and to the follow-ups, of the whole ones
    that are right those whose follow-up is, too, and of the follow-ups those that are wrong."""
    told: list[tuple[str, Turn, Turn, str]] = []
    for file in (file for folder in _FOLDERS for file in sorted(folder.glob("*/follow_ups.jsonl"))):
        rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
        # What the cross-encoder learns of says which units answer instead.
        if not all("must_contain" in row for row in rows):
            continue
        with indexed_copy(file.parent / "project") as (_, session):
            for row in rows:
                whole = _asked(session, row["whole"])
                going_on = ""
                for question in row["before"]:
                    _asked(session, question, going_on)
                    going_on = session.conversations()[0].conversation_id
                asked = _asked(session, row["question"], going_on)
                about = f"{file.parent.name}: {' '.join(row['before'])} {row['question']}"
                told.append((about, whole, asked, row["must_contain"]))
    wholes = [(about, _is_right(whole, wanted)) for about, whole, _, wanted in told]
    follow_ups = [(about, _is_right(asked, wanted)) for about, _, asked, wanted in told]
    both = [again for (_, is_right), again in zip(wholes, follow_ups, strict=True) if is_right]
    yield share("whole questions, right", wholes)
    yield share("follow-ups, right", follow_ups)
    yield share("of whole ones that are right, follow-ups right", both)
    yield share("whole questions, wrong", [(a, _is_wrong(turn, w)) for a, turn, _, w in told])
    yield share("follow-ups, wrong", [(a, _is_wrong(turn, w)) for a, _, turn, w in told])


def cached_tokens(project: GlucoseProject, model: str = LANGUAGE_MODEL) -> Iterator[Figure]:
    """Ask the twelve questions of a conversation in the words of ``model`` with the `literature`
    profile; yield the share of the tokens of its prompts that were not read anew."""
    model_file(model)
    turns: list[Turn] = []
    with project.indexed_home() as home, opened(project.root, home, model=model) as (_, session):
        run_to_end(session.warm())
        conversation = ""
        for text, _ in TURNS:
            question = Question(text, profile="literature", uses_model=True)
            turns.append(run_to_end(session.ask(question, conversation, should_stop=lambda: False)))
            conversation = session.conversations()[0].conversation_id
    paid = [turn.result.metrics for turn in turns if turn.result is not None]
    read = [each for each in paid if each.prompt_tokens]
    tokens = sum(each.prompt_tokens for each in read)
    kept = sum(each.cached_tokens for each in read)
    of = f"{len(read)} of {len(turns)} turns asked the model; {kept} of {tokens} tokens kept"
    yield figure(
        "cached tokens of the conversation", "share", [kept / tokens], note=f"{of}; {model}"
    )
    shares = [each.cached_tokens / each.prompt_tokens for each in read]
    yield figure("cached tokens of a turn", "share", shares)
    yield figure("seconds of a turn", "s", [turn.total_ms / 1000 for turn in turns], target=20.0)


def _asked(session: ProjectSession, text: str, conversation: str = "") -> Turn:
    question = Question(text, uses_model=False)
    return run_to_end(session.ask(question, conversation, should_stop=lambda: False))


def _is_right(turn: Turn, wanted: str) -> bool:
    said = "\n".join(" | ".join(unit.cells) or unit.text for unit in turn.sentences)
    is_answer = turn.status is TurnStatus.COMPLETE
    return is_answer and re.search(wanted, said, re.IGNORECASE) is not None


def _is_wrong(turn: Turn, wanted: str) -> bool:
    return turn.status is TurnStatus.COMPLETE and not _is_right(turn, wanted)
