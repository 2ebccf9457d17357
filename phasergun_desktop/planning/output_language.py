"""In which language a prompt is written, so that the text is written in the same one."""

from __future__ import annotations

import re
from collections import Counter

from phasergun_desktop.planning.form_words import FORM_WORDS
from phasergun_desktop.text.lexicon import languages, listed
from phasergun_desktop.text.words import fold

ENGLISH = "English"
_SCRIPTS: tuple[tuple[str, str], ...] = (
    ("Japanese", "\u3040-\u30ff"),
    ("Korean", "\uac00-\ud7af\u1100-\u11ff"),
    ("Chinese", "\u4e00-\u9fff"),
    ("Russian", "\u0400-\u04ff"),
    ("Greek", "\u0370-\u03bb\u03bd-\u03ff"),
    ("Arabic", "\u0600-\u06ff"),
    ("Hebrew", "\u0590-\u05ff"),
    ("Thai", "\u0e00-\u0e7f"),
    ("Hindi", "\u0900-\u097f"),
)
_CODES = {" ".join(listed("language", "name", code)): code for code in languages()}
_WORDS = {name: frozenset(listed("language", "grammar", code)) for name, code in _CODES.items()}
# How prompts name the language of the text; what it describes ("German labelling") is none.
_NAMED = tuple(
    (name, stem) for name, code in _CODES.items() for stem in listed("language", "called", code)
)
_IN = frozenset({"in", "auf", "en", "em"})
_REFERENCE = re.compile(r"\[[^\]]*\]|@\w+|“[^”]*”|\"[^\"]*\"")
_WORD = re.compile(r"[^\W\d_]+(?:'[^\W\d_]+)?")
_FEWEST_SIGNS = 4
_FEWEST_WORDS = 3


def language_of(text: str) -> str:
    """Return the English name of the language of ``text``, ``""`` where there is any doubt.

    References in brackets, scopes and quotations do not count: they name documents. Scripts
    decide first; languages in Latin letters are told by at least three words that only grammar
    needs, and more of them than of any other language.
    """
    bare = _REFERENCE.sub(" ", text)
    letters = sum(character.isalpha() for character in bare)
    for language, signs in _SCRIPTS:
        found = len(re.findall(f"[{signs}]", bare))
        if found >= _FEWEST_SIGNS and found * 3 >= letters:
            return language
    words = Counter(_WORD.findall(fold(bare)))
    counts = {language: sum(words[word] for word in known) for language, known in _WORDS.items()}
    ranked = sorted(counts.items(), key=lambda item: -item[1])
    (best, most), (_, second) = ranked[0], ranked[1]
    return best if most >= _FEWEST_WORDS and most > second else ""


def language_to_write(prompt: str) -> str:
    """Return the language to write in where it is not English, else ``""``: the one that the
    prompt asks for ("in English", "einen englischen Abschnitt"), else its own."""
    words = _WORD.findall(fold(_REFERENCE.sub(" ", prompt)))
    for before, word, after in zip(["", *words], words, [*words[1:], ""], strict=False):
        asked = next((name for name, stem in _NAMED if word.startswith(stem)), "")
        if asked and (before in _IN or after in FORM_WORDS):
            return "" if asked == ENGLISH else asked
    language = language_of(prompt)
    return "" if language == ENGLISH else language


def is_other_language(language: str, source: str) -> bool:
    """Whether ``source`` is plainly in another language than ``language``."""
    there = language_of(source)
    return bool(language) and bool(there) and there != language
