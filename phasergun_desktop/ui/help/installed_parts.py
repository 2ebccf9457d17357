"""What the product consists of on this computer: its version and libraries, with their licences."""

from __future__ import annotations

import platform
import re
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from PySide6.QtCore import qVersion

from phasergun_desktop.paths import Places, resources_path

PRODUCT = "phasergun-desktop"
_LONGEST_LICENCE = 60


@dataclass(frozen=True, slots=True)
class InstalledPart:
    """A library that is installed beside the product."""

    name: str
    version: str
    licence: str


def product_version() -> str:
    """Return the version; "a checkout" where the product was never installed."""
    try:
        return metadata.version(PRODUCT)
    except metadata.PackageNotFoundError:
        return "a checkout"


def versions_line() -> str:
    """Return what the product runs on."""
    python, system = platform.python_version(), platform.platform(terse=True)
    return f"PhaserGun Desktop {product_version()}, Python {python}, Qt {qVersion()}, {system}"


def installed_parts() -> tuple[InstalledPart, ...]:
    """Return the libraries that the product needs, and those that they need, by name."""
    found: dict[str, InstalledPart] = {}
    waiting = _needed(PRODUCT)
    while waiting:
        name = waiting.pop()
        try:
            about = metadata.metadata(name)
        except metadata.PackageNotFoundError:
            continue
        own = about["Name"]
        if own.lower() not in found:
            found[own.lower()] = InstalledPart(own, about["Version"], _licence(about))
            waiting += _needed(name)
    return tuple(found[name] for name in sorted(found))


def notice() -> str:
    """Return the notice on what is bundled: beside the resources, or with the installed product."""
    beside = resources_path().parent / "NOTICE"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        files = metadata.files(PRODUCT) or []
    except metadata.PackageNotFoundError:
        files = []
    kept = next((one for one in files if one.name == "NOTICE"), None)
    return kept.read_text(encoding="utf-8") if kept is not None else ""


def folders(places: Places) -> tuple[tuple[str, Path], ...]:
    """Return where the product keeps what, in words."""
    return (
        ("Drafts, versions and logs", places.data),
        ("Index (can be made again)", places.cache),
        ("Settings, templates, profiles", places.config),
        ("Language models", places.models),
    )


def _needed(name: str) -> list[str]:
    try:
        wanted = metadata.requires(name) or []
    except metadata.PackageNotFoundError:
        return []
    always = [one for one in wanted if "extra ==" not in one]
    return [re.split(r"[^A-Za-z0-9._-]", one, maxsplit=1)[0] for one in always]


def _licence(about: metadata.PackageMetadata) -> str:
    said, whole = ((about.get_all(key) or [""])[0] for key in ("License-Expression", "License"))
    classified = [
        one.rpartition(" :: ")[2]
        for one in about.get_all("Classifier") or []
        if one.startswith("License :: ") and not one.endswith("OSI Approved")
    ]
    # Some put the whole text of the licence there.
    short = whole.strip().split("\n")[0]
    named = ", ".join(classified) or (short if len(short) <= _LONGEST_LICENCE else "")
    return said or named or "see its .dist-info folder"
