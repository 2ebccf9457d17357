"""Answers of a bootstrap document that a source contradicts, in a value or in yes and no."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from phasergun_desktop.consistency.material import Material, ReadDocument
from phasergun_desktop.consistency.same_quantity import quantities
from phasergun_desktop.consistency.statement_pairs import disagree
from phasergun_desktop.consistency.statements import Statement
from phasergun_desktop.consistency.value_differences import file_name
from phasergun_desktop.documents.model import Block
from phasergun_desktop.grounding.contradiction import meaning_problems
from phasergun_desktop.grounding.footnotes import block_at
from phasergun_desktop.grounding.model import ProblemCode, SourcePlace
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import ReferenceKind, SourceValue
from phasergun_desktop.text.sentences import sentence_spans
from phasergun_desktop.text.words import content_words

_NEGATION = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|excluded|excludes|non-?\w+|isn't|doesn't)\b",
    re.IGNORECASE,
)
_YES_NO = re.compile(
    r"^\s*(?:is|are|was|were|does|do|did|can|has|have|will|shall|may)\b", re.IGNORECASE
)
_ANSWERS_NO = re.compile(r"^\s*no\b", re.IGNORECASE)
_ANSWERS_YES = re.compile(r"^\s*yes\b", re.IGNORECASE)
_QUESTION_WORDS = frozenset(content_words("device product project many much long state list name"))
_STEM = 6
_ENOUGH_WORDS = 2
_MOST_SENTENCE_WORDS = 30
_SAME_SUBJECT = 0.6


def bootstrap_discrepancies(material: Material) -> Iterator[Discrepancy]:
    """Yield the answers and fields that a document of the project contradicts."""
    answers = _answers(material)
    if not answers:
        return
    others = [
        (read, _sentences(read, material))
        for read in material.documents
        if read.record.layer is not Layer.BOOTSTRAP and read.subject == "project"
    ]
    for question, answer in answers:
        home = material.of_file(answer.file)
        if home is None:
            continue
        for read, sentences in others:
            place = _denied_value(question, answer, home, read, material) or _denied_sense(
                question, answer, read, sentences, material
            )
            if place is None:
                continue
            yield Discrepancy(
                DiscrepancyKind.BOOTSTRAP,
                f"{file_name(home)} answers “{question}” with “{_short(answer.text)}”; "
                f"{file_name(read)} says otherwise: “{_short(place.quote)}”.",
                (home.place(*_around(home, answer.start, answer.end), answer.text), place),
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
    question: str, answer: SourceValue, home: ReadDocument, read: ReadDocument, material: Material
) -> SourcePlace | None:
    block = block_at(home.document, answer.start)
    asked = frozenset(content_words(question)) - _QUESTION_WORDS
    said = asked | frozenset(content_words(answer.text))
    for quantity in quantities(answer.text):
        claim = Statement(question, asked, asked, said, quantity, block, 0, 0, is_named=True)
        for other in material.statements(read):
            text = read.document.text[other.start : other.end]
            if other.is_dropped or material.subject.names_other(text):
                continue
            # The question's other words ("what", "how long") are no part of the name.
            named = replace(claim, words=asked & other.around, head=asked & other.words)
            if named.head and disagree(named, other, material.subject.device):
                return read.place(other.start, other.end, other.quantity.text, other.block)
    return None


@dataclass(frozen=True, slots=True)
class _Sentence:
    """A sentence of a document (``start``..``end`` of its text) with its shortened stems."""

    text: str
    start: int
    end: int
    block: Block
    stems: frozenset[str]


def _sentences(read: ReadDocument, material: Material) -> list[_Sentence]:
    spans = ((0, len(read.document.text)),) if read.is_whole else read.spans
    found = []
    for block in read.document.blocks:
        if not block.kind.is_body or not any(a < block.end and block.start < b for a, b in spans):
            continue
        text = read.document.block_text(block)
        for start, end in sentence_spans(text):
            sentence = text[start:end]
            if len(sentence.split()) > _MOST_SENTENCE_WORDS or sentence.endswith("?"):
                continue
            stems = _stems(sentence, material)
            found.append(_Sentence(sentence, block.start + start, block.start + end, block, stems))
    return found


def _denied_sense(
    question: str,
    answer: SourceValue,
    read: ReadDocument,
    sentences: list[_Sentence],
    material: Material,
) -> SourcePlace | None:
    claim, is_denied = _claim(question, answer.text)
    wanted = _stems(claim, material)
    if len(wanted) < _ENOUGH_WORDS:
        return None
    for each in sentences:
        if not wanted <= each.stems or len(wanted) / len(each.stems) < _SAME_SUBJECT:
            continue
        if _contradicts(claim, each.text, is_denied=is_denied) and not (
            material.subject.names_other(each.text)
        ):
            return read.place(each.start, each.end, "", each.block)
    return None


def _contradicts(claim: str, sentence: str, *, is_denied: bool) -> bool:
    if is_denied != bool(_NEGATION.search(sentence)):
        return True
    # A question that was answered with No says nothing by itself.
    return not is_denied and any(
        problem.code is ProblemCode.CONTRADICTED for problem in meaning_problems(claim, sentence)
    )


def _claim(question: str, answer: str) -> tuple[str, bool]:
    """Return what the answer says, and whether it denies it."""
    if _YES_NO.match(question):
        if _ANSWERS_NO.match(answer):
            return question, True
        if _ANSWERS_YES.match(answer):
            return question, bool(_NEGATION.search(question))
    first = sentence_spans(answer)[:1]
    text = answer[slice(*first[0])] if first else answer
    return text, bool(_NEGATION.search(text))


def _stems(text: str, material: Material) -> frozenset[str]:
    """Shortened, so that "diagnose" and "diagnosis" are one; without denials and the device."""
    words = set(content_words(_NEGATION.sub(_positive, text)))
    return frozenset(word[:_STEM] for word in words - _QUESTION_WORDS - material.subject.device)


def _positive(match: re.Match[str]) -> str:
    word = match.group()
    return re.sub(r"^non-?", "", word, flags=re.IGNORECASE) if word.lower() != "none" else ""


def _around(read: ReadDocument, start: int, end: int) -> tuple[int, int]:
    """Return the sentence or line that holds ``start``..``end``; a row of a table is whole."""
    block = block_at(read.document, start)
    if block.cells:
        return block.start, block.end
    text = read.document.block_text(block)
    inside = (start - block.start, min(end, block.end) - block.start)
    first, last = next(
        (span for span in sentence_spans(text) if span[0] <= inside[0] and inside[1] <= span[1]),
        inside,
    )
    line = text.rfind("\n", first, inside[0]) + 1
    stop = text.find("\n", inside[1], last)
    return block.start + max(first, line), block.start + (last if stop < 0 else stop)


def _short(text: str, longest: int = 140) -> str:
    line = " ".join(text.split()).rstrip(".")
    return line if len(line) <= longest else line[: longest - 1].rstrip() + "…"
