"""The points that one sentence of a prompt asks for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.outlines.clauses import (
    after_colon,
    capitalised,
    described_items,
    section_names,
    shared_tail,
    split_list,
    split_questions,
)
from phasergun_desktop.answering.outlines.prompt_wording import is_order
from phasergun_desktop.references.model import (
    PromptSentence,
    ReferenceKind,
    ResolvedReference,
)

_LONGEST_INSTRUCTION = 300
_COMPARE = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison|ative)\w*|contrast|substantial(?:ly)? equivalen\w+|versus|"
    r"vs\.)",
    re.IGNORECASE,
)
# A "method comparison" is a study: only an order to compare needs no second device.
_ORDERS_COMPARISON = re.compile(
    r"\b(?:compar(?:e|es|ed|ing)|contrast|substantial(?:ly)? equivalen\w+|versus|vs\.)",
    re.IGNORECASE,
)
_DEVICES = re.compile(
    r"\b(?:predicates?|devices?|equivalen\w+|competitors?|products?)\b", re.IGNORECASE
)
COVER = re.compile(
    r"\b(?:cover(?:ing)?|address(?:ing)?|with respect to|in terms of|regarding|as to)\s+"
    r"(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_STATE = re.compile(
    r"^(?:please\s+)?(?:state|give|name|list|specify|report|provide|say|identify|enumerate"
    r")\s+(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_PROCEDURE = re.compile(
    r"\bhow\b.+\b(?:carried out|performed|done|managed|conducted|handled|controlled|works?)\b"
    r"|\b(?:process|procedure|workflow|steps)\b",
    re.IGNORECASE | re.DOTALL,
)
_LEAD_VERB = re.compile(
    r"^(?:please\s+)?(?:write|draft|prepare|compose|summari[sz]e|describe|explain|outline|create|"
    r"produce|discuss|present|define|detail|document|characteri[sz]e|generate|cover|include|"
    r"address|mention|add|set\s+out|make|build|show|tell\s+me)\s+(?:about\s+|on\s+)?",
    re.IGNORECASE,
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)
_ITS = re.compile(r"(?:its|their)\s+", re.IGNORECASE)
_ACCORDING = re.compile(
    r",?\s+(?:according to|as described in|following|based on|from|per)\s", re.IGNORECASE
)
_LONGEST_TOPIC = 10
_COVERING = re.compile(r",?\s+covering\s+(?P<items>.+)$", re.IGNORECASE | re.DOTALL)
_QUESTIONS = re.compile(r"\bquestions?\b", re.IGNORECASE)
# "a short description of the alarm" asks for the alarm.
_TEXT_ABOUT = re.compile(
    r"^(?:(?:an?|the)\s+)?(?:[\w-]+\s+){0,3}?(?:description|summary|overview|explanation|"
    r"discussion|account|outline|paragraph|text|introduction)\s+(?:of|on|about|for|to)\s+"
    r"(?P<subject>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_YES_NO = re.compile(
    r"^(?:is|are|does|do|did|has|have|was|were|can|will)\s+(?:the|this|it|there|they|an?|any|"
    r"[A-Z]\w*|action)\b",
)


def points_of(text: str, sentence: PromptSentence) -> tuple[str, list[PlannedPoint], bool]:
    """Return the title, the points, and whether they are the section as a whole."""
    text = text.rstrip()
    verbatim = _verbatim_point(sentence)
    if verbatim is not None:
        return "", [verbatim], False
    if text.endswith("?"):
        return (
            "",
            [point_of(PointKind.VALUE, each, sentence) for each in split_questions(text)],
            False,
        )
    if _YES_NO.match(text):
        return "", [point_of(PointKind.VALUE, f"{text.rstrip('.')}?", sentence)], False
    sections = section_names(text)
    if sections is not None:
        return _section_points(sections, sentence)
    stated = _STATE.match(text)
    if stated is not None and states_values(text):
        items = shared_tail(after_colon(stated["items"]) or split_list(stated["items"]))
        return "", [point_of(PointKind.VALUE, item, sentence) for item in items], False
    subject = stated["items"] if stated is not None else _LEAD_VERB.sub("", text)
    about = _TEXT_ABOUT.match(subject)
    if about is not None:
        subject = about["subject"]
    subject = subject.rstrip(". ")
    kind = kind_of(text)
    covering = _COVERING.search(subject)
    listed = after_colon(text) or (split_list(covering["items"]) if covering else [])
    if listed:
        topic = _what_is_listed(subject)
        points = [point_of(kind, item, sentence) for item in listed]
        return (
            "",
            [replace(p, query=f"{topic}: {p.query}" if topic else p.query) for p in points],
            False,
        )
    items = described_items(subject) if is_order(text) or about is not None else [subject]
    if len(items) == 1:
        items = [_ARTICLE.sub("", items[0])]
    return "", [point_of(kind, item, sentence) for item in items], len(items) == 1


def _what_is_listed(subject: str) -> str:
    """Return what the items of a list are items of: "timescales" alone finds nothing, those of
    "how incidents are reported" do. ``""`` where that is longer than a topic."""
    lead = _COVERING.sub("", subject).rpartition(":")[0] or _COVERING.sub("", subject)
    topic = _ACCORDING.split(lead, maxsplit=1)[0].strip(" ,;:")
    return topic if 0 < len(topic.split()) <= _LONGEST_TOPIC else ""


def _section_points(
    sections: tuple[list[str], str], sentence: PromptSentence
) -> tuple[str, list[PlannedPoint], bool]:
    names, rest = sections
    if len(names) > 1:
        about = rest.strip().rstrip(".")
        points = [
            replace(point_of(PointKind.DESCRIBE, f"{name} {about}", sentence), query=name)
            for name in names
        ]
        headed = [replace(point, heading=name) for point, name in zip(points, names, strict=True)]
        return "", headed, False
    title = names[0]
    cover = COVER.search(rest)
    items = after_colon(rest) or (split_list(cover["items"]) if cover else [])
    if not items:
        gap = "" if rest.lstrip()[:1] in ",;:." else " "
        whole = f"{title}{gap}{rest.strip()}".rstrip(". ")
        return title, [point_of(PointKind.DESCRIBE, whole, sentence)], True
    points = [
        replace(point_of(PointKind.DESCRIBE, item, sentence), query=f"{title}: {item}")
        for item in _by_name(items)
    ]
    return title, points, False


def _by_name(items: Sequence[str]) -> list[str]:
    """Return ``items`` each understood by itself: "decisions of the review, and its actions" asks
    for the actions of the review."""
    named: list[str] = []
    for item in items:
        pronoun = _ITS.match(item)
        owner = re.search(r"\s+of\s+.+$", named[-1]) if pronoun and named else None
        named.append(f"{item[pronoun.end() :]}{owner.group()}" if pronoun and owner else item)
    return named


def _verbatim_point(sentence: PromptSentence) -> PlannedPoint | None:
    """ "State the software level: VALUE" needs no model: the value is used word for word."""
    for reference in sentence.references:
        value = reference.value
        if value is None or reference.kind is ReferenceKind.BOOTSTRAP:
            continue
        match = re.match(
            r"^\W*(?:state|give|name|report)\s+(?P<name>[^:\[]+):\s*\[", sentence.raw, re.IGNORECASE
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


def states_values(text: str) -> bool:
    """Whether ``text`` asks for values ("State …"); "Provide a description of …" does not."""
    stated = _STATE.match(text)
    return stated is not None and _TEXT_ABOUT.match(stated["items"]) is None


def asks_questions(text: str) -> bool:
    """Whether ``text`` leads in a list of questions."""
    return bool(_QUESTIONS.search(text))


def is_comparison(text: str, sentence: PromptSentence) -> bool:
    """Whether devices are compared; results compared with a limit are not."""
    if not _COMPARE.search(text):
        return False
    values = [
        reference
        for reference in sentence.references
        if reference.kind is ReferenceKind.MASTER_RECORD and reference.value is not None
    ]
    if _ORDERS_COMPARISON.search(text):
        return bool(values) or bool(_DEVICES.search(text))
    return len(values) > 1 or bool(_DEVICES.search(_without_labels(text, values)))


def _without_labels(text: str, references: Sequence[ResolvedReference]) -> str:
    """Return ``text`` without the values of its references: a device's name may hold "device"."""
    for reference in references:
        if reference.value is not None:
            text = text.replace(reference.value.text, "")
    return text


def kind_of(text: str) -> PointKind:
    return PointKind.PROCEDURE if _PROCEDURE.search(text) else PointKind.DESCRIBE


def point_of(kind: PointKind, text: str, sentence: PromptSentence) -> PlannedPoint:
    if len(text) > _LONGEST_INSTRUCTION:
        text = text[:_LONGEST_INSTRUCTION].rsplit(" ", 1)[0] + " …"
    return PlannedPoint(kind, "", text, text, sentence.scope)


def with_extra(point: PlannedPoint, extra: str) -> PlannedPoint:
    if point.kind in (PointKind.VERBATIM, PointKind.COMPARE):
        return point
    instruction = f"{point.instruction.rstrip('.')}. {extra.strip()}"
    return replace(point, instruction=instruction)
