"""The sentences that the window says about files, places, plans and results."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Collection

from PySide6.QtCore import QDate, QDateTime, QLocale
from PySide6.QtGui import Qt

from phasergun_desktop.documents.model import (
    LineLocator,
    Locator,
    PageLocator,
    ParagraphLocator,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.drafts.draft_store import DraftSummary
from phasergun_desktop.drafts.marked import reasons_to_check
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.grounding.rendering import source_line
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.writing.model import Confidence

# A paragraph of four statements takes 24 s on two cores (measured on 52 of them).
JOINING_SECONDS = 6
UNTITLED = "Untitled"
PATH_MARK = " › "
DOUBTFUL_BELOW = 0.7
_ID_DIGITS, _LONGEST_MARK = 8, 56

LAYER_WORDS = {one: one.value.replace("_", " ").capitalize() for one in Layer}
LAYER_WORDS[Layer.SOPS] = "SOPs"
STATE_WORDS = {
    FileState.INDEXED: "indexed",
    FileState.PENDING: "waiting to be read",
    FileState.FAILED: "needs attention",
    FileState.SKIPPED: "skipped",
}


def count(number: int, one: str, many: str = "") -> str:
    """Return ``1 passage`` or ``2 passages``."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def literal(text: str) -> str:
    """Return ``text`` as a tooltip shows it letter for letter, whatever it looks like: Qt takes
    what looks like markup for markup, and files have names of all kinds."""
    return Qt.convertFromPlainText(text) if Qt.mightBeRichText(text) else text


def when_in_words(time: str) -> str:
    """Return a time (ISO 8601) as this computer writes it, in its own zone."""
    local = QDateTime.fromString(time, Qt.DateFormat.ISODate).toLocalTime()
    return QLocale().toString(local, QLocale.FormatType.ShortFormat) if local.isValid() else time


def when_in_short(time: str) -> str:
    """Return the time of day of what was today, else the day; see ``when_in_words``."""
    local = QDateTime.fromString(time, Qt.DateFormat.ISODate).toLocalTime()
    if not local.isValid():
        return time
    is_today = local.date() == QDate.currentDate()
    short = QLocale.FormatType.ShortFormat
    return QLocale().toString(local.time() if is_today else local.date(), short)


def names_of_drafts(drafts: Collection[DraftSummary]) -> dict[str, str]:
    """Return what each draft is listed as, by its id: its title, a namesake with its time, and
    those of one time with a number."""
    titles, taken = Counter(one.title for one in drafts), Counter[str]()
    names: dict[str, str] = {}
    for one in sorted(drafts, key=lambda each: (each.modified, each.draft_id)):
        name = one.title or UNTITLED
        if titles[one.title] > 1:
            name += f", {when_in_short(one.modified)}"
        taken[name] += 1
        names[one.draft_id] = name if taken[name] == 1 else f"{name} ({taken[name]})"
    return names


def file_name(file: str) -> str:
    """Return the last part of a relative path."""
    return file.rsplit("/", 1)[-1]


def shortened_name(name: str, longest: int = 34) -> str:
    """Return a file name with its middle left out where it is longer than ``longest``."""
    if len(name) <= longest:
        return name
    tail = longest // 3
    return f"{name[: longest - tail - 1]}…{name[-tail:]}"


def place_in_words(locator: Locator | None, heading_path: tuple[str, ...] = ()) -> str:
    """Say where a passage stands, as a writer would cite it."""
    path, parts = _place(locator, heading_path)
    # The last two headings say where; the whole path would not fit a title bar.
    return ", ".join([PATH_MARK.join(path[-2:]), *parts] if path else parts)


def headline(
    locator: Locator | None, heading_path: tuple[str, ...], page: int = 0, pages: int = 0
) -> str:
    """Say above a source where its view stands: on ``page`` of ``pages`` where it has pages."""
    if page and pages:
        place = f"page {page} of {pages}"
        return f"{heading_path[-1]}, {place}" if heading_path else _capital(place)
    path, parts = _place(locator, heading_path)
    return place_in_words(locator, heading_path) if path else _capital(", ".join(parts))


def _place(
    locator: Locator | None, heading_path: tuple[str, ...]
) -> tuple[tuple[str, ...], list[str]]:
    """Return the headings that say where, and the place below them."""
    match locator:
        case PageLocator(page=page):
            return (), [f"page {page}"]
        case ParagraphLocator(table=table, row=row) if table is not None:
            parts = [f"table {table}", *([f"row {row}"] if row is not None else [])]
            return locator.heading_path or heading_path, parts
        case ParagraphLocator(paragraph=paragraph):
            parts = [f"paragraph {paragraph}"] if paragraph is not None else []
            return locator.heading_path or heading_path, parts
        case SlideLocator(slide=slide):
            return heading_path, [f"slide {slide}"]
        case LineLocator(line=line):
            return heading_path, [f"line {line}"]
        case RowLocator(row=row):
            return heading_path, [f"row {row}"]
        case TimeLocator(start_s=start, speaker=speaker):
            # A passage of several cues has its speakers in the place of headings.
            named = speaker and speaker not in heading_path
            return heading_path, [clock(start), *([speaker] if speaker and named else [])]
        case _:
            return heading_path, []


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]


def clock(seconds: float) -> str:
    """Return a time of a recording: ``3:07``, ``12:34`` or ``1:02:03``."""
    minutes, second = divmod(int(seconds), 60)
    hours, minute = divmod(minutes, 60)
    return f"{hours}:{minute:02d}:{second:02d}" if hours else f"{minute}:{second:02d}"


def is_doubtful(confidence: float) -> bool:
    """Whether recognised text (0 to 1) is to be checked against its picture."""
    return confidence < DOUBTFUL_BELOW


def percent(share: float) -> str:
    """Return a share of 0 to 1 in per cent, rounded down: 69.6 % is not yet 70 %."""
    return f"{math.floor(share * 100 + 1e-6)} %"


def recognition_note(confidence: float) -> str:
    """Say how sure the text of a page is that was recognised from a picture (0 to 1)."""
    sure = f"Text recognised from the picture, {percent(confidence)} sure"
    return f"{sure}: check it against the picture" if is_doubtful(confidence) else sure


def footnote_line(footnote: Footnote) -> str:
    """Return the line of the source list without its number."""
    if not footnote.file:
        return footnote.title or strip_number(footnote.rendered)
    place = place_in_words(footnote.locator, footnote.heading_path)
    return f"{file_name(footnote.file)}, {place}" if place else file_name(footnote.file)


def shown_mark(footnote: Footnote) -> str:
    """Return what stands for a footnote in an answer on the screen: its number, or the mark of the
    profile. Of a chunk's id (20 digits that nobody reads, behind every sentence) the first ones
    stand there, which tell it from the others of a conversation, and of a long title or a long
    path of headings its two ends; the whole mark is in the tooltip, in what is copied and in what
    is exported."""
    if not footnote.mark:
        return str(footnote.number)
    chunk = footnote.chunk_id or ""
    mark = footnote.mark.replace(chunk, f"{chunk[:_ID_DIGITS]}…") if chunk else footnote.mark
    return shortened_name(mark, _LONGEST_MARK)


def numbered_line(footnote: Footnote) -> tuple[str, str]:
    """Return the number of a footnote in the list of sources and its line, as its profile words
    both."""
    line = source_line(footnote)
    number, _, rest = line.partition("]")
    plain = number == f"[{footnote.number}"
    return str(footnote.number) if plain else f"{number}]", rest.strip()


def confidence_lines(confidence: Confidence) -> list[str]:
    """Return why text can be trusted as far as it can: a line for the whole and for each part."""
    lines = [confidence.rationale] if confidence.rationale else []
    return lines + [
        f"{one.name.replace('_', ' ').capitalize()} {one.score:.2f}: {one.explanation}"
        for one in confidence.criteria
    ]


def strip_number(rendered: str) -> str:
    """Return a rendered source line without the leading ``[n]``."""
    return re.sub(r"^\s*\[\d+\]\s*", "", rendered)


def index_summary(
    files: tuple[FileRecord, ...], reading: str = "", *, is_paused: bool = False
) -> str:
    """Say how far the index is: every file is accounted for."""
    part_of_it = [one for one in files if one.layer is not None]
    if not part_of_it:
        return "No documents yet: put files into the folder, and they are read"
    by_state = dict.fromkeys(FileState, 0)
    for one in part_of_it:
        by_state[one.state] += 1
    wanted = len(part_of_it) - by_state[FileState.SKIPPED]
    parts = [f"{by_state[FileState.INDEXED]} of {wanted} indexed"]
    pending = by_state[FileState.PENDING]
    if reading and pending:
        parts.append(f"reading {file_name(reading)}")
        pending -= 1
    if pending > 0:
        parts.append(f"{pending} waiting")
    failed = [one for one in part_of_it if one.state is FileState.FAILED]
    if len(failed) == 1:
        parts.append(f"1 needs attention: {failed[0].reason or file_name(failed[0].file)}")
    elif failed:
        parts.append(f"{len(failed)} need attention")
    if by_state[FileState.SKIPPED]:
        parts.append(f"{by_state[FileState.SKIPPED]} skipped")
    if is_paused:
        parts.append("reading is paused")
    return "; ".join(parts)


def plan_summary(plan: Plan, *, has_model: bool = True) -> str:
    """Say what a draft will state, and how long prose takes where a model can write it."""
    points = count(len(plan.points), "point")
    if not plan.passages:
        return f"{points}, nothing to state"
    files = {passage.file for passage in plan.passages}
    said = f"{points}, {count(len(plan.passages), 'passage')} from {count(len(files), 'file')}"
    joined = sum(len(point.evidence) for point in plan.points) if has_model else 0
    return f"{said}; as prose {about(JOINING_SECONDS * joined)}" if joined else said


def about(seconds: float) -> str:
    """Return a duration as a person would say it."""
    if seconds < 50:
        return f"about {max(10, round(seconds / 10) * 10)} s"
    minutes = max(1, round(seconds / 60))
    return f"about {count(minutes, 'minute')}"


def why_marked(unit: DraftSentence) -> str:
    """Say why a sentence is marked, a line a reason; empty if it is not."""
    if unit.kind is UnitKind.TODO:
        return "To do: what is asked for was not found in the documents searched"
    return "\n".join(reasons_to_check(unit))
