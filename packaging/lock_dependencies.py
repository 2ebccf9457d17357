"""Writes the lock files from what is installed in this Python's environment.

    .venv/bin/python packaging/lock_dependencies.py

Every package that pyproject.toml needs, with all that those need, gets the exact version that is
installed here. What only one operating system or an older Python needs gets a marker; such
packages that are not installed here are pinned in ELSEWHERE.
"""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterable, Iterator
from importlib.metadata import PackageNotFoundError, distribution, version
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parent.parent
# What pip needs to install the project itself, without the net.
BUILD = ["hatchling", "editables"]
# Pins of what other systems need and this one does not install.
ELSEWHERE = {"colorama": "0.4.6", "pywin32-ctypes": "0.2.3"}

SYSTEMS = {
    "linux": {"sys_platform": "linux", "platform_system": "Linux", "os_name": "posix"},
    "darwin": {"sys_platform": "darwin", "platform_system": "Darwin", "os_name": "posix"},
    "win32": {"sys_platform": "win32", "platform_system": "Windows", "os_name": "nt"},
}
MACHINES = {"linux": "x86_64", "darwin": "arm64", "win32": "AMD64"}
PYTHONS = ("3.11", "3.12", "3.13")
Target = tuple[str, str]
TARGETS: tuple[Target, ...] = tuple((system, python) for system in SYSTEMS for python in PYTHONS)


def _environment(target: Target, extra: str) -> dict[str, str]:
    system, python = target
    return {
        **SYSTEMS[system],
        "python_version": python,
        "python_full_version": f"{python}.0",
        "platform_machine": MACHINES[system],
        "implementation_name": "cpython",
        "platform_python_implementation": "CPython",
        "extra": extra,
    }


def _needed(requirements: Iterable[str], target: Target, extras: set[str]) -> Iterator[Requirement]:
    for text in requirements:
        requirement = Requirement(text)
        marker = requirement.marker
        if marker is None or any(
            marker.evaluate(_environment(target, extra)) for extra in ("", *extras)
        ):
            yield requirement


def _closure(roots: list[str], target: Target) -> set[str]:
    """Names of all packages that ``roots`` need on ``target``."""
    seen: dict[str, set[str]] = {}
    waiting = [(r.name, set(r.extras)) for r in _needed(roots, target, set())]
    while waiting:
        name, extras = waiting.pop()
        name = canonicalize_name(name)
        if name in seen and extras <= seen[name]:
            continue
        seen[name] = seen.get(name, set()) | extras
        try:
            requires = distribution(name).requires or []
        except PackageNotFoundError:
            continue
        waiting += [(r.name, set(r.extras)) for r in _needed(requires, target, seen[name])]
    return set(seen)


def _marker(targets: set[Target]) -> str:
    """The marker that is true on ``targets`` and nowhere else."""
    if targets == set(TARGETS):
        return ""
    systems = [system for system in SYSTEMS if any(t[0] == system for t in targets)]
    pythons = [python for python in PYTHONS if any(t[1] == python for t in targets)]
    parts = []
    if len(systems) < len(SYSTEMS):
        parts.append(" or ".join(f'sys_platform == "{system}"' for system in systems))
    if len(pythons) < len(PYTHONS):
        # Needs end with a newer Python; none of ours begins with one.
        parts.append(f'python_version <= "{pythons[-1]}"')
    if len(parts) > 1 and " or " in parts[0]:
        parts[0] = f"({parts[0]})"
    return " ; " + " and ".join(parts)


def _pin(name: str) -> str:
    try:
        # "+cpu" names a build, not a version that every index has.
        return version(name).partition("+")[0]
    except PackageNotFoundError:
        return ELSEWHERE[name]


def lock(roots: list[str], without: set[str]) -> dict[str, str]:
    """Return the line of every package that ``roots`` need, those of ``without`` left out."""
    targets: dict[str, set[Target]] = {}
    for target in TARGETS:
        for name in _closure(roots, target):
            targets.setdefault(name, set()).add(target)
    missing = [name for name in targets if name not in ELSEWHERE and not _is_installed(name)]
    if missing:
        sys.exit(f"Not installed here, so no version to pin: {', '.join(sorted(missing))}")
    return {
        name: f"{name}=={_pin(name)}{_marker(targets[name])}"
        for name in sorted(targets)
        if name not in without
    }


def _is_installed(name: str) -> bool:
    try:
        distribution(name)
    except PackageNotFoundError:
        return False
    return True


def main() -> None:
    """Write the three lock files."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
    extras = project["optional-dependencies"]
    base = lock([*project["dependencies"], *BUILD], set())
    locks = {
        "requirements.lock": base,
        "requirements-dev.lock": lock(extras["dev"], set(base)),
        "requirements-custom-models.lock": lock(extras["custom-models"], set(base)),
    }
    for name, lines in locks.items():
        head = "# Written by packaging/lock_dependencies.py; change pyproject.toml, then run it.\n"
        path = Path(__file__).resolve().parent / name
        path.write_text(head + "\n".join(lines.values()) + "\n", "utf-8")
        print(f"{path.name}: {len(lines)} packages")


if __name__ == "__main__":
    main()
