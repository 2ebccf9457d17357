"""Transcripts: every cue with its times, its speaker and its words."""

from __future__ import annotations

import json
from typing import Any

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.model import BlockKind, TimeLocator
from phasergun_desktop.documents.plain.transcript_files import read_transcript
from phasergun_desktop.errors import DocumentError

VTT = """\ufeffWEBVTT - Design review
Language: en

STYLE
::cue { color: red }

NOTE not said
by anyone

REGION
id:left

intro
00:01.000 --> 00:04.500 align:start position:0%
<v.loud Mary Jones>Hello <i>all</i> &amp; welcome</v>
<v Bob>5 &lt; 6</v>

01:00:00.000 --> 01:00:02.000
<c.yellow>Word <01:00:01.200>timed</c>
"""
SRT = """1
00:00:01,000 --> 00:00:02,500
<font color="red">First</font> line
x > y < z

00:00:03.000 --> 00:00:04.000 X1:10 X2:20
no number

after an empty line

7
0:00:05,5 --> 0:00:06
{\\an8}odd digits
8
00:00:07,000 --> 00:00:08,000
no empty line before
"""
Said = tuple[float, float, str | None, str]
WORDS = [("We", 0.5, 0.7, 0), ("tested", 0.7, 1.1, 0), ("it.", 1.1, 1.2, 0), ("Yes.", 3.9, 4.6, 1)]
TWO: list[tuple[float, float, str]] = [(0.5, 1.2, "We tested it."), (3.9, 4.6, "Yes.")]


def read(content: str | bytes, suffix: str = ".vtt") -> list[Said]:
    builder = DocumentBuilder()
    read_transcript(content.encode() if isinstance(content, str) else content, suffix, builder)
    found: list[Said] = []
    for block in builder.blocks:
        place = block.locator
        assert block.kind is BlockKind.CUE
        assert isinstance(place, TimeLocator)
        text = builder.text[block.start : block.end]
        found.append((place.start_s, place.end_s, place.speaker, text))
    return found


def test_webvtt() -> None:
    assert read(VTT) == [
        (1.0, 4.5, "Mary Jones", "Hello all & welcome"),
        (1.0, 4.5, "Bob", "5 < 6"),
        (3600.0, 3602.0, None, "Word timed"),
    ]
    properties = read_transcript(VTT.encode("utf-16"), ".vtt", DocumentBuilder())
    assert (properties.title, properties.language) == ("Design review", "en")


def test_subrip() -> None:
    assert read(SRT, ".srt") == [
        (1.0, 2.5, None, "First line\nx > y < z"),
        (3.0, 4.0, None, "no number\nafter an empty line"),
        (5.5, 6.0, None, "odd digits"),
        (7.0, 8.0, None, "no empty line before"),
    ]


def test_a_header_that_is_missing_and_lines_that_are_wrong_lose_no_words() -> None:
    content = (
        "00:01,0 --> 00:02,0\none\n\n00:0x.000 --> 00:03.000\ntwo\n\n00:04.0 --> 00:03.0\nthree"
    )
    found = read(content)
    assert [(start, end) for start, end, _, _ in found] == [(1.0, 2.0), (4.0, 4.0)]
    words = " ".join(text for _, _, _, text in found)
    assert all(each in words for each in ("one", "two", "three"))


def test_captions_that_roll_up_are_said_once() -> None:
    content = (
        "WEBVTT\n\n00:00.000 --> 00:02.000\n \nso<00:00:00.500><c> we</c>\n\n"
        "00:02.000 --> 00:02.010\nso we\n \n\n00:02.010 --> 00:04.000\nso we\n"
        "tested<00:00:02.500><c> it</c>\n"
    )
    assert [text for *_, text in read(content)] == ["so we", "tested it"]


def test_names_before_a_colon_are_speakers_where_most_cues_have_one() -> None:
    cues = ["Ann Lee: We start.", "Bob Ray: Good: at once.", "so it is", "Ann Lee: Fine."]
    times = [f"00:0{n}.000 --> 00:0{n}.900\n{cue}\n" for n, cue in enumerate(cues)]
    found = read("WEBVTT\n\n" + "\n".join(times))
    assert [(speaker, text) for _, _, speaker, text in found] == [
        ("Ann Lee", "We start."),
        ("Bob Ray", "Good: at once."),
        (None, "so it is"),
        ("Ann Lee", "Fine."),
    ]
    cues = ["We start.", "Note: keep it dry.", "It is done.", "Fine."]
    times = [f"00:0{n}.000 --> 00:0{n}.900\n{cue}\n" for n, cue in enumerate(cues)]
    found = read("WEBVTT\n\n" + "\n".join(times))
    assert [text for *_, text in found] == cues


def test_cues_of_one_turn_stand_in_lines_and_turns_apart() -> None:
    builder = DocumentBuilder()
    cues = [{"start": n, "end": n + 1, "text": f"t{n} t", "speaker": "AAB"[n]} for n in range(3)]
    read_transcript(json.dumps(cues).encode(), ".json", builder)
    assert builder.text == "t0 t\nt1 t\n\nt2 t"


def _words(scale: float, **names: str) -> list[dict[str, Any]]:
    return [
        {
            names.get("text", "word"): word,
            "start": int(start * scale) if scale > 1 else start,
            "end": int(end * scale) if scale > 1 else end,
            "speaker": speaker,
        }
        for word, start, end, speaker in WORDS
    ]


WHISPER = {
    "text": "We tested it. Yes.",
    "language": "en",
    "segments": [
        {"id": n, "seek": 0, "start": start, "end": end, "text": f" {text}", "words": []}
        for n, (start, end, text) in enumerate(TWO)
    ],
}
WHISPER_CPP = {
    "result": {"language": "en"},
    "transcription": [
        {
            "timestamps": {"from": f"00:00:0{start:.3f}".replace(".", ","), "to": "00:00:09,000"},
            "offsets": {"from": int(start * 1000), "to": int(end * 1000)},
            "text": text,
        }
        for start, end, text in TWO
    ],
}
AWS = {
    "results": {
        "transcripts": [{"transcript": "We tested it. Yes."}],
        "speaker_labels": {
            "segments": [
                {
                    "start_time": "0.5",
                    "end_time": "1.2",
                    "speaker_label": "spk_0",
                    "items": [
                        {"start_time": time, "end_time": "9", "speaker_label": "spk_0"}
                        for time in ("0.5", "0.7", "1.1")
                    ],
                },
                {
                    "start_time": "3.9",
                    "end_time": "4.6",
                    "speaker_label": "spk_1",
                    "items": [{"start_time": "3.9", "speaker_label": "spk_1"}],
                },
            ]
        },
        "items": [
            item
            for word, start, end, _ in WORDS
            for item in (
                {
                    "type": "pronunciation",
                    "start_time": str(start),
                    "end_time": str(end),
                    "alternatives": [{"confidence": "1.0", "content": word.rstrip(".")}],
                },
                *(
                    [{"type": "punctuation", "alternatives": [{"content": "."}]}]
                    if word.endswith(".")
                    else []
                ),
            )
        ],
    }
}
AWS_SEGMENTS = {
    "results": {
        "audio_segments": [
            {"id": n, "transcript": text, "start_time": str(start), "end_time": str(end)}
            for n, (start, end, text) in enumerate(TWO)
        ],
        "items": AWS["results"]["items"],
    }
}
DEEPGRAM = {
    "metadata": {"duration": 5.0},
    "results": {
        "channels": [
            {"alternatives": [{"transcript": "We tested it. Yes.", "words": _words(1)}]},
        ],
        "utterances": [
            {"start": start, "end": end, "transcript": text, "speaker": n, "words": _words(1)[:1]}
            for n, (start, end, text) in enumerate(TWO)
        ],
    },
}
DEEPGRAM_PARAGRAPHS = {
    "results": {
        "channels": [
            {
                "alternatives": [
                    {
                        "transcript": "We tested it. Yes.",
                        "words": _words(1),
                        "paragraphs": {
                            "transcript": "\nSpeaker 0: We tested it.",
                            "paragraphs": [
                                {
                                    "speaker": n,
                                    "start": start,
                                    "end": end,
                                    "sentences": [{"text": text, "start": start, "end": end}],
                                }
                                for n, (start, end, text) in enumerate(TWO)
                            ],
                        },
                    }
                ]
            }
        ]
    }
}
ASSEMBLY = {
    "language_code": "en_us",
    "audio_duration": 5,
    "text": "We tested it. Yes.",
    "words": _words(1000, text="text"),
    "utterances": [
        {"speaker": "AB"[n], "start": int(start * 1000), "end": int(end * 1000), "text": text}
        for n, (start, end, text) in enumerate(TWO)
    ],
}
GOOGLE = {
    "results": [
        {
            "alternatives": [
                {
                    "transcript": text,
                    "words": [
                        {"startTime": f"{first}s", "endTime": f"{last}s", "word": word}
                        for word, first, last, _ in WORDS
                        if start <= first < end
                    ],
                },
                {"transcript": "another reading"},
            ],
            "resultEndTime": f"{end}s",
        }
        for start, end, text in TWO
    ]
}
GOOGLE_SPEAKERS = {
    "results": [
        *GOOGLE["results"],
        {
            "alternatives": [
                {
                    "words": [
                        {
                            "startTime": {"seconds": int(start), "nanos": int(start % 1 * 1e9)},
                            "endTime": f"{end}s",
                            "word": word,
                            "speakerTag": speaker,
                        }
                        for word, start, end, speaker in WORDS
                    ]
                }
            ]
        },
    ]
}
AZURE = {
    "durationInTicks": 50_000_000,
    "combinedRecognizedPhrases": [{"channel": 0, "display": "We tested it. Yes."}],
    "recognizedPhrases": [
        {
            "speaker": n,
            "offset": f"PT{start}S",
            "offsetInTicks": start * 1e7,
            "durationInTicks": (end - start) * 1e7,
            "nBest": [{"lexical": "we tested", "display": text}, {"display": "other"}],
        }
        for n, (start, end, text) in enumerate(TWO)
    ],
}
AZURE_FAST = {
    "durationMilliseconds": 5000,
    "combinedPhrases": [{"text": "We tested it. Yes."}],
    "phrases": [
        {
            "offsetMilliseconds": int(start * 1000),
            "durationMilliseconds": round((end - start) * 1000),
            "text": text,
            "speaker": n,
        }
        for n, (start, end, text) in enumerate(TWO)
    ],
}
REV = {
    "monologues": [
        {
            "speaker": speaker,
            "elements": [
                {"type": "text", "value": word.rstrip("."), "ts": start, "end_ts": end}
                if word[-1:] != "." or mark == 0
                else {"type": "punct", "value": "."}
                for word, start, end, who in WORDS
                if who == speaker
                for mark in ((0, 1) if word.endswith(".") else (0,))
            ],
        }
        for speaker in (0, 1)
    ]
}
YOUTUBE = {
    "events": [
        {"tStartMs": 0, "dDurationMs": 9000, "id": 1},
        *(
            {
                "tStartMs": int(start * 1000),
                "dDurationMs": round((end - start) * 1000),
                "segs": [{"utf8": text[:3]}, {"utf8": text[3:], "tOffsetMs": 100}],
            }
            for start, end, text in TWO
        ),
    ]
}
JAPANESE = {
    "segments": [
        {"start": start, "end": end, "text": text}
        for (start, end, _), text in zip(TWO, ("試験しました。", "はい。"), strict=True)
    ]
}
PLAIN = [
    {"start": f"00:00:0{start}", "end": f"00:00:0{end}", "text": text, "speaker": "Ann"}
    for start, end, text in TWO
]
DURATIONS = [{"text": text, "start": start, "duration": end - start} for start, end, text in TWO]
CHUNKS = {"text": "…", "chunks": [{"timestamp": [a, b], "text": text} for a, b, text in TWO]}


@pytest.mark.parametrize(
    ("data", "speakers"),
    [
        (WHISPER, (None, None)),
        (WHISPER_CPP, (None, None)),
        (AWS, ("spk_0", "spk_1")),
        (AWS_SEGMENTS, (None, None)),
        (DEEPGRAM, ("Speaker 0", "Speaker 1")),
        (DEEPGRAM_PARAGRAPHS, ("Speaker 0", "Speaker 1")),
        (ASSEMBLY, ("A", "B")),
        (GOOGLE, (None, None)),
        (GOOGLE_SPEAKERS, ("Speaker 0", "Speaker 1")),
        (AZURE, ("Speaker 0", "Speaker 1")),
        (AZURE_FAST, ("Speaker 0", "Speaker 1")),
        (REV, ("Speaker 0", "Speaker 1")),
        (YOUTUBE, (None, None)),
        (PLAIN, ("Ann", "Ann")),
        (DURATIONS, (None, None)),
        (CHUNKS, (None, None)),
    ],
)
def test_the_json_of_every_program_says_the_same(
    data: object, speakers: tuple[str | None, str | None]
) -> None:
    expected = [
        (start, end, speaker, text)
        for (start, end, text), speaker in zip(TWO, speakers, strict=True)
    ]
    assert read(json.dumps(data), ".json") == expected


def test_words_and_segments_without_spaces() -> None:
    assert [text for *_, text in read(json.dumps(JAPANESE), ".json")] == [
        "試験しました。",
        "はい。",
    ]
    words = [{"word": each, "start": n / 10, "end": n / 10} for n, each in enumerate("試験した")]
    assert read(json.dumps({"words": words}), ".json") == [(0.0, 0.3, None, "試験した")]


def test_whole_seconds_are_not_taken_for_milliseconds() -> None:
    words = "This is what was said in these few seconds of the meeting."
    data = [{"start": n * 5, "end": n * 5 + 5, "text": words} for n in range(4)]
    assert read(json.dumps(data), ".json")[-1][:2] == (15.0, 20.0)
    data = [{"start": n * 5000, "end": n * 5000 + 5000, "text": words} for n in range(4)]
    assert read(json.dumps(data), ".json")[-1][:2] == (15.0, 20.0)


def test_a_segment_a_line_is_read() -> None:
    lines = "\n".join(json.dumps(each) for each in DURATIONS)
    assert len(read(lines, ".jsonl")) == 2


@pytest.mark.parametrize(
    ("content", "suffix", "words"),
    [
        ("WEBVTT\n", ".vtt", "no cue"),
        ("WEBVTT\n\n00:01.000 --> 00:02.000\n\n", ".vtt", "no cue"),
        ('{"segments": []}', ".json", "no cue"),
        ('{"text": "words without a time"}', ".json", "no cue"),
        ('{"segments": [{"start": 1, ', ".json", "JSON of the transcript is damaged"),
        ("[" * 100_000, ".json", "damaged"),
        ('{"segments": [{"start": NaN, "end": 1e999, "text": "x"}]}', ".json", "no cue"),
    ],
)
def test_what_cannot_be_read_is_said_in_a_sentence(content: str, suffix: str, words: str) -> None:
    with pytest.raises(DocumentError, match=words) as caught:
        read(content, suffix)
    assert caught.value.remedy
    assert caught.value.problem
