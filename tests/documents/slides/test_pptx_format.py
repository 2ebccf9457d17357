"""Presentations: slides, titles, shapes in reading order, tables, charts, notes, comments."""

from __future__ import annotations

import re

import pytest
from pptx.enum.chart import XL_CHART_TYPE
from pptx.oxml import parse_xml
from pptx.util import Inches

from phasergun_desktop.documents.builder import DocumentBuilder
from phasergun_desktop.documents.container import zip_parts
from phasergun_desktop.documents.metadata import FileProperties
from phasergun_desktop.documents.model import Block, BlockKind, SlideLocator
from phasergun_desktop.documents.slides.pptx_format import read_pptx
from phasergun_desktop.errors import DocumentError, DocumentProblem
from tests.documents.slides.deck_files import (
    BLANK,
    TITLE_AND_BODY,
    TITLE_ONLY,
    add_text,
    chart_data,
    deck,
    repacked,
    saved,
    with_part,
)

DRAWING = "http://schemas.openxmlformats.org/drawingml/2006/main"
SLIDE = re.compile(r"ppt/slides/slide1\.xml")


class Read:
    """What came out of a file."""

    def __init__(self, data: bytes) -> None:
        self.builder = DocumentBuilder()
        self.properties: FileProperties = read_pptx(data, self.builder)

    @property
    def warnings(self) -> tuple[str, ...]:
        return self.builder.warnings

    def blocks(self, kind: BlockKind | None = None) -> list[Block]:
        return [block for block in self.builder.blocks if kind in (None, block.kind)]

    def texts(self, kind: BlockKind | None = None) -> list[str]:
        text = self.builder.text
        return [text[block.start : block.end] for block in self.blocks(kind)]


def test_slides_come_in_order_with_title_body_and_notes() -> None:
    presentation = deck()
    presentation.core_properties.title = "Design review 3"
    presentation.core_properties.author = "R. Writer"
    for number in (1, 2):
        slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_AND_BODY])
        slide.shapes.title.text = f"Topic {number}"
        slide.placeholders[1].text = f"first {number}\nsecond"
        slide.notes_slide.notes_text_frame.text = f"say this {number}"
    read = Read(saved(presentation))
    assert read.properties.title == "Design review 3"
    assert read.properties.author == "R. Writer"
    assert read.properties.pages == 2
    assert read.texts() == [
        "Topic 1",
        "first 1",
        "second",
        "say this 1",
        "Topic 2",
        "first 2",
        "second",
        "say this 2",
    ]
    item = BlockKind.LIST_ITEM
    kinds = [BlockKind.HEADING, item, item, BlockKind.PARAGRAPH]
    assert [block.kind for block in read.blocks()] == kinds * 2
    assert read.blocks()[0].level == 1
    body, notes = read.blocks()[5], read.blocks()[7]
    assert (body.locator, body.heading_path) == (SlideLocator(2, 2), ("Topic 2",))
    assert notes.locator == SlideLocator(2)
    assert notes.heading_path == ("Topic 2", "Speaker notes")


def test_shapes_are_read_row_by_row_and_numbered_as_in_the_file() -> None:
    presentation = deck()
    slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
    add_text(slide, "right below", 5, 4)
    add_text(slide, "left below", 1, 4.1)
    add_text(slide, "right above", 5, 2)
    add_text(slide, "left above", 1, 2.1)
    slide.shapes.title.text = "Title"
    read = Read(saved(presentation))
    assert read.texts() == ["Title", "left above", "right above", "left below", "right below"]
    assert [block.locator for block in read.blocks()] == [
        SlideLocator(1, number) for number in (1, 5, 4, 3, 2)
    ]


def test_members_of_a_group_stay_together() -> None:
    presentation = deck()
    slide = presentation.slides.add_slide(presentation.slide_layouts[BLANK])
    add_text(slide, "beside", 6, 1)
    group = slide.shapes.add_group_shape()
    add_text(group, "in group, below", 1, 3)
    add_text(group, "in group, above", 1, 1)
    inner = group.shapes.add_group_shape()
    add_text(inner, "inner", 1, 5)
    read = Read(saved(presentation))
    assert read.texts() == ["in group, above", "in group, below", "inner", "beside"]


def test_a_slide_without_title_stands_under_no_heading() -> None:
    presentation = deck()
    first = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
    first.shapes.title.text = "First"
    second = presentation.slides.add_slide(presentation.slide_layouts[BLANK])
    add_text(second, "alone", 1, 1)
    read = Read(saved(presentation))
    assert read.blocks()[-1].heading_path == ()


def test_table_rows_carry_headers_and_repeat_merged_cells() -> None:
    presentation = deck()
    slide = presentation.slides.add_slide(presentation.slide_layouts[BLANK])
    frame = slide.shapes.add_table(4, 3, Inches(1), Inches(1), Inches(6), Inches(2))
    cells = (
        ("Test", "Limit", "Result"),
        ("Drop", "1 m", "pass"),
        ("Leak", "", "none"),
        ("x", "y", ""),
    )
    for row, texts in enumerate(cells):
        for column, text in enumerate(texts):
            frame.table.cell(row, column).text = text
    frame.table.cell(2, 0).merge(frame.table.cell(2, 1))
    frame.table.cell(1, 2).merge(frame.table.cell(3, 2))
    frame.table.cell(1, 2).text = "pass"
    read = Read(saved(presentation))
    rows = read.blocks(BlockKind.TABLE_ROW)
    assert rows[0].is_table_header
    assert [row.cells for row in rows[1:]] == [
        (("Test", "Drop"), ("Limit", "1 m"), ("Result", "pass")),
        (("Test", "Leak"), ("Limit", "Leak"), ("Result", "pass")),
        (("Test", "x"), ("Limit", "y"), ("Result", "pass")),
    ]
    assert {row.locator for row in rows} == {SlideLocator(1, 1)}


def test_chart_gives_its_title_categories_and_values() -> None:
    presentation = deck()
    slide = presentation.slides.add_slide(presentation.slide_layouts[BLANK])
    data = chart_data(["Lot A", "Lot B"], {"Passed": (0.984, 1.0), "Failed": (0.016, None)}, "0.0%")
    chart = slide.shapes.add_chart(
        XL_CHART_TYPE.COLUMN_CLUSTERED, Inches(1), Inches(1), Inches(5), Inches(3), data
    ).chart
    chart.has_title = True
    chart.chart_title.text_frame.text = "Drop test"
    read = Read(saved(presentation))
    assert read.texts(BlockKind.SLIDE) == ["Drop test"]
    assert [row.cells for row in read.blocks(BlockKind.TABLE_ROW)[1:]] == [
        (("", "Lot A"), ("Passed", "98.4%"), ("Failed", "1.6%")),
        (("", "Lot B"), ("Passed", "100%")),
    ]


def with_shape(xml: str) -> bytes:
    """A presentation of one blank slide with ``xml`` among its shapes."""
    presentation = deck()
    presentation.slides.add_slide(presentation.slide_layouts[BLANK])

    def change(name: str, part: bytes) -> bytes:
        if SLIDE.fullmatch(name):
            spaces = (
                b'<p:sld xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" '
                b'xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
            )
            part = part.replace(b"<p:sld ", spaces, 1)
            return part.replace(b"</p:spTree>", xml.encode() + b"</p:spTree>")
        return part

    return repacked(saved(presentation), change)


def shape(text: str, extra: str = "") -> str:
    return (
        f'<p:sp><p:nvSpPr><p:cNvPr id="9" name="n" {extra}/><p:cNvSpPr/><p:nvPr/></p:nvSpPr>'
        "<p:spPr/>"
        f"<p:txBody><a:bodyPr/><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
    )


def test_of_alternatives_one_is_read() -> None:
    xml = (
        f'<mc:AlternateContent><mc:Choice Requires="p14">{shape("new")}</mc:Choice>'
        f"<mc:Fallback>{shape('old')}</mc:Fallback></mc:AlternateContent>"
        '<mc:AlternateContent><mc:Choice Requires="x"><p:contentPart/></mc:Choice>'
        f"<mc:Fallback>{shape('only here')}</mc:Fallback></mc:AlternateContent>"
    )
    assert Read(with_shape(xml)).texts() == ["new", "only here"]


def test_hidden_shapes_are_left_out_and_a_break_parts_no_sentence() -> None:
    xml = shape("hidden", 'hidden="1"') + shape("one_x000B_two")
    assert Read(with_shape(xml)).texts() == ["one two"]


def test_exponents_are_kept() -> None:
    xml = shape('10</a:t></a:r><a:r><a:rPr baseline="30000"/><a:t>-6</a:t></a:r><a:r><a:t> SAL')
    lowered = shape('CO</a:t></a:r><a:r><a:rPr baseline="-25000"/><a:t>2')
    assert Read(with_shape(xml + lowered)).texts() == ["10⁻⁶ SAL", "CO2"]


def test_diagram_texts_follow_their_tree() -> None:
    frame = (
        '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="4" name="d"/><p:cNvGraphicFramePr/>'
        f'<p:nvPr/></p:nvGraphicFramePr><a:graphic xmlns:a="{DRAWING}"><a:graphicData>'
        '<dgm:relIds r:dm="rIdNew"/></a:graphicData></a:graphic></p:graphicFrame>'
    )

    def point(name: str, text: str, kind: str = "node") -> str:
        return (
            f'<dgm:pt modelId="{name}" type="{kind}"><dgm:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p>'
            "</dgm:t></dgm:pt>"
        )

    def link(source: str, target: str, order: int) -> str:
        return f'<dgm:cxn srcId="{source}" destId="{target}" srcOrd="{order}"/>'

    model = (
        f'<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" '
        f'xmlns:a="{DRAWING}"><dgm:ptLst>{point("0", "", "doc")}{point("b", "Build")}'
        f"{point('p', 'Plan')}{point('r', 'Risks')}{point('t', 'arrow', 'sibTrans')}</dgm:ptLst>"
        f"<dgm:cxnLst>{link('0', 'b', 10)}{link('0', 'p', 2)}{link('p', 'r', 0)}</dgm:cxnLst>"
        "</dgm:dataModel>"
    )
    data = with_part(with_shape(frame), "diagramData", "ppt/diagrams/data1.xml", model)
    assert Read(data).texts() == ["Plan", "Risks", "Build"]


def test_comments_of_both_kinds_are_notes() -> None:
    old = (
        '<p:cmLst xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main">'
        "<p:cm><p:text>check the limit</p:text></p:cm></p:cmLst>"
    )
    body = "<p188:txBody><a:p><a:r><a:t>{}</a:t></a:r></a:p></p188:txBody>"
    new = (
        f'<p188:cmLst xmlns:p188="http://schemas.microsoft.com/office/powerpoint/2018/8/main" '
        f'xmlns:a="{DRAWING}"><p188:cm><p188:replyLst><p188:reply>{body.format("it is 5")}'
        f"</p188:reply></p188:replyLst>{body.format('which limit?')}</p188:cm></p188:cmLst>"
    )
    for xml, expected in ((old, ["check the limit"]), (new, ["which limit?", "it is 5"])):
        data = with_part(with_shape(shape("text")), "comments", "ppt/comments/c1.xml", xml)
        read = Read(data)
        assert read.texts(BlockKind.NOTE) == [f"Comment: {text}" for text in expected]
        assert read.blocks(BlockKind.NOTE)[0].locator == SlideLocator(1)


def test_what_slides_share_is_told_once_and_not_chunked() -> None:
    presentation = deck()
    for _ in range(2):
        slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
        slide.shapes.title.text = "T"
    footer = (
        '<p:sp><p:nvSpPr><p:cNvPr id="9" name="f"/><p:cNvSpPr/><p:nvPr><p:ph type="ftr"/></p:nvPr>'
        "</p:nvSpPr><p:spPr/><p:txBody><a:bodyPr/><a:p><a:r><a:t>Confidential</a:t></a:r></a:p>"
        "</p:txBody></p:sp>"
    )

    def change(name: str, part: bytes) -> bytes:
        if name.startswith("ppt/slides/slide"):
            return part.replace(b"</p:spTree>", footer.encode() + b"</p:spTree>")
        if name == "ppt/slideLayouts/slideLayout6.xml":
            return part.replace(b"</p:spTree>", shape("Vital Company").encode() + b"</p:spTree>")
        return part

    read = Read(repacked(saved(presentation), change))
    assert read.texts(BlockKind.HEADER_FOOTER) == ["Confidential", "Vital Company"]
    assert not any(block.heading_path for block in read.blocks(BlockKind.HEADER_FOOTER))


def test_hidden_slides_are_read_and_said() -> None:
    data = repacked(
        with_shape(shape("still read")),
        lambda name, part: (
            part.replace(b"<p:sld ", b'<p:sld show="0" ', 1) if SLIDE.fullmatch(name) else part
        ),
    )
    read = Read(data)
    assert read.texts() == ["still read"]
    assert read.warnings == ("Slides that are hidden in the show were read too: 1.",)


def test_strict_files_and_files_with_macros_are_read() -> None:
    data = with_shape(shape("text"))
    macros = repacked(
        data,
        lambda name, part: part.replace(
            b"presentationml.presentation.main+xml", b"ms-powerpoint.presentation.macroEnabled"
        ),
    )
    assert Read(macros).texts() == ["text"]
    spaces = (
        ("presentationml/2006/main", "presentationml/main"),
        ("drawingml/2006/main", "drawingml/main"),
        ("officeDocument/2006/relationships", "officeDocument/relationships"),
    )

    def strict(name: str, part: bytes) -> bytes:
        for usual, spelled in spaces:
            part = part.replace(
                f"http://schemas.openxmlformats.org/{usual}".encode(),
                f"http://purl.oclc.org/ooxml/{spelled}".encode(),
            )
        return part

    assert Read(repacked(data, strict)).texts() == ["text"]


def test_a_broken_slide_does_not_take_the_others_along() -> None:
    presentation = deck()
    for text in ("one", "two"):
        slide = presentation.slides.add_slide(presentation.slide_layouts[BLANK])
        add_text(slide, text, 1, 1)
    data = repacked(
        saved(presentation), lambda name, part: part[:-40] if SLIDE.fullmatch(name) else part
    )
    read = Read(data)
    assert read.texts() == ["one", "two"]
    assert read.blocks()[1].locator == SlideLocator(2, 1)
    assert len(read.warnings) == 1
    assert "Slide 1 was not read to its end" in read.warnings[0]


def test_slides_are_found_without_the_part_that_lists_them() -> None:
    data = repacked(
        with_shape(shape("text")),
        lambda name, part: None if name == "ppt/presentation.xml" else part,
    )
    assert Read(data).texts() == ["text"]


def test_entities_are_left_out() -> None:
    bomb = '<!DOCTYPE p [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]><p:sld xmlns:p="x">&b;</p:sld>'
    for spelled in (bomb.encode(), ('<?xml version="1.0"?>' + bomb).encode("utf-16")):

        def change(name: str, part: bytes, spelled: bytes = spelled) -> bytes:
            return spelled if SLIDE.fullmatch(name) else part

        read = Read(repacked(with_shape(shape("text")), change))
        assert not read.texts()
        assert any("XML entities of its own" in warning for warning in read.warnings)


def test_a_bomb_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    data = with_shape(shape("text"))
    monkeypatch.setattr(zip_parts, "MAX_PART_BYTES", 400)
    with pytest.raises(DocumentError, match="unreasonable size"):
        read_pptx(data, DocumentBuilder())


def test_a_cut_off_file_is_read_as_far_as_it_goes() -> None:
    data = with_shape(shape("text"))
    with pytest.raises(DocumentError) as raised:
        read_pptx(data[:20], DocumentBuilder())
    assert raised.value.problem is DocumentProblem.DAMAGED
    read = Read(data[: data.index(b"PK\x01\x02")])
    assert read.texts() == ["text"]
    assert "cut off" in read.warnings[0]


def test_a_slide_that_is_nested_too_deeply_does_not_end_the_others() -> None:
    deep = "<p:grpSp>" * 3_000 + "</p:grpSp>" * 3_000
    read = Read(with_shape(f"{shape('text')}{deep}"))
    assert "nested too deeply" in read.warnings[0]


def test_the_stand_in_of_a_slide_number_is_not_text() -> None:
    presentation = deck()
    slide = presentation.slides.add_slide(presentation.slide_layouts[TITLE_ONLY])
    slide.shapes.title.text = "Title"
    add_text(slide, "Part FIELD here", 1, 2)
    part = f'<a:fld xmlns:a="{DRAWING}" id="{{0}}" type="slidenum"><a:t>%s</a:t></a:fld>'
    for shown, wanted in (("&lt;number&gt;", "Part FIELD here"), ("7", "Part FIELD here7")):
        paragraph = slide.shapes[-1].text_frame.paragraphs[0]._p
        for old in paragraph.findall(f"{{{DRAWING}}}fld"):
            paragraph.remove(old)
        paragraph.append(parse_xml(part % shown))
        assert Read(saved(presentation)).texts()[1] == wanted
