"""What a gap says: what is missing, and in which folder a document on it belongs."""

from __future__ import annotations

import re

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.projects.layers import PROCEDURES, Layer

# The folders of the product's convention; the first rule that fits the request holds.
_BELONGS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(rf"\b(?:{pattern})", re.IGNORECASE), where)
    for pattern, where in (
        (
            r"predicate|reference device",
            "the predicate's 510(k) or decision summary in {predicates}",
        ),
        (
            r"risk|hazard|harm|mitigation|residual",
            "the risk management file of the device in {ongoing}",
        ),
        (
            r"software|firmware|app\b|cyber|algorithm|unresolved anomal",
            "the software documentation of the device in {ongoing}",
        ),
        (
            (
                r"steril|shelf[- ]life|stability|packag|biocompat|cytotox|toxic|clinical|test|stud|"
                r"perform|accura|precis|linear|interfer|drop|batter|weigh|temperature|humidity|"
                r"electromagnetic|safety|validation|verification|result"
            ),
            "a test report or specification in {ongoing}",
        ),
        (r"label|instructions for use|warning|caution|symbol", "the labelling in {ongoing}"),
        (
            r"regulat|guidance|standard|classif|product code|strategy|notified body|market",
            "the regulatory strategy in {strategy}",
        ),
        (
            (
                r"intended use|indication|description|component|part number|principle|user|need|"
                r"material|measur|technolog|design"
            ),
            "the device description in {initiation}",
        ),
        (
            r"manufacturer|company|address|contact|name|number|who\b|owner|date|when\b|price",
            "a field of the master record in {context}",
        ),
    )
)
_FOLDERS = {
    "predicates": "Context/Predicates",
    "ongoing": "Context/Ongoing",
    "strategy": "Context/Regulatory Strategy",
    "initiation": "Context/Initiation",
    "context": "Context",
    "sops": "Procedures/SOPs",
}
_ANY = "a test report or specification in {ongoing}, or a field of the master record in {context}"


def gap_name(point: PlannedPoint) -> str:
    """Return what ``point`` asks for, as it stands in the middle of a sentence."""
    text = point.instruction.partition(". ")[0].strip().rstrip(".")
    if text.endswith("?"):
        return f"an answer to “{text}”"
    return text if text[:2].isupper() else text[:1].lower() + text[1:]


def where_it_belongs(point: PlannedPoint) -> str:
    """Return the kind of document that would state ``point``, with its folder."""
    if point.helps:
        return point.helps
    layers, files = point.scope.layers, point.scope.files
    read = {passage.layer for passage in point.passages}
    if Layer.DOCUMENTS in read or layers == {Layer.DOCUMENTS}:
        # A folder without the convention's subfolders is one layer.
        return "a document on it in the project folder"
    if point.kind is PointKind.PROCEDURE or (layers and layers <= PROCEDURES):
        return "a procedure in {sops}".format(**_FOLDERS)
    if point.kind is PointKind.COMPARE and not layers:
        return "the 510(k) or decision summary of that device in {predicates}".format(**_FOLDERS)
    if files and not layers:
        named = ", ".join(sorted(files)[:2])
        return f"{named}, the document that the prompt names" if len(files) == 1 else named
    text = f"{point.attribute} {point.instruction}"
    found = next((where for pattern, where in _BELONGS if pattern.search(text)), _ANY)
    return found.format(**_FOLDERS)
