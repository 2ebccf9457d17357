"""Units as Markdown: marks, headings, lists, tables and the Sources list."""

from __future__ import annotations

from phasergun_desktop.grounding.model import (
    DraftSentence,
    Footnote,
    Support,
    UnitKind,
)
from phasergun_desktop.grounding.rendering import (
    group_units,
    render_markdown,
    row_cells,
)

SOURCES = (
    Footnote(1, "context", "[1] Context: a.pdf, page 4", "A"),
    Footnote(2, "procedure", "Procedure: SOP-1.docx, Scope", "B"),
)


def test_a_whole_draft() -> None:
    units = [
        DraftSentence("Range", UnitKind.HEADING, level=1),
        DraftSentence("The range is 20 to 600 mg/dL.", citations=(1, 2), starts_paragraph=True),
        DraftSentence("It is wide.", support=Support.UNSUPPORTED),
        DraftSentence("Next.", starts_paragraph=True),
        DraftSentence("Detail", UnitKind.HEADING, level=2),
        DraftSentence("first item.", UnitKind.LIST_ITEM, (2,), starts_paragraph=True, level=1),
        DraftSentence("It goes on.", UnitKind.LIST_ITEM, level=1),
        DraftSentence("under it", UnitKind.LIST_ITEM, starts_paragraph=True, level=2),
        DraftSentence("", UnitKind.TABLE_ROW, cells=("Attribute", "Ours"), is_header=True),
        DraftSentence(
            "Range: 20",
            UnitKind.TABLE_ROW,
            citations=(1,),
            cells=("Range", "20 | 600\nmg/dL"),
            citations_per_cell=((), (1,)),
        ),
        DraftSentence("After the table."),
        DraftSentence("TODO: add the predicate.", UnitKind.TODO, starts_paragraph=True),
    ]
    assert render_markdown(units, SOURCES) == (
        "## Range\n"
        "\n"
        "The range is 20 to 600 mg/dL.[1][2] It is wide.\n"
        "\n"
        "Next.\n"
        "\n"
        "### Detail\n"
        "\n"
        "- first item.[2] It goes on.\n"
        "  - under it\n"
        "\n"
        "| Attribute | Ours |\n"
        "| --- | --- |\n"
        "| Range | 20 \\| 600 mg/dL[1] |\n"
        "\n"
        "After the table.\n"
        "\n"
        "TODO: add the predicate.\n"
        "\n"
        "---\n"
        "## Sources\n"
        "\n"
        "[1] Context: a.pdf, page 4\n"
        "[2] Procedure: SOP-1.docx, Scope\n"
    )


def test_nothing_gives_nothing_and_no_footnotes_no_list() -> None:
    assert render_markdown([], []) == ""
    assert render_markdown([DraftSentence("Hello.")], []) == "Hello.\n"


def test_a_table_without_header_gets_an_empty_one_and_short_rows_are_filled() -> None:
    rows = [
        DraftSentence("", UnitKind.TABLE_ROW, cells=("a", "b")),
        DraftSentence("", UnitKind.TABLE_ROW, cells=("c",)),
    ]
    assert render_markdown(rows, []) == "|  |  |\n| --- | --- |\n| a | b |\n| c |  |\n"


def test_every_header_row_opens_a_table() -> None:
    header = DraftSentence("", UnitKind.TABLE_ROW, cells=("h",), is_header=True)
    row = DraftSentence("", UnitKind.TABLE_ROW, cells=("r",))
    groups = group_units([header, row, header, row])
    assert [len(group.units) for group in groups] == [2, 2]


def test_no_citation_of_a_row_is_lost() -> None:
    row = DraftSentence(
        "", UnitKind.TABLE_ROW, citations=(3, 1), cells=("a", "b"), citations_per_cell=((1,),)
    )
    assert row_cells(row) == (("a", (1,)), ("b", (3,)))
