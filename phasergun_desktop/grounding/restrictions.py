"""What ties a statement down: provisos, exceptions, reservations; and reasons that are made up."""

from __future__ import annotations

import re
from collections.abc import Iterator

from phasergun_desktop.grounding.model import ProblemCode, SentenceProblem
from phasergun_desktop.grounding.words import content_words

_PROVISO = re.compile(
    r"\b(?:provided(?: that)?|providing that|on condition(?: that)?|unless|only if|only when"
    r"|only where|only after|subject to|as long as|except(?:ing)?(?: for)?|save(?: for)?"
    r"|apart from|other than|excluding|with the exception of)\s+(?P<what>[^,;.:()]{3,90})",
    re.IGNORECASE,
)
# A statement with one of these may say the proviso in its own way.
_SAYS_PROVISO = re.compile(
    r"\b(?:provided|providing|condition\w*|unless|only|subject to|long as|except\w*|save|apart"
    r"|other|exclud\w*|without|if|when|whenever|where|once|until|but|one|single|solely|just)\b",
    re.IGNORECASE,
)
_RESERVATION = re.compile(
    r"\b(?:reasonably|approximately|about|around|roughly|nearly|almost|typically|usually|mostly"
    r"|mainly|partly|partially|largely|likely|probably|possibly|presumably|preliminar\w+"
    r"|provisional\w*|expected|estimated|extrapolated|assumed|informative(?:ly)?|ca\.|approx\.?)"
    r"(?!\w)|[~≈]",
    re.IGNORECASE,
)
_RESERVED = re.compile(
    rf"{_RESERVATION.pattern}|\b(?:some|most|often|may|might|could|should|seem\w*|suggest\w*"
    r"|for information|half|expect\w*|estimate\w*|assume\w*|extrapolat\w*|in part)\b",
    re.IGNORECASE,
)
_REASON = re.compile(
    r"\b(?:because|therefore|thus|hence|consequently|thereby|due to|owing to|so that"
    r"|as a (?:result|consequence)|whereupon|caus(?:es|ed|ing)|leads? to|led to|leading to"
    r"|results? in|resulted in|resulting in|rul(?:es|ed|ing) out|prevents?)\b",
    re.IGNORECASE,
)
_GIVES_REASON = re.compile(
    rf"{_REASON.pattern}|\b(?:since|as|so|for|from|by|why|reason\w*|due|caus\w+|result\w*|lead\w*"
    r"|led|effect\w*|after|following|prevent\w*|avoid\w*|to)\b|[:→]",
    re.IGNORECASE,
)
_MAIN_SHARE = 0.5
_SENTENCE = re.compile(r"(?<=[.;])\s+|\n")


def added_reason(sentence: str, source: str) -> str:
    """Return the words with which ``sentence`` makes one thing the reason of another though
    nothing in ``source`` does; "" for none."""
    found = _REASON.search(sentence)
    return found.group() if found and not _GIVES_REASON.search(source) else ""


def dropped_restrictions(sentence: str, source: str) -> Iterator[SentenceProblem]:
    """Yield a mark (at most one) where a sentence of ``source`` holds under a proviso, with an
    exception or a reservation ("about", "reasonably") and ``sentence`` states it without."""
    said = set(content_words(sentence))
    for stated in _SENTENCE.split(source):
        main = stated
        proviso = _PROVISO.search(stated)
        if proviso is not None:
            main = stated[: proviso.start()] + stated[proviso.end() :]
        words = set(content_words(main))
        if not words or len(words & said) < _MAIN_SHARE * len(words):
            continue
        if proviso is not None and not _SAYS_PROVISO.search(sentence):
            yield _dropped(proviso.group())
            return
        reserved = _RESERVATION.search(stated)
        if reserved is not None and not _RESERVED.search(sentence):
            yield _dropped(reserved.group())
            return


def _dropped(words: str) -> SentenceProblem:
    message = f"The source states this only with “{' '.join(words.split())}”."
    return SentenceProblem(ProblemCode.MODALITY, words, message)
