"""Plans, drafts and counts in words, for people at a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from phasergun_desktop.cli.console import Console
from phasergun_desktop.grounding.model import Support
from phasergun_desktop.index.records import DocumentRecord, FileRecord, FileState
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind, Plan
from phasergun_desktop.references.model import Severity
from phasergun_desktop.retrieval.model import SearchResult
from phasergun_desktop.writing.model import AnswerResult

_NOT_CARRIED = (Support.UNSUPPORTED, Support.CONTRADICTED)
_DISAGREEMENTS = {
    DiscrepancyKind.VALUES: "DISAGREEMENT",
    DiscrepancyKind.BOOTSTRAP: "DISAGREEMENT",
    DiscrepancyKind.SUPERSEDED: "SUPERSEDED",
    DiscrepancyKind.GAP: "gap",
    DiscrepancyKind.SCOPE: "warning",
    DiscrepancyKind.NOT_COVERED: "not covered",
}


def counts_in_words(files: tuple[FileRecord, ...]) -> str:
    """Return how many files are in which state."""
    counts = {state: sum(record.state is state for record in files) for state in FileState}
    parts = [f"{counts[FileState.INDEXED]} indexed"]
    parts += [
        f"{counts[state]} {state.value}"
        for state in (FileState.PENDING, FileState.FAILED, FileState.SKIPPED)
        if counts[state]
    ]
    return f"{len(files)} {'file' if len(files) == 1 else 'files'}: " + ", ".join(parts)


def how_it_was_read(document: DocumentRecord) -> str:
    """Return what is worth knowing of how a document was read; empty for most."""
    recognised = sum(page.ocr_confidence is not None for page in document.pages)
    parts = []
    if recognised:
        parts.append(f"{recognised} of {len(document.pages)} pages recognised")
    if document.metadata.read_with:
        parts.append(f"read with {document.metadata.read_with}")
    return "; ".join([*parts, *document.warnings])


def note_failed(console: Console, files: tuple[FileRecord, ...]) -> None:
    """Print every file that could not be read, with its reason."""
    for record in files:
        if record.state is FileState.FAILED:
            console.note(f"  {record.file}: {record.reason}")


def say_hits(console: Console, result: SearchResult) -> None:
    """Print hits with their best window."""
    for hit in result.hits:
        where = " › ".join(hit.heading_path)
        console.say(
            f"{hit.rank:2}. {hit.score:.3f}  {hit.file}  [{hit.layer.value}]  {where}".rstrip()
        )
        best = hit.windows[0] if hit.windows else None
        text = hit.text[best.start - hit.start : best.end - hit.start] if best else hit.text
        console.say("    " + " ".join(text.split())[:200])
    if not result.hits:
        console.say("No matching documents.")


def say_plan(console: Console, made: Plan) -> None:
    """Print references, outline, passages and problems."""
    for reference in made.references:
        target = reference.value.text if reference.value else ", ".join(reference.files)
        mark = "✓" if reference.resolved else "✗"
        console.say(f"{mark} {reference.text} → {target or 'nothing'}")
    for number, point in enumerate(made.points, start=1):
        device = f" — {point.device}" if point.device else ""
        console.say(f"{number}. {point.heading or point.instruction}{device} ({point.kind.value})")
        for passage in point.passages:
            where = " › ".join(passage.heading_path)
            console.say(f"     {passage.file}  {where}".rstrip())
    if not made.is_blocked:
        console.say(f"About {made.tokens} tokens to read.")
    note_problems(console, made)
    note_disagreements(console, made.discrepancies)
    for warning in made.warnings:
        console.note(f"warning: {warning}")


def note_disagreements(console: Console, discrepancies: Sequence[Discrepancy]) -> None:
    """Print in what the sources disagree and what they lack, with the place of each side."""
    for one in discrepancies:
        console.note(f"{_DISAGREEMENTS[one.kind]}: {one.message}")
        for side in one.sides:
            where = " › ".join(side.heading_path)
            console.note(f"     {side.file}  {where}".rstrip())


def note_problems(console: Console, made: Plan) -> None:
    """Print every problem of the prompt with its remedy, those that block first."""
    for problem in sorted(made.problems, key=lambda each: each.severity is not Severity.BLOCKS):
        severity = "BLOCKS" if problem.severity is Severity.BLOCKS else "warning"
        console.note(f"{severity}: {problem.message} {problem.remedy}".rstrip())


def note_checks(console: Console, result: AnswerResult) -> None:
    """Print what is wrong with single sentences, what the sources disagree in, what the
    confidence rests on, and the figures of the draft."""
    for unit in result.sentences:
        told = [problem.message for problem in unit.problems]
        if not told and unit.support in _NOT_CARRIED:
            told = [f"The sources do not carry this sentence ({unit.support.value})."]
        for message in told:
            console.note(f"  ! {message}  “{unit.text[:70]}”")
    note_problems(console, result.plan)
    note_disagreements(console, result.discrepancies)
    for warning in result.warnings:
        console.note(f"warning: {warning}")
    metrics = result.metrics
    parts = [f"Confidence {result.confidence.level.value} ({result.confidence.score:.2f})"]
    if metrics.completion_tokens:
        parts.append(f"First word after {metrics.first_token_ms / 1000:.1f} s")
        parts.append(
            f"{metrics.completion_tokens} tokens written, {metrics.prompt_tokens} read "
            f"({metrics.cached_tokens} of them kept from before)"
        )
    parts.append(f"{metrics.total_ms / 1000:.1f} s in all")
    console.note(". ".join(parts) + ".")
    console.note(result.confidence.rationale)
    for criterion in result.confidence.criteria:
        console.note(f"  {criterion.score:4.0%}  {criterion.explanation}")
