"""Pages a second on one core beside other readers, and the memory of a long PDF's reading.

Seconds are those of the processor, of this process and of the programs it waits for, so that
other work on the machine does not count; on an idle core they are those of the clock, which is
in the note.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from phasergun_desktop.documents.isolated.child_process import ChildProcessReader, ReadingLimits
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.tools import find_tesseract
from phasergun_desktop.errors import DocumentError
from tests.benchmarks.frame import Figure, Unavailable, figure, seconds
from tests.benchmarks.reading.data_files import (
    GLUCOSE,
    NASTY,
    REGULATORY,
    DataFile,
    data_files,
    with_suffix,
)
from tests.benchmarks.reading.made_files import write_deck, write_page_images
from tests.benchmarks.reading.other_readers import program
from tests.benchmarks.reading.page_classes import (
    PageClass,
    SourcePage,
    chosen,
    classified_pages,
    write_pdf,
)

ROUNDS = 5
WORDS_A_PAGE = 350
PAGES = {PageClass.PLAIN: 300, PageClass.LINES: 120, PageClass.TABLE: 100}
WANTED = {PageClass.PLAIN: 60.0, PageClass.TABLE: 8.0}
PLUMBER_PAGES = 12
LONG_PDF_PAGES = 3000
MAX_CHILD_MB = 500.0


def speed_figures() -> Iterator[Figure]:
    """Measure every format on one core, in turn with the other readers of it."""
    files = [each for name in (REGULATORY, GLUCOSE) for each in data_files(name)]
    pages = classified_pages(files)
    with one_core() as where, tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield from _word_speed("docx_pages", with_suffix(files, "docx"), where)
        huge = [each for each in with_suffix(data_files(NASTY), "docx") if each.trait == "huge"]
        yield from _word_speed("docx_pages_long", huge, where)
        for page_class in PAGES:
            yield from _pdf_speed(pages, page_class, folder, where)
        yield from _slide_speed(folder, where)
        yield from _image_speed(pages, folder, where)
        yield from _long_pdf(pages, folder, where)


@contextmanager
def one_core() -> Iterator[str]:
    """Keep this process and what it starts on one core where the system can; say whether."""
    if not hasattr(os, "sched_setaffinity"):
        yield "not held to one core (this system cannot)"
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield "on one core"
    finally:
        os.sched_setaffinity(0, before)


@dataclass(slots=True)
class Spent:
    """Seconds of one way's runs, by the processor and by the clock."""

    processor_s: list[float] = field(default_factory=list)
    clock_s: list[float] = field(default_factory=list)

    def rates(self, count: float) -> list[float]:
        """Return ``count`` a second of processor time, run by run."""
        return [count / each for each in self.processor_s]

    def by_clock(self, count: float) -> str:
        """Say the rate by the clock."""
        return f"by the clock {count / statistics.median(self.clock_s):.3g}"


def in_turn(ways: Sequence[Callable[[], object]], rounds: int) -> list[Spent]:
    """Run every way once unmeasured, then ``rounds`` times, each round from another start."""
    for way in ways:
        way()
    spent = [Spent() for _ in ways]
    for turn in range(rounds):
        for step in range(len(ways)):
            place = (turn + step) % len(ways)
            before = _processor_seconds()
            spent[place].clock_s.append(seconds(ways[place]))
            spent[place].processor_s.append(_processor_seconds() - before)
    return spent


def _processor_seconds() -> float:
    """Of this process and the children it has waited for (Windows: of this process)."""
    used = os.times()
    return used.user + used.system + used.children_user + used.children_system


def _word_speed(name: str, files: Sequence[DataFile], where: str) -> Iterator[Figure]:
    if not files:
        return
    documents = [parse_file(each.path) for each in files]
    pages = sum(each.metadata.words for each in documents) / WORDS_A_PAGE

    def read() -> None:
        for each in files:
            parse_file(each.path)

    (spent,) = in_turn([read], ROUNDS)
    yield figure(
        name,
        "pages/s",
        spent.rates(pages),
        target=100.0,
        at_least=True,
        note=f"{len(files)} real files, {pages:.0f} pages of {WORDS_A_PAGE} words, {where};"
        f" {spent.by_clock(pages)}",
    )


def _pdf_speed(
    pages: Sequence[SourcePage], page_class: PageClass, folder: Path, where: str
) -> Iterator[Figure]:
    picked = chosen(pages, PAGES[page_class], page_class)
    if not picked:
        return
    path = folder / f"{page_class}.pdf"
    write_pdf(picked, path)
    few = min(PLUMBER_PAGES, len(picked))
    pdftotext = program("pdftotext")
    spent = in_turn(
        [
            lambda: parse_file(path),
            lambda: subprocess.run([pdftotext, "-q", str(path), os.devnull], check=True),
            lambda: _plumber_text(path, few),
        ],
        ROUNDS,
    )
    drawn = {
        PageClass.PLAIN: "no ruling lines",
        PageClass.LINES: "some ruling lines, no table",
        PageClass.TABLE: "at least two rulings in both directions",
    }[page_class]
    note = f"{len(picked)} pages of {len({each.path for each in picked})} PDFs, {drawn}, {where}"
    for reader, count, each in zip(
        ("", "_pdftotext", "_pdfplumber"), (len(picked), len(picked), few), spent, strict=True
    ):
        yield figure(
            f"pdf_{page_class}_pages{reader}",
            "pages/s",
            each.rates(count),
            target=WANTED.get(page_class) if not reader else None,
            at_least=True,
            note=(note if not reader else f"the same file, {count} pages, text only")
            + f"; {each.by_clock(count)}",
        )


def _plumber_text(path: Path, count: int) -> None:
    import pdfplumber

    with pdfplumber.open(path) as document:
        for page in document.pages[:count]:
            page.extract_text()
            page.close()


def _slide_speed(folder: Path, where: str) -> Iterator[Figure]:
    made = folder / "deck.pptx"
    slides = 200
    write_deck(made, slides)
    real = [each.path for each in _readable(with_suffix(data_files(NASTY), "pptx"))]
    count = sum(parse_file(each).metadata.pages or 0 for each in real)

    def read_real() -> None:
        for each in real:
            parse_file(each)

    spent_made, spent_real = in_turn([lambda: parse_file(made), read_real], ROUNDS)
    yield figure(
        "pptx_slides_made",
        "slides/s",
        spent_made.rates(slides),
        note=f"{where}; {spent_made.by_clock(slides)}",
    )
    if count:
        yield figure(
            "pptx_slides_real",
            "slides/s",
            spent_real.rates(count),
            note=f"{count} slides of {len(real)} files, {where}; {spent_real.by_clock(count)}",
        )


def _readable(files: Sequence[DataFile]) -> Iterator[DataFile]:
    for file in files:
        try:
            parse_file(file.path)
        except (DocumentError, RecursionError, MemoryError):
            continue
        yield file


def _image_speed(pages: Sequence[SourcePage], folder: Path, where: str) -> Iterator[Figure]:
    tesseract = find_tesseract()
    if not tesseract:
        return
    source = folder / "for-pictures.pdf"
    write_pdf(chosen(pages, 6, PageClass.PLAIN, PageClass.TABLE), source)
    images = write_page_images(source, range(6), folder)

    def read() -> None:
        for each in images:
            parse_file(each, tesseract=tesseract)

    def plain() -> None:
        environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
        for each in images:
            subprocess.run(
                [tesseract, str(each), os.devnull],
                check=True,
                env=environment,
                capture_output=True,
            )

    ours, theirs = in_turn([read, plain], 3)
    count = len(images)
    note = f"{count} pages of PDFs as pictures of 200 dpi, {where}; {ours.by_clock(count)}"
    yield figure("image_pages", "pages/s", ours.rates(count), note=note)
    yield figure(
        "image_pages_tesseract",
        "pages/s",
        theirs.rates(count),
        note=f"plain tesseract, the same pictures; {theirs.by_clock(count)}",
    )


def _long_pdf(pages: Sequence[SourcePage], folder: Path, where: str) -> Iterator[Figure]:
    """Read a PDF of ``LONG_PDF_PAGES`` pages in the child and watch its memory."""
    texts = [each for each in pages if each.page_class is not PageClass.PICTURE]
    if not texts:
        raise Unavailable("there are no PDF pages with text")
    path = folder / "long.pdf"
    write_pdf((texts * (LONG_PDF_PAGES // len(texts) + 1))[:LONG_PDF_PAGES], path)
    reader = ChildProcessReader(ReadingLimits(seconds=900.0), tesseract="")
    try:
        reader.warm()
        with peak_memory(reader.process_id) as peak:
            child = psutil.Process(reader.process_id)
            idle_mb = child.memory_info().rss / 2**20
            before = child.cpu_times()
            spent = Spent(clock_s=[seconds(lambda: reader.parse(path))])
            after = child.cpu_times()
            spent.processor_s.append(after.user + after.system - before.user - before.system)
    finally:
        reader.close()
    size = path.stat().st_size / 2**20
    note = f"{LONG_PDF_PAGES} real pages with text, {size:.0f} MB, {where}"
    yield figure(
        "long_pdf_child_memory",
        "MB",
        [peak[0]],
        target=MAX_CHILD_MB,
        note=f"largest resident size while reading; {idle_mb:.0f} MB before; {note}",
    )
    yield figure(
        "long_pdf_pages",
        "pages/s",
        spent.rates(LONG_PDF_PAGES),
        note=f"{note}; the child's time, its answer included; {spent.by_clock(LONG_PDF_PAGES)}",
    )


@contextmanager
def peak_memory(process_id: int | None, interval_s: float = 0.02) -> Iterator[list[float]]:
    """Yield a list whose one value, after the body, is the largest resident size in MB.

    On Linux the system's own high-water mark is asked as well, which misses nothing.
    """
    process = psutil.Process(process_id)
    peak = [0.0]
    done = threading.Event()

    def watch() -> None:
        while not done.wait(interval_s):
            try:
                peak[0] = max(peak[0], process.memory_info().rss / 2**20)
            except psutil.Error:
                return

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        done.set()
        thread.join()
        peak[0] = max(peak[0], _high_water_mb(process.pid))


def _high_water_mb(process_id: int) -> float:
    try:
        status = Path(f"/proc/{process_id}/status").read_text()
    except OSError:
        return 0.0
    lines = [line for line in status.splitlines() if line.startswith("VmHWM:")]
    return int(lines[0].split()[1]) / 1024 if lines else 0.0
