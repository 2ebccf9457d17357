"""The report of a bug says where it was, and nothing that the user wrote."""

from __future__ import annotations

import sqlite3
import threading

import pytest
from PySide6.QtGui import QGuiApplication

from phasergun_desktop.app import _UncaughtErrors
from phasergun_desktop.ui.dialogs.report_dialog import TEXT, ReportDialog
from tests.ui.conftest import OpenDesk


def _failed() -> Exception:
    try:
        raise sqlite3.OperationalError("Could not decode to UTF-8 with text 'Zebramark'")
    except sqlite3.OperationalError as error:
        return error


def test_the_report_that_is_copied_holds_no_text_of_documents(desk: OpenDesk) -> None:
    desk.window.reporter.report(_failed())
    dialog = desk.window.reporter.dialog
    assert isinstance(dialog, ReportDialog)
    dialog._on_copy()
    copied = QGuiApplication.clipboard().text()
    dialog.close()
    desk.wait(lambda: desk.window.reporter.dialog is None)
    assert "sqlite3.OperationalError" in copied
    assert "tests/ui/test_report.py, line" in copied
    assert "Zebramark" not in copied
    assert "no text of your documents" in TEXT


def test_a_thread_that_fails_prints_no_text_of_documents(
    desk: OpenDesk, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    errors = _UncaughtErrors()
    caught: list[object] = []
    errors.caught.connect(caught.append)
    monkeypatch.setattr(threading, "excepthook", errors.thread_hook)

    def fail() -> None:
        raise ValueError("Zebramark")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()
    desk.wait(lambda: bool(caught))
    said = capfd.readouterr().err
    assert "ValueError" in said
    assert "Zebramark" not in said
