"""The fields of a form that a prompt gives to be filled in: "Product code: ____"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phasergun_desktop.planning.form_words import WORD, is_of_form
from phasergun_desktop.planning.needs import BLANK, LIST_MARK, MOST_NEEDS, Need, Request
from phasergun_desktop.references.model import Resolution
from phasergun_desktop.text.lexicon import in_all_languages

_FILLING_IN = in_all_languages("prompts", "filling_in")

_FEWEST, _LONGEST = 3, 10
# Of so many blanks more are those of fields; others stand in sentences with blanks.
_SHARE = 0.8
# A field ends with its blank, or before the label of the next one.
_ENDS = re.compile(r"\s*(?:$|[\n;/,.(\"”]|[^\W\d_][^_\n:;]{0,60}:)")
_AROUND = ' \t:/.,;"“”'


def form_request(request: Request, resolution: Resolution) -> Request | None:
    """Return the ``request`` of a prompt that is a form, each of its fields under its
    name; None where it is none."""
    prompt = request.said
    spans = list(_fields(prompt))
    if len(spans) < _FEWEST:
        return None
    rest = prompt
    for start, end in spans:
        rest = rest[:start] + " " * (end - start) + rest[end:]
    words = WORD.findall(BLANK.sub(" ", rest))
    about = " ".join(word for word in words if not is_of_form(word, _FILLING_IN))
    needs = [
        Need(
            f"n{at}",
            resolution.prompt[start:end],
            start,
            end,
            prompt[start:end],
            next(
                (s.scope for s in resolution.sentences if s.start <= start < s.end),
                resolution.scope,
            ),
            heading=prompt[start:end],
            goes_on_from=about,
            is_field=True,
        )
        for at, (start, end) in enumerate(spans, 1)
    ]
    return replace(request, needs=tuple(needs[:MOST_NEEDS]), left_out=tuple(needs[MOST_NEEDS:]))


def _fields(prompt: str) -> Iterator[tuple[int, int]]:
    """Yield where the names of the fields stand, none where the blanks are those of sentences."""
    found: list[tuple[int, int]] = []
    is_field: list[bool] = []
    position = 0
    for blank in BLANK.finditer(prompt):
        start = max(position, prompt.rfind("\n", position, blank.start()) + 1)
        start = max(start, prompt.rfind(";", position, blank.start()) + 1)
        name = _trimmed(prompt, start, blank.start())
        position = blank.end()
        if name is None:
            continue
        found.append(name)
        is_short = len(prompt[slice(*name)].split()) <= _LONGEST
        is_field.append(is_short and _ENDS.match(prompt, position) is not None)
    if is_field and sum(is_field) > _SHARE * len(is_field):
        yield from found


def _trimmed(prompt: str, start: int, end: int) -> tuple[int, int] | None:
    """Return the name of a field: what stands there without its mark and what introduces the form;
    None where there is none, as before a second blank."""
    mark = LIST_MARK.match(prompt, start, end)
    start = mark.end() if mark is not None else start
    text = prompt[start:end].rstrip(_AROUND)
    lead = max((text.rfind(each) + len(each) for each in (": ", "] ") if each in text), default=0)
    name = text[lead:]
    begin = start + lead + len(name) - len(name.lstrip(_AROUND))
    return (begin, start + len(text)) if WORD.search(name) else None
