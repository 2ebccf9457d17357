"""Words, their order and table cells of what we read, against independent extractors."""

from __future__ import annotations

import csv
import io
import statistics
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.documents.model import BlockKind, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.tools import find_tesseract
from phasergun_desktop.errors import DocumentError
from tests.benchmarks.frame import Figure, figure
from tests.benchmarks.reading.data_files import (
    GLUCOSE,
    REGULATORY,
    DataFile,
    data_files,
)
from tests.benchmarks.reading.other_readers import OtherReaders
from tests.benchmarks.reading.word_cells import word_table_cells
from tests.benchmarks.reading.word_metrics import (
    CellOverlap,
    cell_overlap,
    missing_words,
    order,
    overlap,
    words,
)

WANTED_RECALL = {"pdf": 0.98}
WANTED_RECALL_ELSEWHERE = 0.99
WANTED_ORDER = 0.95
# A PDF with fewer words a page than this in its text layer is a scan, not a text PDF.
TEXT_PDF_WORDS_A_PAGE = 50
_WORST = 3


@dataclass(frozen=True, slots=True)
class Fidelity:
    """One document against one extractor. ``recall`` is over everything that we keep (notes,
    headers and footers too), ``order`` over our body blocks."""

    file: DataFile
    extractor: str
    recall: float
    order: float
    wanted: int
    common: int
    missing: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Cells:
    """The table cells of one document."""

    file: DataFile
    found: CellOverlap


def fidelity_figures() -> Iterator[Figure]:
    """Compare every document of both sets; the worst are in the notes."""
    files = [each for name in (REGULATORY, GLUCOSE) for each in data_files(name)]
    others = OtherReaders()
    measured: list[Fidelity] = []
    cells: list[Cells] = []
    unread: list[str] = []
    try:
        for file in files:
            try:
                document = parse_file(file.path, tesseract=find_tesseract())
            except DocumentError as error:
                unread.append(f"{file.name} ({error.message})")
                continue
            except Exception as error:  # noqa: BLE001 - as in the child: this file alone is lost
                unread.append(f"{file.name} ({type(error).__name__}: {error})")
                continue
            measured.extend(compare(file, document, others))
            cells.extend(table_cells(file, document))
    finally:
        others.close()
    if unread:
        print("not read: " + "; ".join(unread), file=sys.stderr)
    yield from _text_figures(measured)
    yield from _best_order(measured)
    yield from _cell_figures(cells)


def compare(file: DataFile, document: ParsedDocument, others: OtherReaders) -> Iterator[Fidelity]:
    """Compare one document with every extractor of its format."""
    ours = words(document.text)
    body = words(
        "\n\n".join(document.block_text(each) for each in document.blocks if each.kind.is_body)
    )
    for extractor, text in _references(file, document, others):
        reference = words(text)
        if not reference:
            continue
        found = overlap(ours, reference)
        yield Fidelity(
            file,
            extractor,
            found.recall,
            order(body, reference),
            found.wanted,
            found.common,
            tuple(missing_words(ours, reference)),
        )


def _references(
    file: DataFile, document: ParsedDocument, others: OtherReaders
) -> Iterator[tuple[str, str]]:
    path = file.path
    match file.suffix:
        case "pdf":
            text = others.pdftotext(path)
            if len(words(text)) < TEXT_PDF_WORDS_A_PAGE * max(1, len(document.pages)):
                return
            yield "pdftotext", text
            for option in ("-layout", "-raw"):
                yield f"pdftotext {option}", others.pdftotext(path, option)
        case "docx":
            yield "pandoc", others.pandoc(path, "docx")
            yield "pandoc tree", others.pandoc_tree(path, "docx")
            yield "LibreOffice", others.office_text(path)
        case "doc":
            yield "LibreOffice", others.office_text(path)
        case "md":
            yield "pandoc", others.pandoc(path, "gfm")
            yield "pandoc tree", others.pandoc_tree(path, "gfm")
        case "txt" | "csv":
            yield "decoding", path.read_bytes().decode("utf-8-sig", "replace")
        case _:
            return


def table_cells(file: DataFile, document: ParsedDocument) -> Iterator[Cells]:
    """Compare the cells of a Word or CSV file with an independent walk over its tables."""
    walks: dict[str, Callable[[Path], list[str]]] = {"docx": word_table_cells, "csv": csv_cells}
    walk = walks.get(file.suffix)
    if walk is None:
        return
    wanted = walk(file.path)
    ours = [
        cell
        for block in document.blocks
        if block.kind is BlockKind.TABLE_ROW
        for _, cell in block.cells
    ]
    yield Cells(file, cell_overlap(wanted, ours, document.text))


def csv_cells(path: Path) -> list[str]:
    """Return the cells with text of a CSV file, delimiter by its first line."""
    text = path.read_bytes().decode("utf-8-sig", "replace")
    first = text.partition("\n")[0]
    delimiter = max(",;\t|", key=first.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    return [cell for row in rows for cell in row if cell.strip()]


def _text_figures(measured: Sequence[Fidelity]) -> Iterator[Figure]:
    for key in sorted({(each.file.suffix, each.extractor) for each in measured}):
        suffix, extractor = key
        members = [each for each in measured if (each.file.suffix, each.extractor) == key]
        name = f"{suffix}_{extractor.replace(' -', '_').replace(' ', '_').lower()}"
        wanted = WANTED_RECALL.get(suffix, WANTED_RECALL_ELSEWHERE)
        pooled = sum(each.common for each in members) / sum(each.wanted for each in members)
        yield figure(
            f"recall_{name}",
            "share of words",
            [each.recall for each in members],
            target=wanted,
            at_least=True,
            note=_note([(each.recall, each) for each in members], wanted, pooled),
        )
        yield figure(
            f"order_{name}",
            "share of shared words",
            [each.order for each in members],
            target=WANTED_ORDER,
            at_least=True,
            note=_note([(each.order, each) for each in members], WANTED_ORDER),
        )


def _best_order(measured: Sequence[Fidelity]) -> Iterator[Figure]:
    """The order of PDFs against whichever of pdftotext's orders is nearest.

    Each of them is wrong on some layouts: side by side, columns, or notes drawn first.
    """
    nearest: dict[str, Fidelity] = {}
    for each in measured:
        known = nearest.get(each.file.name)
        if each.file.suffix == "pdf" and (known is None or known.order < each.order):
            nearest[each.file.name] = each
    if nearest:
        scored = [(each.order, each) for each in nearest.values()]
        yield figure(
            "order_pdf_nearest_pdftotext",
            "share of shared words",
            [value for value, _ in scored],
            target=WANTED_ORDER,
            at_least=True,
            note=_note(scored, WANTED_ORDER),
        )


def _note(
    scored: Iterable[tuple[float, Fidelity]], wanted: float, pooled: float | None = None
) -> str:
    ordered = sorted(scored, key=lambda each: each[0])
    values = [value for value, _ in ordered]
    below = [(value, each) for value, each in ordered if value < wanted]
    worst = "; ".join(
        f"{value:.4f} {each.file.name}"
        + (f" (lacks {' '.join(each.missing[:6])})" if pooled is not None else "")
        for value, each in below[:_WORST]
    )
    for value, each in below:
        print(
            f"below {wanted}: {value:.4f} {each.extractor} {each.file.name} of {each.wanted}:"
            f" {' '.join(each.missing)}",
            file=sys.stderr,
        )
    mean = f"{len(values)} documents, mean {statistics.fmean(values):.4f}"
    whole = f", all words together {pooled:.4f}" if pooled is not None else ""
    return f"{mean}{whole}, {len(below)} below {wanted}" + (f": {worst}" if worst else "")


def _cell_figures(cells: Sequence[Cells]) -> Iterator[Figure]:
    for suffix in sorted({each.file.suffix for each in cells}):
        members = [each for each in cells if each.file.suffix == suffix and each.found.wanted]
        if not members:
            continue
        wanted = sum(each.found.wanted for each in members)
        absent = [(each.file.name, cell) for each in members for cell in each.found.absent]
        for name, cell in absent:
            print(f"cell absent: {name}: {cell[:120]!r}", file=sys.stderr)
        yield figure(
            f"cells_in_text_{suffix}",
            "share of cells",
            [each.found.in_text / each.found.wanted for each in members],
            target=1.0,
            at_least=True,
            note=f"{wanted} cells with text in {len(members)} documents, {len(absent)} absent"
            + "".join(f"; {name}" for name in sorted({name for name, _ in absent})),
        )
        yield figure(
            f"cells_as_cells_{suffix}",
            "share of cells",
            [each.found.as_cells / each.found.wanted for each in members],
            target=1.0,
            at_least=True,
            note=f"as a cell of a row; {sum(each.found.as_cells for each in members)} of {wanted}",
        )
