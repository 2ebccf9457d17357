"""The files of prompts are written only over what was loaded of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from phasergun_desktop.drafts.typed_prompts import (
    TypedPrompt,
    TypedPromptStore,
    add_loaded_digests,
    create_typed_prompts,
)
from phasergun_desktop.storage.database import Database
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


def test_what_was_typed_over_is_known_on_the_next_day(
    session: ProjectSession, tmp_path: Path
) -> None:
    typed = (TypedPrompt("a.md", "Mine.", is_shown=True, loaded=prompt_digest("Theirs.")),)
    session.keep_typed_prompts(typed)
    assert session.typed_prompts() == typed
    # A database from before, which may not be writable now.
    old = tmp_path / "old.db"
    with Database(old, [create_typed_prompts]) as database:
        with database.transaction() as connection:
            connection.execute("INSERT INTO typed_prompts VALUES ('a.md', 'Mine.', 1)")
        assert TypedPromptStore(database).load() == (TypedPrompt("a.md", "Mine.", is_shown=True),)
    with Database(old, [create_typed_prompts, add_loaded_digests]) as database:
        TypedPromptStore(database).save(typed)
        assert TypedPromptStore(database).load() == typed
