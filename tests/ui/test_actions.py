"""Everything can be done by keyboard, is in a menu, has a name, and follows light and dark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction, QKeySequence, QPalette
from PySide6.QtWidgets import QApplication, QMenu

from phasergun_desktop.paths import resources_path
from phasergun_desktop.settings.model import Theme
from phasergun_desktop.ui.theme import colours_for, dark_palette, light_palette
from phasergun_desktop.ui.window_actions import SEPARATOR, SPECS
from tests.fakes.ui_documents import DEVICE
from tests.ui.colour_contrast import contrast
from tests.ui.conftest import OpenDesk


def _every(desk: OpenDesk) -> list[QAction]:
    names = [spec.name for spec in SPECS if spec.name != SEPARATOR]
    return [desk.window.actions_table[name] for name in names]


def test_every_action_is_in_a_menu_and_has_a_key_of_its_own(desk: OpenDesk) -> None:
    menus = [action.menu() for action in desk.window.menuBar().actions()]
    in_menus = {
        action
        for menu in menus
        if isinstance(menu, QMenu)
        for action in menu.actions()
        if not action.isSeparator()
    }
    assert set(_every(desk)) <= in_menus
    keys = Counter(
        key.toString() for action in in_menus for key in action.shortcuts() if not key.isEmpty()
    )
    assert [key for key, times in keys.items() if times > 1] == []
    assert [action.text() for action in in_menus if not action.shortcuts()] == []


def test_every_action_does_something(desk: OpenDesk) -> None:
    for action in _every(desk):
        assert action.receivers("2triggered(bool)") > 0, action.text()


def test_mnemonics_of_a_menu_are_distinct() -> None:
    for menu in {spec.menu for spec in SPECS}:
        letters = [
            spec.text[spec.text.index("&") + 1].lower()
            for spec in SPECS
            if spec.menu == menu and "&" in spec.text
        ]
        assert [one for one, times in Counter(letters).items() if times > 1] == [], menu


def test_every_icon_is_bundled() -> None:
    names = {spec.icon for spec in SPECS if spec.icon}
    absent = [one for one in names if not (resources_path() / "icons" / f"{one}.svg").is_file()]
    assert absent == []


def test_focus_mode_leaves_the_draft_alone_and_brings_all_back(desk: OpenDesk) -> None:
    window = desk.window
    before = [dock.isHidden() for dock in window.docks]
    window.actions_table["focus-mode"].trigger()
    assert all(dock.isHidden() for dock in window.docks)
    assert not window.parts.prompt_panel.isVisible()
    window.actions_table["focus-mode"].trigger()
    assert [dock.isHidden() for dock in window.docks] == before
    assert window.parts.prompt_panel.isVisible()


def test_widths_stay_behind_other_tabs_and_in_focus_mode(desk: OpenDesk) -> None:
    window = desk.window
    project, search = window.docks[:2]
    window.resizeDocks([project], [310], Qt.Orientation.Horizontal)
    desk.wait(lambda: project.width() == 310)
    source = window.docks[3].width()
    window.show_dock("search")
    desk.wait(lambda: search.width() == 310)
    window.actions_table["focus-mode"].trigger()
    desk.wait(lambda: not search.isVisible())
    window.actions_table["focus-mode"].trigger()
    desk.wait(lambda: search.width() == 310)
    assert window.docks[3].width() == source


@pytest.mark.parametrize("palette", [light_palette(), dark_palette()], ids=["light", "dark"])
def test_text_can_be_read_in_light_and_dark(qapp: QApplication, palette: QPalette) -> None:
    colours = colours_for(palette)
    role = QPalette.ColorRole
    base, window = palette.color(role.Base), palette.color(role.Window)
    pairs = [
        (palette.color(role.Text), base),
        (palette.color(role.WindowText), window),
        (palette.color(role.ButtonText), palette.color(role.Button)),
        (palette.color(role.HighlightedText), palette.color(role.Highlight)),
        (palette.color(role.PlaceholderText), base),
        (palette.color(role.PlaceholderText), window),
        (colours.link, base),
        (colours.muted, base),
        (colours.wrong, base),
        (colours.partly, base),
        (colours.good, base),
        (colours.passage_text, colours.passage),
        (colours.notice_text, colours.notice),
    ]
    assert [round(contrast(*pair), 1) for pair in pairs if contrast(*pair) < 4.5] == []


def test_the_window_turns_dark_and_back_while_it_runs(desk: OpenDesk) -> None:
    editor = desk.window.parts.draft_panel.editor
    desk.generate()
    assert not colours_for(editor.palette()).is_dark
    desk.window.actions_table["theme-dark"].trigger()
    desk.wait(lambda: colours_for(editor.palette()).is_dark)
    dark = colours_for(editor.palette())
    block = editor.document().begin()
    colours = set()
    while block.isValid():
        for one in block.layout().formats():
            colours.add(one.format.foreground().color().name())
        block = block.next()
    assert dark.link.name() in colours
    desk.window.actions_table["theme-system"].trigger()
    desk.wait(lambda: not colours_for(editor.palette()).is_dark)
    desk.window.close()
    assert desk.settings.settings.appearance.theme is Theme.SYSTEM


def test_docks_and_zoom_are_back_after_a_restart(open_desk: Callable[..., OpenDesk]) -> None:
    desk = open_desk()
    desk.window.docks[3].hide()
    desk.window.parts.draft_panel.editor.set_points(15)
    desk.window.close()
    again = open_desk(workspace=desk.workspace, settings=desk.settings)
    assert [dock.isHidden() for dock in again.window.docks] == [False] * 3 + [
        True,
        False,
        True,
        True,
    ]
    assert again.window.parts.draft_panel.editor.points == 15


def test_the_first_arrangement_leaves_room_for_names(desk: OpenDesk) -> None:
    project, source = desk.window.docks[0], desk.window.docks[3]
    desk.wait(lambda: project.width() >= 230)
    assert source.width() >= 380
    assert desk.window.parts.draft_panel.width() >= 500
    assert (desk.window.width(), desk.window.height()) == (1280, 720)


def test_lines_are_60_to_80_characters_long(desk: OpenDesk) -> None:
    desk.window.resize(1900, 1000)
    editor = desk.window.parts.draft_panel.editor
    desk.wait(lambda: editor.width() > 800)
    letters = editor.fontMetrics().averageCharWidth()
    assert 60 <= editor.viewport().width() / letters <= 80


def test_shortcuts_name_real_keys() -> None:
    for spec in SPECS:
        for keys in spec.keys:
            assert QKeySequence(keys).toString(), keys


def _inks(desk: OpenDesk) -> list[str]:
    """The colours of the icons of the tree's lines and of the list of projects."""
    panel = desk.window.parts.project_panel
    model, found = panel.model, []
    icons = [panel.switcher.itemIcon(0), panel.menu_button.icon()]
    for group in range(model.rowCount()):
        above = model.item(group)
        icons += [above.child(row).icon() for row in range(above.rowCount())]
    for icon in icons:
        image = icon.pixmap(32, 32).toImage()
        places = [(x, y) for x in range(image.width()) for y in range(image.height())]
        ink = [image.pixelColor(x, y) for x, y in places]
        found += [one.name() for one in ink if one.alpha() == 255][:1]
    return found


def test_the_icons_of_the_tree_follow_the_theme_at_once(desk: OpenDesk) -> None:
    desk.generate()
    desk.wait(lambda: desk.window.parts.project_panel.model.item_of_file(DEVICE) is not None)
    light = _inks(desk)
    assert len(light) >= 4
    desk.window.actions_table["theme-dark"].trigger()
    dark = _inks(desk)
    desk.window.actions_table["theme-light"].trigger()
    again = _inks(desk)
    desk.window.actions_table["theme-system"].trigger()
    assert [one for one, other in zip(light, dark, strict=True) if one == other] == []
    assert again == light


def test_habits_from_word_do_no_harm() -> None:
    """What Word's keys for small caps, double underline, indents and "again" do there must not
    take text away here, answer for it or start the model."""
    by_key = {QKeySequence(keys).toString(): spec.name for spec in SPECS for keys in spec.keys}
    for keys in ("Ctrl+Shift+D", "Ctrl+Shift+K", "Ctrl+Shift+M", "F4", "Shift+F4"):
        assert QKeySequence(keys).toString() not in by_key, keys
    same = {
        "Ctrl+Alt+1": "heading-1",
        "Ctrl+Alt+2": "heading-2",
        "Ctrl+Alt+3": "heading-3",
        "Ctrl+Shift+N": "text",
        "Ctrl+Shift+L": "list",
        "Ctrl+Alt+F": "cite",
        "Ctrl+B": "bold",
        "Ctrl+I": "italic",
        "Ctrl+Z": "undo",
        "Ctrl+Y": "redo",
        "Ctrl+H": "replace",
        "Ctrl+S": "save",
        "F12": "export-word",
        "F1": "help",
    }
    assert {keys: by_key[keys] for keys in same} == same
