"""A profile without a file."""

from __future__ import annotations

from phasergun_desktop.profiles.model import (
    AbstentionSettings,
    AnswerSettings,
    ChunkingSettings,
    ChunkRules,
    ChunkStrategy,
    CitationSettings,
    ConfidenceSettings,
    ContextTemplate,
    FusionSettings,
    Profile,
    PromptSettings,
    RetrievalSettings,
    SectionWeight,
)


def small_profile(
    *,
    keyword_weight: float = 0.6,
    threshold: float = -1.0,
    section_weights: tuple[SectionWeight, ...] = (),
) -> Profile:
    """Make a profile that cuts as ``regulatory`` does."""
    sections = ChunkRules(ChunkStrategy.SECTIONS, target=3000, minimum=2000, maximum=4000)
    paragraphs = ChunkRules(
        ChunkStrategy.PARAGRAPHS, target=3000, minimum=1, maximum=4000, overlap=400
    )
    return Profile(
        name="small",
        title="Small",
        description="",
        chunking=ChunkingSettings(sections, paragraphs, paragraphs),
        retrieval=RetrievalSettings(
            procedure_passages=5,
            context_passages=3,
            procedure_passages_unreferenced=2,
            context_passages_unreferenced=2,
            limit=10,
            threshold=threshold,
            fusion=FusionSettings(keyword_weight=keyword_weight),
            section_weights=section_weights,
        ),
        abstention=AbstentionSettings(),
        confidence=ConfidenceSettings(),
        prompt=PromptSettings(instructions="", context=ContextTemplate("", "{text}")),
        answer=AnswerSettings(fallback="", not_in_documents="", ingest_hint=""),
        citation=CitationSettings("[{number}]", "", "", ""),
    )
