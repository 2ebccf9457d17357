"""The commands and their options."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import NoReturn

from phasergun_desktop.activity.log_export import ENDINGS
from phasergun_desktop.activity.model import ActivityKind
from phasergun_desktop.drafts.export import ExportFormat
from phasergun_desktop.errors import ProjectError
from phasergun_desktop.evaluation.grounding_run import Asked
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.retrieval.filters import Filter, FilterKey, parse_filter
from phasergun_desktop.settings.model_choice import ModelProfile

# What can be done with models, and what each needs to be told.
_MODEL_ACTIONS = {
    "list": "",
    "fetch": "NAME",
    "verify": "",
    "check": "FILE",
    "profiles": "",
    "use": "PROFILE",
    "consent": "PROFILE",
    "withdraw": "PROFILE",
    "key": "PROFILE",
}


class UsageError(Exception):
    """The command line cannot be understood: ``message`` says why, ``usage`` what is possible."""

    def __init__(self, message: str, usage: str) -> None:
        super().__init__(message)
        self.message = message
        self.usage = usage


class _Parser(argparse.ArgumentParser):
    """Raises instead of ending the program, so that wrong usage can be told as JSON too."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(message, self.format_usage())


def parse_arguments(arguments: Sequence[str]) -> argparse.Namespace:
    """Return the options of one command. Raises ``UsageError``; ``--help`` ends the program."""
    parser = _build_parser()
    options = parser.parse_args(list(arguments))
    if options.command is None:
        raise UsageError("name a command", parser.format_help())
    given = options.command == "draft" and options.plan is not None
    if given and (options.prompt_file or options.template):
        parser.error("a printed plan has its prompt: name only --plan FILE.json")
    if given and (options.profile or options.filters or options.agent):
        parser.error("a printed plan has its profile, filters and agent: give them to plan")
    asks = options.command in ("plan", "draft") and not given
    if asks and not (options.prompt_file or options.template or options.agent):
        parser.error(f"say what to {options.command}: PROMPT_FILE, --template NAME, or both")
    if options.command == "eval":
        _check_evaluation(parser, options)
    if options.command == "models":
        wanted = _MODEL_ACTIONS[options.action]
        if wanted and not options.name:
            what = "model" if options.action in ("fetch", "check") else "profile"
            parser.error(f"say which {what}: phasergun models {options.action} {wanted}")
        if (options.target or options.server_model) and options.action != "use":
            parser.error("only “phasergun models use PROFILE TARGET” takes a target")
    return options


def _check_evaluation(parser: _Parser, options: argparse.Namespace) -> None:
    """End with wrong usage where options do not go together."""
    others = (options.grounding, options.drafts, options.beir)
    lists = options.runs or options.compare
    if not options.project and not lists and all(other is None for other in others):
        parser.error("say what to evaluate: PROJECT QUESTIONS.jsonl, --beir, --grounding, --drafts")
    if options.project and any(other is not None for other in others):
        parser.error("PROJECT QUESTIONS.jsonl does not go with --beir, --grounding or --drafts")
    if options.questions and lists:
        parser.error("--runs and --compare take PROJECT alone")
    if options.answers and (lists or not options.project):
        parser.error("--answers is for eval PROJECT QUESTIONS.jsonl")
    only_drafts = options.no_llm or options.prose or options.model_profile
    if options.drafts is None and only_drafts:
        parser.error("--no-llm, --prose and --model-profile are for eval --drafts")
    if options.grounding is not None and (options.half or options.profile or options.fast):
        parser.error("--half, --profile and --fast are not for eval --grounding")
    if options.filters and not options.project:
        parser.error("--filter is for eval PROJECT QUESTIONS.jsonl")
    if options.grounding is None and options.second_opinion != Asked.NOBODY:
        parser.error("--second-opinion is for eval --grounding")


def _build_parser() -> _Parser:
    parser = _Parser(
        prog="phasergun",
        description="Drafts cited sections of submissions from a project folder, on this machine.",
        allow_abbrev=False,
    )
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")

    gui = commands.add_parser("gui", help="open the window")
    gui.add_argument("project", nargs="?", type=Path, metavar="PROJECT")

    _indexing(_with_project(commands, "index", "bring the index up to date"))
    _with_project(commands, "status", "every file and its state")

    search = _with_project(commands, "search", "find passages")
    search.add_argument("query", type=_text, metavar="QUERY")
    search.add_argument(
        "-k",
        type=_positive,
        default=0,
        metavar="N",
        help="how many hits (else the profile's limit)",
    )
    _profiled(search)

    plan = _with_project(commands, "plan", "show what a prompt would use, without drafting")
    _prompted(plan)
    _by_agent(plan, "who would write it, by name")
    _profiled(plan)

    draft = _with_project(commands, "draft", "draft a section from a prompt")
    _prompted(draft)
    draft.add_argument(
        "--plan",
        type=Path,
        metavar="FILE.json",
        help="draft word for word what is selected in a printed plan",
    )
    draft.add_argument(
        "--out", type=_export_file, metavar="FILE", help="write it to FILE (.md, .docx or .json)"
    )
    _by_agent(draft, "who writes it, by name")
    _prose(draft)
    _profiled(draft)
    _generating(draft)

    ask = _with_project(commands, "ask", "ask a question")
    ask.add_argument("question", type=_text, metavar="QUESTION")
    ask.add_argument("--conversation", type=_text, metavar="ID", help="go on with a conversation")
    _by_agent(ask, "who answers, by name")
    _worded_by(ask, "answer", "the language model words the answer")
    _profiled(ask)
    _generating(ask)

    _evaluating(commands.add_parser("eval", help="measure the product", allow_abbrev=False))

    models = commands.add_parser("models", help="the model catalogue", allow_abbrev=False)
    models.add_argument("action", nargs="?", choices=tuple(_MODEL_ACTIONS), default="list")
    models.add_argument("name", nargs="?", metavar="NAME", help="a model, a file or a profile")
    models.add_argument(
        "target", nargs="?", metavar="TARGET", help="use: a model, a .gguf file or https://HOST/v1"
    )
    models.add_argument("--server-model", metavar="NAME", help="the server's name for its model")
    _json(models)

    log = _with_project(commands, "log", "the activity log of a project")
    _logging(log)
    return parser


def _indexing(index: argparse.ArgumentParser) -> None:
    index.add_argument("--watch", action="store_true", help="go on until interrupted (Ctrl-C)")
    index.add_argument("--retry", action="store_true", help="read failed files again")
    for option, what in (
        ("--hide", "from now on hide documents that categories.yaml labels so, in everything"),
        ("--show", "hide them no longer"),
    ):
        index.add_argument(
            option,
            type=_text,
            action="append",
            default=[],
            metavar="CONFIDENTIALITY",
            help=f"{what} (may be repeated)",
        )


def _logging(log: argparse.ArgumentParser) -> None:
    log.add_argument("-n", type=_positive, default=20, metavar="N", help="how many entries")
    log.add_argument("--kind", choices=tuple(each.value for each in ActivityKind))
    log.add_argument("--since", type=_time, metavar="DATE", help="from this day (2026-01-31) on")
    log.add_argument("--until", type=_time, metavar="DATE", help="up to this day, it included")
    log.add_argument("--status", type=_text, metavar="S", help="complete, abstained, error, …")
    log.add_argument("--text", type=_text, metavar="TEXT", help="entries that hold this text")
    ways = log.add_mutually_exclusive_group()
    ways.add_argument(
        "--verify", action="store_true", help="say whether a line is missing or changed"
    )
    ways.add_argument("--export", type=_log_file, metavar="FILE", help="write it to .jsonl or .csv")
    ways.add_argument(
        "--keep-days", type=_positive, metavar="N", help="remove entries that are older"
    )
    log.add_argument(
        "--without-texts", action="store_true", help="export no questions, answers and errors"
    )
    log.add_argument(
        "--only-texts",
        action="store_true",
        help="with --keep-days: keep the entries, remove their questions, answers and errors",
    )
    log.add_argument("--yes", action="store_true", help="remove without asking")


def _evaluating(evaluation: argparse.ArgumentParser) -> None:
    evaluation.add_argument("project", type=Path, nargs="?", metavar="PROJECT")
    evaluation.add_argument(
        "questions",
        type=Path,
        nargs="?",
        metavar="QUESTIONS.jsonl",
        help="questions with their files; without it, those collected in the project",
    )
    what = evaluation.add_mutually_exclusive_group()
    what.add_argument(
        "--grounding",
        type=Path,
        metavar="PAIRS.jsonl",
        help="the support check on rows {claim, source, label}",
    )
    what.add_argument(
        "--drafts",
        type=Path,
        nargs=2,
        metavar=("PROJECT", "FACTS.jsonl"),
        help="wanted facts {prompt, fact, pattern} found in plans and drafts",
    )
    what.add_argument(
        "--beir", type=Path, metavar="FOLDER", help="search on a test collection in BEIR's layout"
    )
    what.add_argument("--runs", action="store_true", help="list the runs that were kept")
    what.add_argument(
        "--compare", type=_positive, nargs=2, metavar=("A", "B"), help="compare two runs"
    )
    evaluation.add_argument("--answers", action="store_true", help="answer the questions too")
    evaluation.add_argument(
        "--split", default="test", metavar="NAME", help="the judgments of --beir: qrels_NAME.tsv"
    )
    _profiled(evaluation)
    evaluation.add_argument(
        "--half",
        choices=tuple(each.value for each in Half),
        help="only prompts or queries whose name has an even or odd SHA-256",
    )
    _prose(evaluation)
    _model_profile(evaluation)
    evaluation.add_argument(
        "--second-opinion",
        nargs="?",
        const=Asked.DOUBTFUL.value,
        default=Asked.NOBODY.value,
        choices=(Asked.DOUBTFUL.value, Asked.ALL.value),
        help="ask the language model too: about doubtful rows, or about all (seconds a row)",
    )
    evaluation.add_argument("--model", metavar="NAME", help="a model of the catalogue, or a file")
    _json(evaluation)


def _with_project(
    commands: argparse._SubParsersAction[_Parser], name: str, text: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(name, help=text, allow_abbrev=False)
    parser.add_argument("project", type=Path, metavar="PROJECT")
    _json(parser)
    return parser


def _prompted(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("prompt_file", type=Path, nargs="?", metavar="PROMPT_FILE")
    parser.add_argument(
        "--template",
        type=_text,
        metavar="NAME",
        help="the outline of a section; without PROMPT_FILE it is made from the whole project",
    )


def _profiled(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--profile", default="", metavar="P", help="this profile, not the project's"
    )
    parser.add_argument(
        "--filter",
        type=_filter,
        action="append",
        default=[],
        dest="filters",
        metavar="KEY=VALUE",
        help=f"only documents with this {', '.join(FilterKey)} (may be repeated)",
    )
    parser.add_argument("--fast", action="store_true", help="without reranking")


def _by_agent(parser: argparse.ArgumentParser, what: str) -> None:
    parser.add_argument("--agent", type=_named, default="", metavar="A", help=what)


def _prose(parser: argparse.ArgumentParser) -> None:
    _worded_by(parser, "draft", "the language model joins the paragraphs of drafts")


def _worded_by(parser: argparse.ArgumentParser, what: str, prose: str) -> None:
    ways = parser.add_mutually_exclusive_group()
    ways.add_argument(
        "--no-llm", action="store_true", help=f"{what} in the words of the sources (the default)"
    )
    ways.add_argument(
        "--prose", action="store_true", help=f"{prose} (so do --model, --model-profile)"
    )


def _generating(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--model", metavar="NAME", help="a model of the catalogue, or a file")
    _model_profile(parser)
    parser.add_argument("--stream", action="store_true", help="JSON lines while it is written")


def _model_profile(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--model-profile",
        choices=tuple(each.value for each in ModelProfile),
        help="this model profile, whatever the settings say",
    )


def _json(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="one JSON object on stdout")


def _text(argument: str) -> str:
    """What a shell hands over may hold bytes that are no text."""
    text = argument.encode("utf-8", "replace").decode("utf-8").strip()
    if not text:
        raise argparse.ArgumentTypeError("must not be empty")
    return text


def _named(argument: str) -> str:
    # The empty default comes through here too.
    return _text(argument) if argument else ""


def _filter(argument: str) -> Filter:
    try:
        return parse_filter(_text(argument))
    except ProjectError as error:
        raise argparse.ArgumentTypeError(f"{error.message} {error.remedy}") from error


def _time(text: str) -> str:
    try:
        datetime.fromisoformat(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("must be a day such as 2026-01-31") from error
    return text


def _log_file(text: str) -> Path:
    path = Path(text)
    if path.suffix.lower() not in ENDINGS:
        raise argparse.ArgumentTypeError(f"must end in {' or '.join(ENDINGS)}")
    return path


def _positive(text: str) -> int:
    try:
        number = int(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError("must be a whole number") from error
    if number < 1:
        raise argparse.ArgumentTypeError("must be 1 or more")
    return number


def _export_file(text: str) -> Path:
    path = Path(text)
    endings = [each.value for each in ExportFormat]
    if path.suffix.lower() not in endings:
        raise argparse.ArgumentTypeError(f"must end in {', '.join(endings)}")
    return path
