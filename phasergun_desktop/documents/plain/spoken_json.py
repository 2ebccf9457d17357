"""Reads the JSON that transcription programs write, by what its fields say, not by its maker.

Whisper and whisper.cpp, AWS Transcribe, Deepgram, AssemblyAI, Google, Azure, Rev, Speechmatics
and plain lists differ in names, nesting and units only: somewhere in each there is a list of
objects with a time and words.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.plain.cues import Cue
from phasergun_desktop.documents.plain.spoken_times import (
    Moment,
    bare_unit,
    times_of,
    times_of_words,
)

_MAX_DEPTH = 12
_SPEAKERS = (
    "speaker", "speaker_label", "speakerLabel", "speaker_name", "speakerName", "speakerDisplayName",
    "speaker_id", "speakerId", "speakerTag", "speaker_tag", "participant",
)  # fmt: skip
_TEXTS = ("punctuated_word", "text", "transcript", "display", "content", "sentence", "caption",
          "utterance", "value", "body", "word", "lexical", "utf8")  # fmt: skip
_WORD_LISTS = frozenset({"words", "items", "elements", "tokens", "word_segments"})
_WORD_TYPES = ("word", "pronunciation", "punctuation", "punct")
_ALTERNATIVES = ("alternatives", "nBest", "NBest")
_LANGUAGES = ("language", "language_code", "languageCode", "lang")
# A list that holds this share of all the words found holds them all: spaces and marks differ.
_FULL_SHARE = 0.4
_LONGEST_MEAN = 1000
_NO_SPACE_BEFORE = re.compile(r"^[.,;:!?%)\]…'’]")
# Thai, Japanese and Chinese part no words.
_SPACELESS = re.compile("^[\u0e00-\u0e7f\u3000-\u30ff\u3400-\u9fff\uff00-\uffef]{2}$")
# Words are gathered to cues: to the end of a sentence, a silence or this many characters.
_SENTENCE_CHARACTERS, _MAX_CUE_CHARACTERS, _SILENCE_S = 120, 300, 1.5


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A segment or word as found; a mark of punctuation has no times of its own.

    ``is_borrowed``: its times are those of its words. ``is_word``: it is no more than a word.
    """

    text: str
    start: Moment | None
    end: Moment | None
    speaker: str | None
    is_borrowed: bool = False
    is_word: bool = False


def read_spoken_json(text: str) -> tuple[list[Cue], FileProperties]:
    """Return the cues in the JSON ``text`` and the language that it states; no cues where there
    is no list of times and words.

    Raises ValueError where it is not JSON (or one JSON object a line).
    """
    data = _loaded(text)
    lists: defaultdict[tuple[str, ...], list[_Spoken]] = defaultdict(list)
    speakers: dict[float, str] = {}
    for path, item, speaker in _objects(data, (), None, 0):
        spoken = _spoken(item, speaker, is_word=_is_word(path, item))
        if spoken is not None:
            lists[path].append(spoken)
        elif speaker and (start := times_of(item)[0]):
            speakers[start.value] = speaker
    best = _best(lists)
    cues = _timed(best, speakers)
    if _are_words(best):
        cues = _gathered(cues)
    ordered = sorted(cues, key=lambda cue: cue.start_s)
    found = [cue for cue in ordered if cue.text.strip()]
    return found, FileProperties(language=_language(data))


def _loaded(text: str) -> object:
    try:
        return json.loads(text)
    except RecursionError as error:
        raise ValueError("nested too deeply") from error
    except ValueError:
        lines = [line for line in text.split("\n") if line.strip()]
        if len(lines) < 2:
            raise
        try:
            return [json.loads(line) for line in lines]
        except RecursionError as error:
            raise ValueError("nested too deeply") from error


def _objects(
    value: object, path: tuple[str, ...], speaker: str | None, depth: int
) -> Iterator[tuple[tuple[str, ...], Mapping[str, object], str | None]]:
    """Yield every object of a list with the names that lead to it and the speaker in force."""
    if depth > _MAX_DEPTH:
        return
    if isinstance(value, list):
        for item in value:
            if isinstance(item, dict):
                own = _speaker(item) or speaker
                yield path, item, own
                yield from _objects(item, path, own, depth + 1)
    elif isinstance(value, dict):
        for name, child in value.items():
            # Other readings of the same words, and their parts, are not said again.
            if name not in _ALTERNATIVES:
                yield from _objects(child, (*path, name), speaker, depth + 1)
            elif isinstance(child, list) and child and isinstance(child[0], dict):
                own = _speaker(child[0]) or speaker
                yield from _objects(child[0], (*path, name), own, depth + 1)


def _is_word(path: tuple[str, ...], item: Mapping[str, object]) -> bool:
    named = bool(path) and path[-1] in _WORD_LISTS
    return named or item.get("type") in _WORD_TYPES or "word" in item


def _spoken(item: Mapping[str, object], speaker: str | None, *, is_word: bool) -> _Spoken | None:
    """Return what ``item`` says, or None where it says nothing or not when."""
    text = _text(item)
    if not text.strip():
        return None
    start, end = times_of(item)
    if start is not None:
        return _Spoken(text, start, end, speaker, is_word=is_word)
    start, words_end = times_of_words(item)
    if start is None and end is None and not _NO_SPACE_BEFORE.match(text.strip()):
        return None
    is_borrowed = start is not None
    return _Spoken(text, start, end or words_end, speaker, is_borrowed, is_word)


def _text(item: Mapping[str, object]) -> str:
    for name in _TEXTS:
        value = item.get(name)
        if isinstance(value, str) and value.strip():
            return value
    for name in _ALTERNATIVES:
        readings = item.get(name)
        if isinstance(readings, list) and readings and isinstance(readings[0], dict):
            return _text(readings[0])
    pieces = item.get("segs")
    if isinstance(pieces, list):
        return "".join(_text(piece) for piece in pieces if isinstance(piece, dict))
    return ""


def _speaker(item: Mapping[str, object]) -> str | None:
    readings = next((item[name] for name in _ALTERNATIVES if item.get(name)), None)
    sources = [item]
    if isinstance(readings, list) and readings and isinstance(readings[0], dict):
        sources.append(readings[0])
    for source in sources:
        for name in _SPEAKERS:
            value = source.get(name)
            if isinstance(value, dict):
                value = value.get("name") or value.get("displayName")
            if isinstance(value, int) and not isinstance(value, bool):
                return f"Speaker {value}"
            if isinstance(value, str) and value.strip():
                return " ".join(value.split())
    return None


def _best(lists: Mapping[tuple[str, ...], list[_Spoken]]) -> list[_Spoken]:
    """Return the list that says it all, with speakers if one has them, in the longest stretches.

    A program that writes words, sentences and turns writes the same words three times.
    """
    sizes = {path: sum(len(each.text) for each in found) for path, found in lists.items()}
    most = max(sizes.values(), default=0)
    full = [found for path, found in lists.items() if sizes[path] >= most * _FULL_SHARE]
    best = min(full, key=_rank, default=[])
    # Google says the words once more at the end, with their speakers.
    named = {(each.start, each.text) for each in best if each.speaker}
    return [each for each in best if each.speaker or (each.start, each.text) not in named]


def _rank(found: list[_Spoken]) -> tuple[bool, int, int]:
    """Rank a list, the lowest first: with speakers, in segments of their own, in few of them."""
    named = sum(1 for each in found if each.speaker)
    mean = sum(len(each.text) for each in found) / len(found)
    if _are_words(found):
        kind = 2
    elif any(each.is_borrowed for each in found):
        # Deepgram and Google give whole channels so, as well as utterances.
        kind = 1 if mean <= _MAX_CUE_CHARACTERS else 3
    else:
        kind = 0 if mean <= _LONGEST_MEAN else 3
    return named * 2 < len(found), kind, len(found)


def _are_words(found: list[_Spoken]) -> bool:
    return sum(1 for each in found if each.is_word) * 2 > len(found)


def _timed(found: list[_Spoken], speakers: Mapping[float, str]) -> list[Cue]:
    """Return ``found`` as cues in seconds."""
    characters = sum(len(each.text) for each in found)
    unit = bare_unit([each.start for each in found], [each.end for each in found], characters)
    cues: list[Cue] = []
    reached = 0.0
    for each in found:
        start = reached if each.start is None else each.start.seconds(unit)
        end = start if each.end is None else each.end.seconds(unit)
        speaker = each.speaker or (speakers.get(each.start.value) if each.start else None)
        if each.start is None and each.end is None and cues:
            cues[-1] = replace(cues[-1], text=cues[-1].text + each.text.strip())
            continue
        cues.append(Cue(start, max(start, end), " ".join(each.text.split()), speaker))
        reached = cues[-1].end_s
    return cues


def _gathered(words: list[Cue]) -> list[Cue]:
    """Join single words to cues."""
    cues: list[Cue] = []
    for word in words:
        if cues and _goes_on(cues[-1], word):
            is_close = _NO_SPACE_BEFORE.match(word.text) or _SPACELESS.search(
                cues[-1].text[-1:] + word.text[:1]
            )
            between = "" if is_close else " "
            joined = f"{cues[-1].text}{between}{word.text}"
            cues[-1] = replace(cues[-1], end_s=max(cues[-1].end_s, word.end_s), text=joined)
        else:
            cues.append(word)
    return cues


def _goes_on(cue: Cue, word: Cue) -> bool:
    if cue.speaker != word.speaker or word.start_s - cue.end_s > _SILENCE_S:
        return False
    limit = _SENTENCE_CHARACTERS if cue.text.endswith((".", "?", "!")) else _MAX_CUE_CHARACTERS
    return len(cue.text) < limit


def _language(data: object) -> str:
    sources = [data]
    if isinstance(data, dict):
        sources.extend(value for value in data.values() if isinstance(value, dict))
    for source in sources:
        for name in _LANGUAGES:
            value = source.get(name) if isinstance(source, dict) else None
            if isinstance(value, str) and re.fullmatch(r"[a-zA-Z]{2,3}(?:[-_]\w{2,8})*", value):
                return value.replace("_", "-")
    return ""
