"""Model profiles and checked files as JSON, for the command line."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from phasergun_desktop.language_models.model_check import ModelCheck
from phasergun_desktop.settings.model import Generation
from phasergun_desktop.settings.model_choice import ModelProfile, ModelSource

Json = dict[str, Any]


def check_json(file: str, check: ModelCheck) -> Json:
    """Return what came of trying a model file."""
    return {"file": file, "usable": check.is_usable, **asdict(check)}


def profiles_json(generation: Generation, defaults: dict[ModelProfile, str]) -> Json:
    """Return the three profiles; ``defaults`` are the catalogue's own choices."""
    return {
        "in_use": generation.model_profile.value,
        "profiles": [
            {
                "profile": profile.value,
                "source": generation.choice(profile).source.value,
                "model": model_name(generation, profile, defaults),
                "address": _address(generation, profile),
                "consent": generation.choice(profile).endpoint.has_consent,
            }
            for profile in ModelProfile
        ],
    }


def model_name(
    generation: Generation, profile: ModelProfile, defaults: dict[ModelProfile, str]
) -> str:
    """Return the name, the file or the server's name of a profile's model."""
    choice = generation.choice(profile)
    match choice.source:
        case ModelSource.CATALOGUE:
            return choice.model or defaults[profile]
        case ModelSource.FILE:
            return choice.file
        case ModelSource.REMOTE:
            return choice.endpoint.model


def _address(generation: Generation, profile: ModelProfile) -> str:
    choice = generation.choice(profile)
    return choice.endpoint.address if choice.is_remote else ""
