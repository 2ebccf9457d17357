"""Tables of Word files: merged cells, nested tables, headers, captions, numbers in cells."""

from __future__ import annotations

from phasergun_desktop.documents.model import BlockKind, ParagraphLocator
from tests.documents.word.word_samples import cell, paragraph, part, read, table


def test_merged_cells_are_repeated() -> None:
    header = cell("Part") + cell("No") + cell("Use")
    rows = (
        header,
        cell("Meter", '<w:vMerge w:val="restart"/>') + cell("G-1") + cell("read"),
        cell("", "<w:vMerge/>") + cell("both", '<w:gridSpan w:val="2"/>'),
        cell("Old", '<w:hMerge w:val="restart"/>') + cell("", "<w:hMerge/>") + cell("x"),
    )
    found = read(table(*rows))
    assert found.texts() == [
        "Part | No | Use",
        "Part: Meter; No: G-1; Use: read",
        "Part: Meter; No: both; Use: both",
        "Part: Old; No: Old; Use: x",
    ]
    assert found.blocks[2].cells == (("Part", "Meter"), ("No", "both"), ("Use", "both"))
    assert found.blocks[2].locator == ParagraphLocator(table=1, row=3)


def test_header_rows_of_two_levels() -> None:
    bold = "<w:tc>{}<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>{}</w:t></w:r></w:p></w:tc>"
    down, up = '<w:tcPr><w:vMerge w:val="restart"/></w:tcPr>', "<w:tcPr><w:vMerge/></w:tcPr>"
    wide = '<w:tcPr><w:gridSpan w:val="2"/></w:tcPr>'
    found = read(
        table(
            bold.format(down, "Test") + bold.format(wide, "Result"),
            bold.format(up, "") + bold.format("", "Day 1") + bold.format("", "Day 2"),
            cell("Bias") + cell("low") + cell("high"),
        )
    )
    assert found.texts()[-1] == "Test: Bias; Result Day 1: low; Result Day 2: high"
    assert [block.is_table_header for block in found.blocks] == [True, True, False]


def test_the_title_of_a_form_is_no_header() -> None:
    wide = '<w:gridSpan w:val="2"/>'
    found = read(
        table(
            cell("Complaint form", wide) + cell("Number"),
            cell("Name") + cell("Street") + cell("Town"),
            cell("a") + cell("b") + cell("c"),
        )
    )
    assert found.texts() == ["Complaint form | Number", "Name | Street | Town", "a | b | c"]
    assert not any(block.is_table_header for block in found.blocks)


def test_deleted_rows_and_cells_are_left_out() -> None:
    deleted_row = '<w:trPr><w:del w:id="1"/></w:trPr>' + cell("gone") + cell("too")
    found = read(table(cell("a") + cell("b"), deleted_row, cell("c") + cell("x", "<w:cellDel/>")))
    assert found.texts() == ["a: b", "c"]
    assert found.blocks[1].locator == ParagraphLocator(table=1, row=3)


def test_nested_tables_and_text_boxes_in_cells() -> None:
    inner = table(cell("in 1") + cell("in 2"))
    box = f"<w:r><w:pict><w:txbxContent>{paragraph('boxed')}</w:txbxContent></w:pict></w:r>"
    outer = f"<w:tc>{paragraph('out')}{inner}<w:p>{box}</w:p></w:tc>" + cell("right")
    second = cell("second") + cell("row")
    found = read(table(outer, second) + table(cell("next") + cell("table")))
    assert found.texts() == ["out: right", "in 1: in 2", "boxed", "second: row", "next: table"]
    assert [block.locator for block in found.blocks] == [
        ParagraphLocator(table=1, row=1),
        ParagraphLocator(table=2, row=1),
        ParagraphLocator(table=1, row=1, column=1),
        ParagraphLocator(table=1, row=2),
        ParagraphLocator(table=3, row=1),
    ]


def test_captions_end_the_heading_path_of_rows() -> None:
    caption = '<w:pStyle w:val="Caption"/>'
    styles = part(
        "styles",
        '<w:style w:type="paragraph" w:styleId="Caption"><w:name w:val="caption"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="H1"><w:name w:val="heading 1"/></w:style>',
    )
    rows = table(cell("a") + cell("b"))
    body = (
        paragraph("Results", '<w:pStyle w:val="H1"/>')
        + paragraph("Table 1 Bias", caption)
        + "<w:p/>"
        + rows
        + paragraph("text")
        + rows
        + paragraph("Table 2: Drift")
        + paragraph("text")
        + paragraph("Figure 1 A meter", caption)
        + rows
    )
    found = read(body, {"word/styles.xml": styles})
    paths = [block.heading_path for block in found.blocks if block.kind is BlockKind.TABLE_ROW]
    assert paths == [("Results", "Table 1 Bias"), ("Results", "Table 2: Drift"), ("Results",)]
    assert found.texts(BlockKind.CAPTION) == ["Table 1 Bias", "Table 2: Drift", "Figure 1 A meter"]
    assert found.blocks[3].heading_path == ("Results",)


def test_numbers_are_said_in_rows_and_left_out_of_cells() -> None:
    numbering = part(
        "numbering",
        '<w:abstractNum w:abstractNumId="0"><w:lvl w:ilvl="0"><w:start w:val="1"/>'
        '<w:numFmt w:val="decimal"/><w:lvlText w:val="REQ-%1"/></w:lvl></w:abstractNum>'
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>',
    )
    numbered = '<w:numPr><w:numId w:val="1"/></w:numPr>'
    only_number = f"<w:tc>{paragraph('', numbered)}</w:tc>"
    several = f"<w:tc>{paragraph('one', numbered)}{paragraph('two', numbered)}</w:tc>"
    found = read(
        table(only_number + cell("shall read"), only_number + cell(""), only_number + several),
        {"word/numbering.xml": numbering},
    )
    assert found.texts() == ["REQ-1: shall read", "REQ-3: REQ-4 one\nREQ-5 two"]
    assert found.blocks[1].cells == (("", "REQ-3"), ("", "one\ntwo"))


def test_the_first_row_may_be_bold_by_the_style_of_the_table() -> None:
    styles = part(
        "styles",
        '<w:style w:type="table" w:styleId="Grid"><w:name w:val="Grid"/>'
        '<w:tblStylePr w:type="firstRow"><w:rPr><w:b/></w:rPr></w:tblStylePr></w:style>',
    )
    look = '<w:tblPr><w:tblStyle w:val="Grid"/><w:tblLook w:val="04A0"/></w:tblPr>'
    rows = "".join(
        f"<w:tr>{cell(left)}{cell(right)}</w:tr>" for left, right in (("Alpha", "Beta"), ("1", "2"))
    )
    found = read(f"<w:tbl>{look}{rows}</w:tbl>", {"word/styles.xml": styles})
    assert found.texts() == ["Alpha | Beta", "Alpha: 1; Beta: 2"]
