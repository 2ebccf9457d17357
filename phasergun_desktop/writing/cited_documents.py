"""Text of a source that speaks of its own document, and what becomes of it in a draft.

"This procedure applies to …" is true of the procedure. In a draft the same words would speak of
the draft, and a model likes to put what it writes about in their place ("The purpose of the plan
is …").
"""

from __future__ import annotations

import re

from phasergun_desktop.grounding.binding import Binding
from phasergun_desktop.grounding.candidate_spans import CandidateSpan

# Without "plan", "report" and "section": a procedure says "this plan" of the plan that it requires.
_SELF_REFERENCE = re.compile(
    r"\b(?:this|the present)\s+"
    r"(?P<noun>guidance document|document|procedure|guidance|guideline|policy|SOP"
    r"|standard operating procedure|work instruction)\b"
    r"(?!\s+(?:number|control|category|type|id)\b)",
    re.IGNORECASE,
)
_LONGEST_TITLE = 8


def naming_its_document(text: str, binding: Binding) -> str:
    """Return ``text`` with the title of the cited document where it says "this document" (or
    procedure, guidance, …) in the words of its source; "the cited document" where the title is
    too long for a sentence."""
    return _named(text, binding.spans[0]) if binding.spans else text


def _named(text: str, span: CandidateSpan) -> str:
    title = span.passage.title.split()
    stated = {_noun(match) for match in _SELF_REFERENCE.finditer(span.text)}

    def name(match: re.Match[str]) -> str:
        if _noun(match) not in stated or _is_quoted(text, match.start()):
            return match.group()
        if 0 < len(title) <= _LONGEST_TITLE:
            return f"“{' '.join(title)}”"
        return f"{'The' if match.group()[0].isupper() else 'the'} cited {match['noun']}"

    return _SELF_REFERENCE.sub(name, text)


def _is_quoted(text: str, at: int) -> bool:
    """Whether the place ``at`` stands in quotation marks: what is quoted stays as it is."""
    before = text[:at]
    return before.count('"') % 2 == 1 or before.count("“") > before.count("”")


def _noun(match: re.Match[str]) -> str:
    return match["noun"].lower()
