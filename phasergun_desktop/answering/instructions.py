"""Every word of instruction that a model gets for one step, in one place."""

from __future__ import annotations

from phasergun_desktop.answering.attributes import attribute_in_words
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.language_models.protocol import ModelPrompt
from phasergun_desktop.retrieval.model import Passage

NOT_FOUND = "NOT FOUND"

# A small model that may answer NOT FOUND does so also where a passage plainly answers: only
# questions offer it. What a description lacks shows in its bindings and in the gaps.
_DESCRIBE = (
    "Write the part “{part}”{section}. State the facts in the passages above that belong to this "
    "part, one after another, in full sentences copied closely from the passages. Keep every "
    "number, unit, name and part number exactly. Add nothing that the passages do not say. No "
    "headings, no lists."
)
_PROCEDURE = (
    "Write the step “{part}” of the procedure as two to four full sentences{section}. Copy the "
    "facts closely from the passages above and name every document or record with its number "
    "exactly as it is written there. Turn instructions and list items into sentences such as "
    "“… is created” or “… are identified”. Do not number the sentences. Add nothing that the "
    "passages do not say. No headings, no lists."
)
# Offered NOT FOUND, the model took it for most questions that a passage answers; so it answers,
# and the answer is kept only if its span, its values and the question agree (Page.answers).
_VALUE = "Answer this from the passages above: {part}\nWrite one full sentence."
_SLOT = (
    "What do the passages above state as the {attribute} of {device}? Copy the words exactly "
    "from the passages, nothing else. If they do not state it, reply exactly: NOT FOUND"
)
_PAIR = (
    "Write one sentence that answers the question “{question}”. The sentence must contain exactly "
    "these words, unchanged: “{answer}”. Write the sentence only."
)


def passages_text(passages: tuple[Passage, ...]) -> str:
    """Return tier 2: the passages under their file and heading, exactly as they stand."""
    parts = ["Passages from the project's documents:"]
    for passage in passages:
        where = " › ".join((passage.title or passage.file, *passage.heading_path))
        parts.append(f"--- {where} ---\n{passage.text}")
    parts.append("--- end of the passages ---")
    return "\n\n".join(parts)


def step_prompt(system: str, point: PlannedPoint, title: str) -> ModelPrompt:
    """Return the three tiers of one step; every passage of the point is in it word for word."""
    prompt = ModelPrompt(system, passages_text(point.passages), step_task(point, title))
    for passage in point.passages:
        if passage.text not in prompt.shared:
            raise AssertionError(f"a passage of {passage.file} is not in the prompt")
    return prompt


def step_task(point: PlannedPoint, title: str) -> str:
    """Return tier 3 of one step."""
    part, _, extra = point.instruction.partition(". ")
    section = f" of the section “{title}”" if title else ""
    match point.kind:
        case PointKind.COMPARE:
            return _SLOT.format(attribute=attribute_in_words(point.attribute), device=point.device)
        case PointKind.VALUE:
            return _VALUE.format(part=_as_request(point.instruction))
        case PointKind.PROCEDURE:
            task = _PROCEDURE.format(part=part, section=section)
        case _:
            task = _DESCRIBE.format(part=part, section=section)
    return f"{task}\n{extra}" if extra else task


def pair_prompt(system: str, question: str, answer: str) -> ModelPrompt:
    """Return the prompt that puts a bootstrap answer into a sentence."""
    return ModelPrompt(system, "", _PAIR.format(question=question, answer=answer.rstrip(".")))


def _as_request(text: str) -> str:
    return text if text.rstrip().endswith("?") else f"State {text.rstrip('.')}."
