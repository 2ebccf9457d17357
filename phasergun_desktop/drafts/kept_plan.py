"""The plan of a draft as it was kept: which points there were and what each of them read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from phasergun_desktop.documents.document_codec import decoded
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.planning.model import PointKind
from phasergun_desktop.retrieval.filters import Filter, parse_filter


@dataclass(frozen=True, slots=True)
class KeptPassage:
    """A passage that was read: code points ``start``..``end`` of the text of ``file`` when its
    content had ``sha256``."""

    file: str
    start: int
    end: int
    sha256: str = ""
    text: str = ""
    chunk_id: str | None = None
    heading_path: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptPoint:
    """A point of the outline; see ``PlannedPoint``. ``text`` is its instruction, ``belongs`` the
    kind of document that would state it, with its folder; ``quotes`` are the answers that are used
    word for word."""

    kind: PointKind
    heading: str
    query: str
    text: str
    attribute: str
    device: str
    belongs: str = ""
    passages: tuple[KeptPassage, ...] = ()
    quotes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class KeptPlan:
    """The points, and ``given``: text of the task that needs no source (the device's name).
    ``value_files`` are the files whose values stand in the task in place of references, ``filters``
    bound what it was planned from, ``agent`` is who wrote it (empty: nobody)."""

    title: str
    points: tuple[KeptPoint, ...]
    given: str = ""
    value_files: frozenset[str] = frozenset()
    filters: tuple[Filter, ...] = ()
    agent: str = ""

    def point(self, number: int) -> KeptPoint | None:
        """Return the point at ``number``, None where there is none (-1: of the writer's own)."""
        return self.points[number] if 0 <= number < len(self.points) else None


def kept_plan(plan_json: str) -> KeptPlan:
    """Return the plan; one without points where ``plan_json`` is empty or of no known form."""
    try:
        stored = json.loads(plan_json) if plan_json else {}
        texts = {_place(one): one for one in stored.get("passages", ())}
        return KeptPlan(
            stored.get("title", ""),
            tuple(_point(one, texts) for one in stored.get("outline", ())),
            " ".join(
                one["value"]
                for one in stored.get("references", ())
                if one["kind"] == "master_record" and one["value"]
            ),
            frozenset(
                file
                for one in stored.get("references", ())
                if one["value"]
                for file in one.get("files", ())
            ),
            tuple(map(parse_filter, stored.get("filters", ()))),
            stored.get("agent") or "",
        )
    except (ProjectError, ValueError, KeyError, TypeError, AttributeError):
        return KeptPlan("", ())


def _point(stored: Any, passages: dict[tuple[str, int, int], Any]) -> KeptPoint:
    read = [passages[_place(one)] for one in stored["passages"] if _place(one) in passages]
    query = stored.get("query") or stored["text"]
    return decoded({**stored, "query": query, "passages": read}, KeptPoint)


def _place(stored: Any) -> tuple[str, int, int]:
    return stored["file"], stored["start"], stored["end"]
