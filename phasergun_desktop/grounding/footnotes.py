"""Numbers footnotes by first use and words their line in the list of sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import TypeVar

from phasergun_desktop.documents.model import (
    Block,
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
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.model import SourceValue


class FootnoteNumbers:
    """The footnotes of one draft: the same source passage keeps its number."""

    def __init__(self, parsed: Callable[[int], ParsedDocument]) -> None:
        self._parsed = parsed
        self._by_place: dict[tuple[str, int, int], Footnote] = {}
        self._standards: dict[str, Footnote] = {}

    @property
    def footnotes(self) -> tuple[Footnote, ...]:
        """All footnotes in the order of their numbers."""
        notes = [*self._by_place.values(), *self._standards.values()]
        return tuple(sorted(notes, key=lambda note: note.number))

    def number(self, span: CandidateSpan, score: float) -> Footnote:
        """Return the footnote of ``span``, a new one if it has none; ``score`` in 0..1."""
        passage = span.passage
        place = (passage.file, span.start, span.end)
        known = self._by_place.get(place)
        if known is not None:
            return known
        kind = "procedure" if passage.layer.is_procedure else "context"
        locator = _with_segments(span)
        number = self._next()
        title = passage.title or passage.file
        document = self._parsed(passage.document_id)
        note = Footnote(
            number=number,
            kind=kind,
            rendered=rendered_line(number, kind, passage.file, span.block.heading_path, locator),
            title=title,
            file=passage.file,
            sha256=passage.sha256,
            layer=passage.layer,
            chunk_id=passage.chunk_id,
            block_id=span.block.block_id,
            score=round(score, 10),
            heading_path=span.block.heading_path,
            locator=locator,
            quote=span.text,
            start=span.start,
            end=span.end,
            revision=document.metadata.revision,
            document_number=_number_of(document),
        )
        self._by_place[place] = note
        return note

    def number_value(
        self,
        value: SourceValue,
        document: ParsedDocument,
        *,
        sha256: str,
        title: str,
        layer: Layer,
    ) -> Footnote:
        """Return the footnote of a value that is used word for word."""
        place = (value.file, value.start, value.end)
        known = self._by_place.get(place)
        if known is not None:
            return known
        block = block_at(document, value.start)
        number = self._next()
        kind = "procedure" if layer.is_procedure else "context"
        note = Footnote(
            number=number,
            kind=kind,
            rendered=rendered_line(number, kind, value.file, block.heading_path, block.locator),
            title=title or value.file,
            file=value.file,
            sha256=sha256,
            layer=layer,
            block_id=block.block_id,
            score=1.0,
            heading_path=block.heading_path,
            locator=block.locator,
            quote=value.text,
            start=value.start,
            end=value.end,
            revision=document.metadata.revision,
            document_number=_number_of(document),
        )
        self._by_place[place] = note
        return note

    def number_standards(self, standards: Iterable[tuple[str, str]]) -> None:
        """Give numbers to ``(id, title)`` of standards that the text names; never a file."""
        for identifier, title in standards:
            if identifier in self._standards:
                continue
            number = self._next()
            name = f"{identifier} - {title}" if title else identifier
            self._standards[identifier] = Footnote(
                number=number,
                kind="standard",
                rendered=f"[{number}] Regulatory Standard: {name}",
                title=name,
            )

    def keep(self, used: Iterable[int]) -> dict[int, int]:
        """Keep only the footnotes ``used`` (numbers, by first use) and number them anew from 1.

        Returns the new number of each. Standards are numbered after this, or used as well.
        """
        new = {old: number for number, old in enumerate(dict.fromkeys(used), start=1)}
        self._by_place = _renumbered(self._by_place, new)
        self._standards = _renumbered(self._standards, new)
        return new

    def _next(self) -> int:
        return len(self._by_place) + len(self._standards) + 1


def _number_of(document: ParsedDocument) -> str:
    """Return the number by which its company, or the agency, knows the document."""
    return document.metadata.document_number or document.metadata.k_number


_Key = TypeVar("_Key")


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


def block_at(document: ParsedDocument, position: int) -> Block:
    """Return the block that holds code point ``position``; ``ValueError`` if none does."""
    for block in document.blocks:
        if block.start <= position < max(block.end, block.start + 1):
            return block
    raise ValueError(f"no block holds position {position}")


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
