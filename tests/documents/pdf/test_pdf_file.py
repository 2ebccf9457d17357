"""A PDF as a file: passwords, properties, comments, form fields, numbered headings."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder, Reading
from phasergun_desktop.documents.document_reader import ReadingOptions
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import BlockKind, PageLocator
from phasergun_desktop.documents.pdf.page_rendering import render_page_image
from phasergun_desktop.documents.pdf.pdf_format import read_pdf
from phasergun_desktop.documents.pdf.pdf_properties import iso_date, published_as
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.pdf.pdf_samples import PROSE, add_text_page, new_pdf
from tests.documents.sample_files import Page, PdfFile, paragraph_lines


def read(path: Path, *passwords: str) -> tuple[DocumentBuilder, FileProperties]:
    builder = DocumentBuilder()
    properties, _ = read_pdf(path, Reading(builder, ReadingOptions(passwords=passwords)))
    return builder, properties


def protected(path: Path) -> Path:
    pdf = new_pdf()
    pdf.set_encryption(owner_password="owner", user_password="schlüssel")
    add_text_page(pdf)
    path.write_bytes(bytes(pdf.output()))
    return path


@pytest.mark.parametrize(
    ("passwords", "sentence"),
    [((), "is password protected\\."), (("wrong", "also wrong"), "none of the passwords")],
)
def test_a_protected_file_asks_for_its_password(
    tmp_path: Path, passwords: tuple[str, ...], sentence: str
) -> None:
    path = protected(tmp_path / "a.pdf")
    with pytest.raises(DocumentError, match=sentence) as caught:
        read(path, *passwords)
    assert caught.value.problem is DocumentProblem.PASSWORD
    with pytest.raises(DocumentError, match=sentence):
        render_page_image(path, 1, 1.0, passwords)
    assert "wrong" not in f"{caught.value.message}{caught.value.remedy}"


def test_one_of_the_passwords_opens_it(tmp_path: Path) -> None:
    path = protected(tmp_path / "a.pdf")
    builder, _ = read(path, "wrong", "schlüssel")
    assert builder.text.startswith("The meter measures")
    image = render_page_image(path, 1, 1.0, ("wrong", "schlüssel"))
    assert (image.width, image.height) == (612, 792)


def test_properties_are_those_of_the_file(tmp_path: Path) -> None:
    pdf = new_pdf()
    pdf.set_title("Glucose meter")
    pdf.set_author("A. Writer")
    pdf.set_lang("en-GB")
    pdf.set_creation_date(datetime(2024, 5, 1, 10, 30, tzinfo=UTC))
    add_text_page(pdf)
    path = tmp_path / "a.pdf"
    path.write_bytes(bytes(pdf.output()))
    _, found = read(path)
    assert (found.title, found.author, found.pages) == ("Glucose meter", "A. Writer", 1)
    assert found.created == "2024-05-01T10:30:00"
    assert found.language in ("en-GB", "")  # pdfium before 2025 cannot tell


XMP = """<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF><rdf:Description>
<dc:creator><rdf:Seq><rdf:li>Ann Lee</rdf:li><rdf:li>Bob
 O&apos;Ray</rdf:li></rdf:Seq></dc:creator>{prism}
</rdf:Description></rdf:RDF></x:xmpmeta>"""
ELEMENTS = """<prism:doi>10.1016/j.x.2019.01.002</prism:doi>
<prism:publicationName>Burns &amp; Trauma</prism:publicationName>
<prism:coverDate>2019-05-31</prism:coverDate>"""


def test_what_a_publisher_states_of_a_paper_is_read(tmp_path: Path) -> None:
    pdf = new_pdf()
    pdf.set_xmp_metadata(XMP.format(prism=ELEMENTS))
    add_text_page(pdf)
    path = tmp_path / "a.pdf"
    path.write_bytes(bytes(pdf.output()))
    _, found = read(path)
    assert found.authors == ("Ann Lee", "Bob O'Ray")
    assert dict(found.front_matter) == {
        "doi": "10.1016/j.x.2019.01.002",
        "journal": "Burns & Trauma",
        "published": "2019-05-31",
    }
    # As attributes; of an account's name without a publisher's fields nothing is taken.
    data = path.read_bytes()
    spoken = XMP.format(prism='<rdf:Description prism:doi="10.1/x"/>').encode()
    assert published_as(b"%PDF" + spoken).front_matter == (("doi", "10.1/x"),)
    assert published_as(data.replace(b"prism:doi", b"pdfx:doi_")) == FileProperties()
    for cut in range(0, len(spoken), 7):
        published_as(spoken[:cut])
    assert published_as(tmp_path / "none.pdf") == FileProperties()


@pytest.mark.parametrize(
    ("stated", "date"),
    [
        ("D:20240501103000+02'00'", "2024-05-01T10:30:00"),
        ("D:202405", "2024-05"),
        ("20240501", "2024-05-01"),
        ("yesterday", ""),
    ],
)
def test_dates(stated: str, date: str) -> None:
    assert iso_date(stated) == date


def test_comments_are_notes_at_the_end(tmp_path: Path) -> None:
    pdf = new_pdf()
    add_text_page(pdf)
    pdf.text_annotation(300, 200, "Check this value.")
    add_text_page(pdf)
    path = tmp_path / "a.pdf"
    path.write_bytes(bytes(pdf.output()))
    builder, _ = read(path)
    note = builder.blocks[-1]
    assert note.kind is BlockKind.NOTE
    assert builder.text[note.start : note.end] == "Check this value."
    assert isinstance(note.locator, PageLocator)
    assert note.locator.page == 1
    assert note.locator.rects[0].x0 == pytest.approx(300, abs=2)
    assert note.segments[0].rect == note.locator.rects[0]


def test_numbered_headings_stand_below_their_parent(tmp_path: Path) -> None:
    page = Page(
        [
            (72, 70, 12, True, "1. Purpose"),
            *paragraph_lines(["This procedure applies to all of the products."], y=90),
            # Set larger than its parent: the number tells where it belongs.
            (72, 130, 15, True, "1.1 Scope"),
            *paragraph_lines(["This procedure applies to all of the products."], y=150),
            (72, 190, 12, True, "1.1.1 Devices"),
            *paragraph_lines(["This procedure applies to all of the products."] * 6, y=210),
        ]
    )
    builder, _ = read(PdfFile([page]).save(tmp_path / "a.pdf"))
    assert builder.blocks[-1].heading_path == ("1. Purpose", "1.1 Scope", "1.1.1 Devices")


def test_margins_that_change_sides_repeat(tmp_path: Path) -> None:
    pages = []
    for number in range(1, 5):
        sides = (72, 400) if number % 2 else (400, 72)
        words = ["Alpha", "Beta", "Gamma", "Delta"][number - 1]
        pages.append(
            Page(
                [
                    (sides[0], 40, 9, False, "12.8.2005"),
                    (sides[1], 40, 9, False, f"L 210/{40 + number}"),
                    *paragraph_lines([f"{words} and further words of the text that goes on."] * 3),
                ]
            )
        )
    builder, _ = read(PdfFile(pages).save(tmp_path / "a.pdf"))
    kinds = [block.kind for block in builder.blocks]
    assert kinds.count(BlockKind.HEADER_FOOTER) == 4


def test_hyphens_are_undone_in_columns(tmp_path: Path) -> None:
    """The other column's words are no part of the word that the line's end divides."""
    left = ["This is the left of two columns", "and the text in it tells of moni-"]
    left += ["toring the control of diabetes", "in people who measure the con-"]
    left += ["centration of glucose in capil-", "lary blood that they take at home"]
    left += ["with a lancet from the fingertip", "or from another place of the arm"] * 5
    right = ["The right one has other words of", "about as many letters in a line"] * 8
    page = Page([*paragraph_lines(left, y=100), *paragraph_lines(right, x=330, y=100)])
    builder, _ = read(PdfFile([page]).save(tmp_path / "a.pdf"))
    assert "tells of monitoring the control" in " ".join(builder.text.split())


def test_every_segment_is_the_text_at_its_place(tmp_path: Path) -> None:
    pdf = new_pdf()
    add_text_page(pdf)
    add_text_page(pdf, PROSE.replace("meter", "pump"))
    path = tmp_path / "a.pdf"
    path.write_bytes(bytes(pdf.output()))
    builder, _ = read(path)
    for block in builder.blocks:
        joined = " ".join(builder.text[part.start : part.end] for part in block.segments)
        assert joined.split() == builder.text[block.start : block.end].split()


def test_a_long_document_is_read_like_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rulings = [(72, y, 480, y) for y in (186, 206, 226)] + [
        (x, 186, x, 226) for x in (72, 200, 480)
    ]
    cells = [(76, 200, 11, False, "Item"), (204, 200, 11, False, "Value")]
    cells += [(76, 220, 11, False, "Range"), (204, 220, 11, False, "20 to 600")]
    pages = [Page([*paragraph_lines([PROSE[:80], PROSE[80:150]]), *cells], rulings)] * 3
    path = PdfFile(pages).save(tmp_path / "a.pdf")
    short, _ = read(path)
    monkeypatch.setattr("phasergun_desktop.documents.pdf.pdf_format._UNPACKED_PAGES", 1)
    long, _ = read(path)
    assert long.text == short.text
    assert [block.kind for block in long.blocks] == [block.kind for block in short.blocks]
    assert BlockKind.TABLE_ROW in {block.kind for block in long.blocks}


def test_files_that_are_attached_are_named(tmp_path: Path) -> None:
    (tmp_path / "log.csv").write_bytes(b"a,b")
    pdf = new_pdf()
    add_text_page(pdf)
    pdf.embed_file(tmp_path / "log.csv")
    (tmp_path / "a.pdf").write_bytes(bytes(pdf.output()))
    builder, _ = read(tmp_path / "a.pdf")
    assert builder.warnings == ("Files inside of this one were not read: log.csv.",)
