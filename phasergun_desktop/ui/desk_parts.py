"""The panels of the desk, made once and handed to the flows that connect them."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from phasergun_desktop.ui.activity.activity_panel import ActivityPanel
from phasergun_desktop.ui.ask.ask_panel import AskPanel
from phasergun_desktop.ui.editor.draft_panel import DraftPanel
from phasergun_desktop.ui.editor.draft_tabs import DraftTabs
from phasergun_desktop.ui.editor.find_bar import FindBar
from phasergun_desktop.ui.editor.problems_panel import ProblemsPanel
from phasergun_desktop.ui.editor.rewrite_bar import RewriteBar
from phasergun_desktop.ui.editor.style_bar import StyleBar
from phasergun_desktop.ui.evaluation.evaluation_panel import EvaluationPanel
from phasergun_desktop.ui.generate.prompt_panel import PromptPanel
from phasergun_desktop.ui.help.hint_strip import HintStrip
from phasergun_desktop.ui.icons import IconSet
from phasergun_desktop.ui.message_bar import MessageBar
from phasergun_desktop.ui.projects.project_panel import ProjectPanel
from phasergun_desktop.ui.runners import Runners
from phasergun_desktop.ui.search.search_panel import SearchPanel
from phasergun_desktop.ui.sources.source_loader import SourceLoader
from phasergun_desktop.ui.sources.source_panel import SourcePanel
from phasergun_desktop.ui.start_page import StartPage
from phasergun_desktop.ui.status_bar import DeskStatusBar


class DeskParts:
    """Widgets only; nothing here knows what the others do."""

    def __init__(self, icons: IconSet, runners: Runners, parent: QWidget) -> None:
        self.icons = icons
        self.runners = runners
        self.project_panel = ProjectPanel(icons)
        self.search_panel = SearchPanel(runners.interactive)
        self.problems_panel = ProblemsPanel(icons)
        self.prompt_panel = PromptPanel(icons)
        self.draft_panel = DraftPanel(icons)
        self.draft_tabs = DraftTabs(icons)
        self.style_bar = StyleBar(self.draft_panel.editor, icons)
        self.find_bar = FindBar(self.draft_panel.editor)
        self.rewrite_bar = RewriteBar()
        self.source_loader = SourceLoader(runners.interactive, parent)
        self.source_panel = SourcePanel(self.source_loader, icons)
        self.ask_panel = AskPanel()
        self.activity_panel = ActivityPanel()
        self.evaluation_panel = EvaluationPanel()
        self.start_page = StartPage(icons)
        self.status_bar = DeskStatusBar(icons)
        self.message_bar = MessageBar(icons, parent)
        self.hint_strip = HintStrip(icons, parent)

    def refresh_icons(self) -> None:
        """Draw all icons in the colours of the palette."""
        self.project_panel.refresh_icons()
        self.prompt_panel.refresh_icons()
        self.source_panel.refresh_icons()
        self.draft_tabs.refresh_icons()
        self.style_bar.refresh_icons()
        self.start_page.refresh_icons()
        self.status_bar.refresh_icons()
