"""The list of sources at the end of a Word file: one entry a document, with its footnotes."""

from __future__ import annotations

import re
from collections.abc import Sequence

from phasergun_desktop.documents.model import PageLocator, SlideLocator, TimeLocator
from phasergun_desktop.grounding.citation_style import short_place
from phasergun_desktop.grounding.footnotes import place_in_words
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.grounding.rendering import source_line

_LABELS = {"procedure": "Procedure", "context": "Context"}


def bibliography(footnotes: Sequence[Footnote]) -> tuple[str, ...]:
    """Return ``[1] [3]–[5] Procedure: file (number, revision), sections`` for every document, by
    first use; the numbers are those of ``footnotes``, as on the screen. Where the profile words a
    source in another way, as a paper with authors, journal and DOI, that stands for the file. A
    standard that is named has an entry of its own."""
    documents: dict[tuple[str, str], list[Footnote]] = {}
    for note in sorted(footnotes, key=lambda one: one.number):
        documents.setdefault((note.kind, note.file or source_line(note)), []).append(note)
    return tuple(_entry(notes) for notes in documents.values())


def named_revision(revision: str) -> str:
    """Return ``revision C`` for ``C``; a revision that says so itself stays as it is."""
    words = " ".join(revision.split())
    return words if not words or words[:3].lower() == "rev" else f"revision {words}"


def _entry(notes: Sequence[Footnote]) -> str:
    first = notes[0]
    if not first.file or first.kind not in _LABELS:
        return source_line(first)
    numbers = _numbers([note.number for note in notes])
    stated = [first.document_number] if first.document_number not in first.file else []
    named = [" ".join(one.split()) for one in (*stated, named_revision(first.revision))]
    known = f" ({', '.join(one for one in named if one)})" if any(named) else ""
    places = "; ".join(dict.fromkeys(place for note in notes if (place := _place(note))))
    label = f"{_LABELS[first.kind]}: "
    worded = re.sub(r"^\[[^\]]*\]\s*", "", source_line(first))
    if worded.startswith(label) or not first.rendered:
        named_source = f"{label}{first.file}{known}"
    else:
        named_source = _without_place(worded, first)
    line = f"{numbers} {named_source}"
    return f"{line}, {places}" if places else line


def _without_place(line: str, note: Footnote) -> str:
    """Return a profile's line without where in the document the passage stands, and without the id
    of its chunk: the entry is of the whole document."""
    line = line.removesuffix(f", {note.chunk_id}")
    if note.locator is None:
        return line
    for place in (place_in_words(note.locator, note.heading_path), short_place(note)):
        line = line.removesuffix(f", {' '.join(place.split())}")
    return line


def _place(note: Footnote) -> str:
    """Return the section; below it only what a reader can turn to."""
    headings = " › ".join(" ".join(one.split()) for one in note.heading_path)
    if note.locator is None:
        return headings
    if headings and not isinstance(note.locator, PageLocator | SlideLocator | TimeLocator):
        return headings
    return " ".join(place_in_words(note.locator, note.heading_path).split())


def _numbers(numbers: Sequence[int]) -> str:
    """Return ``[1] [3]–[5]``: three or more that follow each other are a range."""
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and number == ranges[-1][-1] + 1:
            ranges[-1].append(number)
        else:
            ranges.append([number])
    return " ".join(
        f"[{one[0]}]–[{one[-1]}]" if len(one) > 2 else " ".join(f"[{n}]" for n in one)
        for one in ranges
    )
