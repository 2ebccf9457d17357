"""Write the draft that lies in the sample project when it is opened first.

It is drafted by the product itself, in the words of the sources, from one of the sample's prompts;
then one value in it is changed, as by a slip of the hand, and checked like every sentence that a
writer edits: that is the problem which the draft has.

Run: ``python packaging/build_sample_draft.py [--out FILE]``
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from dataclasses import replace
from pathlib import Path

from phasergun_desktop.drafts.draft_codec import encode_draft
from phasergun_desktop.drafts.model import Draft, Edit, EditKind
from phasergun_desktop.jobs import run_to_end
from phasergun_desktop.paths import Places, resources_path
from phasergun_desktop.wiring import build_application
from phasergun_desktop.workspace.sample_project import SAMPLE_DRAFT_ID
from phasergun_desktop.workspace.session import ProjectSession

DRAFT_FILE = resources_path() / "sample_draft.json"
PROMPT_FILE = "Context/Prompt/device-description.md"
# What the source says, and what the draft says in its place.
RIGHT, WRONG = "for 18 hours", "for 20 hours"
# Replaced by the time of the first opening.
TIME = "2026-09-01T09:00:00+00:00"


def sample_draft(session: ProjectSession) -> Draft:
    """Draft the prompt in the words of the sources, with the one value that is wrong."""
    prompt = next(one for one in session.prompts() if one.file == PROMPT_FILE)
    plan = session.plan(prompt.text)
    result = run_to_end(session.draft(plan, should_stop=lambda: False, use_model=False))
    draft = session.keep(result, PROMPT_FILE, SAMPLE_DRAFT_ID)
    at = next(index for index, unit in enumerate(draft.units) if RIGHT in unit.text)
    said = draft.units[at].text
    units = list(draft.units)
    units[at] = replace(units[at], text=said.replace(RIGHT, WRONG))
    draft = replace(draft, units=tuple(units))
    units[at] = session.check(draft, [at])[0]
    edit = Edit(TIME, EditKind.EDITED, before=said, after=units[at].text)
    # The same each time: how long it took here says nothing to anybody.
    plan_record = json.dumps({**json.loads(draft.plan_json), "retrieval_ms": 0})
    return replace(
        draft,
        units=tuple(units),
        edits=(edit,),
        created=TIME,
        modified=TIME,
        plan_json=plan_record,
        trace=(),
    )


def build(folder: Path) -> str:
    """Return the draft as JSON, made in a user's folders below ``folder``."""
    places = Places(folder / "cache", folder / "data", folder / "config", folder / "models")
    application = build_application(places)
    try:
        # Not at its own place, where it would get the draft that is about to be made.
        root = folder / "Sample project"
        application.workspace.sample().rename(root)
        session = application.workspace.open(root)
        try:
            run_to_end(session.sync())
            made = encode_draft(sample_draft(session))
        finally:
            session.close()
    finally:
        application.close()
    return json.dumps(made, indent=1) + "\n"


def main() -> int:
    """Write the draft."""
    parser = argparse.ArgumentParser(description="Write the draft of the sample project.")
    parser.add_argument("--out", type=Path, default=DRAFT_FILE)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text = build(Path(folder))
    chosen.out.write_text(text, encoding="utf-8")
    print(f"{chosen.out}: {len(text)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
