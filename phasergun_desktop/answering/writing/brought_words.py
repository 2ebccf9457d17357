"""What a model's sentence says beyond its source, and whom it says it of.

A small model joins the words of a source with words of its own ("was submitted to the FDA", "the
results showed that it accurately measures"), and a check that weighs likeness takes such a sentence
for supported. Of 438 sentences that were read beside their quotes before this rule, all nine that a
reader did not find in their source had a content word that it has not; what the source says instead
is at hand, word for word.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from phasergun_desktop.grounding.candidates import CandidateSpan
from phasergun_desktop.grounding.words import content_words, squeezed
from phasergun_desktop.retrieval.model import Passage

_PARTS = re.compile(r"[-/]")
# Say that something is there, or call a document what it is, and claim nothing of it.
_CLAIM_NOTHING = frozenset(
    content_words(
        "include contain comprise consist state describe specify define following procedure"
        " document"
    )
)
_MIN_RUN_TOGETHER = 5
_ATTRIBUTION = re.compile(
    r"^(?:in |according to )?(?P<source>[^.;:]{3,90}?),?\s+"
    r"(?:states|specifies|notes|mentions|indicates|says|reports)\s+that\s+(?P<said>\S.*)$",
    re.IGNORECASE | re.DOTALL,
)


def brings_words(sentence: str, spans: Sequence[CandidateSpan], given: str) -> bool:
    """Whether ``sentence`` has a content word that neither ``spans`` nor what stands above them
    has. ``given`` needs no source (the names of the devices)."""
    read = " ".join(f"{span.text} {_headers(span)} {span.context}" for span in spans)
    return bool(_foreign(sentence, f"{read} {given}"))


def without_attribution(sentence: str, passages: Sequence[Passage]) -> str:
    """Return ``sentence`` without "The minutes state that": its footnote says where it stands."""
    match = _ATTRIBUTION.match(sentence)
    if match is None:
        return sentence
    named = set(content_words(match["source"]))
    for passage in passages:
        if named <= set(content_words(" ".join((passage.title, *passage.heading_path)))):
            said = match["said"]
            return said[:1].upper() + said[1:]
    return sentence


def _foreign(text: str, read: str) -> set[str]:
    known = _stems(read) | _CLAIM_NOTHING
    run_together = squeezed(read)
    return {
        stem
        for stem in _stems(text) - known
        # PDF files lose spaces: "wholeblood" is whole blood.
        if len(stem) < _MIN_RUN_TOGETHER or stem not in run_together
    }


def _stems(text: str) -> set[str]:
    """Return the stems of ``text``, those of words with a hyphen one by one."""
    return set(content_words(_PARTS.sub(" ", text)))


def _headers(span: CandidateSpan) -> str:
    return " ".join(header for header, _ in span.block.cells)
