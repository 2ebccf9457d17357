"""What reranks, by the settings as they are now."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.retrieval.model_reranking import LanguageModelReranker
from phasergun_desktop.retrieval.reranking import Reranker, ShouldStop
from phasergun_desktop.settings.model import Reranking, RerankWith
from phasergun_desktop.workspace.language_model_slot import SharedModel

_CHOOSE = "Rerank with something else in Edit › Settings, or ask without it (“Fast”)."


class ChosenReranker:
    """Reranks with what ``settings`` return now: ``usual``, the language model in use, or a
    cross-encoder that ``make_cross_encoder`` makes of its path and that stays loaded. Safe on any
    thread: where the language model is busy writing it is not waited for, and who cannot stop it
    does not get it."""

    def __init__(
        self,
        settings: Callable[[], Reranking],
        usual: Reranker,
        shared: SharedModel,
        make_cross_encoder: Callable[[Path], Reranker],
    ) -> None:
        self._settings = settings
        self._usual = usual
        self._shared = shared
        self._make_cross_encoder = make_cross_encoder
        self._lock = threading.Lock()
        self._made: Reranker | None = None

    @property
    def identity(self) -> str:
        """What would rerank now."""
        match (chosen := self._settings()).method:
            case RerankWith.BUNDLED:
                return self._usual.identity
            case RerankWith.LANGUAGE_MODEL:
                return self._shared.chosen.identity
            case RerankWith.CROSS_ENCODER:
                return chosen.cross_encoder_path

    def scores(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None = None
    ) -> list[float]:
        """Return a score for each text. Raises ``ModelError`` and ``Cancelled``."""
        match (chosen := self._settings()).method:
            case RerankWith.BUNDLED:
                return self._usual.scores(query, texts)
            case RerankWith.LANGUAGE_MODEL:
                return self._by_language_model(query, texts, should_stop)
            case RerankWith.CROSS_ENCODER:
                return self._cross_encoder(chosen.cross_encoder_path).scores(query, texts)

    def _cross_encoder(self, path: str) -> Reranker:
        with self._lock:
            if self._made is None or self._made.identity != str(Path(path)):
                self._made = self._make_cross_encoder(Path(path))
            return self._made

    def _by_language_model(
        self, query: str, texts: Sequence[str], should_stop: ShouldStop | None
    ) -> list[float]:
        if should_stop is None:
            raise ModelError(
                "Not reranked while one types",
                "The language model takes too long to rerank a search that is typed.",
                "Ask it as a question instead.",
            )
        with self._shared.spare_turn() as has_turn:
            if not has_turn:
                raise _busy()
            try:
                return LanguageModelReranker(self._local()).scores(
                    query, texts, lambda: should_stop() or self._shared.is_waited_for
                )
            except Cancelled as stop:
                if should_stop():
                    raise
                raise _busy() from stop

    def _local(self) -> LanguageModel:
        chosen = self._shared.chosen
        if chosen.endpoint is not None:
            raise ModelError(
                "Not reranked by a server",
                f"{chosen.name} is a server, and passages go there for drafts and answers only.",
                _CHOOSE,
            )
        problem = chosen.problem()
        if problem:
            raise ModelError("The language model is not ready", problem, _CHOOSE)
        return self._shared.get()


def _busy() -> ModelError:
    return ModelError(
        "The language model is writing",
        "The language model that reranks is busy writing.",
        "Search again when it is done.",
    )
