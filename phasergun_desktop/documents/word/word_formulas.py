"""Writes formulas of Word files in one line, so that 10⁶ does not become 106."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from phasergun_desktop.documents.word.word_names import M

_BEFORE = {f"{M}num": "", f"{M}den": "/", f"{M}sup": "^", f"{M}sub": "_"}
FORMULA_TAGS = frozenset({*_BEFORE, f"{M}rad", f"{M}d", f"{M}nary", f"{M}fName", f"{M}mr"})


def formula_edges(element: Element) -> tuple[str, str]:
    """Return what is written before and after a part of a formula (one of FORMULA_TAGS)."""
    tag = element.tag
    if tag == f"{M}d":
        return _sign(element, "dPr", "begChr", "("), _sign(element, "dPr", "endChr", ")")
    if tag == f"{M}nary":
        return _sign(element, "naryPr", "chr", "∫"), ""
    if tag == f"{M}rad":
        return "√", ""
    if tag not in _BEFORE:
        return "", " "
    text = "".join(each.text or "" for each in element.iter(f"{M}t")).strip()
    if not text:
        return "", ""
    is_plain = text.lstrip("-−+").replace(".", "").replace(",", "").isalnum()
    return (_BEFORE[tag], "") if is_plain else (f"{_BEFORE[tag]}(", ")")


def _sign(element: Element, holder: str, name: str, default: str) -> str:
    stated = element.find(f"{M}{holder}/{M}{name}")
    return default if stated is None else stated.get(f"{M}val", default)
