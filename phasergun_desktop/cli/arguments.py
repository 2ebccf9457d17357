"""The commands and their options."""

from __future__ import annotations

import argparse
from pathlib import Path


def build_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line; wrong usage exits with 2."""
    parser = argparse.ArgumentParser(
        prog="phasergun",
        description="Drafts cited sections of submissions from a project folder, on this machine.",
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    gui = commands.add_parser("gui", help="open the window")
    gui.add_argument("project", nargs="?", type=Path, metavar="PROJECT")

    index = _with_project(commands, "index", "bring the index up to date")
    index.add_argument("--watch", action="store_true", help="go on until interrupted")

    _with_project(commands, "status", "every file and its state")

    search = _with_project(commands, "search", "find passages")
    search.add_argument("query", metavar="QUERY")
    search.add_argument("-k", type=_positive, default=10, metavar="N", help="how many hits")

    plan = _with_project(commands, "plan", "show what a prompt would use, without drafting")
    plan.add_argument("prompt_file", type=Path, metavar="PROMPT_FILE")

    draft = _with_project(commands, "draft", "draft a section from a prompt")
    draft.add_argument("prompt_file", type=Path, metavar="PROMPT_FILE")
    draft.add_argument("--out", type=Path, metavar="FILE", help="write .md, .docx or .json")
    _generating(draft)

    ask = _with_project(commands, "ask", "ask a question")
    ask.add_argument("question", metavar="QUESTION")
    _generating(ask)

    models = commands.add_parser("models", help="the model catalogue")
    models.add_argument("action", nargs="?", choices=("list", "fetch", "verify"), default="list")
    models.add_argument("name", nargs="?", metavar="NAME")
    _json(models)

    log = _with_project(commands, "log", "the activity log of a project")
    log.add_argument("-n", type=_positive, default=20, metavar="N", help="how many entries")
    return parser


def _with_project(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text)
    parser.add_argument("project", type=Path, metavar="PROJECT")
    _json(parser)
    return parser


def _generating(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--no-llm", action="store_true", help="verbatim passages, no model")
    parser.add_argument("--model", metavar="NAME", help="a model of the catalogue, or a file")
    parser.add_argument("--stream", action="store_true", help="JSON lines while it is written")


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number
