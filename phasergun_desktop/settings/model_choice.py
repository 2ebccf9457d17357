"""Which language model each of the three model profiles uses."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class ModelProfile(StrEnum):
    """The three sizes between which a user chooses."""

    CHEAP = "cheap"
    BALANCED = "balanced"
    PREMIUM = "premium"


class ModelSource(StrEnum):
    """Where a model profile's model is."""

    CATALOGUE = "catalogue"
    FILE = "file"
    REMOTE = "remote"


class GrammarField(StrEnum):
    """The name under which a server takes a grammar, if it takes one.

    Servers that do not know the name ignore it or refuse the request: it is the user's to say.
    """

    NONE = ""
    LLAMA_SERVER = "grammar"
    VLLM = "guided_grammar"


@dataclass(frozen=True, slots=True)
class RemoteEndpoint:
    """A server with the OpenAI interface. Its key is in the system's keyring, never here.

    ``address`` ends before ``/chat/completions`` (``https://host/v1``); ``model`` is the server's
    name for it. Prices are per million tokens, in whatever currency the user counts in; 0 means
    none was entered. ``consented_address`` is the address to which the user has agreed to send
    passages: another address asks again. ``sends_confidential`` lets documents go there, too,
    that ``categories.yaml`` labels confidential.
    """

    address: str = ""
    model: str = ""
    context_tokens: int = field(default=8192, metadata={"range": (1024, 2_000_000)})
    price_per_million_prompt_tokens: float = field(default=0.0, metadata={"range": (0.0, 1e6)})
    price_per_million_written_tokens: float = field(default=0.0, metadata={"range": (0.0, 1e6)})
    grammar_field: GrammarField = GrammarField.NONE
    consented_address: str = ""
    sends_confidential: bool = False

    @property
    def has_consent(self) -> bool:
        """Whether the user has agreed to send passages to this very address."""
        return bool(self.address) and self.consented_address == self.address

    @property
    def has_price(self) -> bool:
        """Whether the user has entered what tokens cost."""
        return bool(self.price_per_million_prompt_tokens or self.price_per_million_written_tokens)


@dataclass(frozen=True, slots=True)
class ModelChoice:
    """The model of one profile. Only what ``source`` points at is used; the rest is remembered.

    ``model`` is a name of the catalogue; empty, it is the one that the catalogue gives to the
    profile. ``file`` is the path of a GGUF file of the user's.
    """

    source: ModelSource = ModelSource.CATALOGUE
    model: str = ""
    file: str = ""
    endpoint: RemoteEndpoint = field(default_factory=RemoteEndpoint)

    @property
    def is_remote(self) -> bool:
        """Whether passages would be sent to a server."""
        return self.source is ModelSource.REMOTE
