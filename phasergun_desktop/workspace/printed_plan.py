"""A plan that was printed as JSON, with what somebody ticked in it, read back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from phasergun_desktop.errors import PromptError
from phasergun_desktop.grounding.candidate_spans import whole_span
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.planning.evidence_points import planned_unit, unit_passage
from phasergun_desktop.planning.model import PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.planning.sources import IndexedDocuments
from phasergun_desktop.retrieval.filters import Filter, parse_filter
from phasergun_desktop.retrieval.model import SearchScope

_AGAIN = "Print it again with “phasergun plan … --json”, and tick in the new one."


@dataclass(frozen=True, slots=True)
class PrintedPlan:
    """The prompt of a printed plan, its needs with the units that are selected, and the name of its
    template (empty: none), its profile (empty: the project's), its filters and its agent (empty:
    none)."""

    prompt: str
    needs: tuple[PlannedNeed, ...]
    template: str = ""
    profile: str = ""
    filters: tuple[Filter, ...] = ()
    agent: str = ""


def read_printed_plan(value: object, documents: IndexedDocuments) -> PrintedPlan:
    """Return what the JSON object of ``plan --json`` selects.

    A unit may be unticked or moved to another need, and any passage of an indexed document may be
    added by ``file``, ``start`` and ``end``; where a need says ``ordered`` the text follows the
    order of its units. Raises ``PromptError`` where the
    object is none of that form, or where a document has changed since it was printed.
    """
    records = {record.file: record for record in documents.documents()}
    try:
        prompt = _text(_mapping(value), "prompt")
        needs = tuple(_need(each, prompt) for each in _list(_mapping(value), "needs"))
        units = tuple(
            tuple(
                _unit(_mapping(unit), records, documents)
                for unit in _list(_mapping(each), "evidence")
                if _mapping(unit).get("selected") is True
            )
            for each in _list(_mapping(value), "needs")
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PromptError(
            "The plan cannot be read", "The file is not a plan as it is printed.", _AGAIN
        ) from error
    if not any(units):
        raise PromptError(
            "Nothing is ticked", "No unit of the plan is selected.", "Tick what it has to say."
        )
    ordered = [_mapping(each).get("ordered") is True for each in _list(_mapping(value), "needs")]
    made = (
        PlannedNeed(need, of_it, is_ordered=is_ordered)
        for need, of_it, is_ordered in zip(needs, units, ordered, strict=True)
    )
    stated = _mapping(value).get("filters")
    filters = tuple(parse_filter(str(one)) for one in (stated if isinstance(stated, list) else ()))
    template, profile, agent = (_name(_mapping(value), k) for k in ("template", "profile", "agent"))
    return PrintedPlan(prompt, tuple(made), template, profile, filters, agent)


def _name(value: Mapping[str, object], key: str) -> str:
    name = value.get(key)
    return name if isinstance(name, str) else ""


def _need(value: object, prompt: str) -> Need:
    need = _mapping(value)
    start, end = _number(need, "start"), _number(need, "end")
    return Need(
        need_id=_text(need, "id"),
        quote=prompt[start:end],
        start=start,
        end=end,
        query=_text(need, "query"),
        scope=SearchScope(),
        heading=_text(need, "heading"),
        label=_text(need, "label") if "label" in need else "",
        part=_text(need, "part") if "part" in need else "",
    )


def _unit(
    value: Mapping[str, object], records: Mapping[str, DocumentRecord], documents: IndexedDocuments
) -> PlannedUnit:
    file, start, end = _text(value, "file"), _number(value, "start"), _number(value, "end")
    record = records.get(file)
    if record is None:
        raise PromptError("A source is gone", f"{file} is not in the index any more.", _AGAIN)
    document = documents.parsed(record.document_id)
    text = document.text[start:end]
    stated = value.get("text", text)
    is_in_block = any(b.start <= start < end <= b.end for b in document.blocks)
    if text != stated or not is_in_block:
        raise PromptError(
            "A source has changed", f"{file} is not as it was when the plan was printed.", _AGAIN
        )
    passage = unit_passage(documents, record, start, end, score=1.0)
    return planned_unit(whole_span(passage, document), document, selected=True)


def _mapping(value: object) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise TypeError("an object is expected")
    return value


def _list(value: Mapping[str, object], name: str) -> Sequence[object]:
    found = value[name]
    if not isinstance(found, list):
        raise TypeError("a list is expected")
    return found


def _text(value: Mapping[str, object], name: str) -> str:
    found = value[name]
    if not isinstance(found, str):
        raise TypeError("a text is expected")
    return found


def _number(value: Mapping[str, object], name: str) -> int:
    found = value[name]
    if not isinstance(found, int) or found < 0:
        raise TypeError("a place is expected")
    return found
