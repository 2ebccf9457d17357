"""The language model of the workspace: loaded once, lent to the project that drafts."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.language_models.protocol import LanguageModel


class LocalModel(LanguageModel, Protocol):
    """A model in this process whose read prefixes can be kept on disk."""

    def use_prefixes(self, prefixes: PrefixStore | None) -> None:
        """Keep and look for read prefixes there from now on."""
        ...


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model that the settings name. ``load`` raises ``ModelError``; ``problem`` is empty
    when its file is there, else one sentence with a remedy."""

    name: str
    problem: Callable[[], str]
    load: Callable[[], LocalModel]


class SharedModel:
    """Loads the chosen model at first use and keeps it for every project: a second copy would
    cost a gigabyte."""

    def __init__(self, chosen: ChosenModel) -> None:
        self._chosen = chosen
        self._lock = threading.Lock()
        self._model: LocalModel | None = None

    @property
    def chosen(self) -> ChosenModel:
        """What would be loaded."""
        return self._chosen

    @property
    def is_loaded(self) -> bool:
        """Whether the model is in memory."""
        return self._model is not None

    def get(self) -> LocalModel:
        """Return the model, loading it if need be; ``ModelError`` if that fails."""
        with self._lock:
            if self._model is None:
                self._model = self._chosen.load()
            return self._model

    def close(self) -> None:
        """Free the model."""
        with self._lock:
            if self._model is not None:
                self._model.close()
                self._model = None


class LanguageModelSlot:
    """One project's view of the shared model, with prefixes of its own."""

    def __init__(
        self, shared: SharedModel, prefixes: Callable[[LanguageModel], PrefixStore]
    ) -> None:
        self._shared = shared
        self._prefixes = prefixes

    @property
    def name(self) -> str:
        """Name of the chosen model."""
        return self._shared.chosen.name

    @property
    def is_loaded(self) -> bool:
        """Whether ``get`` returns at once."""
        return self._shared.is_loaded

    def problem(self) -> str:
        """Return ``""`` or why the model cannot be loaded."""
        return self._shared.chosen.problem()

    def get(self) -> LanguageModel:
        """Return the model, its prefixes set to this project's; ``ModelError`` if it fails."""
        problem = self.problem()
        if problem and not self._shared.is_loaded:
            raise ModelError("The language model is not ready", problem, "")
        model = self._shared.get()
        model.use_prefixes(self._prefixes(model))
        return model
