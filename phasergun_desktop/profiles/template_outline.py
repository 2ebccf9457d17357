"""A template's outline as the text of a prompt, for a writer to change."""

from __future__ import annotations

from collections.abc import Mapping

from phasergun_desktop.profiles.section_template import ItemKind, SectionTemplate, TemplateItem


def outline_text(template: SectionTemplate, fields: Mapping[str, str]) -> str:
    """Return a prompt that asks for the items of ``template`` under their headings; ``fields`` are
    the references of the master record's fields by their names in lower case."""
    parts = [
        f"Write the {template.title} section in at most {template.maximum_words} words.",
        *(_item_text(item, fields) for item in template.items),
    ]
    return "\n\n".join(parts) + "\n"


def _item_text(item: TemplateItem, fields: Mapping[str, str]) -> str:
    heading = f"## {item.name}\n\n" if item.has_heading else ""
    stated = [
        f"State the {name.lower()}: {fields[name.casefold()]}."
        for name in item.fields
        if name.casefold() in fields
    ]
    if item.kind is ItemKind.COMPARE:
        return f"{heading}Compare the device with its predicate: {', '.join(item.attributes)}."
    if not stated or item.kind is not ItemKind.VALUE:
        stated.append(f"Describe the {item.ask}.")
    return heading + " ".join(stated)
