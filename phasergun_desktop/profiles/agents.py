"""Agents: who answers or drafts, with which model, in which form and from which kind of source."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from phasergun_desktop.errors import ProfileError
from phasergun_desktop.profiles.named_files import NamedFiles
from phasergun_desktop.profiles.near_words import did_you_mean
from phasergun_desktop.profiles.settings_reader import SettingsReader
from phasergun_desktop.settings.model_choice import ModelProfile

ANSWER = "answer"
_LONGEST_TITLE, _LONGEST_PERSONA = 120, 4000
_TOKENS_USUAL, _TOKENS_POSSIBLE = (100, 2000), (20, 20_000)
# Of English, by the tokenizers of the models that are used.
_WORDS_OF_A_TOKEN = 0.75
_SOURCE = re.compile(r"[a-z_]{1,40}=\S.{0,200}")


@dataclass(frozen=True, slots=True)
class Agent:
    """``persona`` goes into the rules of the model. ``model_profile`` names the model that writes
    (None: the one in use). ``output`` is ``answer`` or the name of a section template,
    ``maximum_tokens`` the length; ``sources`` are filters on documents (``layer=sops``) that hold
    where a question or draft has none. ``warnings`` name values outside their usual range."""

    name: str
    title: str
    persona: str
    model_profile: ModelProfile | None = None
    output: str = ANSWER
    maximum_tokens: int = 0
    sources: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def template(self) -> str:
        """The section template that it fills in, empty for one that answers."""
        return "" if self.output == ANSWER else self.output

    @property
    def maximum_words(self) -> int:
        """The length of a draft: ``maximum_tokens`` in words."""
        return round(self.maximum_tokens * _WORDS_OF_A_TOKEN)


class AgentStore:
    """Finds agents by name. A file of the user's outranks the product's of the same name."""

    def __init__(self, resources: Path, user: Path) -> None:
        """``resources`` is the product's resource folder, ``user`` the folder of the user's own
        agents (it may be absent)."""
        self._files = NamedFiles(resources / "agents", user)
        self._templates = NamedFiles(resources / "templates", user.with_name("templates"))

    def load(self, name: str) -> Agent:
        """Read an agent. Raises ``ProfileError`` when it is unknown, or with line and column when
        it is not valid."""
        path = self._files.path(name)
        if path is None:
            names = self._files.names()
            raise ProfileError(
                "Agent not known",
                f"There is no agent “{name[:80]}”.",
                did_you_mean(name, names) or f"Known are: {', '.join(names)}.",
            )
        return load_agent(path, (ANSWER, *self._templates.names()))

    def usable(self) -> tuple[Agent, ...]:
        """Return every agent that is valid, by title; loading another says what is wrong."""
        found = []
        for name in self._files.names():
            try:
                found.append(self.load(name))
            except ProfileError:
                continue
        return tuple(sorted(found, key=lambda each: each.title))


def load_agent(path: Path, outputs: tuple[str, ...]) -> Agent:
    """Read the agent at ``path``, whose output is one of ``outputs``. Raises ``ProfileError``."""
    file = SettingsReader.open(path)
    name, title = file.text("name"), " ".join(file.text("title").split())
    persona, output = file.text("persona").strip(), file.text("output", ANSWER)
    agent = Agent(
        name,
        title,
        persona,
        file.choice("model_profile", ModelProfile, ModelProfile.BALANCED)
        if file.has("model_profile")
        else None,
        output,
        file.integer("maximum_tokens", _TOKENS_USUAL, _TOKENS_POSSIBLE, 500),
        tuple(file.texts("sources")),
        tuple(file.warnings),
    )
    file.finish()
    if name != path.stem:
        message = f"“name” is “{name}”, but the file is called {path.name}"
        raise file.wrong(file.mark("name"), message)
    if not 0 < len(title) <= _LONGEST_TITLE:
        raise file.wrong(file.mark("title"), f"“title” must have 1 to {_LONGEST_TITLE} letters")
    if not 0 < len(persona) <= _LONGEST_PERSONA:
        message = f"“persona” must have 1 to {_LONGEST_PERSONA} letters"
        raise file.wrong(file.mark("persona"), message)
    if output not in outputs:
        message = f"“output” is “{output[:40]}”; possible are {', '.join(outputs)}"
        raise file.wrong(file.mark("output"), message)
    if not all(map(_SOURCE.fullmatch, agent.sources)):
        raise file.wrong(file.mark("sources"), "each of “sources” must be like layer=sops")
    return agent
