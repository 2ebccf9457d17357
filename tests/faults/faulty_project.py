"""A project of six documents, the index of which is damaged again and again."""

from __future__ import annotations

import os
import shutil
import traceback
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from phasergun_desktop import project_wiring, wiring
from phasergun_desktop.documents.document_reader import ReadingOptions, ReadingProgress
from phasergun_desktop.documents.isolated.child_process import ChildProcessReader
from phasergun_desktop.documents.model import ParsedDocument
from phasergun_desktop.documents.parser import parse_file
from phasergun_desktop.embedding.shared_vectors import SHARED_FILE
from phasergun_desktop.errors import PhaserGunError
from phasergun_desktop.index.schema import INDEX_FILE
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places
from phasergun_desktop.workspace.json_form import plan_json
from phasergun_desktop.workspace.session import ProjectSession
from tests.fakes.warmer_project import GENERAL_FILE, TEST_REPORT, make_warmer_project
from tests.faults.index_rows import first_difference, index_rows

QUERIES = ("At what temperature does the alarm sound?", "heater plate order number", "HAZ-01")
PROMPT = "Describe the alarm and the warming accuracy of the Calmera T1."
_HAZARDS = "Context/Ongoing/Hazard-Log.csv"
_EARLIER = "The alarm sounded at 41 °C in the first version of the device."


@dataclass(frozen=True, slots=True)
class Outcome:
    """One run of the fault ``fault``. ``told`` are errors with a remedy, ``is_found_otherwise``
    says that the fault changed what was found without one; ``mended`` is what the next sync said,
    ``wrong`` what must not be: an error of ours, or rows that are not those of a fresh index."""

    fault: str
    seed: int
    what: str
    told: tuple[str, ...] = ()
    is_found_otherwise: bool = False
    mended: tuple[str, ...] = ()
    wrong: str = ""


class InProcessReader(ChildProcessReader):
    """Reads without a child process: one for each run would be most of its time."""

    def parse(
        self,
        path: Path,
        options: ReadingOptions | None = None,
        on_progress: Callable[[ReadingProgress], None] | None = None,
    ) -> ParsedDocument:
        """Read ``path``."""
        return parse_file(path, options, report=on_progress)


class FaultyProject:
    """``cache`` is the folder of the index, ``sound`` a copy of it as it should be, ``earlier`` one
    from when a document was another, one was missing and one more was there. ``shared`` are the
    vectors that projects share, in the file ``shared_file``."""

    def __init__(self, folder: Path, models: Path) -> None:
        self.root = make_warmer_project(folder / "project")
        (self.root / GENERAL_FILE).unlink()
        home = folder / "home"
        self.places = Places(home / "cache", home / "data", home / "config", models)
        self._application = wiring.build_application(self.places)
        self.shared = self._application._shared.vectors
        self.shared_file = self.places.cache / SHARED_FILE
        with self.opened() as session:
            self.cache = self.places.project_cache(session.project.project_id)
            self._change()
            run_to_end(session.sync())
        self.earlier = Path(shutil.copytree(self.cache, folder / "earlier"))
        self._change_back()
        self.put(None)
        with self.opened() as session:
            run_to_end(session.sync())
            self._files = tuple(record.file for record in session.documents())
            self._seen = self.seen(session)
        self.sound = Path(shutil.copytree(self.cache, folder / "sound"))
        self._rows = index_rows(self.cache / INDEX_FILE)

    def close(self) -> None:
        """End what the project shares with others."""
        self._application.close()

    @contextmanager
    def opened(self) -> Iterator[ProjectSession]:
        """Open the project as a new process does."""
        with (
            patch.object(project_wiring, "ChildProcessReader", InProcessReader),
            closing(self._application.workspace.open(self.root)) as session,
        ):
            yield session

    def put(self, copy: Path | None) -> None:
        """Have the files of ``copy`` for an index, none for None."""
        for each in self.cache.iterdir():
            each.unlink()
        if copy is not None:
            shutil.copytree(copy, self.cache, dirs_exist_ok=True)

    def seen(self, session: ProjectSession, told: list[str] | None = None) -> list[object]:
        """Return what searches, plans and the sources show; with ``told`` a problem that has a
        remedy goes there."""
        steps: list[Callable[[], object]] = [
            *(lambda query=query: _hits(session, query) for query in QUERIES),
            *(
                lambda asks=asks: {**plan_json(session.plan(PROMPT, asks=asks)), "retrieval_ms": 0}
                for asks in (False, True)
            ),
            *(lambda file=file: session.source(file).document for file in self._files),
            lambda: [record.file for record in session.files()],
        ]
        seen = []
        for step in steps:
            try:
                seen.append(step())
            except PhaserGunError as error:
                if told is None or not error.remedy:
                    raise
                told.append(error.title)
        return seen

    def outcome(self, fault: str, seed: int, what: str, told: list[str]) -> Outcome:
        """Open, work, sync, and compare with what should be."""
        mended: tuple[str, ...] = ()
        before: list[object] = []
        try:
            with self.opened() as session:
                before = self.seen(session, told)
                mended = run_to_end(session.sync()).warnings
                after = self.seen(session)
            rows = index_rows(self.cache / INDEX_FILE)
            wrong = first_difference(rows, self._rows)
            if not wrong and after != self._seen:
                wrong = "the rows are the same, what is found is not"
        except Exception:  # noqa: BLE001 - what is looked for
            wrong = traceback.format_exc()
        is_otherwise = not told and before != self._seen
        return Outcome(fault, seed, what, tuple(told), is_otherwise, mended, wrong)

    def _change(self) -> None:
        (self.root / _HAZARDS).rename(self.root / "stray.csv")
        (self.root / "Context/Ongoing/Early.md").write_text(f"# Early\n\n{_EARLIER}\n", "utf-8")
        report = self.root / TEST_REPORT
        self._report = report.read_text("utf-8")
        report.write_text(self._report.replace("78 dB", "60 dB"), "utf-8")

    def _change_back(self) -> None:
        (self.root / "stray.csv").rename(self.root / _HAZARDS)
        (self.root / "Context/Ongoing/Early.md").unlink()
        report = self.root / TEST_REPORT
        report.write_text(self._report, "utf-8")
        # In any case another time than before.
        os.utime(report, ns=(1, 1))


def _hits(session: ProjectSession, query: str) -> list[object]:
    hits = session.search(query, limit=5).hits
    return [(each.file, each.chunk_id, each.text, each.score, each.locator) for each in hits]
