"""Splits "window" from "command": without a command the window opens."""

from __future__ import annotations

import os
import sys

from phasergun_desktop.cli.arguments import UsageError, parse_arguments
from phasergun_desktop.documents.isolated.child import CHILD_ARGUMENT
from phasergun_desktop.documents.isolated.child import main as read_documents
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.evaluation.pattern_child import CHILD_ARGUMENT as PATTERN_ARGUMENT
from phasergun_desktop.evaluation.pattern_child import main as search_patterns
from phasergun_desktop.language_models.model_check_child import (
    CHILD_ARGUMENT as MODEL_CHECK_ARGUMENT,
)
from phasergun_desktop.language_models.model_check_child import main as check_model
from phasergun_desktop.logs import start_logging, stop_logging
from phasergun_desktop.paths import user_places

_NO_WINDOW = "The commands work without one: phasergun --help."


def main() -> int:
    """Run the product; the exit code is 0, 1 (a problem to mend) or 2 (wrong usage)."""
    arguments = sys.argv[1:] or ["gui"]
    if arguments[0] == CHILD_ARGUMENT:
        # A frozen program starts itself to read documents apart.
        return read_documents(arguments[1:])
    if arguments[0] == MODEL_CHECK_ARGUMENT:
        # Likewise to try a model file, which may be damaged.
        return check_model(arguments[1:])
    if arguments[0] == PATTERN_ARGUMENT:
        # And to search for a regular expression, which may never end.
        return search_patterns()
    if arguments[0] != "gui":
        return _command(arguments)
    try:
        options = parse_arguments(arguments)
    except UsageError:
        return _command(arguments)
    if not _has_screen():
        sys.stderr.write(f"There is no screen to open the window on. {_NO_WINDOW}\n")
        return 1
    logging_to = start_logging(user_places().data / "logs")
    try:
        # Qt is imported for the window only: a command starts without it.
        from phasergun_desktop.app import main as window  # noqa: PLC0415

        return window(options.project)
    except PhaserGunError as error:
        sys.stderr.write(f"{error.title}: {error.message} {error.remedy}\n")
    except ImportError as error:
        # Absent, or a library of the system that Qt needs is.
        if "PySide6" not in str(error.name) and "lib" not in str(error):
            raise
        sys.stderr.write(
            f"The window cannot be opened: {error}. Run packaging/bootstrap.py install. "
            f"{_NO_WINDOW}\n"
        )
    finally:
        stop_logging(logging_to)
    return 1


def _command(arguments: list[str]) -> int:
    """Run a command, or report wrong usage as commands do."""
    # The window has no use for it, and would wait half a second for its imports.
    from phasergun_desktop.cli.main import main as command  # noqa: PLC0415

    return command(arguments)


def _has_screen() -> bool:
    """Qt ends the program with a core dump where there is no screen; macOS and Windows have one."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return not sys.platform.startswith("linux") or any(os.environ.get(name) for name in names)


if __name__ == "__main__":
    sys.exit(main())
