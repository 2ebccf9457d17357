"""Finds by which number, in which revision and about which submission a document is."""

from __future__ import annotations

import re
from collections.abc import Mapping

_CODE = (
    r"(?P<value>[A-Z][A-Z0-9]{0,7}(?:[-./ ][A-Z0-9]{1,8}){0,5}?[-./ ]?\d[\dA-Z]{0,15}"
    r"(?:[-./][\dA-Z]{1,15}){0,5})"
)
# "Document Number: SOP-001" and its like, the surest first: a template states its own number and
# that of its procedure.
_LABELS = (
    r"(?:document|doc\.?)",
    r"(?:template|form|record|report|policy|plan)(?:\s*document)?",
    r"(?:procedure|sop|work instruction)",
)
_NUMBERS = (
    *(
        re.compile(
            rf"(?:^|[|;(]|  )\s?{label}\s?(?:number|no\.?|id|identifier|#)\s?[:|#]?\s?"
            rf"{_CODE}(?![\w-])",
            re.MULTILINE | re.IGNORECASE,
        )
        for label in _LABELS
    ),
    # FDA's guidance: "Use the document number 1741 to identify the guidance".
    re.compile(
        r"\bdocument\s+number\s+(?P<value>[A-Z]{0,4}\d{3,12})\s+"
        r"(?:and\s+(?:the\s+)?complete\s+title|to\s+identify)",
        re.IGNORECASE,
    ),
)
_NUMBER_KEYS = (
    "document_number", "document number", "document_id", "document id", "doc_id", "doc_number",
    "number", "id", "template_id", "policy_id", "record_id", "sop_id",
)  # fmt: skip
_REVISION_KEYS = (
    "revision", "rev", "version", "document_version", "document version", "template_version",
    "policy_version", "record_version", "sop_version",
)  # fmt: skip
_LEADING_NUMBER = re.compile(
    r"^(?P<value>[A-Z]{2,5}-(?:[A-Z]{1,4}-)?\d{1,5}(?:-\d{1,3})?)(?=$|[\s_:.–—-])"
)
_REVISION = re.compile(
    r"(?:^|[|·])\s?(?:document\s|doc\.?\s|template\s|sop\s)?(?:revision|rev\.?|version|issue)"
    r"\s*(?:number|no\.?|level|index)?\s*[:|#]?\s*"
    r"(?P<value>v?\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z]{1,2})(?=\s*(?:$|[|·;,()]))",
    re.IGNORECASE | re.MULTILINE,
)
# In a footer ("QF-0002 Rev. 3 Page 1"): there the word must be written as an abbreviation of it.
_FOOTER_REVISION = re.compile(
    r"\b(?:Rev(?:ision)?\.?|rev\.?|Version|Ver\.|Issue)[:\s]*(?P<value>\d{1,3}(?:\.\d{1,3}){0,3}|[A-Z])"
    r"(?![\w/])"
)
# A program's own version in the properties of a file is none of the document's.
_COUNTER = re.compile(r"\d{5,}")
_MAX_CODE = 40
_SUBMISSION = r"(?P<value>K\d{6}|DEN\d{6}|P\d{6}(?:/S\d{3})?|BK\d{6})"
_SUBMISSIONS = (
    re.compile(rf"^\W*Re:\s*{_SUBMISSION}\b", re.MULTILINE | re.IGNORECASE),
    re.compile(
        r"^\W*(?:[A-Z0-9]{1,3}[.)]?\s+)?(?:510\(k\)|de\s+novo|pma|premarket\s+approval)"
        r"[^\n]{0,40}?(?:number|no\.?|#)?(?:\s*\(if known\))?\s*[:#]?\s*"
        rf"{_SUBMISSION}\b",
        re.MULTILINE | re.IGNORECASE,
    ),
)
_NAMED_SUBMISSION = re.compile(rf"^{_SUBMISSION}(?![0-9])", re.IGNORECASE)
# What an FDA letter or summary says of itself; any other document only cites submissions.
_FDA_SUMMARY = re.compile(
    r"substantial(?:ly)?\s+equivalen|510\(k\)\s+(?:premarket|summary)|decision\s+summary"
    r"|automatic\s+class\s+iii|indications\s+for\s+use\s+statement|summary\s+of\s+safety\s+and"
    r"|premarket\s+(?:notification|approval)",
    re.IGNORECASE,
)
_OF_OTHERS = re.compile(r"predicate|reference\s+device|cleared\s+(?:under|in)", re.IGNORECASE)


def document_number(front: Mapping[str, str], opening: str, names: tuple[str, ...]) -> str:
    """Return the number a document has, ``""`` where it states none.

    ``front`` holds its properties by lower-case name, ``opening`` its first page, headers and
    footers, ``names`` its title and the stem of its file name.
    """
    stated = _first(front, _NUMBER_KEYS)
    if len(stated) <= _MAX_CODE and any(char.isdigit() for char in stated):
        return stated
    for pattern in _NUMBERS:
        match = pattern.search(opening)
        if match:
            return _clean(match["value"])
    for name in names:
        match = _LEADING_NUMBER.match(name)
        if match and not _NAMED_SUBMISSION.match(name):
            return match["value"]
    return ""


def revision(front: Mapping[str, str], opening: str, margins: str) -> str:
    """Return the revision a document states, ``""`` where it states none.

    ``margins`` are its headers and footers.
    """
    stated = _first(front, _REVISION_KEYS)
    if stated and len(stated) <= _MAX_CODE and not _COUNTER.fullmatch(stated):
        return stated
    match = _REVISION.search(opening) or _FOOTER_REVISION.search(margins)
    return _clean(match["value"]) if match else ""


def submission_number(opening: str, text: str, names: tuple[str, ...]) -> str:
    """Return the submission (K, DEN, P or BK number) that an FDA letter or summary is about.

    Not one that it cites, such as a predicate's; a number that the title or file name begins
    with counts where it stands in ``text``. ``""`` for every other document.
    """
    if not _FDA_SUMMARY.search(opening):
        return ""
    for pattern in _SUBMISSIONS:
        for match in pattern.finditer(opening):
            before = opening[max(0, match.start() - 60) : match.start("value")]
            if not _OF_OTHERS.search(before):
                return match["value"].upper()
    for name in names:
        named = _NAMED_SUBMISSION.match(name)
        if named and re.search(rf"\b{named['value']}\b", text, re.IGNORECASE):
            return named["value"].upper()
    return ""


def _first(front: Mapping[str, str], keys: tuple[str, ...]) -> str:
    return next((front[key].strip() for key in keys if front.get(key, "").strip()), "")


def _clean(value: str) -> str:
    return " ".join(value.split()).rstrip(".-/ ")
