"""The set-up from its arguments to its exit code."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from setup_steps import main_job, system_packages
from setup_steps.checks import run_checks
from setup_steps.environment import Environment
from setup_steps.native_wheels import NativeWheel, prove
from setup_steps.places import Checkout, models_folder
from setup_steps.processor import LIMITS, this_processor
from setup_steps.stamp import Stamp, digest_of_inputs, models_are_here
from setup_steps.terminal import SetupError, Terminal

# The small model proves the library in a second; the one that writes would take ten.
PROOF_MODEL = "SmolLM2-135M-Instruct.Q4_1.gguf"
INTERRUPTED = 130


@dataclass(frozen=True)
class Wishes:
    """What was asked for on the command line."""

    command: str
    project: Path | None
    pytest_words: Sequence[str]
    extras: tuple[str, ...]
    offline: bool
    processor_limit: str


def parse(words: Sequence[str]) -> Wishes:
    """Read the command line; exits with 2 when it is not understood."""
    parser = argparse.ArgumentParser(
        prog="bootstrap.py", description="Set PhaserGun Desktop up, then run or test it."
    )
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--with", dest="extras", action="append", default=[], choices=["custom-models"],
        help="install this extra too (custom-models: sentence-transformers and torch)",
    )  # fmt: skip
    shared.add_argument(
        "--offline", action="store_true", help="use only what is there; name what is missing"
    )
    shared.add_argument(
        "--processor", choices=LIMITS, default="auto",
        help="build the native libraries for fewer instructions than this processor has",
    )  # fmt: skip
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    run = commands.add_parser("run", parents=[shared], help="set up, then open the window")
    run.add_argument("project", nargs="?", type=Path, metavar="PROJECT")
    test = commands.add_parser("test", parents=[shared], help="set up, then run all checks")
    test.add_argument("pytest_words", nargs="*", metavar="PYTEST_ARGUMENT")
    commands.add_parser("install", parents=[shared], help="set up and stop")
    known = parser.parse_args(words)
    extras = {*known.extras, *(["dev"] if known.command == "test" else [])}
    return Wishes(
        command=known.command,
        project=getattr(known, "project", None),
        pytest_words=getattr(known, "pytest_words", []),
        extras=tuple(sorted(extras)),
        offline=known.offline,
        processor_limit=known.processor,
    )


def set_up(checkout: Checkout, terminal: Terminal, wishes: Wishes) -> None:
    """Do what is missing; quick when nothing is. Raises ``SetupError``."""
    needs_qt = wishes.command == "test" or (
        wishes.command == "run" and not main_job.why_no_window(sys.platform, os.environ)
    )
    system_packages.provide(
        checkout,
        terminal,
        offline=wishes.offline,
        needs_qt=needs_qt,
        for_tests=wishes.command == "test",
    )
    environment = Environment(checkout, terminal, offline=wishes.offline)
    processor = this_processor().limited(wishes.processor_limit)
    keys = [wheel.key for wheel in environment.native_wheels(processor)]
    digest = digest_of_inputs(checkout, wishes.extras, keys)
    groups = ["always", *wishes.extras]
    stamp = Stamp(checkout)
    if (
        checkout.python.exists()
        and stamp.holds(wishes.extras, digest)
        and stamp.proven(keys[0])
        and models_are_here(checkout, groups)
    ):
        return
    terminal.say(f"Setting up {checkout.root}")
    environment.make()
    environment.install(wishes.extras)
    llama = environment.install_native(processor)
    environment.install_project()
    _fetch_models(checkout, groups, offline=wishes.offline)
    _prove(checkout, terminal, stamp, llama)
    stamp.write(wishes.extras, digest)
    terminal.done("Set-up complete")


def _fetch_models(checkout: Checkout, groups: Sequence[str], *, offline: bool) -> None:
    words = [str(checkout.python), "-m", "setup_steps.fetch_models", *groups]
    if offline:
        words.append("--offline")
    code = subprocess.run(words, cwd=checkout.packaging, check=False).returncode
    if code == INTERRUPTED:
        raise KeyboardInterrupt
    if code != 0:
        # The child has said what and how.
        raise SetupError(
            "The model files are not complete.",
            "Do what is said above, then run the command again.",
        )


def _prove(checkout: Checkout, terminal: Terminal, stamp: Stamp, llama: NativeWheel) -> None:
    if not stamp.proven(llama.key):
        prove(checkout, llama, models_folder() / PROOF_MODEL, terminal)
        stamp.write_proof(llama.key)


def main(words: Sequence[str], root: Path) -> int:
    """Return the exit code: 0 done, 1 a problem in one sentence, 2 wrong usage, 130 Ctrl-C."""
    for stream in (sys.stdout, sys.stderr):
        # A log in an old encoding must not end the set-up.
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
    terminal = Terminal()
    wishes = parse(words)
    checkout = Checkout(root)
    try:
        set_up(checkout, terminal, wishes)
        if wishes.command == "test":
            return run_checks(checkout, terminal, wishes.pytest_words)
        if wishes.command == "run":
            return main_job.start(checkout, terminal, wishes.project)
        terminal.done("Everything is set up")
    except SetupError as error:
        terminal.say(f"Stopped: {error.message}")
        terminal.say(f"Remedy:  {error.remedy}")
        return 1
    except OSError as error:
        terminal.say(f"Stopped: {error.filename or 'a file'} cannot be used ({error.strerror}).")
        terminal.say("Remedy:  Check the disk's room and rights, then run the same command again.")
        return 1
    except KeyboardInterrupt:
        terminal.say("Stopped by you; the same command continues where it was.")
        return INTERRUPTED
    return 0
