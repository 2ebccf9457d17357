"""What references, scopes, filters and hints of agents leave out reaches no plan and no search."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from phasergun_desktop.planning.model import Plan
from phasergun_desktop.profiles.agents import Agent
from phasergun_desktop.projects.layers import ALWAYS_SEARCHED, Layer
from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.retrieval.model import Passage
from tests.fakes.paragraph_reader import MarkdownReader
from tests.fakes.profiled_project import ProfiledProject
from tests.fakes.small_project import SmallProject

PROMPTS = 1000
PROFILES = ("regulatory", "knowledge-base", "disclosure", "literature", "evidence")


@dataclass(frozen=True)
class _Source:
    """A document of the project and what each filter reads of it."""

    file: str
    layer: Layer
    kind: str = ""
    tag: str = ""
    label: str = ""
    language: str = ""
    journal: str = ""
    date: str = ""


SOURCES = (
    _Source(
        "Procedures/SOPs/alarm-rules.md", Layer.SOPS, "procedure", "alarm", "internal", "en-US"
    ),
    _Source(
        "Procedures/SOPs/record-rules.md",
        Layer.SOPS,
        "procedure",
        "records",
        "secret",
        "en-GB",
        date="2024-05-31",
    ),
    _Source("Procedures/QPs/policy.md", Layer.QUALITY_POLICIES, "policy", "", "internal"),
    _Source(
        "Procedures/QaPs/plan.md",
        Layer.PROJECT_QUALITY_PLANS,
        "plan",
        "records",
        "",
        "en-US",
        date="2023-12-31",
    ),
    _Source("Context/Master-Record.docx", Layer.MASTER_RECORD, "", "", "secret"),
    _Source("Context/notes.md", Layer.PRIMARY_CONTEXT, "", "alarm", ""),
    _Source(
        "Context/Initiation/heater.md",
        Layer.INITIATION,
        "",
        "alarm",
        "internal",
        "en-US",
        date="2024-06-01",
    ),
    _Source(
        "Context/Ongoing/report.md",
        Layer.ONGOING,
        "report",
        "alarm",
        "secret",
        "en-US",
        "Heat and Mass",
        "2024-01-01",
    ),
    _Source(
        "Context/Ongoing/deep/second.md",
        Layer.ONGOING,
        "report",
        "weight",
        "internal",
        "en-GB",
        "The Thermometer",
        "2022-02-03",
    ),
    _Source(
        "Context/Predicates/K111222.md",
        Layer.PREDICATES,
        "",
        "alarm",
        "public",
        "en-US",
        date="2019-07-08",
    ),
    _Source("Context/Regulatory Strategy/way.md", Layer.REGULATORY_STRATEGY, "", "", "secret"),
    _Source(
        "Context/General/note.md",
        Layer.GENERAL,
        "standard",
        "weight",
        "public",
        "en-GB",
        "Heat and Mass",
        "2024-05-01",
    ),
    _Source("Bootstrap/answers.md", Layer.BOOTSTRAP, "", "", "internal", "en-GB"),
)
MASTER_RECORD = "Context/Master-Record.docx"
BY_FILE = {each.file: each for each in SOURCES}
ASKED = (
    "the alarm of the heater", "the weight of the heater", "how records are kept",
    "the display and its lamp", "the temperature of the plate", "who approves the plan",
    "the alarm; the weight; the records", "alarm level, alarm tone and alarm pause",
)  # fmt: skip
# What is put behind a prompt, and the files that it opens.
OPENED: dict[str, frozenset[str]] = {
    "": frozenset(),
    "Use @sops.": frozenset(s.file for s in SOURCES if s.layer is Layer.SOPS),
    "Use @quality_policies.": frozenset({"Procedures/QPs/policy.md"}),
    "Use @company_processes.": frozenset(s.file for s in SOURCES if s.layer.is_procedure),
    "Use @ongoing.": frozenset(s.file for s in SOURCES if s.layer is Layer.ONGOING),
    "Use @general.": frozenset({"Context/General/note.md"}),
    "Use @predicates and @initiation.": frozenset(
        {"Context/Predicates/K111222.md", "Context/Initiation/heater.md"}
    ),
    "Use [Context|General|note.md].": frozenset({"Context/General/note.md"}),
    "Use [Context|Regulatory Strategy].": frozenset({"Context/Regulatory Strategy/way.md"}),
    "Use [Context|Ongoing|report.md] and @sops.": frozenset(
        {
            "Context/Ongoing/report.md",
            "Procedures/SOPs/alarm-rules.md",
            "Procedures/SOPs/record-rules.md",
        }
    ),
}
FILTERS: dict[Filter, frozenset[str]] = {
    Filter(FilterKey.LAYER, "sops"): frozenset(s.file for s in SOURCES if s.layer is Layer.SOPS),
    Filter(FilterKey.LAYER, "ongoing"): frozenset(
        s.file for s in SOURCES if s.layer is Layer.ONGOING
    ),
    Filter(FilterKey.FOLDER, "Context"): frozenset(f for f in BY_FILE if f.startswith("Context/")),
    Filter(FilterKey.FOLDER, "context/ongoing/deep"): frozenset({"Context/Ongoing/deep/second.md"}),
    Filter(FilterKey.DOCUMENT, "report.md"): frozenset({"Context/Ongoing/report.md"}),
    Filter(FilterKey.KIND, "report"): frozenset(s.file for s in SOURCES if s.kind == "report"),
    Filter(FilterKey.TAG, "alarm"): frozenset(s.file for s in SOURCES if s.tag == "alarm"),
    Filter(FilterKey.TAG, "records"): frozenset(s.file for s in SOURCES if s.tag == "records"),
    Filter(FilterKey.CONFIDENTIALITY, "internal"): frozenset(
        s.file for s in SOURCES if s.label == "internal"
    ),
    Filter(FilterKey.CONFIDENTIALITY, "public"): frozenset(
        s.file for s in SOURCES if s.label == "public"
    ),
    Filter(FilterKey.FORMAT, "pdf"): frozenset(),
    Filter(FilterKey.LANGUAGE, "en-us"): frozenset(
        s.file for s in SOURCES if s.language == "en-US"
    ),
    Filter(FilterKey.LANGUAGE, "en-gb"): frozenset(
        s.file for s in SOURCES if s.language == "en-GB"
    ),
    Filter(FilterKey.JOURNAL, "heat and mass"): frozenset(
        s.file for s in SOURCES if s.journal == "Heat and Mass"
    ),
    Filter(FilterKey.AFTER, "2024-05"): frozenset(s.file for s in SOURCES if s.date >= "2024-05"),
    Filter(FilterKey.AFTER, "2022"): frozenset(s.file for s in SOURCES if s.date >= "2022"),
    Filter(FilterKey.BEFORE, "2024-05-31"): frozenset(
        s.file for s in SOURCES if "" < s.date <= "2024-05-31"
    ),
    Filter(FilterKey.BEFORE, "2023"): frozenset(s.file for s in SOURCES if "" < s.date < "2024"),
}


def _categories() -> str:
    entries = []
    for each in SOURCES:
        values = {
            "kind": each.kind, "tags": f"[{each.tag}]" if each.tag else "",
            "confidentiality": each.label,
        }  # fmt: skip
        said = ", ".join(f"{key}: {value}" for key, value in values.items() if value)
        entries.append(f"  {each.file}: {{{said}}}\n")
    return "documents:\n" + "".join(entries)


def _front_matter(source: _Source) -> str:
    values = {"language": source.language, "journal": source.journal, "date": source.date}
    said = "".join(f"{key}: {value}\n" for key, value in values.items() if value)
    return f"---\n{said}---\n\n" if said else ""


def _allowed(filters: Collection[Filter]) -> set[str]:
    by_key: dict[FilterKey, set[str]] = {}
    for one in filters:
        by_key.setdefault(one.key, set()).update(FILTERS[one])
    return set(BY_FILE).intersection(*by_key.values())


@pytest.fixture(scope="module")
def profiled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ProfiledProject]:
    """Every document says something of everything that is asked."""
    folder = tmp_path_factory.mktemp("outside")
    project = SmallProject(folder)
    project.reader = MarkdownReader()
    for at, source in enumerate(SOURCES, start=1):
        name = Path(source.file).stem
        project.write(
            source.file,
            f"{_front_matter(source)}# {name}\n\n## Alarm\n\n"
            f"The alarm of the heater sounds at {70 + at} dB, the tone at "
            f"{at} kHz, the pause lasts {at} s.\n\n## Weight\n\nThe heater weighs {at}.5 kg.\n\n"
            f"## Records\n\nRecords of {name} are kept for {at} years; the head of quality "
            f"approves the plan.\n\n## Display\n\nThe display and its lamp show the temperature "
            f"of the plate, {30 + at} °C.\n\nDevice Name: Heater H{at}\n",
        )
    project.write("Procedures/categories.yaml", _categories())
    project.sync()
    yield ProfiledProject(project, folder)
    project.close()


def _files_of(plan: Plan) -> set[str]:
    """Return every file that something of the plan comes from."""
    passages = [*plan.passages, *plan.retrieved, *(e for p in plan.points for e in p.evidence)]
    values = [p.value for p in plan.points] + [p.referred for p in plan.points]
    values += [r.value for r in plan.references]
    return (
        {passage.file for passage in passages}
        | {unit.passage.file for need in plan.needs for unit in need.units}
        | {pair.answer.file for point in plan.points for pair in point.pairs}
        | {value.file for value in values if value is not None}
        | {summary.file for summary in plan.summaries}
    )


def test_a_thousand_prompts_bring_nothing_from_outside(profiled: ProfiledProject) -> None:
    chance = random.Random(14)
    found = 0
    cited: tuple[Passage, ...] = ()
    for at in range(PROMPTS):
        opens = chance.choice(list(OPENED))
        filters = tuple(chance.sample(list(FILTERS), chance.choice((0, 1, 1, 2))))
        prompt = f"Describe {chance.choice(ASKED)}. {opens}".strip()
        opened = OPENED[opens] or {s.file for s in SOURCES if s.layer in ALWAYS_SEARCHED}
        # An agent's hint holds where nothing is asked of its kind.
        hints = chance.sample(list(FILTERS), chance.choice((0, 0, 0, 1, 2)))
        agent = Agent("a", "A", "", sources=tuple(f"{one.key}={one.value}" for one in hints))
        held = [one for one in hints if one.key not in {each.key for each in filters}]
        allowed = _allowed((*filters, *held))
        profile = PROFILES[at % len(PROFILES)]
        asks = at % 2 == 0
        plan = profiled.session.plan(
            prompt,
            asks=asks,
            profile=profile,
            filters=filters,
            earlier=cited if asks else (),
            agent=agent if hints else None,
        )
        cited = plan.retrieved or cited
        outside = _files_of(plan) - (opened & allowed)
        assert not outside, (prompt, filters, hints, outside)
        # What a source says is compared with the master record, whatever the prompt names.
        sides = {side.file for one in plan.discrepancies for side in one.sides}
        assert sides <= (opened | {MASTER_RECORD}) & allowed, (prompt, filters, sides)
        if at % 5 == 0:
            hits = profiled.session.search(prompt, profile=profile, filters=filters).hits
            assert {hit.file for hit in hits} <= _allowed(filters), (prompt, filters)
            assert bool(hits) == bool(_allowed(filters))
        if not allowed:
            assert any("no matching documents" in warning for warning in plan.warnings)
        found += bool(_files_of(plan))
    # The property must not hold for want of anything found.
    assert found > PROMPTS // 3
