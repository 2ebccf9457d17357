"""Text that speaks to whoever writes from a document instead of stating something.

A logistic regression over hashed pieces of words and pairs of words, trained by
``packaging/train_instruction_model.py`` on made orders in five languages and on real sentences.
"""

from __future__ import annotations

import base64
import binascii
import html
import re
import zlib
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from phasergun_desktop.paths import resources_path
from phasergun_desktop.text.sentences import ABBREVIATIONS, MAY_END_SENTENCE
from phasergun_desktop.text.words import fold

INSTRUCTION_FILE = "instructions.npz"
BUCKETS = 2**16
# So that few features of a short text do not weigh as much as many of a long one.
SMOOTHING = 20
_PIECE_LENGTHS = (4, 5, 6)
_PAIR_DISTANCE = 3
_MOST_WORDS = 60
_MOST_TOKENS = 100
_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]")
_DIGIT = re.compile(r"\d")
# Sentences, lines and the cells of a row are judged one by one: an order is one of them. What
# stands behind "max." is no sentence.
_BREAK = re.compile(
    r"[|\n]|(?<=[.!?。])\s"
    + "".join(rf"(?<!\b{re.escape(each)}\.\s)" for each in sorted(ABBREVIATIONS - MAY_END_SENTENCE))
)
_FEWEST_WORDS = 3
_HIDDEN = re.compile(r"<!--((?:(?!<!--|-->).)*)-->", re.DOTALL)
_TAG = re.compile(r"<(?!\|)/?[a-z][^>\n]{0,200}>", re.IGNORECASE)
_KEPT_TAG = re.compile(
    r"</?(?:system|assistant|user|instructions?|prompt|s?ys_?prompt|admin)>", re.IGNORECASE
)
_EMPHASIS = re.compile(r"(?<!\w)[*_`~#>|]+|(?<![*_`~|])[*_`~|]+(?!\w)")
_SPACED = re.compile(r"\b(?:[a-z][ .\-_]){4,}[a-z]\b")
_BASE64 = re.compile(r"\b[A-Za-z0-9+/]{24,}={0,2}")
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]"
)
_TAG_LETTERS = re.compile("[\U000e0020-\U000e007e]+")
_HIDDEN_LETTERS = re.compile("[\U000e0061-\U000e007a]{5}")
_LEET = str.maketrans("013457@$", "oieastas")
# Cyrillic and Greek letters that look like Latin ones.
_LOOKALIKES = str.maketrans("аеорсухіјѕԁһԛԝοαερτυνικ", "aeopcyxijsdhqwoaeptuvik")


@lru_cache(maxsize=4096)
def is_instruction_like(text: str) -> bool:
    """Whether a sentence, line or cell of ``text`` gives orders to a writer, reader or program.

    Looks through markup, comments, invisible, look-alike and spaced letters, and encoded words.
    The imperatives of procedures ("Do not use the strip after …") are no such text.
    """
    if _HIDDEN_LETTERS.search(text):
        return True  # No document has a reason to hide words in letters that nobody can see.
    weights, intercept = _model()
    return any(
        float(weights[found].sum()) / (len(found) + SMOOTHING) ** 0.5 + intercept > 0
        for form in _forms(text)
        for found in map(features, statements_of(form))
    )


def statements_of(text: str, fewest_words: int = _FEWEST_WORDS) -> list[str]:
    """Return the sentences, lines and cells of ``text`` that have words enough for an order; a
    long one in parts."""
    return [
        " ".join(words[start : start + _MOST_WORDS])
        for piece in _BREAK.split(text)
        if len(words := piece.split()) >= fewest_words
        for start in range(0, len(words), _MOST_WORDS)
    ]


def features(text: str) -> NDArray[np.int64]:
    """Return the buckets, ascending, of what stands in ``text``: pieces of words, and words that
    follow one another closely. All digits are one."""
    words = ["^", *_WORD.findall(_DIGIT.sub("0", fold(text)))][:_MOST_TOKENS]
    line = " ".join(words)
    found = {line[i : i + n] for n in _PIECE_LENGTHS for i in range(len(line) - n + 1)}
    found |= {
        f"{first} {second} {min(between, 1)}"
        for between in range(_PAIR_DISTANCE)
        for first, second in zip(words, words[between + 1 :], strict=False)
    }
    return np.array(sorted({zlib.crc32(each.encode()) % BUCKETS for each in found}), np.int64)


@cache
def _model() -> tuple[NDArray[np.float64], float]:
    with np.load(resources_path() / "models" / INSTRUCTION_FILE) as stored:
        return stored["steps"] * float(stored["scale"]), float(stored["intercept"])


def _forms(text: str) -> list[str]:
    """Return the text as a model could read it: as it stands, bare, and decoded."""
    tagged = _TAG_LETTERS.sub(
        lambda match: f". {''.join(chr(ord(c) - 0xE0000) for c in match.group())}. ", text
    )
    plain = _INVISIBLE.sub("", html.unescape(tagged))
    folded = " ".join(fold(plain).split())
    forms = [folded]
    bare = _TAG.sub(
        lambda match: match.group() if _KEPT_TAG.fullmatch(match.group()) else " ",
        _HIDDEN.sub(r" \1 ", plain),
    )
    bare = " ".join(_EMPHASIS.sub(" ", fold(bare)).split())
    if bare != folded:
        forms.append(bare)
    alike = bare.translate(_LOOKALIKES)
    if alike != bare and re.search("[a-z]", bare):
        forms.append(alike)
    if re.search(r"[a-z][013457@$][a-z]", bare):
        forms.append(bare.translate(_LEET))
    if _SPACED.search(bare):
        forms.append(re.sub(r"(?<=\b\w)[ .\-_](?=\w\b)", "", re.sub(r" {2,}", "\n", fold(plain))))
        forms.append(_without_gaps(fold(plain)))
    forms.extend(_decoded(plain))
    return forms


def _without_gaps(folded: str) -> str:
    """Return "i g n o r e   a l l" as "ignore all": a wider gap parts the words."""
    words = re.split(r"\s{2,}|\s*[|/]\s*", folded)
    return " ".join(re.sub(r"(?<=\b\w)[ .\-_](?=\w\b)", "", word) for word in words)


def _decoded(plain: str) -> list[str]:
    found = []
    for match in _BASE64.finditer(plain):
        word = match.group()
        try:
            raw = base64.b64decode(word + "=" * (-len(word) % 4), validate=True)
            text = raw.decode("utf-8")
        except (binascii.Error, ValueError):
            continue
        if text.isprintable():
            found.append(" ".join(fold(text).split()))
    return found
