"""What a gap says: what is missing, where it was looked for, and where a document belongs."""

from __future__ import annotations

from phasergun_desktop.planning.form_words import as_named
from phasergun_desktop.planning.model import Plan, PlannedPoint
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.text.sentences import sentences

_MOST_NAMED = 2
# So many passages are shown in place of an answer. The best one for a question without an answer,
# but close to the documents, is above this in six of seven cases; below it one is about something
# else.
_MOST_NEAREST, _NEAR_FROM = 3, 0.05


def gap_name(point: PlannedPoint) -> str:
    """Return what ``point`` asks for in the prompt's words, in quotation marks: they fit no
    sentence of ours."""
    first = sentences(point.instruction)[:1]
    return f"“{as_named(''.join(first).rstrip('.'))}”"


def nearest_passages(plan: Plan) -> tuple[Passage, ...]:
    """Return the best of the passages that were looked at for ``plan``, which may be few."""
    read = {u.passage for need in plan.needs for u in need.units if u.score >= _NEAR_FROM}
    ranked = sorted(read, key=lambda each: (-each.score, each.file, each.start))
    return tuple(ranked[:_MOST_NEAREST])


def searched_in(point: PlannedPoint) -> str:
    """Return the names of the documents that ``point`` was looked for in where the prompt names
    them, else ``""``: all that the project searches."""
    files = sorted(file.rpartition("/")[2] for file in point.scope.files)
    if point.scope.layers or not files:
        return ""
    more = len(files) - _MOST_NAMED
    named = ", ".join(files[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named


def where_it_belongs(point: PlannedPoint) -> str:
    """Return the kind of document that would state ``point``, with its folder; never a document
    that is there."""
    if point.helps:
        return point.helps
    layers = point.scope.layers
    read = {passage.layer for passage in point.passages}
    if Layer.DOCUMENTS in read or layers == {Layer.DOCUMENTS}:
        # A folder without the convention's subfolders is one layer.
        return "a document on it in the project folder"
    if layers and layers <= PROCEDURES:
        return "a procedure on it in Procedures/SOPs"
    if layers == {Layer.PREDICATES}:
        return "the 510(k) or decision summary of that device in Context/Predicates"
    return "a document on it in Context/Ongoing"
