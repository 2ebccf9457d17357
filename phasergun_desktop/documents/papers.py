"""Finds what identifies a scientific paper: DOI, PMID, PMC number, journal, authors, date."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from phasergun_desktop.documents.builder import folded
from phasergun_desktop.documents.model import DocumentMetadata

_DOI = re.compile(r"\b(?P<value>10\.\d{4,9}/[^\s\"'<>{}|\\^]+)", re.IGNORECASE)
_DOI_PREFIX = re.compile(r"^(?:https?://)?(?:dx\.)?doi\.org/|^doi:\s*", re.IGNORECASE)
_PMID = re.compile(r"\bPMID:?\s*(?P<value>\d{5,8})\b", re.IGNORECASE)
_PMCID = re.compile(r"\b(?P<value>PMC\d{5,8})\b")
_REFERENCES = re.compile(r"^\W*(?:\d+\.?\s*)?(?:references|bibliography|literature cited)\W*$",
                         re.IGNORECASE | re.MULTILINE)  # fmt: skip
_ABSTRACT = re.compile(r"^\W*(?:abstract|summary|background)\b", re.IGNORECASE | re.MULTILINE)
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)[a-z]*\.?"
# "J Diabetes Sci Technol. 2015 Jul;9(4):885-95", "Nature 521, 436-444 (2015)".
_WORD = r"[A-Z&][\w&()-]{0,30}"
_LINK = r"(?:of|and|in|the|for|on|de|der)"
_CITATIONS = (
    re.compile(
        rf"(?P<journal>{_WORD}(?:[ .]{{1,2}}{_WORD}| {_LINK}){{0,9}})[.,]?\s+"
        rf"(?P<date>(?:19|20)\d\d(?:\s+{_MONTH}(?:\s+\d{{1,2}})?)?)\s*[;,:]\s*"
        r"(?:vol\.?\s*)?\d+\s*(?:\([^()\n]{1,12}\))?\s*[:,]\s*(?:pp?\.?\s*)?[a-zA-Z]?\d+"
    ),
    re.compile(
        rf"(?P<journal>{_WORD}(?: {_WORD}| {_LINK}){{0,9}})[.,]?\s+"
        r"(?:Vol\.?\s*|Volume\s+)?\d+\s*(?:\(\d+\)|,\s*No\.?\s*\d+)?[,:]\s*"
        r"(?:pp?\.?\s*)?[a-zA-Z]?\d+(?:\s*[–-]\s*\d+)?\s*\((?P<date>(?:19|20)\d\d)\)"
    ),
)
_PUBLISHED = re.compile(
    r"(?:published(?:\s+online)?|first\s+published|epub|available\s+online|publication\s+date)"
    rf"\s*(?:on|in|:)?\s*(?P<date>\d{{1,2}}\s+{_MONTH}\s+\d{{4}}|{_MONTH}\s+\d{{1,2}},?\s+\d{{4}}"
    rf"|\d{{4}}-\d\d-\d\d|\d{{4}}\s+{_MONTH}(?:\s+\d{{1,2}})?|{_MONTH}\s+\d{{4}})",
    re.IGNORECASE,
)
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_WORDS = re.compile(r"[^\W\d_]+")
_PAGE_CHARACTERS = 6_000


def paper_of(
    front: Mapping[str, str], authors: Sequence[str], opening: Sequence[str]
) -> DocumentMetadata:
    """Return what a document says of the scientific paper it is; empty for any other document.

    ``opening`` holds the texts of its first blocks, ``front`` its stated properties by
    lower-case name, ``authors`` those that its file states. Journal, authors and date are
    looked for only where there is a DOI, PMID or PMC number, or an abstract below a citation.
    The authors are those that ``front`` states, else those of the file that the first page names,
    all of them; which other words of the page are names is not guessed.
    """
    page = "\n".join(opening)[:_PAGE_CHARACTERS]
    references = _REFERENCES.search(page)
    if references:
        page = page[: references.start()]
    doi = front.get("doi", "") or _only_doi(page)
    pmid = front.get("pmid", "") or _found(_PMID, page)
    pmcid = front.get("pmcid", "") or front.get("pmc", "") or _found(_PMCID, page)
    citation = next((match for each in _CITATIONS if (match := each.search(page))), None)
    has_abstract = _ABSTRACT.search(page) is not None
    if not (doi or pmid or pmcid or front.get("journal") or (citation and has_abstract)):
        return DocumentMetadata()
    stated = _PUBLISHED.search(page)
    date = stated["date"] if stated else citation["date"] if citation else ""
    names = tuple(authors) if len(authors) > 1 else _stated_names("".join(authors))
    if not all(_is_named(name, page) for name in names):
        names = ()
    return DocumentMetadata(
        doi=_doi(doi),
        pmid=pmid,
        pmcid=pmcid,
        journal=front.get("journal", "") or (folded(citation["journal"]) if citation else ""),
        authors=_stated_names(front.get("authors", "") or front.get("author", "")) or names,
        published=front.get("published", "") or iso_date(date),
    )


def iso_date(text: str) -> str:
    """Return a date in words as ``2015-07-04``, ``2015-07`` or ``2015``; ``""`` for none."""
    if re.fullmatch(r"\d{4}-\d\d-\d\d", text):
        return text
    year = re.search(r"(?:19|20)\d\d", text)
    if not year:
        return ""
    rest = text.replace(year.group(), " ", 1)
    month = re.search(_MONTH, rest, re.IGNORECASE)
    if not month:
        return year.group()
    number = _MONTHS.index(month.group()[:3].lower()) + 1
    day = re.search(r"\d{1,2}", rest)
    suffix = f"-{int(day.group()):02d}" if day else ""
    return f"{year.group()}-{number:02d}{suffix}"


def _stated_names(stated: str) -> tuple[str, ...]:
    """Return the names in a field of authors; "Lee, Ann" is one, where no semicolon parts names."""
    names = [folded(name) for name in stated.split(";") if name.strip()]
    if len(names) == 1:
        parts = [folded(name) for name in re.split(r",|\band\b|&", stated) if name.strip()]
        names = parts if all(" " in name for name in parts) else names
    return tuple(dict.fromkeys(names))


def _is_named(author: str, page: str) -> bool:
    """Whether a page names an author in full: the name of an account or a company does not stand
    among those of a paper."""
    words = set(_WORDS.findall(page.casefold()))
    name = _WORDS.findall(author.casefold())
    return len(name) > 1 and words.issuperset(name)


def _only_doi(page: str) -> str:
    """Return the DOI that a page states; where there are several, it is not told which is its
    own."""
    found = {_doi(match["value"]).casefold(): match["value"] for match in _DOI.finditer(page)}
    return next(iter(found.values())) if len(found) == 1 else ""


def _found(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match["value"] if match else ""


def _doi(text: str) -> str:
    doi = _DOI_PREFIX.sub("", text.strip())
    doi = doi.rstrip(".,;:]")
    return doi.rstrip(")") if doi.count(")") > doi.count("(") else doi
