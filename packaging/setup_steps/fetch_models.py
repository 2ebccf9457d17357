"""Run inside the virtual environment: bring the model files that a set-up needs."""

from __future__ import annotations

import sys

from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.jobs import Event, Progress, run_to_end
from phasergun_desktop.models.catalogue import ModelEntry
from phasergun_desktop.models.model_store import ModelState, open_store
from phasergun_desktop.paths import resources_path, user_places
from setup_steps.terminal import Rate, Terminal, megabytes


def main() -> int:
    """Arguments: groups of the catalogue (always, custom-models) and --offline."""
    offline = "--offline" in sys.argv[1:]
    groups = {word for word in sys.argv[1:] if not word.startswith("--")}
    terminal = Terminal()
    try:
        return _bring(terminal, groups, offline=offline)
    except PhaserGunError as error:
        terminal.say(f"Stopped: {error.message}")
        terminal.say(f"Remedy:  {error.remedy}")
        return 1
    except KeyboardInterrupt:
        return 130


def _bring(terminal: Terminal, groups: set[str], *, offline: bool) -> int:
    store = open_store(user_places().models, resources_path())
    wanted = [entry for entry in store.catalogue.entries if entry.install in groups]
    absent = [
        entry.title
        for entry in wanted
        if store.status(entry.name).state not in (ModelState.VERIFIED, ModelState.PRESENT)
    ]
    if absent and offline:
        terminal.say(f"Stopped: Offline, and these models are missing: {', '.join(absent)}.")
        terminal.say("Remedy:  Run the same command once without --offline.")
        return 1
    for entry in wanted:
        known = store.status(entry.name).state is ModelState.VERIFIED
        run_to_end(store.fetch(entry.name), _Speaker(terminal, entry))
        if not known:
            terminal.done(f"{entry.title}: {megabytes(entry.size_bytes)}, digest right")
    return 0


class _Speaker:
    """Shows the progress of one fetch: bytes, share and rate."""

    def __init__(self, terminal: Terminal, entry: ModelEntry) -> None:
        self._terminal = terminal
        self._entry = entry
        self._rate = Rate()

    def __call__(self, event: Event) -> None:
        if isinstance(event, Progress) and event.total:
            size = f"{megabytes(event.done)} of {megabytes(event.total)}"
            parts = (event.what, size, self._rate.text(event.done), event.detail)
            self._terminal.progress(", ".join(part for part in parts if part))


if __name__ == "__main__":
    sys.exit(main())
