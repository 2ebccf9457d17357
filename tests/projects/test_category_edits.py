"""Entries of categories.yaml are changed where they stand; all the rest stays as it was written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from phasergun_desktop.profiles.yaml_nodes import YamlProblem
from phasergun_desktop.projects.categories import (
    CategoryEntry,
    normalise_category,
    parse_categories,
)
from phasergun_desktop.projects.category_edits import ALL_LOST, edit_categories

TEXT = """# Of the whole company. ä😀
documents:
  # Procedures first.
  Procedures/SOPs/a.docx: {category: capa, owner: "Anna: B"}   # see QA
  'Context/General/b.md':
    kind: regulation   # 21 CFR
    reviewed: {by: [Ben, 7], on: 2024-01-02}
  Context/General/c.md: {kind: standard}
# The end.
"""
NEW = CategoryEntry("risk_management", "procedure", ("x", "a, b"), "internal: yes")


def test_the_rest_of_the_file_stays_as_it_was() -> None:
    made = edit_categories(TEXT, {"Procedures/SOPs/A.docx": NEW})
    assert made.lost == ()
    wanted = (
        "  Procedures/SOPs/a.docx: {category: risk_management, kind: procedure, "
        'tags: [x, "a, b"], confidentiality: "internal: yes", owner: "Anna: B"}   # see QA'
    )
    before = TEXT.split("\n")
    assert made.text.split("\n") == [*before[:3], wanted, *before[4:]]


def test_a_comment_inside_a_changed_entry_is_told() -> None:
    made = edit_categories(TEXT, {"Context/General/b.md": CategoryEntry(kind="guidance")})
    assert made.lost == ("The comments inside the entry of Context/General/b.md.",)
    assert "b.md': {kind: guidance, reviewed: {by: [Ben, 7], " in made.text
    assert "# see QA" in made.text
    assert "# The end." in made.text
    assert parse_categories(made.text).entry("Context/General/c.md").kind == "standard"


def test_a_new_file_comes_behind_the_last_one() -> None:
    made = edit_categories(TEXT, {"Context/new: [1].md": CategoryEntry(kind="plan")})
    assert made.lost == ()
    lines = made.text.split("\n")
    assert lines[8] == '  "Context/new: [1].md": {kind: plan}'
    assert lines[9] == "# The end."
    windows = edit_categories(TEXT.replace("\n", "\r\n"), {"d.md": CategoryEntry(kind="plan")})
    assert windows.text.count("\r\n") == windows.text.count("\n") == TEXT.count("\n") + 1


def test_an_entry_is_emptied() -> None:
    made = edit_categories(TEXT, {"Context/General/c.md": CategoryEntry()})
    assert parse_categories(made.text).entry("Context/General/c.md") == CategoryEntry()
    assert "Context/General/c.md: {}" in made.text


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Only a comment.\n",
        "documents:\n",
        "documents:\n# nothing\n",
        "other: 1",
        "documents: {a.md: {kind: plan}}\n",
        "documents: {}",
        "{documents: {a.md: {kind: plan}}}",
        "documents:\n  a.md: {kind: plan}",
        "documents:\n    a.md:\n        kind: plan\n\n\nother: x\n",
        "documents:\n  a.md:\n    kind: |\n      plan\n  b.md: {}\n",
        "documents:\n  ? a.md\n  : {kind: plan}\n",
    ],
)
def test_whatever_its_form_the_entry_is_there_afterwards(text: str) -> None:
    for file in ("a.md", "Context/z.md"):
        made = edit_categories(text, {file: NEW})
        after = parse_categories(made.text)
        assert after.entry(file) == NEW
        before = parse_categories(text)
        others = [one for one in before.files if one != file]
        assert all(after.entry(one) == before.entry(one) for one in others)
        if "#" in text:
            assert text.strip() in made.text or made.lost or "# nothing" in made.text


def test_a_form_that_is_not_foreseen_says_what_is_lost() -> None:
    made = edit_categories("documents: {a.md: {kind: plan, owner: Anna}} # x\n", {"b.md": NEW})
    assert made.lost == (ALL_LOST,)


def test_a_damaged_file_is_not_touched() -> None:
    with pytest.raises(YamlProblem, match="line 3"):
        edit_categories("documents:\n  a.md: {category: x\n", {"a.md": NEW})


# (A backslash in a path is one of Windows.)
_WORDS = st.text(
    st.characters(blacklist_categories=("Cs", "Cc"), blacklist_characters="\\/"), max_size=12
).map(lambda text: " ".join(text.split()))


@given(category=_WORDS, tags=st.lists(_WORDS, max_size=3), label=_WORDS, name=_WORDS)
def test_any_words_come_back(category: str, tags: list[str], label: str, name: str) -> None:
    entry = CategoryEntry(
        normalise_category(category),
        "",
        tuple(dict.fromkeys(tag for tag in tags if tag)),
        label.strip(),
    )
    made = edit_categories(TEXT, {f"Context/x{name}.md": entry})
    assert made.lost == ()
    assert parse_categories(made.text).entry(f"Context/x{name}.md") == entry
