"""How many edited sentences are marked, and how many untouched ones; checks alone and binder."""

from __future__ import annotations

import math
import os
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.embedding.onnx_embedder import OnnxEmbedder
from phasergun_desktop.grounding.binding import Binding, SpanBinder
from phasergun_desktop.grounding.contradiction import meaning_problems
from phasergun_desktop.grounding.judge import load_judge
from phasergun_desktop.grounding.model import ProblemCode, Support
from phasergun_desktop.paths import resources_path
from phasergun_desktop.text.values import missing_values
from tests.benchmarks.edits.edits import edits_of
from tests.benchmarks.edits.sources import Stated, parsed, source_files, stated_sentences
from tests.benchmarks.frame import Figure, Unavailable, figure
from tests.fakes.bundled_cross_encoder import bundled_cross_encoder

ROOT = Path(__file__).resolve().parents[3]
_A_KIND = 34
_COPIES = 150
_MARKED_PERCENT = 98.0
_FALSE_PERCENT = 3.0


@dataclass(frozen=True, slots=True)
class _Outcome:
    """Whether the checks of values and meaning mark a sentence, and whether the binder does."""

    kind: str
    text: str
    by_checks: bool
    by_binder: bool
    check_ms: float
    note: str


def edited_sentences(reported: bool = True) -> Iterator[Figure]:
    """Yield the shares of edited and of untouched sentences that are marked.

    ``reported`` chooses the half of the documents: the other one is for tuning.
    """
    data = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
    if not data.is_dir():
        raise Unavailable("the documents are absent (set PHASERGUN_TEST_DATA)")
    measured = _Measured(data, reported)
    edited = [
        measured.outcome(item.stated, item.text, item.kind, f"{item.was} → {item.now}")
        for item in edits_of(measured.stated, _A_KIND)
    ]
    # In turn from the documents: the list holds twelve sentences of each.
    step = max(1, len(measured.stated) // _COPIES)
    copies = [
        measured.outcome(item, item.text, "copy", "") for item in measured.stated[::step][:_COPIES]
    ]
    yield from _shares("edits_marked", edited, _MARKED_PERCENT, at_least=True)
    for kind in dict.fromkeys(outcome.kind for outcome in edited):
        own = [outcome for outcome in edited if outcome.kind == kind]
        yield from _shares(f"edits_marked_{kind.replace(' ', '_')}", own, None, at_least=True)
    yield from _shares("untouched_marked", copies, _FALSE_PERCENT)
    yield figure(
        "edits_check_time",
        "ms",
        [outcome.check_ms for outcome in (*edited, *copies)],
        target=5.0,
        note="processor time for values and meaning of a sentence against its bound spans",
    )
    for outcome in (*edited, *copies):
        if (outcome in edited) != outcome.by_binder:
            print(f"  {outcome.kind:12} {outcome.note} | {outcome.text}", file=sys.stderr)


class _Measured:
    """The sentences of one half of the documents, and the product's own path to a mark."""

    def __init__(self, data: Path, reported: bool) -> None:
        files = source_files(data)
        every = stated_sentences(data, files)
        self.stated = [item for item in every if item.is_reported == reported]
        self._data = data
        self._files = files
        models = resources_path() / "models"
        embedder = OnnxEmbedder(
            models / "all-MiniLM-L6-v2-int8.onnx", models / "tokenizer.json", threads=1
        )
        self._binder = SpanBinder(load_judge(embedder, bundled_cross_encoder()), self._document)
        self._read = 0

    def _document(self, number: int) -> ParsedDocument:
        document = parsed(self._data / self._files[number])
        if document is None:
            raise LookupError(self._files[number])
        return document

    def outcome(self, item: Stated, text: str, kind: str, note: str) -> _Outcome:
        binding = self._binder.bind(text, [item.passage])
        source = "\n".join(span.text for span in binding.spans) or item.passage.text
        # Spaces make it a text that nothing has read before.
        self._read += 1
        source += " " * self._read
        start = time.thread_time()
        marks = bool(missing_values(text, source)) or bool(meaning_problems(text, source))
        spent_ms = (time.thread_time() - start) * 1000
        why = "; ".join(problem.message for problem in binding.problems)
        return _Outcome(
            kind, text, marks, _is_marked(binding), spent_ms, f"{note} [{why} {binding.score:.2f}]"
        )


def _is_marked(binding: Binding) -> bool:
    """Whether the writer sees a mark: no full support, or a problem of any kind."""
    return binding.support is not Support.SUPPORTED or any(
        problem.code is not ProblemCode.SOURCE_CHANGED for problem in binding.problems
    )


def _shares(
    name: str, outcomes: Sequence[_Outcome], target: float | None, *, at_least: bool = False
) -> Iterator[Figure]:
    if not outcomes:
        return
    for way, marked in (
        ("", sum(outcome.by_binder for outcome in outcomes)),
        ("_by_checks_alone", sum(outcome.by_checks for outcome in outcomes)),
    ):
        low, high = wilson(marked, len(outcomes))
        yield figure(
            f"{name}{way}",
            "%",
            [100 * marked / len(outcomes)],
            target=target if not way else None,
            at_least=at_least,
            note=f"{marked} of {len(outcomes)}; 95 % interval {low:.1f} to {high:.1f}",
        )


def wilson(found: int, n: int) -> tuple[float, float]:
    """Return the 95 % interval of a share in percent, after Wilson."""
    z = 1.959964
    share = found / n
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * math.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    return 100 * max(0.0, middle - half), 100 * min(1.0, middle + half)
