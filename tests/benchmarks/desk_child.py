"""A child process that works at the desk as a writer does and notes how soon the window answers.

``python -m tests.benchmarks.desk_child PROJECT DRAFT_ID PDF [NEW_FILES]``; prints a JSON object of
lists of milliseconds. The caller sets what ``window_child`` needs. Documents in the folder
``NEW_FILES`` are put into the project, so that it has something to read.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

BEAT_MS = 2
# A fast typist: ten letters a second, and a pause now and then in which the checking begins.
LETTER_MS, LETTERS, PAUSE_EVERY, PAUSE_MS = 100, 240, 24, 1200
SCROLL_MS, SCROLLS, SCROLL_BY = 16, 240, 90
TOO_LONG_S = 240.0
# A condition to wait for, or milliseconds.
Wait = Callable[[], bool] | int


def main() -> int:
    """Open the window, do one thing after the other, close it."""
    from PySide6.QtCore import QEvent, QObject, Qt, QTimer
    from PySide6.QtGui import QKeyEvent
    from PySide6.QtWidgets import QApplication

    from phasergun_desktop import app
    from phasergun_desktop.ui.main_window import MainWindow

    root, draft_id, pdf = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    new_files = Path(sys.argv[4]) if len(sys.argv) > 4 else None
    application = app.make_application(sys.argv[:1])
    found: dict[str, list[float]] = {}

    class Writer(QObject):
        """Follows a script; a timer beside it notes every time that the loop was late."""

        def __init__(self) -> None:
            super().__init__()
            self.phase = ""
            self.wait: Wait = 0
            self.since = self.last = time.perf_counter()
            self.started = self.since
            self.steps = self.script()
            self.beat = QTimer(self)
            self.beat.setTimerType(Qt.TimerType.PreciseTimer)
            self.beat.timeout.connect(self.on_beat)
            self.beat.start(BEAT_MS)

        def on_beat(self) -> None:
            now = time.perf_counter()
            late = (now - self.last) * 1000 - BEAT_MS
            self.last = now
            if self.phase:
                gaps = found.setdefault(f"gap_{self.phase}", [])
                gaps.append(late)
            wait = self.wait
            is_over = (now - self.since) * 1000 >= wait if isinstance(wait, int) else bool(wait())
            if is_over or now - self.started > TOO_LONG_S:
                try:
                    self.wait = next(self.steps)
                except StopIteration:
                    self.beat.stop()
                    application.quit()
                self.since = time.perf_counter()
                # What the script does by itself is not the window's.
                self.last = self.since

        def script(self) -> Iterator[Wait]:
            yield lambda: bool(self.windows())
            window = self.windows()[0]
            parts = window.parts

            def is_quiet() -> bool:
                current = window.keeper.current
                return current is not None and not current.is_running

            yield lambda: window.keeper.session is not None
            yield 3000
            yield is_quiet
            # Not the draft that is open from the start: another one is opened.
            window.draft_flow.shelf.new_draft()
            yield 1000
            self.phase, begun = "opening", time.perf_counter()
            window.draft_flow.shelf.open_draft(draft_id)
            panel = parts.draft_panel
            yield lambda: panel.draft is not None and panel.draft.draft_id == draft_id
            panel.editor.viewport().repaint()
            found["opening"] = [(time.perf_counter() - begun) * 1000]
            yield 2500
            # Words are typed into the middle of it.
            editor = panel.editor
            editor.move_cursor(editor.document().characterCount() // 2)
            editor.setFocus()
            keys = found.setdefault("key", [])
            self.phase = "typing"
            due = time.perf_counter() + LETTER_MS / 1000
            for number in range(LETTERS):
                yield max(0, round((due - time.perf_counter()) * 1000))
                letter = " " if number % 6 == 5 else "e"
                for kind in (QEvent.Type.KeyPress, QEvent.Type.KeyRelease):
                    key = QKeyEvent(kind, 0, Qt.KeyboardModifier.NoModifier, letter)
                    QApplication.sendEvent(editor, key)
                editor.viewport().repaint()
                keys.append((time.perf_counter() - max(due, 0)) * 1000)
                self.last = time.perf_counter()
                due += LETTER_MS / 1000
                if number % PAUSE_EVERY == PAUSE_EVERY - 1:
                    due += PAUSE_MS / 1000
            yield 2000
            # A PDF file of many pages is opened and scrolled.
            self.phase, begun = "pdf", time.perf_counter()
            window.source_flow.open_file(pdf)
            view = parts.source_panel.views.page_view
            yield lambda: view.has_image(1)
            view.viewport().repaint()
            found["first_page"] = [(time.perf_counter() - begun) * 1000]
            yield 500
            self.phase = "scrolling"
            bar = view.verticalScrollBar()
            blank, since = found.setdefault("blank", []), 0.0
            for _ in range(SCROLLS):
                bar.setValue(bar.value() + SCROLL_BY)
                yield SCROLL_MS
                if view.has_image(view.current_page()):
                    blank.append((time.perf_counter() - since) * 1000 if since else 0.0)
                    since = 0.0
                elif not since:
                    since = time.perf_counter()
            found["scrolled_pages"] = [float(view.current_page())]
            yield lambda: view.has_image(view.current_page())
            if since:
                blank.append((time.perf_counter() - since) * 1000)
            # It is exported.
            self.phase, begun = "exporting", time.perf_counter()
            out = root.parent / "export.docx"
            window.draft_flow.shelf.export_to(out)
            yield out.exists
            yield 300
            found["exporting"] = [(time.perf_counter() - begun) * 1000]
            # New documents are read.
            if new_files is not None:
                self.phase = "indexing"
                shutil.copytree(new_files, root / "Context" / "General" / "new")
                window.project_flow.sync()
                yield 1500
                yield is_quiet
                self.phase = ""
            found["rss"] = [_resident()]
            # A draft is generated, then joined by the model where there is one.
            prompt = parts.prompt_panel
            yield prompt.generate_button.isEnabled
            generation = window.draft_flow.generation
            for phase, button in (
                ("generating", prompt.generate_button),
                ("joining", prompt.prose_button),
            ):
                if not button.isEnabled():
                    continue
                self.phase = phase
                button.click()
                yield 500
                yield lambda: not generation.is_running
                self.phase = ""
                yield 1500
            window.close()

        def windows(self) -> list[MainWindow]:
            every = QApplication.topLevelWidgets()
            return [one for one in every if isinstance(one, MainWindow) and one.isVisible()]

    writer = Writer()
    code = app.main(root)
    del writer
    print(json.dumps(found))
    return code


def _resident() -> float:
    import psutil

    return float(psutil.Process().memory_info().rss)


if __name__ == "__main__":
    sys.exit(main())
