"""The outline of a section from its template, with what a prompt adds to it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from phasergun_desktop.answering.comparing.attributes import attribute_names
from phasergun_desktop.answering.comparing.devices import (
    compared_devices,
    files_of_other_devices,
    named_devices,
)
from phasergun_desktop.answering.comparing.stated_values import stated_value
from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.outlines.clauses import is_plural
from phasergun_desktop.answering.outlines.outline import Outline, extra_points
from phasergun_desktop.answering.outlines.template_fields import (
    item_fields,
    master_records,
    stated_field,
)
from phasergun_desktop.answering.sources import IndexedDocuments
from phasergun_desktop.grounding.words import content_words
from phasergun_desktop.profiles.section_template import (
    ItemKind,
    ItemSubject,
    SectionTemplate,
    TemplateItem,
)
from phasergun_desktop.projects.layers import PROCEDURES, Layer
from phasergun_desktop.references.master_record import (
    MasterRecord,
    RecordField,
)
from phasergun_desktop.references.model import (
    Problem,
    ReferenceKind,
    Resolution,
    ResolvedReference,
    Severity,
    SourceValue,
)
from phasergun_desktop.retrieval.model import SearchScope

_DEVICE_FIELDS = ("Device Name", "Trade Name", "Proprietary Name", "Product Name", "Device")
_PREDICATE_FIELDS = (
    "Predicate Device",
    "Predicate",
    "Primary Predicate",
    "Primary Predicate Device",
    "Predicate Device Name",
    "Predicate 510(k)",
    "Predicate 510(k) Number",
    "Predicate Number",
)
_K_NUMBER = re.compile(r"\bK\d{6}\b", re.IGNORECASE)
# Fields that tell a project from others; no reviewer compares them.
_NO_ATTRIBUTES = re.compile(
    r"\b(?:name|predicate|manufacturer|sponsor|applicant|date|pathway|lead|contact|address|author|"
    r"owner|status|version|revision|project|submission|number)\b",
    re.IGNORECASE,
)
_MOST_ATTRIBUTES = 14
# Words that say that a section is wanted, not what is to be in it.
_GENERIC = frozenset(
    content_words(
        "section chapter part draft write prepare document summary discussion statement device "
        "subject project template whole text for about compare comparison predicate"
    )
)


@dataclass(frozen=True, slots=True)
class TemplateOutline:
    """An outline, what of the master record it took, and what the writer should know."""

    outline: Outline
    references: tuple[ResolvedReference, ...]
    problems: tuple[Problem, ...]


def template_outline(
    template: SectionTemplate, resolution: Resolution, documents: IndexedDocuments
) -> TemplateOutline:
    """Return the points of ``template``, then those that the prompt adds.

    A prompt restricts where the items look; without one they look at all that is always searched.
    Values of the master record are used word for word. Devices to compare are those that the
    prompt names, else those of the master record.
    """
    base = resolution.scope if resolution.sentences else SearchScope()
    records = master_records(documents)
    references = known_devices(resolution, documents)
    others = _other_devices(references, documents)
    extras, manner = extra_points(resolution)
    points: list[PlannedPoint] = []
    for item in template.items:
        predicate = references[:2] if len(references) > 1 else ()
        scope = _scope(item, base, others, predicate, documents)
        fields = item_fields(item, base, records, predicate, scope, documents)
        points.extend(_item_points(item, scope, fields))
    points = [_told(point, manner) for point in points]
    points = _with_extras(points, extras, template, references)
    problems: tuple[Problem, ...] = ()
    if any(point.kind is PointKind.COMPARE for point in points):
        if len(references) < 2:
            points = [point for point in points if point.kind is not PointKind.COMPARE]
            problems = (_NO_PREDICATE,)
        else:
            points = _with_stated_attributes(points, records, references, documents)
    has_predicate = any(
        item.kind is ItemKind.COMPARE or item.subject is ItemSubject.PREDICATE
        for item in template.items
    )
    named = {reference.text for reference in resolution.references}
    return TemplateOutline(
        Outline(template.title, tuple(points), references[:2]),
        tuple(each for each in references[: 1 + has_predicate] if each.text not in named),
        problems,
    )


_NO_PREDICATE = Problem(
    "no_predicate",
    Severity.WARNING,
    "No predicate device is known, so nothing can be compared.",
    "Add a field “Predicate Device: K…” to the master record, or name both devices in the prompt.",
)


def known_devices(
    resolution: Resolution, documents: IndexedDocuments
) -> tuple[ResolvedReference, ...]:
    """Return subject and predicate: of the prompt, else of the master record, as far as known."""
    records = master_records(documents)
    named = tuple(named_devices(resolution.references))
    if len(named) > 1:
        return named[:2]
    subject = named[0] if named else _reference(stated_field(records, _DEVICE_FIELDS))
    if subject is None:
        return ()
    predicate = _reference(stated_field(records, _PREDICATE_FIELDS)) or _only_predicate(documents)
    return (subject,) if predicate is None else (subject, predicate)


def _reference(field: RecordField | None) -> ResolvedReference | None:
    if field is None:
        return None
    return ResolvedReference(
        ReferenceKind.MASTER_RECORD,
        f"[Master Record|{field.name}]",
        0,
        0,
        field.name,
        (field.value.file,),
        field.value,
    )


def _only_predicate(documents: IndexedDocuments) -> ResolvedReference | None:
    """Return the predicate where all documents in ``Predicates/`` are on one 510(k) number."""
    records = [each for each in documents.documents() if each.layer is Layer.PREDICATES]
    numbers = {
        number.upper()
        for record in records
        for number in _K_NUMBER.findall(f"{record.file} {record.title}")
    }
    if len(numbers) != 1 or not records:
        return None
    number, file = numbers.pop(), records[0].file
    value = SourceValue(number, file, 0, 0)
    return ResolvedReference(ReferenceKind.CONTEXT, number, 0, 0, number, (file,), value)


def _other_devices(
    references: Sequence[ResolvedReference], documents: IndexedDocuments
) -> frozenset[str]:
    """Return the documents on other devices; no fact about this one stands in them."""
    name = references[0].value.text if references and references[0].value else ""
    found = files_of_other_devices(name, documents)
    return found | frozenset(
        record.file
        for record in documents.documents()
        if record.layer is Layer.PREDICATES and not name
    )


def _scope(
    item: TemplateItem,
    base: SearchScope,
    others: frozenset[str],
    devices: tuple[ResolvedReference, ...],
    documents: IndexedDocuments,
) -> SearchScope:
    """Return where ``item`` looks, never more than ``base`` allows."""
    if item.kind is ItemKind.COMPARE:
        return base
    match item.subject:
        case ItemSubject.PREDICATE:
            if devices:
                return compared_devices(devices, documents, base)[1].scope
            return replace(base, of_layers=frozenset({Layer.PREDICATES}))
        case ItemSubject.PROCESS:
            layers, files = base.layers & (PROCEDURES | {Layer.DOCUMENTS}), base.files
            excluded = others
        case ItemSubject.DEVICE:
            layers, files = base.layers - PROCEDURES, base.files
            excluded = others
        case _:
            layers, files, excluded = base.layers, base.files, others
    if not layers and not files:
        # The prompt names other sources for all of it: the writer decides.
        layers = base.layers
    named = base.files
    return replace(base, layers=layers, files=files, excluded=base.excluded | (excluded - named))


def _item_points(
    item: TemplateItem, scope: SearchScope, fields: Sequence[tuple[str, SourceValue]]
) -> list[PlannedPoint]:
    heading = item.name if item.has_heading else ""
    common = PlannedPoint(
        PointKind(item.kind.value), "", item.ask, item.ask, scope, helps=item.helps
    )
    of_whom = " of the predicate" if item.subject is ItemSubject.PREDICATE else ""
    if item.kind is ItemKind.COMPARE:
        points = [
            replace(common, query=each, instruction=each, attribute=each)
            for each in item.attributes
        ]
    else:
        points = [
            replace(
                common,
                kind=PointKind.VERBATIM,
                query=name,
                instruction=f"The {_in_sentence(name)}{of_whom} {_verb(name)}",
                value=value,
            )
            for name, value in fields
        ]
        if not points or item.kind is not ItemKind.VALUE:
            points.append(replace(common, is_supplement=bool(points)))
    points[0] = replace(points[0], heading=heading, is_required=item.is_required)
    return points


def _in_sentence(name: str) -> str:
    """Return a field's name as it stands inside a sentence: acronyms keep their capitals."""
    words = name.split()
    return " ".join(word if word[1:] != word[1:].lower() else word.lower() for word in words)


def _verb(name: str) -> str:
    return "are" if is_plural(name) else "is"


def _told(point: PlannedPoint, manner: Sequence[str]) -> PlannedPoint:
    if not manner or point.kind in (PointKind.VERBATIM, PointKind.COMPARE):
        return point
    extra = " ".join(text.strip() for text in manner)
    return replace(point, instruction=f"{point.instruction.rstrip('.')}. {extra}")


def _with_extras(
    points: list[PlannedPoint],
    extras: Sequence[PlannedPoint],
    template: SectionTemplate,
    references: Sequence[ResolvedReference],
) -> list[PlannedPoint]:
    """Add what the prompt asks for beyond the template, each in the item's place or at the end."""
    names = [reference.value.text for reference in references if reference.value]
    known = _GENERIC | set(content_words(f"{template.title} {' '.join(names)}"))
    asked = [set(content_words(f"{item.name} {item.ask}")) for item in template.items]
    present = {name.casefold() for point in points for name in _names_of(point)}
    added: list[PlannedPoint] = []
    for extra in extras:
        if extra.kind is PointKind.COMPARE:
            if extra.attribute.casefold() not in present:
                added.append(extra)
            continue
        words = set(content_words(extra.instruction.partition(". ")[0])) - known
        if not words or any(words <= item for item in asked):
            continue
        added.append(extra)
    last = max((i for i, point in enumerate(points) if point.kind is PointKind.COMPARE), default=-1)
    compared = [point for point in added if point.kind is PointKind.COMPARE]
    others = [point for point in added if point.kind is not PointKind.COMPARE]
    if last < 0:
        return [*points, *others, *compared]
    first = next(i for i, point in enumerate(points) if point.kind is PointKind.COMPARE)
    return [*points[:first], *others, *points[first : last + 1], *compared, *points[last + 1 :]]


def _names_of(point: PlannedPoint) -> tuple[str, ...]:
    return attribute_names(point.attribute) if point.attribute else ()


def _with_stated_attributes(
    points: list[PlannedPoint],
    records: Sequence[MasterRecord],
    references: Sequence[ResolvedReference],
    documents: IndexedDocuments,
) -> list[PlannedPoint]:
    """Add the master record's own fields that the predicate's documents state by name too.

    They are what this sort of device is compared by, and no template can know them.
    """
    at = [i for i, point in enumerate(points) if point.kind is PointKind.COMPARE]
    first = points[at[0]]
    _, predicate = compared_devices(tuple(references[:2]), documents, first.scope)
    present = {name.casefold() for i in at for name in _names_of(points[i])}
    found: list[PlannedPoint] = []
    for record in records:
        for field in record.fields:
            name = field.name.strip()
            if _NO_ATTRIBUTES.search(name) or name.casefold() in present:
                continue
            if len(at) + len(found) >= _MOST_ATTRIBUTES:
                break
            stated = stated_value(
                name, predicate.name, predicate.scope, documents, is_subject=False
            )
            if stated is None:
                continue
            attribute = _in_sentence(name)
            present.update(each.casefold() for each in attribute_names(attribute))
            found.append(
                replace(
                    first,
                    heading="",
                    is_required=False,
                    query=attribute,
                    instruction=attribute,
                    attribute=attribute,
                )
            )
    return [*points[: at[-1] + 1], *found, *points[at[-1] + 1 :]]
