"""Sentences and footnotes as JSON with the product's field names, and back."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any

from phasergun_desktop.documents.document_codec import locator_from_json, locator_to_json
from phasergun_desktop.documents.model import PageLocator
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.projects.layers import Layer

# What JSON calls an object; these stay at the border of files and the command line.
JsonObject = dict[str, Any]
JsonView = Mapping[str, Any]


def encode_footnote(footnote: Footnote) -> JsonObject:
    """Return the footnote with its contract's names; ``page`` is there for pages."""
    encoded: JsonObject = {
        "number": footnote.number,
        "kind": footnote.kind,
        "rendered": footnote.rendered,
        "title": footnote.title,
        "file": footnote.file,
        "sha256": footnote.sha256,
        "layer": footnote.layer.value if footnote.layer else None,
        "chunk_id": footnote.chunk_id,
        "block_id": footnote.block_id,
        "score": footnote.score,
        "heading_path": list(footnote.heading_path),
        "locator": locator_to_json(footnote.locator) if footnote.locator else None,
        "quote": footnote.quote,
        "start": footnote.start,
        "end": footnote.end,
        "revision": footnote.revision,
        "document_number": footnote.document_number,
    }
    if isinstance(footnote.locator, PageLocator):
        encoded["page"] = footnote.locator.page
    return encoded


def decode_footnote(stored: JsonView) -> Footnote:
    """Return the footnote that ``encode_footnote`` wrote."""
    layer, chunk_id, locator = stored["layer"], stored["chunk_id"], stored["locator"]
    return Footnote(
        number=stored["number"],
        kind=stored["kind"],
        rendered=stored["rendered"],
        title=stored["title"],
        file=stored["file"],
        sha256=stored["sha256"],
        layer=None if layer is None else Layer(layer),
        chunk_id=None if chunk_id is None else ChunkId(chunk_id),
        block_id=stored["block_id"],
        score=stored["score"],
        heading_path=tuple(stored["heading_path"]),
        locator=None if locator is None else locator_from_json(locator),
        quote=stored["quote"],
        start=stored["start"],
        end=stored["end"],
        revision=stored.get("revision", ""),
        document_number=stored.get("document_number", ""),
    )


def encode_unit(unit: DraftSentence) -> JsonObject:
    """Return the unit with its contract's names (``text``, ``citations``, ``support`` …)."""
    return {
        "text": unit.text,
        "kind": unit.kind.value,
        "citations": list(unit.citations),
        "support": unit.support.value,
        "score": unit.score,
        "problems": [
            {"code": problem.code.value, "value": problem.value, "message": problem.message}
            for problem in unit.problems
        ],
        "starts_paragraph": unit.starts_paragraph,
        "level": unit.level,
        "cells": list(unit.cells),
        "citations_per_cell": [list(cell) for cell in unit.citations_per_cell],
        "is_header": unit.is_header,
        "point": unit.point,
        "accepted": unit.accepted,
        "needs_check": unit.needs_check,
        "is_own": unit.is_own,
    }


def decode_unit(stored: JsonView) -> DraftSentence:
    """Return the unit that ``encode_unit`` wrote."""
    return DraftSentence(
        text=stored["text"],
        kind=UnitKind(stored["kind"]),
        citations=tuple(stored["citations"]),
        support=Support(stored["support"]),
        score=stored["score"],
        problems=tuple(
            SentenceProblem(ProblemCode(each["code"]), each["value"], each["message"])
            for each in stored["problems"]
        ),
        starts_paragraph=stored["starts_paragraph"],
        level=stored["level"],
        cells=tuple(stored["cells"]),
        citations_per_cell=tuple(tuple(cell) for cell in stored["citations_per_cell"]),
        is_header=stored["is_header"],
        point=stored.get("point", -1),
        accepted=stored.get("accepted", ""),
        needs_check=stored.get("needs_check", False),
        is_own=stored.get("is_own", False),
    )


def plain_number(value: object) -> int | float:
    """Return a numpy number as Python's own, for ``json.dumps``; ``TypeError`` for all else."""
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real):
        return float(value)
    raise TypeError(f"{type(value).__name__} has no form in JSON")
