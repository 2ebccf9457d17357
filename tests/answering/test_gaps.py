from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.answering.model import PlannedPoint, PointKind
from phasergun_desktop.answering.writing.gaps import gap_name, where_it_belongs
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import SearchScope

_EVERYWHERE = SearchScope(layers=frozenset(Layer))


def _point(instruction: str, kind: PointKind = PointKind.DESCRIBE) -> PlannedPoint:
    scope = SearchScope(layers=frozenset({Layer.INITIATION, Layer.ONGOING}))
    return PlannedPoint(kind, "", instruction, instruction, scope)


@pytest.mark.parametrize(
    ("instruction", "folder"),
    [
        ("residual risk of the pump", "Context/Ongoing"),
        ("sterilisation of the pump", "Context/Ongoing"),
        ("the predicate of the pump", "Context/Predicates"),
        ("principle of operation", "Context/Initiation"),
        ("classification of the pump", "Context/Regulatory Strategy"),
        ("name of the manufacturer", "master record"),
        ("colour of the pump", "Context/Ongoing"),
    ],
)
def test_a_gap_says_in_which_folder_a_document_belongs(instruction: str, folder: str) -> None:
    assert folder in where_it_belongs(_point(instruction))


def test_what_the_template_says_comes_first() -> None:
    point = replace(_point("residual risk"), helps="the risk table in Context/General")
    assert where_it_belongs(point) == "the risk table in Context/General"


def test_procedures_and_plain_folders_have_their_own_place() -> None:
    assert "Procedures/SOPs" in where_it_belongs(_point("review", PointKind.PROCEDURE))
    plain = replace(_point("review"), scope=SearchScope(layers=frozenset({Layer.DOCUMENTS})))
    assert where_it_belongs(plain) == "a document on it in the project folder"


def test_a_question_is_named_as_one() -> None:
    assert gap_name(_point("How long is it?")) == "an answer to “How long is it?”"
    assert gap_name(_point("Weight of the pump. Use kg.")) == "weight of the pump"
