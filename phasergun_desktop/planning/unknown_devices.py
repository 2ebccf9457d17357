"""Needs on a device that no document names: what is stated of others is no answer to them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from functools import cache

from phasergun_desktop.planning.form_words import without_form_words
from phasergun_desktop.planning.needs import Request

# Words that are written as those of a name are.
_NAME = re.compile(r"(?<!\w)[A-Z][\w®™/-]*(?: [A-Z\d][\w®™/-]*)*")
# A brand with a capital inside, and a type number ("GlucoTrace", "CPX-M2"); formulas, ratings and
# abbreviations ("SpO2", "IP22", "USB-C", "SBOM") are shorter or have no such form.
_BRAND = re.compile(r"[A-Z][a-z]+[A-Z][a-z]\w+")
_TYPE = re.compile(r"(?=.*\d)[A-Z][A-Z\d]+-\w{2,}(?:-\w+)*")
_ROMAN = frozenset("IVX")
_SHORTEST_BRAND = 3
# At the beginning of a text any word has a capital: of a name there more words follow.
_FEWEST_AT_BEGINNING = 3
_LONGEST_WORD = 40


def unknown_devices(
    request: Request,
    is_known: Callable[[str], bool],
    is_own: Callable[[str], bool],
    *,
    is_foreign: bool,
) -> Mapping[str, tuple[str, ...]]:
    """Return the names of no document that each need is on, by the need's id; needs without any
    are left out.

    ``is_known`` says whether a document has a word, ``is_own`` whether a text names the project's
    device, ``is_foreign`` that the request is of another language than the documents. What has the
    own name beside is compared with it. What the title or the first need names with brand and
    model the whole request is on; a brand or a type number alone, which may be of a tool or a
    protocol, only what asks for it.
    """
    if not request.needs:
        return {}
    known = cache(is_known)

    def named(text: str, *, is_whole: bool) -> Iterator[str]:
        if not is_own(text):
            yield from _unknown_in(text, known, is_whole=is_whole, is_foreign=is_foreign)

    first = request.needs[0]
    leading = (request.title, first.heading, first.query)
    lead = [name for text in leading for name in named(text, is_whole=True)]
    found = {
        need.need_id: tuple(
            dict.fromkeys(
                (
                    *lead,
                    *named(need.heading, is_whole=False),
                    *named(need.part or need.query, is_whole=False),
                )
            )
        )
        for need in request.needs
    }
    return {need_id: names for need_id, names in found.items() if names}


def _unknown_in(
    text: str, is_known: Callable[[str], bool], *, is_whole: bool, is_foreign: bool
) -> Iterator[str]:
    text = without_form_words(text)
    for match in _NAME.finditer(text):
        words = match[0].split()
        strange = [w for w in words if len(w) <= _LONGEST_WORD and not is_known(w)]
        brands = [word for word in strange if _BRAND.fullmatch(word)]
        has_number = any(character.isdigit() for character in match[0])
        if (
            (brands and has_number)
            or (not is_foreign and _is_model(words, strange, is_first=match.start() == 0))
            or (not is_whole and (brands or any(map(_TYPE.fullmatch, strange))))
        ):
            yield match[0]


def _is_model(words: list[str], strange: list[str], *, is_first: bool) -> bool:
    """Whether the words begin with a brand and its model of which no document has either:
    "Corvane PX"."""
    if len(words) < (_FEWEST_AT_BEGINNING if is_first else 2):
        return False
    brand, model = words[:2]
    return (
        brand in strange
        and model in strange
        and brand.isalpha()
        and brand.istitle()
        and len(brand) >= _SHORTEST_BRAND
        and model.isupper()
        and not _ROMAN.issuperset(model)
    )
