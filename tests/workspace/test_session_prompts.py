"""The files of prompts are written only over what was loaded of them."""

from __future__ import annotations

import pytest

from phasergun_desktop.workspace.prompt_problems import PromptChangedError, prompt_digest
from phasergun_desktop.workspace.session import ProjectSession


def test_a_prompt_that_another_program_changed_is_not_written_over(
    session: ProjectSession,
) -> None:
    loaded = session.save_prompt("Context/Prompt/mine.md", "Describe the alarm.")
    path = session.project.root / loaded.file
    path.write_text("Describe the alarm and its delay.\n", "utf-8")
    with pytest.raises(PromptChangedError) as caught:
        session.save_prompt(loaded.file, "Describe the siren.", before=loaded.digest)
    assert caught.value.text == "Describe the alarm and its delay."
    assert path.read_text("utf-8") == "Describe the alarm and its delay.\n"
    there = prompt_digest(caught.value.text)
    saved = session.save_prompt(loaded.file, "Describe the siren.", before=there)
    # The same text is no other one, and what is gone is written anew.
    session.save_prompt(loaded.file, "Describe the siren.", before=there)
    path.unlink()
    session.save_prompt(loaded.file, "Describe the bell.", before=saved.digest)
    assert path.read_text("utf-8") == "Describe the bell.\n"
