"""What a clause of a prompt is for: an order, a remark on how to write, or mere background."""

from __future__ import annotations

import re

from phasergun_desktop.profiles.near_words import word_set

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_POLITE = re.compile(
    r"^(?:please[,\s]+|kindly\s+|now[,\s]+|then[,\s]+|next[,\s]+|finally[,\s]+|also[,\s]+|"
    r"first[,\s]+|(?:can|could|would|will)\s+you\s+(?:please\s+)?|"
    r"(?:i|we)(?:\s+would|['’]d)?\s+(?:need|want|like)\s+(?:you\s+)?to\s+(?=\w)|"
    r"(?:i|we)(?:\s+would|['’]d)?\s+(?:need|want|like)\s+(?=an?\b|the\b)|"
    r"your\s+(?:task|job|aim)\s+is\s+to\s+|(?:you\s+)?(?:should|must|have\s+to)\s+|"
    r"let\s+us\s+|let['’]s\s+|"
    r"(?:using|based\s+(?:up)?on|drawing\s+on|from|according\s+to)\s[^,;:?!]{1,160},\s+"
    r"(?=(?:please\s+)?(?:write|draft|prepare|describe|explain|summari[sz]e|state|list|give|name|"
    r"provide|outline|discuss|compare)\b))+",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"^(?:write|draft|prepare|compose|summari[sz]e|describe|explain|outline|create|produce|"
    r"state|give|name|list|specify|report|provide|say|tell|define|detail|discuss|present|"
    r"document|identify|cover|include|address|mention|add|compare|contrast|characteri[sz]e|"
    r"enumerate|show|justify|assess|evaluate|analy[sz]e|generate|make|build|set\s+out|"
    r"answer|find|quote|cite|extract|demonstrate|review)\b",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|had|will|can|may|should|must|shall|am|do|does|did|"
    r"contains?|works?|wants?|needs?|makes?|sells|offers|consists|measures|manufactures|develops|"
    r"supports|belongs|depends)\b",
    re.IGNORECASE,
)
_FORBIDS = re.compile(
    r"^(?:do\s+not|don['’]t|never|avoid|omit|exclude|no|without)\b", re.IGNORECASE
)
# "The section should cover …": what is to be in the text, said of the text.
_TEXT_COVERS = re.compile(
    r"^(?:it|this|the|each)\b[^,.;:]{0,60}?\b(?:should|must|shall|needs?\s+to|has\s+to|is\s+to|"
    r"will)\s+(?:also\s+)?(?:cover|include|address|contain|describe|discuss|state|mention|list|"
    r"have)\s+(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_CONTENT = re.compile(
    r"^(?:also\s+)?(?:cover|include|address|mention|add)\s+(?P<items>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_POINTS_BACK = word_set("each every these those them differences difference it")
# The words of remarks on form; a clause of these alone asks for nothing.
_FORM_WORDS = word_set(
    "table tables tabular heading headings subheading subheadings bullet bullets point points "
    "list lists listing citation citations footnote footnotes reference references source sources "
    "unit units word words sentence sentences paragraph paragraphs page pages language style tone "
    "tense voice markdown text prose format formatting length characters line lines number "
    "numbers numbered abbreviation abbreviations acronym acronyms jargon introduction english "
    "adjectives order place"
)
_FORM_FILLERS = word_set(
    "use using write present format keep limit make put show give do don't avoid never ensure no "
    "not at most least maximum max minimum cite answer respond reply return output be a an the in "
    "of with as for and or to it this that all only one two three four five six about than more "
    "less up plain simple short shorter brief concise clear clearly briefly concisely formal "
    "passive active present past si metric british american one-page full complete any each every "
    "where possible appropriate needed your you is are should must exceed fit on long regulatory "
    "consistent technical neutral objective third person include add own end beginning between "
    "level"
)
_STRUCTURE = word_set(
    "task tasks instruction instructions prompt role output format style tone rules guidelines "
    "constraints sources system user"
)
_STRUCTURE_FILLERS = word_set("the your my a of and to use for output expected required writing")


def without_politeness(text: str) -> str:
    """Return ``text`` without words that only ask nicely; a request put as a question becomes
    the order that it is."""
    bare = _POLITE.sub("", text)
    if bare == text or not bare:
        return text
    if text.rstrip().endswith("?") and _ORDER.match(bare):
        bare = bare.rstrip().rstrip("?") + "."
    return bare


_NEXT_ORDER = re.compile(
    r"(?:;\s+(?:and\s+)?(?:then\s+)?|,?\s+and\s+(?:then\s+|also\s+)?)"
    r"(?=(?:describe|list|state|explain|summari[sz]e|give|name|provide|compare|identify|outline|"
    r"discuss|specify|report)\s+(?:the|all|any|its|their|our|how|which|what|who|why|when|each|every|"
    r"an?)\b)",
    re.IGNORECASE,
)


def orders_of(text: str) -> list[str]:
    """Return the orders that one sentence gives ("Describe A and list the B.")."""
    if not is_order(text):
        return [text]
    return [part[:1].upper() + part[1:] for part in _NEXT_ORDER.split(text) if part.strip()]


def is_order(text: str) -> bool:
    """Whether ``text`` begins with a verb that asks for something to be written."""
    return bool(_ORDER.match(text))


def forbids(text: str) -> bool:
    """Whether ``text`` says what not to write."""
    return bool(_FORBIDS.match(text))


def is_about_form(text: str) -> bool:
    """Whether ``text`` only says how to write ("Use a table.", "No more than 200 words.")."""
    words = [word.casefold() for word in _WORD.findall(text)]
    return any(word in _FORM_WORDS for word in words) and all(
        word in _FORM_WORDS or word in _FORM_FILLERS for word in words
    )


def is_background(text: str) -> bool:
    """Whether ``text`` states something instead of asking for it."""
    return not is_order(text) and not text.rstrip().endswith("?") and bool(_FINITE.search(text))


def is_structural(heading: str) -> bool:
    """Whether a heading orders the prompt ("Task", "Output format") and not the section."""
    words = [word.casefold() for word in _WORD.findall(heading)]
    return any(word in _STRUCTURE for word in words) and all(
        word in _STRUCTURE or word in _STRUCTURE_FILLERS for word in words
    )


def content_asked(text: str) -> str:
    """Return what "Cover …", "Include …" or "The section should cover …" wants in the text, or
    ``""`` where the clause is another one, is about form, or points back at what stands there."""
    match = _CONTENT.match(text) or _TEXT_COVERS.match(text)
    if match is None:
        return ""
    items = match["items"].strip()
    words = {word.casefold() for word in _WORD.findall(items)}
    if is_about_form(items) or words & _POINTS_BACK:
        return ""
    return items
