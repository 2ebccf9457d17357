"""What happens with one file: its details, reading it again, its password, its language."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import Qt, QTimer

from phasergun_desktop.errors import DocumentProblem
from phasergun_desktop.index.records import FileRecord, FileState
from phasergun_desktop.ui.dialogs.languages_dialog import LanguagesDialog
from phasergun_desktop.ui.dialogs.password_dialog import PasswordDialog
from phasergun_desktop.ui.flow import Desk, Flow
from phasergun_desktop.ui.projects.categories_flow import CategoriesFlow
from phasergun_desktop.ui.projects.language_words import language_names
from phasergun_desktop.ui.projects.project_keeper import ProjectKeeper
from phasergun_desktop.ui.wording import count, file_name

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession, SourceDocument

# A writer who walks down the tree does not load every document that is passed.
SETTLE_MS = 300
NOT_KEPT = "This computer has no keyring; the password is kept until the window closes."


class FileFlow(Flow):
    """Connects the card and the menu of a file with the open project."""

    def __init__(self, desk: Desk, keeper: ProjectKeeper) -> None:
        super().__init__(desk)
        self._source_loader = desk.parts.source_loader
        self._message_bar = desk.parts.message_bar
        self.categories = CategoriesFlow(desk)
        # Whether the password that was entered last opens a file; None until it was read.
        self._tried: dict[str, bool | None] = {}
        self._told = ""
        self._settle = QTimer(self, singleShot=True, interval=SETTLE_MS)
        self._settle.timeout.connect(self._load_details)
        desk.parts.project_panel.details_wanted.connect(self._on_details_wanted)
        desk.parts.source_loader.source_loaded.connect(self._on_source_loaded)
        keeper.current_changed.connect(self._on_current_changed)
        keeper.file_changed.connect(self._on_file_changed)

    @property
    def is_settling(self) -> bool:
        """Whether the details of a file are about to be asked for."""
        return self._settle.isActive()

    # Details --------------------------------------------------------------------------------

    def _on_details_wanted(self) -> None:
        if not self._settle.isActive():
            self._settle.start()

    def _load_details(self) -> None:
        """Fetch the document of the selected file, unless the viewer is about to."""
        record = self._project_panel.record_without_details()
        if record is None:
            return
        target = self._source_panel.target
        if target is not None and target.file == record.file and self._source_loader.is_busy:
            return
        # Without an answer the card says what the tree knows; the viewer tells what is wrong.
        self._work.do(
            lambda session: session.source(record.file),
            self._project_panel.add_details,
            failed=lambda _error: None,
        )

    def _on_source_loaded(self, _file: str, source: SourceDocument) -> None:
        self._project_panel.add_details(source)

    # Reading again --------------------------------------------------------------------------

    def retry_selected(self) -> None:
        """Read the selected file again."""
        record = self._project_panel.current_record()
        current = self._work.sync
        if record is None or current is None:
            self._work.say("Select a file in the project tree first")
            return
        current.retry_files([record.file])
        self._work.say(f"Reading {file_name(record.file)} again")

    # Passwords ------------------------------------------------------------------------------

    def ask_password(self) -> None:
        """Ask for the password of the protected files."""
        session = self._work.session
        if session is None:
            return

        def on_known(found: tuple[list[str], bool]) -> None:
            files, can_forget = found
            dialog = PasswordDialog(files, can_forget, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.password_entered.connect(
                lambda password: self._add_password(session, password, files)
            )
            dialog.forget_wanted.connect(lambda: self._forget_passwords(session))
            dialog.open()

        self._work.call(
            lambda: (_protected(session.files()), session.reading.has_passwords()), on_known
        )

    def _add_password(self, session: ProjectSession, password: str, files: Sequence[str]) -> None:
        # The keyring may ask the user to unlock it: not on the window's thread.
        def on_added(is_kept: bool) -> None:
            current = self._work.sync
            if current is None:
                return
            if not is_kept:
                self._work.tell(NOT_KEPT)
            self._tried = dict.fromkeys(files)
            current.retry_files(files)
            text = "Trying the password" if files else "The password is tried from now on"
            self._work.say(text)

        self._work.call(lambda: session.reading.add_password(password), on_added)

    def _forget_passwords(self, session: ProjectSession) -> None:
        self._work.call(
            session.reading.forget_passwords,
            lambda _none: self._work.say("The passwords of this project are forgotten"),
        )

    def _on_current_changed(self, _session: ProjectSession | None) -> None:
        self._tried = {}

    def _on_file_changed(self, record: FileRecord) -> None:
        if record.file not in self._tried or record.state is FileState.PENDING:
            return
        self._tried[record.file] = record.problem is not DocumentProblem.PASSWORD
        if None in self._tried.values():
            return
        closed = [file for file, is_open in self._tried.items() if not is_open]
        opened = len(self._tried) - len(closed)
        self._tried = {}
        self._work.say(f"The password opens {count(opened, 'document')}" if opened else "")
        bar = self._message_bar
        if closed:
            names = file_name(closed[0]) if len(closed) == 1 else count(len(closed), "document")
            self._told = f"The password does not open {names}."
            bar.show_text(self._told)
        elif self._told and bar.message == self._told:
            # What was said of the password before is no longer so.
            bar.hide()

    # Languages ------------------------------------------------------------------------------

    def choose_languages(self) -> None:
        """Ask for the languages of scanned pages."""
        session = self._work.session
        if session is None:
            return

        def on_known(found: tuple[tuple[str, ...], str]) -> None:
            dialog = LanguagesDialog(*found, self._window)
            dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            dialog.languages_chosen.connect(lambda chosen: self._set_languages(session, chosen))
            dialog.open()

        reading = session.reading
        self._work.call(lambda: (reading.installed_languages(), reading.languages()), on_known)

    def _set_languages(self, session: ProjectSession, chosen: str) -> None:
        def on_set(_none: object) -> None:
            current = self._work.sync
            if current is not None:
                current.renew()
                self._work.say(f"Reading the documents again: {language_names(chosen)}")

        self._work.call(lambda: session.reading.set_languages(chosen), on_set)


def _protected(files: Sequence[FileRecord]) -> list[str]:
    return [
        one.file
        for one in files
        if one.state is FileState.FAILED and one.problem is DocumentProblem.PASSWORD
    ]
