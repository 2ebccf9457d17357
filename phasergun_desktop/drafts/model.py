"""A draft as it is kept: its units, footnotes and where it came from."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.planning.model import Discrepancy
from phasergun_desktop.writing.model import Criterion, PromptCall, TraceStep


class EditKind(StrEnum):
    """What the writer did with a sentence or a footnote."""

    ADDED = "added"
    EDITED = "edited"
    DROPPED = "dropped"
    ACCEPTED = "accepted"
    WITHDRAWN = "withdrawn"
    TODO = "todo"
    REGENERATED = "regenerated"
    RESTORED = "restored"
    MOVED = "moved"
    REBOUND = "rebound"
    SETTLED = "settled"
    REOPENED = "reopened"


@dataclass(frozen=True, slots=True)
class Edit:
    """One step of the writer's; ``before`` and ``after`` are the words of the sentence (or the
    quotes of the footnote). ``time`` is ISO 8601 in UTC. ``WITHDRAWN`` takes an acceptance back,
    ``MOVED`` follows a quote to its new place, ``REBOUND`` takes the new text of a source.
    ``SETTLED`` answers the discrepancy whose message is ``before`` with the reason in ``note``,
    ``REOPENED`` takes that back."""

    time: str
    kind: EditKind
    before: str = ""
    after: str = ""
    note: str = ""


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft. ``units`` and ``footnotes`` are its proof; ``edited_html`` is the writer's text
    as the editor holds it (empty until edited). Times are ISO 8601 in UTC.
    ``confidence_level`` and ``confidence_rationale`` are shown, ``plan_json`` is the record of
    what was asked and read, ``prompt_sha256`` and ``calls`` of every prompt that the model got,
    ``trace`` of every step. ``edits`` only grows."""

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
    template: str = ""
    model_digest: str = ""
    warnings: tuple[str, ...] = ()
    prompt_sha256: tuple[str, ...] = ()
    confidence_criteria: tuple[Criterion, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    calls: tuple[PromptCall, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    edits: tuple[Edit, ...] = ()

    @property
    def settled(self) -> dict[str, str]:
        """The writer's reasons for the discrepancies that are settled, by their messages."""
        return settled_in(self.edits)


def settled_in(edits: Iterable[Edit]) -> dict[str, str]:
    """Return the reason for every discrepancy, by its message, that is settled after ``edits``."""
    found: dict[str, str] = {}
    for one in edits:
        if one.kind is EditKind.SETTLED:
            found[one.before] = one.note
        elif one.kind is EditKind.REOPENED:
            found.pop(one.before, None)
    return found
