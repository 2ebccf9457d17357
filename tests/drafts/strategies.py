"""Any draft that the types allow, for property tests."""

from __future__ import annotations

from hypothesis import strategies as st

from phasergun_desktop.documents.model import (
    LineLocator,
    Locator,
    PageLocator,
    ParagraphLocator,
    Rect,
    RowLocator,
    SlideLocator,
    TimeLocator,
)
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    SourcePlace,
    Support,
    UnitKind,
)
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.model import Discrepancy, DiscrepancyKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.writing.model import Criterion, PromptCall, TraceStep

# Every code point, the ones that XML and UTF-8 refuse included.
text = st.text(st.characters(exclude_categories=()), max_size=12)
texts = st.lists(text, max_size=3).map(tuple)
count = st.integers(1, 9999)
maybe = st.none() | count
score = st.floats(0, 1)
# Places on a page are kept to a hundredth of a point.
points = st.floats(0, 2000).map(lambda value: round(value, 2))
numbers = st.lists(st.integers(1, 6), max_size=3, unique=True).map(tuple)

locators: st.SearchStrategy[Locator] = st.one_of(
    st.builds(
        PageLocator,
        count,
        st.lists(st.builds(Rect, points, points, points, points), max_size=2).map(tuple),
    ),
    st.builds(ParagraphLocator, texts, maybe, maybe, maybe, maybe),
    st.builds(SlideLocator, count, maybe),
    st.builds(LineLocator, count),
    st.builds(RowLocator, count),
    st.builds(TimeLocator, points, points, st.none() | text),
)
footnotes = st.builds(
    Footnote,
    number=st.integers(1, 6),
    kind=st.sampled_from(["procedure", "context", "standard"]),
    rendered=text,
    title=text,
    file=text,
    sha256=text,
    layer=st.none() | st.sampled_from(Layer),
    chunk_id=st.none() | text.map(ChunkId),
    block_id=text,
    score=score,
    heading_path=texts,
    locator=st.none() | locators,
    quote=text,
    start=count,
    end=count,
    revision=text,
    document_number=text,
)
units = st.builds(
    DraftSentence,
    text=text,
    kind=st.sampled_from(UnitKind),
    citations=numbers,
    support=st.sampled_from(Support),
    score=score,
    problems=st.lists(
        st.builds(SentenceProblem, st.sampled_from(ProblemCode), text, text), max_size=2
    ).map(tuple),
    starts_paragraph=st.booleans(),
    level=st.integers(0, 9),
    cells=texts,
    citations_per_cell=st.lists(numbers, max_size=3).map(tuple),
    is_header=st.booleans(),
    point=st.integers(-1, 9),
    accepted=st.sampled_from(["", "2026-01-02T03:04:05+00:00"]),
    needs_check=st.booleans(),
    is_own=st.booleans(),
)
places = st.builds(
    SourcePlace,
    file=text,
    title=text,
    quote=text,
    start=count,
    end=count,
    sha256=text,
    layer=st.none() | st.sampled_from(Layer),
    heading_path=texts,
    locator=st.none() | locators,
    block_id=text,
    value=text,
)
discrepancies = st.builds(
    Discrepancy, st.sampled_from(DiscrepancyKind), text, st.lists(places, max_size=2).map(tuple)
)
steps = st.builds(TraceStep, text, text, score, count, count, count, text)
edits = st.builds(Edit, text, st.sampled_from(EditKind), text, text, text)
drafts = st.builds(
    Draft,
    draft_id=st.uuids().map(str),
    title=text,
    prompt_file=text,
    prompt=text,
    status=st.sampled_from(["complete", "abstained", "cancelled"]),
    units=st.lists(units, max_size=6).map(tuple),
    footnotes=st.lists(footnotes, max_size=4, unique_by=lambda each: each.number).map(tuple),
    created=st.just("2026-01-02T03:04:05+00:00"),
    modified=st.just("2026-01-02T03:04:05+00:00"),
    model=text,
    profile=text,
    confidence_level=text,
    confidence_score=score,
    confidence_rationale=text,
    plan_json=text,
    edited_html=text,
    confidence_criteria=st.lists(st.builds(Criterion, text, score, text), max_size=2).map(tuple),
    discrepancies=st.lists(discrepancies, max_size=2).map(tuple),
    warnings=texts,
    template=text,
    model_digest=text,
    prompt_sha256=texts,
    calls=st.lists(st.builds(PromptCall, text, text, text, text), max_size=2).map(tuple),
    trace=st.lists(steps, max_size=2).map(tuple),
    edits=st.lists(edits, max_size=2).map(tuple),
)
