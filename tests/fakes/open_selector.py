"""The shipped selector without its gaps: hashed vectors tell nothing of what answers."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.selector import SELECTOR_FILE, Selector, load_selector


def open_selector() -> Selector:
    """Return the selector by which every need with a unit is answered."""
    shipped = load_selector(resources_path() / "models" / SELECTOR_FILE)
    return replace(shipped, answered_from=0.0)
