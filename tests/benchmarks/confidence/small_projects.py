"""The projects that are asked, laid out from the test data and from what the selector learns of."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.workspace.session import ProjectSession
from tests.benchmarks.confidence.asked_questions import OXYGENATOR
from tests.benchmarks.glucose import NO_MODEL, ROOT, opened
from tests.benchmarks.glucose import test_data as data_folder

_FOLDERS = {
    "laboratory": "regulatory/lab_sops_SYNTHETIC",
    "ventilator": "regulatory/device_design_respiraworks",
    "quality": "regulatory/qms_pactosigna",
    "glucose": "project-glucose",
}
# Long rules for everybody, and tables of measurements, take minutes to index and answer nothing.
_LEARNT_FROM = ROOT / "packaging" / "selector_data"
_LEFT_OUT = ("General", "Regulatory Strategy", "Prompt")
_SUFFIXES_LEFT_OUT = (".csv",)


def lay_out(folder: Path) -> dict[str, Path]:
    """Copy the projects into ``folder``; return their roots by name."""
    roots = {}
    for name, source in _FOLDERS.items():
        root = folder / name
        for path in sorted((data_folder() / source).rglob("*")):
            relative = path.relative_to(data_folder() / source)
            if not path.is_file() or path.suffix in _SUFFIXES_LEFT_OUT:
                continue
            if any(part in _LEFT_OUT for part in relative.parts):
                continue
            target = root / relative
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, target)
        roots[name] = root
    for learnt in sorted(_LEARNT_FROM.glob("*/project")):
        roots[learnt.parent.name] = shutil.copytree(learnt, folder / learnt.parent.name)
    oxygenator = data_folder() / f"project-{OXYGENATOR}"
    roots[OXYGENATOR] = shutil.copytree(oxygenator, folder / OXYGENATOR)
    return roots


@contextmanager
def asked_project(root: Path, home: Path) -> Iterator[ProjectSession]:
    """Open a project with an up-to-date index and without a language model."""
    with opened(root, home, model=NO_MODEL) as (_, session):
        run_to_end(session.sync())
        yield session


def whole_text(session: ProjectSession) -> str:
    """Return the text of every document, one after the other."""
    return "\n".join(session.source(each.file).document.text for each in session.documents())
