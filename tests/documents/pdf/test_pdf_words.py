"""Words of a PDF page: characters, boxes, sizes, and pages kept in little memory."""

from __future__ import annotations

import pickle
from pathlib import Path

import pytest

from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.documents.pdf.characters import readable
from phasergun_desktop.documents.pdf.legibility import is_legible
from phasergun_desktop.documents.pdf.lines import lines_of
from phasergun_desktop.documents.pdf.opening import PdfFile as OpenPdf
from phasergun_desktop.documents.pdf.pages import PageState, visit_page
from phasergun_desktop.documents.pdf.placed_words import Word
from tests.documents.pdf.pdf_samples import PROSE, add_text_page, new_pdf, shifted
from tests.documents.sample_files import Page, PdfFile, paragraph_lines


@pytest.mark.parametrize(
    ("piece", "font", "expected"),
    [
        ("e\ufb03cient", "times", "efficient"),
        ("moni\x02", "times", "moni-"),
        ("moni\ufffe", "times", "moni-"),
        ("self\xadtest", "times", "self-test"),
        ("zero\u200bwidth\ufeff", "times", "zerowidth"),
        ("\uf0b7", "abcdef+symbolmt", "•"),
        ("\uf061\uf0b3\uf032", "symbol", "α≥2"),
        ("\uf0a7", "wingdings-regular", "▪"),
        ("\uf0fe", "wingdings", "☑"),
        ("\uf054\uf065\uf073\uf074", "oldtruetype", "Test"),
        ("\ue123", "times", "\ue123"),
        ("\ud835\udc49", "math", "\U0001d449"),
        ("\u200b", "times", ""),
    ],
)
def test_codes_of_fonts_become_characters(piece: str, font: str, expected: str) -> None:
    assert readable(piece, font) == expected


@pytest.mark.parametrize(
    "text",
    [
        PROSE,
        PROSE.upper(),
        "12.5 13.7 400 mg/dL 3.1 2.2 1.0 " * 20,
        "Die Konformitätsbewertung muß für Hüfte, Knie und Schulter geändert werden. " * 4,
        "Медицинское изделие должно соответствовать требованиям настоящего стандарта. " * 4,
        "本标准规定了血糖仪的要求。" * 20,
        "K231192",
    ],
)
def test_text_is_legible(text: str) -> None:
    assert is_legible(text)


@pytest.mark.parametrize(
    ("text", "unmapped"),
    [
        (shifted(PROSE), 0),
        (PROSE.lower().translate(str.maketrans("etaoinshr", "qzxjkvwbp")), 0),
        ("\ue001\ue002\ue003 ab", 0),
        ("(cid:12)(cid:44) (cid:7)", 0),
        ("\x03\x0e\x11\x12 and", 0),
        ("A few words", 40),
        ("", 3),
    ],
)
def test_garbage_is_not(text: str, unmapped: int) -> None:
    assert not is_legible(text, unmapped)


def test_words_have_the_box_and_the_size_of_their_font(tmp_path: Path) -> None:
    page = Page([(72, 100, 11, False, "Plain"), (72, 130, 20, True, "Heading, wide ")])
    pdf = OpenPdf(PdfFile([page]).save(tmp_path / "a.pdf"))
    visited = visit_page(pdf, 0)
    pdf.close()
    plain, heading = (line.words for line in visited.lines)
    assert plain[0].size == pytest.approx(11)
    assert plain[0].base == pytest.approx(100, abs=0.1)
    assert plain[0].x0 == pytest.approx(72, abs=1)
    assert [word.text for word in heading] == ["Heading,", "wide"]
    assert all(word.bold and word.size == pytest.approx(20) for word in heading)
    assert heading[1].spaced
    assert heading[0].x1 < heading[1].x0
    assert visited.state is PageState.TEXT


def test_cells_that_touch_are_words_of_their_own(tmp_path: Path) -> None:
    """Two text objects without a space between them, as tables of numbers have."""
    page = Page([(72, 100, 10, False, "1203"), (103, 100, 10, False, "45")])
    pdf = OpenPdf(PdfFile([page]).save(tmp_path / "a.pdf"))
    texts = [word.text for line in visit_page(pdf, 0).lines for word in line.words]
    pdf.close()
    assert texts == ["1203", "45"]


def test_exponents_are_kept_and_found_on_the_page(tmp_path: Path) -> None:
    pdf = new_pdf()
    pdf.add_page()
    for plain, above, rest in (
        ("1.6 x 10", "6", " on 5 cm"),
        ("", "2", " SAL of 10"),
        ("", "-6", ". In 2020"),
        ("", "1,2", " the cells"),
        ("", "3", " grew"),
    ):
        for text, place in ((plain, "LINE"), (above, "SUP"), (rest, "LINE")):
            pdf.char_vpos = place
            pdf.write(14, text)
    pdf.char_vpos = "SUB"
    pdf.write(14, "2")
    (tmp_path / "a.pdf").write_bytes(pdf.output())
    document = parse_file(tmp_path / "a.pdf")
    line = "1.6 x 10⁶ on 5 cm² SAL of 10⁻⁶. In 2020¹,² the cells3 grew2"
    assert document.text == line
    (block,) = document.blocks
    assert [(each.start, each.end) for each in block.segments] == [(0, len(line))]


@pytest.mark.parametrize("rotate", [0, 90])
def test_a_pickled_page_is_the_page(tmp_path: Path, rotate: int) -> None:
    lines = paragraph_lines(["Some words of a draft guidance that fill the line"] * 10)
    numbers = [(48.0, y, 11.0, False, str(n)) for n, (_, y, *_) in enumerate(lines, 31)]
    ruled = [(72.0, 400.0, 300.0, 400.0), (72.0, 400.0, 72.0, 500.0)]
    page = Page([*lines, *numbers], ruled, rotate=rotate)
    pdf = OpenPdf(PdfFile([page]).save(tmp_path / "a.pdf"))
    visited = visit_page(pdf, 0)
    pdf.close()
    back = pickle.loads(pickle.dumps(visited))
    assert [line.text for line in back.lines] == [line.text for line in visited.lines]
    assert back.numbers is not None
    assert visited.numbers is not None
    assert back.numbers.text == visited.numbers.text
    assert (back.frame, back.quadrant, back.state) == (
        visited.frame,
        visited.quadrant,
        visited.state,
    )
    assert len(back.rulings) == len(visited.rulings) == 2
    for line, kept in zip(visited.lines, back.lines, strict=True):
        assert kept.words[0][1:7] == pytest.approx(line.words[0][1:7], abs=1e-3)
        assert kept.words[0][7:] == line.words[0][7:]


def test_files_are_opened_again_without_losing_a_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("phasergun_desktop.documents.pdf.opening._PAGES_AN_OPENING", 2)
    pages = [Page([(72, 100, 11, False, f"Number{n}")]) for n in range(7)]
    pdf = OpenPdf(PdfFile(pages).save(tmp_path / "a.pdf"))
    found = [visit_page(pdf, n).lines[0].text for n in range(7)]
    pdf.close()
    assert found == [f"Number{n}" for n in range(7)]


def test_a_small_word_belongs_to_the_line_that_it_touches() -> None:
    left = Word("(", 40, 760, 42, 769, 767.2, 8.5, False)
    mark = Word("1)", 42, 760, 47, 769, 764.7, 5.5, False)
    rest = Word("ABl.", 51, 760, 65, 769, 767.2, 8.5, False)
    beside = Word("Column", 300, 757, 340, 767, 764.0, 9.6, False)
    assert [line.text for line in lines_of([left, mark, rest, beside])] == ["Column", "( 1) ABl."]


def test_pages_made_by_another_program(tmp_path: Path) -> None:
    pdf = new_pdf()
    add_text_page(pdf)
    path = tmp_path / "a.pdf"
    path.write_bytes(bytes(pdf.output()))
    opened = OpenPdf(path)
    lines = visit_page(opened, 0).lines
    opened.close()
    assert " ".join(line.text for line in lines) == PROSE


def test_a_ligature_without_a_character_is_no_hyphen(test_data: Path) -> None:
    name = "multi-column__layout-parser-paper-with-empty-pages.pdf"
    text = parse_file(test_data / "nasty" / "pdf" / name).text
    assert "several practical difficulties for" in text
    assert "tools for efficient document" in text
