"""The folder convention, name by name."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

import pytest

from phasergun_desktop.errors import ProjectError
from phasergun_desktop.projects.convention import (
    FolderConvention,
    SkipReason,
    classify,
    find_convention,
)
from phasergun_desktop.projects.folder_tree import (
    categories_file,
    create_project_tree,
    prompt_folder,
    read_convention,
)
from phasergun_desktop.projects.layers import Layer


@pytest.mark.parametrize(
    ("file", "layer"),
    [
        ("Procedures/SOPs/SOP-001.docx", Layer.SOPS),
        ("procedures/sops/deep/down/SOP-001.docx", Layer.SOPS),
        ("Procedures/SOP-009.pdf", Layer.SOPS),
        ("Procedures/QPs/manual.md", Layer.QUALITY_POLICIES),
        ("Procedures/Quality Plans/a.md", Layer.QUALITY_POLICIES),
        ("Procedures/QaPs/plan.md", Layer.PROJECT_QUALITY_PLANS),
        ("Procedures/QAPs/plan.md", Layer.PROJECT_QUALITY_PLANS),
        ("Procedures/quality_assurance_plans/plan.md", Layer.PROJECT_QUALITY_PLANS),
        ("Context/Project-Master-Record.docx", Layer.MASTER_RECORD),
        ("Context/my master record V2.1.docx", Layer.MASTER_RECORD),
        ("Context/Primary Context.docx", Layer.MASTER_RECORD),
        ("Context/Primary-Context-V1.2.docx", Layer.MASTER_RECORD),
        ("Context/Primary Context notes.docx", Layer.PRIMARY_CONTEXT),
        ("Context/Project-Master-Record.pdf", Layer.PRIMARY_CONTEXT),
        ("Context/notes.md", Layer.PRIMARY_CONTEXT),
        ("Context/Initiation/x.docx", Layer.INITIATION),
        ("Context/Initiation/master-record.docx", Layer.INITIATION),
        ("CONTEXT/ONGOING/x.docx", Layer.ONGOING),
        ("Context/Predicates/K1/K1.pdf", Layer.PREDICATES),
        ("Context/regulatory_strategy/x.md", Layer.REGULATORY_STRATEGY),
        ("Context/General/x.md", Layer.GENERAL),
        ("Bootstrap/sub/DDP-V1.2.docx", Layer.BOOTSTRAP),
    ],
)
def test_every_place_has_its_layer(file: str, layer: Layer) -> None:
    placement = classify(PurePosixPath(file), FolderConvention.TREE)
    assert (placement.layer, placement.skip_reason) == (layer, None)


@pytest.mark.parametrize(
    ("file", "reason", "is_prompt"),
    [
        ("Context/Prompt/device.md", SkipReason.PROMPT, True),
        ("Context/prompt/old/device.TXT", SkipReason.PROMPT, True),
        ("Context/Prompt/picture.png", SkipReason.PROMPT, False),
        ("Procedures/categories.yaml", SkipReason.SETTINGS, False),
        ("Procedures/SOPs/~$SOP-001.docx", SkipReason.LOCK_FILE, False),
        ("Procedures/SOPs/.~lock.SOP-001.docx#", SkipReason.LOCK_FILE, False),
        ("Procedures/SOPs/.DS_Store", SkipReason.HIDDEN, False),
        (".git/config", SkipReason.HIDDEN, False),
        ("Procedures/SOPs/~WRL0001.tmp", SkipReason.TEMPORARY, False),
        ("Context/General/notes.md~", SkipReason.TEMPORARY, False),
        ("Context/Archive/old.docx", SkipReason.STRAY, False),
        ("Procedures/Archive/old.docx", SkipReason.STRAY, False),
        ("readme.md", SkipReason.STRAY, False),
    ],
)
def test_what_is_not_indexed_says_why(file: str, reason: SkipReason, is_prompt: bool) -> None:
    placement = classify(PurePosixPath(file), FolderConvention.TREE)
    assert placement.layer is None
    assert (placement.skip_reason, placement.is_prompt) == (reason, is_prompt)


def test_any_other_folder_is_one_layer() -> None:
    assert find_convention(["Reports", "2024"]) is FolderConvention.PLAIN
    assert find_convention(["Reports", "bootstrap"]) is FolderConvention.TREE
    placement = classify(PurePosixPath("Reports/a/b.pdf"), FolderConvention.PLAIN)
    assert placement.layer is Layer.DOCUMENTS
    hidden = classify(PurePosixPath("Reports/~$b.docx"), FolderConvention.PLAIN)
    assert hidden.skip_reason is SkipReason.LOCK_FILE


def test_a_plain_folder_with_prompts_stays_plain(tmp_path: Path) -> None:
    (tmp_path / "Reports").mkdir()
    prompts = tmp_path / "Context" / "Prompt"
    prompts.mkdir(parents=True)
    (tmp_path / "Context" / ".DS_Store").write_bytes(b"")
    assert read_convention(tmp_path) is FolderConvention.PLAIN
    placement = classify(PurePosixPath("Context/Prompt/mine.md"), FolderConvention.PLAIN)
    assert (placement.skip_reason, placement.is_prompt) == (SkipReason.PROMPT, True)
    (tmp_path / "Context" / "notes.md").write_text("Notes.", "utf-8")
    assert read_convention(tmp_path) is FolderConvention.TREE
    (tmp_path / "Context" / "notes.md").unlink()
    (tmp_path / "Procedures").mkdir()
    assert read_convention(tmp_path) is FolderConvention.TREE


def test_new_project_makes_the_tree_and_keeps_what_is_there(tmp_path: Path) -> None:
    (tmp_path / "procedures" / "sops").mkdir(parents=True)
    create_project_tree(tmp_path)
    assert read_convention(tmp_path) is FolderConvention.TREE
    folders = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob("*")}
    assert "procedures/sops" in folders
    assert "Context/Regulatory Strategy" in folders
    assert "procedures/QaPs" in folders
    assert sum(name.casefold() == "procedures/sops" for name in folders) == 1
    assert prompt_folder(tmp_path).is_dir()
    assert categories_file(tmp_path) == tmp_path / "procedures" / "categories.yaml"


def test_unreadable_folders_are_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(ProjectError, match="not there any more"):
        read_convention(tmp_path / "absent")
    file = tmp_path / "file"
    file.write_text("x")
    with pytest.raises(ProjectError, match="not a folder"):
        read_convention(file)
    with pytest.raises(ProjectError):
        create_project_tree(file / "below")
