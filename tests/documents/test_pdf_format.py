"""PDFs: paragraphs, headings, tables with and without rulings, columns, margins, places."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.model import BlockKind, PageLocator, ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.errors import DocumentError
from tests.documents.sample_files import Page, PdfFile, paragraph_lines

TEXT = [
    "The meter measures the glucose concentration in fresh capillary whole blood drawn from",
    "the fingertip, and it is meant for self-testing by people at home, as an aid to monitor-",
    "ing the control of diabetes over time, and the monitoring of trends.",
]


def texts(document: ParsedDocument, kind: BlockKind | None = None) -> list[str]:
    return [
        document.block_text(block)
        for block in document.blocks
        if kind is None or block.kind is kind
    ]


def table(
    rows: list[tuple[str, ...]], xs: tuple[float, ...], y: float, pitch: float
) -> list[tuple[float, float, float, bool, str]]:
    return [
        (x, y + index * pitch, 11, False, text)
        for index, row in enumerate(rows)
        for x, text in zip(xs, row, strict=True)
        if text
    ]


def test_paragraphs_headings_and_lines(tmp_path: Path) -> None:
    page = Page(
        [
            (72, 70, 16, True, "Device description"),
            *paragraph_lines(TEXT),
            (72, 170, 12, True, "2.1 Scope"),
            *paragraph_lines(["This procedure applies to all products."], y=190),
        ]
    )
    document = parse_file(PdfFile([page]).save(tmp_path / "a.pdf"))
    assert [block.kind.value for block in document.blocks] == [
        "heading",
        "paragraph",
        "heading",
        "paragraph",
    ]
    body = document.blocks[1]
    assert "self-testing by people" in document.block_text(body)
    assert "monitoring the control" in document.block_text(body)
    assert document.blocks[3].heading_path == ("Device description", "2.1 Scope")
    # A quote can be highlighted line by line.
    assert len(body.segments) == 3
    for segment, line in zip(body.segments, TEXT, strict=True):
        assert document.text[segment.start : segment.end].split()[0] == line.split()[0]
        assert segment.page == 1
    first = body.segments[0].rect
    assert first.x0 == pytest.approx(72, abs=2)
    assert first.y0 < 100 < first.y1
    assert isinstance(body.locator, PageLocator)
    assert len(body.locator.rects) == 3
    assert (document.pages[0].width, document.pages[0].height) == (612, 792)


ROWS: list[tuple[str, ...]] = [
    ("Item", "Candidate K2", "Predicate K1"),
    ("Range", "20 to 600 mg/dL", "50 to 550 mg/dL"),
    ("Power", "Lithium battery", "Two batteries"),
    ("Strip", "Single use", "Same"),
]
EXPECTED = [
    "Item | Candidate K2 | Predicate K1",
    "Item: Range; Candidate K2: 20 to 600 mg/dL; Predicate K1: 50 to 550 mg/dL",
    "Item: Power; Candidate K2: Lithium battery; Predicate K1: Two batteries",
    "Item: Strip; Candidate K2: Single use; Predicate K1: Same",
]


@pytest.mark.parametrize("ruled", [True, False])
def test_tables_become_rows_with_headers(tmp_path: Path, ruled: bool) -> None:
    xs = (76, 200, 340)
    rulings: list[tuple[float, float, float, float]] = []
    if ruled:
        rulings = [(72, y, 480, y) for y in (186, 206, 226, 246, 266)]
        rulings += [(x, 186, x, 266) for x in (72, 196, 336, 480)]
    page = Page([*paragraph_lines(TEXT), *table(ROWS, xs, 200, 20)], rulings)
    document = parse_file(PdfFile([page]).save(tmp_path / "a.pdf"))
    assert texts(document, BlockKind.TABLE_ROW) == EXPECTED
    assert len(document.blocks) == 5
    row = document.blocks[2]
    assert row.cells[2] == ("Predicate K1", "50 to 550 mg/dL")
    places = {document.text[s.start : s.end]: s.rect for s in row.segments}
    assert places["50 to 550 mg/dL"].x0 == pytest.approx(340, abs=2)


def test_wrapped_cells_and_a_page_break(tmp_path: Path) -> None:
    xs = (72, 200, 340)
    wrapped = [
        (72, 100, 11, False, "Item"), (200, 100, 11, False, "Device"),
        (340, 100, 11, False, "Other"),
        (72, 118, 11, False, "Intended"), (200, 118, 11, False, "For people with"),
        (340, 118, 11, False, "Same"), (72, 131, 11, False, "use"),
        (200, 131, 11, False, "diabetes at home"),
        (72, 149, 11, False, "Sample"), (200, 149, 11, False, "Capillary"),
        (340, 149, 11, False, "Same"),
    ]  # fmt: skip
    second = table([("Power", "Battery", "Mains"), ("Range", "20", "30")], xs, 80, 18)
    document = parse_file(PdfFile([Page(wrapped), Page(second)]).save(tmp_path / "a.pdf"))
    assert texts(document) == [
        "Item | Device | Other",
        "Item: Intended use; Device: For people with diabetes at home; Other: Same",
        "Item: Sample; Device: Capillary; Other: Same",
        "Item: Power; Device: Battery; Other: Mains",
        "Item: Range; Device: 20; Other: 30",
    ]
    assert document.blocks[3].locator == PageLocator(2, document.blocks[3].locator.rects)  # type: ignore[union-attr]


def test_columns_are_read_one_after_the_other(tmp_path: Path) -> None:
    left = [f"left column line {n} with some words" for n in range(14)]
    right = [f"right column line {n} with some words" for n in range(14)]
    page = Page(
        [
            (
                72,
                70,
                11,
                False,
                "A line across the whole page before the columns of text begin.",
            ),
            *paragraph_lines(left, y=100),
            *paragraph_lines(right, x=330, y=100),
        ]
    )
    text = parse_file(PdfFile([page]).save(tmp_path / "a.pdf")).text
    assert text.index("left column line 13") < text.index("right column line 0")
    assert all(line in " ".join(text.split()) for line in left + right)


def test_repeated_margins_and_joined_paragraphs(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 5):
        body = [
            ["one", "two", "three", "four"][number - 1]
            + " parts of this text is full and goes on over the break of the page and so"
        ]
        pages.append(
            Page(
                [
                    (72, 40, 9, False, "SOP-001 Document Control"),
                    *paragraph_lines(body * 3 if number == 1 else ["it goes " + body[0], body[0]]),
                    (280, 760, 9, False, f"Page {number} of 4"),
                ]
            )
        )
    document = parse_file(PdfFile(pages).save(tmp_path / "a.pdf"))
    margins = texts(document, BlockKind.HEADER_FOOTER)
    assert margins.count("SOP-001 Document Control") == 4
    assert "Page 3 of 4" in margins
    body_block = document.blocks[0]
    assert "and so it goes two parts" in document.block_text(body_block)
    assert {segment.page for segment in body_block.segments} == {1, 2, 3, 4}
    assert document.metadata.pages == 4


@pytest.mark.parametrize("rotate", [0, 90, 180, 270])
def test_rotated_pages_give_places_as_rendered(tmp_path: Path, rotate: int) -> None:
    page = Page(paragraph_lines(TEXT), rotate=rotate)
    document = parse_file(PdfFile([page]).save(tmp_path / "a.pdf"))
    assert document.text.startswith("The meter measures the glucose concentration")
    size = document.pages[0]
    assert (size.width > size.height) is (rotate in (90, 270))
    rect = document.blocks[0].segments[0].rect
    expected = {
        0: (72, 100), 90: (792 - 100, 72), 180: (612 - 72, 792 - 100), 270: (100, 612 - 72)
    }[rotate]  # fmt: skip
    near = (rect.x0 - 3 <= expected[0] <= rect.x1 + 3, rect.y0 - 3 <= expected[1] <= rect.y1 + 3)
    assert near == (True, True)


def test_line_numbers_of_a_draft_are_set_aside(tmp_path: Path) -> None:
    lines = paragraph_lines(["Some words of a draft guidance that fill the line"] * 12)
    numbers = [(48.0, y, 11.0, False, str(index)) for index, (_, y, *_) in enumerate(lines, 31)]
    document = parse_file(PdfFile([Page([*lines, *numbers])]).save(tmp_path / "a.pdf"))
    assert "32" not in document.block_text(document.blocks[0])
    assert document.blocks[-1].kind is BlockKind.HEADER_FOOTER


def test_a_page_without_anything_is_no_problem(tmp_path: Path) -> None:
    document = parse_file(PdfFile([Page(paragraph_lines(TEXT)), Page()]).save(tmp_path / "a.pdf"))
    assert document.warnings == ()
    assert document.metadata.pages == 2


@pytest.mark.parametrize(
    ("trailer", "cut", "sentence"),
    [("/Encrypt<</Filter/Unknown/V 9>>", None, "password protected"), ("", 30, "damaged")],
)
def test_bad_files_have_a_sentence(
    tmp_path: Path, trailer: str, cut: int | None, sentence: str
) -> None:
    path = tmp_path / "a.pdf"
    path.write_bytes(PdfFile([Page(paragraph_lines(TEXT))]).to_bytes(trailer)[:cut])
    with pytest.raises(DocumentError, match=sentence) as caught:
        parse_file(path)
    assert caught.value.remedy


def test_the_predicates_comparison_table(test_data: Path) -> None:
    path = test_data / "project-glucose" / "Context" / "Predicates" / "K231192_REVIEW.pdf"
    rows = texts(parse_file(path), BlockKind.TABLE_ROW)
    assert (
        "Device & PredicateDevice(s): Measuring Range; K231192: 50 - 550 mg/dL;"
        " K173638: 10 - 600 mg/dL" in rows
    )
    assert (
        "Device & PredicateDevice(s): Measurement Technology; K231192: Glucosedehydrogenase-FAD;"
        " K173638: Same" in rows
    )
    assert "General DeviceCharacteristic Differences" in rows
    assert (
        "Glucose Level(mg/dL): 51 to 110; Strip Lot: Combined; N: 300; Mean(mg/dL): 91.3;"
        " SD(mg/dL): 2.1; %CV: 2.3" in rows
    )
