"""What is found in a folder, whatever lies in it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.layers import Layer
from phasergun_desktop.sync.folder_scan import scan_folder

posix_only = pytest.mark.skipif(os.name != "posix", reason="links and pipes of POSIX")


def write(root: Path, file: str, text: str = "text") -> Path:
    path = root / file
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def test_every_file_is_listed_once_in_order_with_layer_or_reason(tmp_path: Path) -> None:
    for file in ("Procedures/SOPs/deep/b.md", "Context/a.md", "stray.txt", "Context/~$a.docx"):
        write(tmp_path, file)
    write(tmp_path, "Context/Prompt/one.md")
    scan = scan_folder(tmp_path)
    assert [each.file for each in scan.files] == [
        "Context/Prompt/one.md",
        "Context/a.md",
        "Context/~$a.docx",
        "Procedures/SOPs/deep/b.md",
        "stray.txt",
    ]
    found = {each.file: each for each in scan.files}
    assert found["Procedures/SOPs/deep/b.md"].layer is Layer.SOPS
    assert found["Context/~$a.docx"].skip_reason == "lock file"
    assert found["stray.txt"].skip_reason == "not part of the index"
    assert all((each.layer is None) == bool(each.skip_reason) for each in scan.files)


@posix_only
def test_links_and_pipes_are_listed_but_not_followed(tmp_path: Path) -> None:
    root = tmp_path / "project"
    secret = write(tmp_path, "outside/secret.md")
    write(root, "Context/a.md")
    (root / "Context" / "loop").symlink_to(root / "Context")
    (root / "Context" / "out.md").symlink_to(secret)
    (root / "Context" / "out").symlink_to(secret.parent)
    (root / "Context" / "gone.md").symlink_to(root / "nothing")
    (root / "Context" / "same.md").symlink_to(root / "Context" / "a.md")
    os.mkfifo(root / "Context" / "pipe.md")
    reasons = {each.file: each.skip_reason for each in scan_folder(root).files}
    assert reasons["Context/a.md"] == reasons["Context/same.md"] == ""
    assert "outside the project" in reasons["Context/out.md"]
    assert "outside the project" in reasons["Context/out"]
    assert "not followed" in reasons["Context/loop"]
    assert "not there" in reasons["Context/gone.md"]
    assert reasons["Context/pipe.md"] == "not a regular file"
    assert len(reasons) == 7


@posix_only
def test_a_name_that_is_no_text_is_a_reason_not_a_crash(tmp_path: Path) -> None:
    write(tmp_path, os.fsdecode(b"Context/caf\xe9.md"))
    (found,) = scan_folder(tmp_path).files
    assert "rename" in found.skip_reason
    found.file.encode("utf-8")


def test_an_unreadable_folder_hides_its_files_and_an_absent_root_is_a_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path, "Context/General/a.md")
    scandir = os.scandir

    def refusing(path: str | os.PathLike[str]) -> object:
        if str(path).endswith("General"):
            raise PermissionError(13, "Permission denied")
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    scan = scan_folder(tmp_path)
    assert scan.unreadable == ("Context/General",)
    assert scan.may_be_unreachable("Context/General/a.md")
    assert not scan.may_be_unreachable("Context/General2/a.md")
    with pytest.raises(ProjectError, match="not there"):
        scan_folder(tmp_path / "absent")
