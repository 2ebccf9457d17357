"""Every key of every profile changes what happens when it is changed."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from phasergun_desktop.chunking.strategies import chunking_for
from phasergun_desktop.documents.model import (
    Block,
    BlockKind,
    DocumentMetadata,
    PageLocator,
    ParsedDocument,
    TimeLocator,
)
from phasergun_desktop.grounding.citation_style import CitationStyle
from phasergun_desktop.grounding.model import Footnote
from phasergun_desktop.index.vector_index import VectorIndex
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import resources_path
from phasergun_desktop.planning.model import Plan
from phasergun_desktop.profiles.model import (
    AbstentionSettings,
    BandAction,
    ChunkStrategy,
    ConfidenceMeasure,
    FusionMethod,
    Profile,
    SectionWeight,
    TextUnit,
    VectorGraphSettings,
)
from phasergun_desktop.profiles.profile_file import rules_of
from phasergun_desktop.profiles.profile_store import ProfileStore
from phasergun_desktop.retrieval.model import Passage
from phasergun_desktop.writing.model import AnswerResult
from tests.fakes.paragraph_reader import parse_paragraphs
from tests.fakes.profiled_project import ProfiledProject
from tests.fakes.small_project import SmallProject

PROFILES = ("regulatory", "knowledge-base", "disclosure", "literature", "evidence")
STORE = ProfileStore(resources_path(), resources_path() / "none")
QUESTION = "How loud is the alarm of the heater?"
TWO_PARTS = "How loud is the alarm of the heater? How much does the heater weigh?"
# Read by what words answers with a model; shown by the tests of that.
WORDED_BY_A_MODEL = frozenset(
    {
        "prompt.instructions",
        "prompt.context.heading",
        "prompt.context.passage",
        "prompt.context.separator",
        "prompt.context.closing",
        "prompt.use_primary_context",
        "prompt.reading_budget_tokens",
        "prompt.remote_budget_tokens",
        "prompt.compress_above_tokens",
        "answer.temperature",
        "answer.maximum_tokens",
        "citation.model_marks",
    }
)


@dataclass(frozen=True)
class _Desk:
    """A project, and the profile that is looked at."""

    project: ProfiledProject

    def plan(self, profile: Profile, question: str, **more: Any) -> Plan:
        """Plan ``question``."""
        session = self.project.with_profile(profile.name, profile)
        return session.plan(question, asks=True, **more)

    def result(self, profile: Profile, question: str) -> AnswerResult:
        """Answer in the words of the sources."""
        drafting = self.project.engine(profile).drafting.get()
        plan = self.plan(profile, question)
        return run_to_end(drafting.answerer.answer(plan, None, lambda: False))

    def answer(self, profile: Profile, question: str) -> str:
        """Return the text of the answer in the words of the sources."""
        return self.result(profile, question).text

    def hits(self, profile: Profile, query: str, **more: Any) -> list[tuple[str, float]]:
        """Return the chunks of a search with their scores."""
        session = self.project.with_profile(profile.name, profile)
        return [(hit.chunk_id, hit.score) for hit in session.search(query, **more).hits]


Watched = Callable[[_Desk, Profile], object]


@dataclass(frozen=True)
class _Case:
    """Another ``value`` of a key (made of the old one), and what has to differ for it. ``first``
    sets the stage: keys that others are seen by."""

    value: Callable[[Any], Any]
    watched: Watched
    first: tuple[tuple[str, Any], ...] = ()


def _chunked(group: str) -> Watched:
    """Watch how a text of that group of layers is cut."""

    def watched(_: _Desk, profile: Profile) -> object:
        chunking = chunking_for(profile.chunking)
        document = _transcript() if group == "transcripts" else _sections()
        chunker = chunking.procedures if group == "procedures" else chunking.context
        return chunker.chunk(document)

    return watched


@lru_cache(maxsize=1)
def _sections() -> ParsedDocument:
    numbers = itertools.count()
    parts = []
    for section in range(24):
        parts.append(f"## Section {section}")
        count = 40 if section % 6 == 5 else 2
        parts += [
            f"The part {next(numbers)} of it, {word * 9}; it holds {at}, or less. More of it\n"
            "stands here."
            for at in range(count)
            for word in ("alarm ",)
        ]
    return parse_paragraphs("# All\n\n" + "\n\n".join(parts))


@lru_cache(maxsize=1)
def _transcript() -> ParsedDocument:
    text, blocks, now = "", [], 0.0
    for at in range(400):
        said = f"And now we come to the point {at} of the list that is before you."
        start = len(text)
        text += said + "\n"
        speaker = "Ann" if (at // 3) % 2 else "Ben"
        blocks.append(
            Block(at, BlockKind.CUE, start, start + len(said), TimeLocator(now, now + 2, speaker))
        )
        now += 2 + (45.0 if at % 80 == 79 else 0.5)
    return ParsedDocument("vtt", "text/vtt", text, tuple(blocks), DocumentMetadata(), "1")


def _search(query: str = QUESTION, **more: Any) -> Watched:
    return lambda desk, profile: desk.hits(profile, query, **more)


def _retrieved(question: str = QUESTION, earlier: tuple[Passage, ...] = ()) -> Watched:
    def watched(desk: _Desk, profile: Profile) -> object:
        return [p.place for p in desk.plan(profile, question, earlier=earlier).retrieved]

    return watched


def _answer(question: str = QUESTION) -> Watched:
    return lambda desk, profile: desk.answer(profile, question)


def _note(kind: str) -> Footnote:
    title = "ISO 1 - Risk" if kind == "standard" else "The title"
    return Footnote(
        3, kind, "", title, "" if kind == "standard" else "a.pdf", locator=PageLocator(4, ())
    )


def _line(kind: str) -> Watched:
    return lambda _, profile: CitationStyle(profile.citation).styled(_note(kind)).rendered


def _band(score: float) -> Watched:
    return lambda _, profile: profile.confidence.band(score)


def _nearest(_: _Desk, profile: Profile) -> object:
    """Watch what a graph of the profile finds."""
    return _found_by(profile.retrieval.graph)


@lru_cache
def _found_by(graph: VectorGraphSettings) -> tuple[int, ...]:
    # Among fewer vectors an index asks for all.
    count = 17_000
    vectors = np.random.default_rng(3).normal(size=(count, 16))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype(np.float32)
    index = VectorIndex(16, exact_limit=10, graph=graph)
    index.build(np.arange(count, dtype=np.int64), vectors)
    return tuple(each for v in vectors[:100] for each in index.query(v, 3)[0].tolist())


def _summaries(desk: _Desk, profile: Profile) -> object:
    session = desk.project.with_profile(profile.name, profile)
    return session.plan("Describe the alarm of the heater.").summaries


_EARLIER = tuple(
    Passage(1, "Context/Initiation/early.md", "", "T", "initiation", "c", at, at + 1, "x", (), 1.0)  # type: ignore[arg-type]
    for at in range(40)
)
_LOW_GRAPH = (
    ("retrieval.graph.m", 3), ("retrieval.graph.ef_construction", 6),
    ("retrieval.graph.ef_search", 10),
)  # fmt: skip
_NO_LIMITS = (
    ("retrieval.limit", 40), ("retrieval.threshold", -1.0), ("abstention", AbstentionSettings()),
)  # fmt: skip
_WIDE = (*_NO_LIMITS, ("chunking", STORE.load("disclosure").chunking))
_RERANKED = (
    *_WIDE, ("retrieval.limit", 8), ("retrieval.rerank.enabled", True),
    ("retrieval.rerank.candidates", 20), ("retrieval.rerank.keep", 6),
)  # fmt: skip
_SHARED_OUT = (
    *_WIDE, ("retrieval.rerank.enabled", False), ("retrieval.procedure_passages", 3),
    ("retrieval.context_passages", 3), ("retrieval.procedure_passages_unreferenced", 3),
    ("retrieval.context_passages_unreferenced", 3),
)  # fmt: skip


def _other_text(text: str) -> str:
    return f"{text} Otherwise."


CASES: dict[str, _Case] = {
    "name": _Case(lambda old: f"{old}-2", lambda d, p: d.plan(p, QUESTION).profile),
    "title": _Case(_other_text, lambda d, p: _entry(d, p).title),
    "description": _Case(_other_text, lambda d, p: _entry(d, p).description),
    "warnings": _Case(lambda old: (*old, "x"), lambda d, p: p.warnings),
    "retrieval.procedure_passages": _Case(
        lambda _: 1, _retrieved(f"{QUESTION} Use @sops and @ongoing."), _SHARED_OUT
    ),
    "retrieval.context_passages": _Case(
        lambda _: 1, _retrieved(f"{QUESTION} Use @sops and @ongoing."), _SHARED_OUT
    ),
    "retrieval.procedure_passages_unreferenced": _Case(lambda _: 1, _retrieved(), _SHARED_OUT),
    "retrieval.context_passages_unreferenced": _Case(lambda _: 1, _retrieved(), _SHARED_OUT),
    "retrieval.limit": _Case(lambda _: 1, _search(), _WIDE),
    "retrieval.keyword_candidates": _Case(lambda _: 1, _search(), _WIDE),
    "retrieval.vector_candidates": _Case(
        lambda _: 1, _search("sounding levels"), (*_WIDE, ("retrieval.keyword_candidates", 1))
    ),
    "retrieval.threshold": _Case(lambda _: 0.99, _search(), _NO_LIMITS),
    "retrieval.earlier_passages": _Case(lambda old: old + 2, _retrieved(earlier=_EARLIER)),
    "retrieval.clean_query": _Case(
        lambda old: not old, _search("alarm {}{}{} ;;;;;; heater"), _NO_LIMITS
    ),
    "retrieval.query_max_chars": _Case(lambda _: 20, _search("weight of the heater, its alarm")),
    "retrieval.fusion.method": _Case(lambda _: FusionMethod.RECIPROCAL_RANK, _search(), _WIDE),
    "retrieval.fusion.keyword_weight": _Case(lambda _: 0.1, _search(), _WIDE),
    "retrieval.fusion.rank_constant": _Case(
        lambda _: 200,
        _search(),
        (*_WIDE, ("retrieval.fusion.method", FusionMethod.RECIPROCAL_RANK)),
    ),
    "retrieval.rerank.enabled": _Case(lambda old: not old, _search(TWO_PARTS), _RERANKED),
    "retrieval.rerank.candidates": _Case(lambda _: 6, _search(TWO_PARTS), _RERANKED),
    "retrieval.rerank.keep": _Case(lambda _: 2, _search(TWO_PARTS), _RERANKED),
    "retrieval.rerank.weight": _Case(lambda _: 0.9, _search(TWO_PARTS), _RERANKED),
    "retrieval.graph.m": _Case(lambda _: 8, _nearest, _LOW_GRAPH),
    "retrieval.graph.ef_construction": _Case(lambda _: 40, _nearest, _LOW_GRAPH),
    "retrieval.graph.ef_search": _Case(lambda _: 300, _nearest, _LOW_GRAPH),
    "retrieval.section_weights": _Case(
        lambda _: (SectionWeight("alarm", 0.1),), _search(), _NO_LIMITS
    ),
    "abstention.min_score": _Case(lambda _: 0.99, _answer()),
    "abstention.min_chunks": _Case(lambda _: 50, _answer()),
    "abstention.min_overall": _Case(lambda _: 0.99, _answer()),
    "confidence.high": _Case(lambda old: old - 0.1, lambda d, p: _bands(p)),
    "confidence.medium": _Case(lambda old: old - 0.1, lambda d, p: _bands(p)),
    "confidence.low": _Case(lambda old: old - 0.1, lambda d, p: _bands(p)),
    "confidence.counted": _Case(
        lambda _: 1, lambda d, p: d.plan(p, QUESTION).retrieval_score, _WIDE
    ),
    "confidence.measure": _Case(
        lambda old: next(each for each in ConfidenceMeasure if each is not old),
        lambda d, p: d.result(p, QUESTION).confidence.score,
        _NO_LIMITS,
    ),
    "prompt.summary_words": _Case(
        lambda _: 3, _summaries, (("prompt.summary_budget_tokens", 300),)
    ),
    "prompt.summary_budget_tokens": _Case(
        lambda old: 0 if old else 200, _summaries, (("prompt.summary_words", 20),)
    ),
    "answer.fallback": _Case(_other_text, lambda d, p: _nothing_asked(p, d)),
    "answer.not_in_documents": _Case(_other_text, _answer(), (("abstention.min_overall", 0.99),)),
    "answer.ingest_hint": _Case(_other_text, _answer("Who sewed the saddle of the horse?")),
    "answer.heading": _Case(lambda _: "## Said", _answer()),
    "citation.inline": _Case(lambda _: "[see {number}]", _answer()),
    "citation.sources_heading": _Case(lambda _: "Where from", _answer()),
    "citation.procedure_line": _Case(lambda old: f"{old}!", _line("procedure")),
    "citation.context_line": _Case(lambda old: f"{old}!", _line("context")),
    "citation.standard_line": _Case(lambda old: f"{old}!", _line("standard")),
}
for _of, _ends in {
    "high": (0.03, 0.02, 0.01),
    "medium": (0.99, 0.02, 0.01),
    "low": (0.99, 0.98, 0.01),
    "very_low": (0.99, 0.98, 0.97),
}.items():
    CASES[f"confidence.actions.{_of}"] = _Case(
        lambda old: BandAction.ANSWER if old is BandAction.FALLBACK else BandAction.FALLBACK,
        _answer(),
        (
            *_NO_LIMITS,
            ("confidence.measure", ConfidenceMeasure.RETRIEVAL),
            *zip(("confidence.high", "confidence.medium", "confidence.low"), _ends, strict=True),
        ),
    )
for _group in ("procedures", "context", "transcripts"):
    _cut = _chunked(_group)
    CASES |= {
        f"chunking.{_group}.strategy": _Case(
            lambda old: (
                ChunkStrategy.SECTIONS
                if old is not ChunkStrategy.SECTIONS
                else ChunkStrategy.PARAGRAPHS
            ),
            _cut,
            ((f"chunking.{_group}.target", 400), (f"chunking.{_group}.maximum", 800)),
        ),
        f"chunking.{_group}.target": _Case(lambda old: old // 2, _cut),
        f"chunking.{_group}.minimum": _Case(lambda old: 10, _cut),
        f"chunking.{_group}.maximum": _Case(lambda old: old // 3, _cut),
        f"chunking.{_group}.overlap": _Case(lambda old: 0 if old else 200, _cut),
        f"chunking.{_group}.unit": _Case(
            lambda old: TextUnit.CHARS if old is TextUnit.TOKENS else TextUnit.TOKENS,
            _cut,
            ((f"chunking.{_group}.target", 300), (f"chunking.{_group}.maximum", 400),
             (f"chunking.{_group}.minimum", 200), (f"chunking.{_group}.overlap", 0)),
        ),
        f"chunking.{_group}.separators": _Case(lambda _: ("or",), _cut),
        f"chunking.{_group}.search_share": _Case(lambda _: 0.05, _cut),
        f"chunking.{_group}.pause_s": _Case(lambda _: 10_000.0, _cut),
    }  # fmt: skip


def _entry(desk: _Desk, profile: Profile) -> Any:
    """Return how a list shows the profile's file with the title and description of ``profile``."""
    folder = desk.project.own_profiles
    folder.mkdir(exist_ok=True)
    shipped = (resources_path() / "profiles" / "evidence.yaml").read_text("utf-8")
    rest = shipped[shipped.index("chunking:") :]
    head = f"name: shown\ntitle: {profile.title}\ndescription: {profile.description}\n\n"
    (folder / "shown.yaml").write_text(head + rest, "utf-8")
    return next(e for e in desk.project.session.profiles() if e.name == "shown")


def _bands(profile: Profile) -> list[str]:
    return [profile.confidence.band(score / 100) for score in range(101)]


def _nothing_asked(profile: Profile, desk: _Desk) -> str:
    answerer = desk.project.engine(profile).drafting.get().answerer
    plan = replace(desk.plan(profile, QUESTION), points=(), needs=())
    return run_to_end(answerer.answer(plan, None, lambda: False)).text


def _keys_of(value: object, path: str = "") -> Iterator[str]:
    """Yield every key of a profile, whatever it is made of."""
    assert is_dataclass(value)
    for each in fields(value):
        name = f"{path}.{each.name}".lstrip(".")
        below = getattr(value, each.name)
        if is_dataclass(below):
            yield from _keys_of(below, name)
        else:
            yield name


def _value(profile: Profile, key: str) -> Any:
    found: Any = profile
    for name in key.split("."):
        found = getattr(found, name)
    return found


def _with(value: Any, key: str, new: Any) -> Any:
    name, _, rest = key.partition(".")
    return replace(value, **{name: _with(getattr(value, name), rest, new) if rest else new})


def _has_rule(profile: Profile, key: str) -> bool:
    """Whether the way in which the profile cuts goes by this rule."""
    if not key.startswith("chunking.") or key.endswith((".strategy", ".unit")):
        return True
    _, group, rule = key.split(".")
    return rule in rules_of(_value(profile, f"chunking.{group}.strategy"))


KEYS = tuple(_keys_of(STORE.load("regulatory")))


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[_Desk]:
    """A heater: procedures, reports and notes that say much of its alarm."""
    folder = tmp_path_factory.mktemp("keys")
    project = SmallProject(folder)
    facts = [
        f"The alarm of the heater sounds at {60 + at} dB in room {at}, at level {at} of its list."
        for at in range(160)
    ]
    long = "\n\n".join(facts[:80])
    project.write("Procedures/SOPs/alarm.md", f"# Alarm rules\n\n## The alarm\n\n{long}\n")
    other = "\n\n".join(facts[80:])
    project.write("Context/Ongoing/report.md", f"# Report\n\n## Alarm\n\n{other}\n")
    project.write(
        "Context/Initiation/heater.md",
        "# Heater\n\n## Weight\n\nThe heater weighs 3.2 kg with its stand, 2.9 kg without.\n\n"
        "## Sound\n\nHow loud the alarm of the heater is: 71 dB at one metre.\n\n"
        + "\n\n".join(f"Sounding levels of part {at} are set by the maker." for at in range(9))
        + "\n",
    )
    project.write("Context/Initiation/early.md", "# Early\n\nNothing of interest is here.\n")
    project.sync()
    yield _Desk(ProfiledProject(project, folder))
    project.close()


def test_the_list_of_cases_is_complete() -> None:
    assert set(CASES) | WORDED_BY_A_MODEL == set(KEYS)
    assert not set(CASES) & WORDED_BY_A_MODEL
    for name in PROFILES:
        assert tuple(_keys_of(STORE.load(name))) == KEYS


@pytest.mark.parametrize("name", PROFILES)
@pytest.mark.parametrize("key", sorted(CASES))
def test_a_key_acts(desk: _Desk, name: str, key: str) -> None:
    case, profile = CASES[key], STORE.load(name)
    if not _has_rule(profile, key):
        # The file must not have it either: its reader refuses it.
        assert not _value(profile, key)
        return
    for other, value in case.first:
        if other != key and _has_rule(profile, other):
            profile = _with(profile, other, value)
    changed = _with(profile, key, case.value(_value(profile, key)))
    assert changed != profile
    assert case.watched(desk, changed) != case.watched(desk, profile)


def test_a_rule_of_another_way_of_cutting_is_refused(tmp_path: Path) -> None:
    from phasergun_desktop.errors import ProfileError

    text = (resources_path() / "profiles" / "literature.yaml").read_text("utf-8")
    store = ProfileStore(resources_path(), tmp_path)
    wrong = text.replace("minimum: 800, maximum", "minimum: 800, target: 900, maximum", 1)
    assert wrong != text
    (tmp_path / "literature.yaml").write_text(wrong, "utf-8")
    with pytest.raises(ProfileError, match=r"line \d+, column \d+.*target"):
        store.load("literature")
