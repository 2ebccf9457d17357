"""What a text is to state of the documents that its prompt names."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.named_documents import for_named_documents
from phasergun_desktop.planning.needs import Request, read_request
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document

BENCH, DROP, SKIN, EMC = (
    f"Context/Ongoing/{name}"
    for name in (
        "TR-014_Bench-Report.docx",
        "TR-016 Drop and ingress.md",
        "TR-019 Skin contact.txt",
        "22-E-118 EMC extract.html",
    )
)
TEXT = fake_document(["# Report", "The text goes on for a while, so that it is not thin. " * 8])
FOLDER = [f"Context/Ongoing/bench/run {number}.md" for number in range(4)]
RESOLVER = PromptResolver(FakeDocuments(dict.fromkeys((BENCH, DROP, SKIN, EMC, *FOLDER), TEXT)))


def _request(prompt: str) -> Request:
    resolution = RESOLVER.resolve(prompt)
    return for_named_documents(read_request(resolution), resolution)


def _asked(prompt: str) -> list[tuple[set[str], str, str]]:
    return [({*n.scope.files}, n.heading, n.query) for n in _request(prompt).needs]


def test_a_document_that_is_to_be_summarised_is_what_is_asked_for() -> None:
    prompt = "Summarise TR-014."
    [need] = _request(prompt).needs
    assert ({*need.scope.files}, need.heading, need.query) == ({BENCH}, "", "TR 014 Bench Report")
    assert need.quote == prompt[need.start : need.end]
    assert need.is_of_each
    assert "Bench Report" in _request(prompt).topic
    assert _asked("Summarise [TR-019 Skin contact.txt] and TR-016.") == [
        ({SKIN}, "TR-019 Skin contact", "TR 019 Skin contact"),
        ({DROP}, "TR-016 Drop and ingress", "TR 016 Drop and ingress"),
    ]


@pytest.mark.parametrize(
    "prompt",
    [
        "One line per report: what was tested, result.\nTR-014, TR-019 and the test 22-E-118.",
        "Per report what was tested, result\n- TR-014\n- TR-019\n- 22-E-118",
    ],
)
def test_each_document_of_a_list_has_a_need_under_its_name(prompt: str) -> None:
    request = _request(prompt)
    assert [({*n.scope.files}, n.heading) for n in request.needs] == [
        ({BENCH}, "TR-014 Bench-Report"),
        ({SKIN}, "TR-019 Skin contact"),
        ({EMC}, "22-E-118 EMC extract"),
    ]
    assert [n.need_id for n in request.needs] == ["n1", "n2", "n3"]
    assert all(n.query.endswith("what was tested, result") for n in request.needs)
    assert all(title in request.topic for title in ("Bench Report", "Skin contact", "EMC extract"))


def test_what_a_document_states_is_searched_with_its_title() -> None:
    request = _request("Please summarise TR-014: purpose, method, result.")
    assert [n.query for n in request.needs] == ["purpose", "method", "result"]
    assert all(n.is_of_each and n.scope.files == {BENCH} for n in request.needs)
    assert request.topic.endswith("Bench Report")


def test_a_question_to_a_document_asks_for_what_it_is_on() -> None:
    assert _asked("What does TR-014 say on the seal? What did TR-016 find about the drop?") == [
        ({BENCH}, "", "the seal?"),
        ({DROP}, "", "the drop?"),
    ]
    assert [query for _, _, query in _asked("What does TR-014 say?")] == ["TR 014 Bench Report"]
    assert [query for _, _, query in _asked("How does TR-014 decide on it?")] == [
        "How decide on it?"
    ]


@pytest.mark.parametrize(
    "prompt",
    [
        "Using only TR-014: purpose, method, result.",
        "From TR-014: how are samples chosen?",
        "Summarise the drop tests of TR-016: heights, result, deviations.",
        "Only from TR-014: the mean and the worst value of each size.",
        "List each hazard with its control from TR-014 and TR-016.",
        "Describe the housing and each of its parts.",
        "List each test with its result from [Context|Ongoing|bench], 50 words each.",
    ],
)
def test_what_is_taken_from_documents_is_asked_for_as_it_stands(prompt: str) -> None:
    assert _request(prompt) == read_request(RESOLVER.resolve(prompt))


def test_a_length_for_each_counts_for_each_document() -> None:
    one = _request("Summarise the drop tests of TR-016, two sentences.").words
    prompt = "Summarise the drop tests of TR-014, TR-016 and TR-019, two sentences each."
    assert _request(prompt).words == 3 * one
    assert (
        _request("State the drop tests of [Context|Ongoing|bench], two sentences each.").words
        == one
    )
