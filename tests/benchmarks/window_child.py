"""A child process that opens the window on a project and says when it could be used.

``python -m tests.benchmarks.window_child PROJECT [--stay QUESTION]``; prints one JSON object.
The caller sets ``PHASERGUN_HOME``, ``PHASERGUN_MODELS``, ``QT_QPA_PLATFORM`` and
``STARTED`` (``time.time()`` just before it started this process).
"""

from __future__ import annotations

import json
import os
import sys
import time
from pathlib import Path

STARTED = "PHASERGUN_BENCHMARK_STARTED"
_LOOK_EVERY_MS = 2
_TOO_LONG_S = 120.0


def main() -> int:
    """Run the window until it was usable (and, with ``--stay``, idle), then close it."""
    started = float(os.environ[STARTED])
    marks: dict[str, float] = {"python": time.time() - started}
    from PySide6.QtCore import QEvent, QObject, Qt, QTimer
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    from phasergun_desktop import app
    from phasergun_desktop.ui.main_window import MainWindow

    marks["imports"] = time.time() - started
    root = Path(sys.argv[1])
    question = sys.argv[3] if "--stay" in sys.argv else ""
    application = app.make_application(sys.argv[:1])

    class Observer(QObject):
        """Looks at the window every two milliseconds, types a letter, waits until it is drawn."""

        def __init__(self) -> None:
            super().__init__()
            self.window: MainWindow | None = None
            self.drawn = ""
            self.timer = QTimer(self)
            self.timer.timeout.connect(self.look)
            self.timer.start(_LOOK_EVERY_MS)

        def eventFilter(self, watched: QObject, event: QEvent) -> bool:
            if event.type() == QEvent.Type.Paint and self.window is not None:
                self.drawn = self.window.parts.prompt_panel.editor.toPlainText()
            return super().eventFilter(watched, event)

        def look(self) -> None:
            if time.time() - started > _TOO_LONG_S:
                self.finish()
            elif "shown" not in marks:
                self.look_for_window()
            elif "project" not in marks:
                self.look_for_project()
            elif "usable" not in marks:
                self.look_for_letter()
            elif not question or self.look_for_rest():
                self.finish()

        def look_for_window(self) -> None:
            for widget in QApplication.topLevelWidgets():
                if isinstance(widget, MainWindow) and widget.isVisible():
                    self.window = widget
                    marks["shown"] = time.time() - started

        def look_for_project(self) -> None:
            assert self.window is not None
            panel = self.window.parts.prompt_panel
            editor = panel.editor
            can_type = editor.isVisible() and editor.isEnabled() and not editor.isReadOnly()
            if self.window.keeper.session is not None and can_type and "opened" not in marks:
                marks["opened"] = time.time() - started
            # More than the entry for a new prompt: files and prompts are listed.
            if "opened" in marks and panel.picker.count() > 1:
                marks["project"] = time.time() - started
                editor.viewport().installEventFilter(self)
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    key = QKeyEvent(kind, Qt.Key.Key_Q, Qt.KeyboardModifier.NoModifier, "¶")
                    QApplication.postEvent(editor, key)

        def look_for_letter(self) -> None:
            if "¶" in self.drawn:
                marks["usable"] = time.time() - started

        def look_for_rest(self) -> bool:
            """Whether reading the folder and warming are over; then a search is done."""
            assert self.window is not None
            current = self.window.keeper.current
            if current is None or current.is_running or time.time() - started < 4.0:
                return False
            session = self.window.keeper.session
            assert session is not None
            marks["hits"] = len(session.search(question).hits)
            _count_memory(marks)
            return True

        def finish(self) -> None:
            self.timer.stop()
            if self.window is not None:
                self.window.close()
            application.quit()

    observer = Observer()
    code = app.main(root)
    del observer
    print(json.dumps(marks))
    return code


def _count_memory(marks: dict[str, float]) -> None:
    import psutil

    process = psutil.Process()
    memory = process.memory_full_info()
    marks["rss"], marks["uss"] = memory.rss, memory.uss
    children = process.children(recursive=True)
    marks["children"] = len(children)
    marks["children_rss"] = sum(each.memory_info().rss for each in children)


if __name__ == "__main__":
    sys.exit(main())
