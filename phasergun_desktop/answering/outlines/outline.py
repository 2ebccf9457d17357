"""The outline of a section by rule from the prompt's clauses, complete before any model runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.outlines.outline_builder import OutlineBuilder
from phasergun_desktop.answering.outlines.prompt_clauses import Clause, clauses_of
from phasergun_desktop.answering.outlines.prompt_wording import is_structural
from phasergun_desktop.answering.writing.output_language import ENGLISH, language_of
from phasergun_desktop.references.model import Resolution, ResolvedReference

# More points take more than five minutes to write; a section has about a dozen.
MOST_POINTS = 24
MOST_ATTRIBUTES = 12


@dataclass(frozen=True, slots=True)
class Outline:
    """Points in order, still without passages. ``title`` is the section's name, if it has one.

    ``devices`` are the names compared (subject first), empty when nothing is compared or none is
    named. ``left_out`` names what the prompt asks for beyond ``MOST_POINTS``.
    """

    title: str
    points: tuple[PlannedPoint, ...]
    devices: tuple[ResolvedReference, ...] = ()
    left_out: tuple[str, ...] = ()


def outline_of(resolution: Resolution) -> Outline:
    """Return the outline that the prompt's clauses ask for, of at most ``MOST_POINTS`` points.

    A heading that the prompt gives is a heading of the section; none is added to those.
    """
    builder = _built(resolution)
    kept, left = _bounded(builder.finished())
    return Outline(
        builder.title,
        tuple(kept),
        tuple(builder.devices[:2]),
        tuple(dict.fromkeys(point.heading or point.instruction for point in left)),
    )


def extra_points(resolution: Resolution) -> tuple[list[PlannedPoint], list[str]]:
    """Return what a prompt asks for beside a template, and its remarks on how to write.

    The general request for the section itself is none of them.
    """
    builder = _built(resolution)
    points = [
        point
        for point in builder.finished()
        if point.query not in builder.general
        and not (point.kind is PointKind.COMPARE and not builder.has_attributes)
    ]
    return _bounded(points)[0], builder.manner


def _built(resolution: Resolution) -> OutlineBuilder:
    clauses = clauses_of(resolution.sentences)
    is_foreign = language_of(resolution.prompt) not in ("", ENGLISH)
    builder = OutlineBuilder(is_foreign, document_title=_document_title(clauses))
    for clause in clauses:
        if clause is not builder.document_title:
            builder.take(clause)
    return builder


def _document_title(clauses: Sequence[Clause]) -> Clause | None:
    """Return the heading that stands above all others, if there is one."""
    headings = [each for each in clauses if each.heading and not is_structural(each.text)]
    if not headings or clauses[0] is not headings[0]:
        return None
    first, others = headings[0], headings[1:]
    is_above = all(first.heading < other.heading for other in others)
    return first if is_above and (others or first.heading == 1) else None


def _bounded(points: list[PlannedPoint]) -> tuple[list[PlannedPoint], list[PlannedPoint]]:
    kept: list[PlannedPoint] = []
    left: list[PlannedPoint] = []
    attributes = 0
    for point in points:
        is_compared = point.kind is PointKind.COMPARE
        attributes += is_compared
        has_room = len(kept) < MOST_POINTS and (not is_compared or attributes <= MOST_ATTRIBUTES)
        (kept if has_room else left).append(point)
    return kept, left
