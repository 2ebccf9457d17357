"""In which language a prompt is written, so that the text is written in the same one."""

from __future__ import annotations

import re
from collections import Counter

from phasergun_desktop.planning.form_words import FORM_WORDS
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
# Words that only grammar needs: frequent, and hardly shared between these languages.
_LISTS = """
English: the of and to is are for with by from this that which what how be it its must shall does
    between according describe write state summarise compare
German: der die das und ist sind für mit von dem den des ein eine einer eines wird werden nach zu
    zum zur wie welche welcher welches nicht auf im über beschreibe beschreiben schreibe nenne
French: le les des et est sont pour avec par du une dans quel quelle quels quelles comment ne pas
    sur au aux ce cette selon décrire décrivez rédigez écrivez
Spanish: el los las y es son para con por del una cuál cuáles cómo qué según describa describe
    escriba redacte dispositivo sobre entre cuánto cuánta
Italian: il lo gli è sono per con della delle dei degli dello nel nella una quale quali come che
    secondo descrivi descrivere scrivi dispositivo
Portuguese: o os as é são para com do da dos das uma qual quais como que não segundo descreva
    escreva dispositivo entre
Dutch: de het een en is zijn voor met van door welke wat hoe niet op over volgens beschrijf
    schrijf wordt worden apparaat
"""
_WORDS: dict[str, frozenset[str]] = {
    match["language"]: frozenset(match["words"].split())
    for match in re.finditer(r"(?P<language>[A-Z]\w+):(?P<words>[^:]+)(?=\n[A-Z]|\n$)", _LISTS)
}
# How prompts name the language of the text; what it describes ("German labelling") is none.
_NAMES = """
English: english englisch anglais inglés inglese
German: german deutsch allemand alemán tedesco
French: french französisch français francés francese
Spanish: spanish spanisch espagnol español spagnolo
Italian: italian italienisch italien italiano
Portuguese: portuguese portugiesisch portugais portugués portoghese
Dutch: dutch niederländisch néerlandais neerlandés olandese
"""
_NAMED = tuple(
    (line.partition(":")[0], stem)
    for line in _NAMES.strip().splitlines()
    for stem in line.partition(":")[2].split()
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
