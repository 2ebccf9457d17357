"""Fits what a step reads into its budget: the best sentences word for word, never a summary."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from phasergun_desktop.answering.model import PlannedPoint
from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.errors import Cancelled
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentence_spans

# The words decide which sentences are worth an embedding: 15 ms each.
_MOST_EMBEDDED = 120
_EMBEDDED_AT_ONCE = 4


@dataclass(frozen=True, slots=True)
class Compressed:
    """A point that fits, and what it does not read any more.

    ``passages_left_out`` are those of which nothing is read, ``sentences_left_out`` counts the
    sentences and rows dropped from the others, ``ms`` is what it took.
    """

    point: PlannedPoint
    passages_left_out: tuple[Passage, ...] = ()
    sentences_left_out: int = 0
    ms: float = 0.0


@dataclass(frozen=True, slots=True)
class _Piece:
    """A sentence, a row or a heading: ``start``..``end`` of the document of ``passage``.
    ``header`` is the piece with the head of its table, -1 for none."""

    passage: int
    start: int
    end: int
    text: str
    cost: int
    header: int = -1


class Compressor:
    """Chooses by the share of the point's words that a sentence has and by their cosine."""

    def __init__(
        self,
        embedder: Embedder,
        parsed: Callable[[int], ParsedDocument],
        measure: Callable[[str], int],
        should_stop: Callable[[], bool],
    ) -> None:
        self._embedder = embedder
        self._parsed = parsed
        self._measure = measure
        self._should_stop = should_stop

    def fitted(self, point: PlannedPoint, budget: int) -> Compressed:
        """Return ``point`` with passages of at most ``budget`` tokens, as ``measure`` counts.

        What fits is returned as it is. Every kept passage is exactly ``start``..``end`` of its
        document, in the order of the point; where something between was dropped there are two.
        Raises ``Cancelled`` within a second of ``should_stop()``.
        """
        started = time.perf_counter()
        total = 0
        for passage in point.passages:
            self._check()
            total += self._measure(passage.text)
        if total <= budget:
            return Compressed(point)
        pieces = self._pieces(point.passages)
        kept = self._chosen(point.query, pieces, budget)
        passages = [
            replace(point.passages[number], start=start, end=end, text=text)
            for number, start, end, text in _joined(pieces, kept, self._document(point))
        ]
        read = {pieces[index].passage for index in kept}
        return Compressed(
            replace(point, passages=tuple(passages)),
            tuple(p for number, p in enumerate(point.passages) if number not in read),
            sum(piece.passage in read and index not in kept for index, piece in enumerate(pieces)),
            (time.perf_counter() - started) * 1000,
        )

    def _check(self) -> None:
        if self._should_stop():
            raise Cancelled

    def _document(self, point: PlannedPoint) -> Callable[[int], str]:
        return lambda number: self._parsed(point.passages[number].document_id).text

    def _pieces(self, passages: Sequence[Passage]) -> list[_Piece]:
        pieces: list[_Piece] = []
        for number, passage in enumerate(passages):
            document = self._parsed(passage.document_id)
            header = -1
            for block in document.blocks:
                low, high = max(block.start, passage.start), min(block.end, passage.end)
                if low >= high:
                    continue
                self._check()
                is_row = block.kind is BlockKind.TABLE_ROW
                if not is_row:
                    header = -1
                text = document.text[low:high]
                spans = [(0, len(text))] if is_row else sentence_spans(text)
                for start, end in spans:
                    piece = text[start:end]
                    cost = self._measure(piece)
                    pieces.append(_Piece(number, low + start, low + end, piece, cost, header))
                if is_row and block.is_table_header:
                    header = len(pieces) - 1
        return pieces

    def _chosen(self, query: str, pieces: Sequence[_Piece], budget: int) -> set[int]:
        scores = self._scores(query, pieces)
        kept: set[int] = set()
        left = budget
        for index in np.argsort(-scores, kind="stable"):
            wanted = {int(index)}
            if pieces[int(index)].header >= 0:
                wanted.add(pieces[int(index)].header)
            cost = sum(pieces[each].cost for each in wanted - kept)
            if wanted <= kept or cost > left:
                continue
            kept |= wanted
            left -= cost
        return kept

    def _scores(
        self, query: str, pieces: Sequence[_Piece]
    ) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
        asked = set(content_words(query))
        lexical = np.zeros(len(pieces))
        for index, piece in enumerate(pieces):
            if index % 64 == 0:
                self._check()
            found = asked & set(content_words(piece.text))
            lexical[index] = len(found) / len(asked) if asked else 0.0
        scores = 0.5 * lexical
        [topic] = self._embedder.embed([query])
        best = [int(index) for index in np.argsort(-lexical, kind="stable")[:_MOST_EMBEDDED]]
        for first in range(0, len(best), _EMBEDDED_AT_ONCE):
            self._check()
            batch = best[first : first + _EMBEDDED_AT_ONCE]
            vectors = self._embedder.embed([pieces[index].text for index in batch])
            scores[batch] += 0.5 * np.maximum(0.0, vectors @ topic)
        return scores


def left_out_warning(every: Sequence[Compressed]) -> str:
    """Return the sentence that names what was not read, ``""`` if all was."""
    places: dict[str, None] = {}
    for each in every:
        for passage in each.passages_left_out:
            where = " › ".join((passage.title or passage.file, *passage.heading_path))
            places.setdefault(where)
    sentences = sum(each.sentences_left_out for each in every)
    parts = []
    count = sum(len(each.passages_left_out) for each in every)
    if count:
        named = list(places)
        shown = "; ".join(named[:4]) + ("; …" if len(named) > 4 else "")
        verb = "passage was" if count == 1 else "passages were"
        parts.append(f"{count} {verb} left out to fit what the model can read: {shown}.")
    if sentences:
        verb = (
            "sentence or row of other passages was"
            if sentences == 1
            else ("sentences and rows of other passages were")
        )
        parts.append(f"{sentences} {verb} left out to fit.")
    return " ".join(parts)


def _joined(
    pieces: Sequence[_Piece], kept: set[int], text_of: Callable[[int], str]
) -> list[tuple[int, int, int, str]]:
    """Return ``(passage, start, end, text)`` of the stretches of neighbouring kept pieces."""
    stretches: list[tuple[int, int, int]] = []
    last = -2
    for index in sorted(kept):
        piece = pieces[index]
        if index == last + 1 and stretches and stretches[-1][0] == piece.passage:
            stretches[-1] = (piece.passage, stretches[-1][1], piece.end)
        else:
            stretches.append((piece.passage, piece.start, piece.end))
        last = index
    return [(number, start, end, text_of(number)[start:end]) for number, start, end in stretches]
