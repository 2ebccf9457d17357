"""Reads the small projects for ``train_changes.py``: ``… packaging/changes_data.py DATA.pkl``.

Takes 10 minutes on two cores.
"""

from __future__ import annotations

import json
import pickle
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path

from claim_edits import Values, edits_of, values_of
from embedder_graph import POSITIONS
from small_projects import Texts, read_questions
from train_changes import Claim, Read
from train_selector import DATA

from phasergun_desktop.embedding.cross_encoder import QUERY_PIECES, TEXT_PIECES
from phasergun_desktop.grounding.statement_reading import source_text
from phasergun_desktop.text.words import content_words

# Sentences that somebody else reworded to measure the judge by: nothing is learnt of them.
REWORDED = DATA.parents[1] / "tests" / "benchmarks" / "edits" / "paraphrases.jsonl"
# What stands above a unit, and the unit.
Piece = tuple[str, str]
# Units of a project that are taken as they are for claims, and of how many words; how far away a
# unit may stand that is put beside others.
COPIES, WORDS, NEIGHBOURS = 90, (6, 45), 4
EDITS_OF_STATEMENT, EDITS_OF_COPY = 5, 2
OWN_WORDS, ALIKE = 3, 0.6


class ClaimMaker:
    """Makes the claims of one project, those that were written and others by rule."""

    def __init__(self, project: str, texts: Texts) -> None:
        self._project, self._texts = project, texts
        self._units = [(_above(unit.context), unit.text) for _, unit in texts.spans[project]]
        self._places = {text: at for at, (_, text) in enumerate(self._units)}
        self._values: Values = values_of([text for _, text in self._units])
        rows = map(json.loads, REWORDED.read_text("utf-8").splitlines())
        self._measured = [row["sentence"] for row in rows if row["project"] == project]
        self._draw = random.Random(f"claims of {project}")  # noqa: S311

    def claims(self) -> Iterator[Claim]:
        """Yield them all."""
        path = DATA / self._project / "claims.jsonl"
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        for at, row in enumerate(map(json.loads, lines)):
            if not any(self._is_measured(each["text"]) for each in row["sources"]):
                yield from self._of_row(f"{self._project} {at}", row)
        yield from self._of_copies()

    def _is_measured(self, unit: str) -> bool:
        return any(unit in sentence or sentence in unit for sentence in self._measured)

    def _of_row(self, group: str, row: dict[str, list[dict[str, str]]]) -> Iterator[Claim]:
        sources = [(_above(each["context"]), each["text"]) for each in row["sources"]]
        carried = [str(text) for text in row["faithful"]]
        others = [(each["kind"], each["text"]) for each in row["unfaithful"]]
        near = self._near([self._places.get(text, -1) for _, text in sources])
        for text in carried:
            yield self._claim(group, "carried", text, sources, True)
            if near:
                together = [*sources, self._draw.choice(near)]
                self._draw.shuffle(together)
                yield self._claim(group, "made: beside", text, together, True)
            yield from self._without_one(group, text, sources)
            for kind, edited in edits_of(text, self._values, self._draw)[:EDITS_OF_STATEMENT]:
                yield self._claim(group, f"made: {kind}", edited, sources, False)
        for kind, text in others:
            yield self._claim(group, kind, text, sources, False)
        if near:
            _, text = self._draw.choice(others)
            together = [*sources, self._draw.choice(near)]
            yield self._claim(group, "made: beside", text, together, False)
            some = self._draw.sample(near, min(2, len(near)))
            yield self._claim(group, "made: elsewhere", self._draw.choice(carried), some, False)

    def _without_one(self, group: str, text: str, sources: Sequence[Piece]) -> Iterator[Claim]:
        if len(sources) < 2:
            return
        at = self._draw.randrange(len(sources))
        rest = [each for k, each in enumerate(sources) if k != at]
        own = set(content_words(sources[at][1])).difference(
            *(content_words(each) for _, each in rest)
        )
        if len(own & set(content_words(text))) >= OWN_WORDS:
            yield self._claim(group, "made: without one", text, rest, False)

    def _of_copies(self) -> Iterator[Claim]:
        least, most = WORDS
        prose = [
            at
            for at, (_, text) in enumerate(self._units)
            if least <= len(text.split()) <= most and not self._is_measured(text)
        ]
        for at in self._draw.sample(prose, min(COPIES, len(prose))):
            group, (_, text) = f"{self._project} copy {at}", self._units[at]
            near, sources = self._near([at]), [self._units[at]]
            if near and self._draw.random() < 0.4:
                sources.append(self._draw.choice(near))
                self._draw.shuffle(sources)
            yield self._claim(group, "made: copy", text, sources, True)
            for kind, edited in edits_of(text, self._values, self._draw)[:EDITS_OF_COPY]:
                yield self._claim(group, f"made: copy, {kind}", edited, sources, False)
            other = self._draw.choice(near) if near else self._units[at]
            words = set(content_words(text))
            if len(words & set(content_words(other[1]))) < ALIKE * len(words):
                yield self._claim(group, "made: copy, elsewhere", text, [other], False)

    def _near(self, places: Sequence[int]) -> list[Piece]:
        found = {
            at
            for place in places
            if place >= 0
            for at in range(place - NEIGHBOURS, place + NEIGHBOURS + 1)
        }
        return [self._units[at] for at in sorted(found - {*places}) if 0 <= at < len(self._units)]

    def _claim(
        self, group: str, kind: str, text: str, sources: Sequence[Piece], is_carried: bool
    ) -> Claim:
        pieces = self._texts.pieces
        source = pieces(source_text(sources), POSITIONS)
        return Claim(self._project, group, kind, pieces(text, QUERY_PIECES), source, is_carried)


def _above(context: str) -> str:
    """``context`` as it stands above a span, without the signs between headings."""
    return context.replace(" > ", " ")


def read_data(work: Path, names: Sequence[str]) -> Read:
    """Return what is learnt of the projects ``names``, which are indexed in ``work``."""
    texts = Texts()
    questions = list(read_questions(texts, work, names))
    units: dict[str, list[list[int]]] = defaultdict(list)
    for name in names:
        units[name] = [texts.pieces(text, TEXT_PIECES) for text in texts.units[name]]
    claims = [claim for name in names for claim in ClaimMaker(name, texts).claims()]
    return Read(dict(units), questions, claims)


def main() -> int:
    """Read and write; 0."""
    names = sorted(folder.name for folder in DATA.iterdir() if folder.is_dir())
    with tempfile.TemporaryDirectory(prefix="phasergun-changes-") as work:
        data = read_data(Path(work), names)
    Path(sys.argv[1]).write_bytes(pickle.dumps(data))
    print(f"{len(data.questions)} questions, {len(data.claims)} claims")
    return 0


if __name__ == "__main__":
    sys.exit(main())
