"""The indexed documents as references look at them: by layer, category, name and kind."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.categories import normalise_category
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.bootstrap import BootstrapDocument, parse_bootstrap
from phasergun_desktop.references.documents import DocumentSource
from phasergun_desktop.references.master_record import MasterRecord, parse_master_record
from phasergun_desktop.references.versions import newest

# Kinds of documents that state rules for everybody, and no facts of a project.
RULE_KINDS = frozenset({"standard", "regulation", "guidance"})
_US_KINDS = frozenset({"regulation", "guidance"})
_NOT_US = re.compile(r"\bMDCG\b|\bIMDRF\b|\(EU\)|\bEuropean\b|\bdirective\b", re.IGNORECASE)


class DocumentCatalog:
    """The documents at one moment; each document is parsed at most once."""

    def __init__(self, source: DocumentSource) -> None:
        self._source = source
        self._documents = tuple(sorted(source.documents(), key=lambda each: each.file))
        self._parsed: dict[int, ParsedDocument] = {}
        self._bootstraps: dict[int, BootstrapDocument] = {}

    @property
    def documents(self) -> tuple[DocumentRecord, ...]:
        """Every document by file name."""
        return self._documents

    def in_layers(self, layers: Iterable[Layer]) -> tuple[DocumentRecord, ...]:
        """Return the documents of ``layers``."""
        wanted = frozenset(layers)
        return tuple(each for each in self._documents if each.layer in wanted)

    def of_category(self, layers: Iterable[Layer], category: str) -> tuple[DocumentRecord, ...]:
        """Return the documents of ``layers`` whose category is ``category``."""
        wanted = normalise_category(category)
        return tuple(
            each
            for each in self.in_layers(layers)
            if wanted and normalise_category(each.category) == wanted
        )

    def standards(self) -> tuple[DocumentRecord, ...]:
        """Return standards, regulations and guidance, in whatever layer they are."""
        return tuple(each for each in self._documents if each.kind in RULE_KINDS)

    def us_regulations(self) -> tuple[DocumentRecord, ...]:
        """Return regulations and guidance that are not of another authority."""
        return tuple(
            each
            for each in self._documents
            if each.kind in _US_KINDS and not _NOT_US.search(each.title)
        )

    def master_record_document(self) -> DocumentRecord | None:
        """Return the newest master record."""
        return newest(self.in_layers([Layer.MASTER_RECORD]))

    def master_record(self) -> MasterRecord | None:
        """Return the newest master record, read."""
        document = self.master_record_document()
        if document is None:
            return None
        return parse_master_record(self.parsed(document), document.file)

    def bootstrap(self, document: DocumentRecord) -> BootstrapDocument:
        """Return the questions, answers and fields of ``document``."""
        if document.document_id not in self._bootstraps:
            read = parse_bootstrap(self.parsed(document), document.file)
            self._bootstraps[document.document_id] = read
        return self._bootstraps[document.document_id]

    def parsed(self, document: DocumentRecord) -> ParsedDocument:
        """Return the text and blocks of ``document``."""
        if document.document_id not in self._parsed:
            self._parsed[document.document_id] = self._source.parsed(document.document_id)
        return self._parsed[document.document_id]


def file_name(document: DocumentRecord) -> str:
    """Return the name of the document's file without its folders."""
    return PurePosixPath(document.file).name
