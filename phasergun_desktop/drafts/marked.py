"""Why a unit of a draft needs a look before it is used."""

from __future__ import annotations

from phasergun_desktop.grounding.model import STATEMENTS, DraftSentence, Support

_REASONS = {
    Support.UNSUPPORTED: "No source carries this statement.",
    Support.CONTRADICTED: "A source says otherwise.",
    Support.PARTLY: "The cited source carries this statement only in part.",
}
NOT_CHECKED_AGAIN = "Not checked again yet since its words were changed."


def reasons_to_check(unit: DraftSentence) -> tuple[str, ...]:
    """Return the reasons as sentences, each on one line; empty when the unit is in order or the
    writer answers for it."""
    if unit.is_accepted:
        return ()
    if unit.needs_check and unit.kind in STATEMENTS:
        # Of what the writer has just typed nothing is known, and nothing was claimed.
        return () if unit.is_own else (NOT_CHECKED_AGAIN,)
    return recorded_reasons(unit)


def recorded_reasons(unit: DraftSentence) -> tuple[str, ...]:
    """Return what was found about the unit, accepted or not; see ``reasons_to_check``."""
    reasons = [" ".join(problem.message.split()) for problem in unit.problems]
    reasons = [reason for reason in reasons if reason]
    if not reasons and unit.kind in STATEMENTS and not unit.is_header:
        reasons = [_REASONS[unit.support]] if unit.support in _REASONS else []
    if not reasons and unit.problems:
        reasons = ["This statement is marked for checking."]
    return tuple(dict.fromkeys(reasons))
