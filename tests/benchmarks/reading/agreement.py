"""How what stands at a block's locator agrees with the block."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence
from enum import StrEnum

from phasergun_desktop.documents.model import Block
from tests.benchmarks.reading.word_metrics import folded, letters

SIMILAR = 0.9
# The number of a list item or heading, and the label of a note, stand before the text.
_LABEL = re.compile(
    r"(?:[\w.()\[\]§•●○■□▪◦–\-–—*o·]{1,14}|(?:Footnote|Endnote|Comment)[^:]{0,80}:)\s*"
)
_SYMBOL = re.compile("[\uf000-\uf0ff]")


class Agreement(StrEnum):
    """How what stands at the locator agrees with the block's text."""

    EXACT = "exact"
    INSIDE = "exact, inside of its line"
    LETTERS = "letters and digits only"
    SIMILAR = "similar"
    DIFFERENT = "different"
    NOTHING = "nothing there"
    NO_PLACE = "no place in the file"

    @property
    def leads_back(self) -> bool:
        """Whether the text is there exactly, after white-space folding.

        Inside of its line: a table of HTML that is one line of its file.
        """
        return self in (Agreement.EXACT, Agreement.INSIDE)


def agreement(wanted: str, there: str) -> Agreement:
    """Compare two texts after white-space folding."""
    if _same(folded(wanted), folded(there)):
        return Agreement.EXACT
    if not there.strip():
        return Agreement.NOTHING
    ratio = similarity(wanted, there)
    if ratio == 1.0:
        return Agreement.LETTERS
    return Agreement.SIMILAR if ratio >= SIMILAR else Agreement.DIFFERENT


def _same(wanted: str, there: str) -> bool:
    """Compare, where a symbol font's own code there may be any one character of ours."""
    if wanted == there or not _SYMBOL.search(there):
        return wanted == there
    pattern = ".".join(re.escape(each) for each in _SYMBOL.split(there))
    return re.fullmatch(pattern, wanted) is not None


def similarity(wanted: str, there: str) -> float:
    """Return 0..1: how far the letters and digits of two texts are the same, in order."""
    first, second = (letters(unicodedata.normalize("NFKC", each)) for each in (wanted, there))
    if first == second:
        return 1.0
    return difflib.SequenceMatcher(None, first, second, autojunk=False).ratio()


def labelled(wanted: str, there: str) -> Agreement:
    """As ``agreement``, where the block may begin with a number or label of its own."""
    whole, part = folded(wanted), folded(there)
    if part and whole.endswith(part) and _LABEL.fullmatch(whole[: len(whole) - len(part)]):
        return Agreement.EXACT
    return agreement(wanted, there)


def cells_agree(block: Block, there: Sequence[str]) -> Agreement:
    """Compare the cells of a row with those there; empty and repeated (merged) cells count once.

    The column headers in the block's text stand elsewhere in the file. Each line of a cell may
    begin with the number of its list item, which the file does not hold as text.
    """
    ours, theirs = _once([cell for _, cell in block.cells]), _once(there)
    place = 0
    for cell in ours:
        if place < len(theirs) and _lines_agree(cell, theirs[place]):
            place += 1
        elif not _LABEL.fullmatch(folded(cell)):
            return agreement(" | ".join(ours), " | ".join(theirs))
    return Agreement.EXACT if place == len(theirs) else agreement("".join(ours), "".join(theirs))


def _lines_agree(cell: str, there: str) -> bool:
    if labelled(cell, there).leads_back:
        return True
    first, second = ([line for line in each.split("\n") if line.strip()] for each in (cell, there))
    # A number alone stands on a line that has no text in the file.
    first = [line for line in first if len(first) == len(second) or not _LABEL.fullmatch(line)]
    return len(first) == len(second) and all(
        labelled(one, other).leads_back for one, other in zip(first, second, strict=True)
    )


def _once(cells: Sequence[str]) -> list[str]:
    kept: list[str] = []
    for cell in cells:
        if cell.strip() and (not kept or folded(kept[-1]) != folded(cell)):
            kept.append(cell)
    return kept


def strings_agree(wanted: str, there: Sequence[str]) -> Agreement:
    """Whether every line of the block is one of the strings there (or stands in one of them)."""
    known = {folded(each) for each in there}
    whole = "\n".join(known)
    if folded(wanted) in known or _labelled_in(folded(wanted), known):
        return Agreement.EXACT
    lines = [folded(line) for line in wanted.split("\n") if line.strip()]
    if all(line in known or _labelled_in(line, known) for line in lines):
        return Agreement.EXACT
    return Agreement.SIMILAR if all(line in whole for line in lines) else Agreement.DIFFERENT


def _labelled_in(line: str, known: set[str]) -> bool:
    """Whether the line is a label (``Comment: ``) and one of the strings known."""
    _, mark, rest = line.partition(": ")
    return bool(mark) and rest in known
