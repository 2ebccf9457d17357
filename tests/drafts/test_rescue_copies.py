"""Rescue copies: private, and whatever stands beside them is passed over."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from phasergun_desktop.drafts.rescue import RescueCopies
from phasergun_desktop.drafts.typed_prompts import TypedPrompt
from tests.storage.test_small_files import STRANGE, posix_only

PROMPTS = (TypedPrompt("", "Describe the alarm.", is_shown=True),)


@posix_only
@pytest.mark.parametrize("kind", STRANGE)
def test_what_is_no_copy_is_passed_over(tmp_path: Path, kind: str) -> None:
    folder = tmp_path / "rescue"
    RescueCopies((folder,), "p").write(PROMPTS)
    STRANGE[kind](folder / "a.json")
    (folder / "b.json").write_text("[" * 100_000)
    (folder / "c.json").write_text('{"project": "p", "made": "", "draft": {"version": 1e999}}')
    with (folder / "d.json").open("wb") as file:
        file.truncate(2**40)
    (copy,) = RescueCopies((folder,), "p").left()
    assert copy.item == PROMPTS


@posix_only
def test_copies_are_for_this_user_alone(tmp_path: Path) -> None:
    folder = tmp_path / "home" / "PhaserGun rescue"
    RescueCopies((folder,), "p").write(PROMPTS)
    modes = {stat.S_IMODE(path.stat().st_mode) for path in folder.iterdir()}
    assert modes == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
