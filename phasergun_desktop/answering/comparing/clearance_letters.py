"""The fields at the head of FDA's letter on a 510(k): "Re: K… Trade/Device Name: … Dated: …"."""

from __future__ import annotations

import re

from phasergun_desktop.answering.comparing.attributes import DEVICE_NAME
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.references.model import SourceValue

# What the letter calls a field, and what submissions call it.
_FIELDS = {
    "trade/device name": (DEVICE_NAME, "trade name", "device trade name", "proprietary name"),
    "regulation number": ("regulation number",),
    "regulation name": ("regulation name", "classification name"),
    "regulatory class": ("regulatory class", "device class", "class"),
    "product code": ("product code",),
    "product codes": ("product code",),
}
_LABEL = re.compile(
    r"\b(trade/device name|regulation number|regulation name|regulatory class|product codes?"
    r"|dated|received)\s*:\s*",
    re.IGNORECASE,
)
_MOST_CHARACTERS = 1200
_LONGEST_VALUE = 160


def letter_field(
    attribute: str, device: str, document: ParsedDocument, file: str
) -> SourceValue | None:
    """Return what the clearance letter of the 510(k) number ``device`` states of ``attribute``;
    None where ``document`` is no such letter or the letter does not state it."""
    head = re.search(rf"\bRe:\s*{re.escape(device)}\b", document.text, re.IGNORECASE)
    if head is None:
        return None
    end = document.text.find("Dear ", head.end(), head.end() + _MOST_CHARACTERS)
    if end < 0:
        return None
    labels = list(_LABEL.finditer(document.text, head.end(), end))
    for label, following in zip(labels, [*labels[1:], None], strict=True):
        called = _FIELDS.get(label[1].casefold(), ())
        if attribute.strip().casefold() not in called:
            continue
        start, stop = label.end(), following.start() if following else end
        value = document.text[start:stop].rstrip(" \n,;")
        if value and len(value) <= _LONGEST_VALUE:
            return SourceValue(value, file, start, start + len(value))
    return None
