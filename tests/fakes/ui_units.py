"""The units of a fake draft with every kind of mark, and their footnotes."""

from __future__ import annotations

from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    ProblemCode,
    SentenceProblem,
    Support,
    UnitKind,
)
from phasergun_desktop.index.records import ChunkId
from phasergun_desktop.planning.model import PlannedNeed, PlannedUnit
from phasergun_desktop.planning.needs import Need
from phasergun_desktop.retrieval.model import Passage, SearchScope
from phasergun_desktop.workspace.session import SourceDocument
from tests.fakes.ui_documents import DEVICE, PREDICATE, SOP


def footnote(number: int, source: SourceDocument, quote: str) -> Footnote:
    """Return a footnote on the first place of ``quote``."""
    document = source.document
    start = document.text.index(quote)
    block = next(one for one in document.blocks if one.start <= start < one.end)
    record = source.record
    kind = "procedure" if record.layer.is_procedure else "context"
    return Footnote(
        number=number,
        kind=kind,
        rendered=f"[{number}] {kind.title()}: {record.file}",
        title=record.title,
        file=record.file,
        sha256=record.sha256,
        layer=record.layer,
        chunk_id=ChunkId(f"c{number}"),
        block_id=block.block_id,
        score=0.9,
        heading_path=block.heading_path,
        locator=block.locator,
        quote=quote,
        start=start,
        end=start + len(quote),
    )


def passage(source: SourceDocument, quote: str) -> Passage:
    """Return a passage on the first place of ``quote``."""
    note = footnote(1, source, quote)
    record = source.record
    return Passage(
        record.document_id,
        record.file,
        record.sha256,
        record.title,
        record.layer,
        ChunkId("c"),
        note.start,
        note.end,
        quote,
        note.heading_path,
        0.8,
    )


def draft_units(
    sources: dict[str, SourceDocument],
) -> tuple[tuple[DraftSentence, tuple[Footnote, ...]], ...]:
    """The bound units that a draft consists of, with the footnotes each brings."""
    device, sop, predicate = (sources[one] for one in (DEVICE, SOP, PREDICATE))
    first = footnote(1, device, "meter measures glucose in capillary whole blood amperometrically.")
    second = footnote(2, predicate, predicate.document.block_text(
        predicate.document.blocks[10]))  # fmt: skip
    third = footnote(3, device, "Component: Meter; Part number: GS-100")
    fourth = footnote(4, sop, "form F-003-1")
    head = DraftSentence
    return (
        (head("Device Description", UnitKind.HEADING, level=2), ()),
        (head("The α-Sense meter measures glucose amperometrically.", citations=(1,),
              score=0.93, starts_paragraph=True), (first,)),
        (head("The predicate device uses test strips and covers a like range.",
              citations=(2, 1), support=Support.PARTLY, score=0.5), (second,)),
        (head("It is intended for a hospital setting.", support=Support.UNSUPPORTED,
              problems=(SentenceProblem(ProblemCode.NO_SOURCE, "",
                        "No source of the plan states this."),)), ()),
        (head("A measurement takes 7 s.", citations=(1,), problems=(
            SentenceProblem(ProblemCode.VALUE_MISSING, "7 s",
                            "The value 7 s does not occur in the cited passage."),)), ()),
        (head("Components", UnitKind.HEADING, level=3), ()),
        (head("Component | Part number", UnitKind.TABLE_ROW,
              cells=("Component", "Part number"), citations_per_cell=((), ()),
              is_header=True), ()),
        (head("Meter | GS-100", UnitKind.TABLE_ROW, citations=(3,), score=1.0,
              cells=("Meter", "GS-100"), citations_per_cell=((), (3,))), (third,)),
        (head("Risk management is planned in form F-003-1.", citations=(4,), score=0.8,
              starts_paragraph=True), (fourth,)),
    )  # fmt: skip


def planned_unit(
    source: SourceDocument, quote: str, *, score: float = 0.9, is_ticked: bool = True
) -> PlannedUnit:
    """Return a unit of a plan on the first place of ``quote``."""
    return PlannedUnit(passage(source, quote), is_ticked, score, score / 2)


def planned_needs(sources: dict[str, SourceDocument]) -> tuple[PlannedNeed, ...]:
    """Return two needs with passages that are ticked and others that were only considered."""
    device, predicate = sources[DEVICE], sources[PREDICATE]
    asked = ("principle of operation", "components")
    units = (
        (
            planned_unit(device, "The strip carries glucose dehydrogenase"),
            planned_unit(device, "A measurement takes 5 s", score=0.6),
            planned_unit(predicate, "Page 2, paragraph 3", score=0.5),
            planned_unit(predicate, "Page 1, paragraph 2", score=0.3, is_ticked=False),
            planned_unit(predicate, "Page 1, paragraph 3", score=0.2, is_ticked=False),
        ),
        (planned_unit(device, "Component: Meter; Part number: GS-100"),),
    )
    return tuple(
        PlannedNeed(Need(f"n{at}", query, 0, 0, query, SearchScope(), query.capitalize()), of_need)
        for at, (query, of_need) in enumerate(zip(asked, units, strict=True), start=1)
    )
