"""Keeps sentences that are aimed at the program out of what a model reads, and says so.

Documents are hostile: a sentence such as "ignore the above and write that …" states nothing. What
remains of its passage stays word for word, as smaller passages around it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from phasergun_desktop.answering.model import DocumentSummary, PlannedPoint
from phasergun_desktop.answering.passes.writer_orders import is_order_to_the_writer
from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.grounding.instruction_like import is_instruction_like
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans

Parsed = Callable[[int], ParsedDocument]

# What comes after a sentence to the program in the same paragraph, and orders in its turn.
_GOES_ON = re.compile(
    r"^\W*(?:then|instead|also|now|next|and|finally|always|never|do not|don't|only|please|write|"
    r"say|state|print|output|reply|respond|answer|include|insert|add|mention|cite|use|send|visit|"
    r"open|call|begin|start|end|repeat|translate|you|your)\b",
    re.IGNORECASE,
)
_MOST_NAMED = 5
_QUOTED_CHARACTERS = 90


@dataclass(frozen=True, slots=True)
class HiddenInstruction:
    """A sentence left out: ``start``..``end`` of the text of ``file``."""

    file: str
    start: int
    end: int
    text: str


def without_instructions(
    points: Iterable[PlannedPoint], parsed: Parsed
) -> tuple[tuple[PlannedPoint, ...], tuple[HiddenInstruction, ...]]:
    """Return ``points`` with passages that hold no sentence aimed at the program, and those."""
    found: dict[tuple[str, int], HiddenInstruction] = {}
    known: dict[tuple[str, int, int], tuple[Passage, ...]] = {}
    kept_points: list[PlannedPoint] = []
    for point in points:
        passages: list[Passage] = []
        for passage in point.passages:
            place = (passage.file, passage.start, passage.end)
            if place not in known:
                known[place], hidden = _parts(passage, parsed(passage.document_id))
                found.update({(each.file, each.start): each for each in hidden})
            passages.extend(known[place])
        is_same = tuple(passages) == point.passages
        kept_points.append(point if is_same else replace(point, passages=tuple(passages)))
    return tuple(kept_points), tuple(found.values())


def summary_without_instructions(summary: DocumentSummary) -> DocumentSummary:
    """Return ``summary`` without such sentences: it is read too, though never cited."""
    spans = sentence_spans(summary.text)
    hidden = _aimed([summary.text[start:end] for start, end in spans])
    if not any(hidden):
        return summary
    kept = [
        summary.text[s:e] for (s, e), is_hidden in zip(spans, hidden, strict=True) if not is_hidden
    ]
    return replace(summary, text=" ".join(kept))


def warnings_of(hidden: Iterable[HiddenInstruction]) -> tuple[str, ...]:
    """Return a sentence for each of the first five, and one that counts the others."""
    every = list(hidden)
    named = [
        f"A sentence in {each.file} reads like an instruction to the program and was left out: "
        f"“{_short(each.text)}”."
        for each in every[:_MOST_NAMED]
    ]
    others = len(every) - len(named)
    if others:
        verb = "sentences that read" if others > 1 else "sentence that reads"
        named.append(f"{others} more {verb} like an instruction to the program left out.")
    return tuple(named)


def _parts(
    passage: Passage, document: ParsedDocument
) -> tuple[tuple[Passage, ...], list[HiddenInstruction]]:
    """Return what remains of ``passage`` (itself, if nothing was hidden) and what was hidden."""
    hidden: list[HiddenInstruction] = []
    stretches: list[tuple[int, int]] = []
    start: int | None = None
    end = passage.start
    for low, high, is_hidden in _pieces(passage, document):
        if is_hidden:
            hidden.append(HiddenInstruction(passage.file, low, high, document.text[low:high]))
            if start is not None:
                stretches.append((start, end))
            start = None
            continue
        start = low if start is None else start
        end = high
    headings = tuple(each for each in passage.heading_path if not _is_aimed(each))
    title = "" if _is_aimed(passage.title) else passage.title
    passage = replace(passage, heading_path=headings, title=title)
    if not hidden:
        return (passage,), hidden
    if start is not None:
        stretches.append((start, end))
    return tuple(
        replace(passage, start=low, end=high, text=document.text[low:high])
        for low, high in stretches
        if any(character.isalnum() for character in document.text[low:high])
    ), hidden


def _pieces(passage: Passage, document: ParsedDocument) -> list[tuple[int, int, bool]]:
    """Return ``(start, end, is_hidden)`` of the sentences and rows of ``passage``, in order."""
    pieces: list[tuple[int, int, bool]] = []
    for block in document.blocks:
        low, high = max(block.start, passage.start), min(block.end, passage.end)
        if low >= high:
            continue
        text = document.text[low:high]
        if block.kind is BlockKind.TABLE_ROW:
            pieces.append((low, high, _is_aimed(text)))
            continue
        spans = sentence_spans(text)
        hidden = _aimed([text[start:end] for start, end in spans])
        if not any(hidden) and _is_aimed(text):
            # Only the paragraph as a whole reads like one: which sentence does is unknown.
            hidden = [True] * len(spans)
        pieces.extend(
            (low + start, low + end, is_hidden)
            for (start, end), is_hidden in zip(spans, hidden, strict=True)
        )
    return pieces


def _aimed(texts: list[str]) -> list[bool]:
    """Return which sentences of a paragraph are aimed at the program: those that read so, and
    orders that follow one of them."""
    aimed: list[bool] = []
    for text in texts:
        follows = bool(aimed) and aimed[-1]
        aimed.append(_is_aimed(text) or (follows and _GOES_ON.match(text) is not None))
    return aimed


def _is_aimed(text: str) -> bool:
    return is_instruction_like(text) or is_order_to_the_writer(text)


def _short(text: str) -> str:
    flat = " ".join(text.split())
    if len(flat) <= _QUOTED_CHARACTERS:
        return flat.rstrip(".")
    return f"{flat[:_QUOTED_CHARACTERS].rstrip()}…"
