"""Needs on a device that no document names: what is stated of others is no answer to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from phasergun_desktop.planning.needs import Request

# Words that are written as those of a name are.
_NAME = re.compile(r"[A-Z][\w®™/-]*(?: [A-Z\d][\w®™/-]*)*")
# As only the words of trade names and type numbers are: "GlucoTrace", "CPX-M2", "K231192".
_MIXED = re.compile(r"[^\W\d_]*[a-z][A-Z][\w-]{2,}|(?=\S*\d)(?=.{3})(?!\w\d{1,3}\b)\w*[A-Z][\w-]*")
_NUMBER = re.compile(r"[A-Z]{2,6}-\d{2,6}")
# "ISO13485" is what the documents write as two words.
_BEFORE_NUMBER = re.compile(r"(?<=[A-Za-z]{3})(?=\d)")


def unknown_devices(
    request: Request, is_known: Callable[[str], bool]
) -> Mapping[str, tuple[str, ...]]:
    """Return the names of no document that each need is on, by the need's id; needs without any
    are left out.

    ``is_known`` says whether a document has a word. What the title or the first need names, the
    whole request is on; but a number such as ABC-123 may be that of a protocol, and only what
    asks for it is on it.
    """
    if not request.needs:
        return {}
    first = request.needs[0]
    lead = [
        name
        for text in (request.title, first.heading, first.label, first.query)
        for name in _unknown_in(text, is_known)
        if not _NUMBER.fullmatch(name)
    ]
    found = {
        need.need_id: tuple(
            dict.fromkeys(
                (
                    *lead,
                    *_unknown_in(need.heading, is_known),
                    *_unknown_in(need.part or need.query, is_known),
                )
            )
        )
        for need in request.needs
    }
    return {need_id: names for need_id, names in found.items() if names}


def _unknown_in(text: str, is_known: Callable[[str], bool]) -> Iterator[str]:
    for match in _NAME.finditer(text):
        words = match[0].split()
        strange = [word for word in words if not _is_known(word, is_known)]
        is_type = any(_MIXED.fullmatch(word) for word in strange)
        # "Corvane PX": of a brand and its model neither is known.
        is_model = words[0] in strange and any(
            word.isupper() for word in strange if word != words[0]
        )
        if is_type or is_model:
            yield match[0]


def _is_known(word: str, is_known: Callable[[str], bool]) -> bool:
    return is_known(word) or is_known(_BEFORE_NUMBER.sub(" ", word))
