"""Runs one command: results to stdout, problems to stderr, exit code 0, 1 or 2."""

from __future__ import annotations

import errno
import io
import logging
import os
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import closing
from types import FrameType

from phasergun_desktop.cli import (
    activity_log,
    asking,
    commands,
    drafting,
    evaluation,
    language_models,
)
from phasergun_desktop.cli.arguments import UsageError, parse_arguments
from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import Cancelled, PhaserGunError, StorageError
from phasergun_desktop.logs import LOG_FILE, start_logging, stop_logging
from phasergun_desktop.paths import user_places
from phasergun_desktop.settings.model_choice import ModelProfile
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.json_form import error_json, stopped_json

Command = Callable[[Application, Namespace, Console], int]

_COMMANDS: dict[str, Command] = {
    "index": commands.index,
    "status": commands.status,
    "search": commands.search,
    "plan": commands.plan,
    "draft": drafting.draft,
    "ask": asking.ask,
    "eval": evaluation.evaluate,
    "models": language_models.models,
    "log": activity_log.log,
}
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT)
_log = logging.getLogger(__name__)


def main(arguments: Sequence[str]) -> int:
    """Run the command named by ``arguments`` and return its exit code."""
    _print_any_text("--json" in arguments or "--stream" in arguments)
    options = read_arguments(arguments)
    if isinstance(options, int):
        return options
    console = Console(wants_json=options.json, streams=bool(getattr(options, "stream", False)))
    logging_to = start_logging(user_places().data / "logs")
    previous = signal.signal(signal.SIGINT, _interrupt(console))
    try:
        code = _run(options, console)
        console.print_result()
        return code
    except BrokenPipeError:
        # The reader of our output has gone (head, less): that is its right. What is still
        # buffered must go somewhere, or Python complains at its end.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    finally:
        signal.signal(signal.SIGINT, previous)
        stop_logging(logging_to)


def read_arguments(arguments: Sequence[str]) -> Namespace | int:
    """Return the options, or 2 after wrong usage has been reported."""
    try:
        return parse_arguments(arguments)
    except UsageError as error:
        sys.stderr.write(f"{error.usage.rstrip()}\nphasergun: {error.message}\n")
        if "--json" in arguments or "--stream" in arguments:
            console = Console(wants_json=True, streams="--stream" in arguments)
            usage = " ".join(error.usage.split())
            _report(console, PhaserGunError("Wrong usage", f"{error.message}.", usage))
            console.print_result()
        return 2


def _run(options: Namespace, console: Console) -> int:
    try:
        model = getattr(options, "model", None)
        named = getattr(options, "model_profile", None)
        profile = ModelProfile(named) if named else None
        with closing(build_application(model=model, model_profile=profile)) as application:
            for notice in application.workspace.settings.notices:
                console.note(f"warning: {notice}")
            return _COMMANDS[options.command](application, options, console)
    except PhaserGunError as error:
        console.problem(error)
        _report(console, error)
    except (KeyboardInterrupt, Cancelled):
        console.note("Stopped.")
        if console.streams:
            console.stream("error", **stopped_json())
        elif console.wants_json:
            console.result(stopped_json())
    except BrokenPipeError:
        raise
    except Exception as error:  # noqa: BLE001 - the last stop before a traceback
        told = _unexpected(error)
        console.problem(told)
        _report(console, told)
    return 1


def _report(console: Console, error: PhaserGunError) -> None:
    if console.streams:
        console.stream("error", **error_json(error))
    elif console.wants_json:
        console.result(error_json(error))


def _unexpected(error: Exception) -> PhaserGunError:
    """Whatever was not foreseen is our bug, unless the disk is full: one honest sentence."""
    if isinstance(error, OSError) and error.errno in _NO_ROOM:
        return StorageError(
            "Disk full",
            "There is no room left on a disk that PhaserGun writes to.",
            "Free some space, then try again.",
        )
    _log.error("Unexpected error", exc_info=error)
    return PhaserGunError(
        "Unexpected error",
        f"Something went wrong inside PhaserGun ({type(error).__name__}).",
        f"Your files are untouched; what happened is in {user_places().data / 'logs' / LOG_FILE}.",
    )


def _print_any_text(is_json: bool) -> None:
    """Let nothing that a document or a file name holds stop the output; JSON is UTF-8."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            if is_json:
                stream.reconfigure(encoding="utf-8", errors="backslashreplace")
            else:
                stream.reconfigure(errors="backslashreplace")


def _interrupt(console: Console) -> Callable[[int, FrameType | None], None]:
    """The first Ctrl-C asks the job to stop, the second ends the program."""

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if console.stop_requested or not console.can_stop:
            raise KeyboardInterrupt
        console.stop_requested = True

    return on_signal
