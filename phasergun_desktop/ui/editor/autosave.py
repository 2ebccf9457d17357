"""Keeps what the writer types on the disk a second after it changed, beside the window's thread."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

from PySide6.QtCore import QObject, QTimer, Signal

from phasergun_desktop.background.job_handle import JobHandle
from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.errors import PhaserGunError

if TYPE_CHECKING:
    from phasergun_desktop.workspace.session import ProjectSession

DELAY_MS = 1000
RETRY_MS = 5000

ItemT = TypeVar("ItemT")


@dataclass(frozen=True, slots=True)
class SaveWay(Generic[ItemT]):
    """How one kind of thing is saved: as it stands now, what tells it from others, the write."""

    snapshot: Callable[[], ItemT | None]
    name: Callable[[ItemT], str]
    write: Callable[[ProjectSession, ItemT], None]


@dataclass(eq=False, slots=True)
class Unsaved(Generic[ItemT]):
    """The newest state of a thing that is not known to be on the disk, and the project that it
    belongs to; ``error`` says why the last attempt failed."""

    session: ProjectSession
    item: ItemT
    number: int
    error: Exception | None = None


class Autosave(QObject, Generic[ItemT]):
    """While a thing changes it is saved once a second, the last time a second after the end.

    What could not be saved is held, also when other things have taken its place on the desk, and
    tried again every five seconds until it is saved or ``let_go``.
    """

    saved = Signal(object)
    # The first of several failures in a row, or one for another reason.
    failed = Signal(object)
    # Something could not be saved, or everything is saved again.
    state_changed = Signal()

    def __init__(
        self, runner: JobRunner, way: SaveWay[ItemT], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._runner = runner
        self._way = way
        self._session: ProjectSession | None = None
        self._is_dirty = False
        self._unsaved: dict[tuple[int, str], Unsaved[ItemT]] = {}
        self._number = 0
        self._told = ""
        # Held while something is written: a newer state may be written by another thread.
        self._writing = threading.Lock()
        self._written: dict[tuple[int, str], int] = {}
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.save_now)
        self._retry = QTimer(self, singleShot=True, interval=RETRY_MS)
        self._retry.timeout.connect(self.retry)

    @property
    def is_dirty(self) -> bool:
        """Whether there is something that is not on its way to the disk."""
        return self._is_dirty or bool(self.failures)

    @property
    def failures(self) -> tuple[Unsaved[ItemT], ...]:
        """What could not be saved."""
        return tuple(one for one in self._unsaved.values() if one.error is not None)

    def unsaved_of(self, session: ProjectSession) -> tuple[ItemT, ...]:
        """What is not known to be on the disk of a project, the oldest first."""
        return tuple(one.item for one in self._unsaved.values() if one.session is session)

    def set_session(self, session: ProjectSession | None) -> None:
        """Save to another project from now on; call ``save_now`` before."""
        self._session = session
        self._is_dirty = False
        self._timer.stop()

    def mark_dirty(self) -> None:
        """The thing changed."""
        self._is_dirty = True
        if not self._timer.isActive():
            self._timer.start()

    def save_now(self) -> JobHandle | None:
        """Send what changed to the disk, after what was sent before; ``saved`` or ``failed``
        follows. None if nothing has changed."""
        one = self._take()
        return self._submit(one) if one is not None else None

    def retry(self) -> None:
        """Try again what could not be saved."""
        self.save_now()
        for one in self.failures:
            self._submit(one)

    def flush(self) -> bool:
        """Save on this thread whatever is not known to be on the disk; whether all of it is now."""
        self._take()
        for one in tuple(self._unsaved.values()):
            try:
                self._write(one)
            except PhaserGunError as error:
                self._on_failed(one, error)
            else:
                self._on_saved(one)
        return not self._unsaved

    def let_go(self, one: Unsaved[ItemT]) -> None:
        """Try no more to save this: the writer has put it elsewhere, or given it up."""
        if self._unsaved.get(self._key(one)) is one:
            del self._unsaved[self._key(one)]
            self._show_state()

    def numbered(self, session: ProjectSession, item: ItemT) -> Unsaved[ItemT]:
        """Return a thing as it stands now, for ``write_in_turn``."""
        self._number += 1
        return Unsaved(session, item, self._number)

    def write_in_turn(self, one: Unsaved[ItemT], write: Callable[[bool], bool]) -> None:
        """Call ``write`` with whether no newer state was written meanwhile; it returns whether
        it has written this one. Safe on any thread."""
        key = self._key(one)
        with self._writing:
            # An older state must not come on top of a newer one.
            if write(one.number > self._written.get(key, 0)):
                self._written[key] = one.number

    def _take(self) -> Unsaved[ItemT] | None:
        self._timer.stop()
        session = self._session
        if not self._is_dirty or session is None:
            return None
        item = self._way.snapshot()
        # Not before: what cannot be read now has still changed.
        self._is_dirty = False
        if item is None:
            return None
        one = self.numbered(session, item)
        # Until it is saved it counts as failed if the state before did.
        before = self._unsaved.pop(self._key(one), None)
        one.error = before.error if before is not None else None
        self._unsaved[self._key(one)] = one
        return one

    def _key(self, one: Unsaved[ItemT]) -> tuple[int, str]:
        return id(one.session), self._way.name(one.item)

    def _submit(self, one: Unsaved[ItemT]) -> JobHandle:
        job = self._runner.submit_call(lambda: self._write(one), must_run=True)
        job.succeeded.connect(lambda _none: self._on_saved(one))
        job.failed.connect(lambda error: self._on_failed(one, error))
        return job

    def _write(self, one: Unsaved[ItemT]) -> None:
        def write(is_newest: bool) -> bool:
            if is_newest:
                self._way.write(one.session, one.item)
            return is_newest

        self.write_in_turn(one, write)

    def _on_saved(self, one: Unsaved[ItemT]) -> None:
        if self._unsaved.get(self._key(one)) is one:
            del self._unsaved[self._key(one)]
        self.saved.emit(one.item)
        self._show_state()

    def _on_failed(self, one: Unsaved[ItemT], error: Exception) -> None:
        if self._unsaved.get(self._key(one)) is one:
            one.error = error
            self._retry.start()
            if repr(error) != self._told:
                self._told = repr(error)
                self.failed.emit(error)
        self._show_state()

    def _show_state(self) -> None:
        if not self.failures:
            self._retry.stop()
            self._told = ""
        self.state_changed.emit()
