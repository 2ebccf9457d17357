"""What a document says of itself: number, revision, submission, paper, language."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.language import guessed_language, stated_or_guessed
from phasergun_desktop.documents.metadata import FileProperties, describe
from phasergun_desktop.documents.model import BlockKind, DocumentMetadata, LineLocator
from phasergun_desktop.documents.papers import iso_date
from phasergun_desktop.documents.parser import parse_file

ENGLISH = "The meter reads the strip in five seconds and stores the result with its date. " * 8
GERMAN = "Das Gerät misst den Zucker im Blut und speichert jedes Ergebnis mit seinem Datum. " * 8
LETTER = (
    "January 19, 2024",
    "Bionime Corporation\nSan Juan Capistrano, CA",
    "Re: K231192 Trade/Device Name: RIGHTEST Regulation Number: 21 CFR 862.1345",
    "We have determined the device is substantially equivalent to the predicate K193407.",
)
PAPER = (
    "Accuracy of a blood glucose meter at home",
    "Ann B. Lee1*, Bob van der Ray, MD2 and José Núñez1",
    "1Department of Medicine, University of Somewhere; 2Hospital of Elsewhere",
    "J Diabetes Sci Technol. 2015 Jul;9(4):885-95. doi: 10.1177/1932296815580160. PMID: 25883164",
    "Published online 8 April 2015",
    "Abstract\nBackground: meters are used at home.",
    "References",
    "1. Other A. Diabetes Care. 2001;3(2):1-9. doi: 10.2337/diacare.24.7.1 PMC1234567",
)


def described(
    *texts: str, name: str = "file.md", footer: str = "", **properties: object
) -> DocumentMetadata:
    builder = DocumentBuilder()
    for number, text in enumerate(texts, start=1):
        kind = BlockKind.HEADING if number == 1 else BlockKind.PARAGRAPH
        builder.add(kind, text, LineLocator(number), level=1)
    if footer:
        builder.add(BlockKind.HEADER_FOOTER, footer, LineLocator(99))
    stated = FileProperties(**properties)  # type: ignore[arg-type]
    return describe(Path(name), stated, builder.text, builder.blocks)


def test_abbreviations_of_text_and_table_rows() -> None:
    made = described("Terms", "An enzyme electrode strip (EES) is cut.")
    assert made.abbreviations == (("EES", "enzyme electrode strip"),)
    builder = DocumentBuilder()
    cells = (("Abbreviation", "ATS"), ("Meaning", "artificial test soil"))
    text = "Abbreviation: ATS; Meaning: artificial test soil"
    builder.add(BlockKind.TABLE_ROW, text, LineLocator(1), cells=cells)
    found = describe(Path("file.md"), FileProperties(), builder.text, builder.blocks)
    assert found.abbreviations == (("ATS", "artificial test soil"),)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Document Number: SOP-001", "SOP-001"),
        ("Document ID: CSC PR.001\nSOP ID: CSC PR.003", "CSC PR.001"),
        ("SOP ID: CSC PR.015\nTemplate ID: CSC F.001", "CSC F.001"),
        ("Doc. No. QP-0021 | Rev. 3", "QP-0021"),
        ("Form no.: F-12.3/A2", "F-12.3/A2"),
        ("Use the document number GUI00001825 and complete title in the request.", "GUI00001825"),
        ("identify the document number 1741 to identify the guidance", "1741"),
        ("The part number: GT2-100", ""),
        ("This document number is not known", ""),
        ("see the procedure number SOP-007 for details", ""),
    ],
)
def test_document_number(text: str, number: str) -> None:
    assert described("Title", text).document_number == number


def test_document_number_from_other_places() -> None:
    assert described("T", front_matter=(("ID", "SOP-9"),)).document_number == "SOP-9"
    assert described("T", front_matter=(("id", "intro"),)).document_number == ""
    both = (("sop_id", "CSC PR.015"), ("template_id", "CSC F.001"))
    assert described("T", front_matter=both).document_number == "CSC F.001"
    assert described("T", name="CSC-PR-016-Corrective.md").document_number == "CSC-PR-016"
    assert described("T", name="QF-0023-2_Supplier.docx").document_number == "QF-0023-2"
    assert described("PART 820—QUALITY SYSTEM", name="a.md").document_number == ""
    assert described("T", "x", footer="Document No: WI-7 Page 1").document_number == "WI-7"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Revision: 3", "3"),
        ("Document Version: 2.0.1", "2.0.1"),
        ("Rev. B | Effective 2024-01-01", "B"),
        ("Revision 2", "2"),
        ("Report no.: TR-014 · Revision: B (valid) · Replaces rev A\nRev: A | Note: first", "B"),
        ("Acme | REV: 01\nQuality Form | Doc ID: QF-0023-1", "01"),
        ("Revision history of this document", ""),
        ("Version control is described below", ""),
    ],
)
def test_revision(text: str, found: str) -> None:
    assert described("Title", text).revision == found


def test_revision_from_other_places() -> None:
    assert described("T", footer="QF-0002 Rev. 4 Page 1 of 3").revision == "4"
    assert described("T", front_matter=(("Version", "99022200"),)).revision == ""
    assert described("T", front_matter=(("version", "1.2"),)).revision == "1.2"


@pytest.mark.parametrize(
    ("texts", "number"),
    [
        (LETTER, "K231192"),
        (("510(k) SUBSTANTIAL EQUIVALENCE DETERMINATION", "A. 510(k) Number: k062680"), "K062680"),
        (("Decision Summary", "A 510(k) Number\nK223608\nB Applicant"), "K223608"),
        (("EVALUATION OF AUTOMATIC CLASS III", "A. De Novo Number: DEN180044"), "DEN180044"),
        (("Indications for Use Statement", "510(k) Number (if known): K231652"), "K231652"),
        (("Summary of safety and effectiveness", "PMA Number: P160030/S017"), "P160030/S017"),
        (("Substantial equivalence", "Predicate 510(k) Number: K231192"), ""),
        (("Substantial equivalence", "Predicate device: X\n510(k) Number: K231192"), ""),
        (("Our plan", "510(k) Number: K231192"), ""),
        (("Substantial equivalence", "as cleared under K231192, K231193"), ""),
    ],
)
def test_the_submission_that_a_document_is_about(texts: tuple[str, ...], number: str) -> None:
    assert described(*texts).k_number == number


def test_a_submission_that_the_file_is_named_after_must_stand_in_it() -> None:
    texts = ("510(k) SUBSTANTIAL EQUIVALENCE DETERMINATION", "x" * 5000, "K231476 was tested.")
    assert described(*texts, name="K231476_REVIEW.md").k_number == "K231476"
    assert described(*texts, name="K999999_REVIEW.md").k_number == ""


def test_a_paper() -> None:
    found = described(*PAPER, author="Ann B. Lee, Bob van der Ray and José Núñez")
    assert found.doi == "10.1177/1932296815580160"
    assert found.pmid == "25883164"
    assert found.pmcid == ""
    assert found.journal == "J Diabetes Sci Technol"
    assert found.authors == ("Ann B. Lee", "Bob van der Ray", "José Núñez")
    assert found.published == "2015-04-08"


def test_a_citation_in_the_form_volume_page_year() -> None:
    texts = ("A study", "Ann Lee, Bob Ray", "Nature Medicine 21(5), 436-444 (2015)", "Abstract")
    found = described(*texts, authors=("Lee, Ann", "Ray, Bob"))
    assert (found.journal, found.published) == ("Nature Medicine", "2015")
    assert found.authors == ("Lee, Ann", "Ray, Bob")


@pytest.mark.parametrize(
    "author", ["", "Publisher", "Windows User", "Ann B. Lee; Windows User", "jlee", "Elsewhere"]
)
def test_nobody_is_taken_for_an_author_whom_the_file_or_its_first_page_does_not_name(
    author: str,
) -> None:
    byline = ("A study", "Clinical Practice Guideline", "New York, United States", *PAPER[1:])
    found = described(*byline, author=author)
    assert (found.doi, found.authors) == ("10.1177/1932296815580160", ())


def test_where_the_first_page_states_several_dois_none_is_taken() -> None:
    cited = "As shown before (doi: 10.1016/j.other.2020.01.001)."
    assert described(*PAPER[:6], cited).doi == ""
    assert described(*PAPER[:6], "https://doi.org/10.1177/1932296815580160.").doi
    stated = described(*PAPER[:6], cited, front_matter=(("doi", "10.1177/1932296815580160"),))
    assert stated.doi == "10.1177/1932296815580160"


def test_a_document_that_only_cites_papers_is_none() -> None:
    found = described("Clinical evaluation", "See Diabetes Care 2001;3(2):1-9.", *PAPER[6:])
    assert (found.doi, found.journal, found.authors, found.published) == ("", "", (), "")


def test_a_paper_in_front_matter() -> None:
    front = (("doi", "https://doi.org/10.1/x"), ("authors", "Lee A; Ray B"), ("pmcid", "PMC77777"))
    found = described("T", front_matter=front)
    assert (found.doi, found.authors, found.pmcid) == ("10.1/x", ("Lee A", "Ray B"), "PMC77777")


@pytest.mark.parametrize(
    ("stated", "authors"),
    [
        ("Lee, Ann; Ray, Bob", ("Lee, Ann", "Ray, Bob")),
        ("Lee, Ann", ("Lee, Ann",)),
        ("Lee A, Ray B", ("Lee A", "Ray B")),
        ("Ann Lee, Bob Ray & Cy Wu", ("Ann Lee", "Bob Ray", "Cy Wu")),
        ("WHO", ("WHO",)),
    ],
)
def test_how_a_field_parts_authors(stated: str, authors: tuple[str, ...]) -> None:
    front = (("doi", "10.1234/x"), ("author", stated))
    assert described("T", front_matter=front).authors == authors


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("12 March 2019", "2019-03-12"),
        ("March 12, 2019", "2019-03-12"),
        ("2018 Jan 3", "2018-01-03"),
        ("2018 Sept", "2018-09"),
        ("2018", "2018"),
        ("2018-05-06", "2018-05-06"),
        ("soon", ""),
    ],
)
def test_dates(text: str, date: str) -> None:
    assert iso_date(text) == date


@pytest.mark.parametrize(
    ("stated", "text", "language"),
    [
        ("", ENGLISH, "en"),
        ("", GERMAN, "de"),
        ("en-US", GERMAN, "de"),
        ("en_gb", ENGLISH, "en-GB"),
        ("de-DE", "Zu kurz.", "de-DE"),
        ("", "1.5, 2.5, 3.5\n" * 500, ""),
        ("nonsense!", "short", ""),
        ("", "Number: 1; Square: 1\n" * 40, ""),
        (
            "",
            "この装置は血液中のグルコースを測定します。使用前に説明書を読んでください。" * 20,
            "ja",
        ),
        ("", ENGLISH + GERMAN + ENGLISH, ""),
    ],
)
def test_language(stated: str, text: str, language: str) -> None:
    assert stated_or_guessed(stated, text) == language


def test_the_language_of_nothing() -> None:
    assert guessed_language("") == ""


@pytest.mark.parametrize(
    ("heading", "front", "title"),
    [
        ("Risk plan", (("title", "Other"),), "Risk plan"),
        ("Purpose", (("title", "Risk plan"),), "Risk plan"),
        ("1. Introduction", (), "file"),
        ("Paper Title (use style: paper title)", (("source.title", "'A guidance'"),), "A guidance"),
    ],
)
def test_title(heading: str, front: tuple[tuple[str, str], ...], title: str) -> None:
    assert described(heading, "text", front_matter=front).title == title


def test_the_program_that_read_a_file_is_kept() -> None:
    assert described("T", read_with="LibreOffice 7.4").read_with == "LibreOffice 7.4"


def test_the_submissions_of_the_test_files(test_data: Path) -> None:
    """FDA's summaries are named after their submission; no other document may have one."""
    folder = test_data / "regulatory"
    summaries = sorted((folder / "510k_other_ivd").glob("K*.md"))
    assert summaries
    for path in summaries:
        assert parse_file(path).metadata.k_number == path.stem[:7]
    others = sorted((folder / "qms_lean13485").glob("*.md"))
    assert others
    for path in others:
        assert parse_file(path).metadata.k_number == ""


def test_pages_that_a_template_states_are_not_believed() -> None:
    text = "word " * 900
    assert described("Title", text, pages=3, stated_words=870).pages == 3
    assert described("Title", text, pages=1, stated_words=0).pages is None
    assert described("Title", text, pages=3).pages == 3
