"""A remote model against a real server on this machine: every fault ends in one sentence."""

from __future__ import annotations

import contextlib
import logging
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator

import pytest

from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.language_models.http_exchange import Patience
from phasergun_desktop.language_models.language_model import (
    GenerationMetrics,
    GenerationSettings,
    ModelPrompt,
)
from phasergun_desktop.language_models.openai_compatible import OpenAICompatibleModel
from phasergun_desktop.settings.model_choice import GrammarField, RemoteEndpoint
from tests.fakes.model_server import Behaviour, Conversation, ModelServer, delta, drip

KEY = "sk-very-secret-0123456789"
PROMPT = ModelPrompt("Rules.", "The meter measures glucose.", "Describe the meter.")
SETTINGS = GenerationSettings(max_tokens=40, seed=7)
QUICK = Patience(connect_s=2.0, first_s=0.6, between_s=0.4)
Serve = Callable[[Behaviour], ModelServer]


@pytest.fixture
def serve() -> Iterator[Serve]:
    servers: list[ModelServer] = []

    def make(behaviour: Behaviour) -> ModelServer:
        servers.append(ModelServer(behaviour))
        return servers[-1]

    yield make
    for server in servers:
        server.close()


def _model(
    server: ModelServer | str, key: str = KEY, patience: Patience = QUICK, **more: object
) -> OpenAICompatibleModel:
    address = server if isinstance(server, str) else server.address
    endpoint = RemoteEndpoint(address, "large", **more)  # type: ignore[arg-type]
    return OpenAICompatibleModel(endpoint, lambda: key, patience)


def _text(
    model: OpenAICompatibleModel,
    metrics: GenerationMetrics | None = None,
    settings: GenerationSettings = SETTINGS,
) -> str:
    found = model.generate(PROMPT, settings, metrics or GenerationMetrics(), lambda: False)
    return "".join(found)


def _failure(
    model: OpenAICompatibleModel, settings: GenerationSettings = SETTINGS
) -> tuple[str, ModelError]:
    """Return what came before the error, and the error, which tells nothing secret."""
    pieces: list[str] = []
    with pytest.raises(ModelError) as caught:
        pieces.extend(model.generate(PROMPT, settings, GenerationMetrics(), lambda: False))
    error = caught.value
    for text in (error.title, error.message, error.remedy, str(error)):
        assert KEY not in text
        assert PROMPT.task not in text
    assert error.message.endswith((".", "”"))
    assert error.remedy
    # Nothing of the exchange hangs on the error, where a report could print it.
    assert error.__cause__ is None
    return "".join(pieces), error


# ---------------------------------------------------------------- what is sent, what comes


def test_a_sound_answer_streams_with_its_counts(serve: Serve) -> None:
    usage = {
        "prompt_tokens": 31,
        "completion_tokens": 4,
        "prompt_tokens_details": {"cached_tokens": 8},
    }
    server = serve(lambda c: c.say("The ", "meter ", "is ", "small.", usage=usage))
    metrics = GenerationMetrics()
    model = _model(server)
    found = list(model.generate(PROMPT, SETTINGS, metrics, lambda: False))
    assert found == ["The ", "meter ", "is ", "small."]
    assert (metrics.prompt_tokens, metrics.cached_tokens, metrics.completion_tokens) == (31, 8, 4)
    assert 0 < metrics.first_token_ms <= metrics.total_ms
    assert len(metrics.prompt_sha256) == 64
    assert not model.has_estimated
    (asked,) = server.requests
    assert asked.path == "/v1/chat/completions"
    assert asked.headers["authorization"] == f"Bearer {KEY}"
    assert asked.body["messages"] == [
        {"role": "system", "content": "Rules."},
        {"role": "user", "content": "The meter measures glucose.\n\nDescribe the meter."},
    ]
    assert asked.body["model"] == "large"
    assert (asked.body["max_tokens"], asked.body["temperature"], asked.body["seed"]) == (40, 0.0, 7)
    assert KEY.encode() not in asked.raw
    assert model.is_remote
    assert model.yes_odds(PROMPT, GenerationMetrics(), lambda: False) is None


def test_without_a_key_no_authorization_is_sent(serve: Serve) -> None:
    server = serve(lambda c: c.say("Yes."))
    assert _text(_model(server, key="")) == "Yes."
    assert "authorization" not in server.requests[0].headers


def test_counts_that_are_not_given_are_estimated_and_said_so(serve: Serve) -> None:
    model = _model(serve(lambda c: c.say("The meter is small.")))
    metrics = GenerationMetrics()
    _text(model, metrics)
    assert model.has_estimated
    assert 4 <= metrics.completion_tokens <= 10
    assert metrics.prompt_tokens > 10


@pytest.mark.parametrize(("finish", "tokens"), [("stop", 39), ("length", 40), ("", 39)])
def test_an_estimate_does_not_say_that_a_whole_answer_is_cut_off(
    serve: Serve, finish: str, tokens: int
) -> None:
    server = serve(lambda c: c.say("The meter is small and light. " * 5, finish=finish))
    metrics = GenerationMetrics()
    assert _text(_model(server), metrics)
    assert metrics.completion_tokens == tokens


def test_what_came_before_hanging_up_is_counted(serve: Serve) -> None:
    server = serve(lambda c: c.say(*["The meter is small. "] * 5))
    metrics = GenerationMetrics()
    found = _model(server).generate(PROMPT, SETTINGS, metrics, lambda: False)
    with contextlib.closing(found):  # type: ignore[type-var]
        next(found)
    assert metrics.completion_tokens == 7


@pytest.mark.parametrize("field", list(GrammarField))
def test_a_grammar_is_sent_where_the_server_takes_one(serve: Serve, field: GrammarField) -> None:
    server = serve(lambda c: c.say("NOT FOUND"))
    model = _model(server, grammar_field=field)
    _text(model, settings=GenerationSettings(grammar='root ::= "NOT FOUND"'))
    body = server.requests[0].body
    assert {name for name in body if "grammar" in name} == ({field.value} if field.value else set())


def test_a_stop_word_in_pieces_ends_the_text(serve: Serve) -> None:
    server = serve(lambda c: c.say("One. ", "Two.", "\n", "#", "# More", " text"))
    settings = GenerationSettings(max_tokens=40, stop=("\n##",))
    assert _text(_model(server), settings=settings) == "One. Two."


def test_an_answer_that_is_not_streamed_is_taken(serve: Serve) -> None:
    def whole(conversation: Conversation) -> None:
        conversation.start(content_type="application/json; charset=utf-8")
        conversation.raw_bytes(
            b'{"choices": [{"message": {"content": "Caf\xc3\xa9."}, "finish_reason": "stop"}],'
            b' "usage": {"prompt_tokens": 3, "completion_tokens": 2}}'
        )

    metrics = GenerationMetrics()
    assert _text(_model(serve(whole)), metrics) == "Café."
    assert metrics.completion_tokens == 2


def test_events_cut_anywhere_are_put_together(serve: Serve) -> None:
    def bytewise(conversation: Conversation) -> None:
        conversation.start()
        conversation.raw_bytes(b": hello\r\n\r\nevent: message\r\n")
        text = 'data: {"choices": [{"delta": {"content": "0.6 µL — ≤ 5 %"}}]}\r\n\r\n'
        drip(conversation, text.encode(), 0.001)
        conversation.event({"choices": [{"delta": {}, "finish_reason": "stop"}]})

    assert _text(_model(serve(bytewise))) == "0.6 µL — ≤ 5 %"


def test_control_characters_and_halves_of_characters_are_taken_out(serve: Serve) -> None:
    text = _text(_model(serve(lambda c: c.say("A\x1b[31m\x00B\ud83d", "C"))))
    assert text == "A[31mB?C"


def test_a_server_that_knows_less_is_asked_again_with_less(serve: Serve) -> None:
    def strict(conversation: Conversation) -> None:
        if "stream_options" in conversation.body:
            conversation.fail(422, "extra fields not permitted")
        else:
            conversation.say("Yes.")

    server = serve(strict)
    model = _model(server)
    assert _text(model) == "Yes."
    assert _text(model) == "Yes."
    assert len(server.requests) == 3


def test_a_server_with_another_name_for_the_limit_is_asked_with_it(serve: Serve) -> None:
    def newer(conversation: Conversation) -> None:
        if "max_tokens" in conversation.body:
            conversation.fail(400, "Use 'max_completion_tokens' instead.")
        else:
            conversation.say("Yes.")

    server = serve(newer)
    assert _text(_model(server)) == "Yes."
    assert server.requests[1].body["max_completion_tokens"] == 40


def test_a_prompt_that_does_not_fit_is_not_sent(serve: Serve) -> None:
    server = serve(lambda c: c.say("Yes."))
    model = _model(server, context_tokens=1024)
    long = ModelPrompt("", "word " * 2000, "Go.")
    with pytest.raises(ModelError, match="too long"):
        list(model.generate(long, SETTINGS, GenerationMetrics(), lambda: False))
    assert server.requests == []


# ---------------------------------------------------------------- faults


def test_nothing_listens() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    _, error = _failure(_model(f"http://127.0.0.1:{port}/v1"))
    assert "Nothing accepts a connection" in error.message


def test_no_such_name() -> None:
    _, error = _failure(_model("https://nothing.invalid/v1"))
    assert "nothing.invalid" in error.message


@pytest.mark.parametrize(
    ("status", "words"),
    [
        (301, "sends on to another address"),
        (401, "does not accept the key"),
        (403, "does not accept the key"),
        (404, "no model “large”"),
        (400, "does not accept the request (400)"),
        (418, "does not accept the request (418)"),
        (500, "an error of its own (500)"),
        (503, "an error of its own (503)"),
    ],
)
def test_each_status_has_its_sentence(serve: Serve, status: int, words: str) -> None:
    server = serve(lambda c: c.fail(status, f"no: {KEY}", location="http://elsewhere.invalid/"))
    _, error = _failure(_model(server))
    assert words in error.message
    assert len(server.requests) == (2 if status == 400 else 1)


def test_a_busy_server_is_asked_once_more_after_the_time_it_names(serve: Serve) -> None:
    times: list[float] = []

    def busy(conversation: Conversation) -> None:
        times.append(time.monotonic())
        if len(times) == 1:
            conversation.fail(429, retry_after="1")
        else:
            conversation.say("Yes.")

    assert _text(_model(serve(busy))) == "Yes."
    assert times[1] - times[0] >= 1.0


@pytest.mark.parametrize(
    ("after", "asked"), [("0", 2), ("3600", 1), ("", 1), ("soon", 1), ("²", 1)]
)
def test_a_server_that_stays_busy_is_told(serve: Serve, after: str, asked: int) -> None:
    def busy(conversation: Conversation) -> None:
        more = {"retry_after": after} if after and after.isascii() else {}
        conversation.fail(429, "slow down", **more)

    server = serve(busy)
    _, error = _failure(_model(server))
    assert "limit is reached" in error.message
    assert len(server.requests) == asked


def _page(conversation: Conversation, status: int = 200, content_type: str = "text/html") -> None:
    conversation.start(status, content_type)
    conversation.raw_bytes(b"<!doctype html><title>Sign in</title>")


@pytest.mark.parametrize("status", [200, 404, 502])
def test_a_web_page(serve: Serve, status: int) -> None:
    _, error = _failure(_model(serve(lambda c: _page(c, status))))
    assert "web page" in error.message


def test_a_web_page_that_claims_to_be_a_stream(serve: Serve) -> None:
    _, error = _failure(_model(serve(lambda c: _page(c, 200, "text/event-stream"))))
    assert "not what a server" in error.message


@pytest.mark.parametrize(
    "data",
    [
        b"data: {not json}\n\n",
        b"data: [1, 2]\n\n",
        b"data: 7\n\n",
        b'data: {"choices": 3}\n\n',
        b'data: {"choices": [3]}\n\n',
        b'data: {"choices": [{"delta": {"content": 3}}]}\n\n',
        b'data: {"answer": "yes"}\n\n',
        'data: {"choices": [{"delta": {"content": "Größe"}}]}\n\n'.encode("latin-1"),
        'data: {"choices": [{"delta": {"content": "x"}}]}\n\n'.encode("utf-16"),
        b"data: " + b"[" * 100_000 + b"\n\n",
        b'data: {"choices": [{"delta": {"content": "' + b"x" * 3_000_000,
        b'{"choices": []}\n',
        bytes(range(128, 256)) * 40 + b"\n",
    ],
)
def test_nonsense(serve: Serve, data: bytes) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        conversation.raw_bytes(data)

    came, error = _failure(_model(serve(talk)))
    assert came == ""
    assert "not what a server" in error.message or "hung up" in error.message


@pytest.mark.parametrize("data", [b"", b"{}", b"null", b"\xff\xfe", b'{"choices": "x"}'])
def test_nonsense_that_is_not_streamed(serve: Serve, data: bytes) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start(content_type="application/json")
        conversation.raw_bytes(data)

    _, error = _failure(_model(serve(talk)))
    assert "not what a server" in error.message


def test_no_http_at_all(serve: Serve) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.raw_bytes(b"SSH-2.0-OpenSSH_9.6\r\n")

    _, error = _failure(_model(serve(talk)))
    assert "not what a server" in error.message


@pytest.mark.parametrize("half", [b"", b'data: {"choices": [{"delta": {"cont', b"data"])
def test_a_stream_that_is_cut_off_keeps_what_came(serve: Serve, half: bytes) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        conversation.event(delta("The meter "))
        conversation.event(delta("is small."))
        conversation.raw_bytes(half)

    came, error = _failure(_model(serve(talk)))
    assert came == "The meter is small."
    assert "hung up" in error.message or "not what a server" in error.message


@pytest.mark.parametrize("framing", ["chunked", "length"])
def test_half_a_chunk_and_half_a_length_are_cut_off_too(serve: Serve, framing: str) -> None:
    def talk(conversation: Conversation) -> None:
        event = b'data: {"choices": [{"delta": {"content": "Half."}}]}\n\n'
        if framing == "chunked":
            conversation.start(transfer_encoding="chunked")
            conversation.raw_bytes(b"%x\r\n%s\r\n" % (len(event), event) + b"ff\r\ndata: {")
        else:
            conversation.start(content_length=str(len(event) + 100))
            conversation.raw_bytes(event)

    came, error = _failure(_model(serve(talk)))
    assert came == "Half."
    assert "hung up" in error.message


def test_an_error_in_the_middle_of_the_stream(serve: Serve) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        conversation.event(delta("The meter"))
        conversation.event({"error": {"message": f"out of memory {KEY}"}})

    came, error = _failure(_model(serve(talk)))
    assert came == "The meter"
    assert "while it was writing" in error.message


@pytest.mark.parametrize(
    ("finish", "words"),
    [("stop", "without a word."), ("content_filter", "filter"), ("length", "reasoning")],
)
def test_an_empty_answer(serve: Serve, finish: str, words: str) -> None:
    _, error = _failure(_model(serve(lambda c: c.say("", finish=finish))))
    assert words in error.message


def test_an_endless_stream_ends_at_a_multiple_of_the_limit(serve: Serve) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        while not conversation.is_closing:
            conversation.event(delta("and so on "))

    text = _text(_model(serve(talk)))
    assert len(text) == SETTINGS.max_tokens * 12


def test_endless_comments_are_no_answer(serve: Serve) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        while not conversation.is_closing:
            conversation.raw_bytes(b": still here\n\n")
            time.sleep(0.02)

    _, error = _failure(_model(serve(talk)))
    assert "too long" in error.message


def test_a_reasoning_model_is_not_taken_for_silent(serve: Serve) -> None:
    def talk(conversation: Conversation) -> None:
        conversation.start()
        for _ in range(8):
            conversation.event({"choices": [{"delta": {"reasoning_content": "hm"}}]})
            time.sleep(0.15)
        conversation.event(delta("Yes."))
        conversation.event({"choices": [{"delta": {}, "finish_reason": "stop"}]})

    assert _text(_model(serve(talk))) == "Yes."


@pytest.mark.parametrize("says", ["nothing", "head", "half"])
def test_a_silent_server_is_given_up(serve: Serve, says: str) -> None:
    def talk(conversation: Conversation) -> None:
        if says != "nothing":
            conversation.start()
        if says == "half":
            conversation.event(delta("The meter"))
        conversation.wait()

    started = time.monotonic()
    came, error = _failure(_model(serve(talk)))
    assert time.monotonic() - started < 3.0
    assert came == ("The meter" if says == "half" else "")
    assert "too long" in error.message


@pytest.mark.parametrize("says", ["nothing", "head", "half", "busy"])
def test_stop_works_within_a_second_in_every_phase(serve: Serve, says: str) -> None:
    reached = threading.Event()

    def talk(conversation: Conversation) -> None:
        if says == "busy":
            conversation.fail(429, retry_after="20")
            reached.set()
            return
        if says != "nothing":
            conversation.start()
        if says == "half":
            conversation.event(delta("The meter"))
        reached.set()
        conversation.wait()

    model = _model(serve(talk), patience=Patience())
    stopped_at: list[float] = []

    def should_stop() -> bool:
        if reached.is_set() and not stopped_at:
            stopped_at.append(time.monotonic() + 0.2)
        return bool(stopped_at) and time.monotonic() > stopped_at[0]

    with pytest.raises(Cancelled):
        list(model.generate(PROMPT, SETTINGS, GenerationMetrics(), should_stop))
    assert time.monotonic() - stopped_at[0] < 1.0


def test_stop_works_while_the_connection_is_made() -> None:
    with socket.socket() as full:
        # Nobody accepts: once the queue is full, connections wait.
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        address = full.getsockname()
        with contextlib.ExitStack() as stack:
            for _ in range(4):
                waiting = stack.enter_context(socket.socket())
                waiting.setblocking(False)
                waiting.connect_ex(address)
            model = _model(f"http://127.0.0.1:{address[1]}/v1", patience=Patience(connect_s=2.0))
            started = time.monotonic()
            with pytest.raises(Cancelled):
                list(
                    model.generate(
                        PROMPT,
                        SETTINGS,
                        GenerationMetrics(),
                        lambda: time.monotonic() - started > 0.3,
                    )
                )
            assert time.monotonic() - started < 1.6


def test_leaving_the_text_unread_hangs_up(serve: Serve) -> None:
    gone = threading.Event()

    def talk(conversation: Conversation) -> None:
        conversation.start()
        try:
            while not conversation.is_closing:
                conversation.event(delta("word "))
                time.sleep(0.01)
        except ConnectionError:
            gone.set()

    found = _model(serve(talk)).generate(PROMPT, SETTINGS, GenerationMetrics(), lambda: False)
    next(found)
    found.close()  # type: ignore[attr-defined]
    assert gone.wait(3.0)


# ---------------------------------------------------------------- safety


def test_a_certificate_that_nobody_vouches_for_is_refused_before_anything_is_sent(
    self_signed: ssl.SSLContext,
) -> None:
    server = ModelServer(lambda c: c.say("Yes."), self_signed)
    try:
        _, error = _failure(_model(f"https://127.0.0.1:{server.port}/v1"))
    finally:
        server.close()
    assert "certificate" in error.message
    assert server.requests == []


def test_plain_text_to_a_server_that_wants_tls_and_the_other_way_round(
    serve: Serve, self_signed: ssl.SSLContext
) -> None:
    plain = serve(lambda c: c.say("Yes."))
    _failure(_model(f"https://127.0.0.1:{plain.port}/v1"))
    server = ModelServer(lambda c: c.say("Yes."), self_signed)
    try:
        _failure(_model(f"http://127.0.0.1:{server.port}/v1"))
    finally:
        server.close()
    assert plain.requests == server.requests == []


def test_the_key_is_in_no_log_and_no_representation(
    serve: Serve, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        model = _model(serve(lambda c: c.fail(500, KEY)))
        _failure(model)
    assert KEY not in caplog.text
    assert KEY not in repr(model) + model.name + model.digest


@pytest.mark.parametrize("key", ["two\r\nX-Header: 1", "schlüssel", "a b", "\x00"])
def test_a_key_that_no_header_can_hold_is_refused(serve: Serve, key: str) -> None:
    server = serve(lambda c: c.say("Yes."))
    with pytest.raises(ModelError, match="key") as caught:
        _text(_model(server, key=key))
    assert key not in str(caught.value)
    assert server.requests == []
