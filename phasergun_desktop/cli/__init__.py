"""The command line: the same engine without a window."""

from __future__ import annotations

from phasergun_desktop.cli.main import main

__all__ = ["main"]
