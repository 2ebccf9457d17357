"""What a draft keeps of its making as JSON, and back: checks, discrepancies, steps, edits."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from phasergun_desktop.documents.document_codec import locator_from_json, locator_to_json
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.grounding.model import SourcePlace
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.writing.model import Criterion, PromptCall, TraceStep

_PLAIN = ("template", "model_digest")
_LISTS = ("warnings", "prompt_sha256")


def encode_proof(draft: Draft) -> dict[str, Any]:
    """Return the fields of ``draft`` that say how it was made and what became of it."""
    return {
        **{name: getattr(draft, name) for name in _PLAIN},
        **{name: list(getattr(draft, name)) for name in _LISTS},
        "confidence_criteria": [
            {"name": one.name, "score": one.score, "explanation": one.explanation}
            for one in draft.confidence_criteria
        ],
        "discrepancies": [_discrepancy_to_json(one) for one in draft.discrepancies],
        "calls": [
            {
                "prompt_sha256": one.prompt_sha256,
                "system_sha256": one.system_sha256,
                "shared_sha256": one.shared_sha256,
                "task_sha256": one.task_sha256,
            }
            for one in draft.calls
        ],
        "trace": [
            {
                "step": one.step,
                "model": one.model,
                "ms": one.ms,
                "prompt_tokens": one.prompt_tokens,
                "cached_tokens": one.cached_tokens,
                "completion_tokens": one.completion_tokens,
                "note": one.note,
            }
            for one in draft.trace
        ],
        "edits": [encode_edit(one) for one in draft.edits],
    }


def decode_proof(stored: Mapping[str, Any]) -> dict[str, Any]:
    """Return the arguments of ``Draft`` that ``encode_proof`` wrote; a draft of an earlier
    version has none of them."""
    return {
        **{name: str(stored.get(name, "")) for name in _PLAIN},
        **{name: tuple(stored.get(name, ())) for name in _LISTS},
        "confidence_criteria": tuple(
            Criterion(one["name"], one["score"], one["explanation"])
            for one in stored.get("confidence_criteria", ())
        ),
        "discrepancies": tuple(
            _discrepancy_from_json(one) for one in stored.get("discrepancies", ())
        ),
        "calls": tuple(PromptCall(**one) for one in stored.get("calls", ())),
        "trace": tuple(TraceStep(**one) for one in stored.get("trace", ())),
        "edits": tuple(
            Edit(one["time"], EditKind(one["kind"]), one["before"], one["after"], one["note"])
            for one in stored.get("edits", ())
        ),
    }


def encode_edit(edit: Edit) -> dict[str, str]:
    """Return one step of the writer's."""
    return {
        "time": edit.time,
        "kind": edit.kind.value,
        "before": edit.before,
        "after": edit.after,
        "note": edit.note,
    }


def _discrepancy_to_json(one: Discrepancy) -> dict[str, Any]:
    return {
        "kind": one.kind.value,
        "message": one.message,
        "passages": [_place_to_json(place) for place in one.sides],
    }


def _discrepancy_from_json(stored: Mapping[str, Any]) -> Discrepancy:
    return Discrepancy(
        DiscrepancyKind(stored["kind"]),
        stored["message"],
        tuple(_place_from_json(place) for place in stored["passages"]),
    )


def _place_to_json(place: SourcePlace) -> dict[str, Any]:
    return {
        "file": place.file,
        "title": place.title,
        "quote": place.quote,
        "start": place.start,
        "end": place.end,
        "sha256": place.sha256,
        "layer": place.layer.value if place.layer else None,
        "heading_path": list(place.heading_path),
        "locator": locator_to_json(place.locator) if place.locator else None,
        "block_id": place.block_id,
        "value": place.value,
    }


def _place_from_json(stored: Mapping[str, Any]) -> SourcePlace:
    layer, locator = stored["layer"], stored["locator"]
    return SourcePlace(
        file=stored["file"],
        title=stored["title"],
        quote=stored["quote"],
        start=stored["start"],
        end=stored["end"],
        sha256=stored["sha256"],
        layer=None if layer is None else Layer(layer),
        heading_path=tuple(stored["heading_path"]),
        locator=None if locator is None else locator_from_json(locator),
        block_id=stored["block_id"],
        value=stored.get("value", ""),
    )
