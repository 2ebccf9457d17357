"""A project as it is evaluated: it searches and answers, and nothing of that is kept."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from phasergun_desktop.errors import Cancelled
from phasergun_desktop.evaluation.answer_scores import Given
from phasergun_desktop.jobs import Job
from phasergun_desktop.retrieval.filters import Filter
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerStatus, ConfidenceLevel

_STATED = (AnswerStatus.COMPLETE, AnswerStatus.ERROR)


@dataclass(frozen=True, slots=True)
class Manner:
    """How questions are asked: an empty ``profile`` is the project's."""

    profile: str = ""
    filters: tuple[Filter, ...] = ()
    is_fast: bool = False


class Respondent:
    """Asks ``session`` as the command line and the window do."""

    def __init__(
        self, session: ProjectSession, manner: Manner, should_stop: Callable[[], bool]
    ) -> None:
        self._session = session
        self._manner = manner
        self._should_stop = should_stop

    @property
    def versions(self) -> str:
        """What searches and answers."""
        filters = "".join(f"; {one.key} {one.value}" for one in self._manner.filters)
        fast = "; fast" if self._manner.is_fast else ""
        return f"{self._session.versions_in_words(self._manner.profile)}{filters}{fast}"

    def search(self, query: str, limit: int) -> SearchResult:
        """Search every layer."""
        return self._session.search(
            query,
            limit=limit,
            profile=self._manner.profile,
            filters=self._manner.filters,
            is_fast=self._manner.is_fast,
            should_stop=self._should_stop,
        )

    def answer(self, prompt: str) -> Job[Given]:
        """Answer in the words of the sources. Raises ``Cancelled`` after a stop."""
        started = time.perf_counter()
        plan = self._session.plan(
            prompt,
            asks=True,
            profile=self._manner.profile,
            filters=self._manner.filters,
            is_fast=self._manner.is_fast,
            should_stop=self._should_stop,
        )
        result = yield from self._session.draft(
            plan, should_stop=self._should_stop, use_model=False
        )
        if result.status is AnswerStatus.CANCELLED:
            raise Cancelled
        lines = [" | ".join(unit.cells) if unit.cells else unit.text for unit in result.sentences]
        return Given(
            "\n".join(lines),
            result.status not in _STATED,
            result.confidence.score,
            result.confidence.level is ConfidenceLevel.HIGH,
            tuple(dict.fromkeys(note.file for note in result.footnotes if note.file)),
            (time.perf_counter() - started) * 1000,
        )
