"""How soon the window answers a writer: typing, opening, scrolling, and beside work of its own."""

from __future__ import annotations

import shutil
import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import cycle
from pathlib import Path

from phasergun_desktop.drafts.hand_citations import footnote_at
from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, Footnote, UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.glucose import GlucoseProject, opened, run_child, test_data

WORDS_A_PAGE, PAGES, FOOTNOTES, PDF_PAGES = 400, 60, 300, 200
LONG_PDF = "nasty/pdf/huge-pages__DA-619p.pdf"
NEW_FILES = "regulatory/fda_pdf"
PDF = "Context/General/long.pdf"
_GAPS = {
    "opening": "a draft of 60 pages is opened",
    "typing": "words are typed into it and checked",
    "pdf": "a PDF file of 200 pages is opened",
    "scrolling": "it is scrolled",
    "exporting": "the draft is exported to Word",
    "indexing": "new PDF files of FDA are read",
    "generating": "a draft is generated",
    "joining": "a draft is joined by the language model",
}


def desk_speed(project: GlucoseProject, runs: int = 3) -> Iterator[Figure]:
    """Work at a desk with a long draft and a long source; every run in a process of its own."""
    every: list[dict[str, list[float]]] = []
    with project.indexed_home() as home:
        root = home / "project"
        shutil.copytree(project.root, root)
        make_long_pdf(root / PDF, PDF_PAGES)
        with opened(root, home) as (_, session):
            run_to_end(session.sync())
            draft = long_draft(session)
            session.drafts.save(draft)
        for number in range(runs):
            new = home / f"new-{number}"
            new.mkdir()
            for file in sorted((test_data() / NEW_FILES).glob("*.pdf"))[number * 3 :][:3]:
                shutil.copyfile(file, new / f"{number}-{file.name}")
            child = ("tests.benchmarks.desk_child", root, home)
            every.append(run_child(*child, draft.draft_id, PDF, str(new)))
            shutil.rmtree(root / "Context" / "General" / "new")

    def values(name: str) -> list[float]:
        return [one for each in every for one in each.get(name, [])]

    note = f"{PAGES} pages, {len(draft.units)} units, {len(draft.footnotes)} footnotes"
    yield figure("desk_key", "ms", values("key"), note=f"from the stroke until it is drawn; {note}")
    p95 = [_p95(each["key"]) for each in every]
    yield figure("desk_key_p95", "ms", p95, target=16.0, note="of each run, checking beside it")
    yield figure(
        "desk_opening", "ms", values("opening"), target=1000.0, note=f"until drawn; {note}"
    )
    yield figure("desk_first_page", "ms", values("first_page"), target=300.0, note="200 pages")
    blank = [max(each["blank"]) for each in every]
    yield figure("desk_blank", "ms", blank, note="longest time without an image while scrolling")
    for phase, what in _GAPS.items():
        gaps = [max(each[f"gap_{phase}"]) for each in every if each.get(f"gap_{phase}")]
        if gaps:
            told = f"longest that the event loop was held up while {what}"
            yield figure(f"desk_gap_{phase}", "ms", gaps, target=100.0, note=told)
    memory = [each["rss"][0] / 1e6 for each in every]
    told = "resident set after all this, the language model in it (without one: memory)"
    yield figure("desk_memory", "MB", memory, note=told)


def make_long_pdf(path: Path, pages: int) -> None:
    """Write the first ``pages`` of a real PDF file of many pages."""
    import pypdfium2

    source = pypdfium2.PdfDocument(test_data() / LONG_PDF)
    made = pypdfium2.PdfDocument.new()
    made.import_pages(source, list(range(pages)))
    made.save(path)
    made.close()
    source.close()


def long_draft(session: ProjectSession) -> Draft:
    """Return a draft of the sentences of the project's own documents, every fourth cited."""
    notes: list[Footnote] = []
    units: list[DraftSentence] = []
    words = 0
    records = [one for one in session.documents() if one.file != PDF]
    sentences = cycle(_sentences(session, [one.file for one in records]))
    wanted = PAGES * WORDS_A_PAGE
    while words < wanted:
        text, note = next(sentences)
        at = len(units)
        if at % 40 == 0:
            units.append(DraftSentence(f"Section {at // 40 + 1}", UnitKind.HEADING, level=2))
        cites: tuple[int, ...] = ()
        if len(notes) < FOOTNOTES and words >= len(notes) * wanted / FOOTNOTES:
            notes.append(replace(note, number=len(notes) + 1))
            cites = (len(notes),)
        units.append(DraftSentence(text, citations=cites, starts_paragraph=at % 5 == 0, score=0.9))
        words += len(text.split())
    made = time.strftime("%Y-%m-%dT%H:%M:%S+00:00", time.gmtime())
    return Draft("long", "A long draft", "", "", "complete", tuple(units), tuple(notes), made, made)


def _sentences(session: ProjectSession, files: list[str]) -> list[tuple[str, Footnote]]:
    found: list[tuple[str, Footnote]] = []
    for file in files:
        source = session.source(file)
        for block in source.document.blocks:
            text = " ".join(source.document.block_text(block).split())
            note = footnote_at(source.record, source.document, block.start, block.end)
            if note is not None and 8 <= len(text.split()) <= 40:
                found.append((text, note))
    return found


def _p95(values: list[float]) -> float:
    return sorted(values)[round(0.95 * len(values)) - 1]
