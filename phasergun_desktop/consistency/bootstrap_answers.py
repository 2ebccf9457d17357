"""Answers of a bootstrap document that a source contradicts, in a value or in yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.statements import Statement, denies, disagree, quantities
from phasergun_desktop.consistency.value_differences import file_name
from phasergun_desktop.documents.model import Block
from phasergun_desktop.grounding.candidate_spans import block_before
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import ReferenceKind, SourceValue
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.text.words import content_words

_YES_OR_NO = re.compile(r"\s*(?:yes|(?P<no>no))\b", re.IGNORECASE)
_ENOUGH_WORDS = 2
# The share of a sentence's words that a question has if the sentence answers it.
_SAME_SUBJECT = 0.6


def bootstrap_discrepancies(material: Material) -> Iterator[Discrepancy]:
    """Yield the answers and fields that a document of the project contradicts."""
    others = [
        read
        for read in material.documents
        if read.record.layer is not Layer.BOOTSTRAP and read.subject == "project"
    ]
    for question, answer in _answers(material):
        home = material.of_file(answer.file)
        if home is None:
            continue
        block = block_before(home.document, answer.start)
        for read in others:
            place = _denied_value(question, answer, block, read, material) or _denied_sense(
                question, answer, read, material
            )
            if place is None:
                continue
            yield Discrepancy(
                DiscrepancyKind.BOOTSTRAP,
                f"{file_name(home)} answers “{question}” with “{_short(answer.text)}”; "
                f"{file_name(read)} says otherwise: “{_short(place.quote)}”.",
                (home.place(answer.start, answer.end, answer.text, block), place),
            )
            break


def _answers(material: Material) -> list[tuple[str, SourceValue]]:
    found: dict[tuple[str, int], tuple[str, SourceValue]] = {}
    for reference in material.references:
        for pair in reference.pairs:
            found[pair.answer.file, pair.answer.start] = (pair.question, pair.answer)
        value = reference.value
        if reference.kind is ReferenceKind.DOC_FIELD and value is not None:
            name = reference.text.strip("[]").rpartition("|")[2]
            found[value.file, value.start] = (name.replace("_", " ").lower(), value)
    return list(found.values())


def _denied_value(
    question: str, answer: SourceValue, block: Block, read: ReadDocument, material: Material
) -> SourcePlace | None:
    asked = frozenset(content_words(question))
    around = asked | frozenset(content_words(answer.text))
    for value in quantities(answer.text):
        claim = Statement(question, asked, around, value, "", block, 0, 0, is_named=True)
        for other in material.statements(read):
            # The question's other words ("what", "how long") are no part of the name.
            if disagree(replace(claim, words=asked & other.around), other):
                return read.place(other.start, other.end, other.said, other.block)
    return None


def _denied_sense(
    question: str, answer: SourceValue, read: ReadDocument, material: Material
) -> SourcePlace | None:
    """Return the sentence that denies what was answered with Yes, or states what was with No."""
    answered = _YES_OR_NO.match(answer.text)
    wanted = frozenset(content_words(question))
    if answered is None or len(wanted) < _ENOUGH_WORDS:
        return None
    is_denied = bool(answered["no"]) != denies(question)
    for block in read.document.blocks:
        if not block.kind.is_body:
            continue
        text = read.document.block_text(block)
        for start, end in sentence_spans(text):
            sentence = text[start:end]
            words = frozenset(content_words(sentence))
            if (
                wanted <= words
                and len(wanted) >= _SAME_SUBJECT * len(words)
                and denies(sentence) != is_denied
                and not sentence.endswith("?")
            ):
                return read.place(block.start + start, block.start + end, "", block)
    return None


def _short(text: str, longest: int = 140) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
