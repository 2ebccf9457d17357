"""Brackets that name documents: procedures by category, context by folder and file."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.projects.categories import normalise_category
from phasergun_desktop.projects.convention import context_layer, name_key, procedure_layer
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.catalog import DocumentCatalog, file_name
from phasergun_desktop.references.labels import LAYER_WORDS, category_label, document_label
from phasergun_desktop.references.outcome import Outcome, Place
from phasergun_desktop.references.versions import find_by_name

PROCEDURE_LAYERS = (Layer.SOPS, Layer.QUALITY_POLICIES, Layer.PROJECT_QUALITY_PLANS)
CONTEXT_FOLDERS = {
    Layer.INITIATION: "Initiation",
    Layer.ONGOING: "Ongoing",
    Layer.PREDICATES: "Predicates",
    Layer.REGULATORY_STRATEGY: "Regulatory Strategy",
    Layer.GENERAL: "General",
}
DIRECT_LAYERS = (Layer.PRIMARY_CONTEXT, Layer.MASTER_RECORD)
_PRIMARY = frozenset({"primary context", "context"})
_LAST_WORD = re.compile(r"_(?:procedures?|sops?|process|polic(?:y|ies)|plans?)$")


def resolve_procedure(place: Place, catalog: DocumentCatalog) -> Outcome:
    """Resolve ``[Procedure|layer]``, ``[Procedure|layer|category]`` or the older form."""
    first = place.parts[0]
    layer = procedure_layer(first)
    if len(place.parts) == 1:
        if layer is None:
            return _older_form(first, place, catalog)
        return _whole_layer(layer, place, catalog)
    category = place.parts[1]
    if layer is None:
        near = did_you_mean(first, PROCEDURE_LAYERS)
        return place.unresolved(
            "unknown_category",
            f"“{first}” is not a group of procedures.",
            near or f"Known are {', '.join(PROCEDURE_LAYERS)}.",
        )
    return _category(layer, category, place, catalog)


def resolve_context(place: Place, catalog: DocumentCatalog) -> Outcome:
    """Resolve ``[Context|folder]``, ``[Context|folder|file]`` or ``[Context|file]``."""
    names = place.parts
    layer = context_layer(names[0])
    if layer is not None and len(names) == 1:
        return _whole_layer(layer, place, catalog)
    if layer is not None:
        return _file_in((layer,), "/".join(names[1:]), place, catalog)
    if name_key(names[0]) in _PRIMARY and len(names) > 1:
        return _file_in(DIRECT_LAYERS, "/".join(names[1:]), place, catalog)
    if len(names) == 1:
        direct = find_by_name(names[0], catalog.in_layers(DIRECT_LAYERS))
        if direct is not None:
            return place.restriction(document_label(direct), [direct])
        elsewhere = _elsewhere(names[0], catalog)
        if elsewhere:
            return place.unresolved(
                "missing_document",
                f"“{names[0]}” is not directly in the folder Context.",
                f"Write {elsewhere}.",
                replacements=(elsewhere,),
            )
    folders = list(CONTEXT_FOLDERS.values())
    files = [file_name(each) for each in catalog.in_layers(DIRECT_LAYERS)]
    near = did_you_mean(names[0], folders + (files if len(names) == 1 else []))
    return place.unresolved(
        "unknown_folder",
        f"“{names[0]}” is neither a folder of Context nor a file directly in it.",
        near or f"Known folders are {', '.join(folders)}.",
    )


def _whole_layer(layer: Layer, place: Place, catalog: DocumentCatalog) -> Outcome:
    documents = catalog.in_layers([layer])
    label = LAYER_WORDS[layer]
    if documents:
        return place.restriction(label, documents, [layer])
    return place.unresolved(
        "missing_document",
        f"There is no indexed document among {label}.",
        "Put the documents into their folder, or wait until they are indexed.",
    )


def _category(layer: Layer, category: str, place: Place, catalog: DocumentCatalog) -> Outcome:
    documents = catalog.of_category([layer], category)
    if documents:
        return place.restriction(category_label(category, layer, documents), documents)
    named = find_by_name(category, catalog.in_layers([layer]))
    if named is not None:
        return place.restriction(document_label(named), [named])
    other = catalog.of_category(PROCEDURES, category)
    known = categories_of(catalog.in_layers([layer]))
    exact: tuple[str, ...] = ()
    if other:
        exact = (f"[Procedure|{other[0].layer}|{category}]",)
        remedy = f"There is one in another group: write {exact[0]}."
    else:
        remedy = did_you_mean(normalise_category(category), known) or (
            "Give a document this category in Procedures/categories.yaml."
            + (f" There are: {', '.join(known)}." if known else "")
        )
    return place.unresolved(
        "unknown_category",
        f"No indexed document of {LAYER_WORDS[layer]} has the category “{category}”.",
        remedy,
        replacements=exact,
    )


def _older_form(name: str, place: Place, catalog: DocumentCatalog) -> Outcome:
    wanted = normalise_category(name)
    shorter = _LAST_WORD.sub("", wanted)
    for category in dict.fromkeys((wanted, shorter)):
        documents = catalog.of_category(PROCEDURES, category)
        if documents:
            label = category_label(category, documents[0].layer, documents)
            return _with_notice(place, label, documents, f"{documents[0].layer}|{category}")
    documents = _titled(name, catalog.in_layers(PROCEDURES))
    if documents:
        label = document_label(documents[0], "procedure")
        category = documents[0].category or "category"
        return _with_notice(place, label, documents, f"{documents[0].layer}|{category}")
    documents = catalog.in_layers(PROCEDURES)
    known = [*PROCEDURE_LAYERS, *categories_of(documents), *(each.title for each in documents)]
    near = did_you_mean(shorter, known) or did_you_mean(name, known)
    return place.unresolved(
        "unknown_category",
        f"No indexed procedure is called “{name}”.",
        near or "Write for example [Procedure|sops|risk_management].",
    )


def _with_notice(
    place: Place, label: str, documents: Sequence[DocumentRecord], new: str
) -> Outcome:
    notice = place.warning(
        "old_form",
        f"“{place.text}” is the older form of a reference; it is understood.",
        f"Write [Procedure|{new}].",
        (f"[Procedure|{new}]",),
    )
    return replace(place.restriction(label, documents), problems=(notice,))


def _titled(name: str, documents: Sequence[DocumentRecord]) -> tuple[DocumentRecord, ...]:
    """Return the documents with that title, else those whose title holds all its words."""
    same = tuple(each for each in documents if name_key(each.title) == name_key(name))
    if same:
        return same
    named = find_by_name(name, documents)
    if named is not None:
        return (named,)
    words = set(re.findall(r"\w+", name.casefold())) - {"procedure", "sop", "the"}
    return tuple(
        each
        for each in documents
        if words and words <= set(re.findall(r"\w+", each.title.casefold()))
    )


def _file_in(
    layers: tuple[Layer, ...], name: str, place: Place, catalog: DocumentCatalog
) -> Outcome:
    documents = catalog.in_layers(layers)
    found = find_by_name(name, documents)
    if found is not None:
        return place.restriction(document_label(found), [found])
    inside = tuple(each for each in documents if f"/{name_key(name)}/" in name_key(each.file))
    if inside:
        return place.restriction(f'the documents in "{name}"', inside)
    folder = CONTEXT_FOLDERS.get(layers[0], "Context")
    elsewhere = _elsewhere(name, catalog)
    remedy = (
        did_you_mean(name, [file_name(each) for each in documents])
        or (f"Write {elsewhere}." if elsewhere else "")
        or f"Put the file into the folder {folder}, or wait until it is indexed."
    )
    return place.unresolved(
        "missing_document",
        f"There is no indexed document “{name}” in {folder}.",
        remedy,
        replacements=(elsewhere,) if elsewhere else (),
    )


def _elsewhere(name: str, catalog: DocumentCatalog) -> str:
    found = find_by_name(name, catalog.in_layers(CONTEXT_FOLDERS))
    if found is None:
        return ""
    return f"[Context|{CONTEXT_FOLDERS[found.layer]}|{file_name(found)}]"


def categories_of(documents: Sequence[DocumentRecord]) -> tuple[str, ...]:
    """Return the categories of ``documents``, once each."""
    return tuple(dict.fromkeys(each.category for each in documents if each.category))
