from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from phasergun_desktop.answering.answerer import SecondPasses
from phasergun_desktop.answering.model import AnswerStatus, FindingKind, UnitRevised
from phasergun_desktop.answering.passes.audit import is_better
from phasergun_desktop.answering.passes.doubts import is_doubtful, with_probability
from phasergun_desktop.answering.writing.grammars import audit_grammar
from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.model import (
    DraftSentence,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.protocol import LanguageModel, ModelPrompt
from tests.answering.conftest import Desk, Written

ALARM = "The alarm of the heater sounds at 78 dB."
# What no source contradicts, but one identifier of it stands in none.
WRONG = "The alarm AX-900 of the heater sounds at 78 dB."
LASTS = "The alarm lasts ten seconds."
PROMPT = "Describe the alarm of the heater."
SECTION = "Write the Description section: alarm of the heater, weight of the heater."
WEIGHT = "The heater weighs 3.2 kg with its stand."


def _audited(desk: Desk) -> Desk:
    return Desk(desk.project, passes=SecondPasses(audit=True))


def _reply(
    written: str, verdicts: str, revision: str, asked: list[str] | None = None
) -> Callable[[ModelPrompt], str]:
    def reply(prompt: ModelPrompt) -> str:
        kind = "step"
        if "Compare each sentence" in prompt.task:
            kind = "audit"
        elif "is not right" in prompt.task:
            kind = "revise"
        if asked is not None:
            asked.append(kind)
        return {"step": written, "audit": verdicts, "revise": revision}[kind]

    return reply


def _texts(written: Written) -> list[str]:
    return [u.text for u in written.result.sentences if u.kind is UnitKind.SENTENCE]


def test_a_wrong_value_is_found_and_corrected(desk: Desk) -> None:
    asked: list[str] = []
    verdicts = "1: WRONG VALUE “sounds at 78 dB”"
    written = _audited(desk).write(PROMPT, _reply(WRONG, verdicts, ALARM, asked))
    assert asked == ["step", "audit", "revise"]
    assert _texts(written) == [ALARM]
    [unit] = [u for u in written.result.sentences if u.kind is UnitKind.SENTENCE]
    assert unit.support is Support.SUPPORTED
    assert unit.problems == ()
    [finding] = written.result.findings
    assert finding.kind is FindingKind.WRONG_VALUE
    assert finding.revised
    assert finding.text == WRONG
    assert finding.places
    assert [event.unit.text for event in written.events if isinstance(event, UnitRevised)] == [
        ALARM
    ]
    notes = {step.step: step.note for step in written.result.metrics.trace}
    assert "1 sentences, 1 findings" in notes["audit"]
    assert notes["revise"] == "corrected"


@pytest.mark.parametrize(
    "revision",
    [
        "The alarm AX-901 of the heater BX-202 sounds at 78 dB.",
        "Nurses in every hospital love its elegant purple colour.",
        "NOT FOUND",
        "",
        "   \n",
        WRONG,
    ],
)
def test_a_revision_that_lowers_support_is_not_taken(desk: Desk, revision: str) -> None:
    written = _audited(desk).write(PROMPT, _reply(WRONG, "1: NOT STATED", revision))
    assert _texts(written) == [WRONG]
    [finding] = written.result.findings
    assert not finding.revised
    assert not any(isinstance(event, UnitRevised) for event in written.events)


def test_a_good_draft_stays_as_it_is(desk: Desk) -> None:
    asked: list[str] = []
    written = _audited(desk).write(
        PROMPT, _reply(f"{ALARM} {LASTS}", "1: OK; 2: OK", "The weight is 3 kg.", asked)
    )
    assert asked == ["step", "audit"]
    assert _texts(written) == [ALARM, LASTS]
    assert written.result.findings == ()


def test_a_finding_of_words_that_no_passage_has_is_dropped(desk: Desk) -> None:
    asked: list[str] = []
    verdicts = "1: CONTRADICTED “the alarm is silent and purple”"
    written = _audited(desk).write(PROMPT, _reply(ALARM, verdicts, LASTS, asked))
    assert asked == ["step", "audit"]
    assert written.result.findings == ()
    assert any("dropped" in step.note for step in written.result.metrics.trace)


@pytest.mark.parametrize(
    "verdicts", ["", "nonsense", "9: NOT STATED", "0: NOT STATED", "1: WRONG VALUE", "1 1 1 1" * 50]
)
def test_rubbish_instead_of_verdicts_harms_nothing(desk: Desk, verdicts: str) -> None:
    written = _audited(desk).write(PROMPT, _reply(ALARM, verdicts, "rubbish"))
    assert _texts(written) == [ALARM]
    assert written.result.status is AnswerStatus.COMPLETE


def test_footnotes_count_by_first_use_after_a_revision(desk: Desk) -> None:
    invented = "The heater stands beside the alarm at 55 cm with its stand."
    replies = iter([invented, WEIGHT])

    def reply(prompt: ModelPrompt) -> str:
        if "Compare each sentence" in prompt.task:
            return "1: NOT STATED"
        return (
            ALARM.replace("The alarm", "With its stand, the alarm")
            if ("is not right" in prompt.task)
            else next(replies)
        )

    result = _audited(desk).write(SECTION, reply).result
    used = [n for unit in result.sentences for n in unit.citations]
    assert list(dict.fromkeys(used)) == [note.number for note in result.footnotes]
    assert [note.number for note in result.footnotes] == list(range(1, len(result.footnotes) + 1))
    for note in result.footnotes:
        assert note.rendered.startswith(f"[{note.number}] ")
        assert desk.text(note.file)[note.start : note.end] == note.quote


def test_a_model_that_fails_in_the_second_pass_costs_the_draft_nothing(desk: Desk) -> None:
    def reply(prompt: ModelPrompt) -> str:
        if "Compare each sentence" in prompt.task:
            raise ModelError("Gone", "The model stopped answering.", "Try again.")
        return ALARM

    result = _audited(desk).write(PROMPT, reply).result
    assert result.status is AnswerStatus.COMPLETE
    assert [u.text for u in result.sentences] == [ALARM]
    assert any("The model stopped answering." in warning for warning in result.warnings)


def test_a_stop_in_the_second_pass_keeps_the_draft(desk: Desk) -> None:
    is_auditing = False

    def reply(prompt: ModelPrompt) -> str:
        nonlocal is_auditing
        is_auditing = "Compare each sentence" in prompt.task
        return "1: NOT STATED" if is_auditing else ALARM

    result = _audited(desk).write(PROMPT, reply, should_stop=lambda: is_auditing).result
    assert result.status is AnswerStatus.CANCELLED
    assert [u.text for u in result.sentences] == [ALARM]
    assert result.footnotes


def test_the_audit_reads_the_passages_of_the_step(desk: Desk) -> None:
    written = _audited(desk).write(SECTION, _reply(ALARM, "1: OK", ""))
    assert written.model is not None
    steps = [p for p in written.model.prompts if "Compare each sentence" not in p.task]
    audits = [p for p in written.model.prompts if "Compare each sentence" in p.task]
    assert audits
    # The same stable part: a kept prefix need not be read again.
    assert all((p.system, p.shared) in {(s.system, s.shared) for s in steps} for p in audits)


def test_without_the_switch_nothing_is_asked_again(desk: Desk) -> None:
    asked: list[str] = []
    desk.write(PROMPT, _reply(WRONG, "1: OK", "", asked))
    assert asked == ["step"]


@pytest.mark.parametrize("count", [1, 6])
def test_the_grammar_has_a_verdict_for_each_sentence(count: int) -> None:
    grammar = audit_grammar(count)
    assert grammar.count(': " verdict') == count
    assert f'"{count}: " verdict' in grammar


def test_better_is_no_worse_in_anything() -> None:
    problem = SentenceProblem(ProblemCode.VALUE_MISSING, "7", "")
    old = DraftSentence("x", support=Support.PARTLY, score=0.6, problems=(problem,))
    same = Binding((), Support.PARTLY, 0.6, (problem,))
    assert not is_better(same, old)
    assert is_better(replace(same, problems=()), old)
    assert is_better(replace(same, score=0.7), old)
    assert is_better(Binding((), Support.SUPPORTED, 0.7, ()), old)
    assert not is_better(Binding((), Support.SUPPORTED, 0.5, ()), old)
    assert not is_better(Binding((), Support.UNSUPPORTED, 0.9, ()), old)
    assert not is_better(Binding((), Support.PARTLY, 0.9, (problem, problem)), old)


class _Opinion:
    def __init__(self, _model: LanguageModel, _should_stop: Callable[[], bool]) -> None:
        self.asked: list[tuple[str, str, float]] = []

    def probability(self, sentence: str, source: str, first: float) -> float | None:
        self.asked.append((sentence, source, first))
        return 0.1


def test_a_second_opinion_is_asked_about_doubtful_sentences_alone(desk: Desk) -> None:
    made: list[_Opinion] = []

    def make(model: LanguageModel, should_stop: Callable[[], bool]) -> _Opinion:
        made.append(_Opinion(model, should_stop))
        return made[-1]

    asking = Desk(desk.project, passes=SecondPasses(make_opinion=make))
    result = asking.write(PROMPT, [f"{LASTS} {WRONG}"]).result
    [opinion] = made
    doubted = [u for u in result.sentences if u.support is Support.UNSUPPORTED]
    assert [sentence for sentence, _, _ in opinion.asked] == [u.text for u in doubted]
    assert all(source for _, source, _ in opinion.asked)
    assert all(unit.citations == () for unit in doubted)
    cited = {n for unit in result.sentences for n in unit.citations}
    assert cited == {note.number for note in result.footnotes}


def test_an_opinion_moves_class_and_score_but_takes_no_mark_away() -> None:
    unit = DraftSentence("x", citations=(1,), support=Support.PARTLY, score=0.5)
    assert is_doubtful(unit)
    assert not is_doubtful(replace(unit, citations=()))
    assert not is_doubtful(replace(unit, support=Support.CONTRADICTED))
    assert not is_doubtful(replace(unit, support=Support.SUPPORTED, score=0.95))
    assert with_probability(unit, 0.9, Support.SUPPORTED).support is Support.SUPPORTED
    assert with_probability(unit, 0.1, Support.UNSUPPORTED).support is Support.UNSUPPORTED
    marked = replace(unit, problems=(SentenceProblem(ProblemCode.VALUE_MISSING, "7", ""),))
    assert with_probability(marked, 0.9, Support.SUPPORTED).support is Support.PARTLY
    assert with_probability(marked, 0.9, Support.SUPPORTED).problems == marked.problems


def test_a_draft_that_fails_midway_keeps_what_was_written(desk: Desk) -> None:
    calls = 0

    def reply(_prompt: ModelPrompt) -> str:
        nonlocal calls
        calls += 1
        if calls == 1:
            return ALARM
        raise ModelError("Gone", "The model stopped answering.", "Try again.")

    events: list[object] = []
    result = run_to_end(desk.job(SECTION, reply, lambda: False), events.append)
    assert result.status is AnswerStatus.ERROR
    assert result.error is not None
    assert result.error.message == "The model stopped answering."
    assert ALARM in [unit.text for unit in result.sentences]
    assert ALARM[:-1] in result.text
    assert result.footnotes
