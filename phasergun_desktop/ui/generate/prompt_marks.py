"""What is drawn and said where a prompt refers to something, or has a problem."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from html import escape

from phasergun_desktop.references.model import Problem, ResolvedReference, Severity
from phasergun_desktop.ui.editor.draft_hover import shortened
from phasergun_desktop.ui.wording import count

FIX_HINT = "Alt+Return or the right button: what may stand here instead"
_MOST_FILES, _LONGEST_VALUE = 8, 300


class MarkState(StrEnum):
    """How a mark looks: a round frame, a dashed one with dots below, a square one with a wave."""

    FOUND = "found"
    WARNING = "warning"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class PromptMark:
    """A stretch of the prompt (code points); without ``reference`` it is only a problem."""

    start: int
    end: int
    reference: ResolvedReference | None = None
    problems: tuple[Problem, ...] = ()

    @property
    def state(self) -> MarkState:
        """What it looks like."""
        if any(each.severity is Severity.BLOCKS for each in self.problems):
            return MarkState.WRONG
        return MarkState.WARNING if self.problems else MarkState.FOUND

    @property
    def fixable(self) -> tuple[Problem, ...]:
        """The problems that know what may stand here instead."""
        place = (self.start, self.end)
        return tuple(p for p in self.problems if p.replacements and (p.start, p.end) == place)

    def tip(self) -> str:
        """Say in rich text what it stands for and what is wrong with it."""
        parts = [_paragraph(line) for line in _problem_lines(self.problems)]
        if self.fixable:
            parts.append(_paragraph(FIX_HINT))
        if self.reference is not None and self.reference.resolved:
            parts = [f"<p style='width:380px'><b>{escape(self.reference.text)}</b></p>"] + [
                _paragraph(line) for line in _meaning(self.reference)
            ] + parts  # fmt: skip
        return "".join(parts)


def marks_of(
    references: Iterable[ResolvedReference], problems: Iterable[Problem]
) -> tuple[PromptMark, ...]:
    """Return a mark for each reference with its problems, and for each other problem that has a
    place; sorted by place, without overlap of the references."""
    marks = [PromptMark(one.start, one.end, one) for one in references if one.end > one.start]
    marks.sort(key=lambda mark: mark.start)
    starts = [mark.start for mark in marks]
    alone: dict[tuple[int, int], PromptMark] = {}
    for problem in problems:
        if problem.end <= problem.start:
            continue
        at = max(bisect_right(starts, problem.start) - 1, 0)
        found = False
        while at < len(marks) and marks[at].start < problem.end:
            if marks[at].end > problem.start:
                marks[at] = replace(marks[at], problems=(*marks[at].problems, problem))
                found = True
            at += 1
        if not found:
            place = (problem.start, problem.end)
            mark = alone.get(place, PromptMark(*place))
            alone[place] = replace(mark, problems=(*mark.problems, problem))
    return tuple(sorted((*marks, *alone.values()), key=lambda mark: mark.start))


def _problem_lines(problems: tuple[Problem, ...]) -> Iterator[str]:
    for each in problems:
        yield f"{each.message} {each.remedy}".strip()


def _meaning(reference: ResolvedReference) -> Iterator[str]:
    """Yield the value with its file, or the documents."""
    if reference.value is not None:
        yield f"“{shortened(reference.value.text, _LONGEST_VALUE)}”"
        yield f"from {reference.value.file}"
        return
    if reference.pairs:
        yield count(len(reference.pairs), "answer") + ", used word for word"
    if not reference.files:
        yield f"{reference.label}: no document"
    yield from reference.files[:_MOST_FILES]
    if len(reference.files) > _MOST_FILES:
        yield f"and {len(reference.files) - _MOST_FILES} more"


def _paragraph(line: str) -> str:
    return f"<p style='width:380px'>{escape(line)}</p>"
