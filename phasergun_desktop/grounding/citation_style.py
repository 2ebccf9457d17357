"""How citations look: the marks in a text and the lines of its list of sources."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from phasergun_desktop.documents.model import (
    DocumentMetadata,
    LineLocator,
    ParagraphLocator,
)
from phasergun_desktop.grounding.footnotes import place_in_words
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.profiles.model import CitationSettings
from phasergun_desktop.profiles.templates import fill

# That of drafts, and of whatever has no profile.
DRAFT_CITATIONS = CitationSettings(
    inline="[{number}]",
    sources_heading="Sources",
    procedure_line="[{number}] Procedure: {file}, {locator}",
    context_line="[{number}] Context: {file}, {locator}",
    standard_line="[{number}] Regulatory Standard: {id} - {title}",
)
# Stands for a place without a value until what joins it to the others is taken out.
_EMPTY = "\0"
_JOINED = re.compile(r"(?P<before>[ ,:;-]*)(?:\0[ ,:;-]*)+(?P<end>$)?")
_NO_FILE = DocumentMetadata()
_MOST_AUTHORS = 3


def _no_metadata(file: str) -> DocumentMetadata:
    del file
    return _NO_FILE


@dataclass(frozen=True, slots=True)
class CitationStyle:
    """Words citations as ``settings`` say. ``metadata`` returns what a file says of itself: the
    authors and the date of a paper stand in no footnote."""

    settings: CitationSettings = DRAFT_CITATIONS
    metadata: Callable[[str], DocumentMetadata] = field(default=_no_metadata)

    def styled(self, note: Footnote) -> Footnote:
        """Return ``note`` with its mark in a text and its line of the list of sources. The mark is
        empty where it is the number, or has nothing to show, as the id of a chunk of none."""
        line = {
            "procedure": self.settings.procedure_line,
            "standard": self.settings.standard_line,
        }.get(note.kind, self.settings.context_line)
        values = self._values(note)
        wanted = re.findall(r"\{(\w+)\}", self.settings.inline)
        is_filled = all(values.get(each) for each in wanted[:1])
        mark = " ".join(_filled(self.settings.inline, values).split()) if is_filled else ""
        is_number = mark == f"[{note.number}]"
        return replace(note, rendered=_filled(line, values), mark="" if is_number else mark)

    def _values(self, note: Footnote) -> dict[str, str]:
        metadata = self.metadata(note.file) if note.file else _NO_FILE
        name, _, title = note.title.partition(" - ")
        is_standard = note.kind == "standard"
        place = short_place(note)
        locator = place_in_words(note.locator, note.heading_path) if note.locator else ""
        source = metadata.pmcid or metadata.pmid or metadata.doi or note.document_number
        values = {
            "number": str(note.number),
            "title": title if is_standard else note.title,
            "file": note.file,
            "locator": locator,
            "place": place,
            "heading": " › ".join(note.heading_path),
            "chunk_id": note.chunk_id or "",
            "source_id": source or f"S{note.number}",
            "authors": _authors(metadata.authors),
            "journal": metadata.journal,
            "date": metadata.published,
            "doi": metadata.doi,
            "id": name if is_standard else "",
        }
        return {key: value.replace(_EMPTY, " ") for key, value in values.items()}


def marks_of(citations: Iterable[int], notes: Mapping[int, Footnote]) -> str:
    """Return the marks of ``citations`` as they stand in a text, each look once."""
    own = {number: note.mark for number, note in notes.items()}
    return "".join(dict.fromkeys(own.get(number) or f"[{number}]" for number in citations))


def short_place(note: Footnote) -> str:
    """Return the page of a passage; where its format has none, the slide, row or time, else the
    headings above it (of which the first may be the document's title), else its line or
    paragraph."""
    if note.locator is None:
        return ""
    path = note.heading_path[int(note.heading_path[:1] == (note.title,)) :]
    if path and isinstance(note.locator, ParagraphLocator | LineLocator):
        return " › ".join(path)
    return place_in_words(note.locator, ())


def _authors(names: Sequence[str]) -> str:
    if len(names) > _MOST_AUTHORS:
        return f"{names[0]} et al."
    return ", ".join(names)


def _filled(template: str, values: Mapping[str, str]) -> str:
    """Return ``template`` with its places filled; what joins an empty place to the others goes."""
    text = fill(template, {key: value or _EMPTY for key, value in values.items()})

    def joined(match: re.Match[str]) -> str:
        if match["end"] is not None:
            return ""
        is_first = text[: match.start()].endswith(("]", "[")) or not match.start()
        return (" " if text[: match.start()].endswith("]") else "") if is_first else match["before"]

    return _JOINED.sub(joined, text)
