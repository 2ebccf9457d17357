"""A note in ``.venv`` of what the last complete set-up was made from; a second run trusts it."""

from __future__ import annotations

import hashlib
import json
import sys
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from setup_steps.places import Checkout, models_folder


def _project_table(checkout: Checkout) -> bytes:
    """The part of pyproject.toml that the installation depends on."""
    content = tomllib.loads((checkout.root / "pyproject.toml").read_text("utf-8"))
    return json.dumps([content["project"], content["build-system"]], sort_keys=True).encode()


def digest_of_inputs(checkout: Checkout, extras: Iterable[str], wheel_keys: Iterable[str]) -> str:
    """A digest of everything that decides what a set-up does."""
    digest = hashlib.sha256()
    version = ".".join(map(str, sys.version_info[:3]))
    for word in (str(checkout.root), version, *wheel_keys):
        digest.update(word.encode() + b"\0")
    digest.update(_project_table(checkout))
    digest.update(checkout.catalogue.read_bytes())
    for extra in ("", *sorted(extras)):
        digest.update(checkout.lock_file(extra).read_bytes())
    return digest.hexdigest()


def wanted_models(checkout: Checkout, groups: Iterable[str]) -> list[tuple[Path, int]]:
    """File and size of every model that a set-up with these groups brings."""
    groups = set(groups)
    entries = tomllib.loads(checkout.catalogue.read_text("utf-8"))["model"]
    return [
        (models_folder() / entry["file"], int(entry["bytes"]))
        for entry in entries
        if entry["install"] in groups
    ]


def models_are_here(checkout: Checkout, groups: Iterable[str]) -> bool:
    """Whether every wanted model file has its size."""
    for path, size in wanted_models(checkout, groups):
        try:
            if path.stat().st_size != size:
                return False
        except OSError:
            return False
    return True


class Stamp:
    """The note, one digest for every set of extras that was completed."""

    def __init__(self, checkout: Checkout) -> None:
        self._path = checkout.venv / "phasergun-setup.json"

    def _read(self) -> dict[str, str]:
        with suppress(OSError, ValueError):
            noted = json.loads(self._path.read_text("ascii"))
            if isinstance(noted, dict):
                return {str(key): str(value) for key, value in noted.items()}
        return {}

    def holds(self, extras: Iterable[str], digest: str) -> bool:
        """Whether the set-up with these extras was completed from these inputs."""
        return self._read().get("+".join(sorted(extras))) == digest

    def write(self, extras: Iterable[str], digest: str) -> None:
        """Note that it was completed."""
        noted = {**self._read(), "+".join(sorted(extras)): digest}
        self._path.write_text(json.dumps(noted, indent=1), "ascii")

    def proven(self, wheel_key: str) -> bool:
        """Whether this build of the language model library has generated a token here."""
        return self._read().get("proven") == wheel_key

    def write_proof(self, wheel_key: str) -> None:
        """Note that it has."""
        self._path.write_text(json.dumps({**self._read(), "proven": wheel_key}, indent=1), "ascii")
