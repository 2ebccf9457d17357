"""A document that is removed while a draft is written is a problem with a remedy."""

from __future__ import annotations

import pytest

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import AnswerResult, AnswerStatus, UnitBound
from tests.fakes.warmer_project import TEST_REPORT

PROMPT = (
    "Write the Performance section: which text the display shows; alarm behaviour; "
    "electrical safety."
)


def _remove(session: ProjectSession, file: str) -> None:
    (session.project.root / file).unlink()
    run_to_end(session.sync())


def test_a_document_that_is_gone_is_told(session: ProjectSession) -> None:
    documents = session._proof()._documents
    record = next(one for one in session.documents() if one.file == TEST_REPORT)
    assert documents.parsed(record.document_id).text
    _remove(session, TEST_REPORT)
    with pytest.raises(ProjectError, match="A source is gone") as caught:
        documents.parsed(record.document_id)
    assert caught.value.remedy


def test_a_draft_whose_source_goes_keeps_what_was_written(session: ProjectSession) -> None:
    plan = session.plan(PROMPT)
    job = session.draft(plan, should_stop=lambda: False, use_model=False)
    result: AnswerResult | None = None
    is_removed = False
    try:
        while True:
            event = next(job)
            if isinstance(event, UnitBound) and event.footnotes and not is_removed:
                _remove(session, TEST_REPORT)
                is_removed = True
    except StopIteration as stop:
        result = stop.value
    assert result is not None
    assert result.status is AnswerStatus.ERROR
    assert result.error is not None
    assert result.error.title == "A source is gone"
    assert "display" in result.text
    session.keep(result, "")
    (entry,) = session.activity.entries(limit=1)
    assert (entry.activity.status, entry.activity.errors) == ("error", (result.error.message,))
