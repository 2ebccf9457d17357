"""Reads and checks the file of a profile."""

from __future__ import annotations

from phasergun_desktop.profiles.model import (
    AbstentionSettings,
    AnswerSettings,
    BandAction,
    BandActions,
    ChunkingSettings,
    ChunkRules,
    ChunkStrategy,
    CitationSettings,
    ConfidenceMeasure,
    ConfidenceSettings,
    ContextTemplate,
    FusionMethod,
    FusionSettings,
    ModelMarks,
    Profile,
    PromptSettings,
    RerankSettings,
    RetrievalSettings,
    SectionWeight,
    TextUnit,
    VectorGraphSettings,
)
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.settings_reader import Range, SettingsReader
from phasergun_desktop.profiles.templates import (
    ANSWER_PLACES,
    CITATION_PLACES,
    PASSAGE_PLACES,
    unknown_places,
)

# Reading is what costs time on a laptop: 1,200 tokens are 14 s on two cores.
MOST_READING_TOKENS = 1200
_SHARE = (0.0, 1.0)
# What each way of cutting goes by; another key would do nothing.
_RULES_OF = {
    ChunkStrategy.SECTIONS: ("minimum", "maximum", "overlap"),
    ChunkStrategy.PARAGRAPHS: ("target", "maximum", "overlap"),
    ChunkStrategy.SEPARATORS: ("target", "overlap", "separators", "search_share"),
    ChunkStrategy.TRANSCRIPTS: ("target", "maximum", "pause_s"),
}
_COSINE = (-1.0, 1.0)


def read_profile(file_name: str, text: str) -> Profile:
    """Read the text of the profile file ``file_name``.

    A value outside its usual range is used and named in ``Profile.warnings``. Raises
    ``ProfileError`` with line and column for what is unreadable, missing, unknown or nonsense.
    """
    file = SettingsReader.parse(file_name, text)
    profile = Profile(
        name=file.text("name"),
        title=file.text("title"),
        description=file.text("description", "").strip(),
        chunking=_chunking(file.section("chunking")),
        retrieval=_retrieval(file.section("retrieval")),
        abstention=_abstention(file.section("abstention")),
        confidence=_confidence(file.section("confidence")),
        prompt=_prompt(file.section("prompt")),
        answer=_answer(file.section("answer")),
        citation=_citation(file.section("citation")),
        warnings=tuple(file.warnings),
    )
    file.finish()
    if f"{profile.name}.yaml" != file_name:
        mark = file.mark("name")
        raise file.wrong(mark, f"“name” is “{profile.name}”, but the file is called {file_name}")
    return profile


def rules_of(strategy: ChunkStrategy) -> tuple[str, ...]:
    """Return the rules that ``strategy`` cuts by; others are refused."""
    return _RULES_OF[strategy]


def _chunking(file: SettingsReader) -> ChunkingSettings:
    settings = ChunkingSettings(
        procedures=_chunk_rules(file.section("procedures")),
        context=_chunk_rules(file.section("context")),
        transcripts=_chunk_rules(file.section("transcripts")),
    )
    file.finish()
    return settings


def _chunk_rules(file: SettingsReader) -> ChunkRules:
    unit = file.choice("unit", TextUnit, TextUnit.CHARS)
    # A token is about four characters.
    scale = 1 if unit is TextUnit.CHARS else 4
    usual, possible = (200 / scale, 6000 / scale), (50 / scale, 40_000 / scale)
    strategy = file.choice("strategy", ChunkStrategy)
    known = rules_of(strategy)

    def size(key: str, usual: Range, possible: Range, default: int | None = None) -> int:
        return file.integer(key, usual, possible, default) if key in known else 0

    rules = ChunkRules(
        strategy=strategy,
        target=size("target", usual, possible),
        minimum=size("minimum", (0, usual[1]), (0, possible[1]), 0),
        maximum=size("maximum", usual, possible),
        overlap=size("overlap", (0, 600 / scale), (0, possible[1]), 0),
        unit=unit,
        separators=file.texts("separators") if "separators" in known else (),
        search_share=(
            file.number("search_share", (0.1, 0.5), (0.0, 0.9), 0.3)
            if "search_share" in known
            else 0.0
        ),
        pause_s=file.number("pause_s", (2, 300), (0, 3600), 30.0) if "pause_s" in known else 0.0,
    )
    file.finish()
    if "maximum" in known and max(rules.minimum, rules.target) > rules.maximum:
        raise file.wrong(file.mark("maximum"), "“maximum” must be the largest of the sizes")
    if rules.overlap * 2 > (rules.target or rules.maximum):
        raise file.wrong(file.mark("overlap"), "“overlap” must be at most half of the size")
    if rules.strategy is ChunkStrategy.SEPARATORS and not rules.separators:
        raise file.wrong(file.mark("strategy"), "this strategy needs “separators”")
    return rules


def _retrieval(file: SettingsReader) -> RetrievalSettings:
    weights = file.section("section_weights")
    settings = RetrievalSettings(
        procedure_passages=file.integer("procedure_passages", (1, 20), (0, 50)),
        context_passages=file.integer("context_passages", (1, 20), (0, 50)),
        procedure_passages_unreferenced=file.integer(
            "procedure_passages_unreferenced", (0, 20), (0, 50)
        ),
        context_passages_unreferenced=file.integer(
            "context_passages_unreferenced", (0, 20), (0, 50)
        ),
        limit=file.integer("limit", (3, 20), (1, 200)),
        keyword_candidates=file.integer("keyword_candidates", (10, 200), (1, 2000), 50),
        vector_candidates=file.integer("vector_candidates", (10, 200), (1, 2000), 50),
        threshold=file.number("threshold", (-1.0, 0.9), _COSINE, -1.0),
        earlier_passages=file.integer("earlier_passages", (0, 15), (0, 100), 0),
        clean_query=file.flag("clean_query", False),
        query_max_chars=file.integer("query_max_chars", (200, 4000), (20, 100_000), 2000),
        fusion=_fusion(file.section("fusion")),
        rerank=_rerank(file.section("rerank")),
        graph=_graph(file.section("graph")),
        section_weights=tuple(
            SectionWeight(key, weights.number(key, (0.2, 3.0), (0.0, 10.0)))
            for key in weights.free_keys()
        ),
    )
    file.finish()
    return settings


def _fusion(file: SettingsReader) -> FusionSettings:
    settings = FusionSettings(
        method=file.choice("method", FusionMethod, FusionMethod.CONVEX),
        keyword_weight=file.number("keyword_weight", (0.2, 0.9), _SHARE, 0.6),
        rank_constant=file.integer("rank_constant", (5, 100), (1, 1000), 10),
    )
    file.finish()
    return settings


def _rerank(file: SettingsReader) -> RerankSettings:
    settings = RerankSettings(
        enabled=file.flag("enabled", False),
        candidates=file.integer("candidates", (10, 40), (2, 200), 20),
        keep=file.integer("keep", (3, 20), (1, 200), 8),
        weight=file.number("weight", (0.1, 0.9), _SHARE, 0.5),
    )
    file.finish()
    if settings.keep > settings.candidates:
        raise file.wrong(file.mark("keep"), "“keep” must not be more than “candidates”")
    return settings


def _graph(file: SettingsReader) -> VectorGraphSettings:
    settings = VectorGraphSettings(
        m=file.integer("m", (8, 64), (2, 200), 16),
        ef_construction=file.integer("ef_construction", (40, 800), (2, 10_000), 200),
        ef_search=file.integer("ef_search", (20, 800), (1, 10_000), 200),
    )
    file.finish()
    return settings


def _abstention(file: SettingsReader) -> AbstentionSettings:
    settings = AbstentionSettings(
        min_score=file.number("min_score", (0.0, 0.7), _COSINE, 0.0),
        min_chunks=file.integer("min_chunks", (1, 5), (0, 50), 1),
        min_overall=file.number("min_overall", (0.0, 0.7), _COSINE, 0.0),
    )
    file.finish()
    return settings


def _confidence(file: SettingsReader) -> ConfidenceSettings:
    settings = ConfidenceSettings(
        high=file.number("high", (0.5, 0.95), _SHARE, 0.8),
        medium=file.number("medium", (0.3, 0.9), _SHARE, 0.6),
        low=file.number("low", (0.1, 0.8), _SHARE, 0.4),
        counted=file.integer("counted", (1, 20), (1, 200), 5),
        measure=file.choice("measure", ConfidenceMeasure, ConfidenceMeasure.ANSWER),
        actions=_actions(file.section("actions")),
    )
    file.finish()
    if not settings.low < settings.medium < settings.high:
        raise file.wrong(file.mark("low"), "the bands must rise: low, medium, high")
    if settings.measure is ConfidenceMeasure.ANSWER and BandAction.FALLBACK in (
        settings.actions.high,
        settings.actions.medium,
        settings.actions.low,
        settings.actions.very_low,
    ):
        raise file.wrong(
            file.mark("actions"),
            "“fallback” needs “measure: retrieval”: the other is known when the answer is written",
        )
    return settings


def _actions(file: SettingsReader) -> BandActions:
    actions = BandActions(
        high=file.choice("high", BandAction, BandAction.ANSWER),
        medium=file.choice("medium", BandAction, BandAction.ANSWER),
        low=file.choice("low", BandAction, BandAction.ANSWER),
        very_low=file.choice("very_low", BandAction, BandAction.ANSWER),
    )
    file.finish()
    return actions


def _prompt(file: SettingsReader) -> PromptSettings:
    context = file.section("context")
    settings = PromptSettings(
        instructions=file.text("instructions").strip(),
        context=ContextTemplate(
            heading=context.text("heading", ""),
            passage=_template(context, "passage", PASSAGE_PLACES),
            separator=context.text("separator", "\n\n"),
            closing=_template(context, "closing", PASSAGE_PLACES, ""),
        ),
        use_primary_context=file.flag("use_primary_context", False),
        reading_budget_tokens=file.integer(
            "reading_budget_tokens", (300, MOST_READING_TOKENS), (100, 100_000), 1000
        ),
        remote_budget_tokens=file.integer(
            "remote_budget_tokens", (1000, 60_000), (100, 2_000_000), 12_000
        ),
        compress_above_tokens=file.integer(
            "compress_above_tokens", (1000, 50_000), (100, 2_000_000), 6000
        ),
        summary_words=file.integer("summary_words", (50, 500), (0, 5000), 250),
        summary_budget_tokens=file.integer("summary_budget_tokens", (0, 400), (0, 20_000), 0),
    )
    context.finish()
    file.finish()
    if "{text}" not in settings.context.passage:
        raise context.wrong(context.mark("passage"), "“passage” must have the place {text}")
    return settings


def _answer(file: SettingsReader) -> AnswerSettings:
    settings = AnswerSettings(
        fallback=_template(file, "fallback", ANSWER_PLACES),
        not_in_documents=_template(file, "not_in_documents", ANSWER_PLACES),
        ingest_hint=_template(file, "ingest_hint", ANSWER_PLACES),
        temperature=file.number("temperature", (0.0, 0.4), (0.0, 2.0), 0.0),
        maximum_tokens=file.integer("maximum_tokens", (100, 2000), (10, 100_000), 700),
        heading=file.text("heading", ""),
    )
    file.finish()
    return settings


def _citation(file: SettingsReader) -> CitationSettings:
    settings = CitationSettings(
        inline=_template(file, "inline", CITATION_PLACES),
        sources_heading=file.text("sources_heading", "Sources"),
        procedure_line=_template(file, "procedure_line", CITATION_PLACES),
        context_line=_template(file, "context_line", CITATION_PLACES),
        standard_line=_template(file, "standard_line", CITATION_PLACES),
        model_marks=file.choice("model_marks", ModelMarks, ModelMarks.NONE),
    )
    file.finish()
    return settings


def _template(
    file: SettingsReader, key: str, places: tuple[str, ...], default: str | None = None
) -> str:
    text = file.text(key, default)
    for name in unknown_places(text, places):
        near = did_you_mean(name, places) or f"Known are: {', '.join(places)}."
        raise file.wrong(file.mark(key), f"the place {{{name}}} of “{key}” is not known", near)
    return text.rstrip("\n")
