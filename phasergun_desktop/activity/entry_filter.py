"""Which entries of the log are looked for."""

from __future__ import annotations

import json
from dataclasses import dataclass

from phasergun_desktop.activity.model import ActivityKind


@dataclass(frozen=True, slots=True)
class EntryFilter:
    """Conditions, all of which an entry has to meet; empty ones are met by all.

    ``since`` and ``until`` are days or times in ISO 8601 (UTC), both included; ``text`` is looked
    for in all that an entry says, whatever the case.
    """

    kind: ActivityKind | None = None
    since: str = ""
    until: str = ""
    status: str = ""
    text: str = ""

    def condition(self) -> tuple[str, list[object]]:
        """Return the condition on the rows of the log in SQL, and its values."""
        parts: list[tuple[str, list[object]]] = []
        if self.kind is not None:
            parts.append(("kind = ?", [self.kind.value]))
        if self.since:
            parts.append(("at >= ?", [self.since]))
        if self.until:
            # A day is before all of its times, and "~" after each of them.
            parts.append(("at <= ?", [f"{self.until}~"]))
        if self.status:
            parts.append(("instr(body, ?) > 0", [f'"status":{json.dumps(self.status)}']))
        if self.text:
            # SQLite itself heeds no case of ASCII letters.
            text = self.text
            cases = (text,) if text.isascii() else (text, text.lower(), text.upper(), text.title())
            forms = dict.fromkeys(map(_in_json, cases))
            either = " OR ".join(
                f"{column} LIKE ? ESCAPE '!'" for _ in forms for column in ("texts", "body")
            )
            patterns: list[object] = [f"%{_escaped(form)}%" for form in forms for _ in range(2)]
            parts.append((f"({either})", patterns))
        return (
            " AND ".join(condition for condition, _ in parts) or "1",
            [value for _, values in parts for value in values],
        )


EVERY_ENTRY = EntryFilter()


def _in_json(text: str) -> str:
    return json.dumps(text)[1:-1]


def _escaped(text: str) -> str:
    return text.replace("!", "!!").replace("%", "!%").replace("_", "!_")
