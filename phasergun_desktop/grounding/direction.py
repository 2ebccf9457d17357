"""Which way a sentence points: more, less, no difference, denied."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from phasergun_desktop.text.words import fold

_MORE = re.compile(
    r"\b(?:increas\w*|high(?:er|est)?|great(?:er|est)|elevat\w*|enhanc\w*|promot\w*"
    r"|rais(?:e|es|ed|ing)|ris(?:e|es|en|ing)|rose|up-?regulat\w*|improv\w*|activat\w*"
    r"|stimulat\w*|induc(?:e|es|ed|ing|tion)|accelerat\w*|more|gain\w*|longer|expan[ds]\w*"
    r"|augment\w*|facilitat\w*|boost\w*|gr[oe]w\w*|strengthen\w*|exacerbat\w*|amplif\w*|warm\w*"
    r"|faster|better|exceed\w*|above|overexpress\w*|presence|larger|enabl\w*|allow\w*|favou?r\w*"
    r"|cause[sd]?|trigger\w*|support\w*|maintain\w*|open(?:s|ed)?)\b"
)
_LESS = re.compile(
    r"\b(?:decreas\w*|reduc\w*|low(?:er\w*|est)?|less|fewer|inhibit\w*|suppress\w*|impair\w*"
    r"|declin\w*|down-?regulat\w*|attenuat\w*|block\w*|prevent\w*|diminish\w*|limit\w*|loss|lost"
    r"|lose\w*|shorter|weaken\w*|abolish\w*|disrupt\w*|slow\w*|drop\w*|fall\w*|fell|shrink\w*"
    r"|deplet\w*|defici\w*|lack\w*|absen\w*|cool\w*|worse\w*|below|protect\w*|smaller|halt\w*"
    r"|deactivat\w*|inactivat\w*|knock\w*|repress\w*|hinder\w*|delay\w*|eliminat\w*|deni\w*"
    r"|den(?:y|ies)|fail\w*|unlikely|clos(?:e|es|ed))\b"
)
_SAME = re.compile(
    r"\b(?:similar\w*|same|equal\w*|equivalen\w*|unchanged|unrelated|independent\w*"
    r"|no (?:significant )?(?:difference|association|effect|change|evidence)"
    r"|not (?:\w+ )?(?:associated|differ\w*|affect\w*|change\w*))\b"
)
_DENIED = re.compile(
    r"\b(?:not|no|never|none|neither|nor|without|cannot|\w+n't|lack\w*|fail\w*|unable|absence)\b"
)


class Direction(NamedTuple):
    """How many words of a text say more, less, no difference, or deny."""

    more: int = 0
    less: int = 0
    same: int = 0
    denied: int = 0

    @property
    def sign(self) -> int:
        """1 where more outweighs less, -1 where less does, else 0."""
        return (self.more > self.less) - (self.more < self.less)

    @property
    def turns(self) -> int:
        """1 or -1: how often the statement is turned round by less and by denials."""
        return -1 if (self.less + self.denied) % 2 else 1

    def opposes(self, source: Direction) -> bool:
        """Whether ``source`` knows only the other direction than the one stated here."""
        only_less = source.more == 0 and source.less > 0
        only_more = source.less == 0 and source.more > 0
        return (self.more > 0 and only_less) or (self.less > 0 and only_more)


@lru_cache(maxsize=8192)
def direction_of(text: str) -> Direction:
    """Return the direction of ``text`` (English)."""
    folded = fold(text)
    return Direction(*(len(each.findall(folded)) for each in (_MORE, _LESS, _SAME, _DENIED)))
