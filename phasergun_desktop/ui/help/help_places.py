"""Which place of the manual belongs to which place of the window."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from phasergun_desktop.ui.help.manual import CONTENTS

# By the names of the classes; a dialog has its place while it is open.
PANELS = {
    "StartPage": "first-section",
    "ProjectPanel": "projects",
    "FileCard": "projects#the-state-of-a-file",
    "SearchPanel": "sources#searching",
    "ProblemsPanel": "draft#the-list-of-problems",
    "PromptPanel": "prompts",
    "TemplatePicker": "prompts#templates",
    "EvidenceBoard": "evidence",
    "DraftPanel": "draft",
    "FootnotesBox": "citing#the-list-of-sources",
    "StyleBar": "draft#headings-lists-and-tables",
    "RewriteBar": "draft#rewriting-as-requested",
    "DraftTabs": "draft#tabs",
    "FindBar": "draft#find-and-replace",
    "AskPanel": "asking",
    "ConversationList": "asking#conversations",
    "Composer": "asking#how-it-is-asked",
    "SourcePanel": "sources",
    "ActivityPanel": "activity",
    "EvaluationPanel": "evaluation",
    "SourceBar": "sources#finding-words-in-a-source",
}
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
    "ProfileDialog": "asking#profiles",
    "SalvageDialog": "draft#nothing-is-lost",
}


def place_of(widget: QWidget | None) -> tuple[str, str]:
    """Return page and anchor for the widget with the keyboard: those of the nearest widget around
    it that has a place."""
    while widget is not None:
        name = type(widget).__name__
        place = PANELS.get(name) or DIALOGS.get(name)
        if place:
            page, _hash, anchor = place.partition("#")
            return page, anchor
        widget = widget.parentWidget()
    return CONTENTS, ""
