"""The support check, evaluated on a file of claims and kept as a run."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from contextlib import ExitStack, closing
from pathlib import Path

from phasergun_desktop.embedding.embedder import Embedder
from phasergun_desktop.errors import ModelError
from phasergun_desktop.evaluation.grounding_pairs import MOST_BYTES, read_pairs
from phasergun_desktop.evaluation.grounding_report import GroundingReport, report_json
from phasergun_desktop.evaluation.grounding_run import Asked, Judges, grounding_run
from phasergun_desktop.evaluation.odds_cache import OddsCache
from phasergun_desktop.evaluation.run_store import RUNS_FILE, RunStore
from phasergun_desktop.grounding.judge import Judge
from phasergun_desktop.grounding.statement_reading import StatementModel
from phasergun_desktop.grounding.support_check import SupportChecker, load_support_figures
from phasergun_desktop.grounding.support_features import FEATURES_VERSION
from phasergun_desktop.jobs import Job
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.storage.small_files import read_small_file


class GroundingEvaluation:
    """Evaluates without a project. ``model_problem`` says why no language model can be asked
    ("" if one can); ``get_model`` loads it."""

    def __init__(
        self,
        embedder: Embedder,
        reader: StatementModel,
        figures: Path,
        *,
        data: Path,
        cache: Path,
        model_problem: Callable[[], str],
        get_model: Callable[[], LanguageModel],
    ) -> None:
        self._embedder = embedder
        self._reader = reader
        self._figures = figures
        self._data = data
        self._cache = cache
        self._model_problem = model_problem
        self._get_model = get_model

    def run(
        self, path: Path, asked: Asked, should_stop: Callable[[], bool]
    ) -> Job[GroundingReport]:
        """Judge the rows of ``path``, keep the run, and return its figures.

        Raises ``EvaluationFileError`` for rows that cannot be used, ``ModelError`` where a second
        opinion is wanted and no model of this machine can give one, ``Cancelled`` after a stop.
        """
        pairs = read_pairs(path)
        checker = SupportChecker(self._embedder, load_support_figures(self._figures))
        judge = Judge(checker, self._reader)
        with ExitStack() as stack:
            judges = Judges(judge)
            if asked is not Asked.NOBODY:
                model = self._local_model()
                cache = stack.enter_context(closing(OddsCache(self._cache / "odds.db")))
                judges = Judges(judge, asked, model, cache)
            report = yield from grounding_run(pairs, judges, should_stop)
            runs = stack.enter_context(closing(RunStore(self._data / RUNS_FILE)))
            versions = f"{self._embedder.identity}; features {FEATURES_VERSION}"
            runs.add("grounding", path.name, _sha256(path), versions, report_json(report))
        return report

    def _local_model(self) -> LanguageModel:
        problem = self._model_problem()
        if problem:
            raise ModelError("No language model", problem)
        model = self._get_model()
        if model.is_remote:
            raise ModelError(
                "No second opinion from a remote model",
                "A remote model gives no odds, and the claims would leave this machine.",
                "Choose a model of this machine, or leave out --second-opinion.",
            )
        return model


def _sha256(path: Path) -> str:
    return hashlib.sha256(read_small_file(path, MOST_BYTES)).hexdigest()
