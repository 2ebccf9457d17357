"""The JSON that others rely on: results as the contract of the command line words them."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from enum import Enum

from phasergun_desktop.activity.codec import encode_activity
from phasergun_desktop.activity.model import ActivityEntry
from phasergun_desktop.documents.document_codec import encoded, locator_to_json
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.grounding.footnote_codec import encode_footnote
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.records import DocumentRecord, FileRecord, FileState
from phasergun_desktop.models.model_store import ModelStatus
from phasergun_desktop.planning.model import Discrepancy, Plan, PlannedNeed
from phasergun_desktop.references.model import Problem, ResolvedReference, Severity
from phasergun_desktop.retrieval.model import Hit, Passage, SearchResult
from phasergun_desktop.writing.gaps import where_it_belongs
from phasergun_desktop.writing.model import AnswerResult

Json = dict[str, object]
_NOT_OF_STANDARDS = ("file", "sha256", "block_id", "quote")


def _named(value: object, names: str) -> Json:
    """Return the fields of ``value`` that ``names`` lists with blanks between, under their own
    names: enums by their values, tuples as lists."""
    return {name: _plain(getattr(value, name)) for name in names.split()}


def _plain(value: object) -> object:
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, tuple):
        return list(value)
    return value


def error_json(error: PhaserGunError) -> Json:
    """Return the object for an error."""
    return {"status": "error", "error": _named(error, "title message remedy")}


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
                **_named(each.entry, "name title kind"),
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
                **_named(f, "file layer state reason size pages chunks"),
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
        **_named(hit, "rank score file title layer heading_path"),
        "locator": locator_to_json(hit.locator),
        **_named(hit, "block_id chunk_id start end text similarity bm25 rerank"),
    }


def _need_json(each: PlannedNeed, plan: Plan) -> Json:
    need = each.need
    own = [point for point in plan.points if point.need_id == need.need_id]
    is_stated = any(point.value is not None or point.pairs for point in own)
    return {
        "id": need.need_id,
        **_named(need, "quote start end query label part"),
        "form": "statement",
        "heading": need.heading,
        "value": need.value.text if need.value is not None else None,
        "gap": not each.selected and not is_stated,
        "ordered": each.is_ordered,
        "evidence": [
            {**_passage_json(unit.passage), **_named(unit, "selected score similarity")}
            for unit in each.units
        ],
    }


def plan_json(plan: Plan) -> Json:
    """Return references, passages, tokens and problems, and the outline they are for."""
    return {
        "status": "blocked" if plan.is_blocked else "complete",
        **_named(plan, "profile template agent"),
        "filters": [f"{one.key}={one.value}" for one in plan.filters],
        "maximum_words": plan.maximum_words or None,
        **_named(plan, "words title task prompt"),
        "prompt_sha256": _sha256(plan.prompt),
        "references": [_reference_json(reference) for reference in plan.references],
        "passages": [_passage_json(passage) for passage in plan.passages],
        "outline": [
            {
                "kind": point.kind.value,
                "heading": point.heading,
                "text": point.instruction,
                **_named(point, "query attribute device is_required"),
                "belongs": where_it_belongs(point),
                "value": point.value.text if point.value is not None else None,
                "relevance": round(point.relevance, 4),
                "quotes": [pair.answer.text for pair in point.pairs],
                "passages": [_named(passage, "file start end") for passage in point.passages],
            }
            for point in plan.points
        ],
        "needs": [_need_json(each, plan) for each in plan.needs],
        "summaries": [_named(each, "file text") for each in plan.summaries],
        "tokens": plan.tokens,
        "warnings": list(plan.warnings),
        "problems": [_problem_json(problem) for problem in plan.problems],
        "retrieval_ms": round(plan.retrieval_ms, 1),
    }


def answer_json(result: AnswerResult) -> Json:
    """Return a draft or an answer."""
    metrics = result.metrics
    criteria = tuple(replace(c, score=round(c.score, 4)) for c in result.confidence.criteria)
    return {
        "status": result.status.value,
        "text": result.text,
        "sentences": [encoded(unit) for unit in result.sentences],
        "footnotes": [footnote_json(note) for note in result.footnotes],
        "confidence": encoded(replace(result.confidence, criteria=criteria)),
        "discrepancies": [_discrepancy_json(each, result) for each in result.discrepancies],
        "missing": result.missing,
        "profile": result.plan.profile,
        "plan": plan_json(result.plan),
        "metrics": {
            "retrieval_ms": round(metrics.retrieval_ms, 1),
            "first_token_ms": round(metrics.first_token_ms, 1),
            "generation_ms": round(metrics.generation_ms, 1),
            "total_ms": round(metrics.total_ms, 1),
            **_named(metrics, "prompt_tokens cached_tokens completion_tokens chunks_retrieved"),
            **_named(metrics, "model model_digest"),
            "prompt_sha256": list(metrics.prompt_sha256),
        },
        "warnings": list(result.warnings),
    }


def footnote_json(note: Footnote) -> Json:
    """Return one footnote; a standard has neither file nor quote."""
    found = encode_footnote(note)
    return {**found, **{name: found[name] or None for name in _NOT_OF_STANDARDS}}


def activity_json(entry: ActivityEntry) -> Json:
    """Return one entry of the activity log."""
    activity: Json = json.loads(encode_activity(entry.activity))
    return {**_named(entry, "number at"), **activity, **_named(entry, "previous hash")}


def _reference_json(reference: ResolvedReference) -> Json:
    return {
        **_named(reference, "kind text start end label resolved files"),
        "value": reference.value.text if reference.value else None,
    }


def _passage_json(passage: Passage) -> Json:
    return {
        **_named(passage, "file title layer sha256 chunk_id start end heading_path score text"),
        "text_sha256": _sha256(passage.text),
    }


def _sha256(text: str) -> str:
    # A lone surrogate of a damaged file has no UTF-8.
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _problem_json(problem: Problem) -> Json:
    return _named(problem, "code severity message remedy start end replacements")


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
        "passages": [encoded(side) for side in discrepancy.sides],
    }
