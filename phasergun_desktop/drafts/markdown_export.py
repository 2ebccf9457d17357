"""A draft as a Markdown file: title, marks, remarks on what to check, Sources list."""

from __future__ import annotations

from phasergun_desktop.drafts.marked import reasons_to_check
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, UnitKind
from phasergun_desktop.grounding.rendering import render_markdown


def draft_to_markdown(draft: Draft) -> str:
    """Return the file's text. A statement to check is followed by ``**[check: why]**``."""
    parts = []
    title = " ".join(draft.title.split())
    if title and not starts_with_title(draft):
        parts.append(f"# {title}\n")
    # Two spaces keep every source on a line of its own where Markdown is shown.
    body = render_markdown(draft.units, draft.footnotes, remark=_remark, line_end="  ")
    if body:
        parts.append(body)
    return "\n".join(parts)


def starts_with_title(draft: Draft) -> bool:
    """Whether the first heading already says the draft's title."""
    first = draft.units[0] if draft.units else None
    if first is None or first.kind is not UnitKind.HEADING:
        return False
    return first.text.split() == draft.title.split()


def _remark(unit: DraftSentence) -> str:
    reasons = reasons_to_check(unit)
    return f" **[check: {' '.join(reasons)}]**" if reasons else ""
