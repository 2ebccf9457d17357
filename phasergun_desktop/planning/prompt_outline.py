"""The headings that a prompt gives its text: items with items of their own, numbers of sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from phasergun_desktop.planning.prompt_clauses import LIST_MARK
from phasergun_desktop.text.units import unit_of

# That of a section of the text, at the beginning of a line: "14.2 Cycle parameters".
SECTION_NUMBER = re.compile(
    r"^[ \t]*\d{1,3}(?:\.\d{1,3})+\.?[ \t]+(?=(?P<word>[^\W\d_]+))", re.MULTILINE
)
# So many lines with one are sections; one alone may be a number.
_FEWEST_SECTIONS = 2


@dataclass(frozen=True, slots=True)
class Outline:
    """How a prompt is laid out: ``indents`` are how far items are moved in of which one has items
    of its own; ``has_sections``: its lines have numbers of sections."""

    indents: frozenset[int]
    has_sections: bool

    @staticmethod
    def of(prompt: str) -> Outline:
        """Return the outline of ``prompt``; lines that begin with values ("1.5 T") are none of
        sections."""
        lines = [line for line in prompt.split("\n") if line.strip()]
        depths = [_indent(line) if LIST_MARK.match(line) else -1 for line in lines]
        sections = list(SECTION_NUMBER.finditer(prompt))
        are_values = any(unit_of(match["word"])[0] for match in sections)
        return Outline(
            frozenset(above for above, below in pairwise(depths) if -1 < above < below),
            len(sections) >= _FEWEST_SECTIONS and not are_values,
        )

    def is_heading(self, prompt: str, at: int) -> bool:
        """Whether the item of a list whose text begins ``at`` is a heading, as the items beside it
        are."""
        return _indent(prompt[prompt.rfind("\n", 0, at) + 1 : at]) in self.indents


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())
