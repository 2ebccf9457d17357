"""Numbers of lists and headings come out as Word shows them."""

from __future__ import annotations

import pytest

from phasergun_desktop.documents.model import BlockKind
from phasergun_desktop.documents.word.numbering import spelled
from tests.documents.word.word_samples import paragraph, part, read


def level(depth: int, text: str, number_format: str = "decimal", more: str = "") -> str:
    return (
        f'<w:lvl w:ilvl="{depth}"><w:start w:val="1"/><w:numFmt w:val="{number_format}"/>{more}'
        f'<w:lvlText w:val="{text}"/></w:lvl>'
    )


def item(text: str, list_id: int = 1, depth: int = 0) -> str:
    return paragraph(
        text, f'<w:numPr><w:ilvl w:val="{depth}"/><w:numId w:val="{list_id}"/></w:numPr>'
    )


def numbering(levels: str, lists: str = "") -> dict[str, str | bytes]:
    content = (
        f'<w:abstractNum w:abstractNumId="7">{levels}</w:abstractNum>'
        f'<w:num w:numId="1"><w:abstractNumId w:val="7"/></w:num>{lists}'
    )
    return {"word/numbering.xml": part("numbering", content)}


OUTLINE = (
    level(0, "%1.") + level(1, "%1.%2") + level(2, "%1.%2.%3") + level(3, "(%4)", "lowerLetter")
)


def test_levels_count_and_restart() -> None:
    found = read(
        item("a")
        + item("b", depth=1)
        + item("c", depth=1)
        + item("d", depth=3)
        + item("e", depth=3)
        + item("f")
        + item("g", depth=1)
        + item("h", depth=2),
        numbering(OUTLINE),
    )
    assert found.texts() == [
        "1. a",
        "1.1 b",
        "1.2 c",
        "(a) d",
        "(b) e",
        "2. f",
        "2.1 g",
        "2.1.1 h",
    ]
    assert {block.kind for block in found.blocks} == {BlockKind.LIST_ITEM}
    assert [block.level for block in found.blocks] == [1, 2, 2, 4, 4, 1, 2, 3]


def test_a_skipped_level_counts_as_begun() -> None:
    found = read(item("a") + item("b", depth=2) + item("c", depth=1), numbering(OUTLINE))
    assert found.texts() == ["1. a", "1.1.1 b", "1.2 c"]


def test_lists_of_one_definition_count_on_unless_they_state_a_start() -> None:
    restarted = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">'
        '<w:startOverride w:val="10"/></w:lvlOverride></w:num>'
    )
    lists = (1, 2, 3, 3, 1, 3, 2)
    body = "".join(item(text, each) for text, each in zip("abcdefg", lists, strict=True))
    assert read(body, numbering(OUTLINE, restarted)).texts() == [
        "1. a",
        "2. b",
        "10. c",
        "11. d",
        "12. e",
        "13. f",
        "14. g",
    ]


def test_an_override_may_replace_a_level() -> None:
    replaced = (
        '<w:num w:numId="2"><w:abstractNumId w:val="7"/><w:lvlOverride w:ilvl="0">'
        f"{level(0, 'Step %1:', 'upperRoman')}</w:lvlOverride></w:num>"
    )
    found = read(item("a", 2) + item("b", 2), numbering(OUTLINE, replaced))
    assert found.texts() == ["Step I: a", "Step II: b"]


@pytest.mark.parametrize(
    ("restart", "used", "expected"),
    [("0", 0, "3"), ("0", 1, "3"), ("1", 0, "1"), ("1", 1, "3"), ("2", 0, "1"), ("2", 1, "1")],
)
def test_a_level_may_restart_rarely(restart: str, used: int, expected: str) -> None:
    levels = (
        level(0, "%1.")
        + level(1, "%2)")
        + level(2, "%3]", more=f'<w:lvlRestart w:val="{restart}"/>')
    )
    body = item("a") + item("b", depth=1) + item("c", depth=2) + item("d", depth=2)
    body += item("e", depth=used) + item("f", depth=2)
    assert read(body, numbering(levels)).texts()[-1] == f"{expected}] f"


def test_legal_numbers_are_decimal_and_separators_are_kept() -> None:
    levels = (
        level(0, "Article %1", "upperRoman")
        + level(1, "§%1.%2", "upperLetter", "<w:isLgl/>")
        + level(2, "%3)", more='<w:suff w:val="nothing"/>')
    )
    found = read(item("a") + item("b", depth=1) + item("c", depth=2), numbering(levels))
    assert found.texts() == ["Article I a", "§1.1 b", "1)c"]


def test_bullets_and_items_without_number_are_no_text() -> None:
    levels = level(0, "•", "bullet") + level(1, "", "none")
    found = read(item("a") + item("b", depth=1) + item("c", 0), numbering(levels))
    assert found.texts() == ["a", "b", "c"]
    assert [block.kind for block in found.blocks] == [
        BlockKind.LIST_ITEM,
        BlockKind.PARAGRAPH,
        BlockKind.PARAGRAPH,
    ]


def test_empty_and_deleted_paragraphs() -> None:
    deleted = (
        '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="1"/></w:numPr>'
        '<w:rPr><w:del w:id="1"/></w:rPr></w:pPr>'
        '<w:del w:id="2"><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>'
    )
    found = read(item("a") + item("") + deleted + item("b"), numbering(OUTLINE))
    assert found.texts() == ["1. a", "3. b"]


def test_headings_are_numbered_by_their_styles() -> None:
    styles = part(
        "styles",
        '<w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/><w:pPr>'
        '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2,Sub"/>'
        '<w:basedOn w:val="berschrift1"/><w:pPr><w:numPr><w:ilvl w:val="1"/></w:numPr></w:pPr>'
        '</w:style><w:style w:type="paragraph" w:styleId="Own"><w:name w:val="Our Heading"/>'
        '<w:basedOn w:val="H2"/></w:style>',
    )
    body = "".join(
        paragraph(text, f'<w:pStyle w:val="{style}"/>')
        for text, style in (("Scope", "berschrift1"), ("Use", "H2"), ("Users", "Own"))
    )
    plain = paragraph(
        "Annex", '<w:pStyle w:val="berschrift1"/><w:numPr><w:numId w:val="0"/></w:numPr>'
    )
    found = read(body + plain, {"word/styles.xml": styles, **numbering(OUTLINE)})
    assert found.texts() == ["1. Scope", "1.1 Use", "1.2 Users", "Annex"]
    assert [(block.kind, block.level) for block in found.blocks] == [
        (BlockKind.HEADING, 1),
        (BlockKind.HEADING, 2),
        (BlockKind.HEADING, 2),
        (BlockKind.HEADING, 1),
    ]
    assert found.blocks[2].heading_path == ("1. Scope",)


def test_a_list_may_name_the_level_of_a_style_and_be_defined_by_one() -> None:
    styles = part(
        "styles",
        '<w:style w:type="paragraph" w:styleId="Clause"><w:name w:val="Clause"/><w:pPr>'
        '<w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style>'
        '<w:style w:type="numbering" w:styleId="Lists"><w:name w:val="Lists"/><w:pPr>'
        '<w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>',
    )
    linked = (
        '<w:abstractNum w:abstractNumId="8"><w:numStyleLink w:val="Lists"/></w:abstractNum>'
        '<w:num w:numId="2"><w:abstractNumId w:val="8"/></w:num>'
    )
    levels = level(0, "%1.") + level(1, "%1.%2", more='<w:pStyle w:val="Clause"/>')
    body = item("a") + paragraph("b", '<w:pStyle w:val="Clause"/>')
    found = read(body, {"word/styles.xml": styles, **numbering(levels, linked)})
    assert found.texts() == ["1. a", "1.1 b"]


@pytest.mark.parametrize(
    ("count", "number_format", "expected"),
    [
        (7, "decimal", "7"),
        (7, "decimalZero", "07"),
        (14, "lowerRoman", "xiv"),
        (1999, "upperRoman", "MCMXCIX"),
        (27, "lowerLetter", "aa"),
        (54, "upperLetter", "BBB"),
        (0, "lowerLetter", "0"),
        (4, "some format of tomorrow", "4"),
    ],
)
def test_formats(count: int, number_format: str, expected: str) -> None:
    assert spelled(count, number_format) == expected
