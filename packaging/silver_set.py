"""Prompts made by rule from open regulatory documents, with the units that answer their needs.

A need is the heading of a section, reworded, and its answer the section; or some words of a unit,
or the label of a field or row, and its answer that unit. In a part of the prompts every unit is
without its innermost heading, so that nothing is learnt of headings alone. In others the units
that answer are taken out, or the device is called by the name of another one: these are gaps.
"""

from __future__ import annotations

import csv
import hashlib
import os
import random
import re
import shutil
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from phasergun_desktop.chunking.units import UnitSpan, split_units
from phasergun_desktop.documents.model import Block
from phasergun_desktop.embedding.protocol import Embedder
from phasergun_desktop.index.index_store import IndexStore
from phasergun_desktop.index.keyword_index import query_terms
from phasergun_desktop.index.rows import text_hash
from phasergun_desktop.index.schema import open_index
from phasergun_desktop.index.unit_index import UnitIndex
from phasergun_desktop.index.unit_rows import write_unit_vectors, write_units
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import build_application

PROJECTS = ("project-glucose", "project-oxygenator")
_LICENCES = ("Apache-2.0", "MIT")
_PUBLIC_DOMAIN = "US government work"
_NOT_ALL_PUBLIC = "ICH copyright"
_NON_COMMERCIAL = re.compile(rb"non-?commercial|by-nc", re.IGNORECASE)
_SAME = 0.88
_ALIKE = 0.8
_NUMBER = re.compile(
    r"^\s*(?:§\s*[\d.]+|(?:[A-Za-z]|[IVX]+|\d+(?:\.\d+)*)[.)]|\([a-z0-9]+\)|[IVX]+\s|[A-Z]\s"
    r"|\d+(?:\.\d+)*\s)\s*"
)
_NO_TOPIC = re.compile(
    r"editorial note|source:|effective date|amendment|\{\{|do not send|510\(k\) summary|^k\d{6}"
    r"|appendix|^table of|^references?$|^note|^general$|^document control|\[",
    re.IGNORECASE,
)
_LABEL = re.compile(r"\s*([A-Z][\w /()-]{3,50}?)\s*[:|]\s*\S")
_TRADE_NAME = re.compile(
    r"(?:Proprietary and Established Names|(?:Device )?Trade Name|Device Name)[:\s|]+"
    r"([A-Z][\w® -]{4,50})"
)
_FORMS = (
    "{}",
    "describe the {}",
    "what is the {}",
    "the {}, with values",
    "State {} from the documents",
    "How is {} addressed?",
    "Summarize {}",
    "Please explain to the reviewer how {} was dealt with and what came of it",
    "We were asked about {}; answer this point with the data that we have",
    "the letter says that {} is not described well enough",
)


@dataclass(frozen=True, slots=True)
class SilverNeed:
    """``answers`` and ``unclear`` are places in the unit table; what is unclear is not learnt."""

    kind: str
    query: str
    answers: frozenset[int]
    unclear: frozenset[int]
    elsewhere: frozenset[int]


@dataclass(frozen=True, slots=True)
class SilverPrompt:
    """Needs put to the documents ``files``, without the units ``removed``; those in ``gaps`` have
    no answer any more, or none of them where the prompt ``is_misnamed``."""

    needs: tuple[SilverNeed, ...]
    topic: str
    files: frozenset[str]
    removed: frozenset[int]
    gaps: frozenset[int]
    is_misnamed: bool
    is_masked: bool


def copy_documents(data: Path, folder: Path) -> None:
    """Copy the documents whose licence permits it and that neither project has."""
    names = [
        Path(name).stem.casefold()
        for project in PROJECTS
        for _, _, files in os.walk(data / project)
        for name in files
    ]
    with (data / "regulatory" / "MANIFEST.csv").open(encoding="utf-8", newline="") as table:
        rows = list(csv.DictReader(table))
    for row in rows:
        licence, file = row["licence"], row["file"].partition("/")[2]
        is_public = licence.startswith(_PUBLIC_DOMAIN) and _NOT_ALL_PUBLIC not in licence
        source = data / "regulatory" / file
        if not is_public and licence not in _LICENCES:
            continue
        if source.name.endswith(("_REVIEW.txt", ".csv")) or _is_of_a_project(source.stem, names):
            continue
        if source.suffix != ".pdf" and _NON_COMMERCIAL.search(source.read_bytes()):
            continue
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source, folder / file)


def _is_of_a_project(stem: str, names: Sequence[str]) -> bool:
    stem = stem.casefold()
    base = stem.partition("_review")[0]
    return any(
        name.startswith((stem[:60], base)) or stem.startswith(name[:60])
        for name in names
        if len(name) > 5
    )


def index_folder(folder: Path, home: Path) -> Path:
    """Index ``folder`` as the product does and return the folder of its index."""
    os.environ["PHASERGUN_HOME"] = str(home)
    application = build_application()
    session = application.workspace.open(folder)
    try:
        run_to_end(session.sync())
    finally:
        session.close()
        application.close()
    return next((home / "cache" / "projects").glob("*/index.db")).parent


@dataclass
class Corpus:
    """The units of an index; ``texts`` and the rest have an entry for each place in the table."""

    index: Path
    embedder: Embedder
    texts: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    blocks: list[Block] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Open the index."""
        self.database = open_index(self.index)
        self.store = IndexStore(self.database)
        self.units = UnitIndex(self.store, self.embedder.identity)
        for record in sorted(self.store.documents(), key=lambda each: each.document_id):
            document = self.store.parsed(record.document_id)
            for unit in split_units(document):
                self.texts.append(unit.text)
                self.files.append(record.file)
                self.blocks.append(document.blocks[unit.block])
        self.table = self.units.table()
        self.vectors = self.table.vectors(np.arange(len(self.table)))
        if len(self.table) != len(self.texts):
            raise ValueError("the index does not hold the units of its documents")

    def mask_headings(self) -> None:
        """Take the innermost heading from the context of every unit."""
        for record in self.store.documents():
            document = self.store.parsed(record.document_id)
            masked = [_masked(unit, document.blocks[unit.block]) for unit in split_units(document)]
            texts = {text_hash(unit.embedded_text): unit.embedded_text for unit in masked}
            vectors = self.embedder.embed(list(texts.values()))
            with self.database.transaction() as connection:
                write_units(connection, record.document_id, masked)
                by_hash = dict(zip(texts, vectors, strict=True))
                write_unit_vectors(connection, self.embedder.identity, by_hash)
        self.units = UnitIndex(self.store, self.embedder.identity)
        self.table = self.units.table()


def _masked(unit: UnitSpan, block: Block) -> UnitSpan:
    innermost = " ".join(block.heading_path[-1].split()) if block.heading_path else ""
    parts = unit.context.split(" > ")
    kept = [part for part in parts if not innermost or not innermost.endswith(part)]
    return replace(unit, context=" > ".join(kept))


class SilverSet:
    """Makes prompts of a corpus; the same ones for the same ``seed``."""

    def __init__(self, corpus: Corpus, seed: int) -> None:
        self._corpus = corpus
        self._random = random.Random(seed)  # noqa: S311 - a sample, no secret
        self._by_file: dict[str, list[int]] = defaultdict(list)
        self._sections: dict[tuple[str, tuple[str, ...]], list[int]] = defaultdict(list)
        for place, (file, block) in enumerate(zip(corpus.files, corpus.blocks, strict=True)):
            self._by_file[file].append(place)
            if block.heading_path:
                self._sections[file, tuple(block.heading_path)].append(place)
        self._alike: dict[str, list[int]] = defaultdict(list)
        self._asked: dict[str, list[tuple[str, ...]]] = defaultdict(list)
        for (file, path), places in self._sections.items():
            self._alike[_plain(path[-1])] += places
            if self._is_topic(path, places):
                self._asked[file].append(path)
        self._names = {file: self._name(file) for file in self._by_file}

    @property
    def files(self) -> list[str]:
        """The documents in the order of their names."""
        return sorted(self._by_file)

    def prompts(self, files: Sequence[str], count: int) -> Iterator[SilverPrompt]:
        """Yield ``count`` prompts on what ``files`` say, put to them and other documents."""
        families = sorted({_family(file) for file in files})
        made = 0
        while made < count:
            family = self._random.choice(families)
            first = self._random.choice([each for each in files if _family(each) == family])
            prompt = self._prompt(first, self._random.choice(files))
            if prompt is not None:
                made += 1
                yield prompt

    def _prompt(self, first: str, second: str) -> SilverPrompt | None:
        some = self._random
        is_masked = some.random() < 0.4
        among = [first if some.random() < 0.8 else second for _ in range(some.randint(3, 8))]
        needs = [need for file in among if (need := self._need(file, is_masked)) is not None]
        files = {first, second} if some.random() < 0.2 else self._folder() | {first, second}
        if len(needs) < 2:
            return None
        name, is_misnamed = self._names[first], False
        if some.random() < 0.2:
            others = [f for f in self.files if f not in files and f.startswith("510k")]
            if others:
                name, is_misnamed = self._names[some.choice(others)], True
        is_named = is_misnamed or some.random() < 0.6
        lead = some.choice(("Write the section on {}. ", "{}: ", "Prepare a summary for {}. "))
        topic = lead.format(name) if is_named else some.choice(("", "Write a section. "))
        removed: set[int] = set()
        gaps: frozenset[int] = frozenset()
        if some.random() < 0.3:
            share = 1.0 if some.random() < 0.5 else 0.5
            gaps = frozenset(i for i in range(len(needs)) if some.random() < share)
            for place in gaps:
                removed |= self._answering(needs[place])
        if not is_named:
            needs = [replace(each, unclear=each.unclear | each.elsewhere) for each in needs]
        topic += "; ".join(each.query for each in needs)
        return SilverPrompt(
            tuple(needs), topic, frozenset(files), frozenset(removed), gaps, is_misnamed, is_masked
        )

    def _folder(self) -> set[str]:
        """Return 20 to 60 documents, no family with more than a quarter of them."""
        size = self._random.randint(20, 60)
        chosen: set[str] = set()
        families: Counter[str] = Counter()
        for file in self._random.sample(self.files, len(self.files)):
            if len(chosen) < size and families[_family(file)] < max(4, size // 4):
                chosen.add(file)
                families[_family(file)] += 1
        return chosen

    def _need(self, file: str, is_masked: bool) -> SilverNeed | None:
        kind = self._random.random()
        for _ in range(12):
            if kind < 0.5:
                need = self._of_section(file, is_masked)
            else:
                place = self._random.choice(self._by_file[file])
                query = self._words_of(place) if kind < 0.8 else self._label_of(place)
                need = self._of_unit(place, query, "words" if kind < 0.8 else "label")
            if need is not None:
                return need
        return None

    def _of_section(self, file: str, is_masked: bool) -> SilverNeed | None:
        if not self._asked[file]:
            return None
        path = self._random.choice(self._asked[file])
        own = set(self._sections[file, path])
        words = set(query_terms(_plain(path[-1])))
        said = " ".join(self._corpus.texts[place] for place in own).casefold()
        if is_masked and not any(word in said for word in words):
            return None
        inner = {
            place
            for (other, deeper), places in self._sections.items()
            if other == file and len(deeper) > len(path) and deeper[: len(path)] == path
            for place in places
        }
        short = {place for place in own if self._corpus.table.words[place] < 4}
        elsewhere = frozenset(self._alike[_plain(path[-1])]) - own
        query = self._reworded(_cleaned(path[-1]))
        return SilverNeed(
            "heading", query, frozenset(own - short), frozenset(inner | short), elsewhere
        )

    def _of_unit(self, place: int, query: str, kind: str) -> SilverNeed | None:
        corpus = self._corpus
        if not query or not 6 <= corpus.table.words[place] <= 70:
            return None
        file, path = corpus.files[place], tuple(corpus.blocks[place].heading_path)
        same = np.flatnonzero(corpus.vectors @ corpus.vectors[place] > _SAME).tolist()
        own = frozenset(each for each in same if corpus.files[each] == file) | {place}
        near = {each for each in self._sections[file, path] if abs(each - place) <= 3}
        if path and kind == "words" and self._random.random() < 0.4:
            query = f"{self._reworded(_cleaned(path[-1]))} {query}"
        return SilverNeed(kind, query, own, frozenset(near) - own, frozenset(same) - own)

    def _words_of(self, place: int) -> str:
        """Return two or three words of a unit that are neither common nor its own alone."""
        size = len(self._corpus.table)
        words = [
            word
            for word in query_terms(self._corpus.texts[place])
            if len(word) > 3
            and not word[0].isdigit()
            and 3 <= sum(map(len, self._corpus.units.terms(word))) <= 0.08 * size
        ]
        if len(words) < 2:
            return ""
        chosen = self._random.sample(words, min(len(words), self._random.randint(2, 3)))
        return " ".join(word for word in words if word in chosen)

    def _label_of(self, place: int) -> str:
        text = self._corpus.texts[place]
        match = _LABEL.match(text)
        label = text.split(" | ")[0].split(": ")[-1] if " | " in text else ""
        label = label or (match.group(1) if match and len(text) > match.end() + 8 else "")
        is_label = 4 < len(label) < 60 and re.search("[a-z]{3}", label) is not None
        return self._reworded(label) if is_label else ""

    def _answering(self, need: SilverNeed) -> set[int]:
        """Return the units that answer, and all that are like them."""
        vectors = self._corpus.vectors
        alike = (vectors @ vectors[sorted(need.answers)].T).max(axis=1) > _ALIKE
        return {*np.flatnonzero(alike).tolist(), *need.answers, *need.unclear, *need.elsewhere}

    def _reworded(self, heading: str) -> str:
        words = (re.sub(r"\s*\([^)]*\)", "", heading) or heading).split()
        if len(words) >= 4 and self._random.random() < 0.4:
            words.pop(self._random.randrange(len(words)))
        text = " ".join(words)
        return text if self._random.random() < 0.1 else self._form(text.lower())

    def _form(self, text: str) -> str:
        return self._random.choice(_FORMS).format(text)

    def _is_topic(self, path: Sequence[str], places: Sequence[int]) -> bool:
        heading = _cleaned(path[-1])
        long = [place for place in places if self._corpus.table.words[place] >= 4]
        return (
            len(long) >= 2
            and len(places) <= 60
            and 1 <= len(query_terms(heading)) <= 14
            and re.search("[a-z]{3}", heading.lower()) is not None
            and not _NO_TOPIC.search(heading)
            and "TODO" not in self._corpus.texts[places[0]]
        )

    def _name(self, file: str) -> str:
        for place in self._by_file[file][:80]:
            match = _TRADE_NAME.search(self._corpus.texts[place])
            if match:
                return match.group(1).strip()
        return _cleaned(Path(file).stem.replace("_", " ").replace("-", " "))[:80]


def is_kept_aside(file: str) -> bool:
    """Whether a document is for measuring and not for training: one of four, by its name."""
    return int(hashlib.sha256(file.encode()).hexdigest(), 16) % 4 == 0


def _family(file: str) -> str:
    return file.partition("/")[0]


def _cleaned(heading: str) -> str:
    for _ in range(3):
        heading = _NUMBER.sub("", heading)
    return re.sub(r"[\s:]+$", "", re.sub(r"[*_#]", "", heading)).strip()


def _plain(heading: str) -> str:
    return " ".join(query_terms(_cleaned(heading)))
