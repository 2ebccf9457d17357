"""A predicate's documents are left out where the prompt speaks of no predicate."""

from __future__ import annotations

import pytest

from phasergun_desktop.planning.needs import read_request
from phasergun_desktop.planning.subject import of_the_device
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.references.resolver import PromptResolver
from tests.fakes.fake_documents import FakeDocuments, fake_document

PREDICATE = "Context/Predicates/K998877-Summary.md"
OWN = "Context/Initiation/Device.md"
DOCUMENTS = FakeDocuments(
    {
        PREDICATE: fake_document(["# Summary", "The alarm sounds at 43 °C."]),
        OWN: fake_document(["# Device", "The alarm sounds at 42.5 °C."]),
    }
)


@pytest.mark.parametrize(
    ("prompt", "allowed"),
    [
        ("At which temperature does the alarm sound?", False),
        ("Compare the alarm with that of the predicate.", True),
        ("The alarm. Use @predicates.", True),
        ("Alarm temperature [Context|Predicates|K998877-Summary.md]", True),
    ],
)
def test_only_who_asks_for_a_predicate_gets_one(prompt: str, allowed: bool) -> None:
    request = read_request(PromptResolver(DOCUMENTS).resolve(prompt))
    [need] = of_the_device(request, DOCUMENTS.documents()).needs[:1]
    assert need.scope.allows(PREDICATE, Layer.PREDICATES) is allowed
