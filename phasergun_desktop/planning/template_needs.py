"""What a template asks for: a need for each of its items, and those that a prompt adds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from phasergun_desktop.planning.comparing.named_devices import named_devices
from phasergun_desktop.planning.form_words import FORM_WORDS
from phasergun_desktop.planning.lengths import TOLERANCE
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.planning.needs import Need, Request, read_request
from phasergun_desktop.planning.sources import IndexedDocuments
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
    parse_master_record,
)
from phasergun_desktop.references.model import (
    ReferenceKind,
    Resolution,
    ResolvedReference,
    SourceValue,
)
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.text.words import content_words

_PREDICATE_FIELDS = ("Predicate Device", "Primary Predicate Device", "Predicate Device Name")
_DEVICE_FIELDS = ("Device Name", "Trade Name", "Proprietary Name", "Product Name", "Device")


@dataclass(frozen=True, slots=True)
class TemplateRequest:
    """The needs of a template with its items by their need, the fields of the master record that
    stand in the text word for word, and what of the master record was used."""

    request: Request = field(default_factory=lambda: Request((), "", 0))
    items: Mapping[str, TemplateItem] = field(default_factory=dict)
    values: Mapping[str, tuple[PlannedPoint, ...]] = field(default_factory=dict)
    references: tuple[ResolvedReference, ...] = ()

    @property
    def compares(self) -> bool:
        """Whether one of its items is a comparison."""
        return any(item.kind is ItemKind.COMPARE for item in self.items.values())


def template_request(
    template: SectionTemplate, resolution: Resolution, documents: IndexedDocuments
) -> TemplateRequest:
    """Return the needs of ``template``, then those that the prompt adds.

    A prompt restricts where the items look; without one they look at all that is always searched.
    """
    base = resolution.scope if resolution.sentences else SearchScope()
    records = _master_records(documents)
    device = _device(resolution, records)
    name = device.value.text if device is not None and device.value is not None else ""
    needs: list[Need] = []
    items: dict[str, TemplateItem] = {}
    values: dict[str, tuple[PlannedPoint, ...]] = {}
    for number, item in enumerate(template.items, start=1):
        need_id = f"t{number}"
        scope = _scope(item, base)
        heading = item.name if item.has_heading else ""
        query = ", ".join((item.ask, *item.attributes))
        needs.append(Need(need_id, item.name, 0, 0, f"{item.name}: {query}", scope, heading))
        items[need_id] = item
        stated = _stated(item, [each for each in records if base.allows(each.file, _RECORD)])
        if stated:
            first = replace(stated[0], heading=heading, is_required=item.is_required)
            values[need_id] = (first, *stated[1:])
    asked = read_request(resolution, template.title) if resolution.sentences else None
    request = Request(
        (*needs, *(_extra_needs(template, asked.needs, name) if asked else ())),
        f"{template.title} {resolution.task} {name}",
        round(template.maximum_words / TOLERANCE),
        title=template.title,
        exclusions=asked.exclusions if asked else (),
        said=asked.said if asked else "",
    )
    named = {reference.text for reference in resolution.references}
    compares = any(item.kind is ItemKind.COMPARE for item in template.items)
    found = (device, _reference(records, _PREDICATE_FIELDS) if compares else None)
    used = tuple(each for each in found if each is not None and each.text not in named)
    return TemplateRequest(request, items, values, used)


_RECORD = Layer.MASTER_RECORD


def _device(resolution: Resolution, records: Sequence[MasterRecord]) -> ResolvedReference | None:
    """Return the device: of the prompt, else of the master record."""
    named = named_devices(resolution.references)
    return named[0] if named else _reference(records, _DEVICE_FIELDS)


def _reference(records: Sequence[MasterRecord], names: Sequence[str]) -> ResolvedReference | None:
    found = _stated_field(records, names)
    if found is None:
        return None
    value = found.value
    text = f"[Master Record|{found.name}]"
    kind = ReferenceKind.MASTER_RECORD
    return ResolvedReference(kind, text, 0, 0, found.name, (value.file,), value)


def _master_records(documents: IndexedDocuments) -> list[MasterRecord]:
    return [
        parse_master_record(documents.parsed(record.document_id), record.file)
        for record in documents.documents()
        if record.layer is _RECORD
    ]


def _stated_field(records: Sequence[MasterRecord], names: Sequence[str]) -> RecordField | None:
    """Return the first of ``names`` that the master record states, and states once."""
    for name in names:
        found = [each for record in records for each in record.find_fields(name)]
        if found and len({each.value.text.casefold() for each in found}) == 1:
            return found[0]
    return None


def _stated(item: TemplateItem, records: Sequence[MasterRecord]) -> list[PlannedPoint]:
    """Return a point for each field of ``item`` that the master record states, each value once."""
    if item.subject is ItemSubject.PREDICATE:
        return []
    found: dict[str, tuple[str, SourceValue]] = {}
    for name in item.fields:
        stated = _stated_field(records, (name,))
        if stated is not None:
            found.setdefault(stated.value.text.casefold(), (stated.name, stated.value))
    return [
        PlannedPoint(
            kind=PointKind.VERBATIM,
            heading="",
            query=name,
            instruction=f"{name}:",
            scope=SearchScope(),
            helps=item.helps,
            value=value,
        )
        for name, value in found.values()
    ]


def _scope(item: TemplateItem, base: SearchScope) -> SearchScope:
    """Return where ``item`` looks, never more than ``base`` allows."""
    layers, files = base.layers, base.files
    match item.subject:
        case ItemSubject.PREDICATE:
            predicates = frozenset({Layer.PREDICATES})
            return replace(base, layers=layers & predicates, of_layers=predicates)
        case ItemSubject.PROCESS:
            layers = layers & (PROCEDURES | {Layer.DOCUMENTS})
        case ItemSubject.DEVICE:
            layers = layers - PROCEDURES
        case _:
            pass
    if not layers and not files:
        # The prompt names other sources for all of it: the writer decides.
        layers = base.layers
    return replace(base, layers=layers)


def _extra_needs(template: SectionTemplate, needs: Sequence[Need], device: str) -> tuple[Need, ...]:
    """Return those of the prompt's ``needs`` that are beyond the items of the template."""
    asked = [set(content_words(f"{item.name} {item.ask}")) for item in template.items]
    known = set(content_words(f"{template.title} {device} {' '.join(FORM_WORDS)}"))
    found = []
    for need in needs:
        words = set(content_words(need.query)) - known
        if words and not any(words <= item for item in asked):
            found.append(need)
    return tuple(found)
