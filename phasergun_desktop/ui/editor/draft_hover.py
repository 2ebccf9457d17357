"""What the pointer learns when it rests on a footnote mark or a marked sentence."""

from __future__ import annotations

from html import escape

from phasergun_desktop.drafts.marked import recorded_reasons
from phasergun_desktop.grounding.model import DraftSentence, Footnote
from phasergun_desktop.text.snippets import one_line
from phasergun_desktop.ui.wording import file_name, place_in_words, why_marked

LONGEST_QUOTE = 420


def shortened(text: str, longest: int = LONGEST_QUOTE) -> str:
    """Return ``text`` on one line, cut at a word with an ellipsis."""
    line = one_line(text)
    if len(line) <= longest:
        return line
    return line[:longest].rsplit(" ", 1)[0] + " …"


def hover_html(about: Footnote | DraftSentence | None, *, is_changed: bool = False) -> str:
    """Return the tooltip of a footnote (its quote) or of a unit (why it is marked, and when the
    writer accepted it)."""
    if isinstance(about, DraftSentence):
        why = state_in_words(about)
        return f"<p style='width:320px'>{_lines(why)}</p>" if why else ""
    if about is None:
        return ""
    if not about.file:
        note = "A standard that is named here; the file is not part of this project."
        return f"<p><b>{escape(about.title)}</b></p><p>{note}</p>"
    place = place_in_words(about.locator, about.heading_path)
    parts = [f"<p style='width:380px'><b>{escape(file_name(about.file))}</b>"]
    if place:
        parts.append(f"<br>{escape(place)}")
    parts.append("</p>")
    if is_changed:
        parts.append("<p><b>The source has changed since it was cited, or is gone.</b></p>")
    parts.append(f"<p>“{escape(shortened(about.quote))}”</p>")
    return "".join(parts)


def state_in_words(unit: DraftSentence) -> str:
    """Return why a unit is marked, or when the writer accepted it; empty if it is neither."""
    return _accepted_why(unit) if unit.is_accepted else why_marked(unit)


def _lines(text: str) -> str:
    return "<br>".join(escape(line) for line in text.split("\n"))


def _accepted_why(unit: DraftSentence) -> str:
    day = unit.accepted[:10]
    when = f" on {day}" if day[:4].isdigit() else ""
    found = "\n".join(recorded_reasons(unit))
    return f"Checked by you{when}." + (f"\nWhat was found before: {found}" if found else "")
