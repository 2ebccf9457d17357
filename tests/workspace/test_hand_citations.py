"""Passages of real files, a recognised picture among them, are cited by hand and reach Word."""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from pathlib import Path

import docx
import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont

from phasergun_desktop.drafts.model import Draft
from phasergun_desktop.grounding.model import DraftSentence, Footnote, Support
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import make_warmer_project
from tests.workspace.conftest import places_in

PARTS = "Context/Initiation/Parts.docx"
SESSION = "Context/Ongoing/Usability.vtt"
SCAN = "Context/Ongoing/TR-300-scan.png"
PAGES = "Context/Ongoing/TR-400.pdf"


def _write_sources(root: Path) -> None:
    parts = docx.Document()
    parts.add_heading("Parts", 1)
    table = parts.add_table(rows=2, cols=2)
    for cell, text in zip(
        (one for row in table.rows for one in row.cells),
        ("Part", "Material", "Cassette", "Polycarbonate"),
        strict=True,
    ):
        cell.text = text
    parts.save(str(root / PARTS))
    (root / SESSION).write_text(
        "WEBVTT\n\n00:01:05.000 --> 00:01:09.000\n<v Nurse>I hear the alarm from the corridor.\n",
        "utf-8",
    )
    picture = Image.new("RGB", (1400, 500), "white")
    font = ImageFont.load_default(size=40)
    ImageDraw.Draw(picture).text(
        (80, 120), "The warmer was dropped from one metre\nand worked afterwards.", "black", font
    )
    picture.save(root / SCAN, dpi=(200, 200))
    pdf = FPDF()
    for text in ("First page.", "The battery lasts eleven hours."):
        pdf.add_page()
        pdf.set_font("Helvetica", size=12)
        pdf.cell(text=text)
    pdf.output(str(root / PAGES))


@pytest.fixture(scope="module")
def session(
    tmp_path_factory: pytest.TempPathFactory, models_path: Path
) -> Iterator[ProjectSession]:
    """The project of the warmer with these files, indexed once."""
    folder = tmp_path_factory.mktemp("cited")
    made = build_application(places_in(folder / "home", models_path))
    root = make_warmer_project(folder / "project")
    _write_sources(root)
    opened = made.workspace.open(root)
    run_to_end(opened.sync())
    yield opened
    opened.close()
    made.close()


def _draft(statement: str, note: Footnote) -> Draft:
    return Draft(
        draft_id="hand",
        title="By hand",
        prompt_file="",
        prompt="",
        status="complete",
        units=(DraftSentence(statement, citations=(1,), needs_check=True, is_own=True),),
        footnotes=(note,),
        created="2026-01-02T03:04:05+00:00",
        modified="2026-01-02T03:04:05+00:00",
    )


@pytest.mark.parametrize(
    ("file", "words", "place", "statement"),
    [
        (PARTS, "Polycarbonate", "table 1, row 2", "The cassette is made of polycarbonate."),
        (SESSION, "hear the alarm", "t=1:05", "The alarm is heard from the corridor."),
        (SCAN, "dropped from one metre", "page 1", "The warmer was dropped from one metre."),
        (PAGES, "battery lasts eleven hours", "page 2", "The battery lasts eleven hours."),
    ],
    ids=["table", "cue", "scan", "page"],
)
def test_a_passage_of_a_real_file_is_cited_checked_and_exported(
    session: ProjectSession, tmp_path: Path, file: str, words: str, place: str, statement: str
) -> None:
    document = session.source(file).document
    start = document.text.index(words)
    block = next(one for one in document.blocks if one.start <= start < one.end)
    note = session.citation(file, start, start + len(words), "")
    whole = session.citation(file, block.start, block.end, statement)
    assert note is not None
    assert whole is not None
    assert (note.quote, document.text[note.start : note.end]) == (words, words)
    assert place in note.rendered
    (checked,) = session.check(_draft(statement, whole), [0])
    assert (checked.support, checked.problems) == (Support.SUPPORTED, ())
    path = tmp_path / "hand.docx"
    session.export(_draft(statement, note), path)
    with zipfile.ZipFile(path) as archive:
        notes = archive.read("word/footnotes.xml").decode()
    assert place in notes
    assert f"“{words}”" in notes
