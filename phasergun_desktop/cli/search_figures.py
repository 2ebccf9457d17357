"""The command that measures search and answers on questions whose documents are known."""

from __future__ import annotations

import math
from argparse import Namespace

from phasergun_desktop.cli.console import Console
from phasergun_desktop.cli.prompt_input import bring_up_to_date, opened
from phasergun_desktop.errors import StorageError
from phasergun_desktop.evaluation.collection_run import CollectionAsked, collection_json
from phasergun_desktop.evaluation.metrics import Estimate
from phasergun_desktop.evaluation.question_run import (
    QuestionEvaluation,
    QuestionsAsked,
    questions_json,
)
from phasergun_desktop.evaluation.question_set import OWN_QUESTIONS
from phasergun_desktop.evaluation.questions import read_questions
from phasergun_desktop.evaluation.searching import SearchFigures
from phasergun_desktop.evaluation.wanted_facts import Half
from phasergun_desktop.wiring import Application
from phasergun_desktop.workspace.respondent import Manner, Respondent
from phasergun_desktop.workspace.session_drafts import not_kept


def evaluate_collection(application: Application, options: Namespace, console: Console) -> int:
    """Search a test collection for its queries."""
    half = Half(options.half) if options.half else None
    evaluation = application.collections(options.profile)
    asked = CollectionAsked(options.beir, options.split, half, options.fast)
    report = console.run(evaluation.run(asked))
    for sentence in report.bad:
        console.warn(sentence)
    try:
        evaluation.keep(report)
    except StorageError as error:
        console.warn(not_kept(error, "This run"))
    if console.wants_json:
        console.result(collection_json(report))
        return 0
    console.say(
        f"{len(report.questions)} queries on {report.documents} documents, "
        f"{report.indexing_s:.1f} s of indexing and {report.seconds:.1f} s of searching"
    )
    say_figures(console, report.figures)
    return 0


def evaluate_questions(application: Application, options: Namespace, console: Console) -> int:
    """Search a project for questions, and answer them where that is wanted."""
    with opened(application, options.project, console) as session:
        rows = read_questions(options.questions) if options.questions else None
        bring_up_to_date(session, console)
        rows = session.shown_questions(rows) if rows is not None else session.question_rows()
        evaluation = QuestionEvaluation(session.runs_file)
        asked = QuestionsAsked(
            options.questions.name if options.questions else OWN_QUESTIONS,
            rows,
            answers=options.answers,
            half=Half(options.half) if options.half else None,
        )
        manner = Manner(options.profile, tuple(options.filters), options.fast)
        respondent = Respondent(session, manner, lambda: console.stop_requested)
        report = console.run(evaluation.run(asked, respondent))
        for sentence in report.bad:
            console.warn(sentence)
        try:
            evaluation.keep(report)
        except StorageError as error:
            console.warn(not_kept(error, "This run"))
    if console.wants_json:
        console.result(questions_json(report))
        return 0
    console.say(f"{len(report.questions)} questions, {report.seconds:.1f} s")
    say_figures(console, report.search)
    for name, each in report.answers if options.answers else ():
        console.say(f"{name.replace('_', ' '):18} {in_words(each)}")
    return 0


def say_figures(console: Console, figures: SearchFigures) -> None:
    """Print the figures of searches with their intervals."""
    for name, each in figures.ranking:
        console.say(f"{name:18} {in_words(each)}")
    for name, each in figures.latency:
        console.say(f"latency {name:10} {each.value:.0f} ms  [{each.low:.0f}, {each.high:.0f}]")


def in_words(figure: Estimate) -> str:
    """Return a figure with its interval."""
    if not math.isfinite(figure.value):
        return "not defined (a class is absent)"
    return f"{figure.value:.3f}  [{figure.low:.3f}, {figure.high:.3f}]"
