"""The text of paragraphs: changes, fields, symbols, boxes, formulas, notes."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from phasergun_desktop.documents.symbol_fonts import symbol
from tests.documents.word.word_samples import (
    Read,
    packed,
    paragraph,
    part,
    read,
    relations,
    word_bytes,
)

ENTRIES = '<w:listEntry w:val="A"/><w:listEntry w:val="B"/>'


def run(text: str, properties: str = "") -> str:
    stated = f"<w:rPr>{properties}</w:rPr>" if properties else ""
    return f'<w:r>{stated}<w:t xml:space="preserve">{text}</w:t></w:r>'


def mark(kind: str, inside: str = "") -> str:
    return f'<w:r><w:fldChar w:fldCharType="{kind}">{inside}</w:fldChar></w:r>'


def instruction(text: str) -> str:
    return f"<w:r><w:instrText>{text}</w:instrText></w:r>"


def one(inside: str) -> str:
    """Return the text of a file with one paragraph."""
    return "\n".join(read(f"<w:p>{inside}</w:p>").texts())


def test_changes_are_read_as_accepted() -> None:
    inserted = '<w:ins w:id="1">' + run("6") + "</w:ins>"
    deleted = '<w:del w:id="2"><w:r><w:delText>5</w:delText></w:r></w:del>'
    moved = f'<w:moveFrom w:id="3">{run("gone")}</w:moveFrom><w:moveTo w:id="4">{run(" mL")}'
    assert one(run("The limit is ") + deleted + inserted + moved + "</w:moveTo>") == (
        "The limit is 6 mL"
    )


def test_a_deleted_paragraph_end_joins_paragraphs() -> None:
    end = "<w:pPr><w:rPr><w:del/></w:rPr></w:pPr>"
    found = read(
        paragraph("before")
        + f"<w:p>{end}{run('Joined ')}</w:p><w:p>{end}{run('to a ')}</w:p>"
        + paragraph("line")
        + f"<w:p>{end}</w:p>"
        + paragraph("after")
        + f"<w:p>{end}{run('last')}</w:p>"
    )
    assert found.texts() == ["before", "Joined to a line", "after", "last"]
    assert [block.locator for block in found.blocks] == [
        ParagraphLocator(paragraph=1),
        ParagraphLocator(paragraph=2),
        ParagraphLocator(paragraph=6),
        ParagraphLocator(paragraph=7),
    ]


def test_results_of_fields_are_read_and_instructions_are_not() -> None:
    nested = (
        mark("begin") + instruction("MERGEFIELD x") + mark("separate") + run("no") + mark("end")
    )
    whole = (
        run("See ")
        + mark("begin")
        + instruction('IF "')
        + nested
        + instruction('" = "a"')
        + mark("separate")
        + run("table 3")
        + mark("end")
        + run(".")
    )
    assert one(whole) == "See table 3."
    assert one(mark("begin") + instruction("PAGE") + run("kept, since it never ends")) == (
        "kept, since it never ends"
    )


@pytest.mark.parametrize(
    ("form", "expected"),
    [
        ('<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>', "☒ Yes"),
        ('<w:checkBox><w:default w:val="1"/></w:checkBox>', "☒ Yes"),
        ('<w:checkBox><w:default w:val="0"/></w:checkBox>', "Yes"),
        (f'<w:ddList><w:result w:val="1"/>{ENTRIES}</w:ddList>', "B Yes"),
    ],
)
def test_forms_say_what_was_chosen(form: str, expected: str) -> None:
    begin = mark("begin", f"<w:ffData>{form}</w:ffData>")
    assert one(begin + instruction("FORMCHECKBOX") + mark("end") + run(" Yes")) == expected


def test_content_controls_and_wrappers() -> None:
    control = (
        "<w:sdt><w:sdtPr><w:alias w:val='x'/></w:sdtPr><w:sdtContent>"
        + run("☒")
        + "</w:sdtContent></w:sdt>"
    )
    tagged = f"<w:smartTag>{run(' Delft')}</w:smartTag><w:hyperlink>{run(' link')}</w:hyperlink>"
    assert one(control + tagged + run("hidden", "<w:vanish/>")) == "☒ Delft link"
    body = f"<w:sdt><w:sdtContent>{paragraph('inside')}</w:sdtContent></w:sdt>"
    assert read(body).texts() == ["inside"]


def test_tabs_hyphens_and_breaks() -> None:
    inside = "<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/>"
    assert one(f"{inside}<w:t>d\u00ade</w:t><w:br/><w:t>f</w:t></w:r>") == "a b-cde\nf"


def test_phonetic_guides_are_left_out() -> None:
    ruby = f"<w:rt>{run('とう')}</w:rt><w:rubyBase>{run('東京')}</w:rubyBase>"
    assert one(f"<w:r><w:ruby>{ruby}</w:ruby></w:r>") == "東京"


def test_symbols_are_read_as_what_they_look_like() -> None:
    sign = '<w:r><w:sym w:font="Symbol" w:char="F0A3"/></w:r>'
    font = '<w:rFonts w:ascii="Symbol" w:hAnsi="Symbol"/>'
    assert one(run("dose ") + sign + run(" 5 ") + run("m", font) + run("g")) == "dose ≤ 5 μg"
    assert symbol(0xF0FE, "Wingdings") == "☑"
    assert symbol(0x2610, "MS Gothic") == "☐"
    assert symbol(0xF0FE, "Symbol") == "⎭"
    assert symbol(0xE123, "Corporate Logos") == ""


def test_exponents_are_kept_and_other_raised_text_is_not_told_apart() -> None:
    high, low = (f'<w:vertAlign w:val="{each}"/>' for each in ("superscript", "subscript"))
    power = run("SAL of 10") + run("-", high) + run("6", high) + run(" on 5 cm") + run("2", high)
    assert one(power + run(" CO") + run("2", low)) == "SAL of 10⁻⁶ on 5 cm² CO2"
    assert one(run("the cells") + run("1", high) + run(" of the 5") + run("th", high)) == (
        "the cells1 of the 5th"
    )


def test_formulas_stay_readable() -> None:
    def part_of(tag: str, text: str) -> str:
        return f"<m:{tag}><m:r><m:t>{text}</m:t></m:r></m:{tag}>"

    power = f"<m:sSup>{part_of('e', '10')}{part_of('sup', '6')}</m:sSup>"
    ratio = f"<m:f>{part_of('num', 'a+b')}{part_of('den', 'c')}</m:f>"
    root = f"<m:rad><m:deg/>{part_of('e', 'x')}</m:rad>"
    assert one(f"<m:oMath>{power}</m:oMath>{run(' CFU, ')}<m:oMath>{ratio}{root}</m:oMath>") == (
        "10^6 CFU, (a+b)/c√x"
    )


def test_text_boxes_are_read_once_and_after_their_paragraph() -> None:
    box = f"<w:txbxContent>{paragraph('in the box')}</w:txbxContent>"
    both = (
        f"<mc:AlternateContent><mc:Choice Requires='wps'>{box}</mc:Choice>"
        f"<mc:Fallback><w:pict>{box}</w:pict></mc:Fallback></mc:AlternateContent>"
    )
    found = read(f"<w:p>{run('be')}<w:r>{both}</w:r>{run('fore')}</w:p>" + paragraph("after"))
    assert found.texts() == ["before", "in the box", "after"]
    assert [block.locator for block in found.blocks] == [
        ParagraphLocator(paragraph=1),
        ParagraphLocator(paragraph=2),
        ParagraphLocator(paragraph=4),
    ]
    only_fallback = (
        "<mc:AlternateContent><mc:Choice Requires='x'><w:drawing/></mc:Choice>"
        f"<mc:Fallback>{run('seen')}</mc:Fallback></mc:AlternateContent>"
    )
    assert one(only_fallback) == "seen"


def test_notes_stand_where_they_are_referred_to() -> None:
    reference = '<w:r><w:{0}Reference w:id="{1}"/></w:r>'
    body = (
        paragraph("first")
        + f"<w:p>{run('Text')}{reference.format('footnote', 2)}{run(' on')}</w:p>"
        + f"<w:p>{run('More')}{reference.format('comment', 0)}</w:p>"
    )
    notes = (
        '<w:footnote w:type="separator" w:id="0"><w:p/></w:footnote>'
        f'<w:footnote w:id="2">{paragraph("A note.")}</w:footnote>'
        f'<w:footnote w:id="3">{paragraph("referred to nowhere")}</w:footnote>'
    )
    comments = f'<w:comment w:id="0" w:author="R. Writer">{paragraph("Check.")}</w:comment>'
    found = read(
        body,
        {
            "word/footnotes.xml": part("footnotes", notes),
            "word/comments.xml": part("comments", comments),
        },
    )
    assert found.texts() == [
        "first",
        "Text on",
        "More",
        "Footnote: A note.",
        "Comment by R. Writer: Check.",
    ]
    assert found.blocks[3].locator == ParagraphLocator(paragraph=2)
    assert found.blocks[4].locator == ParagraphLocator(paragraph=3)
    assert found.blocks[3].kind is BlockKind.NOTE


def test_headers_are_read_once_each() -> None:
    header = part("hdr", paragraph("SOP-1") + "<w:tbl><w:tr><w:tc><w:p/></w:tc></w:tr></w:tbl>")
    row = "<w:tbl><w:tr><w:tc>{}</w:tc><w:tc>{}</w:tc></w:tr></w:tbl>"
    footer = part("ftr", row.format(paragraph("Rev"), paragraph("3")))
    parts = {
        "word/header1.xml": header,
        "word/header2.xml": header,
        "word/footer1.xml": footer,
    }
    found = read(paragraph("body"), parts)
    assert found.texts(BlockKind.HEADER_FOOTER) == ["SOP-1", "Rev | 3"]


def test_charts_and_embedded_files() -> None:
    chart = part(
        "c:chartSpace",
        "<c:chart><c:title><c:tx><c:rich><a:p><a:r><a:t>Drift</a:t></a:r></a:p></c:rich></c:tx>"
        "</c:title><c:ser><c:cat><c:strCache><c:pt><c:v>Lot 1</c:v></c:pt></c:strCache></c:cat>"
        "<c:val><c:numCache><c:pt><c:v>4.3</c:v></c:pt></c:numCache></c:val></c:ser></c:chart>",
    )
    inner = word_bytes(paragraph("from another file"))
    body = (
        '<w:p><w:r><w:drawing><c:chart r:id="rId1"/></w:drawing></w:r></w:p>'
        '<w:altChunk r:id="rId2"/><w:altChunk r:id="rId3"/><w:altChunk r:id="rId9"/>'
    )
    related = relations(
        {
            "rId1": ("chart", "charts/chart1.xml"),
            "rId2": ("aFChunk", "chunk.html"),
            "rId3": ("aFChunk", "/word/chunk.docx"),
        }
    )
    found = read(
        body,
        {
            "word/_rels/document.xml.rels": related,
            "word/charts/chart1.xml": chart,
            "word/chunk.html": "<html><h1>Top</h1><p>Text</p><script>no()</script></html>",
            "word/chunk.docx": inner,
        },
    )
    assert found.texts() == ["Drift\nLot 1", "Top", "Text", "from another file"]
    assert found.blocks[0].locator == ParagraphLocator(paragraph=1)
    assert found.blocks[2].heading_path == ("Top",)
    assert found.warnings == ("Content that is embedded as another file was not read.",)


def test_a_file_that_embeds_itself_over_and_over_ends() -> None:
    body = paragraph("x") + '<w:altChunk r:id="rId1"/>'
    related = relations({"rId1": ("aFChunk", "chunk.docx")})
    data = word_bytes(paragraph("innermost"))
    for _ in range(6):
        data = packed(
            {
                "word/document.xml": part("document", f"<w:body>{body}</w:body>"),
                "word/_rels/document.xml.rels": related,
                "word/chunk.docx": data,
            }
        )
    found = Read(data)
    assert found.texts() == ["x"] * 4
    assert found.warnings


def test_properties_and_custom_properties() -> None:
    core = (
        '<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:d="http://purl.org/dc/elements/1.1/"><d:title>Plan</d:title>'
        "<d:creator>R. Writer</d:creator></c:coreProperties>"
    )
    custom = (
        '<Properties xmlns:vt="vt"><property name="Document Number"><vt:lpwstr>DDP-7</vt:lpwstr>'
        '</property><property name="_dlc_DocId"><vt:lpwstr>x</vt:lpwstr></property></Properties>'
    )
    found = read(
        paragraph("x"), {"docProps/core.xml": core, "docProps/custom.xml": custom}
    ).properties
    assert (found.title, found.author) == ("Plan", "R. Writer")
    assert found.front_matter == (("Document Number", "DDP-7"),)
