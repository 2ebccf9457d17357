"""The templates of the product, and what a user's own file may say wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.section_template import ItemKind, ItemSubject, TemplateFamily
from phasergun_desktop.profiles.section_template_store import (
    SectionTemplateStore,
    load_section_template,
)

FAMILIES = {
    "biocompatibility": TemplateFamily.SUBMISSION,
    "device-description": TemplateFamily.SUBMISSION,
    "indications-for-use": TemplateFamily.SUBMISSION,
    "labelling": TemplateFamily.SUBMISSION,
    "performance-testing": TemplateFamily.SUBMISSION,
    "software": TemplateFamily.SUBMISSION,
    "sterility-shelf-life": TemplateFamily.SUBMISSION,
    "substantial-equivalence": TemplateFamily.SUBMISSION,
    "design-development-plan": TemplateFamily.DESIGN_HISTORY,
    "design-inputs": TemplateFamily.DESIGN_HISTORY,
    "risk-management-summary": TemplateFamily.DESIGN_HISTORY,
    "blueprint": TemplateFamily.ARTIFACT,
    "build-plan": TemplateFamily.ARTIFACT,
    "pdr": TemplateFamily.ARTIFACT,
    "workflow": TemplateFamily.ARTIFACT,
}
SMALL = """\
name: small
title: Small Section
family: 510k
description: Two items.
maximum_words: 300
items:
  - name: Alarm
    ask: alarm and its sound level
    required: true
    helps: a test report in Context/Ongoing
  - name: Comparison
    ask: comparison with the predicate
    kind: compare
    attributes: [weight, alarm]
"""


@pytest.fixture
def store(tmp_path: Path) -> SectionTemplateStore:
    return SectionTemplateStore(resources_path(), tmp_path / "templates")


def _written(folder: Path, text: str, name: str = "small") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def test_the_product_has_the_templates_that_it_promises(store: SectionTemplateStore) -> None:
    assert {each.name: each.family for each in store.usable()} == FAMILIES


@pytest.mark.parametrize("name", FAMILIES)
def test_every_template_of_the_product_is_sound(store: SectionTemplateStore, name: str) -> None:
    template = store.load(name)
    assert template.warnings == ()
    assert template.description.endswith(".")
    assert any(item.is_required for item in template.items)
    names = [item.name for item in template.items]
    assert len(set(names)) == len(names)
    for item in template.items:
        # A full stop parts what is asked from how it is to be written.
        assert ". " not in item.ask
        assert not item.ask.endswith(".")
        assert "Context" in item.helps or "Procedures" in item.helps


def test_no_template_is_about_one_sort_of_device() -> None:
    for path in (resources_path() / "templates").glob("*.yaml"):
        text = path.read_text(encoding="utf-8").casefold()
        for word in ("glucose", "blood", "meter", "strip", "diabetes"):
            assert word not in text.replace("parameter", "").replace("perimeter", "")


def test_a_blueprint_has_the_headings_that_are_promised(store: SectionTemplateStore) -> None:
    names = [item.name for item in store.load("blueprint").items]
    assert names == ["Overview", "Goals", "Architecture", "Features", "Risks", "Next Steps"]


def test_equivalence_compares_attribute_by_attribute(store: SectionTemplateStore) -> None:
    compared = [i for i in store.load("substantial-equivalence").items if i.attributes]
    assert [item.kind for item in compared] == [ItemKind.COMPARE]
    assert "intended use" in compared[0].attributes


def test_a_file_is_read(tmp_path: Path) -> None:
    template = load_section_template(_written(tmp_path, SMALL))
    assert (template.name, template.title) == ("small", "Small Section")
    assert template.maximum_words == 300
    alarm, comparison = template.items
    assert alarm.is_required
    assert alarm.has_heading
    assert alarm.subject is ItemSubject.DEVICE
    assert comparison.attributes == ("weight", "alarm")


@pytest.mark.parametrize(
    ("old", "new", "place", "says"),
    [
        ("family: 510k", "family: 510", "line 3, column 9", "510k"),
        ("maximum_words: 300", "maximum_words: 3", "line 5, column 16", "50"),
        ("maximum_words: 300", "maximum_words: many", "line 5, column 16", "number"),
        ("kind: compare", "kind: comparing", "line 13, column 11", "compare"),
        ("    attributes: [weight, alarm]\n", "", "line 13, column 11", "attributes"),
        ("    helps: a test report in Context/Ongoing\n", "", "line 9, column 15", "helps"),
        ("    required: true", "    requierd: true", "line 9", "required"),
        ("ask: alarm and its sound level", "ask: ''", "line 8, column 10", "ask"),
        ("name: small", "name: other", "line 1, column 7", "small.yaml"),
        ("family: 510k", "family: [510k]", "line 3, column 9", "one of"),
    ],
)
def test_what_is_wrong_is_said_with_its_place(
    tmp_path: Path, old: str, new: str, place: str, says: str
) -> None:
    assert old in SMALL
    with pytest.raises(ProfileError) as caught:
        load_section_template(_written(tmp_path, SMALL.replace(old, new, 1)))
    assert place in caught.value.message
    assert says in f"{caught.value.message} {caught.value.remedy}"


def test_a_template_needs_items(tmp_path: Path) -> None:
    head = SMALL.partition("items:")[0]
    with pytest.raises(ProfileError, match="items"):
        load_section_template(_written(tmp_path, head))


def test_an_unusual_length_is_used_and_named(tmp_path: Path) -> None:
    path = _written(tmp_path, SMALL.replace("maximum_words: 300", "maximum_words: 90"))
    template = load_section_template(path)
    assert template.maximum_words == 90
    assert "maximum_words" in template.warnings[0]


def test_the_users_file_wins_and_a_broken_one_is_left_out(tmp_path: Path) -> None:
    own = tmp_path / "templates"
    text = SMALL.replace("name: small", "name: blueprint", 1)
    _written(own, text, "blueprint")
    _written(own, "name: [", "broken")
    store = SectionTemplateStore(resources_path(), own)
    assert store.load("blueprint").title == "Small Section"
    assert "broken" in store.names()
    assert "broken" not in [each.name for each in store.usable()]
    with pytest.raises(ProfileError, match="line"):
        store.load("broken")


@pytest.mark.parametrize("name", ["nothing-like-it", "", "../profiles/regulatory", "a" * 200])
def test_an_unknown_name_is_answered_with_the_list(store: SectionTemplateStore, name: str) -> None:
    with pytest.raises(ProfileError) as caught:
        store.load(name)
    assert "device-description" in caught.value.remedy


def test_a_near_name_is_suggested(store: SectionTemplateStore) -> None:
    with pytest.raises(ProfileError, match="Template not known") as caught:
        store.load("labeling")
    assert "Did you mean “labelling”?" in caught.value.remedy
