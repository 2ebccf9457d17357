"""The sample project: its writable copy, and the finished draft that lies in it at first."""

from __future__ import annotations

import shutil
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.drafts.draft_codec import draft_from_json
from phasergun_desktop.errors import StorageError
from phasergun_desktop.paths import make_private_below
from phasergun_desktop.workspace.rewritten_groups import now
from phasergun_desktop.workspace.session_drafts import WRITTEN, SessionDrafts

# The draft's identity in every copy of the sample.
SAMPLE_DRAFT_ID = "sample-device-description"


class SampleProject:
    """``source`` is the bundled folder, ``draft_file`` its draft as ``build_sample_draft.py``
    wrote it, ``target`` where the copy of this user lies."""

    def __init__(self, source: Path, draft_file: Path, target: Path) -> None:
        self._source = source
        self._draft_file = draft_file
        self.target = target

    def copy(self) -> Path:
        """Return the copy, which is made if it is absent. Raises ``StorageError``."""
        if not self.target.is_dir():
            half = self.target.with_name(f"{self.target.name}.partial")
            try:
                # A copy that was interrupted must not pass for the whole project.
                shutil.rmtree(half, ignore_errors=True)
                shutil.copytree(self._source, half)
                make_private_below(half)
                half.replace(self.target)
            except OSError as error:
                raise StorageError(
                    "The sample project cannot be copied",
                    f"Its folder in your data folder cannot be written ({error.strerror}).",
                    "Make room on the disk or check its permissions.",
                ) from error
        return self.target

    def lay_out(self, session: SessionDrafts) -> None:
        """Put the finished draft into the sample, unless there are drafts in it already."""
        # Where nothing can be written, the sample is opened without a draft, and says so.
        with suppress(StorageError):
            if session.drafts.list():
                return
            draft = draft_from_json(self._draft_file.read_text(encoding="utf-8"))
            made = now()
            edits = tuple(replace(one, time=made) for one in draft.edits)
            draft = replace(draft, created=made, modified=made, edits=edits)
            session.drafts.save(draft)
            session.save_version(draft, WRITTEN)
