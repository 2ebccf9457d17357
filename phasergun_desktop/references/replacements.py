"""The references of this project that somebody probably meant, for a problem of a prompt."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from difflib import SequenceMatcher
from heapq import nlargest

from phasergun_desktop.references.catalog import DocumentCatalog
from phasergun_desktop.references.model import Problem
from phasergun_desktop.references.reference_names import ReferenceName, ReferenceNames, names_of
from phasergun_desktop.text.words import word_set

MOST_REPLACEMENTS = 3
# A prompt may be hostile: what is beyond is told without a replacement.
_MOST_PROBLEMS, _LONGEST, _MOST_MEASURED = 12, 200, 60
_NEAR = 0.6
_OF_A_NAME = word_set(
    "unknown_scope unknown_reference broken_syntax incomplete_reference unknown_category "
    "missing_document unknown_folder unknown_field ambiguous_field ambiguous_document"
)


def with_replacements(
    prompt: str, problems: Sequence[Problem], catalog: DocumentCatalog
) -> tuple[Problem, ...]:
    """Return ``problems`` with what exists and is near to what was written, where they say none."""
    mended: list[Problem] = []
    names: ReferenceNames | None = None
    left = _MOST_PROBLEMS
    for each in problems:
        is_open = each.code in _OF_A_NAME and not each.replacements and left > 0
        if is_open and each.end - each.start <= _LONGEST:
            names = names if names is not None else names_of(catalog)
            left -= 1
            near = replacements(prompt[each.start : each.end], names)
            mended.append(replace(each, replacements=near))
        else:
            mended.append(each)
    return tuple(mended)


def replacements(written: str, names: ReferenceNames) -> tuple[str, ...]:
    """Return what may take the place of ``written``, a reference or scope, the nearest first."""
    if written.startswith("@"):
        return _nearest([written[1:]], names.scopes)
    if not written.endswith("]"):
        return _closed(written, names)
    parts = written.strip("[]").split("|")
    head = _key(parts[0])
    same_kind = [each for each in names.brackets if _key(each.parts[0]) == head]
    return _nearest(parts, same_kind or names.brackets, written, skipped=1 if same_kind else 0)


def _closed(written: str, names: ReferenceNames) -> tuple[str, ...]:
    """Return ``written`` with the bracket closed behind each reference that it begins with."""
    begun = [
        each.text
        for each in names.brackets
        if written.casefold().startswith(each.text[:-1].casefold())
        and not re.match(r"[\w|]|[.\-]\w", written[len(each.text) - 1 :])
    ]
    begun.sort(key=len, reverse=True)
    return tuple(text + written[len(text) - 1 :] for text in begun[:MOST_REPLACEMENTS])


def _nearest(
    parts: list[str], names: Sequence[ReferenceName], written: str = "", *, skipped: int = 0
) -> tuple[str, ...]:
    whole, last = _key("".join(parts[skipped:])), _key(parts[-1])
    of_whole, of_last = SequenceMatcher(None, "", whole), SequenceMatcher(None, "", last)

    def bound(each: ReferenceName) -> float:
        name = _key(each.parts[-1])
        of_last.set_seq1(name)
        return 1.0 if last in name else of_last.quick_ratio()

    found: list[tuple[float, int, str]] = []
    # The exact measure takes long, and two thousand files may be named alike.
    for place, each in enumerate(nlargest(_MOST_MEASURED, names, bound)):
        score = _likeness(of_last, _key(each.parts[-1]), last)
        if len(each.parts) > 1:
            of_whole.set_seq1(_key("".join(each.parts[skipped:])))
            score = 0.4 * of_whole.ratio() + 0.6 * score
        if score >= _NEAR and each.text != written:
            found.append((-score, place, each.text))
    return tuple(text for _, _, text in sorted(found)[:MOST_REPLACEMENTS])


def _likeness(matcher: SequenceMatcher[str], name: str, wanted: str) -> float:
    """Return 0..1; the beginning of a name, or a part of it, is nearly the name."""
    if len(wanted) > 2 and wanted in name:
        return 0.9
    matcher.set_seq1(name)
    whole = matcher.ratio()
    matcher.set_seq1(name[: len(wanted) + 1])
    return max(whole, 0.9 * matcher.ratio())


def _key(text: str) -> str:
    return re.sub(r"[\s_\-]+", "", text).casefold().lstrip("@")
