"""Model choices in memory, with the signatures of the real ones."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.errors import ModelError
from phasergun_desktop.jobs import Job, Progress
from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.models.catalogue import InstallWhen, ModelEntry, ModelKind
from phasergun_desktop.models.model_store import ModelState, ModelStatus
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile, RemoteEndpoint
from phasergun_desktop.workspace.model_choices import ConnectionTrial, ModelChoices

GOOD_CHECK = ModelCheck(True, "llama", 3_200_000_000, 32_768, True, 41.0, 7.0, 2_400_000_000)


def fake_status(name: str, title: str, state: ModelState, megabytes: int) -> ModelStatus:
    """A model of the catalogue."""
    entry = ModelEntry(
        name,
        title,
        ModelKind.LANGUAGE_MODEL,
        f"{name}.gguf",
        "0" * 64,
        megabytes * 1_000_000,
        "Apache-2.0",
        InstallWhen.ON_DEMAND,
    )
    return ModelStatus(entry, state, Path(entry.file))


class FakeModelChoices(ModelChoices):
    """Remembers what was saved; ``check`` is what every file gives, ``fails`` breaks servers."""

    def __init__(self) -> None:
        self.current = Generation()
        self.keys: dict[str, str] = {}
        self.keeps_keys = True
        self.check = GOOD_CHECK
        self.checked: list[Path] = []
        self.tried: list[tuple[RemoteEndpoint, str | None]] = []
        self.failure: ModelError | None = None
        self.states = {"small": ModelState.ABSENT, "middle": ModelState.VERIFIED}

    def generation(self) -> Generation:
        return self.current

    def save(self, generation: Generation) -> None:
        if self.failure is not None:
            raise self.failure
        self.current = generation

    def use(self, profile: ModelProfile) -> Generation:
        self.save(replace(self.current, model_profile=profile))
        return self.current

    def set_consent(self, profile: ModelProfile, *, agrees: bool) -> Generation:
        choice = self.current.choice(profile)
        agreed = replace(
            choice.endpoint, consented_address=choice.endpoint.address if agrees else ""
        )
        self.current = self.current.with_choice(profile, replace(choice, endpoint=agreed))
        return self.current

    def catalogue(self) -> tuple[ModelStatus, ...]:
        return (
            fake_status("middle", "Qwen2.5-Coder 1.5B Instruct", self.states["middle"], 1117),
            fake_status("small", "Qwen2.5-Coder 0.5B Instruct", self.states["small"], 491),
        )

    def default_of(self, profile: ModelProfile) -> str:
        return "small" if profile is ModelProfile.CHEAP else "middle"

    def fetch(self, name: str) -> Job[Path]:
        yield Progress("Fetching", 1, 2, "bytes")
        self.states[name] = ModelState.VERIFIED
        return Path(name)

    def check_file(self, path: Path) -> Job[ModelCheck]:
        self.checked.append(path)
        yield Progress("Checking")
        return self.check

    def known_check(self, path: Path) -> ModelCheck | None:
        return self.check if path in self.checked else None

    def has_key(self, address: str) -> bool:
        return address in self.keys

    def set_key(self, address: str, key: str) -> bool:
        self.keys[address] = key
        return self.keeps_keys

    def try_connection(
        self, endpoint: RemoteEndpoint, key: str | None, should_stop: Callable[[], bool]
    ) -> Job[ConnectionTrial]:
        del should_stop
        yield Progress("Asking")
        self.tried.append((endpoint, key))
        if self.failure is not None:
            raise self.failure
        return ConnectionTrial("ready", 0.4)
