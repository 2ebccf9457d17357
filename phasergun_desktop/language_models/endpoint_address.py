"""The address of a model server: what may be entered, and where it leads."""

from __future__ import annotations

import ipaddress
import re
from dataclasses import dataclass

from phasergun_desktop.errors import ModelError

_FORM = re.compile(
    r"(?P<scheme>https?)://(?P<host>[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])"
    r"(?::(?P<port>[0-9]{1,5}))?(?P<path>/[A-Za-z0-9._~%/+-]*)?",
    re.IGNORECASE,
)
_PATH_OF_CALL = "/chat/completions"
# What a server is asked at when only its name was entered: all the usual ones answer there.
_USUAL_PATH = "/v1"
_PRIVATE = tuple(
    ipaddress.ip_network(each)
    for each in (
        "10.0.0.0/8",
        "172.16.0.0/12",
        "192.168.0.0/16",
        "169.254.0.0/16",
        "fc00::/7",
        "fe80::/10",
    )
)


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """A model server. ``host`` is in lower case, an IPv6 address without brackets; ``path`` is
    what stands before ``/chat/completions``, with a slash before and none after it."""

    is_encrypted: bool
    host: str
    port: int
    path: str

    def __str__(self) -> str:
        scheme, usual = ("https", 443) if self.is_encrypted else ("http", 80)
        port = "" if self.port == usual else f":{self.port}"
        return f"{scheme}://{self._quoted_host}{port}{self.path}"

    @property
    def place(self) -> str:
        """Host and port, as the user is told where text goes."""
        usual = 443 if self.is_encrypted else 80
        return self._quoted_host + ("" if self.port == usual else f":{self.port}")

    @property
    def is_this_machine(self) -> bool:
        """Whether the server runs on this very machine, by its name or number."""
        return self.host == "localhost" or is_loopback(self.host)

    @property
    def warning(self) -> str:
        """What the user should know of this address; ``""`` where there is nothing."""
        if self.is_encrypted or self.is_this_machine:
            return ""
        return (
            f"The connection to {self.place} is not encrypted: whoever can listen on your network "
            "can read the passages and the key."
        )

    @property
    def _quoted_host(self) -> str:
        return f"[{self.host}]" if ":" in self.host else self.host


def parse_address(text: str) -> EndpointAddress:
    """Return the address that ``text`` spells.

    ``http`` is for this machine and private networks only; for a name that is not a number it
    is checked once more when the connection stands. Raises ``ModelError`` with a remedy.
    """
    found = _FORM.fullmatch(text.strip())
    if found is None:
        if "@" in text:
            raise _refused("It may not hold a user name or a password; the key has its own field.")
        raise _refused("It does not have the form https://HOST/v1.")
    is_encrypted = found["scheme"].lower() == "https"
    host = found["host"].strip("[]").lower()
    port = int(found["port"]) if found["port"] else (443 if is_encrypted else 80)
    if not 1 <= port <= 65_535:
        raise _refused(f"There is no port {port}.")
    if not is_encrypted and _is_number(host) and not is_private(host):
        raise _refused("Text sent to it by http could be read on the way.", "Use https://.")
    path = (found["path"] or "").rstrip("/").removesuffix(_PATH_OF_CALL).rstrip("/")
    return EndpointAddress(is_encrypted, host, port, path or _USUAL_PATH)


def is_loopback(number: str) -> bool:
    """Whether ``number`` is an IP address of this machine."""
    address = _address(number)
    return address is not None and address.is_loopback


def is_private(number: str) -> bool:
    """Whether ``number`` is an IP address of this machine or of a private network."""
    address = _address(number)
    if address is None:
        return False
    return address.is_loopback or any(
        address in net for net in _PRIVATE if net.version == address.version
    )


def _is_number(host: str) -> bool:
    return _address(host) is not None


def _address(text: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _refused(why: str, remedy: str = "") -> ModelError:
    return ModelError(
        "The address of the model server cannot be used",
        why,
        remedy or "Enter it as https://HOST/v1, or http://localhost:PORT/v1 for this machine.",
    )
