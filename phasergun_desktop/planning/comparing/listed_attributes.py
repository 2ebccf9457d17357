"""The list of attributes in a prompt for a comparison, in whatever form it is typed."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from phasergun_desktop.planning.form_words import is_of_form
from phasergun_desktop.planning.prompt_clauses import (
    AND,
    LIST_MARK,
    PARENTHESES,
    comma_parts,
    cut,
)
from phasergun_desktop.references.model import PromptSentence
from phasergun_desktop.text.lexicon import in_all_languages
from phasergun_desktop.text.words import content_words

_ASKING = in_all_languages("questions", "opening")
_OPENING_LIST = in_all_languages("prompts", "opening_attributes")

# Fewer are not told from the two sides of a sentence, but where the list is opened, or by an order
# ("cover").
_FEWEST, _FEWEST_TOLD = 3, 2
_LONGEST = 12  # words
# What opens a list within a sentence: "rows: …", "(rows = …".
_OPENS = re.compile(r"[:=]\s+")
_SEMICOLON = re.compile(r";")
_OF_WHOM = re.compile(
    r"\s+(?:of|for|von|de|des|du|del)\s+(?:our|the|this|its|both|unser\w*|notre|nuestr\w+|de[rmn]|"
    r"la|el|le)\b.*$",
    re.IGNORECASE,
)
_ENDS = (".", "?", "!", ":")

# What asks for all that is known of the devices, where no attributes are listed.
WHOLE = re.compile(
    r"\b(?:substantial(?:ly)? equiv|equivalence|features?\b|tables?\b|tabular\b|SE\b"
    r"|side.by.side compar|äquivalen|tabelle|tableau|équivalen|tabla)",
    re.IGNORECASE,
)

_Span = tuple[int, int]
# The places of its items, and whether a colon or a parenthesis opens it.
_List = tuple[list[_Span], bool]


@dataclass(frozen=True, slots=True)
class ListedAttributes:
    """The attributes of a list, in its order, and its place ``start``..``end`` in the prompt.

    ``start`` is where the first attribute begins behind the words that open the list; where the
    first item is a device, where that item does."""

    names: tuple[str, ...]
    start: int
    end: int


def listed_attributes(
    prompt: str, sentences: Sequence[PromptSentence], is_device: Callable[[str], bool]
) -> ListedAttributes | None:
    """Return the longest list in ``prompt`` of what may be compared; None where it has none.

    A list is a run of lines with marks, or of short ones without, or what commas or semicolons part
    in a sentence, behind a colon or in parentheses. An item for which ``is_device`` is none: a list
    of columns.
    """
    best: ListedAttributes | None = None
    lines = ((run, False) for run in _in_lines(prompt))
    for spans, is_opened in (*lines, *_in_sentences(prompt, sentences)):
        items = [_unmarked(prompt[slice(*span)]) for span in spans]
        first = _without_order(items[0])
        order = items[0].removesuffix(first).casefold().replace(":", "").split()
        named = [_without_whom(n) if is_device(n) else n for n in (first, *items[1:])]
        names = (n for n in named if n and not (is_device(n) or WHOLE.fullmatch(n)))
        kept = tuple(dict.fromkeys(names))
        is_marked = LIST_MARK.match(prompt, spans[0][0]) is not None
        is_told = is_marked or not _OPENING_LIST.isdisjoint(order)
        is_told = is_told or (is_opened and not any(map(_is_form, items)))
        fewest = _FEWEST_TOLD if is_told and len(kept) == len(items) else _FEWEST
        # What stands before the colon of a list is none of it, if it is not most of it.
        is_tail = best and is_opened and best.start < spans[0][0] and best.end == spans[-1][1]
        longest = len(best.names) / (2 if is_tail else 1) if best is not None else 0
        if len(kept) >= max(fewest, longest):
            is_first = bool(kept) and kept[0] == named[0]
            start = _place_of(first.split()[0], prompt, spans[0]) if is_first else spans[0][0]
            best = ListedAttributes(kept, start, spans[-1][1])
    return best


def _place_of(word: str, prompt: str, span: _Span) -> int:
    """Return where ``word`` begins in ``span``, as a word and not inside of another one."""
    found = re.compile(rf"(?<!\w){re.escape(word)}").search(prompt, *span)
    return found.start() if found is not None else span[0]


def _unmarked(item: str) -> str:
    mark = LIST_MARK.match(item)
    return " ".join(item[mark.end() if mark else 0 :].split()).strip(" .,;:")


def _without_order(item: str) -> str:
    """Return the first item without what opens the list ("One row each for", "Please cover"); the
    words of a question stay ("who may use it")."""
    words = item.split()
    told = [is_of_form(word, _OPENING_LIST) for word in words[:-1]]
    at = 0
    while at < len(told) and (told[at] or not (content_words(words[at]) or _asks(words[at]))):
        at += 1
    return " ".join(words[at:] if any(told[:at]) else words)


def _without_whom(item: str) -> str:
    """Return what of "speed of our lift with K654321" is an attribute."""
    words = _OF_WHOM.sub("", item).split()
    while words and not content_words(words[-1]):
        words.pop()
    return " ".join(words)


def _is_form(item: str) -> bool:
    """Whether ``item`` says how to compare ("short", "features in a table")."""
    return WHOLE.search(item) is not None or is_of_form(item)


def _asks(word: str) -> bool:
    return word.casefold() in _ASKING


def _in_lines(prompt: str) -> Iterator[list[_Span]]:
    """Yield the runs of lines with marks, and of short lines without one or a full stop."""
    run: list[_Span] = []
    is_marked_run = False
    position = 0
    for line in prompt.splitlines(keepends=True):
        start, position = position, position + len(line)
        text = line.strip()
        is_marked = LIST_MARK.match(line) is not None
        is_item = is_marked or (
            0 < len(text.split()) <= _LONGEST and not text.rstrip("\"”')").endswith(_ENDS)
        )
        if is_marked_run and not is_marked and (not text or line[:1].isspace()):
            if text:  # An item goes on in the next line.
                run[-1] = (run[-1][0], start + len(line.rstrip()))
            continue
        if run and not (is_item and is_marked == is_marked_run):
            yield run
            run, is_marked_run = [], False
        if is_item:
            run.append((start, start + len(line.rstrip())))
            is_marked_run = is_marked
    if run:
        yield run


def _in_sentences(prompt: str, sentences: Sequence[PromptSentence]) -> Iterator[_List]:
    for sentence in sentences:
        yield from _parted(prompt, sentence.start, sentence.end)
        for match in PARENTHESES.finditer(prompt, sentence.start, sentence.end):
            inside = _parted(prompt, match.start() + 1, match.end() - 1)
            yield from ((spans, True) for spans, _ in inside)


def _parted(prompt: str, start: int, end: int) -> Iterator[_List]:
    """Yield the parts of ``start``..``end``, by semicolons where it has several: of the whole, and
    of what follows each colon or equals sign."""
    text = PARENTHESES.sub(lambda match: "x" * len(match.group()), prompt[start:end])
    for begin in (0, *(match.end() for match in _OPENS.finditer(text))):
        spans = cut(_SEMICOLON, text, begin, len(text))
        if len(spans) < _FEWEST:
            spans = comma_parts(text, begin, len(text))
        if len(spans) == 1:  # "Cover weight and noise."
            spans = cut(AND, text, *spans[0])
        short = [span for span in spans if len(text[slice(*span)].split()) <= _LONGEST]
        if short:
            yield [(start + low, start + high) for low, high in short], begin > 0
