"""The optional second pass: the draft is read beside its sources, and corrected where it is wrong.

The model is small. What it finds counts beside what the checks found; a finding that names words
of the source must name words that stand there; and a sentence that it writes again replaces the
old one only where its sources carry it at least as well.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.model import (
    AnswerMetrics,
    AuditFinding,
    FindingKind,
    PlannedPoint,
    PointKind,
    UnitRevised,
)
from phasergun_desktop.answering.writing.grammars import audit_grammar
from phasergun_desktop.answering.writing.instructions import Task, audit_prompt, revision_prompt
from phasergun_desktop.answering.writing.model_calls import ModelCalls
from phasergun_desktop.answering.writing.model_sentences import as_sentence, says_nothing
from phasergun_desktop.answering.writing.page import Page
from phasergun_desktop.answering.writing.repetition import loops
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SourcePlace,
    Support,
    UnitKind,
)
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.jobs import Event, Progress
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentences

_READ = (UnitKind.SENTENCE, UnitKind.LIST_ITEM)
_RANK = (Support.CONTRADICTED, Support.UNSUPPORTED, Support.PARTLY, Support.SUPPORTED)
_LINE = re.compile(
    r"(?P<number>\d+): (?P<verdict>NOT STATED|WRONG VALUE|CONTRADICTED)(?: “(?P<words>[^“”]*)”)?"
)
_KINDS = {
    "NOT STATED": FindingKind.NOT_STATED,
    "WRONG VALUE": FindingKind.WRONG_VALUE,
    "CONTRADICTED": FindingKind.CONTRADICTED,
}
_MESSAGES = {
    FindingKind.NOT_STATED: "The passages do not state all of this sentence.",
    FindingKind.WRONG_VALUE: "The passages state another value.",
    FindingKind.CONTRADICTED: "The passages say otherwise.",
}
_AT_ONCE = 6
_TOKENS_PER_SENTENCE = 32
_REVISION_TOKENS = 90
_MIN_SAME_SUBJECT = 0.4
_MIN_QUOTED = 3


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence of the draft at ``place`` as the audit reads it."""

    place: int
    unit: DraftSentence


class Auditor:
    """Audits one draft. Its calls are traced as ``audit`` and ``revise``."""

    def __init__(
        self,
        calls: ModelCalls,
        page: Page,
        metrics: AnswerMetrics,
        *,
        system: str,
        task: Task,
    ) -> None:
        self._calls = calls
        self._page = page
        self._metrics = metrics
        self._system = system
        self._task = task

    def run(
        self, points: Sequence[PlannedPoint]
    ) -> Generator[Event, None, tuple[AuditFinding, ...]]:
        """Read every paragraph beside the passages of its point, and correct what is wrong.

        Rows and word-for-word quotations are not read: rules made them. A stop raises
        ``Cancelled``; the draft is whole at every moment.
        """
        findings: list[AuditFinding] = []
        for index, point in enumerate(points):
            read = self._sentences_of(index, point)
            if not read:
                continue
            yield Progress(
                "Checking the draft beside its sources", index + 1, len(points), "points"
            )
            for first in range(0, len(read), _AT_ONCE):
                part = read[first : first + _AT_ONCE]
                found = yield from self._found(point, part)
                for finding in found:
                    revised = yield from self._revised(point, finding)
                    findings.append(revised)
        return tuple(findings)

    def _sentences_of(self, index: int, point: PlannedPoint) -> list[_Read]:
        if point.kind is PointKind.COMPARE or not point.passages:
            return []
        notes = {note.number: note for note in self._page.footnotes}
        return [
            _Read(place, unit)
            for place, unit in enumerate(self._page.units)
            if unit.point == index
            and unit.kind in _READ
            and all(_is_of(notes.get(number), point.passages) for number in unit.citations)
        ]

    def _found(
        self, point: PlannedPoint, read: Sequence[_Read]
    ) -> Generator[Event, None, list[AuditFinding]]:
        texts = [each.unit.text for each in read]
        prompt = audit_prompt(self._system, point.passages, texts, self._task)
        limit = _TOKENS_PER_SENTENCE * len(texts) + 8
        reply = yield from self._calls.line("audit", prompt, limit, audit_grammar(len(texts)))
        by_model: dict[int, AuditFinding] = {}
        unproven = 0
        for match in _LINE.finditer(reply):
            at = int(match["number"]) - 1
            if not 0 <= at < len(read):
                continue
            finding = self._of_model(point, read[at], _KINDS[match["verdict"]], match["words"])
            if finding is None:
                unproven += 1
            else:
                by_model[at] = finding
        found = []
        for at, each in enumerate(read):
            checked = self._of_checks(each)
            both = [finding for finding in (checked, by_model.get(at)) if finding is not None]
            # One correction per sentence: what the checks found is the surer of the two.
            found.extend(both[:1])
        of_model = sum(finding.by_model for finding in found)
        note = f"{len(texts)} sentences, {len(found)} findings ({of_model} of the model alone)"
        if unproven:
            note += f", {unproven} dropped: the words named are in no passage"
        self._note(note)
        return found

    def _of_model(
        self, point: PlannedPoint, read: _Read, kind: FindingKind, words: str | None
    ) -> AuditFinding | None:
        """Return the model's finding; None where it names words that no passage has."""
        place = _place_of(words or "", point.passages)
        if kind is not FindingKind.NOT_STATED and place is None:
            return None
        places = (place,) if place is not None else self._places(read.unit)
        return AuditFinding(read.place, kind, read.unit.text, _MESSAGES[kind], True, places)

    def _of_checks(self, read: _Read) -> AuditFinding | None:
        unit = read.unit
        if unit.support is Support.SUPPORTED and not unit.problems:
            return None
        codes = {problem.code for problem in unit.problems}
        kind = FindingKind.NOT_STATED
        if unit.support is Support.CONTRADICTED or codes & {
            ProblemCode.CONTRADICTED,
            ProblemCode.NEGATION,
        }:
            kind = FindingKind.CONTRADICTED
        elif ProblemCode.VALUE_MISSING in codes:
            kind = FindingKind.WRONG_VALUE
        message = next((problem.message for problem in unit.problems), _MESSAGES[kind])
        return AuditFinding(read.place, kind, unit.text, message, False, self._places(unit))

    def _places(self, unit: DraftSentence) -> tuple[SourcePlace, ...]:
        notes = {note.number: note for note in self._page.footnotes}
        return tuple(_place(notes[number]) for number in unit.citations if number in notes)

    def _revised(
        self, point: PlannedPoint, finding: AuditFinding
    ) -> Generator[Event, None, AuditFinding]:
        """Return ``finding`` after an attempt to correct its sentence."""
        prompt = revision_prompt(
            self._system, point.passages, finding.text, finding.message, self._task
        )
        reply = yield from self._calls.line("revise", prompt, _REVISION_TOKENS, "")
        found = sentences(reply)
        text = as_sentence(self._page.cleaned(found[0])) if found else ""
        old = self._page.units[finding.unit]
        binding = self._page.bind(text, point.passages)
        reason = self._why_not(text, old, finding.unit)
        if not reason and not is_better(binding, old):
            reason = "the old one stays: no better support"
        if reason:
            self._note(reason)
            return finding
        unit = replace(
            old,
            text=text,
            citations=self._page.note(binding),
            support=binding.support,
            score=round(binding.score, 4),
            problems=binding.problems,
        )
        notes = self._page.exchange(finding.unit, unit)
        self._note("corrected")
        yield UnitRevised(finding.unit, unit, notes)
        return replace(finding, revised=True)

    def _why_not(self, text: str, old: DraftSentence, place: int) -> str:
        """Return why ``text`` cannot stand for ``old``, whatever carries it."""
        if not text or says_nothing(text) or loops(text):
            return "the old one stays: no sentence came"
        new_words, old_words = set(content_words(text)), set(content_words(old.text))
        if text == old.text or not new_words:
            return "the old one stays: the same came again"
        if len(new_words & old_words) < _MIN_SAME_SUBJECT * len(old_words):
            return "the old one stays: the new one is on something else"
        others = (unit for at, unit in enumerate(self._page.units) if at != place)
        if any(new_words <= set(content_words(unit.text)) for unit in others):
            return "the old one stays: the new one stands in the draft already"
        return ""

    def _note(self, text: str) -> None:
        self._metrics.trace[-1] = replace(self._metrics.trace[-1], note=text)


def is_better(binding: Binding, old: DraftSentence) -> bool:
    """Whether ``binding`` carries its sentence at least as well as that of ``old`` did, by class,
    score and marks, and better in one of them."""
    new = (_RANK.index(binding.support), round(binding.score, 4), -len(binding.problems))
    was = (_RANK.index(old.support), round(old.score, 4), -len(old.problems))
    return all(n >= w for n, w in zip(new, was, strict=True)) and new != was


def _is_of(note: Footnote | None, passages: Sequence[Passage]) -> bool:
    return note is not None and any(
        note.file == passage.file and note.start < passage.end and passage.start < note.end
        for passage in passages
    )


def _place(note: Footnote) -> SourcePlace:
    return SourcePlace(
        file=note.file,
        title=note.title,
        quote=note.quote,
        start=note.start,
        end=note.end,
        sha256=note.sha256,
        layer=note.layer,
        heading_path=note.heading_path,
        locator=note.locator,
        block_id=note.block_id,
    )


def _place_of(words: str, passages: Sequence[Passage]) -> SourcePlace | None:
    """Return where ``words`` stand in a passage, whatever white space lies between them."""
    parts = words.split()
    if len(" ".join(parts)) < _MIN_QUOTED:
        return None
    pattern = re.compile(r"\s+".join(re.escape(part) for part in parts), re.IGNORECASE)
    for passage in passages:
        match = pattern.search(passage.text)
        if match is not None:
            return SourcePlace(
                file=passage.file,
                title=passage.title,
                quote=match.group(),
                start=passage.start + match.start(),
                end=passage.start + match.end(),
                sha256=passage.sha256,
                layer=passage.layer,
                heading_path=passage.heading_path,
            )
    return None
