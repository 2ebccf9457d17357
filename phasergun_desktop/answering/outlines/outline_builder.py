"""Puts the clauses of a prompt together to the points of an outline."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from phasergun_desktop.answering.comparing.devices import named_devices
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.outlines.clauses import after_colon, section_names, split_list
from phasergun_desktop.answering.outlines.outline_points import (
    COVER,
    asks_questions,
    is_comparison,
    kind_of,
    point_of,
    points_of,
    states_values,
    with_extra,
)
from phasergun_desktop.answering.outlines.prompt_clauses import Clause
from phasergun_desktop.answering.outlines.prompt_wording import (
    content_asked,
    forbids,
    is_about_form,
    is_background,
    is_order,
    is_structural,
    orders_of,
    without_politeness,
)
from phasergun_desktop.references.model import PromptSentence, ResolvedReference

# What a reviewer compares first when the prompt names no attributes (21 CFR 807.92(a)(5), (6)).
DEFAULT_ATTRIBUTES = ("intended use", "technology", "principle of operation", "materials")


_ON_DIFFERENCES = re.compile(
    r"(?:state|say|show|note|name|list|point out|highlight|explain|discuss)\b"
    r".*\b(?:agree|differs?|differences?|similarit(?:y|ies)|(?:are|is) the same)\b",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class OutlineBuilder:
    """Takes the clauses one by one. ``group`` is where the points of the last sentence begin."""

    is_foreign: bool = False
    document_title: Clause | None = None
    title: str = ""
    points: list[PlannedPoint] = field(default_factory=list)
    devices: list[ResolvedReference] = field(default_factory=list)
    general: set[str] = field(default_factory=set)
    manner: list[str] = field(default_factory=list)
    has_attributes: bool = False
    _group: int = 0
    _is_general: bool = False
    _heading: Clause | None = None
    _section: str = ""
    _group_heading: Clause | None = None
    _lead: PointKind | None = None
    _lead_forbids: str = ""
    _background: list[PlannedPoint] = field(default_factory=list)
    _remarks: list[PlannedPoint] = field(default_factory=list)
    _comparing: PromptSentence | None = None
    _attributes: list[str] = field(default_factory=list)
    _compare_at: int = 0

    # ------------------------------------------------------------ clauses

    def take(self, clause: Clause) -> None:
        """Add what ``clause`` asks for."""
        if clause.heading:
            self._take_heading(clause)
        elif clause.is_item and self._lead is not None:
            self._take_item(clause)
        elif self.is_foreign:
            self._take_foreign(clause)
        else:
            self._take_sentence(clause)

    def _take_heading(self, clause: Clause) -> None:
        self._end_heading()
        self._begin()
        self._lead = None
        self._section = ""
        if not is_structural(clause.text):
            self._heading = clause

    def _end_heading(self) -> None:
        """A heading under which nothing is asked asks for what it says."""
        heading, self._heading = self._heading, None
        if heading is not None:
            self._begin()
            kind = kind_of(heading.text)
            self._add(
                [replace(point_of(kind, heading.text, heading.sentence), heading=heading.text)]
            )

    def _take_item(self, clause: Clause) -> None:
        text = without_politeness(clause.text)
        if self._lead_forbids or is_about_form(text):
            remark = f"{self._lead_forbids} {clause.text}".strip()
            self._remark(remark, clause.sentence, everywhere=True)
            return
        if self._comparing is not None and not is_order(text) and not text.endswith("?"):
            self._attributes.append(text.rstrip(".;,"))
            return
        if is_order(text) or text.endswith("?"):
            lead = self._lead
            self._take_sentence(replace(clause, text=text))
            self._lead = lead
            return
        kind = self._lead or PointKind.DESCRIBE
        self._add([point_of(kind, text.rstrip(".;,"), clause.sentence)])

    def _take_foreign(self, clause: Clause) -> None:
        """One point for each sentence: its grammar is not known."""
        self._lead = PointKind.DESCRIBE if clause.leads else None
        if not clause.text.endswith((":", "：")):
            self._begin()
            self._add([point_of(PointKind.DESCRIBE, clause.text, clause.sentence)])

    def _take_sentence(self, clause: Clause) -> None:
        text = without_politeness(clause.text)
        self._lead = None
        if clause.leads:
            self._take_lead(clause, text)
            return
        for part in orders_of(text):
            self._take_order(part, clause.sentence)

    def _take_order(self, text: str, sentence: PromptSentence) -> None:
        content = content_asked(text)
        if self._comparing is not None and self._take_attributes(text, content):
            return
        is_remark = is_about_form(text) or forbids(text)
        if self._comparing is not None and _ON_DIFFERENCES.match(text):
            # A comparison by rule states where values agree and differ anyway.
            is_remark, content = True, ""
        if is_remark or (sentence.modifies_previous and not content):
            self._remark(text, sentence, everywhere=is_remark)
            return
        if is_comparison(text, sentence):
            self._take_comparison(text, sentence)
            return
        if content:
            self._take_content(content, sentence)
            return
        title, points, is_general = points_of(text, sentence)
        if points and not title and is_background(text) and not COVER.search(text):
            # "You are a regulatory writer." asks for nothing where something else is asked.
            self._background.extend(points)
            return
        self._begin()
        self.title = self.title or title
        self._add(points, is_general=is_general)

    def _take_lead(self, clause: Clause, text: str) -> None:
        """Take a sentence that a list follows: the list says what it asks for."""
        self._lead_forbids = text.rstrip(":. ") if forbids(text) else ""
        self._lead = kind_of(text)
        if is_about_form(text) or self._lead_forbids:
            return
        if is_comparison(text, clause.sentence):
            self._take_comparison(text, clause.sentence)
            return
        if states_values(text) or asks_questions(text):
            self._lead = PointKind.VALUE
        bare = text.rstrip(":. ")
        found = section_names(bare)
        if found is not None and len(found[0]) == 1:
            self.title = self.title or found[0][0]
        if self._comparing is None:
            self._replace_general()
            self._begin()

    def _take_content(self, content: str, sentence: PromptSentence) -> None:
        items = _listed(content)
        kind = self.points[-1].kind if self._is_general and self.points else PointKind.DESCRIBE
        if kind is PointKind.VALUE or (len(items) > 1 and self._is_general):
            self._replace_general()
        self._add([point_of(kind, item, sentence) for item in items])

    def _replace_general(self) -> None:
        """Drop the request for the section as a whole: what follows says what it consists of."""
        if self._is_general:
            self._heading = self._heading or self._group_heading
            del self.points[self._group :]
            self._is_general = False

    # ------------------------------------------------------------ comparisons

    def _take_comparison(self, text: str, sentence: PromptSentence) -> None:
        if self._comparing is None:
            self._comparing = sentence
            self._compare_at = len(self.points)
        found = section_names(text)
        self.title = self.title or (found[0][0] if found else "")
        self.devices = named_devices((*self.devices, *sentence.references))
        cover = COVER.search(text)
        if cover is not None:
            self._attributes.extend(split_list(cover["items"]))
        else:
            self._attributes.extend(after_colon(text))

    def _take_attributes(self, text: str, content: str) -> bool:
        """Whether the clause only says what is compared."""
        if content:
            self._attributes.extend(_listed(content))
            return True
        cover = COVER.match(text)
        if cover is not None:
            self._attributes.extend(_listed(cover["items"]))
            return True
        return False

    # ------------------------------------------------------------ points

    def _begin(self) -> None:
        self._group = len(self.points)
        self._group_heading = None
        self._is_general = False

    def _add(self, points: list[PlannedPoint], *, is_general: bool = False) -> None:
        self._is_general = is_general
        for point in points:
            made = point
            if self._heading is not None and not point.heading:
                made = replace(point, heading=self._heading.text)
                self._group_heading, self._heading = self._heading, None
                self._section = made.heading
            if self._section and made.kind is not PointKind.VERBATIM:
                made = replace(made, query=_under(self._section, made.query))
            self.points.append(made)
            if is_general:
                self.general.add(made.query)

    def _remark(self, text: str, sentence: PromptSentence, *, everywhere: bool) -> None:
        self.manner.append(text)
        self._remarks.append(point_of(PointKind.DESCRIBE, text, sentence))
        if self._comparing is None:
            start = 0 if everywhere else self._group
            self.points[start:] = [with_extra(point, text) for point in self.points[start:]]

    def finished(self) -> list[PlannedPoint]:
        """Return all points, each once; call it last."""
        self._end_heading()
        points = list(self.points)
        if self._comparing is not None:
            self.has_attributes = bool(self._attributes)
            scope = self._comparing.scope
            points[self._compare_at : self._compare_at] = [
                PlannedPoint(PointKind.COMPARE, "", each, each, scope, attribute=each)
                for each in dict.fromkeys(self._attributes or DEFAULT_ATTRIBUTES)
            ]
        # A prompt of remarks alone ("List of abbreviations") asks for what they say.
        points = points or self._background or self._remarks
        above = self.document_title
        if above is not None:
            points = points or [point_of(kind_of(above.text), above.text, above.sentence)]
            self.title = self.title or above.text
        return _each_once(points)


def _listed(content: str) -> list[str]:
    """Return the items of a list that are content and not form ("…, and a table")."""
    items = after_colon(content) or split_list(content)
    return [item for item in items if not is_about_form(item)]


def _under(heading: str, query: str) -> str:
    """Return ``query`` with the heading it stands under: "how it works" says too little alone."""
    return query if heading.casefold() in query.casefold() else f"{heading}: {query}"


def _each_once(points: list[PlannedPoint]) -> list[PlannedPoint]:
    seen: set[tuple[str, str, str]] = set()
    kept = []
    for point in points:
        key = (point.kind.value, point.heading.casefold(), point.instruction.casefold())
        if key not in seen:
            seen.add(key)
            kept.append(point)
    return kept
