"""A section template: the outline of a kind of document, with the items a reader expects."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class TemplateFamily(StrEnum):
    """What a template belongs to."""

    SUBMISSION = "510k"
    DESIGN_HISTORY = "dhf"
    ARTIFACT = "artifact"


class ItemKind(StrEnum):
    """How an item is written."""

    DESCRIBE = "describe"
    PROCEDURE = "procedure"
    VALUE = "value"
    COMPARE = "compare"


class ItemSubject(StrEnum):
    """Whose documents an item reads: what a procedure asks for, or what a predicate's review
    says, is no fact about the device.

    ``PROJECT`` is all that is always searched but what is on other devices.
    """

    DEVICE = "device"
    PREDICATE = "predicate"
    PROCESS = "process"
    PROJECT = "project"


@dataclass(frozen=True, slots=True)
class TemplateItem:
    """One item of the outline.

    ``name`` is its heading (shown where ``has_heading``), ``ask`` what is searched and asked.
    ``fields`` are names of master-record fields that state it: those that are there are used
    word for word, and an item of kind ``VALUE`` then searches nothing. ``attributes`` are
    compared device by device (``COMPARE`` only). ``helps`` says which document in which folder
    would state it.
    """

    name: str
    ask: str
    kind: ItemKind = ItemKind.DESCRIBE
    has_heading: bool = True
    is_required: bool = False
    subject: ItemSubject = ItemSubject.DEVICE
    attributes: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    helps: str = ""


@dataclass(frozen=True, slots=True)
class SectionTemplate:
    """A template with its items in order; ``maximum_words`` is the length of its draft.

    ``warnings`` name values outside their usual range.
    """

    name: str
    title: str
    family: TemplateFamily
    description: str
    maximum_words: int
    items: tuple[TemplateItem, ...]
    warnings: tuple[str, ...] = ()
