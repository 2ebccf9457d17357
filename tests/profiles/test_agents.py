"""Agents are read from their files, and what is wrong with one is told with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.paths import resources_path
from phasergun_desktop.profiles.agents import AgentStore
from phasergun_desktop.retrieval.filters import parse_filter

WHOLE = "name: mine\ntitle: Mine\npersona: You answer.\nmaximum_tokens: 300\n"


@pytest.fixture
def store(tmp_path: Path) -> AgentStore:
    """The product's agents and a user's folder."""
    (tmp_path / "agents").mkdir()
    return AgentStore(resources_path(), tmp_path / "agents")


def test_every_agent_of_the_product_can_be_used(store: AgentStore) -> None:
    agents = {agent.name: agent for agent in store.usable()}
    files = {path.stem for path in (resources_path() / "agents").glob("*.yaml")}
    assert agents.keys() == files >= {"general", "regulatory-reviewer", "blueprint", "pdr"}
    assert agents["blueprint"].template == "blueprint"
    assert agents["general"].template == ""
    for agent in agents.values():
        assert not agent.warnings
        for source in agent.sources:
            parse_filter(source)


def test_a_users_agent_is_found_first(store: AgentStore, tmp_path: Path) -> None:
    path = tmp_path / "agents" / "general.yaml"
    path.write_text(WHOLE.replace("mine", "general"), "utf-8")
    assert store.load("general").persona == "You answer."


@pytest.mark.parametrize(
    ("text", "place", "said"),
    [
        (WHOLE.replace("mine", "other"), "line 1, column 7", "name"),
        (WHOLE.replace("You answer.", "''"), "line 3, column 10", "persona"),
        (f"{WHOLE}output: novel\n", "line 5, column 9", "novel"),
        (f"{WHOLE}model_profile: huge\n", "line 5, column 16", "balanced"),
        (f"{WHOLE}sources: [sops]\n", "line 5, column 10", "layer=sops"),
        (f"{WHOLE}colour: red\n", "line 5, column 1", "colour"),
        (WHOLE.replace("300", "many"), "line 4, column 17", "maximum_tokens"),
        ("name: mine\n", "line 1", "title"),
        ("- a\n", "line 1", "key: value"),
    ],
)
def test_what_is_wrong_is_told_with_its_place(
    store: AgentStore, tmp_path: Path, text: str, place: str, said: str
) -> None:
    (tmp_path / "agents" / "mine.yaml").write_text(text, "utf-8")
    with pytest.raises(ProfileError) as caught:
        store.load("mine")
    assert place in caught.value.message
    assert said in f"{caught.value.message} {caught.value.remedy}"
    assert "mine" not in [agent.name for agent in store.usable()]


def test_an_unknown_agent_is_told(store: AgentStore) -> None:
    with pytest.raises(ProfileError, match="no agent"):
        store.load("nobody")
