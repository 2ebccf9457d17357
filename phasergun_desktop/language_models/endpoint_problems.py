"""Everything that can go wrong with a model server, each as one sentence with a remedy."""

from __future__ import annotations

from phasergun_desktop.errors import ModelError
from phasergun_desktop.language_models.http_exchange import AnswerHead, FaultKind

_SETTINGS = "Model › Language model…"


def fault_error(kind: FaultKind, place: str) -> ModelError:
    """Return the error for a connection that failed; ``place`` is host and port."""
    match kind:
        case FaultKind.NAME:
            return ModelError(
                "The model server was not found",
                f"No computer named {place} is known from here.",
                f"Check the address ({_SETTINGS}) and the network or VPN.",
            )
        case FaultKind.REFUSED:
            return ModelError(
                "The model server does not answer",
                f"Nothing accepts a connection at {place}.",
                "Start the server, or check its address and port.",
            )
        case FaultKind.CERTIFICATE:
            return ModelError(
                "The model server is not trusted",
                f"The certificate of {place} could not be verified, so nothing was sent.",
                "Have the certificate installed on this computer; it is never skipped.",
            )
        case FaultKind.NOT_PRIVATE:
            return ModelError(
                "The connection is not safe",
                f"{place} is not on a private network, and http would show the text on the way; "
                "nothing was sent.",
                "Use an address that begins with https://.",
            )
        case FaultKind.CONNECT_SLOW:
            return ModelError(
                "The model server does not answer",
                f"{place} did not accept a connection in time.",
                "Check the network or VPN, then try again.",
            )
        case FaultKind.SLOW:
            return ModelError(
                "The model server is too slow",
                f"{place} accepted the prompt but said nothing more for too long.",
                "Try again later, or choose another model profile.",
            )
        case FaultKind.CUT:
            return ModelError(
                "The answer was cut off",
                f"{place} hung up before the text was complete.",
                "What came so far is kept; generate again.",
            )
        case FaultKind.NONSENSE:
            return nonsense_error(place)


def status_error(head: AnswerHead, place: str, model: str, said: str) -> ModelError:
    """Return the error for an answer other than 200; ``said`` is the server's own word."""
    told = f" It says: “{said}”" if said else ""
    status = head.status
    if 300 <= status < 400:
        return ModelError(
            "The model server has moved",
            f"{place} sends on to another address, which is not followed.",
            f"Enter the new address yourself if you trust it ({_SETTINGS}).",
        )
    if status in (401, 403):
        # What the server says may quote the key.
        return ModelError(
            "The model server refuses the key",
            f"{place} does not accept the key, or the key may not use this model.",
            f"Enter the key again ({_SETTINGS}).",
        )
    if status == 404:
        return ModelError(
            "The model is not there",
            f"{place} knows no model “{model}”, or no such address.",
            "Check the model's name, and that the address ends as the server's manual says "
            "(usually in /v1).",
        )
    if status == 429:
        wait = f" for {int(head.retry_after)} s" if head.retry_after.isdigit() else ""
        return ModelError(
            "The model server is busy",
            f"{place} accepts no more requests{wait}: its limit is reached.",
            "Wait and generate again, or choose another model profile.",
        )
    if status >= 500:
        return ModelError(
            "The model server failed",
            f"{place} reports an error of its own ({status}).{told}",
            "Try again; if it stays, ask whoever runs the server.",
        )
    return ModelError(
        "The model server refuses the request",
        f"{place} does not accept the request ({status}).{told}",
        "Check the model's name and its context size in the settings.",
    )


def nonsense_error(place: str) -> ModelError:
    """Return the error for an answer that is no answer."""
    return ModelError(
        "This is no model server",
        f"What {place} answers is not what a server with the OpenAI interface says.",
        "Check the address; it usually ends in /v1.",
    )


def web_page_error(place: str) -> ModelError:
    """Return the error for HTML in place of an answer."""
    return ModelError(
        "This is no model server",
        f"{place} answers with a web page.",
        "Check the address (it usually ends in /v1), and that no sign-in page is in between.",
    )


def failed_midway_error(place: str) -> ModelError:
    """Return the error that the server itself reports in the middle of its text."""
    return ModelError(
        "The model server failed",
        f"{place} reported an error while it was writing.",
        "What came so far is kept; generate again.",
    )


def empty_error(place: str, finish: str) -> ModelError:
    """Return the error for an answer without a word."""
    why = " (its filter stopped it)" if finish == "content_filter" else ""
    if finish == "length":
        why = " (it used up its tokens before the first word, as reasoning models do)"
    return ModelError(
        "The model wrote nothing",
        f"The model at {place} answered without a word{why}.",
        "Generate again, or choose another model.",
    )
