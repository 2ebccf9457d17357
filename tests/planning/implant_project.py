"""An implant with a predicate, a predecessor, a rival and papers that are not in force."""

from __future__ import annotations

from dataclasses import replace

from phasergun_desktop.documents.model import ParsedDocument
from tests.fakes.fake_documents import FakeDocuments, fake_document

MASTER = "Context/Project-Master-Record.docx"
PREDICATE = "Context/Predicates/K998877-Summary.md"
OWN = "Context/Initiation/Description.md"
BENCH = "Context/Ongoing/TR-310-Compression.md"
OLDER = "Context/Ongoing/TR-120-Compression.md"
OLD_PLAN = "Context/Ongoing/Test-Plan-V1.docx"
NEW_PLAN = "Context/Ongoing/Test-Plan-V2.docx"
WITHDRAWN = "Context/Ongoing/Prototype-Memo.md"
RIVAL = "Context/Initiation/Market.md"
STRAY = "Context/Initiation/pump_requirements.md"
AGAINST = "Context/Ongoing/Comparison-K998877.md"
SHORT = "Context/Initiation/User-Needs.md"


def _submission(number: str, lines: list[str]) -> ParsedDocument:
    document = fake_document(lines)
    return replace(document, metadata=replace(document.metadata, k_number=number))


IMPLANT = FakeDocuments(
    {
        MASTER: fake_document(
            [
                "# Project",
                "Device Name: Spinora II Lumbar Cage",
                "Models: SPC-210, SPC-220",
                "Manufacturer: Halden Spine",
                "# Regulatory",
                "Predicate Device: K998877",
            ]
        ),
        PREDICATE: _submission("K998877", ["# 510(k) summary", "The cage bears 9 kN."]),
        OWN: fake_document(["# Spinora II Lumbar Cage", "The cage is made of PEEK."]),
        BENCH: fake_document(
            [
                "# TR-310: compression of SPC-210",
                "The cage bears 12 kN.",
                "# Results of the predecessor",
                "It bore 8 kN.",
                "The Spinora II bears more.",
            ]
        ),
        OLDER: fake_document(["# TR-120: compression of Spinora I", "The cage bears 8 kN."]),
        OLD_PLAN: fake_document(["# Test plan", "Spinora II: five cages are tested."]),
        NEW_PLAN: fake_document(["# Test plan", "Spinora II: six cages are tested."]),
        WITHDRAWN: fake_document(["# Memo", "Status: withdrawn", "SPC-210 bears 20 kN."]),
        RIVAL: fake_document(["# Competitors", "Product: OrthoLift 300", "It bears 15 kN."]),
        STRAY: fake_document(
            ["# Requirements", "Device: Airwell RW-11 pump", "The pump delivers 5 L/min."]
        ),
        AGAINST: _submission("K998877", ["# Spinora II against K998877", "Both are of PEEK."]),
        SHORT: fake_document(["# User needs", "The surgeon sees the cage in X-ray."]),
    }
)
