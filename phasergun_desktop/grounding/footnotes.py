"""Numbers footnotes by first use and words their line in the list of sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace

from phasergun_desktop.documents.model import (
    LineLocator,
    Locator,
    PageLocator,
    ParagraphLocator,
    ParsedDocument,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.grounding.candidate_spans import CandidateSpan
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import ChunkId

# A file with its content, and where in its text; of a standard its name alone.
_Key = tuple[str, str, int, int]
_STANDARD = "standard"


@dataclass(frozen=True, slots=True)
class EarlierFootnotes:
    """Footnotes that have their numbers already; new ones go on behind ``highest``."""

    notes: tuple[Footnote, ...] = ()
    highest: int = 0


def numbers_behind(
    notes: Iterable[Footnote], before: EarlierFootnotes, now: EarlierFootnotes
) -> dict[int, int]:
    """Return the number of each of ``notes``, which were numbered behind ``before``, where others
    have meanwhile numbers up to those of ``now``: that of its source there, else a new one."""
    known = {_key(note): note.number for note in now.notes}
    new: dict[int, int] = {}
    highest = now.highest
    for note in sorted(notes, key=lambda each: each.number):
        number = note.number if note.number <= before.highest else known.get(_key(note), 0)
        if not number:
            number = highest = highest + 1
        new[note.number] = number
    return new


class FootnoteNumbers:
    """The footnotes of one text: the same source passage keeps its number, also the one that it
    has from ``earlier`` texts of the conversation."""

    def __init__(
        self,
        parsed: Callable[[int], ParsedDocument],
        earlier: EarlierFootnotes = EarlierFootnotes(),
    ) -> None:
        self._parsed = parsed
        self._highest = earlier.highest
        self._earlier = {_key(note): note for note in earlier.notes}
        self._by_key: dict[_Key, Footnote] = {}

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """All footnotes of this text in the order of their numbers."""
        return tuple(sorted(self._by_key.values(), key=lambda note: note.number))

    def number(self, span: CandidateSpan, score: float) -> Footnote:
        """Return the footnote of ``span``, a new one if it has none; ``score`` in 0..1."""
        return self._numbered(span, score, _with_segments(span), span.passage.chunk_id)

    def number_value(self, span: CandidateSpan) -> Footnote:
        """Return the footnote of a value that is used word for word: its place is its block's."""
        return self._numbered(span, 1.0, span.block.locator, None)

    def _numbered(
        self, span: CandidateSpan, score: float, locator: Locator, chunk_id: ChunkId | None
    ) -> Footnote:
        passage = span.passage
        key = (passage.file, passage.sha256, span.start, span.end)
        known = self._known(key)
        if known is not None:
            return known
        kind = "procedure" if passage.layer.is_procedure else "context"
        number = self._next()
        document = self._parsed(passage.document_id)
        note = Footnote(
            number=number,
            kind=kind,
            rendered=rendered_line(number, kind, passage.file, span.block.heading_path, locator),
            title=passage.title or passage.file,
            file=passage.file,
            sha256=passage.sha256,
            layer=passage.layer,
            chunk_id=chunk_id,
            block_id=span.block.block_id,
            score=round(score, 10),
            heading_path=span.block.heading_path,
            locator=locator,
            quote=span.text,
            start=span.start,
            end=span.end,
            revision=document.metadata.revision,
            # By which its company, or the agency, knows the document.
            document_number=document.metadata.document_number or document.metadata.k_number,
        )
        self._by_key[key] = note
        return note

    def number_standards(self, standards: Iterable[tuple[str, str]]) -> None:
        """Give numbers to ``(id, title)`` of standards that the text names; never a file."""
        for identifier, title in standards:
            name = f"{identifier} - {title}" if title else identifier
            key = (name, "", 0, 0)
            if self._known(key) is not None:
                continue
            number = self._next()
            self._by_key[key] = Footnote(
                number=number,
                kind=_STANDARD,
                rendered=f"[{number}] Regulatory Standard: {name}",
                title=name,
            )

    def keep(self, used: Iterable[int]) -> dict[int, int]:
        """Keep only the footnotes ``used`` (numbers, by first use) and number anew, in that order,
        those that had no number before this text.

        Returns the number of each. Standards are numbered after this, or used as well.
        """
        used = list(dict.fromkeys(used))
        fresh = [number for number in used if number > self._highest]
        new = {number: number for number in used if number <= self._highest}
        new |= {old: number for number, old in enumerate(fresh, start=self._highest + 1)}
        self._by_key = _renumbered(self._by_key, new)
        return new

    def _known(self, key: _Key) -> Footnote | None:
        """Return the footnote of ``key``; one of an earlier text is of this one from now on."""
        if key not in self._by_key and key in self._earlier:
            self._by_key[key] = self._earlier[key]
        return self._by_key.get(key)

    def _next(self) -> int:
        fresh = sum(note.number > self._highest for note in self._by_key.values())
        return self._highest + fresh + 1


def _key(note: Footnote) -> _Key:
    if note.kind == _STANDARD:
        return (note.title, "", 0, 0)
    return (note.file, note.sha256, note.start, note.end)


def _renumbered(notes: Mapping[_Key, Footnote], new: Mapping[int, int]) -> dict[_Key, Footnote]:
    return {
        key: replace(
            note,
            number=new[note.number],
            rendered=note.rendered.replace(f"[{note.number}]", f"[{new[note.number]}]", 1),
        )
        for key, note in notes.items()
        if note.number in new
    }


def rendered_line(
    number: int, kind: str, file: str, heading_path: tuple[str, ...], locator: Locator
) -> str:
    """Return the line of the Sources list: ``[2] Context: file, locator``."""
    label = "Procedure" if kind == "procedure" else "Context"
    place = place_in_words(locator, heading_path)
    return f"[{number}] {label}: {file}, {place}" if place else f"[{number}] {label}: {file}"


def place_in_words(locator: Locator, heading_path: tuple[str, ...]) -> str:
    """Return where in its document a passage stands, as a reader would look for it."""
    headings = " › ".join(heading_path)
    match locator:
        case PageLocator(page=page):
            place = f"page {page}"
        case ParagraphLocator(table=int(table), row=row):
            place = f"table {table}, row {row}" if row else f"table {table}"
        case ParagraphLocator(paragraph=int(paragraph)):
            place = f"paragraph {paragraph}"
        case SlideLocator(slide=slide):
            place = f"slide {slide}"
        case LineLocator(line=line):
            place = f"line {line}"
        case RowLocator(row=row):
            place = f"row {row}"
        case TimeLocator(start_s=start):
            place = f"t={int(start) // 60}:{int(start) % 60:02d}"
        case _:
            place = ""
    return ", ".join(part for part in (headings, place) if part)


def _with_segments(span: CandidateSpan) -> Locator:
    """Narrow a page locator to the lines of the span."""
    locator = span.block.locator
    if not isinstance(locator, PageLocator) or not span.block.segments:
        return locator
    lines = [
        segment
        for segment in span.block.segments
        if segment.start < span.end and span.start < segment.end
    ]
    if not lines:
        return locator
    page = lines[0].page
    return PageLocator(page, tuple(line.rect for line in lines if line.page == page))
