"""Which place of the manual belongs to which place of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from phasergun_desktop.ui.desk_parts import DeskParts
from phasergun_desktop.ui.help.manual import CONTENTS

# By the names of the dialogs' classes: each has its place while it is open.
DIALOGS = {
    "ModelDialog": "models#the-dialog",
    "VersionsDialog": "draft#versions",
    "ChangedSourcesDialog": "discrepancies#a-source-that-changed",
    "SideBySideDialog": "discrepancies#sources-that-disagree",
    "PasswordDialog": "projects#protected-files",
    "LanguagesDialog": "projects#scans",
    "CategoriesDialog": "projects#categories-and-confidentiality",
    "SettingsDialog": "draft#settings",
    "OpenProblemsDialog": "export#what-is-still-open",
    "AboutDialog": "models#where-things-are-kept",
    "SalvageDialog": "draft#nothing-is-lost",
}


def place_of(widget: QWidget | None, parts: DeskParts) -> tuple[str, str]:
    """Return page and anchor for the widget with the keyboard: those of the nearest widget around
    it that has a place."""
    places = _places(parts)
    while widget is not None:
        place = places.get(widget) or DIALOGS.get(type(widget).__name__)
        if place:
            page, _hash, anchor = place.partition("#")
            return page, anchor
        widget = widget.parentWidget()
    return CONTENTS, ""


def _places(parts: DeskParts) -> dict[QWidget, str]:
    prompt = parts.prompt_panel
    return {
        parts.start_page: "first-section",
        parts.project_panel: "projects",
        parts.project_panel.details: "projects#the-state-of-a-file",
        parts.search_panel: "sources#searching",
        parts.problems_panel: "draft#the-list-of-problems",
        prompt: "prompts",
        prompt.template_picker: "prompts#templates",
        prompt.board: "evidence",
        parts.draft_panel: "draft",
        parts.draft_panel.footnotes_box: "citing#the-list-of-sources",
        parts.style_bar: "draft#headings-lists-and-tables",
        parts.rewrite_bar: "draft#rewriting-as-requested",
        parts.draft_tabs: "draft#tabs",
        parts.find_bar: "draft#find-and-replace",
        parts.source_panel: "sources",
        parts.source_panel.bar: "sources#finding-words-in-a-source",
    }
