"""The language model of the workspace: loaded once, lent to the project that drafts."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.language_models.prefix_state import PrefixStore
from phasergun_desktop.settings.model_choice import ModelProfile, RemoteEndpoint


@runtime_checkable
class KeepsPrefixes(Protocol):
    """A model in this process whose read prefixes can be kept on disk."""

    def use_prefixes(self, prefixes: PrefixStore | None) -> None:
        """Keep and look for read prefixes there from now on."""
        ...


@runtime_checkable
class EstimatesTokens(Protocol):
    """A model that may have to guess how many tokens a call had."""

    @property
    def has_estimated(self) -> bool:
        """Whether it had to."""
        ...


@dataclass(frozen=True, slots=True)
class ChosenModel:
    """The model that the settings name. ``identity`` is the same for the same model with the
    same settings, the consent to send among them; ``load`` raises ``ModelError``; ``problem`` is
    empty when its file is there, else one sentence with a remedy; ``endpoint`` is None for a
    model of this machine."""

    name: str
    identity: str
    problem: Callable[[], str]
    load: Callable[[], LanguageModel]
    endpoint: RemoteEndpoint | None = None


class SharedModel:
    """Loads the chosen model at first use and keeps it for every project: a second one beside it
    would cost a gigabyte. Another one may be chosen at any time, from any thread. ``of_profile``
    returns the model that a model profile names now."""

    def __init__(
        self, chosen: ChosenModel, of_profile: Callable[[ModelProfile], ChosenModel] | None = None
    ) -> None:
        self._chosen = chosen
        self._of_profile = of_profile
        self._lock = threading.Lock()
        self._model: LanguageModel | None = None
        self._identity = ""
        self._turn = threading.Lock()
        self._waiting = 0

    @property
    def is_waited_for(self) -> bool:
        """Whether a draft or an answer waits for its turn."""
        return self._waiting > 0

    @property
    def is_working(self) -> bool:
        """Whether a model on this machine is used or loaded now."""
        model = self._model
        return self._turn.locked() and not (model is not None and model.is_remote)

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Write with the model, or load it: wait until nobody else does."""
        self._waiting += 1
        try:
            self._turn.acquire()
        finally:
            self._waiting -= 1
        try:
            yield
        finally:
            self._turn.release()

    @contextmanager
    def spare_turn(self) -> Iterator[bool]:
        """Use the model while nobody writes with it, giving way when it ``is_waited_for``; False
        where somebody does."""
        has_turn = self._turn.acquire(blocking=False)
        try:
            yield has_turn
        finally:
            if has_turn:
                self._turn.release()

    @property
    def chosen(self) -> ChosenModel:
        """What would be loaded."""
        return self._chosen

    def of_profile(self, profile: ModelProfile) -> ChosenModel:
        """Return the model of ``profile``; where a model was named for this run, that one."""
        return self._chosen if self._of_profile is None else self._of_profile(profile)

    def holds(self, chosen: ChosenModel) -> bool:
        """Whether that model is in memory."""
        return self._model is not None and self._identity == chosen.identity

    @property
    def has_estimated(self) -> bool:
        """Whether token counts of the loaded model are estimates."""
        model: object = self._model
        return isinstance(model, EstimatesTokens) and model.has_estimated

    def choose(self, chosen: ChosenModel) -> None:
        """Use another model from the next ``get`` on. The one before is freed there: only the
        thread that drafts knows that nobody is using it."""
        self._chosen = chosen

    def get(self, chosen: ChosenModel | None = None) -> LanguageModel:
        """Return the chosen model or ``chosen``, loading it in the place of another if need be;
        ``ModelError`` if that fails."""
        with self._lock:
            chosen = chosen or self._chosen
            if self._model is not None and self._identity != chosen.identity:
                self._free()
            if self._model is None:
                self._model = chosen.load()
                self._identity = chosen.identity
            return self._model

    def close(self) -> None:
        """Free the model."""
        with self._lock:
            self._free()

    def _free(self) -> None:
        if self._model is not None:
            self._model.close()
            self._model = None


class LanguageModelSlot:
    """One project's view of the shared model, with prefixes of its own. ``guarded`` returns a
    remote model that is sent nothing of the project's confidential documents. ``own`` stands in
    for the model in use; ``notice`` says that it does, or why not, where that is worth saying."""

    def __init__(
        self,
        shared: SharedModel,
        prefixes: Callable[[LanguageModel], PrefixStore],
        guarded: Callable[[LanguageModel], LanguageModel],
        own: ChosenModel | None = None,
        notice: str = "",
    ) -> None:
        self._shared = shared
        self._prefixes = prefixes
        self._guarded = guarded
        self._own = own
        self.notice = notice

    def of_profile(self, profile: ModelProfile | None, who: str) -> LanguageModelSlot:
        """Return what lends the model of ``profile`` for ``who``; the model in use where there is
        no profile, or where that model is not there or may not be sent to, as ``notice`` says."""
        usual = self._shared.chosen
        wanted = usual if profile is None else self._shared.of_profile(profile)
        if profile is None or wanted.identity == usual.identity:
            return self
        why, endpoint, notice = wanted.problem(), wanted.endpoint, ""
        if endpoint is not None and not endpoint.has_consent and not why:
            why = f"“phasergun models consent {profile.value}” agrees to send passages there."
        if why:
            notice = (
                f"The model profile {profile.value} that {who} is to use ({wanted.name}) cannot be "
                f"used, so {usual.name} was. {why}"
            )
        elif endpoint is not None:
            notice = (
                f"{who[0].upper()}{who[1:]} writes with {wanted.name}: what it reads is sent there."
            )
        own = None if why else wanted
        return LanguageModelSlot(self._shared, self._prefixes, self._guarded, own, notice)

    def turn(self) -> AbstractContextManager[None]:
        """Write with the model; see ``SharedModel.turn``."""
        return self._shared.turn()

    @property
    def _chosen(self) -> ChosenModel:
        return self._own or self._shared.chosen

    @property
    def name(self) -> str:
        """Name of the chosen model."""
        return self._chosen.name

    @property
    def is_loaded(self) -> bool:
        """Whether ``get`` returns at once."""
        return self._shared.holds(self._chosen)

    @property
    def endpoint(self) -> RemoteEndpoint | None:
        """Where passages would be sent; None for a model of this machine."""
        return self._chosen.endpoint

    @property
    def keeps_confidential(self) -> bool:
        """Whether documents that are labelled confidential must not reach the chosen model."""
        endpoint = self.endpoint
        return endpoint is not None and not endpoint.sends_confidential

    def problem(self) -> str:
        """Return ``""`` or why the model cannot be used."""
        return self._chosen.problem()

    def get(self) -> LanguageModel:
        """Return the model, its prefixes set to this project's; ``ModelError`` if it fails."""
        chosen = self._chosen
        problem = "" if self._shared.holds(chosen) else chosen.problem()
        if problem:
            raise ModelError("The language model is not ready", problem, "")
        model = self._shared.get(chosen)
        if isinstance(model, KeepsPrefixes):
            model.use_prefixes(self._prefixes(model))
        if model.is_remote and (chosen.endpoint is None or not chosen.endpoint.sends_confidential):
            return self._guarded(model)
        return model

    def remark(self) -> str:
        """Return what should be known of the figures of a draft; ``""`` where nothing."""
        if self.endpoint is None or not self._shared.has_estimated:
            return ""
        return "The model server gives no token counts: tokens, and what they cost, are estimates."

    def cost(self, model: str, prompt_tokens: int, completion_tokens: int) -> float | None:
        """Return what a draft of ``model`` (its name) costs at the price that the user entered;
        None where there is no price, or none of the set-up models wrote it."""
        known = (self._chosen, *map(self._shared.of_profile, ModelProfile))
        endpoint = next((one.endpoint for one in known if one.name == model), None)
        if endpoint is None or not endpoint.has_price:
            return None
        read = prompt_tokens * endpoint.price_per_million_prompt_tokens
        return (read + completion_tokens * endpoint.price_per_million_written_tokens) / 1e6
