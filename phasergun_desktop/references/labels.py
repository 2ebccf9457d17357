"""The words that stand for a reference in the prompt as the model reads it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from phasergun_desktop.index.records import DocumentRecord
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.notation import ScopeName
from phasergun_desktop.text.words import word_set

LAYER_OF_SCOPE = {
    scope: layer for scope in ScopeName for layer in Layer if scope.value == layer.value
}
LAYER_WORDS: dict[Layer, str] = {
    Layer.SOPS: "the standard operating procedures",
    Layer.QUALITY_POLICIES: "the quality policies",
    Layer.PROJECT_QUALITY_PLANS: "the project quality plans",
    Layer.MASTER_RECORD: "the master record",
    Layer.PRIMARY_CONTEXT: "the primary context",
    Layer.INITIATION: "the initiation documents",
    Layer.ONGOING: "the ongoing project documents",
    Layer.PREDICATES: "the predicate device documents",
    Layer.REGULATORY_STRATEGY: "the regulatory strategy documents",
    Layer.GENERAL: "the general reference documents",
    Layer.BOOTSTRAP: "the bootstrap documents",
    Layer.DOCUMENTS: "the documents",
}
SCOPE_WORDS: dict[ScopeName, str] = {
    **{scope: LAYER_WORDS[layer] for scope, layer in LAYER_OF_SCOPE.items()},
    ScopeName.COMPANY_PROCESSES: "the company's procedures, quality policies and quality plans",
    ScopeName.EXTERNAL_STANDARDS: "the applicable standards and regulations",
    ScopeName.GLOBAL_STANDARDS: "the applicable standards and regulations",
    ScopeName.US_REGULATIONS: "the applicable US regulations",
    ScopeName.DOCUMENT_BOOTSTRAPS: "the bootstrap documents",
}
_NOUNS = {
    Layer.SOPS: ("procedure", "procedures"),
    Layer.QUALITY_POLICIES: ("policy", "policies"),
    Layer.PROJECT_QUALITY_PLANS: ("plan", "plans"),
}
_TITLES_SHOWN = 2
_DETERMINERS = word_set("the our your its their this that these those a an each every")


def category_label(category: str, layer: Layer, documents: Sequence[DocumentRecord]) -> str:
    """Return ``the risk management procedure (SOP-003: Risk Management)``."""
    one, many = _NOUNS.get(layer, ("document", "documents"))
    words = " ".join(category.replace("_", " ").split())
    noun = one if len(documents) == 1 else many
    if words.casefold().endswith((f" {one}", f" {many}")):
        words = words.rpartition(" ")[0]
    titles = [numbered_title(each) for each in documents]
    if len(titles) == 1 and titles[0].casefold() in (words.casefold(), f"{words} {one}".casefold()):
        return f"the {words} {noun}"
    if 0 < len(titles) <= _TITLES_SHOWN:
        return f"the {words} {noun} ({'; '.join(titles)})"
    return f"the {words} {noun} ({len(titles)} documents)" if titles else f"the {words} {noun}"


def document_label(document: DocumentRecord, noun: str = "document") -> str:
    """Return ``the document "Device description"``."""
    return f'the {noun} "{document_title(document)}"'


def document_title(document: DocumentRecord) -> str:
    """Return the title on one line, or the file's name where there is none."""
    title = " ".join(document.title.replace('"', "'").split())
    return title or PurePosixPath(document.file).stem


def numbered_title(document: DocumentRecord) -> str:
    """Return the title with the document's number before it: ``SOP-003: Risk Management``."""
    title, number = document_title(document), document.metadata.document_number.strip()
    if not number or number.casefold() in title.casefold():
        return title
    return f"{number}: {title}"


def fitted(label: str, before: str, after: str) -> str:
    """Return ``label`` so that it reads well between ``before`` and ``after``.

    After "our" or "the" its own article goes; a noun that the sentence repeats goes too; at
    the beginning of a sentence it gets a capital.
    """
    last = re.search(r"([A-Za-z]+)\s+$", before)
    if label.startswith("the ") and last and last.group(1).casefold() in _DETERMINERS:
        label = label[4:]
    following = re.match(r"\s+([A-Za-z]+)", after)
    if following:
        noun = following.group(1).casefold()
        label = re.sub(rf"\b{re.escape(noun)}(?= \()", "", label).replace("  ", " ")
        if label.casefold().endswith(f" {noun}"):
            label = label[: -len(noun) - 1]
    if not before.strip(" \t\"'(*_#-") and label:
        label = label[0].upper() + label[1:]
    return label
