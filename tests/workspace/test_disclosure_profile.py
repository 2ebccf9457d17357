"""The profile of disclosures: the similarity of what was retrieved is the confidence, and each band
of it does something."""

from __future__ import annotations

import pytest

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from phasergun_desktop.writing.model import ConfidenceLevel

ALARM = "At which temperature does the alarm sound?"
SADDLE = "who sewed the leather saddle?"


def _ask(session: ProjectSession, text: str, profile: str = "disclosure") -> Turn:
    return run_to_end(session.ask(Question(text, profile=profile), should_stop=lambda: False))


def _logged(session: ProjectSession) -> float | None:
    return session.activity.entries(1)[0].activity.confidence


def test_the_confidence_is_that_of_what_was_retrieved(shared_session: ProjectSession) -> None:
    turn = _ask(shared_session, ALARM)
    assert turn.confidence is not None
    assert turn.result is not None
    assert turn.confidence.score == round(turn.result.plan.retrieval_score, 4)
    assert 0.4 < turn.confidence.score < 0.5
    assert (turn.confidence.level, turn.band) == (ConfidenceLevel.MEDIUM, "medium")
    assert turn.warnings[-1].startswith("Read with a caveat: ")
    assert _logged(shared_session) == turn.confidence.score
    usual = _ask(shared_session, ALARM, "regulatory")
    assert usual.confidence is not None
    assert usual.confidence.score > 0.8
    assert not usual.warnings
    # The part without an answer does not enter it.
    joined = _ask(shared_session, f"{ALARM.rstrip('?')}, and {SADDLE}")
    assert joined.confidence is not None
    alarm, saddle = joined.result.plan.needs if joined.result is not None else ()
    assert joined.confidence.score == round(alarm.retrieval_score, 4)
    assert saddle.retrieval_score < 0.15
    assert SADDLE in joined.confidence.rationale


@pytest.mark.parametrize(
    ("bands", "band", "said"),
    [
        ((0.43, 0.4, 0.15), "high", ""),
        ((0.9, 0.8, 0.15), "low", "Read with a warning: "),
        ((0.9, 0.8, 0.7), "very_low", None),
    ],
)
def test_each_band_does_what_the_profile_says(
    session: ProjectSession, bands: tuple[float, float, float], band: str, said: str | None
) -> None:
    text = session.profile_text("disclosure").replace("name: disclosure", "name: mine")
    for key, old, new in zip(("high", "medium", "low"), (0.5, 0.4, 0.15), bands, strict=True):
        text = text.replace(f"  {key}: {old}\n", f"  {key}: {new}\n")
    session.save_profile("mine", text)
    turn = _ask(session, ALARM, "mine")
    assert turn.band == band
    told = [each for each in turn.warnings if each.startswith("Read with")]
    if said is None:
        fallback = "I don't have enough information in the provided disclosures"
        assert (turn.status, turn.footnotes, told) == (TurnStatus.ABSTAINED, (), [])
        assert turn.text.startswith(fallback)
        assert _logged(session) == 0.0
    else:
        assert "42.5 °C" in turn.text
        assert [each[: len(said)] for each in told] == ([said] if said else [])


def test_a_greeting_is_answered_and_logged_with_no_confidence(
    shared_session: ProjectSession,
) -> None:
    turn = _ask(shared_session, "hello")
    assert turn.status is TurnStatus.COMPLETE
    assert turn.text
    assert _logged(shared_session) == 0.0
