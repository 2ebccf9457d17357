"""What state a numbered thing is said to be in: action A-17 open here and closed there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from phasergun_desktop.documents.model import Block, BlockKind, ParsedDocument
from phasergun_desktop.text.lexicon import paired
from phasergun_desktop.text.sentences import sentence_spans


@dataclass(frozen=True, slots=True)
class State:
    """``thing`` ("A-17") is ``word``; things of the same ``group`` and another ``side`` disagree.

    ``said`` are the words of the text that say so; ``start``..``end`` is the sentence or row.
    """

    thing: str
    word: str
    group: str
    side: str
    said: str
    block: Block
    start: int
    end: int


_GROUPS: dict[str, dict[str, str]] = paired("consistency", "states")
_WORDS = {
    word: (group, side)
    for group, sides in _GROUPS.items()
    for side, words in sides.items()
    for word in words.split()
}
_OPPOSITE = {
    side: next(other for other in sides if other != side)
    for sides in _GROUPS.values()
    for side in sides
}
_STATE_WORD = "|".join(sorted(_WORDS, key=len, reverse=True))
# One thing of many: A-17, NC-2026-014, CAPA 12, DI-022. A number alone is no name.
_THING = (
    r"(?:[A-Z]{1,6}(?:-[A-Z0-9]{1,6}){0,2}-?\d{1,5}[a-z]?|(?:Action|CAPA|Item|Finding|Issue|Risk|"
    r"Deviation|Nonconformity|Requirement|Complaint|Change request)\s(?:no\.?\s|#)?\d{1,5})"
)
_IS = re.compile(
    rf"(?<![\w-])(?P<thing>{_THING})(?![\w-])(?P<between>[^.;|\n]{{0,90}}?)"
    r"\s(?:is|was|are|were|remains|remained|stays|stayed|has been|have been|has|still)\b"
    r"(?P<not>(?:\s(?:still|now|already|also|fully|therefore|yet|formally|being))*\s?"
    rf"(?P<no>not(?:\syet)?)?)\s(?:been\s)?(?P<word>{_STATE_WORD})(?![\w-])",
    re.IGNORECASE,
)
_LABEL = re.compile(
    rf"(?<![\w-])(?P<thing>{_THING})(?![\w-])\s*[:(,–—-]\s*(?:status|state)?\s*:?\s*"
    rf"(?P<word>{_STATE_WORD})(?![\w-])",
    re.IGNORECASE,
)
_OF = re.compile(
    rf"(?<![\w-])(?P<word>{_STATE_WORD}):?\s(?:action|item|actions|requirement|capa)?\s?"
    rf"(?P<thing>{_THING})(?![\w-])",
    re.IGNORECASE,
)
# An action given out, with the date by which it is to be done, is open when it is given.
_TO_DO = re.compile(
    rf"\b(?:action|task|to do|todo)\s(?:item\s)?(?P<thing>{_THING})\s*[:–—-]\s*[a-z][^.;]{{0,300}}?"
    r"\b(?P<due>(?:by|until|before|due)\s[^.;]{0,12}?\d[\w/-]*)",
    re.IGNORECASE,
)
_CELL = re.compile(rf"^(?P<no>not(?:\syet)?\s)?(?P<word>{_STATE_WORD})\b", re.IGNORECASE)
_STATE_HEADERS = re.compile(r"^(?:state|status|result|outcome|disposition)$", re.IGNORECASE)
_CONDITION = re.compile(
    r"\b(?:before|after|when|if|unless|until|once|whether|where|that|must|shall|should|can)\b",
    re.IGNORECASE,
)
_ANY_THING = re.compile(rf"(?<![\w-]){_THING}(?![\w-])", re.IGNORECASE)


def states(document: ParsedDocument, first: int = 0, last: int | None = None) -> list[State]:
    """Return the states that the blocks overlapping ``first``..``last`` say of numbered things."""
    found: list[State] = []
    limit = len(document.text) if last is None else last
    for block in document.blocks:
        if block.end <= first or not block.kind.is_body or block.kind is BlockKind.HEADING:
            continue
        if block.start >= limit:
            break
        text = document.block_text(block)
        if _ANY_THING.search(text) is None:
            continue
        if block.kind is BlockKind.TABLE_ROW and len(block.cells) > 1:
            found.extend(_of_row(block))
            continue
        for start, end in sentence_spans(text):
            found.extend(_of_sentence(text[start:end], block, block.start + start))
    return found


def _of_sentence(sentence: str, block: Block, start: int) -> Iterator[State]:
    taken: set[str] = set()
    for pattern in (_IS, _LABEL, _OF):
        for match in pattern.finditer(sentence):
            thing = _key(match["thing"])
            if thing in taken or not _is_own_case(match["thing"]):
                continue
            between = match.groupdict().get("between") or ""
            if _ANY_THING.search(between) or _CONDITION.search(between):
                # "A-17 … A-18 is closed" says it of the second, "before it is closed" of nothing.
                continue
            taken.add(thing)
            word = match["word"].lower()
            is_denied = bool(match.groupdict().get("no"))
            yield _state(thing, word, is_denied, block, start, len(sentence))
    for match in _TO_DO.finditer(sentence):
        thing = _key(match["thing"])
        if thing not in taken and _is_own_case(match["thing"]):
            yield State(
                thing, "to be done", "closing", "open", match["due"], block, start,
                start + len(sentence),
            )  # fmt: skip


def _of_row(block: Block) -> Iterator[State]:
    thing = block.cells[0][1].strip()
    if not re.fullmatch(_THING, thing):
        return
    for header, cell in block.cells[1:]:
        match = _CELL.match(cell.strip())
        if match is not None and _STATE_HEADERS.match(header.strip()):
            yield _state(
                _key(thing), match["word"].lower(), bool(match["no"]), block, block.start,
                block.end - block.start,
            )  # fmt: skip


def _state(thing: str, word: str, is_denied: bool, block: Block, start: int, length: int) -> State:
    group, side = _WORDS[word]
    said = f"not {word}" if is_denied else word
    side = _OPPOSITE[side] if is_denied else side
    return State(thing, said, group, side, word, block, start, start + length)


def _key(thing: str) -> str:
    words = thing.split()
    return thing.upper() if len(words) == 1 else f"{words[0].capitalize()} {words[-1].lstrip('#')}"


def _is_own_case(thing: str) -> bool:
    """The patterns ignore case for their words; an identifier is written in capitals."""
    return " " in thing or thing.split("-", maxsplit=1)[0].isupper()
