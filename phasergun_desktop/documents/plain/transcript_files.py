"""Reads transcripts: WebVTT, SubRip and the JSON of transcription programs, a block per cue."""

from __future__ import annotations

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.encodings import decoded_lines
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, TimeLocator
from phasergun_desktop.documents.plain.cues import with_named_speakers
from phasergun_desktop.documents.plain.spoken_json import read_spoken_json
from phasergun_desktop.documents.plain.subtitles import read_subtitles
from phasergun_desktop.errors import DocumentError, DocumentProblem

_REMEDY = "Export it again from the program that made it."


def read_transcript(data: bytes, suffix: str, builder: DocumentBuilder) -> FileProperties:
    """Append the cues of a transcript to ``builder``; ``suffix`` is the file's (".vtt").

    Each cue is a block with its own times and speaker; the speaker's name is not in its text.
    Raises DocumentError where there is no cue, or the JSON is damaged.
    """
    text = decoded_lines(data, builder)
    if text.lstrip()[:1] in ("{", "[") or suffix in (".json", ".jsonl"):
        try:
            found, properties = read_spoken_json(text)
        except ValueError as error:
            raise DocumentError(
                "Damaged transcript",
                "The JSON of the transcript is damaged.",
                _REMEDY,
                DocumentProblem.DAMAGED,
            ) from error
    else:
        found, properties = read_subtitles(text)
    cues = with_named_speakers(found)
    if not cues:
        raise DocumentError(
            "No cues",
            "The transcript has no cue with a time and words.",
            _REMEDY,
            DocumentProblem.EMPTY,
        )
    turn = 0
    before = cues[0]
    for cue in cues:
        turn += cue.speaker != before.speaker
        before = cue
        locator = TimeLocator(cue.start_s, cue.end_s, cue.speaker)
        builder.add(BlockKind.CUE, cue.text, locator, group=("turn", turn))
    return properties
