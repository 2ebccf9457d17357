"""What the panel says about a turn."""

from __future__ import annotations

from phasergun_desktop.conversations.model import Question, Turn, TurnStatus
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.ui.wording import LAYER_WORDS, PATH_MARK, file_name, when_in_words

INTERRUPTED = "The answer was not finished. Ask again to have it."
STOPPED = "Stopped. What was written so far is above."
STOPPED_EMPTY = "Stopped before anything was written."
NOT_HERE = "Not in these documents."
KEY_WORDS = {
    FilterKey.LAYER: "Folder",
    FilterKey.FOLDER: "Subfolder",
    FilterKey.DOCUMENT: "Document",
    FilterKey.FORMAT: "File type",
    FilterKey.KIND: "Kind",
    FilterKey.TAG: "Tag",
    FilterKey.CONFIDENTIALITY: "Confidentiality",
    FilterKey.LANGUAGE: "Language",
    FilterKey.JOURNAL: "Journal",
    FilterKey.AFTER: "From",
    FilterKey.BEFORE: "Until",
}
BANDS = {
    "high": "high",
    "medium": "medium; read it with its sources",
    "low": "low; check it against the sources",
    "very_low": "very low; do not rely on it",
}


def filter_words(one: Filter) -> str:
    """Return a filter as it stands on its chip."""
    return f"{KEY_WORDS[one.key]}: {value_words(one.key, one.value)}"


def value_words(key: FilterKey, value: str) -> str:
    """Return what a filter asks for as the writer knows it."""
    if key is FilterKey.LAYER and value in set(Layer):
        return LAYER_WORDS[Layer(value)]
    return file_name(value) if key is FilterKey.DOCUMENT else value


def options_line(question: Question) -> str:
    """Say how a question was asked where that was not the usual way."""
    parts = [f"Profile: {question.profile}"] if question.profile else []
    parts += [f"Agent: {question.agent}"] if question.agent else []
    parts += [filter_words(one) for one in question.filters]
    parts += ["fast"] if question.is_fast else []
    return " · ".join(parts)


def has_answer(turn: Turn) -> bool:
    """Whether there is something that can be used elsewhere."""
    return bool(turn.sentences) and turn.status is not TurnStatus.ABSTAINED


def status_line(turn: Turn) -> str:
    """Say how an answer ended where it is not complete; empty otherwise."""
    if turn.error:
        return turn.error
    if turn.status is TurnStatus.STARTED:
        return INTERRUPTED
    if turn.status is TurnStatus.CANCELLED:
        return STOPPED if turn.sentences or turn.text else STOPPED_EMPTY
    if turn.status is TurnStatus.ABSTAINED and not (turn.text.strip() or turn.sentences):
        return NOT_HERE
    return ""


def confidence_words(turn: Turn) -> str:
    """Say how far an answer can be trusted; empty where nothing was answered from sources."""
    if turn.confidence is None or not turn.footnotes:
        return ""
    band = turn.band or turn.confidence.level.value
    return f"Confidence: {BANDS.get(band, band)}"


def making_words(turn: Turn) -> str:
    """Say who worded the answer, how long it took and when it was asked."""
    worded = turn.model if turn.question.uses_model and turn.model else ""
    took = f"{turn.total_ms / 1000:.0f} s" if turn.total_ms >= 1000 else ""
    return " · ".join(filter(None, (worded, took, when_in_words(turn.asked))))


def passage_line(passage: Passage) -> str:
    """Return the name and the place of a passage."""
    headings = PATH_MARK.join(passage.heading_path[-2:])
    return ", ".join(filter(None, (file_name(passage.file), headings)))
