"""Icons are drawn by Python objects, which live as long as what Qt draws with them."""

from __future__ import annotations

import gc

from PySide6.QtGui import QIcon, QPixmap
from pytestqt.qtbot import QtBot

from phasergun_desktop.paths import resources_path
from phasergun_desktop.ui.icons import IconSet


def test_a_copy_of_an_icon_that_is_changed_is_drawn_still(qtbot: QtBot) -> None:
    icons = IconSet(resources_path() / "icons")
    copy = QIcon(icons.icon("warning"))
    # Qt clones what draws it. The program ended here.
    copy.addPixmap(QPixmap(4, 4))
    gc.collect()
    assert not copy.pixmap(16, 16).isNull()
    assert not icons.icon("warning").pixmap(16, 16).isNull()
