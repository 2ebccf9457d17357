"""Background work sees when a model on this machine writes."""

from __future__ import annotations

import pytest

from phasergun_desktop.workspace.language_model_slot import ChosenModel, SharedModel
from tests.fakes.scripted_model import ScriptedModel


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_model_of_this_machine_works_during_its_turns(*, is_remote: bool) -> None:
    model = ScriptedModel([])
    model.is_remote = is_remote
    shared = SharedModel(ChosenModel("m", "m", lambda: "", lambda: model))
    seen = [shared.is_working]
    with shared.turn():
        # It may be loaded now, which takes the machine too.
        seen.append(shared.is_working)
        shared.get()
        seen.append(shared.is_working)
    with shared.spare_turn():
        seen.append(shared.is_working)
    seen.append(shared.is_working)
    assert seen == [False, True, not is_remote, not is_remote, False]
