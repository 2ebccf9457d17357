"""The outline of a template is a prompt that names all of its items, and what is known of them."""

from __future__ import annotations

from pathlib import Path

from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.section_template_store import SectionTemplateStore
from phasergun_desktop.profiles.template_outline import outline_text
from phasergun_desktop.references.notation import read_notation

FIELDS = {"device name": "[Master Record|Device Name]", "intended use": "[Master Record|Use]"}


def test_every_item_of_every_template_is_asked_for(tmp_path: Path) -> None:
    templates = SectionTemplateStore(resources_path(), tmp_path / "templates").usable()
    assert len(templates) == 15
    for template in templates:
        text = outline_text(template, {})
        assert f"at most {template.maximum_words} words" in text
        for item in template.items:
            assert not item.has_heading or f"## {item.name}\n" in text
            asked = item.attributes[0] if item.attributes else item.ask
            assert asked in text
        assert read_notation(text).problems == ()


def test_fields_that_the_master_record_has_are_named(tmp_path: Path) -> None:
    store = SectionTemplateStore(resources_path(), tmp_path / "templates")
    text = outline_text(store.load("device-description"), FIELDS)
    assert "State the device name: [Master Record|Device Name].\n" in text
    assert "State the intended use: [Master Record|Use].\n" in text
    assert "trade name" not in text
