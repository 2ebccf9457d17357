"""Cuts the sentence of a prompt into what is asked: lists, headings, attributes."""

from __future__ import annotations

import re

_SECTION = re.compile(
    r"\b(?:write|draft|prepare|compose|create|produce)\s+(?:an?|the)?\s*(?P<names>.+?)\s+"
    r"(?P<word>sections?|discussion|summary|statement|chapter|paragraph)\b(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_LIST_END = re.compile(r",?\s+(?:and|or)\s+", re.IGNORECASE)
_QUOTED = re.compile(r"\([^()]*\)|“[^”]*”|\"[^\"]*\"")
_TAIL = re.compile(r"\s+(?:of|for|in|on|from|at|by|with|to)\s+")
# "(1) alarm, (2) weight": numbers that part a list inside a sentence.
_INLINE_NUMBER = re.compile(r"(?:^|(?<=[\s,;:]))(?:and\s+|or\s+)?\(?(?:\d{1,2}|[a-h])\)\s+")
# What only says how long or plain a text is to be; it names no section.
_SIZE_WORDS = re.compile(
    r"^(?:an?|the|this|that|short|brief|briefly|concise|clear|plain|simple|detailed|long|longer|"
    r"full|complete|new|first|final|single|one|two|three|\d+|one-page|two-page|half-page|"
    r"plain-language|well-written|\d+-word|high-level|executive|following|own)$",
    re.IGNORECASE,
)
_NAMED_IN_CAPITALS = ("discussion", "summary", "statement", "paragraph", "chapter")
# A part that begins so belongs to the part before: it is no item of its own.
_NO_ITEM = re.compile(
    r"^(?:in|with|for|by|using|based|which|that|where|when|whereas|if|so|but|as|including|such|"
    r"e\.g|i\.e|not|without|according|from|to|on|at|of|because|since|while|whose|then|is|are|"
    r"was|were|will|shall|must|may)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(r"^(?:how|why|what|when|where|which|who|whether)\b", re.IGNORECASE)
_DETERMINER = re.compile(r"^(?:the|an?|our|your|all|any)\s", re.IGNORECASE)
_PRONOUN = re.compile(r"^(?:its|their|his|her)\s", re.IGNORECASE)
_MOST_ITEM_WORDS = 14
_NEXT_QUESTION = re.compile(
    r",?\s+(?:and|or)\s+(?=(?:what|how|which|who|when|where|why)\b"
    r"|(?:is|are|does|do|can|was|were|has|have)\s+(?:the|this|it|there|they|these)\b)",
    re.IGNORECASE,
)


def split_list(text: str) -> list[str]:
    """Return the items of an English list: ``a, b, and c``; ``a and b`` if both are short.

    Commas and "and" inside parentheses do not split.
    """
    text = text.strip().rstrip(".;:").strip()
    if len(_INLINE_NUMBER.findall(text)) > 1:
        numbered = [part.strip(" ,;") for part in _INLINE_NUMBER.split(text)]
        return [part for part in numbered if part]
    parts = _split_outside_parentheses(text, ";")
    if len(parts) == 1:
        parts = _split_outside_parentheses(text, ",")
    if len(parts) > 1:
        items = [part.strip() for part in parts]
        last = re.sub(r"^(?:and|or)\s+", "", items[-1], flags=re.IGNORECASE)
        tail = _LIST_END.split(last, maxsplit=1)
        items[-1:] = tail if last == items[-1] and _short(tail) else [last]
        return [item for item in items if item]
    halves = _LIST_END.split(text, maxsplit=1)
    return [half.strip() for half in halves] if _short(halves) else [text]


def asked_parts(query: str) -> list[str]:
    """Return the things that a query asks for at once, else ``query`` alone.

    "next steps, open actions and dates" is answered by a sentence on any one of them. Two joined
    by "and" may be one thing ("design and development"): they stand beside the whole query.
    """
    if "," in query:
        return split_list(query) or [query]
    parts = split_list(query.rpartition(": ")[2])
    return [query, *parts] if len(parts) > 1 else [query]


def section_names(sentence: str) -> tuple[list[str], str] | None:
    """Return the names of the sections that ``sentence`` asks for and the rest after them.

    "Write the Purpose, Scope and Approval sections of the plan" gives three names.
    """
    match = _SECTION.search(sentence)
    if match is None:
        return None
    names = _without_size_words(match["names"])
    word = match["word"].lower()
    if not names or (word in _NAMED_IN_CAPITALS and not _is_name(names)):
        return None
    found = split_list(names) if word == "sections" else [names]
    if word in ("discussion", "summary", "statement") and len(found) == 1:
        found = [found[0] if word != "summary" else f"{found[0]} {word}"]
    return [capitalised(name) for name in found], match["rest"]


def described_items(subject: str) -> list[str]:
    """Return what is to be described: the items of a plain list, else ``subject`` as it stands.

    "X, Y and Z of W" gives three; what only qualifies ("the heater, which …") is not split off,
    nor is a name with "and" in it ("the design and development plan"), nor what says nothing
    alone ("the alarm and its limits").
    """
    parts = split_list(subject)
    is_plain = (
        len(parts) > 1
        and not any(_NO_ITEM.match(part) or _PRONOUN.match(part) for part in parts)
        and all(len(part.split()) <= _MOST_ITEM_WORDS for part in parts)
    )
    if not is_plain:
        return [subject]
    asking = [bool(_ASKS.match(part)) for part in parts]
    if any(asking):
        return parts if all(asking) else [subject]
    has_commas = len(_split_outside_parentheses(subject, ",")) > 1 or ";" in subject
    is_joined = bool(re.search(r"\b(?:and|or)\b|;|&", subject)) or len(parts) > 2
    if has_commas and not is_joined:
        return [subject]
    if not has_commas and not all(_DETERMINER.match(part) for part in parts):
        return [subject]
    return shared_tail(parts)


def split_questions(text: str) -> list[str]:
    """Return the questions that ``text``, which ends in a question mark, asks."""
    parts = [part.strip() for part in _NEXT_QUESTION.split(text.strip().rstrip("?").strip())]
    return [f"{part[:1].upper()}{part[1:]}?" for part in parts if part]


def after_colon(text: str) -> list[str]:
    """Return the items listed after the last colon that introduces a list, else nothing.

    A colon inside parentheses or quotation marks belongs to a title.
    """
    bare = _QUOTED.sub(lambda match: "\0" * len(match.group()), text.strip())
    match = re.search(r":\s+(?P<items>[^:]+)$", bare)
    return split_list(text.strip()[match.start("items") :]) if match else []


def shared_tail(items: list[str]) -> list[str]:
    """Give every item the tail of the last one: "the a and the b of X" asks for a of X too."""
    if len(items) < 2:
        return items
    match = _TAIL.search(items[-1])
    if match is None or not items[-1][match.start() :].strip().lower().startswith("of "):
        return items
    tail = items[-1][match.start() :]
    return [item if _ends_with(item, tail) else item + tail for item in items]


def capitalised(text: str) -> str:
    """Return ``text`` with its first letter in upper case and no article before it."""
    text = re.sub(r"^(?:the|an?)\s+", "", text.strip(), flags=re.IGNORECASE)
    return text[:1].upper() + text[1:]


def _without_size_words(names: str) -> str:
    words = names.split()
    while words and _SIZE_WORDS.match(words[0].strip(",")):
        words = words[1:]
    return " ".join(words)


def _is_name(text: str) -> bool:
    return text[:1].isupper() or text[:1].isdigit()


def _ends_with(item: str, tail: str) -> bool:
    return item.lower().endswith(tail.lower())


def _short(parts: list[str]) -> bool:
    """Whether each part reads as an item: few words before its "of …" or "for …"."""
    heads = [_TAIL.split(part.strip(), maxsplit=1)[0] for part in parts]
    return len(parts) > 1 and all(0 < len(head.split()) <= 6 for head in heads)


def _split_outside_parentheses(text: str, separator: str) -> list[str]:
    parts, depth, current = [], 0, ""
    for character in text:
        depth += (character in "([") - (character in ")]")
        if character == separator and depth == 0:
            parts.append(current)
            current = ""
        else:
            current += character
    return [*parts, current]


def is_plural(name: str) -> bool:
    """Whether ``name`` calls several things: "indications for use", not "device class"."""
    head = re.split(r"\s+(?:of|for|in)\s+", name.strip())[0].casefold()
    return head.endswith("s") and not head.endswith(("ss", "us", "is"))
