"""Every word of instruction that a model gets for one step, in one place."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.planning.model import Plan, PlannedPoint
from phasergun_desktop.planning.output_language import is_other_language, language_to_write
from phasergun_desktop.retrieval.model import Passage

# Asked to write freely from passages, a small model embellishes; asked to join statements it was
# given, it does so less.
_JOIN = (
    "Statements:\n{statements}\n\nWrite one paragraph that says all of this, in this order, in "
    "complete sentences in the tense of the statements. Keep every number, unit, name, condition "
    "and obligation exactly. Add no facts, reasons, praise or conclusions. Write the paragraph "
    "only."
)
_AFTER = "\nIt follows this sentence, which it does not repeat: “{before}”"
_ONE_AGAIN = (
    "Write one full sentence for the part “{part}”{section}, copied closely from the passages "
    "above. Keep every number, unit, name and part number exactly. Add nothing that the passages "
    "do not say. Write the sentence only."
)
_DIFFERENTLY = (
    "\nIt takes the place of the following text, which it must not repeat word for word; word it "
    "differently: “{old}”"
)
# The wish is the writer's; what it names is still no fact. Told more about what it must not do, a
# model of 1.5B parameters repeats the old text (tried on seven wishes).
_AS_WISHED = (
    "Text of the draft{section}: {old}\n\nRewrite this text as asked: {wish}. Keep its numbers, "
    "units and names. Take no fact from anywhere but the text and the passages above. Write the "
    "new text only."
)
_GOES_ON = "Asked before:\n{before}\n\nAnswer only what is asked now: {question}"
_LONGEST_OLD = 900
_PASSAGES = "Passages from the project's documents:"


def with_persona(*parts: str) -> str:
    """Return the rules of the model (tier 1) of these parts, an agent's persona last; empty ones
    are left out."""
    return "\n\n".join(part.strip() for part in parts if part.strip())


def going_on_text(question: str, before: Sequence[str]) -> str:
    """Return ``question`` as a model is asked it, behind the questions ``before`` it in the
    conversation, the first one first."""
    if not before:
        return question
    asked = "\n".join(f"- {' '.join(each.split())}" for each in before)
    return _GOES_ON.format(before=asked, question=question)


def language_warnings(plan: Plan) -> tuple[str, ...]:
    """Return what the writer must know of a prompt in another language than its sources."""
    language = language_to_write(plan.task)
    if not is_other_language(language, " ".join(passage.text for passage in plan.passages)):
        return ()
    text = (
        f"The prompt is in {language}, the sources are not: the draft states them in their "
        "own words, since a translation could not be compared with them."
    )
    return (text,)


def _passages_text(passages: Sequence[Passage]) -> str:
    """Return tier 2: the passages under their file and heading, exactly as they stand."""
    parts = [_PASSAGES]
    for where, group in groupby(passages, key=_where):
        text = "\n".join(passage.text for passage in group)
        parts.append(f"--- {where} ---\n{text}")
    parts.append("--- end of the passages ---")
    return "\n\n".join(parts)


def _where(passage: Passage) -> str:
    return " › ".join((passage.title or passage.file, *passage.heading_path))


def join_prompt(
    system: str, statements: Sequence[str], before: str = "", chunk_ids: Sequence[str] = ()
) -> ModelPrompt:
    """Return the prompt that joins ``statements`` of the chunks ``chunk_ids`` into a paragraph
    behind the sentence ``before`` (``""``: none)."""
    text = _JOIN.format(statements="\n".join(f"- {each}" for each in statements))
    text += _AFTER.format(before=before) if before else ""
    return ModelPrompt(system, "", text, tuple(chunk_ids))


def again_prompt(system: str, point: PlannedPoint, title: str, old: str) -> ModelPrompt:
    """Return the prompt that has a sentence of the section ``title`` (``""``: none) written again
    from the passages of ``point``, differently from ``old`` (``""`` where there was only a gap)."""
    part = point.instruction.partition(". ")[0]
    section = f" of the section “{title}”" if title else ""
    asked = _ONE_AGAIN.format(part=part, section=section)
    if old:
        asked += _DIFFERENTLY.format(old=old[:_LONGEST_OLD])
    return _from_passages(system, point, asked)


def wish_prompt(system: str, point: PlannedPoint, title: str, old: str, wish: str) -> ModelPrompt:
    """Return the prompt that has the text ``old`` of the section ``title`` (``""``: none)
    rewritten from the passages of ``point`` as the writer has said in ``wish``."""
    section = f", section “{title}”" if title else ""
    text = _AS_WISHED.format(section=section, old=old, wish=" ".join(wish.split()).rstrip("."))
    return _from_passages(system, point, text)


def _from_passages(system: str, point: PlannedPoint, text: str) -> ModelPrompt:
    read = tuple(each.chunk_id for each in point.passages)
    return ModelPrompt(system, _passages_text(point.passages), text, read)
