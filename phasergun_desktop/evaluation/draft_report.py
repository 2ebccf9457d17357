"""The figures of drafts against the facts that were wanted of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from phasergun_desktop.evaluation.metrics import Estimate, estimate_share, interval, rounded


@dataclass(frozen=True, slots=True)
class FactFound:
    """Where one wanted fact was found: in what was looked at for the plan (``in_pool``), in what
    the plan selected, in the draft."""

    fact: str
    in_pool: bool
    is_selected: bool
    is_drafted: bool


@dataclass(frozen=True, slots=True)
class DraftFigures:
    """One prompt, planned and drafted. ``missing`` has, for each thing that the draft must report
    as missing, its name and whether it does; ``abstains`` is whether a draft that should abstain
    does, None where it should not."""

    prompt: str
    status: str
    facts: tuple[FactFound, ...]
    missing: tuple[tuple[str, bool], ...]
    abstains: bool | None
    words: int
    plan_s: float
    draft_s: float

    @property
    def not_found(self) -> tuple[str, ...]:
        """The names of what the draft should say and does not."""
        facts = [each.fact for each in self.facts if not each.is_drafted]
        return (*facts, *(name for name, is_reported in self.missing if not is_reported))


@dataclass(frozen=True, slots=True)
class Recall:
    """How many of the wanted facts were found; ``share`` with its interval over prompts."""

    found: int
    wanted: int
    share: Estimate


@dataclass(frozen=True, slots=True)
class DraftsReport:
    """What came of all prompts. ``model`` is "extractive" where none wrote."""

    model: str
    pool: Recall
    selected: Recall
    drafted: Recall
    prompts: tuple[DraftFigures, ...]

    @property
    def missing(self) -> tuple[int, int]:
        """How much of what is missing the drafts report, and how much they should."""
        reported = [is_reported for each in self.prompts for _, is_reported in each.missing]
        return sum(reported), len(reported)

    @property
    def abstentions(self) -> tuple[int, int]:
        """How many of the drafts that should abstain do, and how many should."""
        abstains = [each.abstains for each in self.prompts if each.abstains is not None]
        return sum(abstains), len(abstains)

    @property
    def words(self) -> tuple[float, float]:
        """Mean and median of the words of the drafts that state something."""
        counts = [each.words for each in self.prompts if each.words]
        return (float(np.mean(counts)), float(np.median(counts))) if counts else (0.0, 0.0)


def report_of(model: str, prompts: Sequence[DraftFigures]) -> DraftsReport:
    """Work out the figures; prompts are drawn whole for the intervals."""
    groups = [each.prompt for each in prompts for _ in each.facts]
    facts = [fact for each in prompts for fact in each.facts]
    return DraftsReport(
        model,
        _recall([fact.in_pool for fact in facts], groups),
        _recall([fact.is_selected for fact in facts], groups),
        _recall([fact.is_drafted for fact in facts], groups),
        tuple(prompts),
    )


def _recall(found: Sequence[bool], groups: Sequence[str]) -> Recall:
    return Recall(sum(found), len(found), estimate_share(found, groups))


def drafts_json(report: DraftsReport) -> dict[str, object]:
    """Return the report for ``eval --json``; what is not defined is null."""
    mean, median = report.words
    statuses = [each.status for each in report.prompts]
    return {
        "status": "complete",
        "model": report.model,
        "metrics": {
            "facts": _recall_json(report.drafted),
            "pool": _recall_json(report.pool),
            "selected": _recall_json(report.selected),
            "drafted": _recall_json(report.drafted),
            "missing": dict(zip(("found", "wanted"), report.missing, strict=True)),
            "abstentions": dict(zip(("found", "wanted"), report.abstentions, strict=True)),
            "words": {"mean": round(mean, 1), "median": median},
            "status": {status: statuses.count(status) for status in sorted(set(statuses))},
            "seconds": {
                "plan": _seconds(each.plan_s for each in report.prompts),
                "draft": _seconds(each.draft_s for each in report.prompts),
            },
            "prompts": [_prompt_json(each) for each in report.prompts],
        },
    }


def _recall_json(recall: Recall) -> dict[str, object]:
    share = recall.share
    return {
        "found": recall.found,
        "wanted": recall.wanted,
        "share": rounded(share.value),
        "interval": interval(share),
    }


def _seconds(values: Iterable[float]) -> dict[str, float]:
    p50, p95 = np.quantile(list(values), [0.5, 0.95])
    return {"p50": round(float(p50), 3), "p95": round(float(p95), 3)}


def _prompt_json(figures: DraftFigures) -> dict[str, object]:
    facts = figures.facts
    found = {
        "pool": sum(each.in_pool for each in facts),
        "selected": sum(each.is_selected for each in facts),
        "drafted": sum(each.is_drafted for each in facts),
    }
    return {
        "prompt": figures.prompt,
        "status": figures.status,
        **{name: {"found": count, "wanted": len(facts)} for name, count in found.items()},
        "missing": {
            "found": sum(is_reported for _, is_reported in figures.missing),
            "wanted": len(figures.missing),
        },
        "abstains": figures.abstains,
        "words": figures.words,
        "seconds": {"plan": round(figures.plan_s, 3), "draft": round(figures.draft_s, 3)},
        "not_found": list(figures.not_found),
    }
