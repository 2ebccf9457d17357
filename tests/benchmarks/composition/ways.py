"""Ways of composing a section, each a change of the plan that the product then writes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from phasergun_desktop.answering.model import Plan, PlannedPoint, PointKind
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans

_PASSAGES = 8
_CHARACTERS = 6000
_SENTENCES = 4
_WINDOW = 2


@dataclass(frozen=True, slots=True)
class Way:
    """How a section is composed: the plan made of the product's plan, with a model or without.
    ``completes``: what the model left out of the best passages is added (the profile's
    ``complete``)."""

    name: str
    about: str
    plan: Callable[[Plan], Plan]
    has_model: bool = True
    completes: bool = True


def _one_prompt(plan: Plan) -> Plan:
    """Ask for the whole section at once, with the first passages of every point in turn."""
    chosen: list[Passage] = []
    points = [point for point in plan.points if point.value is None]
    for rank in range(max((len(point.passages) for point in points), default=0)):
        for point in points:
            if rank < len(point.passages) and point.passages[rank] not in chosen:
                chosen.append(point.passages[rank])
    kept: list[Passage] = []
    for passage in chosen[:_PASSAGES]:
        if sum(len(each.text) for each in kept) + len(passage.text) <= _CHARACTERS:
            kept.append(passage)
    if not kept:
        return plan
    first = points[0]
    whole = PlannedPoint(
        PointKind.DESCRIBE,
        "",
        plan.task,
        plan.task.replace(". ", "; "),
        first.scope,
        passages=tuple(kept),
    )
    given = tuple(p for p in plan.points if p.kind is PointKind.VERBATIM)
    pairs = tuple(pair for point in plan.points for pair in point.pairs)
    return replace(plan, points=(replace(whole, pairs=pairs), *given))


def _from_extracts(plan: Plan) -> Plan:
    """Let each point read only the sentences that share most words with it, in pairs."""
    return replace(
        plan,
        points=tuple(
            replace(point, passages=tuple(_extracts(point))) if point.passages else point
            for point in plan.points
        ),
    )


def _extracts(point: PlannedPoint) -> list[Passage]:
    asked = set(content_words(point.query))
    windows: list[tuple[float, Passage]] = []
    for passage in point.passages:
        spans = sentence_spans(passage.text)
        for at in range(0, len(spans), _WINDOW):
            start, end = spans[at][0], spans[min(at + _WINDOW, len(spans)) - 1][1]
            text = passage.text[start:end]
            words = set(content_words(f"{text} {' '.join(passage.heading_path)}"))
            extract = replace(
                passage, start=passage.start + start, end=passage.start + end, text=text
            )
            windows.append((len(asked & words) / max(1, len(asked)), extract))
    best = sorted(windows, key=lambda item: -item[0])[:_SENTENCES]
    return sorted((extract for _, extract in best), key=lambda each: (each.file, each.start))


WAYS: tuple[Way, ...] = (
    Way("per_point", "a prompt per outline point, completed (the product's)", lambda plan: plan),
    Way(
        "per_point_alone",
        "a prompt per outline point, as the model writes it",
        lambda plan: plan,
        completes=False,
    ),
    Way("one_prompt", "one prompt with up to eight passages", _one_prompt, completes=False),
    Way(
        "from_extracts",
        "a prompt per point, reading extracts of two sentences",
        _from_extracts,
        completes=False,
    ),
    Way("extractive", "verbatim spans, no model", lambda plan: plan, has_model=False),
)
