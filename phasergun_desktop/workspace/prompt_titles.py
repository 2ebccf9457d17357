"""What prompts and the drafts made from them are called; light enough for the window to import."""

from __future__ import annotations

from pathlib import Path


def file_title(path: Path) -> str:
    """Return the title of a prompt's file: its name as words."""
    words = path.stem.replace("-", " ").replace("_", " ").strip()
    return words[:1].upper() + words[1:]


def prompt_title(prompt_file: str, task: str) -> str:
    """Return the title of a draft without a section: its prompt's, else its first words."""
    if prompt_file:
        return file_title(Path(prompt_file))
    words = task.split()
    return " ".join(words[:8]) + ("…" if len(words) > 8 else "")
