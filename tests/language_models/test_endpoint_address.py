"""Which addresses of model servers are taken, and where text may go without encryption."""

from __future__ import annotations

import pytest

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models import http_exchange
from phasergun_desktop.language_models.endpoint_address import EndpointAddress, parse_address
from phasergun_desktop.language_models.http_exchange import (
    ExchangeFault,
    FaultKind,
    HttpExchange,
    Patience,
)
from tests.fakes.model_server import ModelServer


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("https://api.example.com/v1", "https://api.example.com/v1"),
        (" HTTPS://API.Example.com/v1/ ", "https://api.example.com/v1"),
        ("https://api.example.com:443", "https://api.example.com/v1"),
        ("http://localhost:11434", "http://localhost:11434/v1"),
        ("http://localhost:8080/v1/chat/completions", "http://localhost:8080/v1"),
        ("http://[::1]:8080/v1", "http://[::1]:8080/v1"),
        ("http://192.168.1.20:8000/v1", "http://192.168.1.20:8000/v1"),
        ("http://gpu-box:8000/v1", "http://gpu-box:8000/v1"),
        ("https://host/openai/deployments/a", "https://host/openai/deployments/a"),
    ],
)
def test_what_is_taken(text: str, address: str) -> None:
    assert str(parse_address(text)) == address
    assert parse_address(address) == parse_address(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "api.example.com",
        "ftp://example.com/v1",
        "file:///etc/passwd",
        "https://",
        "https://user:secret@example.com/v1",
        "https://example.com/v1?key=1",
        "https://example.com/v1#x",
        "https://exa mple.com/v1",
        "https://example.com:99999/v1",
        "https://example.com/v1\r\nHost: x",
        "http://8.8.8.8/v1",
        "http://[2001:4860:4860::8888]/v1",
        "http://172.32.0.1/v1",
    ],
)
def test_what_is_refused(text: str) -> None:
    with pytest.raises(ModelError) as caught:
        parse_address(text)
    assert caught.value.remedy
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("text", "is_here", "warns"),
    [
        ("http://localhost:1/v1", True, False),
        ("http://127.0.0.9:1/v1", True, False),
        ("http://[::ffff:127.0.0.1]:1/v1", True, False),
        ("https://localhost/v1", True, False),
        ("http://10.1.2.3/v1", False, True),
        ("http://gpu-box/v1", False, True),
        ("https://10.1.2.3/v1", False, False),
    ],
)
def test_what_is_said_of_an_address(text: str, is_here: bool, warns: bool) -> None:
    address = parse_address(text)
    assert address.is_this_machine is is_here
    assert bool(address.warning) is warns


def test_nothing_is_sent_in_plain_text_outside_of_private_networks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A name that leads to a public number; the number itself cannot be had without a network.
    monkeypatch.setattr(http_exchange, "is_private", lambda _number: False)
    server = ModelServer(lambda c: c.say("Yes."))
    address = EndpointAddress(False, "127.0.0.1", server.port, "/v1")
    exchange = HttpExchange(address, "/v1/chat/completions", b"{}", {}, Patience())
    try:
        with pytest.raises(ExchangeFault) as caught:
            exchange.head(lambda: False)
    finally:
        exchange.close()
        server.close()
    assert caught.value.kind is FaultKind.NOT_PRIVATE
    assert server.requests == []
