"""The sample project is complete, consistent, and what its generator writes."""

from __future__ import annotations

import csv
import io
import json
import math
import re
import subprocess
import sys
import zipfile
from collections import Counter
from pathlib import Path
from typing import Any

import docx
import pdfplumber
import pytest
import yaml
from PIL import Image

from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.tools import find_tesseract

ROOT = Path(__file__).parents[2]
PROJECT = ROOT / "resources" / "sample_project"
GENERATOR = ROOT / "packaging" / "build_sample_project.py"
FACTS = ROOT / "tests" / "data" / "sample_project_facts.jsonl"
QUESTIONS = ROOT / "tests" / "data" / "sample_project_questions.jsonl"
PROMPTS = sorted((PROJECT / "Context" / "Prompt").glob("*.md"))
CATEGORIES = PROJECT / "Procedures" / "categories.yaml"
FOLDERS = {
    "Procedures/SOPs",
    "Procedures/QPs",
    "Procedures/QaPs",
    "Context",
    "Context/Initiation",
    "Context/Ongoing",
    "Context/Predicates",
    "Context/Regulatory Strategy",
    "Context/General",
    "Bootstrap",
}
CONTENT = ROOT / "packaging" / "sample_project_content"
PICTURES = {".png", ".jpg", ".gif", ".bmp", ".tiff"}
REPORT = "Context/Ongoing/TR-0212-Clinical-Accuracy-Report.pdf"
DATA = "Context/Ongoing/TR-0212-Accuracy-Data.csv"


def documents() -> list[Path]:
    """Every file of the project that is indexed."""
    outside = {*PROMPTS, CATEGORIES}
    return sorted(p for p in PROJECT.rglob("*") if p.is_file() and p not in outside)


def relative(path: Path) -> str:
    return path.relative_to(PROJECT).as_posix()


def docx_lines(path: Path) -> list[str]:
    """Paragraphs, then table rows as ``first: rest``."""
    document = docx.Document(str(path))
    lines = [paragraph.text for paragraph in document.paragraphs]
    for table in document.tables:
        for row in table.rows:
            first, *rest = [cell.text for cell in row.cells]
            lines.append(f"{first}: {' | '.join(rest)}")
    return lines


def text_of(path: Path) -> str:
    if path.suffix == ".docx":
        return "\n".join(docx_lines(path))
    if path.suffix == ".pdf":
        with pdfplumber.open(path) as pdf:
            return "\n".join(page.extract_text() for page in pdf.pages)
    if path.suffix in {".doc", ".ppt", ".pptx", *PICTURES}:
        return parse_file(path, tesseract=find_tesseract()).text
    return path.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def texts() -> dict[str, str]:
    """Every document's text on single-spaced lines, by its relative name."""
    return {relative(path): " ".join(text_of(path).split()) for path in documents()}


def rows_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def matches(pattern: str, text: str) -> bool:
    return re.search(pattern, text, re.IGNORECASE) is not None


def test_the_tree_follows_the_folder_convention() -> None:
    found = documents()
    assert 30 <= len(found) <= 36
    assert {relative(path.parent) for path in found} == FOLDERS
    assert len(PROMPTS) == 5
    assert [p.name for p in (PROJECT / "Context").glob("*.*")] == ["Project-Master-Record.docx"]
    assert sum(p.stat().st_size for p in PROJECT.rglob("*") if p.is_file()) < 1_500_000


def test_every_format_is_there() -> None:
    counts = Counter(path.suffix for path in documents())
    often = {".pdf", ".docx", ".txt", ".md", ".csv"}
    assert set(counts) == {*often, ".doc", ".ppt", ".pptx", ".vtt", ".srt", ".json", *PICTURES}
    assert min(counts[suffix] for suffix in often) >= 2


def test_every_document_opens_and_has_text(texts: dict[str, str]) -> None:
    short = {name for name, text in texts.items() if len(text) <= 400}
    assert {Path(name).suffix for name in short} <= PICTURES
    assert all(len(text) > 150 for text in texts.values())


def test_pictures_and_old_files_say_what_their_sources_say(texts: dict[str, str]) -> None:
    """What is shipped is what the text sources say: read back by recognition and conversion."""
    for path in sorted(CONTENT.rglob("*.md")):
        target = path.relative_to(CONTENT).with_suffix("")
        if target.suffix not in {".doc", ".ppt", ".pptx", *PICTURES}:
            continue
        wanted = Counter(re.findall(r"\w+", path.read_text("utf-8").partition("\n---\n")[2]))
        found = Counter(re.findall(r"\w+", texts[target.as_posix()]))
        assert (wanted & found).total() >= 0.97 * wanted.total(), target.name


def test_pdfs_have_ruled_tables_and_page_frames() -> None:
    for path in documents():
        if path.suffix != ".pdf":
            continue
        with pdfplumber.open(path) as pdf:
            assert 2 <= len(pdf.pages) <= 4
            assert sum(len(page.find_tables()) for page in pdf.pages) >= 2
            for number, page in enumerate(pdf.pages, start=1):
                assert page.extract_text().endswith(f"Page {number}")


def test_csv_rows_have_as_many_cells_as_their_header() -> None:
    for path in documents():
        if path.suffix == ".csv":
            rows = list(csv.reader(io.StringIO(path.read_text(encoding="utf-8"))))
            assert {len(row) for row in rows} == {len(rows[0])}, path.name


def test_categories_name_documents_that_exist() -> None:
    entries = yaml.safe_load(CATEGORIES.read_text(encoding="utf-8"))["documents"]
    assert set(entries) <= {relative(path) for path in documents()}
    assert "standard" in {entry.get("kind") for entry in entries.values()}


def test_references_in_prompts_name_things_that_exist() -> None:
    entries = yaml.safe_load(CATEGORIES.read_text(encoding="utf-8"))["documents"]
    categories = {entry["category"] for entry in entries.values() if "category" in entry}
    record = docx_lines(PROJECT / "Context" / "Project-Master-Record.docx")
    fields = Counter(line.partition(":")[0] for line in record if ": " in line)
    kinds: set[str] = set()
    for prompt in PROMPTS:
        text = prompt.read_text(encoding="utf-8")
        assert text.count("[") == text.count("]")
        for bracket in re.findall(r"\[([^\]]+)\]", text):
            kind, *rest = bracket.split("|")
            kinds.add(kind)
            if kind == "Master Record":
                assert fields[rest[-1]] == 1
            elif kind == "Procedure":
                assert rest[0] == "sops"
                assert rest[1] in categories
            elif kind == "Context":
                assert (PROJECT / "Context").joinpath(*rest).is_file()
            else:
                (path,) = (PROJECT / "Bootstrap").glob(f"{rest[0]}*")
                if kind == "Doc":
                    assert f"{rest[1]}: " in text_of(path)
    assert kinds == {"Master Record", "Procedure", "Context", "Bootstrap", "Doc"}


def test_expected_facts_stand_in_the_files_they_name(texts: dict[str, str]) -> None:
    facts = rows_of(FACTS)
    assert min(Counter(row["prompt"] for row in facts).values()) >= 6
    assert {row["prompt"] for row in facts} == {path.name for path in PROMPTS}
    for row in facts:
        assert matches(row["pattern"], texts[row["file"]]), row["fact"]


def test_questions_are_answered_by_the_files_they_name(texts: dict[str, str]) -> None:
    questions = rows_of(QUESTIONS)
    assert [row["answerable"] for row in questions].count(False) == 4
    for row in questions:
        assert bool(row["files"]) == row["answerable"]
        for file in row["files"]:
            assert all(matches(p, texts[file]) for p in row["must_contain"]), row["id"]


def test_deliberate_traps_are_in_place(texts: dict[str, str]) -> None:
    old = texts["Context/Initiation/Project-Proposal-2025.txt"]
    assert "Charging time: 45 minutes" in old
    assert "Charging Time: 90 minutes" in texts["Context/Project-Master-Record.docx"]
    only_on_demand = [name for name, text in texts.items() if "K999087" in text]
    assert only_on_demand == ["Context/Regulatory Strategy/RS-VP1-Submission-Strategy.docx"]
    assert not any(matches(r"service life|\bmAh\b", text) for text in texts.values())


def test_the_accuracy_report_agrees_with_its_data(texts: dict[str, str]) -> None:
    with (PROJECT / DATA).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))

    def summary(chosen: list[dict[str, str]]) -> str:
        pairs = sum(int(row["pairs"]) for row in chosen)
        bias = sum(int(row["pairs"]) * float(row["mean_bias"]) for row in chosen) / pairs
        square = sum(int(row["pairs"]) * float(row["arms"]) ** 2 for row in chosen) / pairs
        return f"{pairs} {bias:.1f} {math.sqrt(square):.1f}"

    report = texts[REPORT]
    for low, high in ((90, 100), (80, 90), (70, 80), (70, 100)):
        chosen = [r for r in rows if low <= int(r["plateau_percent"]) < high]
        assert f"{low} to {high} percent {summary(chosen)}" in report
    for types in (("I", "II"), ("III", "IV"), ("V", "VI")):
        chosen = [r for r in rows if r["fitzpatrick"] in types]
        assert f"{types[0]} and {types[1]} {summary(chosen)}" in report
    assert len({row["subject"] for row in rows}) == 12
    assert max(float(row["arms"]) for row in rows) == 2.87


def test_hazard_log_multiplies_severity_and_probability() -> None:
    path = PROJECT / "Context" / "Ongoing" / "VP1-Hazard-Log.csv"
    with path.open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            for when in ("before", "after"):
                product = int(row["severity"]) * int(row[f"probability_{when}"])
                assert product == int(row[f"risk_index_{when}"]), row["id"]


def contents(path: Path) -> dict[str, bytes]:
    """What does not depend on zlib: a PDF's bytes, an archive's members, a picture's pixels."""
    if path.suffix in PICTURES:
        with Image.open(path) as picture:
            frames = range(getattr(picture, "n_frames", 1))
            return {str(frame): _greys(picture, frame) for frame in frames}
    if path.suffix == ".pdf":
        return {"": path.read_bytes()}
    with zipfile.ZipFile(path) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def _greys(picture: Image.Image, frame: int) -> bytes:
    """A coarse picture of a frame: releases of the JPEG library differ in the last bits."""
    picture.seek(frame)
    small = picture.convert("L").resize((32, 32), Image.Resampling.BOX)
    return bytes(value // 16 for value in small.tobytes())


def test_the_generator_writes_the_files_that_are_shipped(tmp_path: Path) -> None:
    command = [sys.executable, str(GENERATOR), "--out", str(tmp_path)]
    subprocess.run(command, check=True, capture_output=True)
    written = {p.relative_to(tmp_path).as_posix() for p in tmp_path.rglob("*") if p.is_file()}
    drawn = {".docx", ".pdf", ".pptx", *PICTURES}
    shipped = {relative(p) for p in documents() if p.suffix in drawn}
    assert written == shipped
    for name in written:
        assert contents(tmp_path / name) == contents(PROJECT / name), name
