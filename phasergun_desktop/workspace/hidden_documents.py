"""Nothing of what the project's confidentiality setting hides is searched, planned or exported."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from phasergun_desktop.activity.model import ActivityEntry, ActivityKind
from phasergun_desktop.conversations.model import Conversation, Turn
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.errors import ExportError, ProjectError
from phasergun_desktop.evaluation.json_lines import EvaluationFileError, Rows
from phasergun_desktop.evaluation.questions import JudgedQuestion
from phasergun_desktop.evaluation.run_store import EvaluationRun
from phasergun_desktop.index.records import DocumentRecord, FileRecord
from phasergun_desktop.references.hidden_names import SHOW_AGAIN
from phasergun_desktop.sync.hidden_files import hidden_among, hidden_names

_WITHHELD = (
    "This answer cites a document that is hidden by the project's confidentiality setting. "
    f"{SHOW_AGAIN}"
)
_BY_SETTING = "hidden by the project's confidentiality setting"


class HiddenDraftError(ProjectError):
    """A draft shows passages of a document that is hidden."""


def require_hidden(documents: Iterable[DocumentRecord], labels: frozenset[str]) -> None:
    """Raise ``ProjectError`` while documents of the index have one of ``labels``: the setting is
    newer than the index."""
    found = hidden_among(documents, labels)
    if found:
        what = "1 document is" if len(found) == 1 else f"{len(found)} documents are"
        raise ProjectError(
            "Documents are still to be hidden",
            f"{what} hidden by the project's confidentiality setting, but still in the index.",
            "Wait until the index is up to date; where another PhaserGun has the project open, "
            "close it.",
        )


def cited_by_draft(entries: Iterable[ActivityEntry]) -> dict[str, set[str]]:
    """Return the files that each draft cites by any of ``entries``: those of its rewriting and
    editing name none."""
    found: dict[str, set[str]] = {}
    for said in (each.activity for each in entries):
        if said.subject and said.citations:
            found.setdefault(said.subject, set()).update(one.file for one in said.citations)
    return found


def without_hidden_texts(
    entry: ActivityEntry, hidden: frozenset[str], by_draft: Mapping[str, set[str]]
) -> ActivityEntry:
    """Return an entry of the log without what it says of ``hidden`` files, and without its answer
    where it, or its draft (see ``cited_by_draft``), cites one."""
    said = entry.activity
    shown = tuple(each for each in said.citations if each.file not in hidden)
    is_shown = shown == said.citations and not _quoted(said.answer, hidden)
    if is_shown and hidden.isdisjoint(by_draft.get(said.subject, ())):
        return entry
    # Of an edit that is the text before.
    is_text = said.kind in (ActivityKind.EDIT, ActivityKind.ACCEPT)
    prompt = "" if is_text else said.prompt
    return replace(
        entry, activity=replace(said, prompt=prompt, citations=shown, answer="", errors=())
    )


def require_exportable(
    cited: Iterable[str], files: Iterable[FileRecord], texts: Iterable[str] = ()
) -> None:
    """Raise ``ExportError`` where ``cited`` are hidden now, or one of the answers ``texts``
    quotes what is."""
    hidden = frozenset(hidden_names(files))
    held = set(cited) & hidden
    for text in texts:
        held |= _quoted(text, hidden)
    if held:
        what = "a document that is" if len(held) == 1 else f"{len(held)} documents that are"
        raise ExportError(
            "Neither exported nor printed",
            f"This cites {what} hidden by the project's confidentiality setting.",
            f"Take what cites it out and try again. {SHOW_AGAIN}",
        )


def files_of(draft: Draft) -> set[str]:
    """Return the files of which a draft shows passages."""
    sides = (side.file for one in draft.discrepancies for side in one.sides)
    return {note.file for note in draft.footnotes} | set(sides)


def require_shown(draft: Draft, files: Iterable[FileRecord]) -> None:
    """Raise ``HiddenDraftError`` where ``draft`` shows passages of what is hidden now."""
    held = files_of(draft) & set(hidden_names(files))
    if held:
        what = "a document that is" if len(held) == 1 else f"{len(held)} documents that are"
        raise HiddenDraftError(
            "Draft not shown",
            f"“{draft.title}” cites {what} {_BY_SETTING}. It is kept as it is.",
            SHOW_AGAIN,
        )


def without_hidden_questions(
    rows: Rows[JudgedQuestion], hidden: frozenset[str]
) -> Rows[JudgedQuestion]:
    """Return ``rows`` without the questions that name ``hidden`` files, which ``bad`` counts.
    Raises ``EvaluationFileError`` where none is left."""
    shown = tuple(each for each in rows.rows if hidden.isdisjoint(each.files))
    left_out = len(rows.rows) - len(shown)
    if not left_out:
        return rows
    what = "1 question names" if left_out == 1 else f"{left_out} questions name"
    what += f" a document that is {_BY_SETTING}."
    if not shown:
        raise EvaluationFileError("No questions", what, SHOW_AGAIN)
    return Rows(shown, (*rows.bad, what), rows.sha256)


def without_hidden_rows(run: EvaluationRun, hidden: frozenset[str]) -> EvaluationRun:
    """Return a kept run without its questions that name, found or cited ``hidden`` files; its
    figures stay."""
    report = json.loads(run.report)
    rows = [each for each in report.get("questions", ()) if not _names(each, hidden)]
    if len(rows) == len(report.get("questions", ())):
        return run
    return replace(run, report=json.dumps(report | {"questions": rows}, ensure_ascii=False))


def _names(row: Mapping[str, Any], hidden: frozenset[str]) -> bool:
    files = {file for key in ("files", "found", "cited") for file in row.get(key, ())}
    return bool(files & hidden or _quoted(str(row.get("answer", "")), hidden))


def stands_in(words: str, conversation: Conversation) -> bool:
    """Whether all of ``words`` stand in what a conversation shows: its title, questions and
    answers."""
    shown = [conversation.title]
    for turn in conversation.turns:
        shown += [turn.question.text, turn.text]
    folded = [text.casefold() for text in shown]
    return all(any(word in text for text in folded) for word in words.casefold().split())


def without_hidden_answer(turn: Turn, hidden: frozenset[str]) -> Turn:
    """Return ``turn`` without its answer where that cites one of ``hidden``, and without the
    passages of these that it does not cite."""
    turn = replace(turn, unused=tuple(each for each in turn.unused if each.file not in hidden))
    if hidden.isdisjoint(n.file for n in turn.footnotes) and not _quoted(turn.text, hidden):
        return turn
    return replace(
        turn,
        text="",
        sentences=(),
        footnotes=(),
        confidence=None,
        band="",
        warnings=(),
        error=_WITHHELD,
    )


def _quoted(answer: str, files: frozenset[str]) -> set[str]:
    """Return which of ``files`` a refusal quotes: what is nearest stands with its file in it."""
    return {file for file in files if f"({file})" in answer}
