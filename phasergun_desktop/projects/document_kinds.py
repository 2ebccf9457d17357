"""What a document is, told from its own title, headings and front matter.

Never from its file name, and never from a mere mention: a procedure that follows ISO 14971
is not a standard.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# The words of a title that name a category; the first rule that matches wins, so narrower
# subjects stand before wider ones.
_CATEGORY_RULES: tuple[tuple[str, str], ...] = (
    ("risk_management", r"risk (?:management|analysis|assessment|evaluation)"),
    ("capa", r"\bcapa\b|corrective (?:and|&|/)? ?preventive actions?|corrective actions?"),
    (
        "vigilance",
        r"vigilance|medical device report|\bmdr reporting|adverse event|recalls?\b|field action",
    ),
    ("complaint_handling", r"complaints?\b|customer feedback"),
    ("post_market_surveillance", r"post[- ]?market"),
    ("clinical_evaluation", r"clinical (?:evaluation|investigation)"),
    ("usability", r"usability|human factors"),
    ("cybersecurity", r"cyber ?security|information security"),
    ("computer_system_validation", r"(?:computer|software) (?:system|tool)s? validation"),
    ("software_lifecycle", r"software (?:life ?-?cycle|development|maintenance)"),
    ("process_validation", r"process validation|sterili[sz]ation"),
    (
        "verification_and_validation",
        r"verification (?:and|&) validation|\bv ?& ?v\b|design (?:verification|validation)",
    ),
    ("change_control", r"change (?:control|management)"),
    ("document_control", r"document(?:s|ation)? (?:control|management)|control of documents"),
    ("quality_records", r"quality records?|control of records|records? (?:control|management)"),
    ("design_control", r"design (?:and|&) development|design controls?|design (?:plan|review)"),
    ("supplier_management", r"suppliers?\b|purchasing|vendor"),
    ("nonconformance", r"non-?conform"),
    ("internal_audit", r"internal audits?|audit procedure"),
    ("management_review", r"management reviews?"),
    ("training", r"training|competenc[ey]"),
    ("production", r"production|manufacturing|calibration"),
    ("labelling", r"label+ing|instructions for use"),
    ("quality_manual", r"quality (?:manual|policy|objectives)"),
)
CATEGORY_NAMES = tuple(name for name, _ in _CATEGORY_RULES)
_CATEGORIES = tuple((name, re.compile(words, re.IGNORECASE)) for name, words in _CATEGORY_RULES)

_STANDARD = re.compile(
    r"(?:international standard\s+)?"
    r"(?:(?:AAMI|ANSI|ASTM|BS|CEN|CENELEC|CLSI|DIN|EN|IEC|IEEE|ISO|JIS|NF|UL|TIR|TR|TS)"
    r"[\s/]+)*"
    r"(?:AAMI|ASTM|CLSI|EN|IEC|IEEE|ISO|UL)[\s/]*(?:TR|TS|TIR)?\s*"
    r"[A-Z]{0,3}\s?\d{2,6}(?:-\d+)*(?:[:\-]\d{4})?\b",
    re.IGNORECASE,
)
_REGULATION = re.compile(
    r"(?:title\s+)?21\s*(?:CFR|C\.F\.R\.|code of federal regulations|[—–-]+\s*food and drugs)"
    r"|part\s+\d{1,4}(?:\s+subpart\s+[a-z])?\s*[—–\-:]+\s*\S"
    r"|code of federal regulations|federal register\b"
    r"|regulation\s*\(eu\)|(?:council )?directive\s+\d+/\d+|\(eu\)\s*20\d\d/\d+",
    re.IGNORECASE,
)
_GUIDANCE = re.compile(
    r"guidance for industry|fda guidance|draft guidance|guidance for (?:fda|food and drug)"
    r"|food and drug administration staff|contains nonbinding recommendations"
    r"|\bmdcg\s+20\d\d|\bguidance document\b",
    re.IGNORECASE,
)
_DECISION = re.compile(
    r"decision\s*summary|substantial equivalence determination|510\(k\) summary", re.IGNORECASE
)
# Words that make a title one of the company's own documents, whatever it names besides.
_OWN_WORK = re.compile(
    r"\b(?:procedure|sop|plan|template|checklist|form|matrix|report|record|minutes|policy|"
    r"manual|work instruction|gap (?:analysis|assessment)|compliance|training|summary|"
    r"implementation|conformity|mapping|assessment|review|memo|strategy)\b",
    re.IGNORECASE,
)
_OWN_KINDS: tuple[tuple[str, str], ...] = (
    ("procedure", r"standard operating procedure|\bsop\b|\bprocedure\b"),
    ("template", r"\btemplate\b"),
    ("plan", r"\bplan\b"),
    ("minutes", r"\bminutes\b"),
    ("report", r"\breport\b"),
    ("policy", r"\bpolicy\b|\bmanual\b"),
)
KIND_NAMES = (
    "standard", "regulation", "guidance", "decision_summary", *(kind for kind, _ in _OWN_KINDS),
)  # fmt: skip
_OWN = tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in _OWN_KINDS)
_HEADINGS_READ = 4


def derive_category(
    title: str, headings: Sequence[str], front_matter: Sequence[tuple[str, str]] = ()
) -> str:
    """Return the category (``risk_management``) or ``""`` where nothing tells it.

    Front matter counts first, then the title, then the first headings.
    """
    given = _front_value(front_matter, "category", "subcategory", "process")
    if given:
        return re.sub(r"[\W_]+", "_", given.casefold()).strip("_")
    texts = (_front_value(front_matter, "title"), title, *headings[:_HEADINGS_READ])
    for text in texts:
        for name, pattern in _CATEGORIES:
            if pattern.search(text):
                return name
    return ""


def derive_kind(
    title: str, headings: Sequence[str], front_matter: Sequence[tuple[str, str]] = ()
) -> str:
    """Return the kind: ``regulation``, ``standard``, ``guidance``, ``decision_summary``,
    ``procedure``, ``template``, ``plan``, ``minutes``, ``report``, ``policy`` or ``""``.

    A title must begin with the number of a standard or the name of a regulation to be one;
    only the title and the first headings are looked at, never the text.
    """
    given = _front_value(front_matter, "kind", "document_type", "family", "instrument")
    if given:
        kind = _external_kind(given) or _named_kind(given) or _own_kind(given)
        if kind:
            return kind
    names = [_front_value(front_matter, "title"), title, *headings[:1]]
    for text in names:
        kind = _external_kind(text)
        if kind:
            return kind
    # The title of a converted guidance is often on its second or third line.
    for text in headings[1:_HEADINGS_READ]:
        if _GUIDANCE.search(text) and not _OWN_WORK.search(text):
            return "guidance"
    return next((kind for kind in map(_own_kind, names) if kind), "")


def _external_kind(text: str) -> str:
    words = _without_marks(text)
    if not words:
        return ""
    if _DECISION.search(words):
        return "decision_summary"
    if _GUIDANCE.search(words) and not _OWN_WORK.match(words):
        return "guidance"
    if _OWN_WORK.search(words):
        return ""
    if _REGULATION.match(words):
        return "regulation"
    return "standard" if _STANDARD.match(words) else ""


def _named_kind(word: str) -> str:
    word = word.casefold()
    names = ("regulation", "standard", "guidance", "decision_summary")
    return next((name for name in names if name.replace("_", " ") in word.replace("_", " ")), "")


def _own_kind(text: str) -> str:
    return next((kind for kind, pattern in _OWN if pattern.search(text)), "")


def _front_value(front_matter: Sequence[tuple[str, str]], *keys: str) -> str:
    # Nested front matter arrives as "source.title" or the like.
    for key in keys:
        for name, value in front_matter:
            last = name.replace("/", ".").rpartition(".")[2].strip().casefold()
            if last.replace("-", "_").replace(" ", "_") == key and value.strip():
                return value.strip().strip("'\"")
    return ""


def _without_marks(text: str) -> str:
    return re.sub(r"^[\s#*>_\"'“”]+", "", text).strip()
