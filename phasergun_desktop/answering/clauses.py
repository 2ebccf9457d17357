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


def split_list(text: str) -> list[str]:
    """Return the items of an English list: ``a, b, and c``; ``a and b`` if both are short.

    Commas and "and" inside parentheses do not split.
    """
    text = text.strip().rstrip(".;:").strip()
    parts = _split_outside_parentheses(text, ",")
    if len(parts) > 1:
        items = [part.strip() for part in parts]
        last = re.sub(r"^(?:and|or)\s+", "", items[-1], flags=re.IGNORECASE)
        tail = _LIST_END.split(last, maxsplit=1)
        items[-1:] = tail if last == items[-1] and _short(tail) else [last]
        return [item for item in items if item]
    halves = _LIST_END.split(text, maxsplit=1)
    return [half.strip() for half in halves] if _short(halves) else [text]


def section_names(sentence: str) -> tuple[list[str], str] | None:
    """Return the names of the sections that ``sentence`` asks for and the rest after them.

    "Write the Purpose, Scope and Approval sections of the plan" gives three names.
    """
    match = _SECTION.search(sentence)
    if match is None:
        return None
    names = match["names"]
    many = match["word"].lower().endswith("s") and match["word"].lower() == "sections"
    found = split_list(names) if many else [names.strip()]
    word = match["word"].lower()
    if word in ("discussion", "summary", "statement") and len(found) == 1:
        found = [found[0] if word != "summary" else f"{found[0]} {word}"]
    return [capitalised(name) for name in found], match["rest"]


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
