"""Brackets that are replaced by a value: master record, bootstrap documents and their fields."""

from __future__ import annotations

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.catalog import DocumentCatalog, file_name
from phasergun_desktop.references.labels import document_label
from phasergun_desktop.references.master_record import MasterRecord, RecordField, RecordSection
from phasergun_desktop.references.model import Problem, ResolvedReference
from phasergun_desktop.references.outcome import Outcome, Place
from phasergun_desktop.references.versions import field_key, find_by_prefix

_NO_RECORD = (
    "no_master_record",
    "The project has no master record that is indexed.",
    "Put a Word file whose name contains “Master Record” into the folder Context.",
)


def resolve_master_record(place: Place, catalog: DocumentCatalog) -> Outcome:
    """Resolve ``[Master Record|Field]``, ``…|Section]`` or ``…|Section|Field]``."""
    record = catalog.master_record()
    if record is None:
        return place.unresolved(*_NO_RECORD, restricts=False)
    names = place.parts
    if len(names) == 2:
        return _field_of_section(names[0], names[1], place, record)
    fields = record.find_fields(names[0])
    if fields:
        return _one_of(fields, place)
    section = record.find_section(names[0])
    if section is not None:
        return _whole_section(section, place, record)
    return place.unresolved(
        "unknown_field",
        f"The master record has no field “{names[0]}”.",
        _help(names[0], record.names(), "Add the field to the master record."),
        restricts=False,
    )


def resolve_bootstrap(place: Place, catalog: DocumentCatalog) -> Outcome:
    """Resolve ``[Bootstrap|name]`` to the newest document that begins with the name."""
    document, problems = _find_bootstrap(place.parts[0], place, catalog)
    if document is None:
        return _missing_bootstrap(place.parts[0], place, catalog)
    read = catalog.bootstrap(document)
    if not read.pairs and not read.fields:
        message = f"{file_name(document)} holds no “Q:” with “A:” and no field."
        remedy = "Write questions and answers as “Q: …” and “A: …”."
        problems += (place.warning("empty_bootstrap", message, remedy),)
    for question in read.unanswered:
        message = f"{file_name(document)} has no answer to “{question[:120]}”."
        remedy = "Write the answer after “A:”, or take the question out."
        problems += (place.warning("unanswered_question", message, remedy),)
    label = document_label(document, "bootstrap document")
    return place.restriction(label, [document], pairs=read.pairs, problems=problems)


def resolve_doc_field(place: Place, catalog: DocumentCatalog) -> Outcome:
    """Resolve ``[Doc|document|FIELD]`` to the field's value."""
    name, wanted = place.parts
    document, problems = _find_bootstrap(name, place, catalog)
    if document is None:
        return _missing_bootstrap(name, place, catalog, restricts=False)
    read = catalog.bootstrap(document)
    found = read.find_fields(wanted)
    if not found:
        names = [each.name for each in read.fields]
        return place.unresolved(
            "unknown_field",
            f"{file_name(document)} has no field “{wanted}”.",
            _help(wanted, names, f"Add a line “{wanted}: …” to the document."),
            restricts=False,
        )
    if len({" ".join(each.value.text.split()) for each in found}) > 1:
        return place.unresolved(
            "ambiguous_field",
            f"{file_name(document)} has “{wanted}” more than once with different values.",
            "Keep one of them.",
            restricts=False,
        )
    return place.value(found[0].value, problems)


def _field_of_section(section: str, name: str, place: Place, record: MasterRecord) -> Outcome:
    found = record.find_fields(name, section)
    if found:
        return _one_of(found, place)
    exact: tuple[str, ...] = ()
    sections = [each.name for each in record.sections]
    if not any(field_key(each) == field_key(section) for each in sections):
        message = f"The master record has no section “{section}”."
        remedy = _help(section, sections, "Add the section to the master record.")
    else:
        message = f"The section “{section}” of the master record has no field “{name}”."
        elsewhere = record.find_fields(name)
        inside = [
            each.name for each in record.fields if field_key(each.section) == field_key(section)
        ]
        remedy = _help(name, inside, "Add the field to the section.")
        if elsewhere:
            other = elsewhere[0].section
            exact = (f"[Master Record|{other}|{name}]",)
            remedy = f"It is in “{other}”: write {exact[0]}."
    return place.unresolved("unknown_field", message, remedy, restricts=False, replacements=exact)


def _one_of(fields: tuple[RecordField, ...], place: Place) -> Outcome:
    values = {" ".join(each.value.text.split()) for each in fields}
    if len(values) == 1:
        problems: tuple[Problem, ...] = ()
        if len({field_key(each.section) for each in fields}) > 1:
            message = f"“{fields[0].name}” stands in more than one section, with the same value."
            problems = (place.warning("repeated_field", message, "Keep one of them."),)
        return place.value(fields[0].value, problems)
    name = fields[0].name
    forms = tuple(f"[Master Record|{each.section}|{name}]" for each in fields if each.section)
    return place.unresolved(
        "ambiguous_field",
        f"The master record has “{name}” more than once with different values.",
        f"Write {' or '.join(forms)}." if len(forms) > 1 else "Keep one of them.",
        restricts=False,
        replacements=forms if len(forms) > 1 else (),
    )


def _whole_section(section: RecordSection, place: Place, record: MasterRecord) -> Outcome:
    if section.content is None:
        return place.unresolved(
            "empty_field",
            f"“{section.name}” has no value in the master record.",
            f"Write the value after “{section.name}:”.",
            restricts=False,
        )
    reference = ResolvedReference(
        place.kind,
        place.text,
        place.start,
        place.end,
        f'the section "{section.name}" of the master record',
        (record.file,),
        section.content,
    )
    return Outcome(reference, files=frozenset({record.file}))


def _find_bootstrap(
    name: str, place: Place, catalog: DocumentCatalog
) -> tuple[DocumentRecord | None, tuple[Problem, ...]]:
    document, bases = find_by_prefix(name, catalog.in_layers([Layer.BOOTSTRAP]))
    if document is None or len(bases) < 2:
        return document, ()
    message = f"“{name}” is the beginning of several names; {file_name(document)} is used."
    remedy = "Write more of the name."
    return document, (place.warning("ambiguous_document", message, remedy),)


def _missing_bootstrap(
    name: str, place: Place, catalog: DocumentCatalog, restricts: bool = True
) -> Outcome:
    names = [file_name(each) for each in catalog.in_layers([Layer.BOOTSTRAP])]
    return place.unresolved(
        "missing_document",
        f"No indexed document in Bootstrap begins with “{name}”.",
        _help(name, names, "Put the document into the folder Bootstrap."),
        restricts,
    )


def _help(word: str, known: list[str] | tuple[str, ...], otherwise: str) -> str:
    near = did_you_mean(word, known)
    if near:
        return near
    shown = ", ".join(f"“{each}”" for each in known[:8])
    return f"{otherwise} There are: {shown}." if shown else otherwise
