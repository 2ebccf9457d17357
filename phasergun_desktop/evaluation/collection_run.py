"""Search, evaluated on a test collection and kept as a run."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from phasergun_desktop.evaluation.collection_files import read_documents, read_queries
from phasergun_desktop.evaluation.collection_index import collection_id, index_collection
from phasergun_desktop.evaluation.json_lines import EvaluationFileError
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.evaluation.searching import (
    Searched,
    SearchFigures,
    figures_json,
    question_json,
    search_figures,
    searched,
)
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.profiles.model import Profile
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.sync.document_stages import DocumentStages

COLLECTION = "beir"


class CollectionSearch(Protocol):
    """The engine of the product on the index of a collection."""

    def search(
        self,
        query: str,
        *,
        limit: int,
        profile: str,
        is_fast: bool,
        should_stop: Callable[[], bool],
    ) -> SearchResult:
        """Search every document; a slow reranker asks ``should_stop``."""
        ...

    def close(self) -> None:
        """Free the index."""
        ...


@dataclass(frozen=True, slots=True)
class CollectionAsked:
    """What is evaluated: ``split`` of the collection in ``folder``, a half of its queries where
    one is named. ``is_fast`` leaves out reranking."""

    folder: Path
    split: str = "test"
    half: Half | None = None
    is_fast: bool = False


@dataclass(frozen=True, slots=True)
class CollectionReport:
    """What came of it. ``sha256`` is of the judgments; ``bad`` names the lines that were left
    out."""

    asked: CollectionAsked
    documents: int
    questions: tuple[Searched, ...]
    figures: SearchFigures
    versions: str
    sha256: str
    bad: tuple[str, ...]
    indexing_s: float
    seconds: float


class CollectionEvaluation:
    """Evaluates search with ``profile`` on collections. Their indexes are made by ``stages`` in
    ``index_folder`` and opened by ``open_index``, both by the name of the collection; runs are
    kept below ``data``, with the ``versions`` of what embeds."""

    def __init__(
        self,
        stages: DocumentStages,
        open_index: Callable[[str], CollectionSearch],
        *,
        profile: Profile,
        index_folder: Callable[[str], Path],
        data: Path,
        versions: str,
    ) -> None:
        self._stages = stages
        self._open_index = open_index
        self._index_folder = index_folder
        self._data = data
        self._profile = profile
        self._versions = f"{versions}; profile {profile.name} {profile.digest()}"

    def run(self, asked: CollectionAsked) -> Job[CollectionReport]:
        """Index what is not indexed yet, search for every query, and return the figures.

        Raises ``EvaluationFileError`` for a folder that cannot be used.
        """
        queries = read_queries(asked.folder, asked.split)
        chosen = [
            each for each in queries.queries if not asked.half or asked.half.has_id(each.query_id)
        ]
        if not chosen:
            what = f"No query of {asked.folder.name} belongs to this half."
            raise EvaluationFileError("No queries", what, "Leave out --half.")
        corpus = read_documents(asked.folder)
        name = collection_id(corpus.sha256)
        started = time.perf_counter()
        documents = yield from index_collection(self._index_folder(name), corpus.rows, self._stages)
        indexed = time.perf_counter()
        questions = []
        with closing(self._open_index(name)) as engine:

            def search(query: str, limit: int) -> SearchResult:
                return engine.search(
                    query,
                    limit=limit,
                    profile=self._profile.name,
                    is_fast=asked.is_fast,
                    should_stop=lambda: False,
                )

            # What is loaded once belongs to no query's time.
            search(chosen[0].text, 1)
            for done, each in enumerate(chosen):
                yield Progress("Searching", done, len(chosen), "queries")
                questions.append(
                    searched(search, each.query_id, each.text, each.gains, any_is_enough=False)
                )
        return CollectionReport(
            asked,
            documents,
            tuple(questions),
            search_figures(questions),
            self._versions,
            queries.sha256,
            (*corpus.bad, *queries.bad),
            indexed - started,
            time.perf_counter() - indexed,
        )

    def keep(self, report: CollectionReport) -> int:
        """Keep the run with those of the other evaluations. Raises ``StorageError``."""
        with closing(RunStore(self._data / RUNS_FILE)) as runs:
            return runs.add(
                COLLECTION,
                report.asked.folder.name,
                report.sha256,
                self._versions,
                collection_json(report),
            )


def collection_json(report: CollectionReport) -> dict[str, object]:
    """Return the report for ``eval --json``."""
    metrics, intervals = figures_json(report.figures)
    return {
        "status": "complete",
        "split": report.asked.split,
        "half": report.asked.half.value if report.asked.half else None,
        "fast": report.asked.is_fast,
        "documents": report.documents,
        "rows": len(report.questions),
        "metrics": metrics,
        "intervals": intervals,
        "versions": report.versions,
        "seconds": {"indexing": round(report.indexing_s, 2), "searching": round(report.seconds, 2)},
        "questions": [question_json(each) for each in report.questions],
        "warnings": list(report.bad),
    }
