"""The pages of the manual: every link, picture and command in them is there."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from PIL import Image

from phasergun_desktop.paths import resources_path
from phasergun_desktop.ui.help.help_places import DIALOGS, PANELS
from phasergun_desktop.ui.help.manual import CONTENTS, Manual, Page, anchor_of
from phasergun_desktop.ui.window_actions import SPECS

FOLDER = resources_path() / "help"
FILES = sorted(FOLDER.glob("*.md"))
PICTURES = sorted((FOLDER / "pictures").glob("*.png"))
PLACEHOLDER = re.compile(r"\{(key|menu|table):?([a-z0-9-]*)\}")
MOST_BYTES = 150_000
# A key that is written out cannot follow the table; these belong to lists, not to the menus.
# or are a command's second key.
WRITTEN_OUT = {"Ctrl+Z", "Ctrl+Shift+A", "F12", "Ctrl+Shift+N"}


def _fill(kind: str, name: str) -> str:
    return f"<{kind} {name}>"


@pytest.fixture(scope="module")
def manual() -> Manual:
    return Manual(FOLDER, _fill)


def test_every_page_is_in_the_contents(manual: Manual) -> None:
    assert {page.name for page in manual.pages} == {path.stem for path in FILES}
    assert [page.name for page in manual.pages][:2] == [CONTENTS, "first-section"]
    assert len(manual.pages) >= 12


def test_every_link_leads_to_a_page_and_a_heading(manual: Manual) -> None:
    names = {page.name for page in manual.pages}
    for page in manual.pages:
        for link in page.links:
            if link.is_picture:
                continue
            target, _hash, anchor = link.target.partition("#")
            name = target.removesuffix(".md") or page.name
            assert name in names, f"{page.name}: {link.target}"
            assert not anchor or manual.page(name).has(anchor), f"{page.name}: {link.target}"


def test_every_picture_is_there_small_and_shown(manual: Manual) -> None:
    shown = {link.target for page in manual.pages for link in page.links if link.is_picture}
    assert shown == {f"pictures/{path.name}" for path in PICTURES}
    assert [path.name for path in PICTURES if path.stat().st_size > MOST_BYTES] == []
    assert sum(path.stat().st_size for path in PICTURES) < 2 * MOST_BYTES
    for path in PICTURES:
        with Image.open(path) as picture:
            assert picture.format == "PNG"
            picture.verify()


def test_nothing_points_outside_the_manual(manual: Manual) -> None:
    for page in manual.pages:
        assert "://" not in page.markdown, page.name
        assert "<img" not in page.markdown, page.name


def test_every_command_that_is_named_exists() -> None:
    names = {spec.name for spec in SPECS}
    for path in FILES:
        for kind, name in PLACEHOLDER.findall(path.read_text(encoding="utf-8")):
            assert kind == "table" or name in names, f"{path.name}: {name}"


def test_keys_come_from_the_table() -> None:
    for path in FILES:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\{(?!key:|menu:|table:)", text), path.name
        written = set(re.findall(r"\b(?:Ctrl|Shift|Alt)(?:\+\w+)+|\bF\d{1,2}\b", text))
        ours = {keys for spec in SPECS for keys in spec.keys}
        assert written & ours <= WRITTEN_OUT | {"Alt+Up", "Alt+Down"}, path.name


def test_titles_of_the_contents_are_those_of_the_pages() -> None:
    contents = (FOLDER / f"{CONTENTS}.md").read_text(encoding="utf-8")
    for title, name in re.findall(r"\[([^\]]+)\]\(([\w-]+)\.md\)", contents):
        first = (FOLDER / f"{name}.md").read_text(encoding="utf-8").split("\n", 1)[0]
        assert first == f"# {title}"


def test_the_places_of_panels_and_dialogs_exist(manual: Manual) -> None:
    for place in (*PANELS.values(), *DIALOGS.values()):
        page, _hash, anchor = place.partition("#")
        assert manual.page(page).name == page
        assert not anchor or manual.page(page).has(anchor), place


def test_headings_have_anchors_of_their_own(manual: Manual) -> None:
    for page in manual.pages:
        anchors = [one.anchor for one in page.sections]
        assert len(set(anchors)) == len(anchors), page.name
    assert anchor_of("Headings, lists and tables") == "headings-lists-and-tables"


def test_search_finds_sections_by_all_their_words(manual: Manual) -> None:
    found = manual.search("Tesseract scans")
    assert [(one.section.page, one.section.anchor) for one in found] == [("projects", "scans")]
    assert "tesseract" in found[0].snippet
    assert manual.search("gap todo")[0].section.anchor == "gaps"
    assert manual.search("quartz penguin") == ()
    assert manual.search("  ") == ()
    # What the title says comes first.
    assert manual.search("versions")[0].section.title == "Versions"


def test_what_is_searched_is_what_is_read(manual: Manual) -> None:
    texts = [section.text for page in manual.pages for section in page.sections]
    assert [text for text in texts if "](" in text or "**" in text or "---" in text] == []


def test_an_unknown_page_is_the_contents(tmp_path: Path) -> None:
    (tmp_path / "index.md").write_text("# All\n\n- [One](one.md)\n")
    (tmp_path / "one.md").write_text("# One\n\nA {key:undo} here.\n")
    manual = Manual(tmp_path, _fill)
    assert manual.page("nowhere").name == CONTENTS
    one: Page = manual.page("one")
    assert one.sections[0].text == "A <key undo> here."
