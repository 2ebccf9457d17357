"""The window as a program: the application object, uncaught errors, the main loop."""

from __future__ import annotations

import logging
import os
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QApplication

from phasergun_desktop.paths import APP_NAME, user_places
from phasergun_desktop.projects.registry import ProjectRegistry
from phasergun_desktop.settings.store import SettingsStore
from phasergun_desktop.ui.alt_gr import AltGrTyping
from phasergun_desktop.ui.dialogs.report_dialog import print_report
from phasergun_desktop.ui.drafts.cited_clipboard import CITED_TYPE
from phasergun_desktop.ui.editor.draft_clipboard import MIME_TYPE
from phasergun_desktop.ui.late_workspace import AnyWorkspace, LateWorkspace
from phasergun_desktop.ui.main_window import MainWindow
from phasergun_desktop.ui.qt_absent import contents_of
from phasergun_desktop.ui.quiet_collection import QuietCollection
from phasergun_desktop.ui.theme_switch import ThemeSwitch
from phasergun_desktop.ui.window_memory import WindowMemory

if TYPE_CHECKING:
    from phasergun_desktop.workspace.workspace import Workspace

SWITCH_S = 0.001
_LOG = logging.getLogger(__name__)


class _UncaughtErrors(QObject):
    """Carries an uncaught error of any thread to the window's thread."""

    caught = Signal(object)

    def hook(
        self, kind: type[BaseException], error: BaseException, trace: TracebackType | None
    ) -> None:
        """Take the place of ``sys.excepthook``."""
        if issubclass(kind, KeyboardInterrupt):
            QGuiApplication.quit()
            return
        _LOG.error("Uncaught error", exc_info=(kind, error, trace))
        print_report(error)
        self.caught.emit(error)

    def thread_hook(self, failure: threading.ExceptHookArgs) -> None:
        """Take the place of ``threading.excepthook``, which prints what the error says."""
        if failure.exc_value is not None:
            self.hook(failure.exc_type, failure.exc_value, failure.exc_traceback)


def main(project: Path | None = None) -> int:
    """Show the window and put the product together behind it; return the exit code."""
    places = user_places()
    places.make_private()
    registry = ProjectRegistry(places.data / "projects.json")

    def make() -> Workspace:
        # Imported here, on the thread that opens the first project: the window is there before
        # the libraries of index, embedder and parsers are.
        from phasergun_desktop.wiring import build_application  # noqa: PLC0415

        return build_application(places).workspace

    workspace = LateWorkspace(make, registry.known)
    settings = SettingsStore(places.config / "settings.json")
    return run_window(sys.argv[:1], workspace, settings, places.config, project)


def make_application(arguments: Sequence[str]) -> QApplication:
    """Return the application object, or the one that is there already."""
    there = QApplication.instance()
    if isinstance(there, QApplication):
        return there
    QGuiApplication.setHighDpiScaleFactorRoundingPolicy(
        Qt.HighDpiScaleFactorRoundingPolicy.PassThrough
    )
    application = QApplication(list(arguments))
    application.setApplicationName(APP_NAME)
    application.setApplicationDisplayName(APP_NAME)
    application.setDesktopFileName(APP_NAME.lower())
    return application


def release_clipboard() -> None:
    """Leave plain text on the clipboard in place of an object of Python's.

    What was copied from a draft or a source is a QMimeData made in Python; Qt deletes it after
    Python has ended, which is a crash at exit.
    """
    clipboard = QGuiApplication.clipboard()
    data = contents_of(clipboard)
    # Other applications' copies are none of our business (``ownsClipboard`` is false offscreen).
    if data is not None and (data.hasFormat(MIME_TYPE) or data.hasFormat(CITED_TYPE)):
        clipboard.setText(data.text())


def run_window(
    arguments: Sequence[str],
    workspace: AnyWorkspace,
    settings: SettingsStore,
    config: Path,
    project: Path | None = None,
) -> int:
    """Show the window until it is closed; return the exit code.

    ``arguments`` are those of the process (``sys.argv``), ``config`` is the folder of the writer's
    own words. The workspace is closed at the end.
    """
    # With the default of 5 ms a busy thread holds up every repaint of the window.
    sys.setswitchinterval(SWITCH_S)
    application = make_application(arguments)
    memory = WindowMemory(settings)
    theme = ThemeSwitch(application)
    theme.choose(memory.settings.appearance.theme)
    errors = _UncaughtErrors()
    collection = QuietCollection()
    before = sys.excepthook, threading.excepthook
    sys.excepthook, threading.excepthook = errors.hook, errors.thread_hook
    try:
        window = MainWindow(workspace, memory, theme, config)
        errors.caught.connect(window.reporter.report)
        if sys.platform == "win32":
            AltGrTyping(window)
        window.parts.draft_panel.changed.connect(collection.put_off)
        window.show()
        window.start(project)
        code = application.exec()
        # The loop has ended, whoever ended it: there is no asking any more.
        window.let_go()
    finally:
        release_clipboard()
        collection.end()
        sys.excepthook, threading.excepthook = before
    if window.late_runners:
        _LOG.warning("These threads did not end in time: %s", ", ".join(window.late_runners))
        logging.shutdown()
        # Ending in the usual way would destroy running threads, and that is a crash.
        os._exit(code)
    return code
