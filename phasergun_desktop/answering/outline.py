"""The outline of a section by rule from the prompt's clauses, complete before any model runs."""

from __future__ import annotations

import re
from dataclasses import dataclass

from phasergun_desktop.answering.clauses import (
    after_colon,
    capitalised,
    section_names,
    shared_tail,
    split_list,
)
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.references.model import (
    PromptSentence,
    ReferenceKind,
    Resolution,
    ResolvedReference,
)

_COMPARE = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison|ative)\w*|substantial(?:ly)? equivalen\w+|versus|vs\.)\b",
    re.IGNORECASE,
)
_COVER = re.compile(
    r"\b(?:cover(?:ing)?|address(?:ing)?|with respect to|in terms of|regarding|as to)\s+"
    r"(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_STATE = re.compile(
    r"^(?:please\s+)?(?:state|give|name|list|specify|report|provide|say)\s+(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PROCEDURE = re.compile(
    r"\bhow\b.+\b(?:carried out|performed|done|managed|conducted|handled|controlled|works?)\b"
    r"|\b(?:process|procedure|workflow|steps)\b",
    re.IGNORECASE | re.DOTALL,
)
_LEAD_VERB = re.compile(
    r"^(?:please\s+)?(?:write|draft|prepare|compose|summari[sz]e|describe|explain|outline|create|"
    r"produce)\s+(?:(?:an?|the)\s+)?",
    re.IGNORECASE,
)
# What a reviewer compares first when the prompt names no attributes (21 CFR 807.92(a)(5), (6)).
DEFAULT_ATTRIBUTES = ("intended use", "technology", "principle of operation", "materials")


@dataclass(frozen=True, slots=True)
class Outline:
    """Points in order, still without passages. ``title`` is the section's name, if it has one.

    ``devices`` are the names compared (subject first), empty when nothing is compared.
    """

    title: str
    points: tuple[PlannedPoint, ...]
    devices: tuple[ResolvedReference, ...] = ()


def outline_of(resolution: Resolution) -> Outline:
    """Return the outline that the prompt's clauses ask for."""
    sentences = [sentence for sentence in resolution.sentences if not sentence.is_directive]
    if any(_COMPARE.search(sentence.text) for sentence in sentences):
        return _comparison(sentences)
    points: list[PlannedPoint] = []
    title = ""
    for sentence in sentences:
        if sentence.modifies_previous and points:
            points = [_with_extra(point, sentence.text) for point in points]
            continue
        found_title, found = _points_of(sentence)
        title = title or found_title
        points.extend(found)
    return Outline(title, tuple(points))


def _points_of(sentence: PromptSentence) -> tuple[str, list[PlannedPoint]]:
    text = " ".join(sentence.text.split()).rstrip()
    verbatim = _verbatim_point(sentence)
    if verbatim is not None:
        return "", [verbatim]
    if text.endswith("?"):
        return "", [_point(PointKind.VALUE, "", text, text, sentence)]
    sections = section_names(text)
    if sections is not None:
        return _section_points(sections, sentence)
    stated = _STATE.match(text)
    if stated is not None:
        items = shared_tail(split_list(stated["items"]))
        return "", [_point(PointKind.VALUE, "", item, item, sentence) for item in items]
    subject = _LEAD_VERB.sub("", text).rstrip(".")
    kind = PointKind.PROCEDURE if _PROCEDURE.search(text) else PointKind.DESCRIBE
    listed = after_colon(text)
    if listed:
        return "", [_point(kind, "", item, item, sentence) for item in listed]
    return "", [_point(kind, "", subject, subject, sentence)]


def _section_points(
    sections: tuple[list[str], str], sentence: PromptSentence
) -> tuple[str, list[PlannedPoint]]:
    names, rest = sections
    if len(names) > 1:
        about = rest.strip().rstrip(".")
        return "", [
            _point(PointKind.DESCRIBE, name, name, f"{name} {about}", sentence) for name in names
        ]
    title = names[0]
    cover = _COVER.search(rest)
    items = after_colon(rest) or (split_list(cover["items"]) if cover else [])
    if not items:
        items = [f"{title} {rest.strip()}".strip().rstrip(".")]
        return title, [_point(PointKind.DESCRIBE, "", items[0], items[0], sentence)]
    return title, [
        _point(PointKind.DESCRIBE, "", f"{title}: {item}", item, sentence) for item in items
    ]


def _verbatim_point(sentence: PromptSentence) -> PlannedPoint | None:
    """ "State the software level: VALUE" needs no model: the value is used word for word."""
    for reference in sentence.references:
        value = reference.value
        if value is None or reference.kind is ReferenceKind.BOOTSTRAP:
            continue
        match = re.match(
            r"^\s*(?:state|give|name|report)\s+(?P<name>[^:\[]+):\s*\[", sentence.raw, re.IGNORECASE
        )
        if match and sentence.raw.rstrip(" .").endswith(reference.text):
            name = capitalised(match["name"].strip())
            return PlannedPoint(
                kind=PointKind.VERBATIM,
                heading="",
                query=name,
                instruction=f"The {name[:1].lower()}{name[1:]} is",
                scope=sentence.scope,
                value=value,
            )
    return None


def _comparison(sentences: list[PromptSentence]) -> Outline:
    title, attributes = "", list[str]()
    devices: list[ResolvedReference] = []
    scope = sentences[0].scope
    for sentence in sentences:
        text = " ".join(sentence.text.split())
        if _COMPARE.search(text):
            scope = sentence.scope
            found = section_names(text)
            title = title or (found[0][0] if found else "")
            devices.extend(
                reference
                for reference in sentence.references
                if reference.kind is ReferenceKind.MASTER_RECORD and reference.value is not None
            )
        cover = _COVER.search(text)
        if cover is not None:
            attributes.extend(split_list(cover["items"]))
        elif not attributes:
            attributes.extend(after_colon(text))
    points = tuple(
        PlannedPoint(PointKind.COMPARE, "", attribute, attribute, scope, attribute=attribute)
        for attribute in (attributes or DEFAULT_ATTRIBUTES)
    )
    return Outline(title, points, tuple(devices[:2]))


def _point(
    kind: PointKind, heading: str, query: str, instruction: str, sentence: PromptSentence
) -> PlannedPoint:
    return PlannedPoint(kind, heading, query, instruction, sentence.scope)


def _with_extra(point: PlannedPoint, extra: str) -> PlannedPoint:
    if point.kind is PointKind.VERBATIM:
        return point
    return PlannedPoint(
        kind=point.kind,
        heading=point.heading,
        query=point.query,
        instruction=f"{point.instruction.rstrip('.')}. {extra.strip()}",
        scope=point.scope,
        attribute=point.attribute,
        device=point.device,
        pairs=point.pairs,
        value=point.value,
    )
