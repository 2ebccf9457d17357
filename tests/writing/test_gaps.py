from __future__ import annotations

from dataclasses import replace

import pytest

from phasergun_desktop.grounding.model import UnitKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.planning.model import PlannedPoint, PointKind
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.retrieval.model import SearchScope
from phasergun_desktop.writing.gaps import gap_name, searched_in, where_it_belongs
from tests.fakes.desk import Desk
from tests.fakes.scripted_model import ScriptedModel


def _point(instruction: str, layers: frozenset[Layer] | None = None) -> PlannedPoint:
    scope = SearchScope(layers=layers or frozenset({Layer.INITIATION, Layer.ONGOING}))
    return PlannedPoint(PointKind.DESCRIBE, "", instruction, instruction, scope)


@pytest.mark.parametrize(
    ("layers", "folder"),
    [
        (frozenset({Layer.INITIATION, Layer.ONGOING}), "Context/Ongoing"),
        (frozenset({Layer.PREDICATES}), "Context/Predicates"),
        (frozenset({Layer.SOPS}), "Procedures/SOPs"),
        (frozenset({Layer.DOCUMENTS}), "the project folder"),
    ],
)
def test_a_gap_says_in_which_folder_a_document_belongs(
    layers: frozenset[Layer], folder: str
) -> None:
    assert folder in where_it_belongs(_point("residual risk of the pump", layers))


def test_what_the_template_says_comes_first() -> None:
    point = replace(_point("residual risk"), helps="the risk table in Context/General")
    assert where_it_belongs(point) == "the risk table in Context/General"


def test_a_gap_quotes_what_is_asked_for_and_not_the_order_to_write_it() -> None:
    assert gap_name(_point("How long is it?")) == "“How long is it?”"
    assert gap_name(_point("Weight of the pump. Use kg.")) == "“Weight of the pump”"
    assert gap_name(_point("Describe the weight of the pump.")) == "“weight of the pump”"
    assert gap_name(_point("IEC 60601-1 tests")) == "“IEC 60601-1 tests”"


def test_a_gap_names_the_documents_that_the_prompt_names(desk: Desk) -> None:
    prompt = "Describe the colour [Context|Ongoing|report.md]."
    plan = desk.ticked(prompt, ())
    result = run_to_end(desk.write_plan(plan, ScriptedModel(lambda _prompt: "")))
    [gap] = [unit for unit in result.sentences if unit.kind is UnitKind.TODO]
    assert "“colour” was not found in the documents searched (report.md);" in gap.text
    # The document that the prompt names is there: the writer is not told to add it.
    assert "report.md" not in gap.text.partition("; add ")[2]


def test_many_named_documents_are_counted() -> None:
    files = frozenset(f"Context/Ongoing/{name}.md" for name in "abcd")
    point = replace(_point("weight"), scope=SearchScope(frozenset(), files=files))
    assert searched_in(point) == "a.md, b.md and 2 more"
    assert searched_in(_point("weight")) == ""
