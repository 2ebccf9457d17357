"""The names of languages, for the codes that documents and tesseract have."""

from __future__ import annotations

import re

from PySide6.QtCore import QLocale

# What tesseract calls a variant, behind the code of the language.
VARIANTS = {
    "sim": "simplified",
    "tra": "traditional",
    "vert": "vertical",
    "latn": "Latin letters",
    "cyrl": "Cyrillic letters",
    "frak": "Fraktur",
    "latf": "Fraktur",
    "old": "old spelling",
}
# Data of tesseract that Qt has no language for.
OTHERS = {
    "frk": "German (Fraktur)",
    "nor": "Norwegian",
    "enm": "Middle English",
    "frm": "Middle French",
    "osd": "Direction of the page",
    "equ": "Formulas",
}


def language_name(code: str) -> str:
    """Return the name of ``deu``, ``de-CH``, ``chi_sim`` …; the code itself if it has none."""
    if code in OTHERS:
        return OTHERS[code]
    if code.startswith("script/"):
        return f"{code.removeprefix('script/')} script"
    first, *variants = re.split(r"[_-]", code)
    language = QLocale.codeToLanguage(first.lower())
    if language in (QLocale.Language.AnyLanguage, QLocale.Language.C):
        return code
    name = QLocale.languageToString(language)
    known = [VARIANTS[one] for one in variants if one in VARIANTS]
    return f"{name} ({', '.join(known)})" if known else name


def language_names(codes: str) -> str:
    """Return the names of tesseract's ``eng+deu`` in a row."""
    return ", ".join(language_name(one) for one in codes.split("+") if one)
