"""Recognises headings and list marks by their wording, where a format does not name them."""

from __future__ import annotations

import re

_NUMBERED = re.compile(
    r"^(?P<number>(?:\d{1,2}(?:\.\d{1,3}){1,5}\.?|\d{1,2}\.|[A-Z]\.\d{1,2}(?:\.\d{1,2})*\.?"
    r"|§\s?\d+(?:\.\d+)*\.?|Part\s+[A-Z0-9]{1,3}[.:]?|Appendix\s+[A-Z0-9]{1,2}[.:]?"
    r"|Section\s+\d{1,2}[.:]?|Annex\s+[A-Z0-9]{1,4}[.:]?))\s+(?P<title>\S.*)$"
)
_BARE_NUMBER = re.compile(r"^(?P<number>\d{1,2})\s{1,4}(?P<title>[A-Z].*)$")
_LIST_MARK = re.compile(
    r"^(?:[•●○◦▪■□‣⁃∙·–—*➢✓\uf0b7\uf0a7\uf02d-]|o(?=\s)"
    r"|\(?(?:\d{1,3}|[a-zA-Z]|[ivxIVX]{1,5})[.)])(?:\s+|$)"
)
_BULLET = re.compile(r"^[•●○◦▪■□‣⁃∙·–—*➢✓\uf0b7\uf0a7\uf02d-]\s*")
_CAPTION = re.compile(r"^(?:Table|Figure|Fig\.|Tabelle|Abbildung)\s+[A-Z]?\d[\d.-]*\s*[:.–—-]\s*\S")
_ROMAN = re.compile(r"^(?P<number>[IVX]{1,5})\.?\s+(?P<title>[A-Z].*)$")


def heading_depth(text: str, *, emphasised: bool = False) -> int:
    """Return 1 to 6 where ``text`` starts like a numbered heading ("3.2 Scope"), else 0.

    Only the wording is judged: short, a title, not a sentence. ``emphasised``: all of it is set
    in bold, so that it may be long and have a roman number.
    """
    match = _NUMBERED.match(text) or _BARE_NUMBER.match(text)
    if match is None and emphasised and (roman := _ROMAN.match(text)) is not None:
        return int(_is_title(roman["title"], emphasised=True))
    if match is None or not _is_title(match["title"], emphasised=emphasised):
        return 0
    number = match["number"].rstrip(".")
    if number[0].isdigit() or number[1:2] == ".":
        return min(6, number.count(".") + 1)
    return 1


def roman_heading(text: str) -> bool:
    """Say whether ``text`` starts with a roman numeral and goes on like a title."""
    match = _ROMAN.match(text)
    return match is not None and _is_title(match["title"])


def _is_title(title: str, *, emphasised: bool = False) -> bool:
    stripped = title.strip()
    if not 2 <= len(stripped) <= (250 if emphasised else 110) or stripped[-1] in ".;,?!":
        return False
    words = re.findall(r"[^\W\d_]+", stripped)
    if not words or len(words) > (40 if emphasised else 14) or not stripped[0].isupper():
        return False
    # A sentence goes on after a full stop, a title does not.
    return not re.search(r"[a-z]\. [A-Z]", stripped)


def is_title_case(text: str) -> bool:
    """Say whether most longer words of ``text`` start with a capital letter."""
    words = [word for word in re.findall(r"[^\W\d_]+", text) if len(word) > 3]
    capital = sum(1 for word in words if word[0].isupper())
    return bool(words) and capital >= 0.6 * len(words)


def is_list_item(text: str) -> bool:
    """Say whether ``text`` starts with a bullet or an enumerator."""
    return _LIST_MARK.match(text) is not None


def is_caption(text: str) -> bool:
    """Say whether ``text`` names a table or figure ("Table 12-1: Summary of testing")."""
    return len(text) <= 250 and _CAPTION.match(text) is not None


def is_bullet(text: str) -> bool:
    """Say whether ``text`` starts with a bullet character."""
    return _BULLET.match(text) is not None
