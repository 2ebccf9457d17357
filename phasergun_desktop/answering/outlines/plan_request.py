"""What a plan is asked for: the outline of the prompt, of a template, or of both."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.comparing.attributes import is_attribute_named
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.outlines.clauses import asked_parts, split_list
from phasergun_desktop.answering.outlines.outline import MOST_POINTS, Outline, outline_of
from phasergun_desktop.answering.outlines.template_outline import known_devices, template_outline
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.profiles.section_template import SectionTemplate
from phasergun_desktop.references.model import Problem, Resolution, Severity
from phasergun_desktop.retrieval.model import Hit

_EMPTY_PROMPT = "empty_prompt"
_MOST_NAMED = 3
_LONGEST_NAMED = 60
# Cosine of the bundled embedder from which a passage is on the subject even in other words. Not
# calibrated: between what was seen of passages on another subject (up to 0.42) and on this one.
_NEAR = 0.45
_FEWEST_OF_LONG = 2
# Words that stand in every project file and tell no item from another.
_GENERIC = frozenset(
    content_words(
        "device product project result data procedure process document information condition "
        "number requirement user use used using"
    )
)


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """A resolved prompt, with what the template took from the project, and its outline."""

    resolution: Resolution
    outline: Outline
    problems: tuple[Problem, ...] = ()


def plan_request(
    resolution: Resolution, template: SectionTemplate | None, documents: IndexedDocuments
) -> PlanRequest:
    """Return what to plan; a blocked prompt gets an outline without points.

    With a template an empty prompt asks for it from the whole project.
    """
    if template is not None:
        resolution = replace(
            resolution,
            task=resolution.task if resolution.prompt.strip() else template.title,
            problems=tuple(each for each in resolution.problems if each.code != _EMPTY_PROMPT),
        )
    if resolution.is_blocked:
        return PlanRequest(resolution, Outline("", ()))
    if template is not None:
        made = template_outline(template, resolution, documents)
        resolution = replace(resolution, references=(*resolution.references, *made.references))
        return PlanRequest(resolution, made.outline, made.problems)
    outline = outline_of(resolution)
    compares = any(point.kind is PointKind.COMPARE for point in outline.points)
    if compares and len(outline.devices) < 2:
        devices = known_devices(resolution, documents)
        outline = replace(outline, devices=devices if len(devices) > 1 else outline.devices)
    return PlanRequest(resolution, outline, _left_out(outline.left_out))


def _left_out(names: Sequence[str]) -> tuple[Problem, ...]:
    if not names:
        return ()
    named = ", ".join(f"“{_short(name)}”" for name in names[:_MOST_NAMED])
    more = f" and {len(names) - _MOST_NAMED} more" if len(names) > _MOST_NAMED else ""
    message = (
        f"The prompt asks for more than one draft holds ({MOST_POINTS} points). Left out: "
        f"{named}{more}."
    )
    remedy = "Ask for these in a prompt of their own."
    return (Problem("outline_cut", Severity.WARNING, message, remedy),)


def speaking_hits(query: str, hits: Iterable[Hit]) -> list[Hit]:
    """Return the hits that speak of an item of a template, in their order.

    A template asks every project for everything, and the nearest passage of all resembles any
    question; so a hit counts where what is read of it has the words of one part of ``query``
    ("open actions" of "next steps, open actions and dates"), or where it is near enough without.
    """
    parts = [words for part in split_list(query) if (words := _telling_words(part))]
    return [
        hit
        for hit in hits
        if (hit.similarity or 0.0) >= _NEAR
        or any(_has(words, read) for read in _read(hit) for words in parts)
    ]


def _telling_words(part: str) -> frozenset[str]:
    return frozenset() if part.startswith("with ") else frozenset(content_words(part)) - _GENERIC


def _read(hit: Hit) -> tuple[frozenset[str], ...]:
    """Return the words of what would be read of ``hit`` with its heading, and those of what stands
    above: the "data transfer" of a "design procedure" is no design transfer."""
    best = hit.windows[0] if hit.windows else None
    text = hit.text[best.start - hit.start : best.end - hit.start] if best else hit.text
    path = best.heading_path if best else hit.heading_path
    near, above = (*path[-1:], text), (hit.title, *path[:-1])
    return tuple(frozenset(content_words(" ".join(each))) for each in (near, above))


def _has(words: frozenset[str], text: frozenset[str]) -> bool:
    found = len(words & text)
    return found == len(words) or (found >= _FEWEST_OF_LONG and found * 4 >= len(words) * 3)


def is_headed(point: PlannedPoint, hit: Hit) -> bool:
    """Whether ``hit`` stands under a heading that has what ``point`` asks for: a section is about
    what it is called, however little its text resembles three words of a question."""
    heading = " ".join(hit.heading_path[-1:])
    if point.kind is PointKind.COMPARE:
        return is_attribute_named(point.attribute, heading)
    above = set(content_words(heading))
    parts = (set(content_words(part)) for part in asked_parts(point.query))
    return any(words and words <= above for words in parts)


def missing_items(points: Iterable[PlannedPoint]) -> tuple[Problem, ...]:
    """Return a warning for each required item of a template on which nothing was found."""
    return tuple(
        Problem(
            "required_item_missing",
            Severity.WARNING,
            f"The template requires “{point.heading or point.instruction}”, and nothing on it "
            "was found.",
            f"It would stand in {point.helps}." if point.helps else "",
        )
        for point in points
        if point.is_required
        and point.kind is not PointKind.COMPARE
        and not (point.passages or point.pairs or point.value)
    )


def _short(text: str) -> str:
    if len(text) <= _LONGEST_NAMED:
        return text
    return text[:_LONGEST_NAMED].rsplit(" ", 1)[0] + "…"
