"""The names of the elements of a Word file that matter here."""

from __future__ import annotations

from xml.etree.ElementTree import Element

W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"

VAL = f"{W}val"
PARAGRAPH = f"{W}p"
TABLE = f"{W}tbl"
ROW = f"{W}tr"
CELL = f"{W}tc"
RUN = f"{W}r"
ALT_CHUNK = f"{W}altChunk"
PARAGRAPH_PROPERTIES = f"{W}pPr"
RUN_PROPERTIES = f"{W}rPr"


def value(element: Element | None) -> str:
    """Return the ``w:val`` of ``element``, ``""`` where there is none."""
    return "" if element is None else element.get(VAL, "")


def number(element: Element | None, default: int, largest: int = 1_000_000) -> int:
    """Return the ``w:val`` of ``element`` as a number from 0 to ``largest``."""
    stated = value(element)
    return min(largest, int(stated)) if stated.isascii() and stated.isdigit() else default


def is_on(properties: Element | None, tag: str) -> bool:
    """Say whether the switch ``tag`` is present in ``properties`` and not turned off."""
    switch = properties.find(tag) if properties is not None else None
    return switch is not None and switch.get(VAL, "1") not in ("0", "false", "off", "none")
