"""The JSON that others rely on: results as the contract of the command line words them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict

from phasergun_desktop.activity.codec import encode_activity
from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.documents.document_codec import locator_to_json
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.model import DraftSentence, Footnote, SourcePlace
from phasergun_desktop.index.records import DocumentRecord, FileRecord, FileState
from phasergun_desktop.models.model_store import ModelStatus
from phasergun_desktop.planning.model import Discrepancy, Plan, PlannedNeed
from phasergun_desktop.references.model import Problem, ResolvedReference, Severity
from phasergun_desktop.retrieval.model import Hit, Passage, SearchResult
from phasergun_desktop.writing.gaps import where_it_belongs
from phasergun_desktop.writing.model import AnswerResult

Json = dict[str, object]


def error_json(error: PhaserGunError) -> Json:
    """Return the object for an error."""
    return {
        "status": "error",
        "error": {"title": error.title, "message": error.message, "remedy": error.remedy},
    }


def stopped_json() -> Json:
    """Return what a command says that the user stopped."""
    return {
        "status": "cancelled",
        "error": {
            "title": "Stopped",
            "message": "The command was stopped before it was done.",
            "remedy": "Start it again; what is done already is kept.",
        },
    }


def blocked_json(plan: Plan) -> Json:
    """Return what a blocked prompt says; each problem with its place is in ``problems``."""
    blocking = [problem for problem in plan.problems if problem.severity is Severity.BLOCKS]
    return {
        "status": "blocked",
        "error": {
            "title": "The prompt cannot be used yet",
            "message": " ".join(dict.fromkeys(problem.message for problem in blocking)),
            "remedy": " ".join(dict.fromkeys(problem.remedy for problem in blocking)),
        },
    }


def models_json(statuses: Iterable[ModelStatus]) -> Json:
    """Return the models of the catalogue with their state on this machine."""
    return {
        "models": [
            {
                "name": each.entry.name,
                "title": each.entry.title,
                "kind": each.entry.kind.value,
                "state": each.state.value,
                "bytes": each.entry.size_bytes,
                "bytes_here": each.bytes_here,
                "sha256": each.entry.sha256,
                "licence": each.entry.licence,
                "problem": each.problem,
            }
            for each in statuses
        ]
    }


def status_json(
    files: tuple[FileRecord, ...], details: Json, documents: Iterable[DocumentRecord] = ()
) -> Json:
    """Return every file with its state, and counts that add up to the folder.

    ``documents`` are those of the index: an indexed file also says how it was read.
    """
    known = {each.file: each for each in documents}
    counts = {state.value: sum(f.state is state for f in files) for state in FileState}
    return {
        "files": [
            {
                "file": f.file,
                "layer": f.layer.value if f.layer else None,
                "state": f.state.value,
                "reason": f.reason,
                "size": f.size,
                "pages": f.pages,
                "chunks": f.chunks,
                "problem": f.problem.value or None,
                **(_read_json(known[f.file]) if _is_known(f, known) else {}),
            }
            for f in files
        ],
        "counts": {**counts, "total": len(files)},
        **details,
    }


def _is_known(file: FileRecord, known: Mapping[str, DocumentRecord]) -> bool:
    """Whether the index knows the file as it is now."""
    return file.state is FileState.INDEXED and file.file in known


def _read_json(document: DocumentRecord) -> Json:
    confidences = [c for page in document.pages if (c := page.ocr_confidence) is not None]
    found: Json = {
        "format": document.format,
        "mime": document.mime,
        "read_with": document.metadata.read_with or None,
        "warnings": list(document.warnings),
    }
    if confidences:
        found["recognised_pages"] = len(confidences)
        found["ocr_confidence"] = round(sum(confidences) / len(confidences), 3)
    return found


def search_json(result: SearchResult) -> Json:
    """Return hits and timings."""
    timings = {name: round(ms, 3) for name, ms in asdict(result.timings).items()}
    found: Json = {"hits": [hit_json(hit) for hit in result.hits], "timings": timings}
    warnings = list(result.warnings) or ([] if result.hits else ["no matching documents"])
    return {**found, "warnings": warnings} if warnings else found


def hit_json(hit: Hit) -> Json:
    """Return one hit."""
    return {
        "rank": hit.rank,
        "score": hit.score,
        "file": hit.file,
        "title": hit.title,
        "layer": hit.layer.value,
        "heading_path": list(hit.heading_path),
        "locator": locator_to_json(hit.locator),
        "block_id": hit.block_id,
        "chunk_id": hit.chunk_id,
        "start": hit.start,
        "end": hit.end,
        "text": hit.text,
        "similarity": hit.similarity,
        "bm25": hit.bm25,
        "rerank": hit.rerank,
    }


def _need_json(each: PlannedNeed, plan: Plan) -> Json:
    need = each.need
    own = [point for point in plan.points if point.need_id == need.need_id]
    is_stated = any(point.value is not None or point.pairs for point in own)
    return {
        "id": need.need_id,
        "quote": need.quote,
        "start": need.start,
        "end": need.end,
        "query": need.query,
        "label": need.label,
        "part": need.part,
        "form": "statement",
        "heading": need.heading,
        "value": need.value.text if need.value is not None else None,
        "gap": not each.selected and not is_stated,
        "ordered": each.is_ordered,
        "evidence": [
            {
                **_passage_json(unit.passage),
                "selected": unit.selected,
                "score": unit.score,
                "similarity": unit.similarity,
            }
            for unit in each.units
        ],
    }


def plan_json(plan: Plan) -> Json:
    """Return references, passages, tokens and problems, and the outline they are for."""
    return {
        "status": "blocked" if plan.is_blocked else "complete",
        "profile": plan.profile,
        "filters": [f"{one.key}={one.value}" for one in plan.filters],
        "template": plan.template,
        "maximum_words": plan.maximum_words or None,
        "words": plan.words,
        "title": plan.title,
        "task": plan.task,
        "prompt": plan.prompt,
        "prompt_sha256": _sha256(plan.prompt),
        "references": [_reference_json(reference) for reference in plan.references],
        "passages": [_passage_json(passage) for passage in plan.passages],
        "outline": [
            {
                "kind": point.kind.value,
                "heading": point.heading,
                "text": point.instruction,
                "query": point.query,
                "attribute": point.attribute,
                "device": point.device,
                "is_required": point.is_required,
                "belongs": where_it_belongs(point),
                "value": point.value.text if point.value is not None else None,
                "relevance": round(point.relevance, 4),
                "quotes": [pair.answer.text for pair in point.pairs],
                "passages": [
                    {"file": p.file, "start": p.start, "end": p.end} for p in point.passages
                ],
            }
            for point in plan.points
        ],
        "needs": [_need_json(each, plan) for each in plan.needs],
        "summaries": [{"file": each.file, "text": each.text} for each in plan.summaries],
        "tokens": plan.tokens,
        "warnings": list(plan.warnings),
        "problems": [_problem_json(problem) for problem in plan.problems],
        "retrieval_ms": round(plan.retrieval_ms, 1),
    }


def answer_json(result: AnswerResult) -> Json:
    """Return a draft or an answer."""
    metrics = result.metrics
    return {
        "status": result.status.value,
        "text": result.text,
        "sentences": [_sentence_json(unit) for unit in result.sentences],
        "footnotes": [footnote_json(note) for note in result.footnotes],
        "confidence": {
            "level": result.confidence.level.value,
            "score": result.confidence.score,
            "criteria": [
                {"name": c.name, "score": round(c.score, 4), "explanation": c.explanation}
                for c in result.confidence.criteria
            ],
            "rationale": result.confidence.rationale,
        },
        "discrepancies": [_discrepancy_json(each, result) for each in result.discrepancies],
        "missing": result.missing,
        "profile": result.plan.profile,
        "plan": plan_json(result.plan),
        "metrics": {
            "retrieval_ms": round(metrics.retrieval_ms, 1),
            "first_token_ms": round(metrics.first_token_ms, 1),
            "generation_ms": round(metrics.generation_ms, 1),
            "total_ms": round(metrics.total_ms, 1),
            "prompt_tokens": metrics.prompt_tokens,
            "cached_tokens": metrics.cached_tokens,
            "completion_tokens": metrics.completion_tokens,
            "chunks_retrieved": metrics.chunks_retrieved,
            "model": metrics.model,
            "model_digest": metrics.model_digest,
            "prompt_sha256": list(metrics.prompt_sha256),
        },
        "warnings": list(result.warnings),
    }


def footnote_json(note: Footnote) -> Json:
    """Return one footnote; a standard has neither file nor quote."""
    found: Json = {
        "number": note.number,
        "kind": note.kind,
        "rendered": note.rendered,
        "title": note.title,
        "file": note.file or None,
        "sha256": note.sha256 or None,
        "layer": note.layer.value if note.layer else None,
        "chunk_id": note.chunk_id,
        "block_id": note.block_id or None,
        "score": note.score,
        "heading_path": list(note.heading_path),
        "locator": locator_to_json(note.locator) if note.locator else None,
        "quote": note.quote or None,
        "start": note.start,
        "end": note.end,
    }
    page = getattr(note.locator, "page", None)
    if page is not None:
        found["page"] = page
    return found


def activity_json(entry: ActivityEntry) -> Json:
    """Return one entry of the activity log."""
    activity: Json = json.loads(encode_activity(entry.activity))
    return {
        "number": entry.number,
        "at": entry.at,
        **activity,
        "previous": entry.previous,
        "hash": entry.hash,
    }


def _sentence_json(unit: DraftSentence) -> Json:
    return {
        "text": unit.text,
        "kind": unit.kind.value,
        "citations": list(unit.citations),
        "support": unit.support.value,
        "score": unit.score,
        "problems": [
            {"code": p.code.value, "value": p.value, "message": p.message} for p in unit.problems
        ],
        "cells": list(unit.cells),
        "point": unit.point,
    }


def _reference_json(reference: ResolvedReference) -> Json:
    return {
        "kind": reference.kind.value,
        "text": reference.text,
        "start": reference.start,
        "end": reference.end,
        "label": reference.label,
        "resolved": reference.resolved,
        "files": list(reference.files),
        "value": reference.value.text if reference.value else None,
    }


def _passage_json(passage: Passage) -> Json:
    return {
        "file": passage.file,
        "title": passage.title,
        "layer": passage.layer.value,
        "sha256": passage.sha256,
        "chunk_id": passage.chunk_id,
        "start": passage.start,
        "end": passage.end,
        "heading_path": list(passage.heading_path),
        "score": passage.score,
        "text": passage.text,
        "text_sha256": _sha256(passage.text),
    }


def _sha256(text: str) -> str:
    # A lone surrogate of a damaged file has no UTF-8.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _problem_json(problem: Problem) -> Json:
    return {
        "code": problem.code,
        "severity": problem.severity.value,
        "message": problem.message,
        "remedy": problem.remedy,
        "start": problem.start,
        "end": problem.end,
        "replacements": list(problem.replacements),
    }


def _discrepancy_json(discrepancy: Discrepancy, result: AnswerResult) -> Json:
    cited = [
        note.number
        for note in result.footnotes
        for side in discrepancy.sides
        if note.file == side.file and note.start < side.end and side.start < note.end
    ]
    return {
        "kind": discrepancy.kind.value,
        "message": discrepancy.message,
        "footnotes": list(dict.fromkeys(cited)),
        "passages": [place_json(side) for side in discrepancy.sides],
    }


def place_json(place: SourcePlace) -> Json:
    """Return a passage that is shown beside another."""
    return {
        "file": place.file,
        "title": place.title,
        "sha256": place.sha256,
        "layer": place.layer.value if place.layer else None,
        "heading_path": list(place.heading_path),
        "locator": locator_to_json(place.locator) if place.locator else None,
        "block_id": place.block_id,
        "quote": place.quote,
        "value": place.value,
        "start": place.start,
        "end": place.end,
    }
