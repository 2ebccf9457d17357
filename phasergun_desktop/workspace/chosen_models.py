"""Turns the user's choice of a model into one that can be loaded."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.endpoint_address import EndpointAddress, parse_address
from phasergun_desktop.language_models.language_model import LanguageModel
from phasergun_desktop.models.files import check_gguf
from phasergun_desktop.models.model_store import ModelStore
from phasergun_desktop.settings.endpoint_keys import KeyringKeys
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import (
    ModelChoice,
    ModelProfile,
    ModelSource,
    RemoteEndpoint,
)
from phasergun_desktop.workspace.language_model_slot import ChosenModel

# Path, name and digest of a model file, and the settings that it is loaded with.
LoadLocal = Callable[[Path, str, str, Generation], LanguageModel]
# The endpoint, and what returns its key when it is needed.
LoadRemote = Callable[[RemoteEndpoint, Callable[[], str]], LanguageModel]
# The address to which the user has agreed, as it is kept now; empty where there is none.
ConsentedAddress = Callable[[ModelProfile], str]


def choice_of(name: str) -> ModelChoice:
    """Return the choice that ``name`` spells: a GGUF file, or a name of the catalogue."""
    path = Path(name)
    if path.suffix.lower() == ".gguf" or path.is_file():
        return ModelChoice(ModelSource.FILE, file=name)
    return ModelChoice(model=name)


class ModelMaker:
    """Makes ``ChosenModel`` values; nothing is loaded, read or opened before they are used.

    ``consented`` is asked before each request: consent can be withdrawn from another window."""

    def __init__(
        self,
        store: ModelStore,
        keys: KeyringKeys,
        load_local: LoadLocal,
        load_remote: LoadRemote,
        consented: ConsentedAddress,
    ) -> None:
        self._store = store
        self._keys = keys
        self._load_local = load_local
        self._load_remote = load_remote
        self._consented = consented

    def in_use(self, generation: Generation, override: str = "") -> ChosenModel:
        """Return the model of the profile in use; ``override`` (a name or a file) comes first."""
        profile = generation.model_profile
        choice = choice_of(override) if override else generation.choice(profile)
        match choice.source:
            case ModelSource.FILE:
                return self._file(Path(choice.file), generation)
            case ModelSource.REMOTE:
                return self._remote(choice.endpoint, profile)
            case ModelSource.CATALOGUE:
                name = choice.model or self._store.catalogue.for_profile(profile).name
                return self._of_catalogue(name, generation)

    def _of_catalogue(self, name: str, generation: Generation) -> ChosenModel:
        def find() -> Path:
            return self._store.path_of(name)

        def load() -> LanguageModel:
            entry = self._store.catalogue.entry(name)
            return self._load_local(find(), entry.title, entry.sha256, generation)

        return ChosenModel(name, _identity(name, generation), lambda: _problem(find), load)

    def _file(self, file: Path, generation: Generation) -> ChosenModel:
        def find() -> Path:
            check_gguf(file)
            return file

        def load() -> LanguageModel:
            stat = find().stat()
            digest = f"{file.name}-{stat.st_size}-{stat.st_mtime_ns}"
            return self._load_local(file, file.stem, digest, generation)

        return ChosenModel(
            file.stem, _identity(str(file), generation), lambda: _problem(find), load
        )

    def _remote(self, endpoint: RemoteEndpoint, profile: ModelProfile) -> ChosenModel:
        def check() -> None:
            address = parse_address(endpoint.address)
            if not endpoint.model:
                raise ModelError(
                    "No model named",
                    f"The name of the model at {address.place} is missing.",
                    "Enter it in Model › Language model….",
                )

        def load() -> LanguageModel:
            check()
            address = parse_address(endpoint.address)
            # Not a ``problem``: the window asks when the first draft is wanted.
            if not endpoint.has_consent:
                raise _not_agreed(address, profile)
            return self._load_remote(endpoint, lambda: key(address))

        def key(address: EndpointAddress) -> str:
            if self._consented(profile) != endpoint.address:
                raise _not_agreed(address, profile)
            return self._keys.key(str(address))

        name = endpoint.model
        with suppress(ModelError):  # ``problem`` says it
            name = f"{endpoint.model} at {parse_address(endpoint.address).place}"
        return ChosenModel(name, repr(endpoint), lambda: _problem(check), load, endpoint)


def _not_agreed(address: EndpointAddress, profile: ModelProfile) -> ModelError:
    return ModelError(
        "Not agreed yet",
        f"Passages of your documents would be sent to {address.place}, and you have not agreed to "
        "that; nothing was sent.",
        f"Agree when Generate asks, or run “phasergun models consent {profile.value}”.",
    )


def _identity(name: str, generation: Generation) -> str:
    return f"{name} {generation.context_tokens} {generation.threads}"


def _problem(check: Callable[[], object]) -> str:
    try:
        check()
    except ModelError as error:
        return f"{error.message} {error.remedy}".strip()
    return ""
