"""Jobs on real threads: order of signals, cancelling, failing, coalescing, shutting down."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import pytest
from PySide6.QtCore import QElapsedTimer, QThread, QTimer
from pytestqt.qtbot import QtBot

from phasergun_desktop.background.job_runner import JobRunner
from phasergun_desktop.errors import Cancelled, ModelError
from phasergun_desktop.jobs import Event, Job


@dataclass(frozen=True, slots=True)
class Step(Event):
    """An event with a number."""

    number: int


@pytest.fixture
def runner(qtbot: QtBot) -> Iterator[JobRunner]:
    runner = JobRunner("test")
    yield runner
    assert runner.shutdown(5000)


def _counting(count: int) -> Job[int]:
    for number in range(count):
        yield Step(number)
    return count


def test_signals_come_in_order_on_the_submitting_thread(qtbot: QtBot, runner: JobRunner) -> None:
    handle = runner.submit(lambda _stop: _counting(3))
    heard: list[object] = []
    threads: set[QThread] = set()

    def on_event(event: Step) -> None:
        heard.append(event.number)
        threads.add(QThread.currentThread())

    handle.started.connect(lambda: heard.append("started"))
    handle.event_received.connect(on_event)
    handle.succeeded.connect(lambda value: heard.append(("succeeded", value)))
    with qtbot.waitSignals([handle.started, handle.succeeded, handle.finished], order="strict"):
        pass
    assert heard == ["started", 0, 1, 2, ("succeeded", 3)]
    assert threads == {QThread.currentThread()}


def test_the_job_runs_on_another_thread(qtbot: QtBot, runner: JobRunner) -> None:
    here = threading.get_ident()
    with qtbot.waitSignal(runner.submit_call(threading.get_ident).succeeded) as caught:
        pass
    assert caught.args[0] != here


def test_jobs_of_a_runner_never_overlap(qtbot: QtBot, runner: JobRunner) -> None:
    log: list[str] = []

    def job(name: str) -> Job[None]:
        log.append(f"{name} begins")
        yield Step(0)
        log.append(f"{name} ends")

    runner.submit(lambda _stop: job("a"))
    last = runner.submit(lambda _stop: job("b"))
    with qtbot.waitSignal(last.finished):
        pass
    assert log == ["a begins", "a ends", "b begins", "b ends"]


def test_cancel_closes_the_generator_on_the_worker(qtbot: QtBot, runner: JobRunner) -> None:
    closed_on: list[int] = []
    may_go_on = threading.Event()

    def job() -> Job[None]:
        try:
            while True:
                yield Step(0)
                may_go_on.wait(5)
        finally:
            closed_on.append(threading.get_ident())

    handle = runner.submit(lambda _stop: job())
    with qtbot.waitSignal(handle.event_received):
        pass
    handle.cancel()
    with qtbot.waitSignals([handle.cancelled, handle.finished], order="strict"):
        may_go_on.set()
    assert len(closed_on) == 1
    assert closed_on[0] != threading.get_ident()


def test_a_job_that_ends_itself_returns_its_partial_result(qtbot: QtBot, runner: JobRunner) -> None:
    def job(stop: threading.Event) -> Job[str]:
        while not stop.is_set():
            yield Step(0)
        yield Step(1)
        return "partial"

    handle = runner.submit(job, ends_itself=True)
    with qtbot.waitSignal(handle.event_received):
        pass
    with qtbot.waitSignal(handle.succeeded) as caught:
        handle.cancel()
    assert caught.args == ["partial"]


def test_a_waiting_job_that_is_cancelled_never_begins(qtbot: QtBot, runner: JobRunner) -> None:
    gate = threading.Event()
    runner.submit_call(lambda: gate.wait(5))
    ran: list[int] = []
    waiting = runner.submit_call(lambda: ran.append(1))
    waiting.cancel()
    with qtbot.waitSignals([waiting.cancelled, waiting.finished], order="strict"):
        gate.set()
    assert ran == []


class _Panic(BaseException):
    """As Rust code under Python raises it."""


@pytest.mark.parametrize(
    "error", [ModelError("No model", "There is none."), ValueError("x"), _Panic("x")]
)
def test_an_exception_reaches_failed_as_it_is(
    qtbot: QtBot, runner: JobRunner, error: BaseException
) -> None:
    def fail() -> None:
        raise error

    with qtbot.waitSignal(runner.submit_call(fail).failed) as caught:
        pass
    assert caught.args[0] is error
    with qtbot.waitSignal(runner.submit_call(lambda: "alive").succeeded):
        pass


def test_cancelled_raised_inside_is_no_failure(qtbot: QtBot, runner: JobRunner) -> None:
    def stop() -> None:
        raise Cancelled

    with qtbot.waitSignal(runner.submit_call(stop).cancelled):
        pass


def test_events_are_coalesced_into_batches(qtbot: QtBot, runner: JobRunner) -> None:
    batches: list[int] = []
    clock = QElapsedTimer()
    clock.start()
    last_ms = -100
    count = 0

    def on_event(_event: Step) -> None:
        nonlocal last_ms, count
        count += 1
        if clock.elapsed() - last_ms > 20:
            batches.append(count)
        last_ms = clock.elapsed()

    handle = runner.submit(lambda _stop: _counting(2000))
    handle.event_received.connect(on_event)
    with qtbot.waitSignal(handle.finished):
        pass
    assert count == 2000
    assert len(batches) <= 1 + clock.elapsed() // 40


def test_the_window_answers_while_thousands_of_events_are_received(
    qtbot: QtBot, runner: JobRunner
) -> None:
    handle = runner.submit(lambda _stop: _counting(200))
    heard: list[int] = []
    answers: list[int] = []
    ticks = QTimer(interval=0)
    ticks.timeout.connect(lambda: answers.append(len(heard)))

    def on_event(event: Step) -> None:
        heard.append(event.number)
        QThread.msleep(2)

    handle.event_received.connect(on_event)
    with qtbot.waitSignal(handle.finished):
        ticks.start()
    ticks.stop()
    assert heard == list(range(200))
    steps = [after - before for before, after in pairwise([*answers, 200])]
    assert max(steps) <= 20


def test_shutdown_stops_what_runs_and_what_waits(qtbot: QtBot) -> None:
    runner = JobRunner("closing")
    ran: list[int] = []

    def endless() -> Job[None]:
        while True:
            yield Step(0)

    running = runner.submit(lambda _stop: endless())
    with qtbot.waitSignal(running.event_received):
        pass
    runner.submit_call(lambda: ran.append(1))
    assert runner.shutdown(5000)
    assert ran == []


def test_what_must_run_runs_at_shutdown_in_its_turn(qtbot: QtBot) -> None:
    runner = JobRunner("closing")
    gate = threading.Event()
    begun = threading.Event()
    ran: list[int] = []

    def hold() -> None:
        begun.set()
        gate.wait(5)

    runner.submit_call(hold)
    runner.submit_call(lambda: ran.append(1), must_run=True)
    runner.submit_call(lambda: ran.append(2))
    runner.submit_call(lambda: ran.append(3), must_run=True)
    assert begun.wait(5)
    assert not runner.shutdown(0)
    gate.set()
    assert runner.shutdown(5000)
    assert ran == [1, 3]


def test_many_jobs_leave_no_handles(qtbot: QtBot, runner: JobRunner) -> None:
    handles = [runner.submit(lambda _stop: _counting(5)) for _ in range(200)]
    with qtbot.waitSignal(handles[-1].finished):
        pass
    qtbot.waitUntil(lambda: not runner.is_busy)
    assert all(handle.is_done for handle in handles)


def test_what_has_come_is_delivered_without_an_event_loop(qtbot: QtBot) -> None:
    runner = JobRunner("test")
    begun = threading.Event()

    def job(_stop: threading.Event) -> Job[int]:
        begun.set()
        return (yield from _counting(3))

    handle = runner.submit(job, ends_itself=True)
    heard: list[object] = []
    handle.event_received.connect(lambda event: heard.append(event.number))
    handle.succeeded.connect(heard.append)
    assert begun.wait(5)
    assert runner.shutdown(5000)
    handle.deliver_now()
    assert heard == [0, 1, 2, 3]
    # Nothing comes twice when the loop goes on.
    qtbot.wait(1)
    assert heard == [0, 1, 2, 3]


class _PausingLock:
    """A lock after whose release the worker is kept waiting, as a loaded machine does it."""

    def __init__(self, pause_s: float) -> None:
        self._lock = threading.Lock()
        self._pause_s = pause_s
        self._window_thread = threading.get_ident()

    def __enter__(self) -> None:
        self._lock.acquire()

    def __exit__(self, *_exception: object) -> None:
        self._lock.release()
        if threading.get_ident() != self._window_thread:
            time.sleep(self._pause_s)


def test_a_handle_is_not_deleted_under_the_worker_that_still_uses_it(
    qtbot: QtBot, runner: JobRunner
) -> None:
    """An emit of a deleted handle ended the worker's thread, or the program."""
    may_begin = threading.Event()

    def make_job(_stop: threading.Event) -> Job[int]:
        may_begin.wait()
        return _counting(2)

    handle = runner.submit(make_job)
    vars(handle)["_lock"] = _PausingLock(0.1)  # longer than events wait for one another
    with qtbot.waitSignal(handle.destroyed):
        may_begin.set()
    with qtbot.waitSignal(runner.submit_call(lambda: "goes on").succeeded) as caught:
        pass
    assert caught.args == ["goes on"]
