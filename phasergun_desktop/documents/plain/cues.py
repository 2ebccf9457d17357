"""A cue of a transcript: what was said, when, and by whom."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

# A label at the start of a cue ("Ann Lee: we tested …"), as Zoom and captioners write it.
_LABEL = re.compile(
    r"^(?:>>|-)?\s*(?P<name>[^\W\d_a-z][\w.'’-]*(?: [\w.'’(),-]+){0,4}):(?:\s+|\n)(?P<text>\S.*)$",
    re.DOTALL,
)
_LABELLED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Cue:
    """``text`` was said from ``start_s`` to ``end_s`` (seconds); ``speaker`` is None if unknown."""

    start_s: float
    end_s: float
    text: str
    speaker: str | None = None


def with_named_speakers(cues: Sequence[Cue]) -> tuple[Cue, ...]:
    """Take the speaker's name out of the text where cues begin with one ("Ann Lee: …").

    Done only where no cue has a speaker and at least half of them begin so: a colon alone
    ("Note: …") names nobody.
    """
    if any(cue.speaker for cue in cues):
        return tuple(cues)
    labels = [_LABEL.match(cue.text) for cue in cues]
    names = Counter(label["name"] for label in labels if label)
    if not cues or names.total() < len(cues) * _LABELLED_SHARE:
        return tuple(cues)
    return tuple(
        replace(cue, text=label["text"], speaker=label["name"]) if label else cue
        for cue, label in zip(cues, labels, strict=True)
    )
