"""A draft as it is kept: its units, footnotes and where it came from."""

from __future__ import annotations

from dataclasses import dataclass

from phasergun_desktop.grounding.model import DraftSentence, Footnote


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft. ``units`` and ``footnotes`` are its proof; ``edited_html`` is the writer's text
    as the editor holds it (empty until edited). Times are ISO 8601 in UTC.
    ``confidence_level`` and ``confidence_rationale`` are shown, ``plan_json`` is the record."""

    draft_id: str
    title: str
    prompt_file: str
    prompt: str
    status: str
    units: tuple[DraftSentence, ...]
    footnotes: tuple[Footnote, ...]
    created: str
    modified: str
    model: str = ""
    profile: str = "regulatory"
    confidence_level: str = ""
    confidence_score: float = 0.0
    confidence_rationale: str = ""
    plan_json: str = ""
    edited_html: str = ""
