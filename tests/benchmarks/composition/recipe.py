"""The prompts that are composed, and the projects that they are about."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import docx

from tests.benchmarks.frame import Unavailable
from tests.benchmarks.glucose import ROOT, GlucoseProject

_HERE = Path(__file__).parent
GLUCOSE = "glucose"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A fact as a regular expression; an empty one wants the draft to abstain."""

    fact: str
    pattern: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """A prompt about one project, with what a good section states. One that ``is_held_out`` was
    written by somebody who had seen no draft, and no rule was made looking at it."""

    name: str
    project: str
    kind: str
    text: str
    wanted: tuple[Wanted, ...]
    is_held_out: bool = False


class RecipeProject(GlucoseProject):
    """A project laid out from named files of the test data, otherwise like the other one."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self._recipe: dict[str, Any] = _json("recipe.json")["projects"][name]

    def lay_out(self, root: Path) -> None:
        """Copy the files to their places; write master record and categories."""
        data = Path(os.environ.get("PHASERGUN_TEST_DATA") or ROOT.parent / "shared" / "data")
        for file, source in self._recipe["files"].items():
            place = root / file
            place.parent.mkdir(parents=True, exist_ok=True)
            if not (data / source).is_file():
                raise Unavailable(f"{source} is absent (set PHASERGUN_TEST_DATA)")
            shutil.copyfile(data / source, place)
        record = docx.Document()
        record.add_heading("Device Information", 1)
        for field, value in self._recipe["master_record"].items():
            record.add_paragraph(f"{field}: {value}")
        record.save(str(root / "Context" / "Project-Master-Record.docx"))
        categories = "".join(
            f"  {json.dumps(file)}: {{category: {category}}}\n"
            for file, category in self._recipe["categories"].items()
        )
        if categories:
            text = f"documents:\n{categories}"
            (root / "Procedures" / "categories.yaml").write_text(text, "utf-8")


def projects() -> dict[str, GlucoseProject]:
    """Return every project by name; none is laid out before it is used."""
    names = _json("recipe.json")["projects"]
    return {GLUCOSE: GlucoseProject(), **{name: RecipeProject(name) for name in names}}


def prompts(glucose: GlucoseProject) -> Iterator[Prompt]:
    """Yield the prompts of project-glucose, then those of this folder, the held-out ones last.

    Prompts that were held out once and looked at since are in ``earlier_held_out.json``.
    """
    facts = glucose.facts()
    for path in sorted((glucose.root / "Context" / "Prompt").glob("*.md")):
        wanted = tuple(Wanted(f.fact, f.pattern) for f in facts if f.prompt == path.name)
        yield Prompt(path.stem, GLUCOSE, "glucose", path.read_text("utf-8").strip(), wanted)
    for file in ("prompts.json", "earlier_held_out.json", "held_out.json"):
        for row in _json(file):
            yield Prompt(
                row["name"],
                row["project"],
                row["kind"],
                row["text"],
                tuple(Wanted(fact["fact"], fact["pattern"]) for fact in row["wanted"]),
                is_held_out=file == "held_out.json",
            )


def _json(name: str) -> Any:
    return json.loads((_HERE / name).read_text("utf-8"))
