"""What the user can do about language models; both faces use this and no more."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.endpoint_address import parse_address
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    LanguageModel,
    ModelPrompt,
)
from phasergun_desktop.language_models.model_check import ModelCheck, ModelChecker
from phasergun_desktop.models.catalogue import ModelKind
from phasergun_desktop.models.model_store import ModelStatus, ModelStore
from phasergun_desktop.settings.endpoint_keys import KeyringKeys
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile, RemoteEndpoint
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.workspace.chosen_models import LoadRemote, ModelMaker
from phasergun_desktop.workspace.language_model_slot import SharedModel

# Nothing of a project is in it.
_TRIAL = ModelPrompt("You answer in one word.", "", "Say: ready")
_TRIAL_SETTINGS = GenerationSettings(max_tokens=200)


@dataclass(frozen=True, slots=True)
class ConnectionTrial:
    """A model server that answered: what it said, and after how many seconds it began."""

    said: str
    first_word_s: float


class ModelChoices:
    """The three model profiles, the files and servers that they name, and which is in use.

    Thread-safe, apart from being slow: not for the window's thread, but for ``generation``.
    """

    def __init__(
        self,
        settings: SettingsStore,
        store: ModelStore,
        shared: SharedModel,
        keys: KeyringKeys,
        checker: ModelChecker,
        maker: ModelMaker,
        load_remote: LoadRemote,
    ) -> None:
        self._settings = settings
        self._store = store
        self._shared = shared
        self._keys = keys
        self._checker = checker
        self._maker = maker
        self._load_remote = load_remote

    def generation(self) -> Generation:
        """Return what the settings say now."""
        return self._settings.load().generation

    def save(self, generation: Generation) -> None:
        """Keep these choices and use them from the next draft on. Raises ``StorageError``, and
        ``ModelError`` for an address that cannot be used."""
        self._change(lambda _before: generation)

    def _change(self, edit: Callable[[Generation], Generation]) -> Generation:
        settings = self._settings.change(
            lambda before: replace(before, generation=_with_addresses(edit(before.generation)))
        )
        self._shared.choose(self._maker.in_use(settings.generation))
        return settings.generation

    def use(self, profile: ModelProfile) -> Generation:
        """Draft with this profile's model from now on; return the settings."""
        return self._change(lambda before: replace(before, model_profile=profile))

    def set_consent(self, profile: ModelProfile, *, agrees: bool) -> Generation:
        """Agree that passages go to the profile's server, or take that back.

        Raises ``ModelError`` where the profile has no server.
        """

        def edit(before: Generation) -> Generation:
            choice = before.choice(profile)
            if not choice.is_remote:
                raise ModelError(
                    "Nothing to agree to",
                    f"The profile {profile.value} uses a model of this machine; nothing is sent.",
                    "Choose a remote server for it first (Model › Language model…).",
                )
            address = str(parse_address(choice.endpoint.address))
            endpoint = replace(choice.endpoint, consented_address=address if agrees else "")
            return before.with_choice(profile, replace(choice, endpoint=endpoint))

        return self._change(edit)

    # ------------------------------------------------------------ models of this machine

    def catalogue(self) -> tuple[ModelStatus, ...]:
        """Return the language models of the catalogue with their state on this machine."""
        return tuple(
            each for each in self._store.list() if each.entry.kind is ModelKind.LANGUAGE_MODEL
        )

    def default_of(self, profile: ModelProfile) -> str:
        """Return the catalogue's own choice for a profile."""
        return self._store.catalogue.for_profile(profile).name

    def fetch(self, name: str) -> Job[Path]:
        """Bring a model of the catalogue to this machine; see ``ModelStore.fetch``."""
        return self._store.fetch(name)

    def check_file(self, path: Path) -> Job[ModelCheck]:
        """Try a model file in a process of its own; see ``ModelChecker.check``."""
        generation = self.generation()
        return self._checker.check(path, generation.context_tokens, generation.threads)

    def known_check(self, path: Path) -> ModelCheck | None:
        """Return what is known of a file that was checked before."""
        generation = self.generation()
        try:
            return self._checker.known(path, generation.context_tokens, generation.threads)
        except OSError:
            return None

    # ------------------------------------------------------------ servers

    def has_key(self, address: str) -> bool:
        """Whether a key is kept for this address. Raises ``ModelError`` for a wrong address."""
        return bool(self._keys.key(str(parse_address(address))))

    def set_key(self, address: str, key: str) -> bool:
        """Keep the key of a server; return whether the keyring keeps it beyond this session.

        An empty one is forgotten. Raises ``ModelError`` for a wrong address.
        """
        place = str(parse_address(address))
        if key:
            return self._keys.keep(place, key)
        self._keys.forget(place)
        return True

    def try_connection(
        self, endpoint: RemoteEndpoint, key: str | None, should_stop: Callable[[], bool]
    ) -> Job[ConnectionTrial]:
        """Send a word that has nothing to do with any project, and wait for the answer.

        ``key`` stands in for the kept one. Raises ``ModelError`` or ``Cancelled``.
        """
        place = str(parse_address(endpoint.address))
        yield Progress(f"Asking {endpoint.model or 'the server'}")
        model: LanguageModel = self._load_remote(
            endpoint, lambda: self._keys.key(place) if key is None else key
        )
        metrics = GenerationMetrics()
        started = time.monotonic()
        pieces = []
        for piece in model.generate(_TRIAL, _TRIAL_SETTINGS, metrics, should_stop):
            pieces.append(piece)
            yield Progress(f"{endpoint.model} answers")
        said = " ".join("".join(pieces).split())[:80]
        first = metrics.first_token_ms / 1000 or time.monotonic() - started
        return ConnectionTrial(said, first)


def _with_addresses(generation: Generation) -> Generation:
    """Return the choices with every address in the one form in which addresses are compared."""
    for profile in ModelProfile:
        choice = generation.choice(profile)
        if choice.is_remote:
            address = str(parse_address(choice.endpoint.address))
            endpoint = replace(choice.endpoint, address=address)
            generation = generation.with_choice(profile, replace(choice, endpoint=endpoint))
    return generation
