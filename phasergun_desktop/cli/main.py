"""Runs one command: results to stdout, problems to stderr, exit code 0, 1 or 2."""

from __future__ import annotations

import json
import signal
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from contextlib import closing
from types import FrameType

from phasergun_desktop.cli import commands
from phasergun_desktop.cli.arguments import build_parser
from phasergun_desktop.cli.console import Console
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.wiring import Application, build_application
from phasergun_desktop.workspace.json_form import error_json

Command = Callable[[Application, Namespace, Console], int]

_COMMANDS: dict[str, Command] = {
    "index": commands.index,
    "status": commands.status,
    "search": commands.search,
    "plan": commands.plan,
    "draft": commands.draft,
    "ask": commands.ask,
    "models": commands.models,
    "log": commands.log,
}


def main(arguments: Sequence[str]) -> int:
    """Run the command named by ``arguments`` and return its exit code."""
    parser = build_parser()
    options = parser.parse_args(list(arguments))
    if options.command not in _COMMANDS:
        parser.print_help(sys.stderr)
        return 2
    console = Console(
        wants_json=bool(getattr(options, "json", False)),
        streams=bool(getattr(options, "stream", False)),
    )
    previous = signal.signal(signal.SIGINT, _interrupt(console))
    try:
        with closing(build_application(model=getattr(options, "model", None))) as application:
            return _COMMANDS[options.command](application, options, console)
    except PhaserGunError as error:
        console.problem(error)
        if console.wants_json:
            console.result(error_json(error))
        elif console.streams:
            sys.stdout.write(json.dumps({"event": "error", **error_json(error)}) + "\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Stopped.\n")
        return 1
    except BrokenPipeError:
        # The reader of our output has gone (head, less): that is its right.
        sys.stderr.close()
        return 1
    finally:
        signal.signal(signal.SIGINT, previous)


def _interrupt(console: Console) -> Callable[[int, FrameType | None], None]:
    """The first Ctrl-C asks the job to stop, the second ends the program."""

    def on_signal(_number: int, _frame: FrameType | None) -> None:
        if console.stop_requested or not console.can_stop:
            raise KeyboardInterrupt
        console.stop_requested = True

    return on_signal
