"""The devices that a prompt names by fields of the master record."""

from __future__ import annotations

import re
from collections.abc import Iterable

from phasergun_desktop.references.model import ReferenceKind, ResolvedReference

_NAMES_DEVICE = re.compile(
    r"\b(?:predicate|device|product|(?:trade|brand|proprietary) name)\b",
    re.IGNORECASE,
)
_OF_A_DEVICE = re.compile(
    r"\b(?:class|classification|code|type|manufacturer|company|applicant|regulation|panel|version"
    r"|owner|description|category)\b",
    re.IGNORECASE,
)


def named_devices(references: Iterable[ResolvedReference]) -> list[ResolvedReference]:
    """Return the references to the master record that name a device, each device once: its class,
    its code or who makes it does not."""
    named: dict[str, ResolvedReference] = {}
    for reference in references:
        field = reference.text.rpartition("|")[2].strip(" []")
        names_device = _NAMES_DEVICE.search(field) and not _OF_A_DEVICE.search(field)
        is_field = reference.kind is ReferenceKind.MASTER_RECORD and reference.value is not None
        if is_field and names_device and reference.value is not None:
            named.setdefault(reference.value.text.casefold(), reference)
    return list(named.values())
