"""Starting the product: its window or, where there is no screen, its main job."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

from setup_steps.places import Checkout, user_data_folder
from setup_steps.terminal import SetupError, Terminal

_PROMPT_FOLDER = Path("Context") / "Prompt"


def why_no_window(system: str, environment: Mapping[str, str]) -> str:
    """The reason why no window can be opened, "" if one can."""
    if system in ("win32", "darwin"):
        return ""
    if environment.get("DISPLAY") or environment.get("WAYLAND_DISPLAY"):
        return ""
    return "neither DISPLAY nor WAYLAND_DISPLAY is set, so there is no screen for a window"


def sample_project(checkout: Checkout) -> Path:
    """A copy of the sample project that may be written to, in the user's data folder."""
    source = checkout.root / "resources" / "sample_project"
    home = os.environ.get("PHASERGUN_HOME")
    data = Path(home) / "data" if home else user_data_folder()
    target = data / "Sample project"
    if not target.is_dir():
        # It appears whole or not at all.
        half = target.with_name(".Sample project.part")
        shutil.rmtree(half, ignore_errors=True)
        half.parent.mkdir(parents=True, exist_ok=True)
        shutil.copytree(source, half)
        half.replace(target)
    return target


def first_prompt(project: Path) -> Path | None:
    """The prompt file that comes first by name, None if the project has none."""
    folder = project / _PROMPT_FOLDER
    files = sorted(path for path in folder.glob("*") if path.suffix.lower() in (".md", ".txt"))
    return files[0] if files else None


def start(checkout: Checkout, terminal: Terminal, project: Path | None) -> int:
    """Open the window on ``project`` (else the sample), or do the job without one."""
    if project is not None and not project.is_dir():
        raise SetupError(
            f"The project folder {project} does not exist.", "Name a folder that exists."
        )
    folder = (project or sample_project(checkout)).resolve()
    reason = why_no_window(sys.platform, os.environ)
    if not reason:
        terminal.done(f"Opening {folder}")
        return _phasergun(checkout, "gui", str(folder))
    prompt = first_prompt(folder)
    terminal.say(f"No window: {reason}. The main job follows on the command line.")
    code = _phasergun(checkout, "index", str(folder))
    if code != 0:
        return code
    if prompt is None:
        terminal.warn(f"{folder} has no prompt in {_PROMPT_FOLDER}; nothing is drafted.")
        return 0
    terminal.say(f"Drafting {prompt.name} from {folder}")
    code = _phasergun(checkout, "draft", str(folder), str(prompt))
    terminal.say(f"There was no window, because {reason}.")
    return code


def _phasergun(checkout: Checkout, *words: str) -> int:
    command = [str(checkout.python), "-m", "phasergun_desktop", *words]
    return subprocess.run(command, check=False).returncode
