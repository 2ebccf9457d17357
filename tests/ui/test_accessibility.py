"""Without a mouse, without eyes, with large letters: the window and each of its dialogs."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtGui import QAccessible, QPalette
from PySide6.QtWidgets import QApplication, QDialog, QWidget

from phasergun_desktop.retrieval.filters import Filter, FilterKey
from phasergun_desktop.ui.activity.removal_dialog import RemovalDialog
from phasergun_desktop.ui.dialogs.languages_dialog import LanguagesDialog
from phasergun_desktop.ui.dialogs.password_dialog import PasswordDialog
from phasergun_desktop.ui.dialogs.profile_dialog import ProfileDialog
from phasergun_desktop.ui.dialogs.report_dialog import ReportDialog
from phasergun_desktop.ui.dialogs.salvage_dialog import SalvageDialog
from phasergun_desktop.ui.theme import colours_for, dark_palette, light_palette
from phasergun_desktop.workspace.work_salvage import Salvage, Saved, SavedDraft
from tests.fakes.ui_documents import DEVICE
from tests.fakes.ui_logs import fill_log, fill_runs
from tests.ui.colour_contrast import contrast
from tests.ui.conftest import OpenDesk
from tests.ui.seen_widgets import (
    against_the_eye,
    cut_texts,
    missed,
    tab_stops,
    unnamed,
)

SMALL = (1280, 720)


def _start_page(_desk: OpenDesk) -> None:
    pass


def _project(_desk: OpenDesk) -> None:
    pass


def _draft(desk: OpenDesk) -> None:
    desk.generate()


def _draft_and_evidence(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.sheet.unfold()
    desk.window.parts.draft_panel.footnotes_box.line.fold(False)


def _finding(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["replace"].trigger()


def _source(desk: OpenDesk) -> None:
    desk.generate()
    with desk.qtbot.waitSignal(desk.window.parts.source_panel.shown, timeout=10_000):
        desk.window.source_flow.open_file(DEVICE)
    desk.window.parts.source_panel.bar.open_find()


def _search(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["search"].trigger()
    desk.window.parts.search_panel.search_for("glucose")
    desk.wait(lambda: desk.window.parts.search_panel.hits.count() > 0)
    desk.window.parts.search_panel.hits.setCurrentRow(0)


def _ask(desk: OpenDesk) -> None:
    desk.window.actions_table["go-ask"].trigger()
    panel = desk.window.parts.ask_panel
    panel.composer.chips.add(Filter(FilterKey.LAYER, "sops"))
    panel.composer.box.put("What does the meter measure?")
    with desk.qtbot.waitSignal(desk.window.ask_flow.asking.ended, timeout=10_000):
        panel.composer.button.click()
    panel.composer.box.put("And its range?")


def _conversations(desk: OpenDesk) -> None:
    _ask(desk)
    panel = desk.window.parts.ask_panel
    panel.title_line.fold(False)
    desk.wait(lambda: panel.list.list.count() > 0)


def _problems(desk: OpenDesk) -> None:
    desk.generate()
    desk.window.actions_table["go-problems"].trigger()


def _activity(desk: OpenDesk) -> None:
    fill_log(desk.session.logs, 40)
    desk.window.actions_table["go-activity"].trigger()
    panel = desk.window.parts.activity_panel
    desk.wait(lambda: panel.table.rowCount() == 40)
    panel.view.selectRow(2)


def _evaluation(desk: OpenDesk) -> None:
    fill_runs(desk.session.runs_file, 3)
    desk.window.actions_table["go-evaluation"].trigger()
    desk.wait(lambda: desk.window.parts.evaluation_panel.table.rowCount() == 3)


VIEWS: dict[str, Callable[[OpenDesk], None]] = {
    "start": _start_page,
    "project": _project,
    "draft": _draft,
    "evidence": _draft_and_evidence,
    "finding": _finding,
    "source": _source,
    "search": _search,
    "problems": _problems,
    "activity": _activity,
    "evaluation": _evaluation,
    "ask": _ask,
    "conversations": _conversations,
}
BY_ACTION = (
    "about",
    "settings",
    "categories",
    "language-model",
    "versions",
    "rename-draft",
    "languages",
    "empty-trash",
    "export-word",
)
MADE: dict[str, Callable[[QWidget], QDialog]] = {
    "recognition": lambda parent: LanguagesDialog(("deu", "eng"), "eng", parent),
    "password": lambda parent: PasswordDialog(
        ["Context/Report.pdf"], can_forget=True, parent=parent
    ),
    "report": lambda parent: ReportDialog(ValueError("broken"), parent),
    "profile": lambda parent: ProfileDialog("mine", "name: mine\n", is_copy=True, parent=parent),
    "removal": RemovalDialog,
    "salvage": lambda parent: SalvageDialog(
        Salvage((SavedDraft("Risk summary", Saved.WHOLE),), "work.db.damaged-1"), parent
    ),
}
DIALOGS = (*BY_ACTION, *MADE)


@pytest.fixture(params=VIEWS)
def view(request: pytest.FixtureRequest, open_desk: Callable[..., OpenDesk]) -> OpenDesk:
    """The window in one of the states that a writer meets."""
    desk = open_desk(opens_project=request.param != "start")
    VIEWS[request.param](desk)
    desk.window.activateWindow()
    desk.qtbot.wait(1)
    return desk


@pytest.fixture(params=DIALOGS)
def dialog(request: pytest.FixtureRequest, desk: OpenDesk) -> QDialog:
    """One of the dialogs, open over a draft."""
    desk.generate()
    if request.param in MADE:
        MADE[request.param](desk.window).open()
    else:
        desk.window.actions_table[request.param].trigger()

    def shown() -> list[QDialog]:
        return [one for one in desk.window.findChildren(QDialog) if one.isVisible()]

    desk.wait(lambda: bool(shown()))
    found = shown()[0]
    desk.wait(lambda: QApplication.activeWindow() is found)
    return found


def test_every_control_of_the_window_has_a_name(view: OpenDesk) -> None:
    assert unnamed(view.window) == []


def test_every_control_of_a_dialog_has_a_name(dialog: QDialog) -> None:
    assert unnamed(dialog) == []


def test_tab_comes_to_everything_in_the_order_of_the_eye(view: OpenDesk) -> None:
    window, parts = view.window, view.window.parts
    stops = tab_stops(window)
    assert missed(window, stops) == []
    panels = (
        *(dock.widget() for dock in window.docks),
        parts.start_page,
        window.sheet,
        parts.status_bar,
    )
    assert [step for panel in panels for step in against_the_eye(panel, stops)] == []


def test_tab_comes_to_everything_of_a_dialog(dialog: QDialog) -> None:
    stops = tab_stops(dialog)
    assert missed(dialog, stops) == []
    assert against_the_eye(dialog, stops) == []


def test_no_text_of_the_window_is_cut_at_1280_by_720(view: OpenDesk) -> None:
    assert view.window.size().toTuple() == SMALL
    assert cut_texts(view.window) == []


def test_a_long_remark_does_not_widen_the_window(desk: OpenDesk) -> None:
    bar = desk.window.parts.status_bar
    bar.show_work("Select words in a source, a search result or a passage first. " * 6)
    desk.qtbot.wait(20)
    assert desk.window.size().toTuple() == SMALL
    assert bar.work_label.toolTip() == bar.work_label.text()
    bar.show_work("Exported to Device Description.docx")
    desk.qtbot.wait(20)
    assert bar.work_label.width() >= bar.work_label.sizeHint().width()


def test_no_text_of_a_dialog_is_cut_and_it_fits_on_a_small_screen(dialog: QDialog) -> None:
    assert cut_texts(dialog) == []
    assert dialog.width() <= SMALL[0]
    assert dialog.height() <= SMALL[1]


# What is said of sentences ------------------------------------------------------------------


def test_the_state_of_the_sentence_at_the_cursor_is_told(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    told = QAccessible.queryAccessibleInterface(editor)
    assert told is not None
    marked = desk.window.parts.draft_panel.sentences[0]
    editor.move_cursor(marked.start)
    assert told.text(QAccessible.Text.Description) == marked.reason.replace("\n", " ")
    supported = next(
        place
        for place in desk.window.parts.draft_panel.text.places()
        if place.key not in {one.unit for one in desk.window.parts.draft_panel.sentences}
        and not place.level
        and editor.keys_between(place.start, place.end)
    )
    editor.move_cursor(supported.start)
    assert told.text(QAccessible.Text.Description) == "Supported by its source"


def test_what_is_accepted_is_told_where_the_cursor_stands(desk: OpenDesk) -> None:
    desk.generate()
    editor = desk.window.parts.draft_panel.editor
    editor.move_cursor(desk.window.parts.draft_panel.sentences[0].start)
    desk.window.actions_table["mark-checked"].trigger()
    assert editor.accessibleDescription().startswith("Checked by you")


# Colours ------------------------------------------------------------------------------------


@pytest.mark.parametrize("palette", [light_palette(), dark_palette()], ids=["light", "dark"])
def test_text_and_marks_stand_out_on_every_ground(qapp: QApplication, palette: QPalette) -> None:
    colours, role = colours_for(palette), QPalette.ColorRole
    grounds = [palette.color(one) for one in (role.Base, role.Window, role.AlternateBase)]
    texts = {
        "text": palette.color(role.Text),
        "window text": palette.color(role.WindowText),
        "placeholder": palette.color(role.PlaceholderText),
        "link": palette.color(role.Link),
        "footnote": colours.link,
        "muted": colours.muted,
        "wrong": colours.wrong,
        "partly": colours.partly,
        "good": colours.good,
    }
    weak = [
        f"{name} on {ground.name()}: {contrast(text, ground):.1f}"
        for name, text in texts.items()
        for ground in grounds
        if contrast(text, ground) < 4.5
    ]
    edges = {"accent": palette.color(role.Accent), "passage edge": colours.passage_edge}
    weak += [
        f"{name} on {grounds[0].name()}: {contrast(edge, grounds[0]):.1f}"
        for name, edge in edges.items()
        if contrast(edge, grounds[0]) < 3
    ]
    assert weak == []
