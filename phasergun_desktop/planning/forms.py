"""The fields of a form that a prompt gives to be filled in: "Product code: ____"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from phasergun_desktop.planning.form_words import FORM_WORDS, WORD, is_of_form, names_nothing
from phasergun_desktop.planning.needs import BLANK, MOST_NEEDS, Need, Request
from phasergun_desktop.planning.prompt_clauses import LIST_MARK
from phasergun_desktop.references.model import Resolution
from phasergun_desktop.text.lexicon import in_all_languages

_FILLING_IN = in_all_languages("prompts", "filling_in")

_FEWEST, _LONGEST = 3, 10
# Of so many blanks more are those of fields; others stand in sentences with blanks.
_SHARE = 0.8
# Beside its fields a form has a title; what says more asks for more.
_LONGEST_TITLE = 8
# A field ends with its blank, or before the label of the next one.
_ENDS = re.compile(r"\s*(?:$|[\n;/|,.(\"”]|[^\W\d_][^_\n:;]{0,60}:)")
_AROUND = ' \t\xa0:/|.,;"“”'
# What introduces the form ends so; "max. load" is no end.
_LEAD = re.compile(r".*(?::|\]|\.(?= [A-Z]))\s", re.DOTALL)

_Span = tuple[int, int]


def form_request(request: Request, resolution: Resolution) -> Request | None:
    """Return the ``request`` of a prompt that is a form, each of its fields under its name; None
    where it is none, asks for more beside, or puts values in."""
    prompt = resolution.prompt
    fields = list(_fields(prompt))
    references = [(each.start, each.end) for each in resolution.references]
    has_value = any(each.value is not None for each in resolution.references)
    if len(fields) < _FEWEST or has_value or any(_touch(f, r) for f in fields for r in references):
        return None
    rest = request.said
    for start, end in (*fields, *references):
        rest = rest[:start] + " " * (end - start) + rest[end:]
    words = WORD.findall(BLANK.sub(" ", rest))
    title = [w for w in words if not (is_of_form(w, _FILLING_IN) or names_nothing(w))]
    asked = (*request.needs, *request.left_out)
    others = [n for n in asked if not any(_touch((n.start, n.end), field) for field in fields)]
    if len(title) > _LONGEST_TITLE or any(map(_is_order, others)):
        return None
    needs = [
        Need(
            f"n{at}",
            prompt[start:end],
            start,
            end,
            prompt[start:end],
            next(
                (n.scope for n in asked if _touch((n.start, n.end), (start, end))), resolution.scope
            ),
            heading=prompt[start:end],
            goes_on_from=" ".join(title),
            is_field=True,
        )
        for at, (start, end) in enumerate(fields, 1)
    ]
    return replace(request, needs=tuple(needs[:MOST_NEEDS]), left_out=tuple(needs[MOST_NEEDS:]))


def _is_order(need: Need) -> bool:
    """Whether ``need`` tells to write something ("Describe the alarm"), and not to fill it in."""
    first = WORD.search(need.quote)
    is_order = first is not None and first[0].casefold() in FORM_WORDS
    return is_order and not is_of_form(need.quote, _FILLING_IN)


def _touch(one: _Span, other: _Span) -> bool:
    return one[0] < other[1] and other[0] < one[1]


def _fields(prompt: str) -> Iterator[_Span]:
    """Yield where the names of the fields stand, none where the blanks are those of sentences."""
    found: list[tuple[_Span, bool]] = []
    position = 0
    for blank in BLANK.finditer(prompt):
        start = max(position, prompt.rfind("\n", position, blank.start()) + 1)
        start = max(start, prompt.rfind(";", position, blank.start()) + 1)
        name = _trimmed(prompt, start, blank.start())
        position = blank.end()
        if name is not None:
            is_short = len(prompt[slice(*name)].split()) <= _LONGEST
            found.append((name, is_short and _ENDS.match(prompt, position) is not None))
    fields = [name for name, is_field in found if is_field]
    if len(fields) > _SHARE * len(found):
        yield from fields


def _trimmed(prompt: str, start: int, end: int) -> _Span | None:
    """Return the name of a field: what stands there without its mark and what introduces the form;
    None where there is none, as before a second blank."""
    mark = LIST_MARK.match(prompt, start, end)
    start = mark.end() if mark is not None else start
    text = prompt[start:end].rstrip(_AROUND)
    lead = _LEAD.match(text)
    name = (text[lead.end() :] if lead is not None else text).lstrip(_AROUND)
    end = start + len(text)
    return (end - len(name), end) if WORD.search(name) else None
