"""Splits "window" from "command": without a command the window opens."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Run the product; the exit code is 0, 1 (a problem to mend) or 2 (wrong usage)."""
    arguments = sys.argv[1:]
    if not arguments or arguments[0] == "gui":
        # Qt is imported for the window only: a command starts without it.
        from phasergun_desktop.app import main as window  # noqa: PLC0415

        return window(Path(arguments[1]) if len(arguments) > 1 else None)
    from phasergun_desktop.cli import main as command  # noqa: PLC0415

    return command(arguments)


if __name__ == "__main__":
    sys.exit(main())
