from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.grounding.model import Support, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.language_models.language_model import ModelPrompt
from phasergun_desktop.planning.prompt_warnings import prompt_warnings
from phasergun_desktop.writing.model import AnswerStatus
from tests.fakes.desk import Desk, Written
from tests.fakes.scripted_model import ScriptedModel
from tests.fakes.small_project import SmallProject

ALARM = "The alarm of the heater sounds at 78 dB."
PROMPT = "Describe the alarm of the heater."
SECTION = "Write the Description section: alarm of the heater, weight of the heater."


COMPARISON = (
    "Write a comparison of [Master Record|Device Name] with [Master Record|Predicate Device]. "
    "Cover alarm and weight."
)


def _texts(written: Written) -> list[str]:
    return [u.text for u in written.result.sentences if u.kind is UnitKind.SENTENCE]


# ---------------------------------------------------------------- prompts


def test_a_prompt_of_fifty_pages_is_refused_in_a_sentence(desk: Desk) -> None:
    page = " ".join(f"Sentence {n} tells what was found in test {n}." for n in range(60))
    prompt = "\n\n".join([page] * 50) + f"\n\n{PROMPT}"
    started = time.perf_counter()
    written = desk.write(prompt, [ALARM])
    assert time.perf_counter() - started < 20
    assert written.result.status is AnswerStatus.BLOCKED
    assert written.model is not None
    assert written.model.prompts == []
    [problem] = [p for p in written.result.plan.problems if p.code == "prompt_too_long"]
    assert "27,0" in problem.message
    assert "Context folder" in problem.remedy


def test_a_prompt_that_asks_for_too_much_says_what_was_left_out(desk: Desk) -> None:
    asked = [f"Describe part number {n} of the heater." for n in range(80)]
    plan = desk.plan(" ".join(asked))
    assert 0 < len(plan.points) < 60
    assert any("part number 79" in p.message or "more" in p.message for p in plan.problems)


@pytest.mark.parametrize(
    "prompt",
    [
        "描述加热器的警报。",
        "请写出设备说明部分：警报、重量。",
        "加热器的警报有多响？",
        "ヒーターの警報を説明してください。",
        "Опишите сигнал тревоги нагревателя.",
    ],
)
@pytest.mark.parametrize("reply", [ALARM, "加热器的警报声为78分贝。", "NOT FOUND", "。。。"])
def test_a_prompt_in_another_script(desk: Desk, prompt: str, reply: str) -> None:
    written = desk.write(prompt, lambda _prompt: reply)
    assert written.result.status in (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)
    assert written.result.text.strip()
    assert any("not in Latin script" in warning for warning in written.result.warnings)
    notes = {note.number for note in written.result.footnotes}
    assert {n for unit in written.result.sentences for n in unit.citations} == notes


@pytest.mark.parametrize(
    "task", ["", "Describe the alarm.", "Beschreibe den Wärmetauscher.", "µL", "12345 %%% 678"]
)
def test_a_prompt_in_latin_script_gets_no_note(task: str) -> None:
    assert prompt_warnings(task, ()) == ()


def test_a_prompt_in_another_language_than_the_documents_is_told(desk: Desk) -> None:
    german = desk.plan("Beschreiben Sie den Alarm des Geräts und die Dauer der Töne.")
    [warning] = german.warnings
    assert "The prompt is in German, the documents are not" in warning
    assert desk.plan(PROMPT).warnings == ()


@pytest.mark.parametrize(
    "prompt",
    [
        "\x00\x01\x02",
        "\ud800",
        "(" * 3000,
        "[" * 3000,
        "? " * 2000,
        "@" * 500,
        "\n" * 5000,
        "🚑" * 99,
    ],
)
def test_a_prompt_of_rubbish_ends_in_some_way(desk: Desk, prompt: str) -> None:
    result = desk.write(prompt, lambda _prompt: ALARM).result
    assert result.status in AnswerStatus


# ---------------------------------------------------------------- sources


@pytest.fixture
def numbers(tmp_path: Path) -> Iterator[Desk]:
    """A table of five thousand rows of numbers, and nothing else."""
    project = SmallProject(tmp_path)
    rows = "\n\n".join(f"| {n} | {n * 7 % 997} | {n * 13 % 89}.{n % 10} |" for n in range(5000))
    project.write("Context/Ongoing/numbers.md", f"| run | count | value |\n\n{rows}\n")
    yield Desk(project)
    project.close()


def test_a_source_of_pure_numbers(numbers: Desk) -> None:
    prompt = "Describe the value of run 4321."
    for replies in (["Run 4321 has a count of 339 and a value of 14.1."], None):
        result = numbers.write(prompt, replies).result
        assert result.status in (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)
        for note in result.footnotes:
            assert numbers.text(note.file)[note.start : note.end] == note.quote


def test_without_evidence_a_draft_abstains_before_the_model_is_asked(desk: Desk) -> None:
    model = ScriptedModel([ALARM])
    result = run_to_end(desk.write_plan(desk.ticked(PROMPT, ()), model))
    assert model.prompts == []
    assert result.status is AnswerStatus.ABSTAINED
    assert "alarm of the heater" in result.text
    assert "Context/" in result.text


# ---------------------------------------------------------------- the model


RUBBISH = {
    "nothing": "",
    "white space": " \n\t \n ",
    "punctuation": "... !!! ??? --- ,,, ;;; ::: ... !!!",
    "bytes": "\x00\x1b[31m\ufffd\ufffd\u202e\u0007 \u200b\ufeff \udc80",
    "one word": "the " * 4000,
    "one token": "a" * 9000,
    "a loop": "The alarm is loud. " * 800,
    "chat marks": "<|im_end|>\n<|im_start|>assistant\n<|im_end|>" * 30,
    "markup": "# # #\n\n|||||\n\n```\n```\n\n**__**\n- \n- \n1. \n2. ",
    "json": '{"answer": null, "tool_calls": [{"name": "x"}]}',
    "another script": "这是一个没有来源的句子。" * 40,
    "a passage's header": "--- Test report › Alarm ---\n--- end of the passages ---",
}


@pytest.mark.parametrize("text", RUBBISH.values(), ids=RUBBISH.keys())
@pytest.mark.parametrize(
    "prompt",
    [SECTION, COMPARISON, "How loud is the alarm?"],
    ids=["section", "comparison", "question"],
)
def test_a_model_that_writes_rubbish(desk: Desk, text: str, prompt: str) -> None:
    started = time.perf_counter()
    written = desk.write(prompt, lambda _prompt: text)
    assert time.perf_counter() - started < 20
    result = written.result
    assert result.status in (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)
    assert "<|im" not in result.text
    # What nothing carries is never shown as supported.
    for unit in result.sentences:
        if unit.kind is UnitKind.SENTENCE and not unit.citations:
            is_lead_in = unit.is_header and unit.text.endswith(":")
            assert is_lead_in or unit.support is not Support.SUPPORTED
    used = [n for unit in result.sentences for n in unit.citations]
    assert set(used) == {note.number for note in result.footnotes}


def test_a_model_that_repeats_its_prompt(desk: Desk) -> None:
    written = desk.write(SECTION, lambda prompt: f"{prompt.system}\n{prompt.shared}\n{prompt.task}")
    assert written.result.status in (AnswerStatus.COMPLETE, AnswerStatus.ABSTAINED)
    assert "end of the passages" not in written.result.text
    assert "Add nothing that the passages do not say" not in "\n".join(
        unit.text for unit in written.result.sentences if unit.support is Support.SUPPORTED
    )


def test_rubbish_between_good_sentences_is_not_kept_as_supported(desk: Desk) -> None:
    written = desk.write(
        PROMPT, [f"{ALARM} %%%% ???? . zzz qqq xxx yyy. The alarm lasts ten seconds."]
    )
    texts = _texts(written)
    assert ALARM in texts
    supported = [u.text for u in written.result.sentences if u.support is Support.SUPPORTED]
    assert not any("zzz" in text for text in supported)


def test_a_model_that_fails_at_once_is_told(desk: Desk) -> None:
    def fails(_prompt: ModelPrompt) -> str:
        raise ModelError("Gone", "The model stopped answering.", "Try again.")

    with pytest.raises(ModelError):
        desk.write(PROMPT, fails)
