"""What is said of one document or device does not hold for another."""

from __future__ import annotations

import re

from phasergun_desktop.text.lexicon import listed
from phasergun_desktop.text.words import content_words, stem_set

# Without "plan", "report" and "section": a procedure says "this plan" of the plan that it requires.
SELF_REFERENCE = re.compile(
    r"\b(?:this|the present)\s+"
    r"(?P<noun>guidance document|document|procedure|guidance|guideline|policy|SOP"
    r"|standard operating procedure|work instruction)\b"
    r"(?!\s+(?:number|control|category|type|id)\b)",
    re.IGNORECASE,
)
_OPENS = re.compile(
    r"^\W*(?:the (?:purpose|aim|scope|objective|intent) of )?"
    rf"(?:{SELF_REFERENCE.pattern})",
    re.IGNORECASE,
)
_KINDS = stem_set(listed("checks", "kinds_of_documents"))


def speaks_of_another(sentence: str, span: str, about: str) -> bool:
    """Whether ``span`` says something of its own document ("This procedure describes …") and
    ``sentence`` says it of another one ("The plan describes …").

    ``about`` is the title and the headings of the span: a document may be called by its name.
    """
    if not _OPENS.match(span) or SELF_REFERENCE.search(sentence):
        return False
    said = set(content_words(sentence)) & _KINDS
    own = set(content_words(f"{span} {about}"))
    return bool(said - own)


_ANOTHER_DEVICE = re.compile(
    r"\b(?:predicate|reference|comparator|competitor(?:'s)?|competing)\s+"
    r"(?:device|meter|product|system|test)\b",
    re.IGNORECASE,
)


def speaks_of_another_device(sentence: str, span: str, given: str) -> bool:
    """Whether ``sentence`` is on a device named in ``given`` and ``span``, which does not name it,
    on a predicate or another reference device."""
    names = set(content_words(given))
    if not names & set(content_words(sentence)) or names & set(content_words(span)):
        return False
    return bool(_ANOTHER_DEVICE.search(span)) and not _ANOTHER_DEVICE.search(sentence)
