"""Make the pictures of the manual from the real window on the sample project.

The window is drawn without a screen, in light colours, and each picture is cut out of it and
reduced to few colours: all of them together are smaller than one photograph.

Run: ``python packaging/help_pictures.py [--out FOLDER]``
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PIL import Image
from PySide6.QtCore import QBuffer, QDeadlineTimer, QEventLoop, QIODevice, QPoint, QRect, QSize
from PySide6.QtWidgets import QApplication, QToolTip, QWidget

from phasergun_desktop.app import make_application
from phasergun_desktop.paths import Places, resources_path
from phasergun_desktop.settings.model import Theme
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory
from phasergun_desktop.wiring import build_application

PICTURES = resources_path() / "help" / "pictures"
SIZE = QSize(1280, 720)
COLOURS = 200
TOO_LONG_MS = 120_000
PROMPT = "Context/Prompt/risk-management-summary.md"
QUESTIONS = (
    "How long does the Velmora P1 take to charge from empty to full?",
    "Why was the charging time of 45 minutes dropped?",
)


def wait(application: QApplication, condition: Callable[[], object]) -> None:
    """Let the window work until ``condition`` holds, and a moment longer."""
    deadline = QDeadlineTimer(TOO_LONG_MS)
    while not condition():
        if deadline.hasExpired():
            raise TimeoutError("the window did not come to rest")
        application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)
    rest = QDeadlineTimer(600)
    while not rest.hasExpired():
        application.processEvents(QEventLoop.ProcessEventsFlag.AllEvents, 20)


@contextmanager
def sample_window(application: QApplication, home: Path) -> Iterator[MainWindow]:
    """Open the window on the sample, read to the end."""
    places = Places(home / "cache", home / "data", home / "config", home / "models")
    theme = ThemeSwitch(application)
    theme.choose(Theme.LIGHT)
    window = MainWindow(
        build_application(places).workspace,
        WindowMemory(SettingsStore(places.config / "settings.json")),
        theme,
        places.config,
    )
    window.resize(SIZE)
    window.show()
    window.start(None)
    window.commands.run("open-sample")
    try:
        wait(application, lambda: bool(window.parts.draft_panel.text.footnotes()))
        keeper, runners = window.keeper, window.runners
        wait(application, lambda: keeper.current is not None and not keeper.current.is_running)
        wait(application, lambda: not any(one.is_busy for one in runners.every))
        yield window
    finally:
        window.close()


def picture(window: MainWindow, widget: QWidget, highest: int = 0, lowest: int = 10_000) -> bytes:
    """Return the part of the window that holds ``widget``, between two heights of the window, as a
    PNG of few colours."""
    window.parts.message_bar.hide()
    around = QRect(widget.mapTo(window, QPoint()), widget.size())
    around &= QRect(0, highest, window.width(), min(window.height(), lowest) - highest)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    window.grab(around).save(buffer, "PNG")
    drawn = Image.open(io.BytesIO(bytes(buffer.data().data()))).convert("RGB")
    made = io.BytesIO()
    drawn.quantize(COLOURS, dither=Image.Dither.NONE).save(made, "PNG", optimize=True)
    return made.getvalue()


def take_pictures(application: QApplication, window: MainWindow) -> dict[str, bytes]:
    """Do what the manual describes, and take a picture of each."""
    parts, made = window.parts, {}
    panel = parts.draft_panel
    key = panel.text.footnotes()[4][1]
    panel.editor.footnote_activated.emit(key)
    wait(application, parts.source_panel.citation)
    made["desk"] = picture(window, window)
    made["source"] = picture(window, parts.source_panel)
    window.actions_table["next-problem"].trigger()
    QToolTip.hideText()
    wait(application, lambda: True)
    cursor = panel.editor.cursorRect()
    bar = panel.editor.verticalScrollBar()
    bar.setValue(bar.value() + cursor.top() - panel.editor.height() // 2)
    panel.editor.move_cursor(panel.editor.textCursor().selectionStart())
    wait(application, lambda: True)
    made["problem"] = picture(window, panel.editor, highest=380)
    window.sheet.unfold()
    parts.prompt_panel.choose(PROMPT)
    # Whether a model is installed where the pictures are made says nothing to a reader.
    parts.prompt_panel.set_model_problem("")
    wait(application, parts.prompt_panel.generate_button.isEnabled)
    made["prompt"] = picture(window, parts.prompt_panel, lowest=430)
    made["board"] = picture(window, parts.prompt_panel.board)
    window.actions_table["go-ask"].trigger()
    # Below the source there is room for half an answer.
    next(each for each in window.docks if each.widget() is parts.source_panel).hide()
    for question in QUESTIONS:
        parts.ask_panel.composer.box.setPlainText(question)
        parts.ask_panel.composer.button.click()
        wait(application, lambda: not window.ask_flow.asking.is_running)
    made["asking"] = picture(window, parts.ask_panel)
    return made


def main() -> int:
    """Write the pictures."""
    parser = argparse.ArgumentParser(description="Make the pictures of the manual.")
    parser.add_argument("--out", type=Path, default=PICTURES)
    chosen = parser.parse_args()
    application = make_application(sys.argv[:1])
    with tempfile.TemporaryDirectory() as home, sample_window(application, Path(home)) as window:
        pictures = take_pictures(application, window)
    chosen.out.mkdir(parents=True, exist_ok=True)
    for name, content in pictures.items():
        (chosen.out / f"{name}.png").write_bytes(content)
        print(f"{name}.png: {len(content)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
