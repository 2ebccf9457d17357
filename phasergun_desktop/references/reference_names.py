"""What a prompt can name in this project: every reference that resolves, with what it means."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.catalog import DocumentCatalog, file_name
from phasergun_desktop.references.document_brackets import (
    CONTEXT_FOLDERS,
    DIRECT_LAYERS,
    PROCEDURE_LAYERS,
    categories_of,
)
from phasergun_desktop.references.labels import LAYER_WORDS, SCOPE_WORDS, document_title
from phasergun_desktop.references.master_record import MasterRecord
from phasergun_desktop.references.model import ReferenceKind
from phasergun_desktop.references.notation import KIND_WORDS, ScopeName
from phasergun_desktop.references.outcome import Place
from phasergun_desktop.references.scopes import resolve_scope
from phasergun_desktop.references.versions import field_key, name_without_version

# What would end a part of a bracket, or the bracket.
_UNWRITABLE = re.compile(r"[\[\]|\n\r]")
_LONGEST_MEANING = 90


@dataclass(frozen=True, slots=True)
class ReferenceName:
    """A bracket as its parts, the first of them the kind's word, or an ``@scope`` as one part."""

    parts: tuple[str, ...]
    means: str

    @property
    def text(self) -> str:
        """As it is written in a prompt."""
        is_scope = len(self.parts) == 1
        return self.parts[0] if is_scope else f"[{'|'.join(self.parts)}]"


@dataclass(frozen=True, slots=True)
class ReferenceNames:
    """All that a prompt can name, in the order of the notation and of the documents."""

    brackets: tuple[ReferenceName, ...] = ()
    scopes: tuple[ReferenceName, ...] = ()


def names_of(catalog: DocumentCatalog) -> ReferenceNames:
    """Return what can be named of the documents of ``catalog``."""
    every = (
        *_procedures(catalog),
        *_master_record(catalog.master_record()),
        *_context(catalog),
        *_bootstraps(catalog),
    )
    brackets: dict[str, ReferenceName] = {}
    for each in every:
        if not any(_UNWRITABLE.search(one) for one in each.parts):
            brackets.setdefault(each.text, each)
    return ReferenceNames(tuple(brackets.values()), tuple(_scopes(catalog)))


def _scopes(catalog: DocumentCatalog) -> Iterator[ReferenceName]:
    for scope in ScopeName:
        text, means = f"@{scope}", SCOPE_WORDS[scope]
        if scope is ScopeName.DOCUMENT_BOOTSTRAPS:
            yield ReferenceName((text,), f"{means} that the prompt names")
            continue
        place = Place(ReferenceKind.SCOPE, text, 0, len(text))
        found = resolve_scope(scope, place, catalog, frozenset()).reference.files
        yield ReferenceName((text,), f"{means}: {_count(len(found))}")


def _procedures(catalog: DocumentCatalog) -> Iterator[ReferenceName]:
    word = KIND_WORDS[ReferenceKind.PROCEDURE]
    for layer in PROCEDURE_LAYERS:
        documents = catalog.in_layers([layer])
        if documents:
            yield ReferenceName((word, layer.value), _whole(layer, documents))
        for category in categories_of(documents):
            inside = catalog.of_category([layer], category)
            yield ReferenceName((word, layer.value, category), _titles(inside))
        for each in documents:
            yield ReferenceName((word, layer.value, file_name(each)), document_title(each))


def _master_record(record: MasterRecord | None) -> Iterator[ReferenceName]:
    if record is None:
        return
    word = KIND_WORDS[ReferenceKind.MASTER_RECORD]
    values: dict[tuple[str, str | None], set[str]] = {}
    for each in record.fields:
        for section in (None, field_key(each.section)):
            found = values.setdefault((field_key(each.name), section), set())
            found.add(_line(each.value.text))
    for each in record.fields:
        if len(values[field_key(each.name), None]) == 1:
            yield ReferenceName((word, _line(each.name)), _short(each.value.text))
    for part in record.sections:
        if part.content is not None and (field_key(part.name), None) not in values:
            yield ReferenceName((word, _line(part.name)), _short(part.content.text))
    for each in record.fields:
        if each.section and len(values[field_key(each.name), field_key(each.section)]) == 1:
            parts = (word, _line(each.section), _line(each.name))
            yield ReferenceName(parts, _short(each.value.text))


def _context(catalog: DocumentCatalog) -> Iterator[ReferenceName]:
    word = KIND_WORDS[ReferenceKind.CONTEXT]
    for layer, folder in CONTEXT_FOLDERS.items():
        documents = catalog.in_layers([layer])
        if documents:
            yield ReferenceName((word, folder), _whole(layer, documents))
        inner: dict[tuple[str, ...], list[DocumentRecord]] = {}
        for each in documents:
            for depth in range(1, len(_inside(each))):
                inner.setdefault(_inside(each)[:depth], []).append(each)
        for names, inside in inner.items():
            yield ReferenceName((word, folder, *names), _titles(inside))
        for each in documents:
            yield ReferenceName((word, folder, *_inside(each)), document_title(each))
    for each in catalog.in_layers(DIRECT_LAYERS):
        yield ReferenceName((word, file_name(each)), document_title(each))


def _inside(document: DocumentRecord) -> tuple[str, ...]:
    """Return the path in the folder of the document's layer, which is two folders deep."""
    return PurePosixPath(document.file).parts[2:]


def _bootstraps(catalog: DocumentCatalog) -> Iterator[ReferenceName]:
    documents = catalog.in_layers([Layer.BOOTSTRAP])
    pairs = KIND_WORDS[ReferenceKind.BOOTSTRAP]
    for each in documents:
        read = catalog.bootstrap(each)
        held = f"{len(read.pairs)} answers, {len(read.fields)} fields"
        yield ReferenceName((pairs, name_without_version(each.file)), held)
    word = KIND_WORDS[ReferenceKind.DOC_FIELD]
    for each in documents:
        fields = catalog.bootstrap(each)
        for one in fields.fields:
            if len({_line(f.value.text) for f in fields.find_fields(one.name)}) == 1:
                parts = (word, name_without_version(each.file), one.name)
                yield ReferenceName(parts, _short(one.value.text))


def _whole(layer: Layer, documents: tuple[DocumentRecord, ...]) -> str:
    return f"{LAYER_WORDS[layer]}: {_count(len(documents))}"


def _titles(documents: Iterable[DocumentRecord]) -> str:
    return _short("; ".join(document_title(each) for each in documents))


def _line(text: str) -> str:
    return " ".join(text.split())


def _short(text: str) -> str:
    line = _line(text)
    return line if len(line) <= _LONGEST_MEANING else f"{line[:_LONGEST_MEANING].rstrip()}…"


def _count(number: int) -> str:
    return "no document" if not number else f"{number} document{'s' if number > 1 else ''}"
