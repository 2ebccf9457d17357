"""The small projects of ``selector_data``, indexed: their units, and the questions on them."""

from __future__ import annotations

import json
import os
import random
import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from train_selector import DATA, digest_of

from phasergun_desktop.chunking.citable_units import UnitSpan, split_units
from phasergun_desktop.embedding.cross_encoder import QUERY_PIECES
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.embedding.onnx_files import whole_tokenizer
from phasergun_desktop.embedding.word_vectors import WordVectors
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.needs import going_on
from phasergun_desktop.planning.pair_reading import pair_text
from phasergun_desktop.wiring import build_application

MODELS = resources_path() / "models"
# So many units are read with a question of those that are nearest by their vectors and by their
# words, and a question that has fewer with what answers it is left out.
HARDEST, FEWEST = 25, 5
# One question of so many is read behind another one of its project too, which it does not go on
# from.
OF_ANOTHER_TOPIC = 4


@dataclass(frozen=True, slots=True)
class Question:
    """``pieces`` are ids of word pieces; the others places in the units of ``project``: ``right``
    ones that answer, ``doubtful`` ones, ``near`` misses, and ``hard`` ones, which are near by their
    vectors or by their words."""

    project: str
    kind: str
    pieces: list[int]
    right: tuple[int, ...]
    doubtful: tuple[int, ...]
    near: tuple[int, ...]
    hard: tuple[int, ...]


class Texts:
    """The units of the projects as the model reads them alone, and their word pieces."""

    def __init__(self) -> None:
        self._tokenizer = whole_tokenizer(MODELS / "tokenizer.json")
        self.units: dict[str, list[str]] = {}
        self.spans: dict[str, list[tuple[str, UnitSpan]]] = {}

    @cache  # noqa: B019 - one for the whole training
    def pieces(self, text: str, most: int) -> list[int]:
        """Return the ids of the first ``most`` word pieces of ``text``."""
        ids: list[int] = self._tokenizer.encode(text, add_special_tokens=False).ids
        return ids[:most]


def units_of(folder: Path, home: Path) -> list[tuple[str, UnitSpan]]:
    """Index the small project in ``folder`` in ``home``; return its units with their files."""
    shutil.copytree(folder / "project", home / "project")
    with patch.dict(os.environ, {"PHASERGUN_HOME": str(home / "home")}):
        application = build_application()
        session = application.workspace.open(home / "project")
        run_to_end(session.sync())
        units = [
            (record.file, unit)
            for record in session.documents()
            for unit in split_units(session.source(record.file).document)
        ]
        session.close()
        application.close()
    return units


def read_questions(texts: Texts, work: Path, names: Sequence[str]) -> Iterator[Question]:
    """Index the small projects ``names`` in ``work``; yield the questions on them."""
    embedder = OnnxEmbedder(MODELS / "all-MiniLM-L6-v2-int8.onnx", MODELS / "tokenizer.json")
    for folder in (DATA / name for name in names):
        units = units_of(folder, work / folder.name)
        places = {digest_of(file, unit.text): at for at, (file, unit) in enumerate(units)}
        made = [pair_text(file, unit.context, unit.text) for file, unit in units]
        texts.units[folder.name], texts.spans[folder.name] = made, units
        rows = _rows(folder / "questions.jsonl")
        rows += conversation_rows(folder, rows)
        cosines = [
            each.embed(made) @ each.embed([row["question"] for row in rows]).T
            for each in (embedder, WordVectors())
        ]
        for at, row in enumerate(rows):
            pieces = texts.pieces(row["question"], QUERY_PIECES)
            near = np.stack([np.argsort(-each[:, at])[:HARDEST] for each in cosines], axis=1)
            question = _question(folder.name, row, places, pieces, near.ravel().tolist())
            if len(question.right) + len(question.hard) >= FEWEST:
                yield question
        print(f"{folder.name}: {len(made)} units", flush=True)


def conversation_rows(folder: Path, questions: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return, as rows of ``questions``, the follow-ups on the project in ``folder`` as the product
    reads them, and some of the questions behind another one that they have nothing to do with."""
    found = [
        {**row, "question": going_on(row["question"], row["before"]), "kind": "follow-up"}
        for row in _rows(folder / "follow_ups.jsonl")
    ]
    draw = random.Random(f"conversations on {folder.name}")  # noqa: S311
    for row in draw.sample(questions, len(questions) // OF_ANOTHER_TOPIC):
        before = draw.choice(questions)["question"]
        found.append({**row, "question": going_on(row["question"], [before]), "kind": "other"})
    return found


def _rows(path: Path) -> list[dict[str, Any]]:
    lines = path.read_text("utf-8").splitlines() if path.is_file() else []
    return [json.loads(line) for line in lines]


def _question(
    project: str,
    row: Mapping[str, Any],
    places: Mapping[str, int],
    pieces: list[int],
    nearest: Sequence[int],
) -> Question:
    def named(key: str) -> tuple[int, ...]:
        return tuple(dict.fromkeys(places[each] for each in row.get(key, ()) if each in places))

    right, doubtful = named("answers"), named("doubtful")
    others = {*right, *doubtful}
    return Question(
        project,
        row.get("kind", ""),
        pieces,
        right,
        doubtful,
        tuple(place for place in named("near") if place not in others),
        tuple(place for place in dict.fromkeys(nearest) if place not in others),
    )
