"""What the writer is told of a prompt that can only be served in part."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from phasergun_desktop.planning.model import PlannedNeed, PlannedPoint, PointKind
from phasergun_desktop.planning.needs import MOST_NEEDS, Need
from phasergun_desktop.planning.output_language import is_other_language, language_of
from phasergun_desktop.references.model import Problem, Severity

if TYPE_CHECKING:
    # The window is there before what pools units is.
    from phasergun_desktop.planning.pool import UnreadDocument

LITTLE_EVIDENCE = "little_evidence"
UNREAD_DOCUMENT = "unread_document"
_UNSTATED_PART = "unstated_part"
_OUTLINE_CUT = "outline_cut"
_UNKNOWN_DEVICE = "unknown_device"
_MISSPELT_WORD = "misspelt_word"
_MISSING_ITEM = "required_item_missing"
_NO_PREDICATE = "no_predicate"
_OF_THE_PLAN = frozenset(
    {
        UNREAD_DOCUMENT,
        _OUTLINE_CUT,
        _UNKNOWN_DEVICE,
        _MISSPELT_WORD,
        LITTLE_EVIDENCE,
        _UNSTATED_PART,
        _MISSING_ITEM,
        _NO_PREDICATE,
    }
)
# The best need is less probable than this for 0.14 of 436 prompts with an answer, and for 0.78 of
# 83 without, of twelve judged projects that the cross-encoder did not learn of.
_LIKELY = 0.55
# For 0.05 and 0.64 of these it is less than this.
_NOT_UNLIKELY = 0.35
_MIN_LETTERS = 8
_OTHER_SCRIPT = 0.5
_MOST_NAMED = 3
_LONGEST_NAMED = 60
_OTHER_SCRIPT_WARNING = (
    "The prompt is not in Latin script. The search knows English best and may miss passages; ask "
    "in English for better results."
)
_OTHER_LANGUAGE_WARNING = (
    "The prompt is in {language}, the documents are not: it finds what both share (names, "
    "numbers, technical terms) and may miss passages; ask in the language of the documents for "
    "better results."
)


def prompt_warnings(task: str, points: Sequence[PlannedPoint]) -> tuple[str, ...]:
    """Return a sentence where the search reads ``task`` badly: most of it is in another script,
    or in another language than what was found."""
    letters = [character for character in task if character.isalpha()]
    others = sum(not unicodedata.name(letter, "").startswith("LATIN") for letter in letters)
    if len(letters) >= _MIN_LETTERS and others / len(letters) >= _OTHER_SCRIPT:
        return (_OTHER_SCRIPT_WARNING,)
    language = language_of(task)
    found = " ".join(passage.text for point in points for passage in point.passages)
    if is_other_language(language, found):
        return (_OTHER_LANGUAGE_WARNING.format(language=language),)
    return ()


def left_out_needs(needs: Sequence[Need]) -> tuple[Problem, ...]:
    """Return a warning that names what is beyond the most needs of one text."""
    if not needs:
        return ()
    message = (
        f"The prompt asks for more than one draft holds ({MOST_NEEDS} points). Left out: "
        f"{_named([need.query for need in needs])}."
    )
    remedy = "Ask for these in a prompt of their own."
    return (Problem(_OUTLINE_CUT, Severity.WARNING, message, remedy),)


def unknown_device_problems(unknown: Mapping[str, tuple[str, ...]]) -> tuple[Problem, ...]:
    """Return a warning that names the devices on which nothing was looked for."""
    names = list(dict.fromkeys(name for each in unknown.values() for name in each))
    if not names:
        return ()
    message = f"No document names {_named(names)}, so nothing was looked for on it."
    remedy = "Write the name as the documents have it, or add a document on it."
    return (Problem(_UNKNOWN_DEVICE, Severity.WARNING, message, remedy),)


def misspelt_words(meant: Mapping[str, str]) -> tuple[Problem, ...]:
    """Return a warning that names the misspelt words and what is looked for in their place."""
    if not meant:
        return ()
    message = f"No document has {_named(list(meant))}; looked for {_named(list(meant.values()))}."
    remedy = "Write a word that is right as it is in quotation marks."
    return (Problem(_MISSPELT_WORD, Severity.WARNING, message, remedy),)


def is_little(needs: Sequence[PlannedNeed], points: Sequence[PlannedPoint]) -> bool:
    """Whether no need is likely to be answered by what is selected for it, and nothing stands in
    the text word for word or in a comparison."""
    stated = any(point.value or point.pairs or point.kind is PointKind.COMPARE for point in points)
    return not stated and all(n.chance < _LIKELY for n in needs if n.selected)


def little_evidence(
    needs: Sequence[PlannedNeed], points: Sequence[PlannedPoint]
) -> tuple[Problem, ...]:
    """Return a warning where evidence is selected, and it is little."""
    if not any(need.selected for need in needs) or not is_little(needs, points):
        return ()
    message = "The documents say little on this: what the draft states may answer something else."
    remedy = "Read it against the prompt, name a document in the prompt, or add one on it."
    return (Problem(LITTLE_EVIDENCE, Severity.WARNING, message, remedy),)


def unstated_parts(needs: Sequence[PlannedNeed]) -> tuple[Problem, ...]:
    """Return a warning that names the needs of a text for which nothing is selected while others
    have something, and of which it cannot be said that no document states them."""
    left = [each.need.name for each in needs if each.may_be_stated and not each.selected]
    if not left or not any(need.selected for need in needs):
        return ()
    message = f"Nothing of its own is stated for {_named(left)}: it may stand under another point."
    remedy = "Look at what was found for it, or ask for it in a prompt of its own."
    return (Problem(_UNSTATED_PART, Severity.WARNING, message, remedy),)


def unread_document(
    needs: Sequence[PlannedNeed], unread: UnreadDocument | None
) -> tuple[Problem, ...]:
    """Return a warning that names the document ``unread`` where it is likelier to answer than what
    was searched, and not unlikely."""
    if unread is None or unread.chance <= max(_NOT_UNLIKELY, *(need.chance for need in needs)):
        return ()
    name = PurePosixPath(unread.document.file).name
    on = _named([unread.need.quote])
    message = f"{name} is only read where a prompt names it, and seems to say more on {on}."
    remedy = f"Add “from {name}” to the sentence that asks for it."
    return (Problem(UNREAD_DOCUMENT, Severity.WARNING, message, remedy),)


def missing_items(points: Sequence[PlannedPoint]) -> tuple[Problem, ...]:
    """Return a warning for each required item of a template on which nothing was found."""
    return tuple(
        Problem(
            _MISSING_ITEM,
            Severity.WARNING,
            f"The template requires “{point.heading or point.instruction}”, and nothing on it "
            "was found.",
            f"It would stand in {point.helps}." if point.helps else "",
        )
        for point in points
        if point.is_required
        and not point.may_be_empty
        and point.kind is not PointKind.COMPARE
        and not (point.passages or point.pairs or point.value)
    )


def missing_predicate(points: Sequence[PlannedPoint]) -> tuple[Problem, ...]:
    """Return a warning where a template compares and no point does."""
    if any(point.kind is PointKind.COMPARE for point in points):
        return ()
    return (
        Problem(
            _NO_PREDICATE,
            Severity.WARNING,
            "No predicate device is known, so nothing can be compared.",
            "Add a field “Predicate Device: K…” to the master record, or name both devices in the "
            "prompt.",
        ),
    )


def of_prompt(problems: Sequence[Problem]) -> tuple[Problem, ...]:
    """Return those of a plan's problems that its prompt has by itself, whatever is found."""
    return tuple(each for each in problems if each.code not in _OF_THE_PLAN)


def problems_after(
    problems: Sequence[Problem], needs: Sequence[PlannedNeed], points: Sequence[PlannedPoint]
) -> tuple[Problem, ...]:
    """Return the ``problems`` of a plan as they are once a writer has selected what ``needs`` have:
    what was put in by hand is never too little."""
    gone = {_MISSING_ITEM, _UNSTATED_PART}
    if not is_little(needs, points):
        gone |= {LITTLE_EVIDENCE, UNREAD_DOCUMENT}
    return (*(each for each in problems if each.code not in gone), *missing_items(points))


def _named(names: Sequence[str]) -> str:
    """Return the first ``names`` in quotation marks, and how many more there are."""
    first = ", ".join(f"“{_short(' '.join(name.split()))}”" for name in names[:_MOST_NAMED])
    more = len(names) - _MOST_NAMED
    return f"{first} and {more} more" if more > 0 else first


def _short(text: str) -> str:
    if len(text) <= _LONGEST_NAMED:
        return text
    return text[:_LONGEST_NAMED].rsplit(" ", 1)[0] + "…"
