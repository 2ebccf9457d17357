"""What a plan shows of the units that may answer a need."""

from __future__ import annotations

import pytest

from tests.fakes.desk import Desk


@pytest.mark.parametrize("needs", [1, 3, 12])
def test_the_units_of_a_prompt_are_shared_out_to_its_needs(desk: Desk, needs: int) -> None:
    rows = [f"The alarm number {n} of the heater sounds at {n} dB." for n in range(600)]
    desk.project.write("Context/Ongoing/AL-400.md", "# Alarms\n\n" + "\n\n".join(rows))
    desk.project.sync()
    asked = ["alarm", "heater", "number", "sound", "alarm number", "heater alarm", "alarm sound"]
    asked += [f"{a} of the {b}" for a in ("number", "sound", "alarms") for b in asked[:2]]
    plan = desk.plan("\n".join(f"- the {word}" for word in asked[:needs]))
    shown = [(unit.passage.file, unit.passage.start) for n in plan.needs for unit in n.units]
    assert len(plan.needs) == needs
    assert len(shown) == len(set(shown)) == 400
