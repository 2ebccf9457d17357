"""The pages of the manual with their sections: read, filled in and searched."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

CONTENTS = "index"
_LINK = re.compile(r"(!?)\[([^\]]*)\]\(([^)\s]+)\)")
_HEADING = re.compile(r"^(#{1,3}) +(.+?)\s*$", re.MULTILINE)
_PLACEHOLDER = re.compile(r"\{(key|menu|table):?([a-z0-9-]*)\}")
_MARKS = re.compile(r"^[-#>\s:|]+$|^\s*[-#>]+ |[*`|\\]", re.MULTILINE)
_SNIPPET = 90


@dataclass(frozen=True, slots=True)
class Link:
    """``target`` is ``page.md#anchor``, ``#anchor`` or the path of a picture."""

    target: str
    is_picture: bool


@dataclass(frozen=True, slots=True)
class Section:
    """A heading of a page with what stands below it, without marks."""

    page: str
    anchor: str
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page as Markdown; ``name`` is its file's name without the ending."""

    name: str
    title: str
    markdown: str
    sections: tuple[Section, ...]

    @property
    def links(self) -> tuple[Link, ...]:
        """Every link and picture of the page."""
        found = _LINK.findall(self.markdown)
        return tuple(Link(target, bool(mark)) for mark, _text, target in found)

    def has(self, anchor: str) -> bool:
        """Whether the page has a heading of this anchor."""
        return any(one.anchor == anchor for one in self.sections)


@dataclass(frozen=True, slots=True)
class Finding:
    """A section in which all the words occur, and the words around the first of them."""

    section: Section
    snippet: str


class Manual:
    """Reads the pages of ``folder`` in the order in which its contents name them.

    ``fill`` returns what stands for a placeholder: ``{key:generate}`` asks it for ``key`` and
    ``generate``. Raises ``OSError`` where a page is missing.
    """

    def __init__(self, folder: Path, fill: Callable[[str, str], str]) -> None:
        self.folder = folder
        contents = _read(folder / f"{CONTENTS}.md", fill)
        names = [target.removesuffix(".md") for _mark, _text, target in _LINK.findall(contents)]
        pages = [_page(name, _read(folder / f"{name}.md", fill)) for name in dict.fromkeys(names)]
        self.pages: tuple[Page, ...] = (_page(CONTENTS, contents), *pages)

    def page(self, name: str) -> Page:
        """Return a page, that of the contents for an unknown name."""
        return next((one for one in self.pages if one.name == name), self.pages[0])

    def search(self, words: str) -> tuple[Finding, ...]:
        """Return the sections that hold every word, those with the words in their title first."""
        wanted = [one for one in words.casefold().split() if one]
        if not wanted:
            return ()
        found: list[tuple[int, int, Finding]] = []
        for page in self.pages[1:]:
            for section in page.sections:
                title, text = section.title.casefold(), section.text.casefold()
                if all(word in title or word in text for word in wanted):
                    in_title = sum(word in title for word in wanted)
                    often = sum(text.count(word) for word in wanted)
                    finding = Finding(section, _around(section.text, wanted[0]))
                    found.append((in_title, often, finding))
        found.sort(key=lambda one: (-one[0], -one[1]))
        return tuple(finding for _in_title, _often, finding in found)


def anchor_of(title: str) -> str:
    """Return the anchor of a heading: its words in lower case, joined by hyphens."""
    return "-".join(re.findall(r"[a-z0-9]+", title.casefold()))


def _read(path: Path, fill: Callable[[str, str], str]) -> str:
    text = path.read_text(encoding="utf-8")
    return _PLACEHOLDER.sub(lambda found: fill(found[1], found[2]), text)


def _page(name: str, markdown: str) -> Page:
    headings = list(_HEADING.finditer(markdown))
    ends = [one.start() for one in headings[1:]] + [len(markdown)]
    sections = tuple(
        Section(name, anchor_of(one[2]), one[2], _plain(markdown[one.end() : end]))
        for one, end in zip(headings, ends, strict=True)
    )
    return Page(name, sections[0].title if sections else name, markdown, sections)


def _plain(markdown: str) -> str:
    text = _LINK.sub(lambda found: "" if found[1] else found[2], markdown)
    return " ".join(_MARKS.sub(" ", text).split())


def _around(text: str, word: str) -> str:
    at = max(text.casefold().find(word), 0)
    start = text.rfind(" ", 0, max(at - _SNIPPET // 3, 0)) + 1
    end = text.find(" ", start + _SNIPPET)
    cut = text[start : end if end >= 0 else len(text)]
    return f"{'… ' if start else ''}{cut}{' …' if end >= 0 else ''}"
