"""Puts ``resources/`` inside the package in a wheel, and only there."""

from __future__ import annotations

from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ResourcesHook(BuildHookInterface[Any]):
    """An editable install would get a copy that grows old; it finds the folder itself."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Called by hatchling; ``version`` is ``editable`` or ``standard``."""
        if version != "editable":
            build_data["force_include"]["resources"] = "phasergun_desktop/resources"
